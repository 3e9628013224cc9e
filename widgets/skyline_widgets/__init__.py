"""Jupyter widgets to play and study Skyline."""

from .table import SkylineTable

__all__ = ["SkylineTable"]
