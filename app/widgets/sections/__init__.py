"""Sections (`models/tell/blocks.py`) in the window."""
