"""Every act is found by its name, with its key or what it needs first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.actions import action_specs
from app.windows.help import KeysDialog
from app.windows.palette import NOTHING, CommandPalette, Entry, ranked
from app.windows.window import MainWindow
from models.scenario.scenario import Growth
from models.single_changes.nudge import Knob
from tests.app.windows.whole import trigger

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def opened(window: MainWindow) -> CommandPalette:
    trigger(window, "view.palette")
    palettes = window.findChildren(CommandPalette)
    return palettes[-1]


def typed(window: MainWindow, text: str) -> list[Entry]:
    palette = opened(window)
    QTest.keyClicks(palette.field, text)
    entries = palette.entries
    palette.close()
    return entries


def test_every_act_of_the_menus_is_listed(window: MainWindow) -> None:
    palette = opened(window)
    listed = {entry.id for entry in palette.entries}
    assert {spec.id for spec in action_specs()} <= listed
    palette.close()


def test_keys_and_what_is_missing_stand_beside_the_name(window: MainWindow) -> None:
    window.selection.clear()
    palette = opened(window)
    entries = {entry.words: entry for entry in palette.entries}
    assert entries["Save the project"].keys == "Ctrl+S"
    assert entries["Cut VMs"].refusal == "Select a VM first"
    assert entries["Undo"].refusal == "Nothing to undo"
    assert all(entry.refusal != "Can’t be done now" for entry in palette.entries)
    refused = [bool(entry.refusal) for entry in palette.entries]
    assert refused == sorted(refused)  # what can be done comes first
    palette.close()


LETTERS = {
    "nt": "New from totals",
    "dup sc": "Duplicate scenario",
    "dark": "Dark colours",
    "start": "Start page",
    "pdf": "Export proposal",
    "building": "Open example: Building block: 24,000 mail users on three hosts",
}
OTHER_WORDS = {
    "failure": "Show Failures",
    "outage": "Show Failures",
    "latency": "Show Response",
    "growth": "Years",
    "boot": "Show Storm",
    "ha slots": "Show Admission",
    "warnings": "Show findings",
    "inspector": "Show inspector",
    "mail-01": "VM Mail-01",
    "esx2": "Host esx2",
    "projector": "Meeting screen",
}

ASKED_FOR = {
    "cheapest": ("Recommend",),
    "recommend": ("Recommend",),
    "growth": ("Years",),
    "runway": ("Years",),
    "year 3": ("Years",),
    "CSV": ("Import", "Export proposal"),
    "RVTools": ("Import",),
    "vmstat": ("Import", "Ask: What I/O"),
    "candidate": ("Ask: Candidate",),
    "upgrade": ("Ask: Release upgrade",),
    "Excel": ("Import", "Export proposal"),
    "logo": ("Export proposal",),
    "price": ("Add price book",),
    "Monte Carlo": ("Show Range",),
    "balance": ("Arrange",),
    "Word": ("Export proposal",),
    "HTML": ("Export proposal",),
    "print": ("Export proposal",),
    "holiday": ("Show Storm",),
    "semaphore": ("Ask: Release upgrade",),
    "second opinion": ("Show Response", "Evidence"),
    "suggest design": ("Recommend",),
    "bill of materials": ("Export proposal", "Recommend"),
    "manual": ("Handbook", "Keys"),
    "licence": ("About Headroom",),
    "signed": ("Changed since signed",),
    "changed since": ("Changed since signed",),
}
"""What architects type who do not know the program: the first answer, or one of those."""


def test_the_words_of_the_trade_find_the_command(window: MainWindow) -> None:
    first = {text: typed(window, text)[0].words for text in ASKED_FOR}
    assert not {
        text: words for text, words in first.items() if not words.startswith(ASKED_FOR[text])
    }


def test_letters_find_names(window: MainWindow) -> None:
    assert {text: typed(window, text)[0].words for text in LETTERS} == LETTERS


def test_a_long_text_is_cut(window: MainWindow) -> None:
    palette = opened(window)
    palette.field.insert("undo " * 1_000)
    assert len(palette.field.text()) == CommandPalette.MOST_LETTERS
    assert palette.entries
    palette.close()


def test_places_and_other_words_for_them(window: MainWindow) -> None:
    assert {text: typed(window, text)[0].words for text in OTHER_WORDS} == OTHER_WORDS


def test_a_tab_is_gone_to(window: MainWindow) -> None:
    trigger(window, "view.toggle_below")
    palette = opened(window)
    QTest.keyClicks(palette.field, "failure")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.charts.currentWidget() is window.charts.failures
    assert window.charts.isVisible()


def test_an_item_is_gone_to(window: MainWindow) -> None:
    palette = opened(window)
    assert all(not entry.is_item for entry in palette.entries)  # only by what is typed
    QTest.keyClicks(palette.field, "vm mail-01")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.selection.current == "m1"


def test_a_panel_is_gone_to(window: MainWindow) -> None:
    palette = opened(window)
    QTest.keyClicks(palette.field, "show findings")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.findings.isVisible()


def test_nudges_are_restored_by_name(window: MainWindow) -> None:
    restore = "Restore the design before its nudges"
    assert restore not in [entry.words for entry in typed(window, "rest")]
    strip = window.verdict.nudges
    assert strip is not None
    before = window.session.scenario
    strip.nudge(Knob.HOST_RAM, 1)
    strip.finish()
    assert window.session.scenario != before
    found = next(entry for entry in typed(window, "rest") if entry.words == restore)
    found.run()
    assert window.session.scenario == before


def test_undo_says_of_what(window: MainWindow) -> None:
    window.session.change(lambda s: s.place(["m1"], "h2"), "Move Mail-01 to esx2")
    assert typed(window, "undo")[0].words == "Undo Move Mail-01 to esx2"


def test_what_has_no_name_is_said(window: MainWindow) -> None:
    palette = opened(window)
    QTest.keyClicks(palette.field, "qqqq")
    assert palette.entries == []
    assert palette.list.item(0).text() == NOTHING
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.close()


def test_a_choice_of_a_submenu_is_done(window: MainWindow) -> None:
    palette = opened(window)
    QTest.keyClicks(palette.field, "add vm inotes")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.session.scenario.vms[-1].workload.kind == "domino-inotes"


def test_an_act_is_found_by_the_words_of_its_menu_too() -> None:
    """In German ``Dunkel`` is no part of ``Dunkle Farben``."""
    dark = Entry(run=print, words="Dunkle Farben", also=" Dunkel", id="view.dark")
    blank = Entry(run=print, words="Besprechungsansicht abdunkeln", refusal="Zuerst öffnen")
    assert ranked([blank, dark], "dunkel")[0] is dark


def test_every_act_knows_the_words_of_its_menu(window: MainWindow) -> None:
    palette = opened(window)
    also = {entry.id: entry.also for entry in palette.entries}
    assert all(spec.words in also[spec.id] for spec in action_specs())
    palette.close()


def test_what_is_typed_after_a_click_still_searches(window: MainWindow) -> None:
    window.selection.clear()
    palette = opened(window)
    QTest.keyClicks(palette.field, "cut")
    place = palette.list.visualItemRect(palette.list.item(0)).center()
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert palette.list.focusPolicy() == Qt.FocusPolicy.NoFocus
    palette.close()


def test_what_can_not_be_done_stays_and_says_why(window: MainWindow) -> None:
    window.selection.clear()
    palette = opened(window)
    QTest.keyClicks(palette.field, "cut vms")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert palette.entries[0].spoken == "Cut VMs, Ctrl+X, Select a VM first"
    palette.close()


def test_the_question_mark_shows_the_keys(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.board.setFocus()
    QTest.keyClick(window.board, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    dialog = window.findChild(KeysDialog)
    assert dialog is not None
    dialog.close()


def test_a_question_mark_in_a_field_is_text(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.catalog.search.setFocus()
    QTest.keyClick(window.catalog.search, Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier)
    assert window.catalog.search.text() == "?"
    assert window.findChild(KeysDialog) is None


def test_users_with_a_number_are_spread_over_the_servers(window: MainWindow) -> None:
    window.selection.clear()
    first = typed(window, "users 5,000")[0]
    assert "5,000" in first.words
    first.run()
    vms = window.session.scenario.vms
    assert sum(vm.workload.active_users for vm in vms if vm.workload.kind.is_domino) == 5000


def test_a_host_is_lost_by_its_name(window: MainWindow) -> None:
    host = window.session.scenario.hosts[0]
    first = typed(window, f"lose {host.name}")[0]
    assert host.name in first.words
    first.run()
    assert window.board.outage.lost is not None
    assert window.board.outage.lost.host == host.id


def test_a_year_is_shown_where_growth_is_planned(window: MainWindow) -> None:
    assert not list(window.asked("year 3"))
    grows = Growth(years=5.0, users_pct=10.0)
    window.session.change(lambda scenario: replace(scenario, growth=grows), "growth")
    window.session.flush()
    assert not list(window.asked("year 99"))
    typed(window, "year 2")[0].run()
    window.session.flush()
    assert window.session.years == 2


def test_a_word_without_its_value_asks_for_nothing(window: MainWindow) -> None:
    texts = "users", "users five", "users 12.5", "u 5", "year next", "lose nobody", "lose"
    assert not [text for text in texts if list(window.asked(text))]
