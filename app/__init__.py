"""The program: windows, widgets, command line, reports. Started with `python -m app`."""

__version__ = "0.1.0"
