"""The dice and building game Skyline."""
