"""Pictures of the window for the handbook: sizes, both themes, two scales.

Each is taken in a process of its own, in a real X server under xvfb-run where there is one, else
offscreen. `python packaging/screenshots.py [FOLDER]` writes to ``out/screenshots``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "out" / "screenshots"
SETTLE_MS = 1500
SCREEN = "-screen 0 3840x2400x24 +extension GLX"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: size in device-independent pixels, theme, scale, and what is shown."""

    name: str
    width: int
    height: int
    theme: str
    scale: str
    scene: str


SHOTS = (
    Shot("window-light", 1366, 768, "Light", "1", "building-block"),
    Shot("window-dark", 1366, 768, "Dark", "1", "wv21-migration"),
    Shot("window-large-light", 1920, 1080, "Light", "1", "wv21-migration"),
    Shot("window-large-dark", 1920, 1080, "Dark", "1", "building-block"),
    Shot("window-150-percent", 1366, 768, "Light", "1.5", "building-block"),
    Shot("window-empty", 1366, 768, "Light", "1", ""),
    Shot("drag", 1366, 768, "Light", "1", "drag"),
)


def take_all(folder: Path) -> int:
    """Takes every picture; the number of those that failed is the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    failed = [shot.name for shot in SHOTS if not take(shot, folder)]
    for name in failed:
        print(f"{name}: not taken", file=sys.stderr)
    return len(failed)


def take(shot: Shot, folder: Path) -> bool:
    """One picture in a process of its own, for the scale is fixed when Qt starts."""
    command = [sys.executable, str(Path(__file__)), "--one", shot.name, str(folder)]
    environ = {**os.environ, "QT_SCALE_FACTOR": shot.scale, "PYTHONPATH": str(ROOT)}
    if sys.platform.startswith("linux"):
        if shutil.which("xvfb-run"):
            command = ["xvfb-run", "-a", "-s", SCREEN, *command]
            environ["QT_QPA_PLATFORM"] = "xcb"
        else:
            environ["QT_QPA_PLATFORM"] = "offscreen"
    done = subprocess.run(command, env=environ, check=False)
    return done.returncode == 0


def take_one(shot: Shot, folder: Path) -> None:
    """Shows the window, lets the charts come, and saves what it looks like."""
    from PySide6.QtTest import QTest

    from app.settings import Settings
    from app.stylesheet import apply_theme, theme_named
    from app.windows.main import application, main_window

    app = application()
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "settings.ini")
        settings.appearance = shot.theme
        apply_theme(app, theme_named(shot.theme))
        window = main_window(settings=settings)
        if shot.scene:
            known = shot.scene if shot.scene != "drag" else "building-block"
            window.files.open_example(known)
        window.resize(shot.width, shot.height)
        window.show()
        QTest.qWait(SETTLE_MS)
        if shot.scene == "drag":
            carry(window.board)
        QTest.qWait(SETTLE_MS)
        window.grab().save(str(folder / f"{shot.name}.png"))
        window.session.stack.setClean()
        window.close()


def carry(board: object) -> None:
    """Holds the first VM over the last host, as a hand would."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    from app.widgets.board.view import BoardView

    assert isinstance(board, BoardView)
    layout = board.board_layout
    card, host = next(iter(layout.vms.values())), list(layout.hosts.values())[-1]
    start = QPoint(round(card.x + 60), round(card.y + 20))
    QTest.mousePress(board.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for x, y in ((host.x, host.y), (host.x + 80, host.y + host.h - 40)):
        QTest.mouseMove(board.viewport(), QPoint(round(x), round(y)))


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--one"]:
        shot = next(each for each in SHOTS if each.name == arguments[1])
        take_one(shot, Path(arguments[2]))
        return 0
    return take_all(Path(arguments[0]) if arguments else FOLDER)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
