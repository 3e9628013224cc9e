"""Exact rules, odds and decisions of dice and building games."""
