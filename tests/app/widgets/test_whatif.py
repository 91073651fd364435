"""The chart of any input against any number, and its handle; the resources and their bottleneck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.theme import DARK, LIGHT, Theme
from app.widgets.chart_pages import whatif
from app.widgets.chart_pages.whatif import WhatIfPage
from app.widgets.charts_panel import ChartsPanel
from app.widgets.legend import Legend
from app.widgets.marks import scaled_font
from app.widgets.plots.canvas import TYPE
from app.widgets.plots.utilisation import UtilisationBars, load_words
from app.widgets.plots.whatif import WhatIfChart
from app.widgets.whatif_text import beyond_words, is_passed, reading_words, turns_words, value_words
from app.widgets.whatif_view import WhatIfView, at, bounds
from app.work import InlineWorker
from models.base.limits import Limit
from models.base.quantities import Basis, FloatArray, Quantity
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.judgement.against_limits import NORMAL
from models.judgement.binding import deciding
from models.judgement.gauges import Gauge
from models.judgement.rules import rule_title
from models.predict.predicted import FAILURE, NumberRef, brief_of
from models.predict.prediction import Binding, Finding, Severity, Verdict
from models.scenario.growth import grown
from models.scenario.scenario import Growth, Host, Scenario
from models.scenario.wording import THIN
from models.studies.bottleneck import ResourceLoad, bottleneck, nearest_failing, resource_loads
from models.studies.sweep import (
    ALL_USERS,
    HOST_COUNT,
    Sweep,
    SweepInput,
    SweepOutput,
    read,
    sweep,
    value_range,
    varied,
)
from models.tell.outlook import cause_text
from tests.app.gestures import at_rest
from tests.app.kept import kept
from tests.app.sessions import Place
from tests.sweeps import some

LEFT = Qt.MouseButton.LeftButton


def asked(of: SweepInput, to: SweepOutput, values: FloatArray, **named: Any) -> object:
    return of, to, tuple(values), named["years"]


SWEEP = kept(sweep, asked)


@pytest.fixture(autouse=True)
def swept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same line from the same scenario; `tests/models/test_sweep.py` has it to itself."""
    monkeypatch.setattr("app.widgets.chart_pages.whatif.sweep", SWEEP)


@pytest.fixture
def panel(qtbot: QtBot, place: Place, mail_session: Session, selection: Selection) -> ChartsPanel:
    worker = InlineWorker(mail_session)
    panel = ChartsPanel(mail_session, selection, worker=worker)
    place(panel, 900, 300)
    return panel


@pytest.fixture
def page(qtbot: QtBot, panel: ChartsPanel) -> WhatIfPage:
    panel.setCurrentWidget(panel.whatif)
    qtbot.waitUntil(lambda: panel.whatif.has_chart)
    at_rest(qtbot, panel)
    return panel.whatif


def chart(page: WhatIfPage) -> WhatIfChart:
    assert page.chart is not None
    return page.chart


def settled(qtbot: QtBot, page: WhatIfPage) -> None:
    qtbot.waitUntil(lambda: page.is_settled)


def grip(page: WhatIfPage) -> QPoint:
    place = chart(page).grip()
    assert place is not None
    return place.toPoint()


def drag(qtbot: QtBot, page: WhatIfPage, session: Session, way: int) -> None:
    """The handle by so many pixels, until the line is worked out anew."""
    canvas, start = chart(page).canvas.viewport(), grip(page)
    QTest.mousePress(canvas, LEFT, pos=start)
    QTest.mouseMove(canvas, start + QPoint(way // 2, 0))
    QTest.mouseMove(canvas, start + QPoint(way, 0))
    QTest.mouseRelease(canvas, LEFT, pos=start + QPoint(way, 0))
    session.flush()
    settled(qtbot, page)


def users(session: Session) -> float:
    return sum(vm.workload.active_users for vm in session.scenario.vms)


class TestSweep:
    def test_it_begins_with_all_users_to_twice_as_many(
        self, page: WhatIfPage, mail_session: Session
    ) -> None:
        view = chart(page).view
        assert view is not None
        assert (view.input.path, view.output.field) == (ALL_USERS, "response_ms")
        assert len(view.sweep.values) == 11
        assert (view.sweep.values[0], view.sweep.values[-1]) == (6000.0, 12000.0)
        wanted = sweep(
            mail_session.scenario,
            mail_session.knowledge,
            view.input,
            view.output,
            value_range(view.input),
        )
        np.testing.assert_array_equal(view.sweep.number, wanted.number)

    def test_the_selection_suggests_its_own(
        self, qtbot: QtBot, page: WhatIfPage, selection: Selection
    ) -> None:
        selection.select("m2")
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert (view.input.key, view.output.key) == (
            ("m2", "workload.active_users"),
            ("vms", "m2", "response_ms"),
        )

    def test_a_host_is_looked_at_by_users(
        self, qtbot: QtBot, page: WhatIfPage, selection: Selection
    ) -> None:
        """Its RAM against its CPU would be a level line."""
        selection.select("h1")
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert (view.input.path, view.output.key) == (ALL_USERS, ("hosts", "h1", "cpu_pct"))

    def test_another_project_has_no_range_of_the_one_before(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("m2")
        settled(qtbot, page)
        page.first_field.committed.emit(1000.0)
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert (view.sweep.values[0], view.input.subject) == (1000.0, "m2")
        selection.clear()
        mail_session.open(mail_session.project, None)
        page.forget()
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert view.input.path == ALL_USERS
        selection.select("m2")
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        first = float(value_range(view.input)[0])
        assert (view.sweep.values[0], view.input.subject) == (first, "m2")

    def test_names_have_room(self, qtbot: QtBot, panel: ChartsPanel, page: WhatIfPage) -> None:
        """As wide as the charts of a window of 1366 pixels are."""
        panel.resize(780, 220)
        at_rest(qtbot, panel)
        for field in (page.input_field, page.output_field):
            needed = field.fontMetrics().horizontalAdvance(field.currentText())
            assert needed <= field.width() - 40, field.currentText()

    def test_any_input_against_any_number(self, qtbot: QtBot, page: WhatIfPage) -> None:
        page.input_field.committed.emit(("", "policy.benchmark_derating"))
        page.output_field.committed.emit(("dials", "", "cpu_pct"))
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert view.input.label.startswith("Derating")
        assert view.sweep.number[-1] > 1.9 * view.sweep.number[0]

    def test_an_error_of_the_program_is_reported(
        self, qtbot: QtBot, page: WhatIfPage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def breaks(*_of: object, **_more: object) -> Sweep:
            raise KeyError("m1")

        monkeypatch.setattr(whatif, "sweep", breaks)
        with qtbot.captureExceptions() as raised:
            page.refresh()
        assert [kind for kind, _error, _trace in raised] == [KeyError]
        assert page.is_settled
        assert page.empty.text == "This could not be worked out: an error of the program"

    def test_another_catalog_is_another_line(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        session = mail_session
        page.output_field.committed.emit(("dials", "", "cpu_pct"))
        settled(qtbot, page)
        before = chart(page).view
        server = session.catalog.servers[session.scenario.hosts[0].server]
        own = Catalog(servers={server.id: replace(server, cores=2)})
        session.edit_project(replace(session.project, own_catalog=own), "Fewer cores")
        session.flush()
        assert not page.is_settled
        settled(qtbot, page)
        after = chart(page).view
        assert before is not None
        assert after is not None
        assert after.sweep.number.tolist() != before.sweep.number.tolist()

    def test_another_range(self, qtbot: QtBot, page: WhatIfPage) -> None:
        page.last_field.setFocus()
        page.last_field.selectAll()
        QTest.keyClicks(page.last_field, "30000")
        QTest.keyClick(page.last_field, Qt.Key.Key_Return)
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert view.sweep.values[-1] == 30000.0

    def test_a_range_that_falls_is_refused(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        with qtbot.waitSignal(mail_session.message) as said:
            page.last_field.committed.emit(100.0)
        assert "must rise" in said.args[0]

    def test_an_end_that_is_no_number_is_refused_in_words(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        page.last_field.setFocus()
        page.last_field.selectAll()
        QTest.keyClicks(page.last_field, "many")
        with qtbot.waitSignal(mail_session.message) as said:
            QTest.keyClick(page.last_field, Qt.Key.Key_Return)
        assert said.args[0].startswith("Not changed: ")
        assert "many" in said.args[0]

    def test_an_edit_is_followed_with_a_mark(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        before = chart(page).view
        grown = mail_session.scenario.edit(
            Host, "h1", lambda host: replace(host, server="nehalem-ept")
        )
        mail_session.edit(grown, "Another server")
        mail_session.flush()
        assert page.reading.text() == "calculating …"
        settled(qtbot, page)
        after = chart(page).view
        assert after is not None
        assert before is not None
        assert after.sweep is not before.sweep
        assert page.reading.text().startswith("Drag the point")

    def test_nothing_to_vary_is_said(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        mail_session.edit(Scenario(name="Empty"), "Remove everything")
        mail_session.flush()
        qtbot.waitUntil(lambda: not page.has_chart)
        assert "Add hosts and VMs" in page.empty.text


class TestHandle:
    def test_dragging_shows_and_letting_go_is_one_step(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        canvas = chart(page).canvas.viewport()
        start = grip(page)
        QTest.mousePress(canvas, LEFT, pos=start)
        assert chart(page).is_held
        for way in (40, 80, 120):
            QTest.mouseMove(canvas, start + QPoint(way, 0))
        mail_session.flush()
        assert mail_session.view.is_preview
        assert users(mail_session) == 6000.0
        held = sum(vm.workload.active_users for vm in mail_session.view.scenario.vms)
        assert held > 6000.0
        view, whatif = mail_session.view, chart(page).view
        assert whatif is not None
        number = read(view.scenario, view.prediction, whatif.output)
        assert chart(page).held_number == number, "as the dials have it, not between two points"
        QTest.mouseRelease(canvas, LEFT, pos=start + QPoint(120, 0))
        mail_session.flush()
        assert users(mail_session) == pytest.approx(held)
        assert mail_session.stack.count() == 1
        assert mail_session.stack.undoText().startswith("Set Users of all VMs to ")
        assert not mail_session.view.is_preview
        mail_session.stack.undo()
        assert users(mail_session) == 6000.0
        mail_session.flush()
        settled(qtbot, page)

    def test_escape_puts_it_back(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        canvas = chart(page).canvas.viewport()
        start = grip(page)
        QTest.mousePress(canvas, LEFT, pos=start)
        QTest.mouseMove(canvas, start + QPoint(90, 0))
        QTest.keyClick(chart(page), Qt.Key.Key_Escape)
        mail_session.flush()
        assert not chart(page).is_held
        assert not mail_session.view.is_preview
        QTest.mouseRelease(canvas, LEFT, pos=start + QPoint(90, 0))
        assert mail_session.stack.count() == 0

    def test_a_press_elsewhere_holds_nothing(self, page: WhatIfPage) -> None:
        canvas = chart(page).canvas.viewport()
        QTest.mousePress(canvas, LEFT, pos=grip(page) + QPoint(200, -40))
        assert not chart(page).is_held
        QTest.mouseRelease(canvas, LEFT, pos=grip(page))

    def test_keys_move_it(self, qtbot: QtBot, page: WhatIfPage, mail_session: Session) -> None:
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        assert users(mail_session) == pytest.approx(6300.0)
        mail_session.flush()
        settled(qtbot, page)
        QTest.keyClick(chart(page), Qt.Key.Key_Left)
        assert users(mail_session) == pytest.approx(6000.0)
        mail_session.flush()
        settled(qtbot, page)

    def test_keys_pressed_faster_than_it_calculates_all_count(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        for pressed in range(1, 4):
            QTest.keyClick(chart(page), Qt.Key.Key_Right)
            assert users(mail_session) == pytest.approx(6000.0 + 300.0 * pressed)
            mail_session.flush()
            view = chart(page).view
            assert view is not None
            assert view.value == pytest.approx(users(mail_session))
        assert not page.is_settled
        mail_session.stack.undo()
        mail_session.flush()
        view = chart(page).view
        assert view is not None
        assert view.value == pytest.approx(6600.0)
        QTest.keyClick(chart(page), Qt.Key.Key_Left)
        assert users(mail_session) == pytest.approx(6300.0)
        mail_session.flush()
        settled(qtbot, page)

    def test_undo_of_a_key_takes_the_point_back(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        mail_session.flush()
        mail_session.stack.undo()
        mail_session.flush()
        view = chart(page).view
        assert view is not None
        assert view.value == 6000.0
        settled(qtbot, page)

    def test_keys_end_at_the_ends_of_the_range(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        for _ in range(22):
            QTest.keyClick(chart(page), Qt.Key.Key_Right)
        assert users(mail_session) == pytest.approx(12_000.0)
        assert mail_session.stack.count() == 20
        mail_session.flush()
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert view.sweep.values[[0, -1]].tolist() == [6000.0, 12_000.0]
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        assert mail_session.stack.count() == 20

    def test_a_key_moves_nothing_while_the_handle_is_held(
        self, page: WhatIfPage, mail_session: Session
    ) -> None:
        canvas = chart(page).canvas.viewport()
        QTest.mousePress(canvas, LEFT, pos=grip(page))
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        QTest.mouseRelease(canvas, LEFT, pos=grip(page))
        assert users(mail_session) == 6000.0
        assert not mail_session.stack.count()

    def test_no_point_of_one_design_stands_on_the_line_of_another(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        session = mail_session
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        session.flush()
        settled(qtbot, page)
        other = session.scenario.edit(Host, "h1", lambda host: replace(host, server="nehalem-ept"))
        session.edit(other, "Another server")
        session.flush()
        settled(qtbot, page)
        before = chart(page).view
        session.stack.undo()
        session.flush()
        assert chart(page).view is before
        settled(qtbot, page)
        assert chart(page).view is not before

    def test_no_point_stands_on_the_line_of_another_catalog(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        session = mail_session
        page.output_field.committed.emit(("dials", "", "cpu_pct"))
        settled(qtbot, page)
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        session.flush()
        before = chart(page).view
        server = session.catalog.servers[session.scenario.hosts[0].server]
        own = Catalog(servers={server.id: replace(server, cores=2)})
        session.edit_project(replace(session.project, own_catalog=own), "Fewer cores")
        session.flush()
        assert chart(page).view is before
        settled(qtbot, page)

    def test_the_range_stays_under_a_moving_point(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        mail_session.flush()
        settled(qtbot, page)
        view = chart(page).view
        assert view is not None
        assert view.sweep.values[0] == 6000.0
        assert view.value == pytest.approx(6300.0)

    @pytest.mark.parametrize("field", some(["response_ms", "cpu_pct"]))
    def test_from_nobody_the_point_goes_back(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session, field: str
    ) -> None:
        began = mail_session.scenario
        page.output_field.committed.emit(("dials", "", field))
        page.first_field.committed.emit(0.0)
        settled(qtbot, page)
        drag(qtbot, page, mail_session, -2000)
        assert (users(mail_session), page.input_field.value) == (0.0, ("", ALL_USERS))
        renamed = mail_session.scenario.edit(Host, "h1", lambda host: replace(host, name="first"))
        mail_session.edit(renamed, "Rename")
        mail_session.flush()
        settled(qtbot, page)
        drag(qtbot, page, mail_session, 200)
        there = users(mail_session)
        assert there > 0.0
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        assert users(mail_session) == pytest.approx(there + 600.0)
        now = users(mail_session)
        found = [vm.workload.active_users for vm in mail_session.scenario.vms]
        assert found == pytest.approx(
            [vm.workload.active_users * now / 6000.0 for vm in began.vms], abs=1.0
        )
        assert all(each.is_integer() for each in found)
        mail_session.flush()
        settled(qtbot, page)

    def test_hosts_that_were_added_go_again(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        began = mail_session.scenario
        page.input_field.committed.emit(("", HOST_COUNT))
        settled(qtbot, page)
        for count in (3, 4):
            QTest.keyClick(chart(page), Qt.Key.Key_Right)
            mail_session.flush()
            settled(qtbot, page)
            assert len(mail_session.scenario.hosts) == count
        QTest.keyClick(chart(page), Qt.Key.Key_Left)
        mail_session.flush()
        settled(qtbot, page)
        assert len(mail_session.scenario.hosts) == 3
        drag(qtbot, page, mail_session, -2000)
        assert mail_session.scenario.hosts == began.hosts

    def test_hosts_that_carry_vms_stay_and_that_is_said(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        page.input_field.committed.emit(("", HOST_COUNT))
        page.first_field.committed.emit(1.0)
        settled(qtbot, page)
        why = (
            "Not changed: 2 of these hosts carry VMs or are named by a rule, policy or waiver; "
            "only the others can be taken away."
        )
        with qtbot.waitSignal(mail_session.message) as said:
            QTest.keyClick(chart(page), Qt.Key.Key_Left)
        assert said.args == [why]
        canvas, start = chart(page).canvas.viewport(), grip(page)
        QTest.mousePress(canvas, LEFT, pos=start)
        with qtbot.waitSignal(mail_session.message) as said:
            QTest.mouseMove(canvas, start - QPoint(2000, 0))
        assert said.args == [why]
        assert grip(page).x() < start.x(), "the handle stays being dragged"
        view, held = chart(page).view, chart(page).held_number
        assert view is not None
        assert value_words(view, 1.0, held) == "1: not possible"
        mail_session.flush()
        assert not mail_session.view.is_preview
        QTest.mouseRelease(canvas, LEFT, pos=start - QPoint(2000, 0))
        mail_session.flush()
        assert grip(page) == start
        assert not mail_session.stack.count()
        view = chart(page).view
        assert view is not None
        assert not turns_words(view).startswith("Between 1 and 2"), "there is no design with one"

    def test_what_can_be_no_greater_moves_down(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session
    ) -> None:
        policy = replace(mail_session.scenario.policy, cpu_limit_pct=100.0)
        mail_session.edit(replace(mail_session.scenario, policy=policy), "All of it")
        mail_session.flush()
        settled(qtbot, page)
        page.input_field.committed.emit(("", "policy.cpu_limit_pct"))
        settled(qtbot, page)
        drag(qtbot, page, mail_session, -60)
        assert mail_session.scenario.policy.cpu_limit_pct < 100.0

    def test_whole_inputs_move_by_wholes(
        self, qtbot: QtBot, page: WhatIfPage, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("m1")
        settled(qtbot, page)
        page.input_field.committed.emit(("m1", "vcpus"))
        settled(qtbot, page)
        QTest.keyClick(chart(page), Qt.Key.Key_Right)
        assert mail_session.scenario.vm("m1").vcpus == 5
        assert mail_session.stack.undoText() == f"Set Mail-01 vCPUs to 5{THIN}vCPUs"
        mail_session.flush()
        settled(qtbot, page)


def pictured(
    number: Sequence[float], high: Sequence[float], *, limit: float | None, now: float | None = None
) -> WhatIfView:
    """A view of these numbers at 1,000, 1,100 … users."""
    numbers, highs = np.array(number), np.array(high)
    values = 1000.0 + 100.0 * np.arange(len(numbers), dtype=np.float64)
    codes = np.zeros(len(numbers), dtype=np.int8)
    of = SweepInput("", ALL_USERS, "Users", "users", 1000.0, Limit(), False)
    output = SweepOutput("dials", "", "response_ms", "Response", "ms", limit)
    today = Quantity(now or numbers[0], numbers[0], highs[0], Basis.MEASURED)
    nothing = (None,) * len(values)
    found = Sweep(values, numbers, numbers, highs, codes, nothing)
    return WhatIfView(found, of, output, 1000.0, today, ("",) * len(values))


class TestScale:
    """What is above the picture is said at its edge; what starts at nothing begins there."""

    def test_all_is_in_the_picture_where_it_can_be(self) -> None:
        view = pictured([40.0, 60.0], [50.0, 80.0], limit=70.0)
        assert bounds(view) == (0.0, 80.0)
        assert beyond_words(view, 80.0) == ""

    def test_a_limit_that_the_range_reaches_is_in_the_picture(self) -> None:
        view = pictured([98.0, 230.0], [250.0, 300_000.0], limit=1000.0)
        bottom, top = bounds(view)
        assert (bottom, top) == (0.0, 1600.0)
        assert beyond_words(view, top) == f"↑ range to 300,000{THIN}ms"

    def test_a_limit_far_above_is_named_at_the_edge(self) -> None:
        view = pictured([9.0, 10.0], [12.0, 14.0], limit=1000.0)
        assert bounds(view) == (0.0, 14.0)
        assert beyond_words(view, 14.0) == f"↑ limit 1,000{THIN}ms"
        assert not is_passed(view), "nothing to be alarmed at"
        assert is_passed(pictured([9.0, 10.0], [12.0, inf], limit=1000.0))

    def test_what_is_left_passes_its_limit_downwards(self) -> None:
        for left, passed in ((29.0, False), (-1.0, True)):
            view = pictured([29.0, left], [48.0, 48.0], limit=0.0)
            of_failures = replace(view.output, field=FAILURE)
            assert is_passed(replace(view, output=of_failures)) is passed

    def test_a_line_far_above_the_limit_leaves_the_picture(self) -> None:
        view = pictured([180.0, 33_000.0], [570.0, 159_000.0], limit=1000.0)
        assert bounds(view) == (0.0, 2500.0)
        assert beyond_words(view, 2500.0) == (f"↑ line to 33,000{THIN}ms, range to 159,000{THIN}ms")
        today = pictured([9000.0, 33_000.0], [9500.0, 40_000.0], limit=1000.0)
        assert bounds(today)[1] > 9000.0

    def test_what_is_below_nothing_is_in_the_picture(self) -> None:
        assert bounds(pictured([4.0, -20.0], [4.0, -20.0], limit=0.0)) == (-20.0, 4.0)

    def test_the_nought_is_written(self, page: WhatIfPage) -> None:
        axis = chart(page)._axes["left"]
        picture = QImage(8, 8, QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        _line, _ticks, texts = axis.generateDrawSpecs(painter)
        painter.end()
        assert "0" in {text for _, _, text in texts}

    def test_a_logarithmic_scale_has_room_for_all(self, page: WhatIfPage) -> None:
        shown = chart(page)
        page.log_button.click()
        view = shown.view
        assert view is not None
        assert shown.is_log
        bottom, top = shown.box.viewRange()[1]
        numbers = [*view.sweep.low, *view.sweep.high, view.output.limit or 0.0]
        assert 10**bottom <= min(numbers)
        assert max(numbers) <= 10**top
        place = shown.grip()
        assert place is not None
        assert shown.canvas.viewport().rect().contains(place.toPoint())
        page.log_button.click()
        assert not shown.is_log

    def test_it_is_for_response_times(self, qtbot: QtBot, page: WhatIfPage) -> None:
        for output in (("dials", "", "failure_pct"), ("dials", "", "cpu_pct")):
            page.output_field.committed.emit(("dials", "", "response_ms"))
            settled(qtbot, page)
            assert page.log_button.isVisible()
            page.log_button.setChecked(True)
            chart(page).set_log(True)
            assert chart(page).is_log
            page.output_field.committed.emit(output)
            settled(qtbot, page)
            assert not page.log_button.isVisible()
            assert not chart(page).is_log


class TestWhy:
    """A sign says what it stands for: which resource decides there."""

    def test_without_room_it_says_where_the_verdict_turns_and_not_why(
        self, page: WhatIfPage
    ) -> None:
        whole = chart(page).turns
        room = chart(page).fontMetrics().horizontalAdvance(whole)
        assert chart(page).fitting(whole, room + 1) == whole
        brief = chart(page).fitting(whole, room - 1)
        assert brief.startswith("At risk · between ")
        assert brief.endswith("does not fit")

    def test_it_says_where_the_verdict_turns_and_why(self, page: WhatIfPage) -> None:
        view = chart(page).view
        assert view is not None
        assert chart(page).turns.startswith("At risk (disks of DS4800 data) · between ")
        assert chart(page).turns in chart(page).accessibleDescription()
        fits = pictured([1.0, 2.0], [1.0, 2.0], limit=None)
        assert turns_words(fits) == ""
        codes = np.array([0, 2, 3], dtype=np.int8)
        turning = pictured([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], limit=None)
        turning = replace(
            turning, sweep=replace(turning.sweep, verdict=codes), causes=("", "A", "A")
        )
        assert turns_words(turning) == (
            f"Between 1,000 and 1,100{THIN}users at risk (A)"
            f" · between 1,100 and 1,200{THIN}users does not fit"
        )
        assert reading_words(turning, 1200.0).endswith("; does not fit (A)")
        assert reading_words(turning, 1140.0).endswith("; between at risk and does not fit")

    def test_a_turn_lies_where_the_search_finds_it(
        self, page: WhatIfPage, mail_session: Session
    ) -> None:
        """The verdict at the found turn is one that the line allows there."""
        session, view = mail_session, chart(page).view
        assert view is not None
        turns = np.flatnonzero(np.diff(view.sweep.verdict))
        assert len(turns)
        for place in turns.tolist():
            low, high = view.sweep.values[place : place + 2].tolist()
            middle = evaluate(
                varied(session.scenario, view.input, (low + high) / 2),
                session.knowledge,
            )
            assert middle.verdict.label in reading_words(view, (low + high) / 2)

    def test_the_cause_is_that_of_the_prediction(
        self, page: WhatIfPage, mail_session: Session
    ) -> None:
        view = chart(page).view
        assert view is not None
        session = mail_session
        for value, words in zip(view.sweep.values.tolist(), view.causes, strict=True):
            there = varied(session.scenario, view.input, value)
            prediction = evaluate(there, session.knowledge)
            cause = deciding(prediction)
            assert (cause is None) is (prediction.verdict is Verdict.FITS)
            assert words == ("" if cause is None else cause_text(cause, there, brief_of))

    def test_causes_in_words(self, mail_session: Session) -> None:
        scenario = mail_session.scenario
        ram = Binding(subject="h1", resource="ram_pct", mode=NORMAL, value=99.0, limit=100.0)
        assert cause_text(ram, scenario) == "RAM of esx1"
        assert cause_text(replace(ram, mode="h1"), scenario) == "RAM with esx1 gone"
        assert cause_text(replace(ram, stranded=2), scenario) == "2 VMs without room with esx1 gone"
        off = replace(ram, subject="m1", resource="power_on", rule="vm-maximum")
        assert cause_text(off, scenario) == "Mail-01 can’t be powered on"
        lone = Finding(
            rule="unplaced", severity=Severity.WARNING, subject="m1", clause="", fix="", source=""
        )
        assert cause_text(lone, scenario) == f"{rule_title('unplaced')}, Mail-01"
        assert cause_text(replace(lone, subject=""), scenario) == rule_title("unplaced")


class TestReading:
    def test_what_was_hovered_is_not_read_while_the_point_is_held(self, page: WhatIfPage) -> None:
        view = chart(page).view
        assert view is not None
        plot = chart(page)
        plot._hovered(plot.place_of(6300.0, 0.0))
        assert plot._pointer.isVisible()
        QTest.mousePress(plot.canvas.viewport(), LEFT, pos=grip(page))
        assert plot.is_held
        assert not plot._pointer.isVisible()
        assert page.reading.text() != reading_words(view, 6300.0)
        QTest.mouseRelease(plot.canvas.viewport(), LEFT, pos=grip(page))

    def test_hovering_reads_between_the_points(self, page: WhatIfPage) -> None:
        view = chart(page).view
        assert view is not None
        read = at(view.sweep, 6300.0)
        assert read is not None
        assert read[0] == pytest.approx((view.sweep.number[0] + view.sweep.number[1]) / 2)
        assert at(view.sweep, 100.0) is None
        words = reading_words(view, 6300.0)
        assert words.startswith(f"Users of all VMs 6,300{THIN}users: about ")
        assert words.endswith("; at risk (disks of DS4800 data)")
        place = chart(page).place_of(6300.0, read[0])
        chart(page)._hovered(place)
        assert page.reading.text() == words
        chart(page)._hovered(QPointF(-9.0, -9.0))
        assert page.reading.text() != words

    def test_figures_and_pictures_go_to_the_clipboard(self, page: WhatIfPage) -> None:
        QTest.mouseClick(page.data_button, LEFT)
        lines = QGuiApplication.clipboard().text().splitlines()
        assert lines[0] == (
            "Users of all VMs [users]\tResponse, slowest VM [ms]\tlow\thigh\tverdict\twhat decides"
        )
        assert len(lines) == 12
        assert lines[1].startswith("6000\t")
        assert lines[1].endswith("\tat risk\tdisks of DS4800 data")
        QTest.mouseClick(page.copy_button, LEFT)
        assert QGuiApplication.clipboard().pixmap().width() > 300
        QGuiApplication.clipboard().clear()

    def test_verdicts_differ_without_colour(self, page: WhatIfPage) -> None:
        """The signs are other shapes, so a greyscale print tells them apart."""
        from app.widgets.plots.whatif import SIGNS

        assert len(set(SIGNS.values())) == len(SIGNS)
        picture = chart(page).picture().toImage()
        grey = picture.convertToFormat(QImage.Format.Format_Grayscale8)
        shades = {
            grey.pixelColor(x, y).value()
            for x in range(0, grey.width(), 3)
            for y in range(0, grey.height(), 3)
        }
        assert len(shades) > 8

    def test_the_theme_reaches_it(self, page: WhatIfPage) -> None:
        light = chart(page).picture().toImage()
        LOOK.use(DARK)
        assert chart(page).picture().toImage() != light
        LOOK.use(LIGHT)


class TestBottleneck:
    def test_the_page_names_it(
        self, qtbot: QtBot, panel: ChartsPanel, mail_session: Session
    ) -> None:
        panel.setCurrentWidget(panel.utilisation)
        bars = panel.utilisation.chart
        assert isinstance(bars, UtilisationBars)
        view = mail_session.view
        loads = resource_loads(view.scenario, view.prediction)
        first = bottleneck(loads)
        assert first is not None
        names = {item.id: item.name for item in view.scenario.items()}
        assert bars.loads == loads
        nearer = nearest_failing(loads)
        assert nearer is not None
        assert panel.utilisation.reading.text() == (
            f"Bottleneck: {load_words(first, names)}; nearer still {load_words(nearer, names)}"
        )
        assert f"{load_words(first, names)}, the bottleneck" in bars.accessibleDescription()

    def test_words_in_an_empty_row_hide_no_part_of_the_bar_beside_it(self, place: Place) -> None:
        unknown, known = (
            ResourceLoad(label, "hosts", Gauge(field="cpu_pct", load=load, limit=70.0))
            for label, load in (("host CPU", None), ("host RAM", 0.5))
        )
        bars = UtilisationBars()
        place(bars, 900, 200)
        bars.show_loads((unknown, known), {})
        assert {words.fill.color().alpha() for words in bars._drawn["words"]} == {0}

    def test_in_low_rows_the_type_is_smaller(self, qtbot: QtBot, place: Place) -> None:
        loads = tuple(
            ResourceLoad(f"resource {n}", "vms", Gauge(field="cpu_pct", load=0.5, limit=70.0))
            for n in range(10)
        )
        bars = UtilisationBars()

        def whole() -> float:
            return QFontMetricsF(scaled_font(bars.font(), TYPE)).height()

        def sizes() -> set[float]:
            bars.grab()
            fonts = [each.textItem.font() for each in bars._drawn["words"]]
            fonts.append(bars._axes["left"].style["tickFont"])
            return {QFontMetricsF(font).height() for font in fonts}

        place(bars, 900, 150)
        bars.show_loads(loads, {})
        qtbot.waitUntil(lambda: max(sizes()) < whole())
        assert len(sizes()) == 1
        place(bars, 900, 400)
        qtbot.waitUntil(lambda: sizes() == {whole()})

    def test_bars_beyond_the_picture_leave_room_for_their_words(
        self, qtbot: QtBot, place: Place
    ) -> None:
        far, farther = (
            ResourceLoad(label, "vms", Gauge(field="cpu_pct", load=load, limit=70.0))
            for label, load in (("vCPUs", 100.0), ("disks", 20_000.0))
        )
        bars = UtilisationBars()
        place(bars, 900, 200)
        bars.show_loads((far, farther), {})
        qtbot.waitUntil(lambda: bars.box.width() > 300)
        end = bars.box.viewRange()[0][1]
        for each in bars.loads:
            assert 100.0 < bars._longest(end) <= end - bars._width(bars._text(each), end) + 1e-6
        assert load_words(farther, {"": "esx1"}).endswith("2,000,000\u202f% of the limit")
        said = [words.toPlainText() for words in bars._drawn["words"]]
        assert [words.startswith("→ ") for words in said] == [True, True]

    def test_words_stand_beside_a_long_bar_not_on_it(self, qtbot: QtBot, place: Place) -> None:
        long, short = (
            ResourceLoad(label, "vms", Gauge(field="cpu_pct", load=load, limit=70.0))
            for label, load in (("vCPUs", 2.4), ("disks", 0.3))
        )
        bars = UtilisationBars()
        place(bars, 500, 200)
        bars.show_loads((long, short), {})
        qtbot.waitUntil(lambda: bars.box.width() > 200)
        assert {words.fill.color().alpha() for words in bars._drawn["words"]} == {0}
        said = [words.toPlainText().startswith("→") for words in bars._drawn["words"]]
        assert sorted(said) == [False, True]

    @pytest.mark.parametrize("load", [0.97, 1.2, 1.9, 2.4])
    def test_words_cover_no_bar_in_a_narrow_chart(
        self, qtbot: QtBot, place: Place, load: float
    ) -> None:
        only = ResourceLoad("vCPUs", "vms", Gauge(field="cpu_pct", load=load, limit=70.0))
        bars = UtilisationBars()
        place(bars, 420, 200)
        bars.show_loads((only,), {})
        qtbot.waitUntil(lambda: 150 < bars.box.width() < 420)
        bars.redraw()
        (words,) = bars._drawn["words"]
        assert words.fill.color().alpha() == 0
        end = bars.box.viewRange()[0][1]
        assert words.pos().x() >= min(100.0 * load, bars._longest(end))

    def test_a_click_selects_and_a_second_asks_why(
        self, qtbot: QtBot, panel: ChartsPanel, selection: Selection
    ) -> None:
        panel.setCurrentWidget(panel.utilisation)
        bars = panel.utilisation.chart
        assert bars is not None
        qtbot.waitUntil(lambda: bars.box.height() > 100)
        at_rest(qtbot, panel)
        row = next(n for n, each in enumerate(bars.loads) if each.label == "host RAM")
        point = bars.canvas.mapFromScene(bars.place_of(5.0, len(bars.loads) - 1 - row))
        QTest.mouseClick(bars.canvas.viewport(), LEFT, pos=point)
        assert selection.ids == (bars.loads[row].gauge.subject,)
        with qtbot.waitSignal(panel.why_requested) as asked:
            bars.asked.emit(bars.loads[row])
        assert asked.args == [NumberRef("hosts", bars.loads[row].gauge.subject, "ram_pct")]

    def test_figures_of_resources_and_hosts(self, qtbot: QtBot, panel: ChartsPanel) -> None:
        panel.setCurrentWidget(panel.utilisation)
        panel.utilisation.copy_data()
        lines = QGuiApplication.clipboard().text().splitlines()
        assert lines[0].startswith("resource\titem\tvalue")
        assert any(line.startswith("host RAM\tesx") for line in lines)
        panel.setCurrentWidget(panel.load)
        panel.load.copy_data()
        assert "esx1\t" in QGuiApplication.clipboard().text()
        panel.setCurrentWidget(panel.curve)
        panel.curve.copy_data()
        text = QGuiApplication.clipboard().text()
        assert text.startswith("users\tresponse ms\tlow ms\thigh ms\n")
        assert "measured ms" in text
        QGuiApplication.clipboard().clear()

    def test_nothing_runs_yet(self, panel: ChartsPanel, mail_session: Session) -> None:
        panel.setCurrentWidget(panel.utilisation)
        mail_session.edit(Scenario(name="Empty"), "Remove everything")
        mail_session.flush()
        assert not panel.utilisation.has_chart


def test_a_legend_names_what_is_drawn_and_nothing_else(
    qtbot: QtBot, panel: ChartsPanel, mail_session: Session
) -> None:
    panel.setCurrentWidget(panel.whatif)
    qtbot.waitUntil(lambda: panel.whatif.is_settled and panel.whatif.has_chart)
    chart = panel.whatif.chart
    assert chart is not None
    assert chart.view is not None
    met = {Verdict(int(code)).label for code in chart.view.sweep.verdict if code >= 0}
    panel.whatif.legend.fit(2000)
    assert {words for _, words in panel.whatif.legend.entries} == {*met, "90 % range"}


def test_the_bottleneck_says_what_its_scale_is(qtbot: QtBot, panel: ChartsPanel) -> None:
    panel.setCurrentWidget(panel.utilisation)
    qtbot.waitUntil(lambda: panel.utilisation.has_chart)
    chart = panel.utilisation.chart
    assert chart is not None
    assert chart.level_name.startswith("% of its limit")


def test_a_low_chart_keeps_the_fullest_that_can_be_read(qtbot: QtBot, panel: ChartsPanel) -> None:
    panel.setCurrentWidget(panel.utilisation)
    qtbot.waitUntil(lambda: panel.utilisation.has_chart)
    chart = panel.utilisation.chart
    assert chart is not None
    chart.resize(600, 90)
    chart.redraw()
    few = len(chart.rows)
    assert 0 < few < len(chart.loads)
    assert bottleneck(chart.loads) in chart.rows
    assert chart.level_name == f"% of its limit, +{len(chart.loads) - few}"


def test_the_legend_never_widens_the_window(qtbot: QtBot, panel: ChartsPanel) -> None:
    for page in panel.pages:
        panel.setCurrentWidget(page)
        assert panel.minimumSizeHint().width() < 600


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_each_sign_of_a_legend_is_a_drawing_of_its_own(qtbot: QtBot, theme: Theme) -> None:
    signs = ("fits", "at-risk", "does-not-fit", "plain", "plain-hatched", "mark", "post", "band")
    drawings = set()
    for sign in signs:
        legend = Legend(((sign, "words"),))
        qtbot.addWidget(legend)
        LOOK.use(theme)
        legend.resize(legend.sizeHint())
        grey = legend.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        drawings.add(bytes(grey.constBits()))
    assert len(drawings) == len(signs)


def test_a_legend_says_how_many_signs_it_leaves_out(qtbot: QtBot) -> None:
    legend = Legend((("fits", "fits"), ("at-risk", "at risk"), ("band", "90 % range")))
    qtbot.addWidget(legend)
    assert legend.fit(1000)
    whole = legend.sizeHint().width()
    assert legend.fit(whole - 10)
    assert len(legend.entries) == 2
    assert legend.sizeHint().width() < whole - 10
    bare = Legend(legend.entries)
    qtbot.addWidget(bare)
    assert legend.sizeHint().width() > bare.sizeHint().width(), "+1"


def test_under_the_years_ahead_the_line_is_of_that_year(
    qtbot: QtBot, page: WhatIfPage, mail_session: Session
) -> None:
    """Over today's input, as that is what the point drags."""
    growth = Growth(years=3.0, users_pct=10.0)
    mail_session.change(lambda s: replace(s, growth=growth), "Plan")
    mail_session.look_ahead(2.0)
    mail_session.flush()
    qtbot.waitUntil(lambda: page.is_settled and page.reading.text().startswith("In 2 years"))
    assert page._shown is not None
    task, found = page._shown
    row = len(found.values) // 2
    there = grown(varied(task.scenario, task.input, float(found.values[row])), 2.0)
    expected = read(there, evaluate(there, task.knowledge), task.output)
    value = math.nan if expected.value is None else expected.value
    np.testing.assert_array_equal(found.number[row], value)
    shown = chart(page).view
    assert shown is not None
    assert shown.now == read(mail_session.studied, mail_session.view.prediction, task.output)
