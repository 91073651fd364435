"""Scenarios side by side on screen, by mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.qtmodels.comparison import FIRST, WHAT, CompareRow, ComparisonModel
from app.session import Session
from app.theme import DARK
from app.widgets.compare import ComparePanel
from app.widgets.compare.table import LABEL_LINES, SIDE_LINES
from models.scenario import Host, Scenario
from models.wording import THIN
from tests.app.widgets.conftest import Place

LEFT = Qt.MouseButton.LeftButton


def with_ram(scenario: Scenario, ram_gib: float) -> Scenario:
    return scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=ram_gib))


@pytest.fixture
def panel(qtbot: QtBot, place: Place, mail_session: Session) -> ComparePanel:
    """Three scenarios: the first, a copy of it with more RAM, and a copy of that copy."""
    for source in ("s1", "s2"):
        project = mail_session.project.duplicated(source)
        mail_session.edit_project(project, "Duplicate")
        ram = 40.0 if source == "s1" else 48.0
        mail_session.edit(with_ram(mail_session.scenario, ram), "Set RAM")
    mail_session.flush()
    panel = ComparePanel(mail_session)
    place(panel, 900, 420)
    panel.choose(["s1", "s2", "s3"])
    return panel


def cell(panel: ComparePanel, label: str, column: int) -> tuple[str, str]:
    row = next(row for row in panel.model.rows if row.label == label)
    return row.values[column], row.changes[column]


def test_columns_are_compared_with_the_first_or_with_their_parents(panel: ComparePanel) -> None:
    assert cell(panel, "esx1: RAM", 2) == (f"48{THIN}GiB", f"+16{THIN}GiB")
    panel.against_field.setFocus()
    QTest.keyClick(panel.against_field, Qt.Key.Key_Down)
    assert cell(panel, "esx1: RAM", 2) == (f"48{THIN}GiB", f"+8{THIN}GiB")
    assert panel.comparison is not None
    assert panel.comparison.references == (None, 0, 1)


def test_the_original_comes_first_however_they_were_picked(panel: ComparePanel) -> None:
    panel.choose(["s3", "s2", "s1"])
    assert panel.chosen == ("s1", "s2", "s3")


def test_an_edit_is_followed(qtbot: QtBot, panel: ComparePanel, mail_session: Session) -> None:
    mail_session.edit(with_ram(mail_session.scenario, 64.0), "Set RAM")
    qtbot.waitUntil(lambda: cell(panel, "esx1: RAM", 2) == (f"64{THIN}GiB", f"+32{THIN}GiB"))
    mail_session.stack.undo()
    qtbot.waitUntil(lambda: cell(panel, "esx1: RAM", 2)[1] == f"+16{THIN}GiB")


def test_identical_ones_say_so(qtbot: QtBot, panel: ComparePanel, mail_session: Session) -> None:
    mail_session.edit_project(mail_session.project.duplicated("s1"), "Duplicate")
    panel.choose(["s1", "s4"])
    assert panel.summary.text() == "identical"
    assert not panel.table.isVisible()
    assert not panel.copy_button.isEnabled()
    mail_session.flush()


def test_the_baseline_comes_first_and_four_are_most(
    panel: ComparePanel, mail_session: Session
) -> None:
    project = mail_session.project
    for _ in range(2):
        project = project.duplicated("s1")
    mail_session.edit_project(project.with_baseline("s3"), "More")
    panel.choose(["s1", "s2", "s3", "s4", "s5"])
    assert list(panel.chosen) == ["s3", "s1", "s2", "s4"]
    choices = {action.data(): action for action in panel.choose_button.menu().actions()}
    assert not choices["s5"].isEnabled()
    choices["s1"].trigger()
    assert list(panel.chosen) == ["s3", "s2", "s4"]
    mail_session.flush()


def test_one_that_is_deleted_leaves(
    qtbot: QtBot, panel: ComparePanel, mail_session: Session
) -> None:
    mail_session.edit_project(mail_session.project.removed("s2"), "Delete")
    qtbot.waitUntil(lambda: panel.chosen == ("s1", "s3"))
    mail_session.edit_project(mail_session.project.removed("s3"), "Delete")
    qtbot.waitUntil(lambda: not panel.table.isVisible())
    assert panel.comparison is None
    mail_session.flush()


def test_a_click_on_a_head_asks_to_see_it(qtbot: QtBot, panel: ComparePanel) -> None:
    head = panel.table.head
    x = head.sectionViewportPosition(FIRST + 1) + 20
    with qtbot.waitSignal(panel.shown_requested) as asked:
        QTest.mouseClick(head.viewport(), LEFT, pos=QPoint(x, 15))
    assert asked.args == ["s2"]


@pytest.mark.parametrize("key", [Qt.Key.Key_E, Qt.Key.Key_Return])
def test_e_asks_why_a_number_is_as_it_is(qtbot: QtBot, panel: ComparePanel, key: Qt.Key) -> None:
    row = next(n for n, row in enumerate(panel.model.rows) if row.label == "esx1: RAM in use")
    panel.table.setCurrentIndex(panel.model.index(row, FIRST + 2))
    with qtbot.waitSignal(panel.why_requested) as asked:
        QTest.keyClick(panel.table, key)
    assert asked.args == ["s3", "h1", "ram_pct"]


def test_the_table_goes_to_the_clipboard(panel: ComparePanel) -> None:
    QTest.mouseClick(panel.copy_button, LEFT)
    assert "esx1: RAM\t" in QGuiApplication.clipboard().text()
    QGuiApplication.clipboard().clear()


def test_it_is_painted_in_both_themes(panel: ComparePanel) -> None:
    light = panel.grab().toImage()
    LOOK.use(DARK)
    assert panel.grab().toImage() != light


def test_labels_have_what_the_scenarios_leave(qtbot: QtBot, panel: ComparePanel) -> None:
    table = panel.table
    line = table.fontMetrics().height()
    assert table.columnWidth(WHAT) == LABEL_LINES * line
    panel.resize(1800, 420)
    assert table.columnWidth(WHAT) == table.viewport().width() - 3 * SIDE_LINES * line
    panel.choose(["s1", "s3"])
    assert table.columnWidth(WHAT) == table.viewport().width() - 2 * SIDE_LINES * line


def test_a_change_leaves_out_its_unit_before_it_takes_the_room_of_the_value(
    panel: ComparePanel,
) -> None:
    """The same picture as without a unit."""

    def drawn(change: str) -> QImage:
        row = CompareRow(key="", label="", values=(f"12,000{THIN}users",), changes=(change,))
        model = ComparisonModel()
        model.names, model.columns, model.rows = ("",), FIRST + 1, [row]
        image = QImage(150, 28, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        option = QStyleOptionViewItem()
        option.rect = image.rect()
        with QPainter(image) as painter:
            panel.table.delegate.paint(painter, option, model.index(0, FIRST))
        return image

    assert drawn(f"+8,000{THIN}users") == drawn("+8,000")
