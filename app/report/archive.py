"""ZIP files whose members bear the proposal's own time: the same input gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from datetime import datetime


def archived(members: Iterable[tuple[str, bytes]], now: datetime) -> bytes:
    """A ZIP file with these members by name, in this order; times before 1980 it can't hold."""
    stream, time = io.BytesIO(), max(now, datetime(1980, 1, 1, tzinfo=now.tzinfo)).timetuple()[:6]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            member = zipfile.ZipInfo(name, time)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return stream.getvalue()


def members_of(content: bytes) -> list[tuple[str, bytes]]:
    """What stands in a ZIP file."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]
