"""Sections in the window."""

from app.widgets.sections import SectionsPanel as SectionsPanel  # noqa: PLC0414
from app.widgets.sections import SectionsView as SectionsView  # noqa: PLC0414
