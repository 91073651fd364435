"""Where imported values stand, as an item of a scenario keeps it: file, table, row and heading."""

from __future__ import annotations

import re
from collections.abc import Mapping

from models.intake.hardware import line
from models.intake.records import Place


def own_name(file: str) -> str:
    """A file without the folders that it stands in, whatever separates them.

    >>> own_name("/srv/customer/a.xlsx"), own_name("C:\\\\a\\\\b.csv"), own_name("a.csv")
    ('a.xlsx', 'b.csv', 'a.csv')
    """
    return file.replace("\\", "/").rstrip("/").rpartition("/")[2]


def told(said: Mapping[str, Place | None]) -> str:
    """Files and cells of fields, one file, table and row a line.

    >>> told({"vcpus": Place("a.xlsx", "vInfo", 2, "CPUs"), "host": None})
    'a.xlsx, vInfo, 2: vcpus=CPUs'
    """
    lines: dict[tuple[str, str, int], list[str]] = {}
    for path, place in said.items():
        if place is not None:
            cells = lines.setdefault((own_name(place.file), place.table, place.row), [])
            cells.append(f"{path}={line(place.column)}")
    return "\n".join(
        f"{', '.join(filter(None, (line(file), line(table), str(row))))}: {'; '.join(cells)}"
        for (file, table, row), cells in lines.items()
    )


def cell_of(imported_from: str, path: str) -> str:
    """The cell of one field out of what `told` wrote; empty where it came from none.

    >>> cell_of("a.xlsx, vInfo, 2: vcpus=CPUs; ram_gib=Memory", "ram_gib")
    'a.xlsx, vInfo, 2, Memory'
    >>> cell_of("a.xlsx, vInfo, 2: vcpus=CPUs", "ram_gib")
    ''
    """
    wanted = re.compile(rf"(?:: |; ){re.escape(path)}=")
    for each in imported_from.splitlines():
        start = _CELLS.search(each)
        found = None if start is None else wanted.search(each, start.start())
        if start is not None and found is not None:
            heading = _NEXT.split(each[found.end() :])[0]
            return f"{each[: start.start()]}, {heading}"
    return ""


_CELLS = re.compile(r": [a-z_.]+=")
_NEXT = re.compile(r"; [a-z_.]+=")
