"""Every input says who gave it, by icon and word; the badge sets origin and pin as one step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.icons import icon_pixmap
from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.theme import DARK, LIGHT
from app.widgets.fields.number import NumberField
from app.widgets.inspector.badge import (
    ORIGIN_ICONS,
    ORIGIN_TIPS,
    PIN_ICON,
    SEVERAL,
    SEVERAL_ICON,
    OriginBadge,
)
from app.widgets.inspector.inspector import Inspector
from app.widgets.inspector.rows import FieldRow
from app.widgets.inspector.tables import SECTIONS
from models.scenario.inputs import input_paths, origin_of, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import Cluster, Host, Pool, Scenario, Vm
from tests.app.sessions import Place


@pytest.fixture
def inspector(place: Place, mail_session: Session, selection: Selection) -> Inspector:
    inspector = Inspector(mail_session, selection)
    place(inspector, 300, 700)
    return inspector


def row(inspector: Inspector, name: str) -> FieldRow:
    assert inspector.page is not None
    return inspector.page.row(name)


def badge(inspector: Inspector, name: str) -> OriginBadge:
    found = row(inspector, name).badge
    assert found is not None
    return found


def choose(badge: OriginBadge, text: str) -> None:
    """Triggers an entry of the badge's menu."""
    menu = badge.menu()
    next(entry for entry in menu.actions() if entry.text() == text).trigger()
    menu.deleteLater()


def test_every_origin_has_icon_word_and_explanation(qtbot: QtBot) -> None:
    assert set(ORIGIN_ICONS) == set(ORIGIN_TIPS) == set(Origin)
    assert len(set(ORIGIN_ICONS.values())) == len(Origin)
    for name in (*ORIGIN_ICONS.values(), PIN_ICON, SEVERAL_ICON):
        assert not icon_pixmap(name, "#000000", 16).isNull()


@pytest.mark.parametrize("kind", [Vm, Host, Pool, Cluster, Scenario])
def test_every_field_that_is_an_input_says_which(kind: type) -> None:
    for section in SECTIONS[kind]:
        for spec in section.specs:
            is_text_for_people = kind is Scenario and spec.at in ("customer", "author", "notes")
            assert (spec.path == "") == is_text_for_people, spec.at
            assert spec.path in ("", *input_paths(kind))


def test_the_badge_shows_who_gave_the_value(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    assert badge(inspector, "restart_priority").text() == "default"
    assert badge(inspector, "ram_gib").text() == "manual"
    said = mail_session.scenario.edit(
        Vm, "m1", lambda vm: with_origin(vm, Origin.CUSTOMER, "ram_gib")
    )
    mail_session.edit(said, "Say so")
    mail_session.flush()
    assert badge(inspector, "ram_gib").text() == "customer said"
    assert badge(inspector, "ram_gib").accessibleName() == "Origin of RAM: customer said"


def test_a_value_set_by_hand_is_manual_and_undo_brings_its_origin_back(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    choose(badge(inspector, "vcpus"), "Benchmark")
    editor = row(inspector, "vcpus").editor
    assert isinstance(editor, NumberField)
    QTest.keyClick(editor, Qt.Key.Key_Up)
    mail_session.flush()
    assert badge(inspector, "vcpus").origin is Origin.MANUAL
    mail_session.stack.undo()
    mail_session.flush()
    assert badge(inspector, "vcpus").origin is Origin.BENCHMARK


def test_the_menu_sets_the_origin_as_one_named_step(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    choose(badge(inspector, "workload.active_users"), "Measured")
    mail_session.flush()
    vm = mail_session.scenario.vm("m1")
    assert origin_of(vm, "workload.active_users") is Origin.MEASURED
    assert mail_session.stack.undoText() == "Mark Mail-01 active users as measured"
    choose(badge(inspector, "workload.active_users"), "Measured")
    assert mail_session.stack.count() == 1


def test_the_pin_is_one_step_and_is_shown(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    choose(badge(inspector, "ram_gib"), "Pinned against automatic changes")
    mail_session.flush()
    assert mail_session.scenario.vm("m1").pins == ("ram_gib",)
    assert mail_session.stack.undoText() == "Pin Mail-01 RAM"
    assert badge(inspector, "ram_gib").is_pinned
    assert "pinned" in badge(inspector, "ram_gib").accessibleName()
    choose(badge(inspector, "ram_gib"), "Pinned against automatic changes")
    assert mail_session.scenario.vm("m1").pins == ()
    assert mail_session.stack.undoText() == "Unpin Mail-01 RAM"


def test_several_items_with_several_origins(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    said = mail_session.scenario.edit(
        Vm, "m1", lambda vm: with_origin(vm, Origin.MEASURED, "ram_gib")
    )
    mail_session.edit(said, "Say so")
    mail_session.flush()
    selection.set(("m1", "m2"))
    shown = badge(inspector, "ram_gib")
    assert (shown.origin, shown.text()) == (None, SEVERAL)
    choose(shown, "Customer said")
    origins = {origin_of(vm, "ram_gib") for vm in mail_session.scenario.vms[:2]}
    assert origins == {Origin.CUSTOMER}
    assert mail_session.stack.undoText() == "Mark 2 VMs RAM as customer said"


def test_the_policys_values_have_origins_too(inspector: Inspector, mail_session: Session) -> None:
    choose(badge(inspector, "policy.peak_factor_cpu"), "Measured")
    assert mail_session.scenario.origins == (("policy.peak_factor_cpu", Origin.MEASURED),)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_click_opens_the_menu_and_the_badge_is_drawn(
    qtbot: QtBot, inspector: Inspector, selection: Selection
) -> None:
    selection.select("m1")
    shown = badge(inspector, "ram_gib")
    assert shown.width() >= 40
    pictures = []
    for theme in (LIGHT, DARK):
        LOOK.use(theme)
        pictures.append(shown.grab().toImage())
    assert pictures[0] != pictures[1]
    shown.show_origin(Origin.MANUAL, is_pinned=True)
    with_pin = shown.sizeHint().width()
    shown.show_origin(Origin.MANUAL, is_pinned=False)
    assert shown.sizeHint().width() < with_pin
    shown.show_origin(Origin.MANUAL, is_pinned=True)
    QTest.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [entry.text() for entry in menu.actions() if entry.isChecked()] == [
        "Manual",
        "Pinned against automatic changes",
    ]
    menu.close()


def test_marks_go_with_the_value_through_an_edit_of_several(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    """Items that have the value already are not touched."""
    scenario = mail_session.scenario
    scenario = scenario.edit(
        Vm, "m1", lambda vm: with_origin(replace(vm, ram_gib=9.0), Origin.MEASURED, "ram_gib")
    )
    mail_session.edit(scenario, "prepare")
    mail_session.flush()
    selection.set(("m1", "m2"))
    row(inspector, "ram_gib").editor.committed.emit(9.0)
    vms = mail_session.scenario.vms
    assert [vm.ram_gib for vm in vms[:2]] == [9.0, 9.0]
    assert [origin_of(vm, "ram_gib") for vm in vms[:2]] == [Origin.MEASURED, Origin.MANUAL]
