"""The evidence drawer: why a number is what it is."""

from app.widgets.why.drawer import WhyDrawer

__all__ = ["WhyDrawer"]
