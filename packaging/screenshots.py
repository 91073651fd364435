"""Pictures of every page and dialog: three colours, two sizes, 150 %; and those of the handbook.

`python packaging/screenshots.py [FOLDER]` writes one folder a set to ``out/screenshots`` and the
handbook's pictures to ``docs/pictures``; with ``--handbook`` the latter alone. ``--references``
renews what the snapshot tests compare with, or the pages alone that are named after it. No display
is needed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pages

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

Numbers = npt.NDArray[Any]
ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "out" / "screenshots"
HANDBOOK = ROOT / "docs" / "pictures"
REFERENCES = ROOT / "tests" / "app" / "snapshots"
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Set:
    """All pages in one theme, size (device-independent pixels) and scale."""

    theme: str
    width: int
    height: int
    scale: float

    @property
    def name(self) -> str:
        theme = self.theme.lower().replace(" ", "-")
        scale = "" if self.scale == 1 else f"-{self.scale:.0%}".replace("%", "-percent")
        return f"{theme}-{self.width}x{self.height}{scale}"


SIZES = ((1366, 768, 1.0), (1920, 1080, 1.0), (1366, 768, 1.5))
THEMES = ("Light", "Dark", "High contrast")
SETS = tuple(Set(theme, *size) for theme in THEMES for size in SIZES)
PLAIN = SETS[0]

HANDBOOK_PAGES = {
    "window": ("drag", 1000),
    "start": ("start", 900),
    "inspector": ("inspector-vm", 1000),
    "why": ("why", 1000),
    "failures": ("charts-failures", 1000),
    "what-if": ("charts-what-if", 1000),
    "compare": ("compare", 800),
    "meeting": ("meeting", 900),
    "palette": ("palette", 500),
    "import": ("import", 1000),
    "evidence": ("evidence-points", 900),
    "options": ("recommend", 1000),
    "years": ("years", 1000),
    "proposal": ("proposal", 1000),
}
"""Pictures of the handbook: the page, and its width there [px]; what is larger is made smaller."""

SNAPSHOTS = ("start", "empty", "window", "migration", "inspector-vm", "findings")
SNAPSHOT_WIDTH = 683
"""Pages that every run of the tests looks at, and the width of their pictures [px]."""

THUMBNAIL_WIDTH = 240
"""Width [px] at which every page of every set is kept, in a folder a set."""

UNLIKE, HANDBOOK_UNLIKE = 14, 8
"""Difference of a channel from which on two colours of such a picture are unlike."""


def take_all(folder: Path) -> int:
    """Takes every picture; the number of sets that failed is the exit status."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(partial(take, folder=folder), SETS))
    failed = [each.name for each, well in zip(SETS, done, strict=True) if not well]
    for name in failed:
        print(f"{name}: not taken", file=sys.stderr)
    if PLAIN.name not in failed:
        write_handbook(folder / PLAIN.name)
    return len(failed)


def take(which: Set, folder: Path, names: Sequence[str] = ()) -> bool:
    """One set in a process of its own, for the scale is fixed when Qt starts."""
    (folder / which.name).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(Path(__file__)), "--set", which.name, str(folder), *names]
    with tempfile.TemporaryDirectory() as place:
        environ = pages.environment(which.scale, Path(place))
        return subprocess.run(command, env=environ, check=False).returncode == 0


def take_set(which: Set, folder: Path, names: Sequence[str]) -> None:
    """Inside that process: brings each page about and saves what it looks like."""

    def save(name: str, widget: QWidget) -> None:
        widget.grab().save(str(folder / which.name / f"{name}.png"))

    with pages.stage(which.theme, which.width, which.height) as stage:
        for page in pages.named(names):
            stage.show(page, save)


def write_handbook(taken: Path) -> None:
    """The handbook's pictures, small enough for a repository."""
    from PySide6.QtGui import QImage

    HANDBOOK.mkdir(parents=True, exist_ok=True)
    for name, (page, width) in HANDBOOK_PAGES.items():
        picture = QImage(str(taken / f"{page}.png"))
        small(picture, width, apart=HANDBOOK_UNLIKE).save(str(HANDBOOK / f"{name}.png"))


def take_handbook() -> int:
    """The handbook's pictures alone."""
    names = [page for page, _ in HANDBOOK_PAGES.values()]
    with tempfile.TemporaryDirectory() as place:
        if not take(PLAIN, Path(place), names):
            return 1
        write_handbook(Path(place) / PLAIN.name)
    return 0


def write_references(names: Sequence[str] = ()) -> int:
    """What the snapshot tests compare with: these pages, or all of them."""
    from PySide6.QtGui import QImage

    wanted = [page.name for page in pages.named(names)]
    with tempfile.TemporaryDirectory() as place:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            done = list(pool.map(partial(take, folder=Path(place), names=wanted), SETS))
        for which, name in ((which, name) for which in SETS for name in wanted):
            picture = QImage(str(Path(place) / which.name / f"{name}.png"))
            folder = REFERENCES / which.name
            folder.mkdir(parents=True, exist_ok=True)
            thumbnail(picture).save(str(folder / f"{name}.png"))
            if which is PLAIN and name in SNAPSHOTS:
                small(picture, SNAPSHOT_WIDTH).save(str(REFERENCES / f"{name}.png"))
    return done.count(False)


def thumbnail(picture: QImage) -> QImage:
    """A page as it is kept for a set: small, and in few colours that are unlike one another.

    The commonest of all would be shades of grey where letters are white on black.
    """
    return small(picture, THUMBNAIL_WIDTH, colours=32, apart=UNLIKE)


def small(picture: QImage, width: int, *, colours: int = 256, apart: int = 0) -> QImage:
    """The picture at most `width` wide, in its commonest colours.

    Args:
        apart: by how much two of them differ at least in a channel.
    """
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    if picture.width() > width:
        picture = picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), -1)
    pixels = rows[:, : plain.width()] | np.uint32(0xFF000000)
    there, where, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    by_count = there[np.argsort(counts, kind="stable")[::-1]]
    kept = by_count[_unlike(_channels(by_count), colours, apart)]
    nearest = _nearest(_channels(there), _channels(kept))
    indices = nearest[where].reshape(pixels.shape).astype(np.uint8)
    padded = np.zeros((plain.height(), (plain.width() + 3) // 4 * 4), np.uint8)
    padded[:, : plain.width()] = indices
    data = padded.tobytes()
    result = QImage(data, plain.width(), plain.height(), QImage.Format.Format_Indexed8)
    result.setColorTable(kept.tolist())
    return result.copy()


def _unlike(channels: Numbers, most: int, apart: int) -> list[int]:
    """The first of the colours, at most so many, without those like an earlier one."""
    left = np.arange(len(channels))
    kept: list[int] = []
    while len(left) and len(kept) < most:
        kept.append(int(left[0]))
        distance = np.abs(channels[left] - channels[left[0]]).max(axis=1)
        left = left[distance >= max(apart, 1)]
    return kept


def _channels(colours: Numbers) -> Numbers:
    """Red, green and blue of packed colours, shape (n, 3)."""
    return np.stack([colours >> shift & 0xFF for shift in (16, 8, 0)], axis=1).astype(np.int32)


def _nearest(colours: Numbers, kept: Numbers) -> Numbers:
    """For each colour the position of the most similar one that is kept."""
    found = [np.abs(kept - part).sum(axis=1).argmin() for part in colours]
    return np.array(found)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--set"]:
        which = next(each for each in SETS if each.name == arguments[1])
        take_set(which, Path(arguments[2]), arguments[3:])
        return 0
    if arguments[:1] == ["--handbook"]:
        return take_handbook()
    if arguments[:1] == ["--references"]:
        return write_references(arguments[1:])
    return take_all(Path(arguments[0]) if arguments else FOLDER)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
