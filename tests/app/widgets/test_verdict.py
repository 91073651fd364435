"""The verdict bar says what follows, what it was before, and what the last act did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import inf, nan

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app import language
from app.language import Language
from app.selection import Selection
from app.session import Session
from app.theme import DARK, LIGHT, THEMES, Theme
from app.widgets.dials import (
    LEAST_VALUE_FACTOR,
    Dial,
    DialText,
    Reading,
    draw_bar,
    draw_dial,
    share,
)
from app.widgets.gauge_text import dial_text, limit_text, number_text, reach_text
from app.widgets.labels import AskParagraph, OneLine, ShorterLine
from app.widgets.verdict import NEAREST, VerdictBar, asked_of
from app.work import InlineWorker
from db.codec import scenario_from_json
from models.base.quantities import NO_DATA, Basis, Quantity
from models.explain.derivation import explain
from models.judgement.gauges import REASON, gauge_of, gauges, nearest_gauges
from models.predict.predicted import FAILURE, head_of
from models.predict.prediction import Verdict, Why
from models.scenario.scenario import Pool, Scenario, Vm
from models.scenario.wording import ENGLISH, GERMAN, THIN
from models.scenario.workloads import WorkloadKind
from models.tell.headline import headline
from resources.example_files import load_examples
from resources.translation_files import load_messages
from tests.models.judgement.more_cases import kept_apart
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    with_policy,
)


class Paints(QObject):
    """Counts paint events of a widget."""

    def __init__(self, watched: QObject) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Paint
        return False


pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def bar(
    qtbot: QtBot, mail_session: Session, selection: Selection, monkeypatch: pytest.MonkeyPatch
) -> Iterator[VerdictBar]:
    """Nothing is worked out ahead."""
    monkeypatch.setattr("app.outlook.REST_MS", 3_600_000)
    window = QWidget()
    qtbot.addWidget(window)
    bar = VerdictBar(mail_session, selection, InlineWorker(window), window)
    bar.setGeometry(8, 8, 1350, 150)
    window.resize(1366, 170)
    with qtbot.waitExposed(window):
        window.show()
    yield bar
    window.close()


def example_scenario(name: str) -> Scenario:
    files = {file.name: file for each in load_examples() for file in each.files}
    return scenario_from_json(files[name].text.encode(), name=name)


def with_users(scenario: Scenario, users: float) -> Scenario:
    def change(vm: Vm) -> Vm:
        return replace(vm, workload=replace(vm.workload, active_users=users))

    return scenario.edit(Vm, "m1", change)


def test_each_dial_names_its_item(bar: VerdictBar, mail_session: Session) -> None:
    view = mail_session.view
    names = {item.id: item.name for item in view.scenario.items()}
    shown = nearest_gauges(view.scenario, view.prediction)
    for gauge, dial in zip(shown, bar.dials, strict=True):
        if gauge.quantity.value is None:
            continue
        assert names[gauge.subject] in dial.text.item
        assert dial.text.item in dial.accessibleName()
    lost = [dial for dial in bar.dials if dial.text.item.endswith(" lost")]
    assert len(lost) == sum(each.mode != "normal" for each in view.prediction.nearest) > 0


def test_a_name_that_looks_like_markup_is_shown_as_it_is(
    bar: VerdictBar, mail_session: Session
) -> None:
    for pool in mail_session.scenario.pools:
        edited = mail_session.scenario.edit(
            Pool, pool.id, lambda it: replace(it, name="<new pool>")
        )
        mail_session.edit(edited, "Rename")
    mail_session.flush()
    labels = [
        label
        for label in bar.findChildren(QLabel)
        if "<new pool>" in label.text() and label.textFormat() is not Qt.TextFormat.PlainText
    ]
    assert "<new pool>" in bar.sentence.text()
    assert labels == []
    tips = [widget.toolTip() for widget in bar.findChildren(QWidget)]
    assert [tip for tip in tips if "<new pool>" in tip] == []
    assert any("&lt;new pool&gt;" in tip for tip in tips)


def test_verdict_and_dials_say_what_they_speak_of(bar: VerdictBar, mail_session: Session) -> None:
    assert NEAREST in {line.text() for line in bar.findChildren(OneLine)}
    view = mail_session.view
    for each, dial in zip(nearest_gauges(view.scenario, view.prediction), bar.dials, strict=True):
        is_normal = each.binding is None or each.binding.mode == "normal"
        head = "Normal operation: " if is_normal else "After a loss to be survived: "
        assert dial.text.tooltip.startswith(head)


def test_the_number_that_decides_is_on_the_first_dial(
    bar: VerdictBar, mail_session: Session
) -> None:
    """With a controller lost, where all is well without."""
    scenario = example_scenario("building-block.json")
    mail_session.edit(scenario, "Building block")
    mail_session.flush()
    prediction = mail_session.view.prediction
    assert prediction.verdict is Verdict.AT_RISK
    assert prediction.normal is Verdict.FITS
    first, *others = bar.dials
    assert first.text.item == "FAS3020 data, with a controller lost"
    assert first.reading.verdict is Verdict.AT_RISK
    assert {dial.reading.verdict for dial in others} == {Verdict.FITS}
    loads = [dial.reading.load or 0.0 for dial in others]
    assert loads == sorted(loads, reverse=True)


def test_a_reason_that_is_no_number_stands_before_the_numbers() -> None:
    scenario = kept_apart(2)
    first, *others = nearest_gauges(scenario, predict(scenario))
    assert (first.field, first.verdict) == (REASON, Verdict.AT_RISK)
    text = dial_text(first, scenario, style=ENGLISH)
    assert (text.title, text.value) == ("Decides", "at risk")
    assert "H2 would run 2 VMs that a rule keeps apart" in text.item
    assert {each.verdict for each in others} <= {Verdict.FITS, None}


def test_what_is_not_known_is_on_a_dial_and_never_green() -> None:
    known = a_vm("m1", kind=WorkloadKind.GENERIC, users=0.0, cpu_mhz=500.0, iops=5.0)
    dark = a_vm("m2", kind=WorkloadKind.GENERIC, users=0.0)
    scenario = a_scenario(vms=(known, dark))
    shown = nearest_gauges(scenario, predict(scenario))
    unknown = [each for each in shown if each.unknown]
    assert {each.field for each in unknown} >= {"cpu_pct"}
    assert {each.verdict for each in unknown} == {Verdict.NOT_KNOWN}
    assert shown[0].verdict is Verdict.NOT_KNOWN


def test_what_every_verdict_rests_on_is_said_in_words_with_a_tip(bar: VerdictBar) -> None:
    assert bar.rests.text() in ("benchmark · conservative", "benchmark", "")
    assert len(bar.rests.toolTip().splitlines()) >= 1
    assert "benchmark user" in bar.word.toolTip()


def test_the_button_alone_says_what_to_do(bar: VerdictBar, mail_session: Session) -> None:
    told = headline(mail_session.scenario, mail_session.view.prediction)
    is_wrong = mail_session.view.prediction.verdict > Verdict.NOT_KNOWN
    assert is_wrong
    assert told.action
    assert str(told.action) not in bar.sentence.text()


def test_while_a_host_is_lost_the_dials_do_not_speak_of_normal_operation(
    bar: VerdictBar, mail_session: Session
) -> None:
    host = mail_session.scenario.hosts[0]
    mail_session.preview(mail_session.scenario, lost=host.id)
    mail_session.flush()
    said = {line.text() for line in bar.findChildren(OneLine)}
    assert f"Without {host.name}: nearest to the limit" in said
    assert NEAREST not in said
    heads = (f"Without {host.name}: ", "After a loss to be survived: ", "Worst failover: ")
    for dial in bar.dials:
        assert dial.text.tooltip.startswith(heads), dial.text.tooltip
    assert bar.dials[0].text.tooltip.startswith(heads[0])


def test_the_last_dial_names_the_failure_that_is_worse_than_cpu_and_ram() -> None:
    scenario = with_policy(a_cluster_of(2, vms=2), response_limit_ms=1.0)
    dial = gauges(scenario, predict(scenario))[-1]
    text = dial_text(dial, scenario, style=ENGLISH)
    assert text.value.endswith(" left")
    assert text.reach == "failures: does not fit"
    assert "without H1: does not fit: response time" in text.tooltip


def test_the_failure_of_several_hosts_is_told_in_words() -> None:
    gauge = gauge_of(FAILURE, Quantity(35.0, 35.0, 35.0, Basis.RULE), None, subject="h1")
    scenario = a_cluster_of(3, vms=3)
    alone = dial_text(gauge, scenario, style=ENGLISH).tooltip
    assert f"worst when H1 fails\n35{THIN}% (rule)" in alone
    assert "interval" not in alone  # what follows from inputs has none
    together = dial_text(replace(gauge, others=("h2",)), scenario, style=ENGLISH)
    assert together.item == "without H1, H2"
    assert "worst when H1 and H2 fail\n" in together.tooltip


def test_a_number_without_an_interval_is_said_in_the_language_of_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    german = Language("de", load_messages("de"), GERMAN)
    monkeypatch.setattr(language, "_spoken", german)
    gauge = gauge_of(FAILURE, Quantity(35.0, 35.0, 35.0, Basis.RULE), None, subject="h1")
    told = dial_text(gauge, a_cluster_of(3, vms=3), style=GERMAN).tooltip
    assert f"35{THIN}% (Regel)" in told


def test_a_failure_of_other_hosts_is_told_once() -> None:
    scenario = with_policy(a_cluster_of(3, vms=3), response_limit_ms=1.0)
    gauge = gauges(scenario, predict(scenario))[-1]
    assert reach_text(gauge, style=ENGLISH) == "failures: does not fit"
    other = replace(gauge, others=("h2",))
    text = dial_text(other, scenario, style=ENGLISH)
    assert (text.whose[0], text.reach) == ("without H1:", "does not fit")


def test_a_failure_reaches_as_far_on_the_dial_as_in_the_sentence() -> None:
    """At peak two VMs without data take their 8 vCPUs and no more."""
    pair = a_cluster_of(2, vms=2)
    roomy = tuple(replace(host, ram_gib=144.0) for host in pair.hosts)
    dark = a_vm("d1", kind=WorkloadKind.GENERIC, users=0.0, vcpus=4)
    scenario = replace(pair, hosts=roomy, vms=(*pair.vms, dark, replace(dark, id="d2", host="h2")))
    scenario = replace(scenario, vms=tuple(replace(vm, ram_gib=4.0) for vm in scenario.vms))
    scenario = with_policy(scenario, peak_factor_cpu=2.0, cpu_limit_pct=50.0)
    prediction = predict(scenario)
    (end,) = re.findall(r"may reach (\d+)\u202f%", prediction.sentence)
    told = reach_text(gauges(scenario, prediction)[-1], style=ENGLISH)
    (short,) = re.findall(r"may be (\d+)\u202f% short", told)
    assert int(end) / 50.0 - 1.0 == pytest.approx(int(short) / 100.0, abs=0.1)


def beside_a_lone_host(name: str) -> Scenario:
    """A cluster that may lose a host, and a host of this name beside it that takes users down."""
    pair = a_cluster_of(2, vms=2)
    alone = replace(pair.hosts[0], id="h9", name=name, cluster=None)
    return replace(pair, hosts=(*pair.hosts, alone), vms=(*pair.vms, a_vm("m9", host="h9")))


def test_the_last_dial_names_the_host_that_takes_users_down(qtbot: QtBot) -> None:
    scenario = beside_a_lone_host("x366")
    gauge = gauges(scenario, predict(scenario))[-1]
    text = dial_text(gauge, scenario, style=ENGLISH)
    assert (text.item, text.reach) == ("without H1", "down: 1,000 users")
    assert text.whose == ("without x366:", "x366:")
    assert text.warns is Verdict.DOES_NOT_FIT
    dial = Dial(text.title)
    qtbot.addWidget(dial)
    dial.show_reading(Reading(), text)
    assert "without x366: down: 1,000 users" in dial.accessibleName()


def test_whose_failure_is_said_in_fewer_words_where_there_is_less_room(qtbot: QtBot) -> None:
    scenario = beside_a_lone_host("esx-munich-0007")
    text = dial_text(gauges(scenario, predict(scenario))[-1], scenario, style=ENGLISH)
    dial = Dial(text.title)
    qtbot.addWidget(dial)
    dial.show_reading(Reading(), text)
    room = dial.fontMetrics().horizontalAdvance(text.whose[1]) + 1.0
    assert dial.words_of_failure(dial.font(), room) == text.whose[1]
    assert dial.words_of_failure(dial.font(), 9 * room) == text.whose[0]


def test_how_many_users_are_down_is_never_cut(qtbot: QtBot) -> None:
    scenario = beside_a_lone_host("x366")
    text = dial_text(gauges(scenario, predict(scenario))[-1], scenario, style=ENGLISH)
    dial = Dial(text.title)
    qtbot.addWidget(dial)
    dial.show_reading(Reading(), text)
    room = dial.fontMetrics().horizontalAdvance(text.reach)
    assert dial.reach(dial.font(), room + 1.0) == "down: 1,000 users"
    assert dial.reach(dial.font(), room - 1.0) == "down: 1,000"


def test_the_ring_leaves_the_number_its_type(qtbot: QtBot) -> None:
    """A short title, as in German, would else leave little room, and all dials have one size."""
    dial = Dial("Left", widest="100 % missing")
    qtbot.addWidget(dial)
    dial.show_reading(Reading(), DialText(title="Left", value="21 %"))
    dial.resize(dial.sizeHint())
    assert dial.fitting_sizes()[0] >= LEAST_VALUE_FACTOR


def test_the_host_of_the_number_is_not_named_twice() -> None:
    scenario = with_policy(a_cluster_of(2, vms=2), response_limit_ms=1.0)
    text = dial_text(gauges(scenario, predict(scenario))[-1], scenario, style=ENGLISH)
    assert (text.item, text.whose) == ("without H1", ("", ""))


def test_it_shows_the_prediction_and_nothing_else(bar: VerdictBar, mail_session: Session) -> None:
    view = mail_session.view
    shown = nearest_gauges(view.scenario, view.prediction)
    expected = [number_text(gauge, style=ENGLISH) for gauge in shown]
    said = [dial.text.value for dial in bar.dials]
    assert [s for s, e in zip(said, expected, strict=True) if not e.startswith(s)] == []
    assert bar.word.text().lower() == view.prediction.verdict.label
    told = headline(view.scenario, view.prediction)
    assert bar.sentence.text().lower() == f"{told.reason}.".lower()


def test_what_is_in_the_hand_stands_beside_what_is_stored(
    bar: VerdictBar, mail_session: Session
) -> None:
    stored = {dial.reading.load for dial in bar.dials}
    mail_session.preview(mail_session.scenario.place(["m2"], "h1"))
    mail_session.flush()
    assert bar.word.text().startswith("Preview")
    before = {dial.reading.before for dial in bar.dials} - {None}
    assert before
    assert before <= stored
    assert any(dial.text.before.startswith("was ") for dial in bar.dials)
    assert "CPU" in bar.note.text()
    mail_session.clear_preview()
    mail_session.flush()
    assert not bar.word.text().startswith("Preview")
    assert {dial.reading.before for dial in bar.dials} == {None}
    assert bar.note.text() == ""


def test_the_note_names_the_step_and_what_it_changed(
    bar: VerdictBar, mail_session: Session
) -> None:
    mail_session.edit(with_users(mail_session.scenario, 4500.0), "Set Mail-01 users")
    mail_session.flush()
    assert "CPU " in bar.note.text()
    assert " → " in bar.note.text()
    assert note_tip(bar) == f"Set Mail-01 users: {bar.note.text()}"
    mail_session.stack.undo()
    mail_session.flush()
    assert note_tip(bar) == f"Undone: Set Mail-01 users: {bar.note.text()}"


def test_a_step_without_effect_is_named_once(bar: VerdictBar, mail_session: Session) -> None:
    mail_session.edit(replace(mail_session.scenario, notes="Agreed by phone"), "Set the notes")
    mail_session.flush()
    assert bar.note.text() == "Set the notes: no number here changes"
    assert note_tip(bar) == bar.note.text()


def note_tip(bar: VerdictBar) -> str:
    return next(label for label in bar.findChildren(OneLine)).toolTip()


def test_where_a_note_has_no_room_its_last_changes_are_counted(
    bar: VerdictBar, mail_session: Session
) -> None:
    mail_session.edit(with_users(mail_session.scenario, 4500.0), "Set Mail-01 users")
    mail_session.flush()
    line = next(label for label in bar.findChildren(ShorterLine) if label.text() == bar.note.text())
    assert bar.note.text().count(" · ") >= 2
    line.resize(line.fontMetrics().horizontalAdvance(bar.note.text()) - 4, line.height())
    first, *_, last = line.shown.split(" · ")
    assert bar.note.text().startswith(first)
    assert last == "+1"


def test_the_note_begins_with_the_worst(bar: VerdictBar, mail_session: Session) -> None:
    mail_session.edit(with_users(mail_session.scenario, 9000.0), "Set Mail-01 users")
    mail_session.flush()
    view = mail_session.view
    note, shown = bar.note.text(), gauges(view.scenario, view.prediction)
    changed = [gauge for gauge in shown if head_of(gauge.field) in note]
    worst = max(changed, key=lambda g: (g.verdict is not None and g.verdict.value, g.load or 0))
    assert bar.note.text().startswith(head_of(worst.field))


def test_a_sentence_without_room_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    label = AskParagraph()
    qtbot.addWidget(label)
    label.setText("With esx1 gone, RAM of the survivors would reach 79 %; any one host may fail.")
    label.resize(160, label.heightForWidth(160))
    assert label.shown == label.text()
    label.resize(160, label.height() - 6)
    lines = label.shown.split("\n")
    assert lines[-1].endswith("…")
    assert len(lines) * label.fontMetrics().lineSpacing() <= label.contentsRect().height()
    assert label.text() in label.toolTip()


def test_a_sentence_begins_with_a_capital_or_a_name(bar: VerdictBar, mail_session: Session) -> None:
    view = mail_session.view
    for reason, wanted in (
        ("with esx1 gone there is no room", "With esx1 gone there is no room"),
        ("esx1 is short of CPU", "esx1 is short of CPU"),
    ):
        said = replace(view.prediction, binding=None, findings=(), why=Why(reason, first=reason))
        mail_session.view_changed.emit(replace(view, prediction=said))
        assert bar.sentence.text().startswith(f"{wanted}.")


def test_all_dials_speak_in_one_size(bar: VerdictBar) -> None:
    sizes = {dial.sizes for dial in bar.dials}
    assert len(sizes) == 1
    bar.resize(1900, 110)
    assert len({dial.sizes for dial in bar.dials}) == 1
    assert bar.dials[0].sizes[0] > min(sizes)[0]


def test_an_interval_that_decides_is_said() -> None:
    risky = gauge_of("iops", Quantity(1900.0, 1500.0, 2700.0, Basis.INTERPOLATED), 2608.7)
    assert risky.verdict is Verdict.AT_RISK
    assert reach_text(risky, style=ENGLISH) == "up to 2,700"
    near = gauge_of("iops", Quantity(2580.0, 2500.0, 2700.0, Basis.INTERPOLATED), 2608.7)
    well = gauge_of("iops", Quantity(1000.0, 900.0, 1100.0, Basis.INTERPOLATED), 2608.7)
    assert reach_text(near, style=ENGLISH) == reach_text(well, style=ENGLISH) == ""
    endless, unknown = (
        gauge_of("iops", Quantity(1900.0, 1500.0, high, Basis.INTERPOLATED), 2608.7)
        for high in (inf, nan)
    )
    assert reach_text(endless, style=ENGLISH) == "may reach any value"
    assert reach_text(unknown, style=ENGLISH) == ""


def test_an_act_without_effect_is_acknowledged(bar: VerdictBar, mail_session: Session) -> None:
    scenario = mail_session.scenario.edit(Vm, "m1", lambda vm: replace(vm, name="Post"))
    mail_session.edit(scenario, "Rename Mail-01 to Post")
    mail_session.flush()
    assert bar.note.text() == "Rename Mail-01 to Post: no number here changes"


def test_an_act_that_turns_the_verdict_alone_says_so(
    bar: VerdictBar, mail_session: Session
) -> None:
    before = mail_session.view.prediction.shown.words
    policy = replace(mail_session.scenario.policy, response_limit_ms=20.0)
    mail_session.edit(replace(mail_session.scenario, policy=policy), "Set response limit")
    mail_session.flush()
    after = mail_session.view.prediction.shown.words
    assert before != after
    assert bar.note.text() == f"Set response limit → {after}; no number here changes"


def test_merged_edits_are_one_act(bar: VerdictBar, mail_session: Session) -> None:
    view = mail_session.view
    gauge = next(
        each for each in gauges(view.scenario, view.prediction) if each.field == "response_ms"
    )
    before = number_text(gauge, style=ENGLISH)
    for users in (2100.0, 2200.0, 2300.0):
        scenario = with_users(mail_session.scenario, users)
        mail_session.edit(scenario, f"Set users to {users:g}", merge_key="users")
        mail_session.flush()
    assert note_tip(bar).startswith("Set users to 2300: ")
    assert f"Response {before.partition(THIN)[0]} → " in bar.note.text()


def test_what_looks_the_same_is_not_painted_again(
    qtbot: QtBot, bar: VerdictBar, mail_session: Session
) -> None:
    paints = [Paints(dial) for dial in bar.dials]
    for notes in ("x", "y"):
        with qtbot.waitSignal(mail_session.view_changed):
            mail_session.edit(replace(mail_session.scenario, notes=notes), "Write notes")
    qtbot.waitUntil(lambda: bar.note.text() == "Write notes: no number here changes")
    assert [p.count for p in paints] == [0] * 5


def test_a_dial_leads_to_what_it_is_the_worst_of(qtbot: QtBot, bar: VerdictBar) -> None:
    dial = next(each for each in bar.dials if each.text.subject)
    with qtbot.waitSignal(bar.subject_activated) as by_mouse:
        QTest.mouseClick(dial, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(bar.subject_activated) as by_key:
        QTest.keyClick(dial, Qt.Key.Key_Return)
    assert by_mouse.args == by_key.args == [dial.text.subject]


def test_of_a_pool_that_holds_nothing_its_space_is_explained() -> None:
    scenario = a_scenario(pools=(a_pool(spindles=2, raid="6"),), vms=(a_vm(),))
    prediction = predict(scenario)
    assert prediction.binding is not None
    asked = asked_of(prediction.binding, scenario)
    found = explain(asked, scenario, KNOWLEDGE, prediction)
    assert found.quantity.value == 0.0


def test_a_sentence_of_a_restart_leads_to_that_number() -> None:
    base = a_cluster_of(2, vms=0)
    slow = replace(base.hosts[1], server="intel-clovertown-whitebox", ram_gib=32.0)
    busy = a_vm(kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.6, iops=1.0)
    scenario = replace(base.with_item(slow), vms=(busy,))
    prediction = predict(scenario)
    assert prediction.binding is not None
    asked = asked_of(prediction.binding, scenario)
    found = explain(asked, scenario, KNOWLEDGE, prediction)
    assert found.title == "CPU of a VM with H1 gone"
    assert found.quantity.value == pytest.approx(prediction.binding.value)
    assert found.root is not None
    assert found.root.label == "worst CPU of M1 on H2 with H1 gone"


def test_dials_speak(bar: VerdictBar) -> None:
    for dial in bar.dials:
        assert dial.text.value in dial.accessibleName()
        assert dial.toolTip()
    tips = "".join(dial.toolTip() for dial in bar.dials)
    assert "90\u202f% interval" in tips
    assert "evidence:" in tips


def test_it_fits_a_small_screen(bar: VerdictBar) -> None:
    assert bar.minimumSizeHint().width() <= 1366 - 16
    assert 96 <= bar.minimumHeight() <= 150


def test_another_project_is_no_undone_step(bar: VerdictBar, mail_session: Session) -> None:
    mail_session.change(lambda s: s.place(["m1"], "h2"), "Move")
    mail_session.flush()
    assert bar.note.text()
    mail_session.open(mail_session.project, None)
    mail_session.flush()
    assert bar.note.text() == ""


def test_an_empty_scenario_is_no_verdict_on_numbers(bar: VerdictBar, mail_session: Session) -> None:
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    assert [dial.text.value for dial in bar.dials] == ["no data"] * 5
    assert {dial.text.below for dial in bar.dials} == {"nothing runs yet"}


def test_rounding_does_not_contradict_the_verdict() -> None:
    over = gauge_of("cpu_pct", Quantity(70.3, 65.0, 75.0, Basis.INTERPOLATED), 70.0)
    assert over.verdict is Verdict.DOES_NOT_FIT
    assert number_text(over, style=ENGLISH) == f"> 70{THIN}%"


def test_a_computed_limit_has_three_digits_a_given_one_all() -> None:
    some = Quantity(1.0, 1.0, 1.0, Basis.RULE)
    assert limit_text(gauge_of("iops", some, 2608.7), style=ENGLISH) == f"2,610{THIN}IOPS"
    assert limit_text(gauge_of("response_ms", some, 1234.0), style=ENGLISH) == f"1,234{THIN}ms"


# --- drawing ----------------------------------------------------------------------------------


def dial_image(reading: Reading, theme: Theme = LIGHT) -> QImage:
    image = QImage(100, 100, QImage.Format.Format_ARGB32)
    image.fill(QColor(theme.panel))
    painter = QPainter(image)
    draw_dial(painter, image.rect().toRectF(), reading, theme)
    painter.end()
    return image


def count(image: QImage, colour: str) -> int:
    """Pixels of nearly this colour."""
    wanted = QColor(colour)
    found = 0
    for x in range(image.width()):
        for y in range(image.height()):
            c = image.pixelColor(x, y)
            near = abs(c.red() - wanted.red()) + abs(c.green() - wanted.green())
            found += near + abs(c.blue() - wanted.blue()) < 24
    return found


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_a_higher_load_fills_more_of_the_dial(theme: Theme) -> None:
    fits = Verdict.FITS
    low, high = (
        count(dial_image(Reading(load=load, verdict=fits), theme), theme.ok_fill)
        for load in (0.3, 0.8)
    )
    assert high > 2 * low > 0
    over = dial_image(Reading(load=1.1, verdict=Verdict.DOES_NOT_FIT), theme)
    assert count(over, theme.bad_fill) > high


def test_no_data_is_drawn_as_such() -> None:
    empty = dial_image(Reading())
    assert count(empty, LIGHT.ok_fill) == count(empty, LIGHT.bad_fill) == 0
    assert empty != dial_image(Reading(load=0.0, verdict=Verdict.FITS))


def test_the_limit_and_what_was_before_are_marked() -> None:
    plain = Reading(load=0.5, low=0.4, high=0.6, verdict=Verdict.FITS)
    before = dial_image(replace(plain, before=0.8), DARK)
    assert count(before, DARK.ghost) > count(dial_image(plain, DARK), DARK.ghost)
    assert count(dial_image(plain), LIGHT.text) > 0


def test_bars_share_the_scale_of_dials() -> None:
    assert share(1.0) == 0.8
    assert share(50.0) == 1.0
    image = QImage(125, 12, QImage.Format.Format_ARGB32)
    image.fill(QColor(LIGHT.panel))
    painter = QPainter(image)
    draw_bar(painter, image.rect().toRectF(), Reading(load=0.5, verdict=Verdict.FITS), LIGHT)
    painter.end()
    assert image.pixelColor(40, 6) == QColor(LIGHT.ok_fill)
    assert image.pixelColor(70, 6) == QColor(LIGHT.track)
    assert image.pixelColor(100, 1) == QColor(LIGHT.text)


def test_a_dial_without_data_leads_nowhere(qtbot: QtBot) -> None:
    dial = Dial("CPU")
    qtbot.addWidget(dial)
    with qtbot.assertNotEmitted(dial.activated):
        QTest.mouseClick(dial, Qt.MouseButton.LeftButton)
    assert gauge_of(FAILURE, NO_DATA, None).verdict is None
