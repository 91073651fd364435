"""Scenarios side by side."""

from app.widgets.compare.panel import ComparePanel

__all__ = ["ComparePanel"]
