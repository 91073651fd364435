"""The charts draw what the model says, where it says it, and only when they are looked at."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.chart_data import CurveView, curve_grid, host_loads
from app.widgets.chart_pages.curve import subject_vm
from app.widgets.charts_panel import ChartsPanel
from app.widgets.legend import Legend
from app.widgets.plots.canvas import LABEL_PX, Ticks
from app.widgets.plots.hosts import LoadBars, load_words
from app.widgets.plots.response import ResponseChart, crossing_words, reading_words
from models.base.quantities import Basis
from models.predict.predicted import NumberRef
from models.scenario.scenario import Scenario, Vm
from models.studies.curves import Crossing, response_curve
from tests.app import samples
from tests.app.sessions import Place, mail_vm, session_of, two_hosts


def users_of(scenario: Scenario, users: float) -> Scenario:
    def change(vm: Vm) -> Vm:
        return replace(vm, workload=replace(vm.workload, active_users=users))

    return scenario.edit(Vm, "m1", change)


@pytest.fixture
def panel(qtbot: QtBot, place: Place, mail_session: Session, selection: Selection) -> ChartsPanel:
    panel = ChartsPanel(mail_session, selection)
    place(panel, 900, 260)
    qtbot.waitUntil(lambda: panel.curve.chart is not None)
    return panel


def shown(panel: ChartsPanel) -> CurveView:
    assert panel.curve.chart is not None
    curve = panel.curve.chart.curve
    assert curve is not None
    return curve


def test_pyqtgraph_waits_until_a_chart_is_shown() -> None:
    code = "import sys, app.widgets.charts_panel; print('pyqtgraph' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_line_goes_through_the_prediction(panel: ChartsPanel, mail_session: Session) -> None:
    curve = shown(panel)
    assert curve.now is not None
    assert curve.now.response == mail_session.view.prediction.vms.quantity("m1", "response_ms")
    read = curve.at(curve.now.users)
    assert read is not None
    assert read[0] == pytest.approx(curve.now.response.value, rel=0.02)


def test_the_line_follows_an_edit(qtbot: QtBot, panel: ChartsPanel, mail_session: Session) -> None:
    mail_session.edit(users_of(mail_session.scenario, 3000.0), "Set users")
    mail_session.flush()
    qtbot.waitUntil(lambda: panel.curve.is_settled)
    now = shown(panel).now
    assert now is not None
    assert now.users == 3000.0
    assert "3,000" in panel.curve.reading.text()


def test_a_preview_says_that_it_calculates_and_shows_what_was(
    qtbot: QtBot, panel: ChartsPanel, mail_session: Session
) -> None:
    mail_session.preview(users_of(mail_session.scenario, 3000.0))
    mail_session.flush()
    assert panel.curve.reading.text() == "calculating …"
    qtbot.waitUntil(lambda: panel.curve.is_settled)
    curve = shown(panel)
    assert curve.before is not None
    assert curve.before.users == 2000.0
    assert curve.now is not None
    assert curve.now.users == 3000.0


def test_a_moving_hand_does_not_make_a_line_that_nobody_waits_for(
    qtbot: QtBot, panel: ChartsPanel, mail_session: Session
) -> None:
    mail_session.moved.emit()
    assert panel.curve.is_settled
    before = shown(panel)
    mail_session.preview(users_of(mail_session.scenario, 3000.0))
    mail_session.flush()
    mail_session.moved.emit()
    assert not panel.curve.is_settled
    assert shown(panel) is before
    qtbot.waitUntil(lambda: panel.curve.is_settled)
    assert shown(panel) is not before


def test_a_double_click_asks_why(qtbot: QtBot, panel: ChartsPanel, mail_session: Session) -> None:
    chart = panel.curve.chart
    assert chart is not None
    with qtbot.waitSignal(panel.why_requested) as signal:
        double_click(chart.canvas.viewport(), chart.canvas.viewport().rect().center())
    assert (signal.args or [])[0] == NumberRef("vms", "m1", "response_ms")
    panel.setCurrentWidget(panel.load)
    qtbot.waitUntil(lambda: bool(panel.load.chart and panel.load.chart.loads))
    bars = panel.load.chart
    assert bars is not None
    bars.grab()
    for offset, field in ((-0.2, "cpu_pct"), (0.2, "ram_pct")):
        at = QPointF(bars.canvas.mapFromScene(bars.place_of(offset, 5.0)))
        with qtbot.waitSignal(panel.why_requested) as signal:
            double_click(bars.canvas.viewport(), at.toPoint())
        assert (signal.args or [])[0] == NumberRef("hosts", "h1", field)


def double_click(widget: QWidget, at: QPoint) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=at)


def test_a_hidden_chart_costs_nothing(
    qtbot: QtBot, panel: ChartsPanel, mail_session: Session
) -> None:
    before = shown(panel)
    panel.setCurrentWidget(panel.load)
    mail_session.edit(users_of(mail_session.scenario, 4500.0), "Set users")
    mail_session.flush()
    assert panel.curve.is_settled
    assert shown(panel) is before
    panel.setCurrentWidget(panel.curve)
    qtbot.waitUntil(lambda: shown(panel) is not before)


def test_measured_points_and_doubted_ones_are_kept_apart(qtbot: QtBot) -> None:
    """WV21, Clovertown, VMFS, 14.5 GB: 861 ms at 3,000 users is doubted by its authors."""
    vm = replace(mail_vm(1, "h1", 4000.0), ram_gib=14.5)
    scenario = replace(two_hosts(0), vms=(vm,))
    session = session_of(scenario)
    curve = response_curve(scenario, session.knowledge, "m1", curve_grid(4000.0, 6000.0))
    view = CurveView(curve=curve, title="Mail-01", limit_ms=1000.0, now=None)
    assert [(p.users, p.response_ms) for p in view.points if p.doubted] == [(3000.0, 861.0)]
    assert "861" in reading_words(view, 3000.0)
    assert "doubted by its authors" in reading_words(view, 3000.0)
    assert "doubted" not in reading_words(view, 4000.0)
    assert view.right >= 6000.0
    session.deleteLater()


def test_a_selected_vm_is_shown_else_the_one_that_decides(
    mail_session: Session, selection: Selection
) -> None:
    mail_session.edit(users_of(mail_session.scenario, 4600.0), "Set users")
    mail_session.flush()
    view = mail_session.view
    chosen = subject_vm(view.scenario, view.prediction, selection)
    assert chosen is not None
    assert chosen.id == "m1"
    selection.select("m2")
    chosen = subject_vm(view.scenario, view.prediction, selection)
    assert chosen is not None
    assert chosen.id == "m2"
    empty = Scenario(name="Empty")
    assert subject_vm(empty, samples.prediction(empty), None) is None


def test_what_cannot_be_drawn_is_said(
    qtbot: QtBot, panel: ChartsPanel, mail_session: Session, selection: Selection
) -> None:
    mail_session.edit(mail_session.scenario.place(["m1"], None), "Take Mail-01 off its host")
    mail_session.flush()
    selection.select("m1")
    qtbot.waitUntil(lambda: not panel.curve.has_chart)
    assert "Mail-01" in panel.curve.empty.text
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    qtbot.waitUntil(lambda: "Add a VM" in panel.curve.empty.text)
    panel.setCurrentWidget(panel.load)
    assert "Add a host" in panel.load.empty.text


def test_hovering_reads_the_line(qtbot: QtBot, panel: ChartsPanel) -> None:
    chart = panel.curve.chart
    assert chart is not None
    at = chart.box.mapViewToScene(QPointF(3000.0, 100.0))
    chart._hovered(at)
    assert panel.curve.reading.text().startswith("3,000 users: about ")
    chart._hovered(QPointF(-5.0, -5.0))
    assert panel.curve.reading.text().startswith("Mail-01: ")


def test_the_limit_is_in_sight_on_both_scales(qtbot: QtBot, panel: ChartsPanel) -> None:
    chart = panel.curve.chart
    assert chart is not None
    for is_log in (False, True):
        panel.curve.log_button.setChecked(is_log)
        low, high = chart.box.viewRange()[1]
        limit = np.log10(1000.0) if is_log else 1000.0
        assert low < limit < high
    assert chart.is_log


def test_bars_are_the_hosts_and_a_click_selects_one(
    qtbot: QtBot, panel: ChartsPanel, mail_session: Session, selection: Selection
) -> None:
    panel.setCurrentWidget(panel.load)
    chart = panel.load.chart
    assert chart is not None
    view = mail_session.view
    assert chart.loads == host_loads(view.scenario, view.prediction)
    point = chart.canvas.mapFromScene(chart.box.mapViewToScene(QPointF(1.0, 20.0)))
    QTest.mouseClick(chart.canvas.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert selection.ids == ("h2",)


def test_bars_say_their_numbers(mail_session: Session) -> None:
    view = mail_session.view
    words = load_words(host_loads(view.scenario, view.prediction)[0])
    assert words.startswith("esx1: CPU about ")
    assert "if another host fails" in words


def test_many_hosts_are_drawn_without_names(qtbot: QtBot, place: Place) -> None:
    scenario = samples.scenario(60, 60)
    chart = LoadBars()
    place(chart, 800, 200)
    chart.show_loads(host_loads(scenario, samples.prediction(scenario)))
    assert set(chart._axes["bottom"].names) == {""}


def test_long_names_of_hosts_are_cut_in_their_middle_and_keep_their_height(
    qtbot: QtBot, place: Place
) -> None:
    scenario = samples.scenario(3, 3)
    few = host_loads(scenario, samples.prediction(scenario))
    chart = LoadBars()
    place(chart, 500, 200)
    chart.show_loads(few)
    axis = chart._axes["bottom"]
    chart.grab()
    height = axis.size().height()
    chart.show_loads(tuple(replace(load, name="") for load in few))
    chart.grab()
    chart.show_loads(tuple(replace(load, name=load.name + 80 * "x") for load in few))
    chart.grab()
    shown = axis.tickStrings([0.0, 1.0, 2.0], 1.0, 1.0)
    assert all("…" in name and len(name) > 8 for name in shown)
    assert axis.size().height() >= height


def test_a_line_above_its_limit_from_the_beginning_crosses_it_nowhere() -> None:
    at_once = Crossing(1.0, 1.0, 1.0, Basis.TRANSFERRED)
    assert crossing_words(at_once, 1000.0) == "above 1,000\u202fms from the first user on"
    later = Crossing(5000.0, 4400.0, 5600.0, Basis.EXTRAPOLATED)
    assert crossing_words(later, 1000.0).startswith("1,000\u202fms at about 5,000 users")


def test_what_an_axis_is_called_is_text_and_has_room(qtbot: QtBot, place: Place) -> None:
    chart = LoadBars()
    place(chart, 500, 200)
    chart._label("left", 40 * "<b>Mail</b> " + ", ms")
    words = chart._axes["left"].label.toPlainText()
    assert words.startswith("<b>Mail</b>")
    assert "…" in words
    assert words.endswith(", ms")
    assert chart._axes["left"].label.boundingRect().width() < 200


def test_where_a_name_has_no_room_beside_an_axis_its_unit_stands_alone(
    qtbot: QtBot, place: Place
) -> None:
    chart = LoadBars()
    place(chart, 500, 90)
    chart._label("left", "response of Mail-02, ms")
    label = chart._axes["left"].label
    assert label.toPlainText() == "ms"
    chart.resize(500, 400)
    qtbot.waitUntil(lambda: label.toPlainText() == "response of Mail-02, ms")


@pytest.mark.parametrize(("name", "said"), [("Mail-01, ms", "ms"), ("users waiting", "")])
def test_a_short_name_beside_an_axis_is_not_cut(place: Place, name: str, said: str) -> None:
    chart = LoadBars()
    place(chart, 500, 60)
    chart._label("left", name)
    assert chart._axes["left"].label.toPlainText() == said


def test_the_numbers_of_a_low_axis_stand_apart() -> None:
    (step, values), *_ = Ticks("left").tickValues(0.0, 50_000.0, 40.0)
    assert len(values) >= 2
    assert step * 40.0 / 50_000.0 >= LABEL_PX


def test_a_picture_for_the_clipboard(panel: ChartsPanel) -> None:
    panel.curve.copy_button.click()
    picture = QGuiApplication.clipboard().pixmap()
    assert picture.width() > 300
    QGuiApplication.clipboard().clear()


def test_the_theme_reaches_the_charts(panel: ChartsPanel) -> None:
    LOOK.use(DARK)
    chart = panel.curve.chart
    assert isinstance(chart, ResponseChart)
    picture = chart.picture().toImage()
    assert picture.pixelColor(1, 1) == QColor(DARK.panel)


def test_a_name_in_the_tip_of_a_legend_is_no_markup(qtbot: QtBot) -> None:
    legend = Legend((("dot", "<b>Mail</b>"), ("band", "<i>Chat</i>")))
    qtbot.addWidget(legend)
    assert not legend.fit(0)
    assert "&lt;b&gt;Mail&lt;/b&gt;, &lt;i&gt;Chat&lt;/i&gt;" in legend.toolTip()


def test_legends_speak(qtbot: QtBot) -> None:
    legend = Legend((("dot", "measured"), ("band", "90 % interval")))
    qtbot.addWidget(legend)
    assert legend.accessibleName() == "Legend: measured, 90 % interval"


def test_more_users_are_another_place_on_the_same_line(
    qtbot: QtBot, panel: ChartsPanel, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    qtbot.waitUntil(lambda: panel.curve.is_settled)
    before = shown(panel)
    mail_session.edit(users_of(mail_session.scenario, 3100.0), "Set users")
    mail_session.flush()
    qtbot.waitUntil(lambda: panel.curve.is_settled)
    after = shown(panel)
    assert after.curve is before.curve
    assert after.now is not None
    read = after.at(3100.0)
    assert read is not None
    assert read[0] == pytest.approx(after.now.response.value, rel=0.02)
    crowded = mail_session.scenario.place(["m2"], "h1")
    mail_session.edit(crowded, "Move Mail-02 to esx1")
    mail_session.flush()
    qtbot.waitUntil(lambda: panel.curve.is_settled)
    assert shown(panel).curve is not before.curve


def test_the_legend_is_on_a_level_with_the_tabs(place: Place, panel: ChartsPanel) -> None:
    place(panel, 1200, 240)
    legend, tabs = panel.curve.legend, panel.tabBar()
    assert legend.isVisible()
    middle = legend.mapTo(panel, legend.rect().center()).y()
    assert abs(middle - tabs.geometry().center().y()) <= 2


def test_no_chart_loads_opengl() -> None:
    """Qt's modules for it are large, and the bundle doesn't hold them."""
    stand_ins = [sys.modules[f"PySide6.{name}"] for name in ("QtOpenGL", "QtOpenGLWidgets")]
    assert [getattr(module, "__file__", None) for module in stand_ins] == [None, None]
