"""The drawer shows why, follows edits and numbers, and leads to inputs and evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt, QUrl
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.qtmodels.terms import NODE_ROLE, Node, TermsModel
from app.session import Session
from app.theme import DARK
from app.widgets.why.drawer import WhyDrawer
from models.explain.derivation import VM_TERMS, Derivation
from models.explain.storm_terms import storm_numbers
from models.explain.words import source_words
from models.formulas.terms import Predicted, Term
from models.predict.predicted import NumberRef
from models.resilience.storms import StormKind, study_storm
from models.scenario.scenario import Host, Scenario, Vm
from models.scenario.wording import THIN
from tests.app.sessions import Place


@pytest.fixture
def room(place: Place) -> QWidget:
    room = QWidget()
    place(room, 900, 600)
    return room


@pytest.fixture
def drawer(qtbot: QtBot, room: QWidget, mail_session: Session) -> WhyDrawer:
    return WhyDrawer(mail_session, room)


def rows(drawer: WhyDrawer) -> list[Node]:
    """The open rows of the formula, from above."""
    found, index = [], drawer.tree.terms.index(0, 0)
    while index.isValid():
        found.append(index.data(NODE_ROLE))
        index = drawer.tree.indexBelow(index)
    return found


def index_of(drawer: WhyDrawer, label: str) -> QModelIndex:
    index = drawer.tree.terms.index(0, 0)
    while index.isValid() and index.data(NODE_ROLE).term.label != label:
        index = drawer.tree.indexBelow(index)
    return index


def test_it_shows_the_number_and_its_formula(drawer: WhyDrawer, mail_session: Session) -> None:
    drawer.ask(NumberRef("hosts", "h1", "vcpus_per_core"))
    assert drawer.isVisible()
    assert drawer.accessibleName() == "Why: vCPUs per core of esx1, 1"
    first = rows(drawer)[0]
    assert (first.value, first.below, first.formula) == ("1", "= 8 ÷ 8", "vCPUs ÷ cores")
    derivation = drawer.derivation
    assert derivation is not None
    assert derivation.quantity.value == mail_session.view.prediction.hosts.vcpus_per_core[0]


def test_the_text_names_inputs_evidence_interval_and_what_is_left_out(drawer: WhyDrawer) -> None:
    drawer.ask(NumberRef("vms", "m1", "response_ms"))
    text = drawer.text.toPlainText()
    for heading in ("Inputs", "Evidence", "Interval and basis", "Not modelled"):
        assert heading in text
    assert "Mail-01: active users" in text
    assert "Intel Clovertown results" in text
    assert "Response time, VMFS, 7.25 GB, 1,000 users" in text
    assert "% %" not in text
    assert "Nominal 90" in text
    assert "cause is not known" in text


@pytest.mark.parametrize(("vcpus", "said"), [(1, "1 vCPU"), (2, "2 vCPUs")])
def test_inputs_are_counted(
    drawer: WhyDrawer, mail_session: Session, vcpus: int, said: str
) -> None:
    narrower = mail_session.scenario.edit(Vm, "m1", lambda vm: replace(vm, vcpus=vcpus))
    mail_session.edit(narrower, "Set vCPUs")
    mail_session.flush()
    drawer.ask(NumberRef("vms", "m1", "cpu_pct"))
    lines = drawer.text.toPlainText().replace(THIN, " ").splitlines()
    assert said in [line.strip() for line in lines]


def test_it_follows_an_edit_and_leaves_with_its_item(
    qtbot: QtBot, drawer: WhyDrawer, mail_session: Session
) -> None:
    drawer.ask(NumberRef("hosts", "h1", "ram_pct"))
    before = rows(drawer)[0].value
    mail_session.edit(
        mail_session.scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=64.0)), "Set RAM"
    )
    qtbot.waitUntil(lambda: rows(drawer)[0].value != before)
    with qtbot.waitSignal(drawer.closed):
        mail_session.edit(mail_session.scenario.without(["h1"]), "Delete esx1")
    assert not drawer.isVisible()


def test_a_preview_leaves_it_alone(qtbot: QtBot, drawer: WhyDrawer, mail_session: Session) -> None:
    drawer.ask(NumberRef("hosts", "h1", "cpu_pct"))
    before = rows(drawer)[0].value
    mail_session.preview(mail_session.scenario.place(["m1"], "h2"))
    mail_session.flush()
    assert drawer.is_settled
    assert rows(drawer)[0].value == before
    mail_session.clear_preview()
    mail_session.flush()
    qtbot.waitUntil(lambda: drawer.is_settled)


def test_a_number_in_the_formula_is_followed_and_back(qtbot: QtBot, drawer: WhyDrawer) -> None:
    drawer.ask(NumberRef("pools", "p1", "iops"))
    at = index_of(drawer, "Mail-02")
    assert at.isValid()
    point = drawer.tree.visualRect(at).center()
    QTest.mouseClick(drawer.tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert drawer.asked == NumberRef("vms", "m2", "iops")
    assert drawer.back_button.isVisible()
    QTest.keyClick(drawer.tree, Qt.Key.Key_Backspace)
    assert drawer.asked == NumberRef("pools", "p1", "iops")
    drawer.tree.setCurrentIndex(index_of(drawer, "Mail-01"))
    QTest.keyClick(drawer.tree, Qt.Key.Key_Return)
    assert drawer.asked == NumberRef("vms", "m1", "iops")
    QTest.mouseClick(drawer.back_button, Qt.MouseButton.LeftButton)
    assert drawer.asked == NumberRef("pools", "p1", "iops")
    assert not drawer.back_button.isVisible()
    assert drawer.back_button.toolTip() == "Back (Backspace)"


def test_another_question_has_no_way_back(qtbot: QtBot, drawer: WhyDrawer) -> None:
    drawer.ask(NumberRef("hosts", "h1", "cpu_pct"))
    drawer.follow(Predicted("vms", "m1", "cpu_pct"))
    assert drawer.back_button.isVisible()
    drawer.ask(NumberRef("hosts", "h2", "cpu_pct"))
    assert not drawer.back_button.isVisible()


def test_links_lead_to_evidence_and_inputs(qtbot: QtBot, drawer: WhyDrawer) -> None:
    drawer.ask(NumberRef("vms", "m1", "response_ms"))
    with qtbot.waitSignal(drawer.evidence_requested) as asked:
        drawer.text.anchorClicked.emit(QUrl("evidence:wv21/clovertown/vmfs/7.25gb/1000/cpu_pct"))
    assert asked.args == ["wv21/clovertown/vmfs/7.25gb/1000/cpu_pct"]
    with qtbot.waitSignal(drawer.input_requested) as wanted:
        drawer.text.anchorClicked.emit(QUrl("input:m1/workload.active_users"))
    assert wanted.args == ["m1", "workload.active_users"]


def test_every_link_in_the_text_is_one_of_these(drawer: WhyDrawer) -> None:
    drawer.ask(NumberRef("vms", "m1", "cpu_pct"))
    html = drawer.text.toHtml()
    links = [part.partition('"')[0] for part in html.split('href="')[1:]]
    assert links
    assert all(link.startswith(("input:", "evidence:", "all:")) for link in links)


def test_escape_puts_it_away(qtbot: QtBot, drawer: WhyDrawer) -> None:
    drawer.ask(NumberRef("hosts", "h1", "cpu_pct"))
    with qtbot.waitSignal(drawer.closed):
        QTest.keyClick(drawer.tree, Qt.Key.Key_Escape)
    assert (drawer.isVisible(), drawer.asked) == (False, None)


@pytest.mark.parametrize("is_placed", [True, False])
def test_the_keys_act_in_it_and_then_again_where_they_did(
    qtbot: QtBot, room: QWidget, drawer: WhyDrawer, mail_session: Session, is_placed: bool
) -> None:
    """A number without data has no formula that could take the keys."""
    if not is_placed:
        mail_session.edit(mail_session.scenario.place(["m1"], None), "Take Mail-01 off its host")
        mail_session.flush()
    fields = [QLineEdit(room), QLineEdit(room)]
    for field in fields:
        field.show()
    room.activateWindow()
    fields[1].setFocus()
    qtbot.waitUntil(fields[1].hasFocus)
    drawer.ask(NumberRef("vms", "m1", "response_ms"))
    now = room.focusWidget()
    assert drawer.isAncestorOf(now)
    QTest.keyClick(now, Qt.Key.Key_E)
    QTest.keyClick(room.focusWidget(), Qt.Key.Key_Escape)
    assert not drawer.isVisible()
    assert fields[1].hasFocus()


def test_no_data_says_why(drawer: WhyDrawer, mail_session: Session) -> None:
    mail_session.edit(mail_session.scenario.place(["m1"], None), "Take Mail-01 off its host")
    mail_session.flush()
    drawer.ask(NumberRef("vms", "m1", "response_ms"))
    assert not drawer.tree.isVisible()
    assert drawer.derivation is not None
    assert "stands on no host" in drawer.derivation.reason


def test_what_has_no_number_is_said(qtbot: QtBot, drawer: WhyDrawer, mail_session: Session) -> None:
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    with qtbot.waitSignal(mail_session.message) as said:
        drawer.ask(NumberRef("dials", "", "cpu_pct"))
    assert said.args == ["Nothing runs yet."]
    assert not drawer.isVisible()


def test_it_keeps_to_the_right_edge(drawer: WhyDrawer, room: QWidget) -> None:
    drawer.ask(NumberRef("hosts", "h1", "cpu_pct"))
    assert drawer.geometry().right() < room.width()
    assert drawer.geometry().left() > room.width() - 500
    room.resize(360, 400)
    assert room.rect().contains(drawer.geometry())
    LOOK.use(DARK)


def test_the_tree_is_a_sound_model(qtbot: QtBot, mail_session: Session) -> None:
    from models.explain.derivation import explain

    model = TermsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    session = mail_session
    scenario = session.scenario.edit(Vm, "m1", lambda vm: replace(vm, ram_gib=7.25))
    derivation = explain(
        NumberRef("vms", "m1", "response_ms"),
        scenario,
        session.knowledge,
        session.view.prediction,
    )
    model.show_term(derivation.root, lambda s: source_words(s, scenario, session.catalog))
    top = model.index(0, 0)
    assert model.rowCount(top) == len(derivation.root.terms if derivation.root else ())
    child = model.index(0, 0, top)
    assert model.parent(child) == top
    spoken = top.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("response time of Mail-01: ")
    assert f"{THIN}ms" in spoken
    tip = top.data(Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("response time of Mail-01\nresponse by its own law + ")
    model.show_term(None, lambda _source: "")
    assert model.rowCount() == 0


def test_e_goes_through_the_numbers_of_an_item(qtbot: QtBot, drawer: WhyDrawer) -> None:
    drawer.ask(NumberRef("vms", "m1", "response_ms"))
    seen = []
    for _ in VM_TERMS:
        QTest.keyClick(drawer.tree, Qt.Key.Key_E)
        assert drawer.asked is not None
        seen.append(drawer.asked.field)
    assert seen[-1] == "response_ms"
    assert set(seen) == set(VM_TERMS)


def test_numbers_from_elsewhere_go_with_the_next_edit(
    qtbot: QtBot, drawer: WhyDrawer, mail_session: Session
) -> None:
    """A storm's numbers hold for the scenario as it stands; `E` goes from one to the next."""
    session = mail_session
    given = (session.scenario, session.knowledge)
    numbers = storm_numbers(study_storm(*given, StormKind.RECONNECT), session.scenario)
    drawer.tell(numbers)
    assert drawer.derivation is numbers[0]
    QTest.keyClick(drawer, Qt.Key.Key_E)
    assert drawer.derivation is numbers[1]
    usual = next(term.source for term in rows_of(numbers[1]) if isinstance(term.source, Predicted))
    drawer.follow(usual)
    assert drawer.asked == NumberRef("vms", usual.subject, "response_ms")
    drawer.back()
    assert drawer.derivation is numbers[1]
    session.change(lambda scenario: scenario.place([session.scenario.vms[0].id], None), "Take off")
    qtbot.waitUntil(drawer.isHidden)


def rows_of(number: Derivation) -> tuple[Term, ...]:
    assert number.root is not None
    return tuple(number.root.walk())
