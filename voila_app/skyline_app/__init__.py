"""Skyline as a web app, served by Voilà."""
