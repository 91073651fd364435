"""Sections (`models/tell/blocks.py`) in the window."""

from app.widgets.sections.view import CALCULATING, SectionsPanel, SectionsView, in_one_line

__all__ = ["CALCULATING", "SectionsPanel", "SectionsView", "in_one_line"]
