"""Jupyter widgets to play and study Skyline."""
