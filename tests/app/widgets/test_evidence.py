"""The Evidence page: a sentence from the validation, points that open their source, any row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_calibration, shipped_evidence, shipped_validation
from app.look import LOOK
from app.theme import DARK, THEMES, Theme
from app.widgets.evidence.cell_view import SIGNS, sign_ink
from app.widgets.evidence.page import EvidencePage
from app.widgets.evidence.run import AccuracyRun, Held, calculate
from app.widgets.plots.accuracy import AccuracyChart, point_words
from app.widgets.sections.table import TableView
from app.wording import kept_together
from app.work import Cancelled, Context, InlineWorker, Job, Worker
from models.base.errors import ModelError
from models.fitting.point_errors import doubted_points, unprinted_points
from models.scenario.wording import THIN
from models.tell.accuracy import accuracy_words, below_headline, headline, transfer_words
from tests.app.gestures import at_rest
from tests.app.sessions import Place

CELL_861 = "wv21/clovertown/vmfs/14.5gb/3000/response_ms"
CPU_4000 = "wv21/clovertown/vmfs/14.5gb/4000/cpu_pct"


class Shelf:
    """A pool that keeps jobs until they are run by hand."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start(self, job: Job, /) -> None:
        self.jobs.append(job)

    def work(self) -> None:
        while self.jobs:
            self.jobs.pop().run()


@pytest.fixture(scope="module")
def held() -> Held:
    calibration, rows = shipped_calibration(), shipped_evidence()
    return Held(
        shipped_validation(),
        doubted_points(calibration),
        unprinted_points(calibration, rows),
    )


@pytest.fixture
def shelf(qtbot: QtBot) -> Shelf:
    return Shelf()


@pytest.fixture
def run(shelf: Shelf, held: Held) -> Iterator[AccuracyRun]:
    def known(context: Context) -> Held:
        context.check()
        context.report(0.5)
        return held

    worker = Worker(shelf)
    yield AccuracyRun(worker, known, worker)
    worker.deleteLater()


@pytest.fixture
def waiting(place: Place, run: AccuracyRun) -> EvidencePage:
    """The page while its numbers are calculated."""
    page = EvidencePage(run, shipped_evidence())
    place(page, 1340, 700)
    return page


@pytest.fixture
def page(waiting: EvidencePage, shelf: Shelf) -> EvidencePage:
    shelf.work()
    return waiting


@pytest.fixture
def chart(qtbot: QtBot, page: EvidencePage) -> AccuracyChart:
    page.tabs.setCurrentWidget(page.points)
    page.points.quantity.choose("response_ms")
    qtbot.waitUntil(lambda: page.points.chart is not None)
    chart = page.points.chart
    assert chart is not None
    qtbot.waitUntil(lambda: chart.canvas.width() > 300)
    at_rest(qtbot, page)
    return chart


def place_of(chart: AccuracyChart, id: str) -> QPointF:
    """Where a point stands in the scene."""
    each = next(point for point in chart.points if point.id == id)
    at = QPointF(chart._at(each.point.measured), chart._at(each.point.predicted))
    spot: QPointF = chart.box.mapViewToScene(at)
    return spot


class TestCalculating:
    def test_it_says_so_and_the_evidence_can_be_read_meanwhile(
        self, waiting: EvidencePage, run: AccuracyRun
    ) -> None:
        assert run.is_running
        assert waiting.headline.text().startswith("Calculating")
        assert waiting.progress.isVisible()
        assert waiting.tabs.currentWidget() is waiting.waiting
        waiting.open_row(CPU_4000)
        assert waiting.rows.card.row is not None
        assert waiting.rows.card.row.id == CPU_4000

    def test_its_result_is_shown_and_kept(
        self, page: EvidencePage, run: AccuracyRun, held: Held, shelf: Shelf
    ) -> None:
        assert run.result is held
        assert not run.is_running
        assert not page.progress.isVisible()
        assert page.tabs.currentWidget() is page.accuracy
        assert page.tabs.tabText(0) == "Accuracy"
        run.start()
        assert shelf.jobs == []

    def test_what_nobody_waits_for_is_dropped(
        self, waiting: EvidencePage, run: AccuracyRun, shelf: Shelf
    ) -> None:
        run.cancel()
        assert not run.is_running
        shelf.work()
        assert run.result is None
        run.start()
        shelf.work()
        assert run.result is not None

    def test_a_failure_is_said_and_can_be_tried_again(self, qtbot: QtBot, place: Place) -> None:
        def fails(_context: Context) -> Held:
            raise ModelError("is not in the evidence", field="wv21/lost")

        worker = InlineWorker()
        run = AccuracyRun(worker, fails, worker)
        page = EvidencePage(run, shipped_evidence())
        place(page, 900, 500)
        assert "could not be calculated" in page.headline.text()
        assert "wv21/lost" in page.below.text()
        assert page.again.isVisible()
        assert not run.is_running
        worker.deleteLater()

    def test_an_error_of_the_program_is_reported(self, qtbot: QtBot, place: Place) -> None:
        def breaks(_context: Context) -> Held:
            raise KeyError("wv21")

        worker = InlineWorker()
        run = AccuracyRun(worker, breaks, worker)
        with qtbot.captureExceptions() as raised:
            page = EvidencePage(run, shipped_evidence())
            place(page, 900, 500)
        assert [kind for kind, _error, _trace in raised] == [KeyError]
        assert page.below.text() == "an error of the program."
        assert page.again.isVisible()
        assert not run.is_running
        worker.deleteLater()

    def test_the_calculation_ends_between_two_fits_when_it_is_given_up(self) -> None:
        from threading import Event

        shares: list[float] = []
        event = Event()

        def report(share: float) -> None:
            shares.append(share)
            if share > 0:
                event.set()

        with pytest.raises(Cancelled):
            calculate(Context(event, report))
        assert shares[0] == 0.0
        assert max(shares) < 0.5


class TestWords:
    def test_the_sentence_takes_its_numbers_from_the_validation(self, held: Held) -> None:
        validation = held.validation
        assert headline(validation).startswith("Held out, CPU errs by ")
        changed = tuple(
            replace(row, mape_pct=11.1) if row.split == "inside" else replace(row, mape_pct=22.2)
            for row in validation.accuracy
        )
        assert headline(replace(validation, accuracy=changed)) == (
            f"Held out, CPU errs by 11.1{THIN}% inside the measured loads and 22.2{THIN}% beyond "
            f"them; response time by 11.1{THIN}% and 22.2{THIN}%."
        )
        assert headline(replace(validation, accuracy=())) == "Nothing could be held out."

    def test_what_stands_below_counts_each_figure_once(self, held: Held) -> None:
        words = below_headline(held.validation, len(held.doubted))
        alone = [p for p in held.validation.points if p.split != "series"]
        share = 100 * sum(p.low <= p.measured <= p.high for p in alone) / len(alone)
        assert f"{share:.0f}{THIN}% of {len(alone)} figures" in words
        assert "2 cells that their authors doubt are shown and never counted." in words
        assert "naive" in words

    def test_each_row_of_the_table_can_be_read_out(self, page: EvidencePage, held: Held) -> None:
        row = held.validation.accuracy[4]
        said = [label.text() for label in page.accuracy.view.findChildren(QLabel)]
        assert any(kept_together(accuracy_words(row)) in text for text in said)
        assert f"{row.n} points" in accuracy_words(row)
        counts = [len(view.table.rows) for view in page.accuracy.view.findChildren(TableView)]
        validation = held.validation
        assert counts[0] == len(validation.accuracy) + len(validation.applied)
        assert counts[1] == len(validation.baselines)

    def test_families_are_held_against_each_other(self, held: Held) -> None:
        words = dict.fromkeys(transfer_words(held.validation))
        assert len(words) == 7
        off = f"4 figures, off by 10.0{THIN}% on average"
        assert (
            "A · Domino mail on ESX 3",
            f"CPU by SPEC rate per core: {off}, 4 inside their ranges.",
        ) in words


class TestPoints:
    def test_a_row_of_the_accuracy_table_leads_to_its_points(
        self, page: EvidencePage, held: Held
    ) -> None:
        row = next(r for r in held.validation.accuracy if r.split == "beyond")
        table = page.accuracy.view.findChildren(TableView)[0]
        table.setCurrentIndex(table.model().index(held.validation.accuracy.index(row), 0))
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert page.tabs.currentWidget() is page.points
        assert len(page.points.shown) == row.n
        assert f"mean error {row.mape_pct:.1f}" in page.points.reading.text()

    def test_a_click_on_a_point_opens_its_source(
        self, page: EvidencePage, chart: AccuracyChart
    ) -> None:
        spot = chart.canvas.mapFromScene(place_of(chart, CELL_861))
        QTest.mouseClick(chart.canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        card = page.points.card
        assert card.row is not None
        assert card.row.id == CELL_861
        assert card.shown["As printed"] == "861"
        assert card.shown["Storage mode"] == "VMFS"
        assert card.shown["RAM"] == f"14.5{THIN}GB"
        assert card.shown["Users"] == "3,000"
        assert card.shown["Table"] == "Intel Clovertown results"
        assert card.shown["Document"].startswith("VMworld 2007 WV21")
        assert "Note" in card.shown
        assert "Platform" in card.shown
        assert chart.chosen == CELL_861
        current = page.points.view.current
        assert current is not None
        assert current.value.id == CELL_861

    def test_a_row_of_the_table_does_the_same_by_key(
        self, page: EvidencePage, chart: AccuracyChart
    ) -> None:
        view = page.points.view
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Down)
        current = view.current
        assert current is not None
        assert page.points.card.row is not None
        assert page.points.card.row.id == current.value.id == chart.chosen

    def test_hovering_names_the_point(self, page: EvidencePage, chart: AccuracyChart) -> None:
        summary = page.points.reading.text()
        chart._hovered(place_of(chart, CELL_861))
        words = page.points.reading.text()
        assert words.startswith(f"Clovertown VMFS 14.5{THIN}GB, 3,000 users: measured 861{THIN}ms")
        assert words.endswith("doubted by its authors, not counted")
        chart._hovered(QPointF(-9.0, -9.0))
        assert page.points.reading.text() == summary

    def test_response_is_drawn_on_log_scales_and_cpu_is_not(
        self, page: EvidencePage, chart: AccuracyChart
    ) -> None:
        assert chart.is_log
        low, high = chart.box.viewRange()[0]
        assert 10**low < min(p.point.measured for p in chart.points) < 10**high
        page.points.quantity.choose("cpu_pct")
        assert not chart.is_log
        assert chart.box.viewRange()[0][0] == 0.0

    def test_doubted_cells_are_drawn_and_never_counted(
        self, page: EvidencePage, chart: AccuracyChart, held: Held
    ) -> None:
        for split in ("inside", "beyond", "series"):
            page.points.split.choose(split)
            row = next(
                r
                for r in held.validation.accuracy
                if (r.quantity, r.split) == ("response_ms", split)
            )
            assert len(chart.points) == row.n + 2
            assert page.points.reading.text().startswith(f"{row.n} points: ")
            assert "; 2 doubted, 2 not printed, not counted" in page.points.reading.text()

    def test_runs_whose_response_was_not_printed_are_extrapolated_and_no_failure(
        self, page: EvidencePage, chart: AccuracyChart
    ) -> None:
        page.points.quantity.choose("response_ms")
        page.points.choose("wv21/clovertown/rdm/7.25gb/5000/response_ms")
        row = page.points.view.current
        assert row is not None
        assert (row.cells[2], row.cells[5], row.cells[6]) == ("not printed", "–", "extrapolated")
        assert row.cells[3] == f"14,000{THIN}ms"
        assert row.cells[4] == "200–48,000"
        assert not any(each.is_unprinted for each in chart.points)
        assert page.points.reading.text().endswith("; 2 doubted, 2 not printed, not counted")
        assert page.points.card.row is not None
        assert page.points.card.row.kind == "blank"

    def test_one_series_at_a_time(self, page: EvidencePage, chart: AccuracyChart) -> None:
        page.points.series.choose("wv21/x366/vmfs/6gb")
        assert {each.series for each in chart.points} == {"wv21/x366/vmfs/6gb"}
        assert sum(each.is_doubted for each in chart.points) == 1

    def test_a_family_without_points_says_why(
        self, page: EvidencePage, chart: AccuracyChart
    ) -> None:
        page.points.family.choose("C")
        assert not page.points.empty.isHidden()
        assert page.points.empty.text.startswith("Family C has no held-out points. Single figures")
        assert page.points.view.proxy.rowCount() == 0
        page.points.family.choose("A")
        assert page.points.view.proxy.rowCount() > 0

    def test_the_source_leads_to_all_evidence(
        self, page: EvidencePage, chart: AccuracyChart
    ) -> None:
        page.points.choose(CELL_861)
        page.points.card.link.click()
        assert page.tabs.currentWidget() is page.all_rows
        current = page.rows.view.current
        assert current is not None
        assert current.key == CELL_861

    def test_points_inside_and_outside_differ_in_words(
        self, held: Held, chart: AccuracyChart
    ) -> None:
        words = {point_words(p).endswith("outside its range") for p in chart.points}
        assert words == {True, False}


class TestRows:
    def test_typing_narrows_and_says_how_many_are_left(self, page: EvidencePage) -> None:
        page.tabs.setCurrentWidget(page.all_rows)
        page.rows.search.setText("Sametime VMFS")
        found = page.rows.proxy.rowCount()
        assert 0 < found < len(shipped_evidence())
        assert page.rows.count.text() == f"{found} of {len(shipped_evidence()):,} rows"
        page.rows.search.setText("nothing like that")
        assert not page.rows.empty.isHidden()
        assert page.rows.view.isHidden()

    def test_down_goes_from_the_search_to_the_rows(self, page: EvidencePage) -> None:
        page.tabs.setCurrentWidget(page.all_rows)
        page.rows.search.setFocus()
        QTest.keyClick(page.rows.search, Qt.Key.Key_Down)
        assert page.rows.view.hasFocus()

    def test_a_document_offers_its_own_quantities(self, page: EvidencePage) -> None:
        rows = page.rows
        rows.family.choose("D")
        documents = {row.document for row in shipped_evidence() if row.family == "D"}
        assert rows.document.count() == len(documents) + 1
        assert rows.quantity.count() == 1 + len(
            {row.metric for row in shipped_evidence() if row.family == "D"}
        )

    def test_a_row_is_found_behind_every_filter(self, page: EvidencePage) -> None:
        page.rows.search.setText("sametime")
        page.rows.kind.choose("blank")
        page.open_row(CELL_861)
        current = page.rows.view.current
        assert current is not None
        assert current.key == CELL_861
        assert page.rows.count.text() == f"{len(shipped_evidence()):,} rows"
        page.open_row("no/such/row")
        assert page.rows.view.current is current or page.rows.view.current == current

    def test_blank_cells_say_that_there_is_no_figure(self, page: EvidencePage) -> None:
        page.open_row("wv21/clovertown/vmfs/14.5gb/6000/cpu_pct")
        card = page.rows.card
        assert card.shown["As printed"] == "nothing"
        assert "blank in the source" in card.shown["Kind"]
        assert "blank" in card._about.text()


def test_everything_can_be_reached_and_has_a_name(page: EvidencePage) -> None:
    parts = [
        *page.accuracy.view.findChildren(TableView),
        *(page.points.view, page.rows.view),
        *(page.rows.search, page.points.family, page.points.series, page.rows.quantity),
        *(page.points.legend, page.progress, page.points.card, page),
    ]
    names = [part.accessibleName() for part in parts]
    assert all(names)
    for part in parts[:8]:
        assert part.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_the_theme_reaches_chart_and_signs(page: EvidencePage, chart: AccuracyChart) -> None:
    LOOK.use(DARK)
    assert chart.picture().toImage().pixelColor(1, 1) == QColor(DARK.panel)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_signs_are_told_by_shape_as_well_as_colour(theme: Theme) -> None:
    assert len(set(SIGNS.values())) == len(SIGNS)
    assert all(theme.ink(sign_ink(mark)).startswith("#") for mark in SIGNS)
