"""The export page: choices are what is written, and its pages follow them."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.report.paper import Paper
from app.session import Session
from app.settings import Settings
from app.signed import with_kept
from app.windows.export import Export, ProposalPage, _within, order_of
from app.work import Context
from models.project.project import Project
from models.proposal import BY_DEFAULT
from tests.app.sessions import session_of, two_hosts


@pytest.fixture
def session() -> Session:
    found = session_of(two_hosts())
    found.edit_project(found.project.duplicated(found.project.active), "Duplicate")
    return found


@pytest.fixture
def dialog(qtbot: QtBot, session: Session, tmp_path: Path) -> ProposalPage:
    settings = Settings(tmp_path / "settings.ini")
    made = ProposalPage(session, settings, lambda: tmp_path / "Acme.pdf")
    qtbot.addWidget(made)
    return made


def pages(dialog: ProposalPage) -> list[QLabel]:
    return [label for label in dialog.findChildren(QLabel) if not label.pixmap().isNull()]


def test_pages_are_shown_beside_the_choices(dialog: ProposalPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(pages(dialog)) > 3)


def test_by_default_it_is_the_scenario_in_view_with_all_sections(
    dialog: ProposalPage, session: Session, tmp_path: Path
) -> None:
    export = dialog.export(tmp_path / "a.pdf")
    assert export.entries == (session.project.active,)
    assert export.sections == ()
    assert export.paper is Paper.A4


def test_what_is_unchecked_is_left_out_and_the_order_is_that_of_the_list(
    dialog: ProposalPage, tmp_path: Path
) -> None:
    sections = dialog._sections
    sections.item(0).setCheckState(Qt.CheckState.Unchecked)
    sections.insertItem(sections.count(), sections.takeItem(1))
    export = dialog.export(tmp_path / "a.pdf")
    assert export.sections == (*BY_DEFAULT[2:], BY_DEFAULT[1])


def test_choices_are_remembered(
    dialog: ProposalPage, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog._author.setText("Example Systems")
    dialog._paper.setCurrentIndex(1)
    with qtbot.waitSignal(dialog.wanted) as wanted:
        dialog.take(tmp_path / "offer.docx")
    assert wanted.args[0].path == tmp_path / "offer.docx"
    again = ProposalPage(session, dialog._settings, lambda: tmp_path / "Acme.pdf")
    qtbot.addWidget(again)
    export = again.export(tmp_path / "b.docx")
    assert (export.author, export.paper) == ("Example Systems", Paper.LETTER)
    assert again._form.currentData() == ".docx"


def test_a_broken_template_is_said_and_the_pages_stay(
    dialog: ProposalPage, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.waitUntil(lambda: bool(pages(dialog)))
    template = tmp_path / "look.toml"
    template.write_text('[look]\naccent = "red"\n')
    dialog._template.setText(str(template))
    qtbot.waitUntil(lambda: "accent" in dialog._state.text())
    assert pages(dialog)


def test_nothing_chosen_is_said(dialog: ProposalPage, qtbot: QtBot, session: Session) -> None:
    for row in range(dialog._scenarios.count()):
        dialog._scenarios.item(row).setCheckState(Qt.CheckState.Unchecked)
    qtbot.waitUntil(lambda: "at least one" in dialog._state.text())
    assert Project.of(session.scenario).entries


def test_what_was_exported_can_be_made_once_more(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    settings = Settings(tmp_path / "settings.ini")
    asked = Export(path=tmp_path / "first.html", sections=("summary",), customer="Acme")
    ready = order_of(session, asked, "Acme.headroom")(Context(Event(), lambda _share: None))
    assert ready.signed is not None
    session.keep_signed(with_kept(session.project, ready.signed))
    assert session.is_modified
    dialog = ProposalPage(session, settings, lambda: tmp_path / "Acme.pdf")
    qtbot.addWidget(dialog)
    assert dialog._sections.isEnabled()
    dialog._state_of.setCurrentIndex(1)
    assert not dialog._sections.isEnabled()
    export = dialog.export(tmp_path / "again.html")
    assert export.signed == ready.signed.at
    again = order_of(session, export, "")(Context(Event(), lambda _share: None))
    assert again.signed is None
    assert again.how.sections == ("summary",)
    assert again.pairs[0][0].customer == "Acme"
    qtbot.waitUntil(lambda: 1 <= len(pages(dialog)) <= 4)


def test_a_project_that_exported_nothing_is_not_asked_for_a_state(dialog: ProposalPage) -> None:
    assert dialog._state_of.count() == 1
    assert not dialog._state_of.isVisibleTo(dialog)


def test_sections_are_put_into_order_by_the_keyboard(
    dialog: ProposalPage, qtbot: QtBot, tmp_path: Path
) -> None:
    sections = dialog._sections
    sections.setCurrentRow(1)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up):  # the second has nowhere to go
        QTest.keyClick(sections, key, Qt.KeyboardModifier.AltModifier)
    moved = (BY_DEFAULT[1], BY_DEFAULT[0], *BY_DEFAULT[2:])
    assert dialog.export(tmp_path / "a.pdf").sections == moved
    QTest.keyClick(sections, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert dialog.export(tmp_path / "a.pdf").sections == ()


def test_a_page_is_printed_as_it_is_on_any_sheet() -> None:
    sheet, page = QPixmap(210, 297), QPixmap(2159, 2794)
    painter = QPainter(sheet)
    place = _within(painter, page)
    painter.end()
    assert place.width() / place.height() == pytest.approx(2159 / 2794)
    assert place.width() == pytest.approx(210.0)
