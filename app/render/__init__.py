"""Renderers of sections (`models/tell/blocks.py`): what is told once, as a surface shows it."""
