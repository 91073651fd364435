"""Memory that is free goes back to the system."""

from __future__ import annotations

import sys


def give_back() -> bool:
    """Lets go of what closed projects took; whether the system has a way to.

    glibc keeps what was freed in its arenas, one a thread, until it is asked.
    """
    if not sys.platform.startswith("linux"):
        return False
    import ctypes  # not at the start: it is needed once a project

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is None:
        return False
    trim(0)
    return True
