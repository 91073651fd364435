"""The inspector of the selection."""

from app.widgets.inspector.inspector import Inspector

__all__ = ["Inspector"]
