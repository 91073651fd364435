"""The inspector shows what is predicted and turns each edit into one named step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.fields.line import MIXED
from app.widgets.fields.number import NumberField
from app.widgets.inspector.facts import facts, summary
from app.widgets.inspector.inspector import Inspector
from app.widgets.inspector.rows import FieldRow
from app.widgets.inspector.specs import Form
from app.widgets.inspector.tables import SECTIONS
from models.base.quantities import Basis
from models.scenario.scenario import Cluster, Host, Pool, Scenario, Vm
from models.scenario.wording import ENGLISH, value_text
from models.scenario.workloads import WorkloadKind
from tests.app.sessions import Place
from tests.sweeps import some


@pytest.fixture(autouse=True)
def english() -> None:
    assert QLocale().language() in (QLocale.Language.C, QLocale.Language.English)


@pytest.fixture
def inspector(place: Place, mail_session: Session, selection: Selection) -> Inspector:
    inspector = Inspector(mail_session, selection)
    place(inspector, 300, 700)
    return inspector


def row(inspector: Inspector, name: str) -> FieldRow:
    assert inspector.page is not None
    return inspector.page.row(name)


def type_number(inspector: Inspector, name: str, text: str) -> NumberField:
    """Types into a field and presses Return."""
    editor = row(inspector, name).editor
    assert isinstance(editor, NumberField)
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    return editor


def test_without_selection_it_shows_the_policy(inspector: Inspector, mail_session: Session) -> None:
    assert inspector.title == "Two hosts"
    type_number(inspector, "policy.cpu_limit_pct", "80")
    assert mail_session.scenario.policy.cpu_limit_pct == 80
    assert mail_session.stack.undoText() == "Set CPU limit to 80\N{NARROW NO-BREAK SPACE}%"


def test_fields_of_one_name_are_known_by_their_paths(
    inspector: Inspector, mail_session: Session
) -> None:
    """Users grow by so much a year, and others work in the maintenance window."""
    grow, work = "growth.users_pct", "maintenance.users_pct"
    type_number(inspector, grow, "20")
    type_number(inspector, work, "5")
    mail_session.flush()
    scenario = mail_session.scenario
    assert (scenario.growth.users_pct, scenario.maintenance.users_pct) == (20.0, 5.0)
    shown = [row(inspector, path).editor for path in (grow, work)]
    assert [each.text() for each in shown if isinstance(each, NumberField)] == ["20", "5"]


def test_a_field_is_found_by_its_path(qtbot: QtBot, inspector: Inspector) -> None:
    for path in ("growth.users_pct", "maintenance.users_pct"):
        inspector.show_field(path)
        qtbot.waitUntil(row(inspector, path).editor.hasFocus)


@pytest.mark.parametrize("kind", SECTIONS)
def test_every_field_has_a_row_of_its_own(kind: type) -> None:
    paths = [spec.at for section in SECTIONS[kind] for spec in section.specs]
    assert len(set(paths)) == len(paths)


def test_an_edit_is_one_named_step(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    type_number(inspector, "workload.active_users", "4,500")
    assert mail_session.scenario.vm("m1").workload.active_users == 4500
    assert mail_session.stack.undoText() == "Set Mail-01 active users to 4,500"
    mail_session.stack.undo()
    mail_session.flush()
    assert row(inspector, "workload.active_users").editor.show_value is not None
    editor = row(inspector, "workload.active_users").editor
    assert isinstance(editor, NumberField)
    assert editor.text() == "2,000"


def test_the_numbers_are_the_predictions(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    view = mail_session.view
    shown = {each.fact.label: each.fact for each in inspector.numbers.rows if each.fact}
    response = view.prediction.vms.quantity("m1", "response_ms")
    assert shown["Response time"].quantity == response
    assert value_text(response, "ms") in inspector.numbers.rows[0].accessibleName()


def test_a_slide_is_one_step_and_follows_the_hand(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    slider = row(inspector, "workload.active_users").slider
    assert slider is not None
    slider.setSliderDown(True)
    for users in (2500, 3000, 3500):
        slider.setValue(users)
        mail_session.flush()
        assert mail_session.view.scenario.vm("m1").workload.active_users == users
    slider.setSliderDown(False)
    assert mail_session.stack.count() == 1
    slider.setValue(4000)
    assert mail_session.stack.count() == 2


def test_edits_build_on_what_is_stored_not_on_what_is_shown(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    row(inspector, "vcpus").editor.committed.emit(2.0)
    row(inspector, "ram_gib").editor.committed.emit(8.0)
    vm = mail_session.scenario.vm("m1")
    assert (vm.vcpus, vm.ram_gib) == (2, 8.0)
    mail_session.preview(mail_session.scenario.place(["m1"], "h2"))
    mail_session.flush()
    row(inspector, "vcpus").editor.committed.emit(1.0)
    assert mail_session.scenario.vm("m1").host == "h1"


def focus_chain(start: QWidget) -> list[QWidget]:
    """What Tab reaches from `start`, in its order."""
    chain: list[QWidget] = []
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            chain.append(widget)
        widget = widget.nextInFocusChain()
    return chain


def test_tab_goes_down_the_screen(inspector: Inspector, selection: Selection) -> None:
    for id in ("", "m1", "h1", "c1", "m1"):
        selection.set((id,) if id else ())
    heads = inspector.numbers.rows[:2]
    chain = focus_chain(inspector.head.name)
    users, vcpus = (row(inspector, name).editor for name in ("workload.active_users", "vcpus"))
    wanted = [*heads, inspector.numbers.fold, users, vcpus]
    assert [widget for widget in chain if widget in wanted] == wanted


def test_back_to_the_start_is_no_step(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    slider = row(inspector, "workload.active_users").slider
    assert slider is not None
    slider.setSliderDown(True)
    slider.setValue(3000)
    slider.setValue(2000)
    slider.setSliderDown(False)
    assert mail_session.stack.count() == 0


def test_what_cannot_be_is_said_beside_the_field(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    editor = type_number(inspector, "vcpus", "2.5")
    assert row(inspector, "vcpus").remark.text == "must be a whole number"
    assert row(inspector, "vcpus").remark.isVisibleTo(inspector)
    assert editor.text() == "2.5"
    assert mail_session.stack.count() == 0
    selection.select("m2")
    assert row(inspector, "vcpus").remark.text == ""
    assert editor.text() == "4"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("1.5", "must be a whole number"),
        ("4k", "“k” is no unit here; type the number alone or in users"),
    ],
)
def test_users_are_whole_and_typed_in_full(
    inspector: Inspector, mail_session: Session, selection: Selection, typed: str, reason: str
) -> None:
    selection.select("m1")
    type_number(inspector, "workload.active_users", typed)
    assert row(inspector, "workload.active_users").remark.text == reason
    assert mail_session.stack.count() == 0


def test_what_the_whole_scenario_forbids_is_said_beside_the_field(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("p1")
    type_number(inspector, "hot_spares", "99")
    assert mail_session.scenario.pool("p1").hot_spares == 0
    assert row(inspector, "hot_spares").remark.text


def test_several_vms_are_edited_as_one_step(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    changed = mail_session.scenario.edit(Vm, "m2", lambda vm: replace(vm, ram_gib=16.0))
    mail_session.edit(changed, "prepare")
    mail_session.flush()
    selection.set(("m1", "m2"))
    assert inspector.title == "2 VMs"
    assert "4,000 active users, 8 vCPUs" in inspector.head.subtitle
    editor = row(inspector, "ram_gib").editor
    assert isinstance(editor, NumberField)
    assert (editor.text(), editor.placeholderText()) == ("", MIXED)
    type_number(inspector, "ram_gib", "8")
    assert {vm.ram_gib for vm in mail_session.scenario.vms} == {8.0, 7.25}
    assert mail_session.stack.undoText() == "Set 2 VMs RAM to 8\N{NARROW NO-BREAK SPACE}GiB"


def test_items_of_several_kinds_have_no_fields_in_common(
    inspector: Inspector, selection: Selection
) -> None:
    selection.set(("m1", "h1"))
    assert inspector.page is None
    assert inspector.title == "1 host, 1 VM"


def test_a_host_is_chosen_with_the_words_of_a_drag(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    row(inspector, "host").editor.committed.emit("h2")
    assert mail_session.scenario.vm("m1").host == "h2"
    assert mail_session.stack.undoText() == "Move Mail-01 to esx2"


def test_renaming(inspector: Inspector, mail_session: Session, selection: Selection) -> None:
    selection.select("h1")
    field = inspector.head.name
    field.selectAll()
    QTest.keyClicks(field, "esx-a")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert mail_session.scenario.host("h1").name == "esx-a"
    assert mail_session.stack.undoText() == "Rename esx1 to esx-a"


@pytest.mark.parametrize(
    ("kind", "id"), some([(Vm, "m1"), (Host, "h1"), (Pool, "p1"), (Cluster, "c1"), (Scenario, "")])
)
def test_every_field_has_a_name_and_shows_a_value(
    inspector: Inspector, selection: Selection, kind: type, id: str
) -> None:
    selection.set((id,) if id else ())
    page = inspector.page
    assert page is not None
    for each in page.rows:
        assert each.editor.accessibleName()
        assert (
            each.spec.form is not Form.NUMBER
            or each.spec.unit
            or each.spec.at
            in (
                "policy.vcpus_per_core_limit",
                "assumptions.array_controllers",
                "policy.site.servers",
                "admission.host_failures",
                "nics",
                "unlisted_vms",
                "replicas_per_user",
                "bought_year",
                "workload.documents_per_user",
                "workload.devices_per_user",
            )
        )
    assert [each.spec.at for each in page.rows] == [
        spec.at for section in SECTIONS[kind] for spec in section.specs
    ]


@pytest.mark.parametrize("kind", [Vm, Host, Pool, Cluster, Scenario])
def test_every_spec_reads_back_what_it_writes(mail_session: Session, kind: type) -> None:
    scenario = mail_session.scenario
    items = {type(item): item for item in (*scenario.items(), scenario)}
    for section in SECTIONS[kind]:
        for spec in section.specs:
            value = {Form.NUMBER: 3, Form.TEXT: "x"}.get(spec.form, 0)
            assert spec.get(spec.put(items[kind], value)) == value, spec.at


def test_a_generic_vm_has_its_own_figures_instead_of_users(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    assert row(inspector, "workload.active_users").isVisibleTo(inspector)
    row(inspector, "workload.kind").editor.committed.emit(WorkloadKind.GENERIC)
    mail_session.flush()
    assert not row(inspector, "workload.active_users").isVisibleTo(inspector)
    assert row(inspector, "workload.cpu_mhz").isVisibleTo(inspector)
    assert mail_session.stack.undoText() == "Set Mail-01 workload to Other server"


def test_evidence_is_one_click_or_key_away(
    qtbot: QtBot, inspector: Inspector, selection: Selection
) -> None:
    selection.select("m1")
    first = inspector.numbers.rows[0]
    qtbot.waitUntil(lambda: first.height() > 20)
    with qtbot.waitSignal(inspector.why_requested) as asked:
        QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert asked.args == ["m1", "response_ms"]
    with qtbot.waitSignal(inspector.why_requested):
        QTest.keyClick(first, Qt.Key.Key_Return)


def test_the_other_numbers_are_one_key_away(inspector: Inspector, selection: Selection) -> None:
    selection.select("m1")
    others = inspector.numbers.rows[2:]
    assert [row.fact.label for row in others if row.fact] == [
        "Ready time",
        "Disk load",
        "RAM with overhead",
        "Network",
    ]
    assert not any(row.isVisibleTo(inspector) for row in others)
    QTest.keyClick(inspector.numbers.fold, Qt.Key.Key_Return)
    assert all(row.isVisibleTo(inspector) for row in others)


def test_what_never_has_a_response_time_is_not_said_to_lack_one(mail_session: Session) -> None:
    generic = mail_session.scenario.edit(
        Vm,
        "m1",
        lambda vm: replace(vm, workload=replace(vm.workload, kind=WorkloadKind.GENERIC)),
    )
    mail_session.edit(generic, "x")
    mail_session.flush()
    view = mail_session.view
    shown = {f.label: f for f in facts(view.scenario, view.prediction, view.scenario.vm("m1"))}
    assert "Response time" not in shown
    assert shown["CPU, of its vCPUs"].quantity.basis is Basis.NO_DATA


def test_a_preview_is_shown_beside_what_is_stored(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("h1")
    before = mail_session.view.prediction.hosts.quantity("h1", "cpu_pct")
    mail_session.preview(mail_session.scenario.place(["m2"], "h1"))
    mail_session.flush()
    fact = inspector.numbers.rows[0].fact
    assert fact is not None
    assert before.value is not None
    assert fact.quantity.value is not None
    assert fact.quantity.value > before.value


def test_the_selected_item_may_vanish(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    mail_session.edit(mail_session.scenario.without(["m1"]), "Remove Mail-01")
    mail_session.flush()
    assert inspector.title == "Two hosts"
    LOOK.use(DARK)


def test_sums_of_many_have_marks_and_no_parts_of_a_gib(mail_session: Session) -> None:
    vm = replace(mail_session.scenario.vms[0], vcpus=379, ram_gib=1536.5377)
    words = summary((vm, vm, vm), mail_session.catalog, ENGLISH)
    assert "1,137 vCPUs" in words
    assert "4,610\u202fGiB" in words
