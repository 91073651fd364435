"""The import page: what is dropped is read, shown, and taken over in one step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from app.session import Session
from app.settings import Settings
from app.windows.editing import is_table
from app.windows.import_page import ImportPage
from models.intake.options import DiskBasis, Reason
from models.project import Project
from models.scenario import Scenario
from tests.app.sessions import session_of, two_hosts
from tests.app.windows.whole import Answers, made

TABLE = (
    "Name\tPower state\tvCPUs\tMemory MB\tProvisioned MB\tHost\tCluster\n"
    "mail-01\tpoweredOn\t4\t8192\t102400\tesx-1\tProd\n"
    "mail-02\tpoweredOn\t2\t4096\t51200\tesx-1\tProd\n"
    "old-01\tpoweredOff\t2\t4096\t51200\tesx-1\tProd\n"
)
WAIT_MS = 30_000


@pytest.fixture
def session() -> Session:
    return session_of(Scenario(name="Empty"))


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> Iterator[ImportPage]:
    found = ImportPage(session, (), TABLE)
    qtbot.addWidget(found)
    qtbot.waitUntil(lambda: found.result_shown is not None, timeout=WAIT_MS)
    yield found
    found.give_up()


def again(page: ImportPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page._token is None, timeout=WAIT_MS)


def test_what_was_pasted_is_shown_and_taken_in_one_step(page: ImportPage, session: Session) -> None:
    assert page.preview.count() == 1
    assert page.take.isEnabled()
    before = session.project
    page.take_over()
    assert sorted(vm.name for vm in session.scenario.vms) == ["mail-01", "mail-02"]
    session.stack.undo()
    assert session.project == before


def test_what_is_off_is_taken_where_it_is_asked_for(page: ImportPage, qtbot: QtBot) -> None:
    assert page.result_shown is not None
    assert page.result_shown.left_out[Reason.OFF] == 1
    page.reasons[Reason.OFF].setChecked(True)
    again(page, qtbot)
    assert page.result_shown.taken == 3


def test_choices_are_those_of_the_import(page: ImportPage, qtbot: QtBot) -> None:
    page.disk.setCurrentIndex(list(DiskBasis).index(DiskBasis.USED))
    page.pseudonyms.setChecked(True)
    again(page, qtbot)
    assert page.result_shown is not None
    assert page.result_shown.options.disk is DiskBasis.USED
    assert page.result_shown.aliases


def test_what_can_not_be_read_is_one_sentence(
    page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\n\nsee below.\n")
    page.add_paths([path])
    again(page, qtbot)
    assert "letter.txt" in page.state.text()
    assert not page.take.isEnabled()


def test_columns_are_saved_as_they_were_found(page: ImportPage, tmp_path: Path) -> None:
    page.save_profile(tmp_path / "columns.toml")
    assert "name = " in (tmp_path / "columns.toml").read_text()


def test_a_table_is_told_from_a_letter() -> None:
    assert is_table(TABLE)
    assert not is_table("Dear all,\nsee\tbelow\n")


def test_files_that_are_dropped_open_the_page(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = made(Project.of(two_hosts()), Settings(tmp_path / "s.ini"), Answers())
    qtbot.addWidget(window)
    seen: list[tuple[Path, ...]] = []
    monkeypatch.setattr(
        Answers, "import_page", lambda _self, _session, paths, _text: seen.append(tuple(paths))
    )
    path = tmp_path / "vms.csv"
    path.write_text(TABLE.replace("\t", ","))
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [(path,)]
