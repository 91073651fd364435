"""Widgets: they show values and ask the session for the next one."""
