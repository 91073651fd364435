"""``--demo``: the worked example in the window; where there is no display, as files."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from app.display import has_display

if TYPE_CHECKING:
    from models.project.project import Project

FOLDER = Path("out")
PROPOSAL = "wv21-migration.pdf"
BOARD = "wv21-board.png"


def demo(out: TextIO) -> int:
    """Open the WV21 example, or write its proposal and a picture of its board and say where."""
    if has_display():
        from app.windows.main import run

        return run([], demo=True)
    out.write("There is no display to open a window on. Written instead:\n")
    FOLDER.mkdir(exist_ok=True)
    for write, name in ((write_proposal, PROPOSAL), (write_board, BOARD)):
        write(FOLDER / name)
        out.write(f"  {FOLDER / name}\n")
    return 0


def example() -> Project:
    """The scenario that the demonstration shows."""
    from db.codec import scenario_from_json
    from models.project.project import Project
    from resources.example_files import load_examples

    file = load_examples()[0].files[0]
    return Project.of(scenario_from_json(file.text.encode(), name=file.name))


def write_proposal(path: Path) -> None:
    """The proposal about the example, as ``report`` writes it."""
    from app.cli_report import project_report
    from app.language import spoken
    from app.report.build import Print
    from db.atomic import write_atomically

    how = Print(now=datetime.now().astimezone(), language=spoken())
    file = path.with_suffix(".json").name
    write_atomically(path, project_report(example(), (), ".pdf", how, path=file).content)


def write_board(path: Path) -> None:
    """A picture of the example's board, painted without a screen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.picture import board_png
    from db.atomic import write_atomically

    write_atomically(path, board_png(example()))
