"""The page of recommendations: what is asked, what is found, and what becomes of a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.fields.several import SeveralField
from app.widgets.sections.view import TableWidget
from app.windows.recommend_page import RecommendPage
from db.price_book import read_price_book
from models.options.purchasable import is_sold
from models.options.refresh import Refresh
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from tests.app.sessions import session_of, two_hosts
from tests.models.customer_site import two_sites


@pytest.fixture(scope="module")
def session() -> Session:
    return session_of(Scenario(name="Empty"))


@pytest.fixture
def page(qtbot: QtBot, session: Session, tmp_path: Path) -> Iterator[RecommendPage]:
    window = RecommendPage(session)
    qtbot.addWidget(window)
    window.server.show_value("xeon6-6730p")
    window.array.show_value("aff-a800")
    window.numbers["users"].show_value(3000)
    window.numbers["registered"].show_value(7000)
    yield window
    window.give_up()


def found(page: RecommendPage, qtbot: QtBot) -> None:
    page.look()
    qtbot.waitUntil(lambda: page.option is not None)


def test_options_are_found_and_a_row_becomes_a_scenario(
    page: RecommendPage, session: Session, qtbot: QtBot
) -> None:
    assert not page.holds_work()
    found(page, qtbot)
    before = session.project
    page.choose("1")
    assert page.holds_work()
    page.adopt()
    assert not page.holds_work()
    assert session.view.committed.verdict is Verdict.FITS
    assert session.project.baseline == session.project.active
    session.stack.undo()
    assert session.project == before


def test_a_point_of_the_chart_is_an_option(page: RecommendPage, qtbot: QtBot) -> None:
    found(page, qtbot)
    page.resize(1100, 700)
    page.picture.grab()
    chart = page.picture.chart
    number, place = list(chart.drawn.items())[-1]
    at = chart.canvas.mapFromScene(chart.place_of(*place))
    with qtbot.waitSignal(chart.chosen) as chosen:
        QTest.mouseClick(chart.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen.args == [str(number)]
    assert page.option is chart.options[number - 1]


def test_arrow_keys_go_from_point_to_point_and_a_card_takes_its_option(
    page: RecommendPage, session: Session, qtbot: QtBot
) -> None:
    found(page, qtbot)
    chart, cards = page.picture.chart, page.picture.cards.cards
    order = sorted(chart.drawn, key=lambda number: chart.drawn[number])
    page.choose(str(order[0]))
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert page._current == str(order[1])
    assert chart.accessibleDescription().startswith(f"{order[1]}: ")
    number, card = next(reversed(cards.items()))
    option = chart.options[int(number) - 1]
    assert "most headroom" in option.names
    assert option.holds is not None
    assert option.holds.drives in card.accessibleName()
    card.take.click()
    assert len(session.scenario.hosts) == option.hosts
    assert session.scenario.pools == option.scenario.pools
    session.stack.undo()


BOOK = """Item;Price;Price a year;Currency
server;9000;400;EUR
processor;included;;
ram;6;;
array;20000;1500;
drive;410;;
hypervisor-core;;190;
"""


def test_a_price_book_sets_headroom_against_money(
    page: RecommendPage, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not page.rank.isEnabled()
    book = tmp_path / "prices.csv"
    book.write_text(BOOK, encoding="utf-8")
    session.set_prices(read_price_book(book))
    found(page, qtbot)
    chart = page.picture.chart
    assert chart.measure.name == "cost over 3 years, EUR"
    at_first = chart.options[0].cost
    assert at_first is not None
    assert chart.drawn[1][0] == pytest.approx(float(at_first.total))
    cards = page.picture.cards.cards
    assert all("EUR" in card.cost.text() for card in cards.values())
    assert all("host more: " in card.holds[-1].text() for card in cards.values())


def test_the_board_is_what_is_asked_for_where_it_has_vms(qtbot: QtBot, tmp_path: Path) -> None:
    session = session_of(two_hosts())
    window = RecommendPage(session)
    qtbot.addWidget(window)
    assert window.requirement().vms == session.scenario.vms
    window.of.setCurrentIndex(0)
    assert not window.requirement().vms
    assert window.requirement().loads[0].work.active_users == 12_000


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_row_of_the_table_takes_one_line(page: RecommendPage, qtbot: QtBot) -> None:
    found(page, qtbot)
    page.resize(1280, 760)
    page.show()
    table = next(each.view for each in page.view.blocks if isinstance(each, TableWidget))
    high = table.fontMetrics().height()
    rows = [row for row in range(len(table.table.rows)) if not table.table.rows[row].words[1]]
    assert rows
    assert all(table.rowHeight(row) < 2 * high for row in rows)


# --- a refresh ------------------------------------------------------------------------------------


@pytest.fixture
def refresh(qtbot: QtBot, tmp_path: Path) -> Iterator[RecommendPage]:
    window = RecommendPage(session_of(two_sites()))
    qtbot.addWidget(window)
    window.server.show_value("dl380g10p")
    window.array.show_value("gen-afa-mid")
    yield window
    window.give_up()


def ticked(page: RecommendPage, field: SeveralField, *rows: int) -> None:
    """Opens a field, ticks rows of its list, and closes it, as a hand does."""
    page.show()
    opened = field.open_list()
    for row in rows:
        opened.list.item(row).setCheckState(Qt.CheckState.Checked)
    QTest.keyClick(opened.list, Qt.Key.Key_Return)


def replaced(page: RecommendPage, qtbot: QtBot) -> Refresh:
    QTest.mouseClick(page.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page._refresh is not None and not page.work.is_running)
    assert page._refresh is not None
    return page._refresh


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_stands_in_several_places_is_refreshed_by_sites(
    refresh: RecommendPage, qtbot: QtBot
) -> None:
    assert refresh.of.currentData() == "refresh"
    ticked(refresh, refresh.asked.sites, 0)
    assert refresh.asked.asked == (("north",), (), None)
    of_south = replaced(refresh, qtbot)
    assert [each.part.name for each in of_south.parts] == ["North"]
    session = refresh._session
    before = session.project
    with qtbot.waitSignal(refresh.left):
        QTest.mouseClick(refresh.take, Qt.MouseButton.LeftButton)
    after = session.project
    assert after.baseline == before.active
    assert after.scenario.name == "Site, refreshed"
    assert {vm.id for vm in after.scenario.vms} == {vm.id for vm in before.scenario.vms}
    assert after.scenario.growth.load_pct == before.scenario.growth.load_pct
    session.stack.undo()
    assert session.project == before


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_row_takes_another_design_for_its_site(refresh: RecommendPage, qtbot: QtBot) -> None:
    ticked(refresh, refresh.asked.sites, 0)
    first = replaced(refresh, qtbot).parts[0]
    assert len(first.choices) > 1
    table = next(each.view for each in refresh.view.blocks if isinstance(each, TableWidget))
    row = next(place for place, each in enumerate(table.table.rows) if each.subject == "0/1")
    at = table.visualRect(table.table.index(row, 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert refresh._refresh is not None
    assert refresh._refresh.parts[0].taken == 1
    cards = refresh.picture.cards.cards
    assert len(cards) == len(first.choices)
    assert cards["2"].isChecked()
    cards["1"].take.click()
    assert refresh._refresh.parts[0].taken == 0
    refresh.choose("0/1")
    hosts = {host.id for host in first.choices[1].option.scenario.hosts}
    assert len(refresh._refresh.scenario.hosts) == refresh._refresh.stays + len(hosts)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_clusters_are_those_of_the_sites_and_can_go_to_one(refresh: RecommendPage) -> None:
    ticked(refresh, refresh.asked.sites, 0)
    field = refresh.asked.clusters
    refresh.show()
    opened = field.open_list()
    assert opened.list.count() == 3
    QTest.keyClick(opened.list, Qt.Key.Key_Escape)
    assert refresh.asked.into.count() == 1
    refresh.asked.sites.committed.emit(())
    refresh.asked.into.committed.emit("south")
    assert refresh.asked.asked == ((), (), "south")


def test_vms_without_figures_are_said_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    silent = tuple(
        replace(vm, workload=replace(vm.workload, cpu_mhz=None)) for vm in two_sites().vms
    )
    session = session_of(replace(two_sites(), vms=silent))
    window = RecommendPage(session)
    qtbot.addWidget(window)
    assert window.state.text().startswith("Not known: 60 VMs bring no figure of their CPU")
    window.of.setCurrentIndex(window.of.findData("board"))
    assert window.state.text().startswith("Not known: 60 VMs bring no figure of their CPU")
    window.of.setCurrentIndex(0)
    assert "Not known" not in window.state.text()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_an_edit_puts_a_refresh_away(refresh: RecommendPage, qtbot: QtBot) -> None:
    ticked(refresh, refresh.asked.sites, 0)
    replaced(refresh, qtbot)
    session = refresh._session
    session.edit(replace(session.scenario, notes="else"), "Note")
    assert not refresh.take.isEnabled()
    assert "look again" in refresh.state.text()


def test_a_search_can_be_stopped(page: RecommendPage) -> None:
    page.server.show_value(None)
    assert page._place.currentWidget() is page.empty
    page.look()
    assert page._place.currentWidget() is page.empty
    assert "Looking" in page.empty.text
    assert not page.stop.isHidden()
    page.give_up()
    assert page.stop.isHidden()
    assert page.go.isEnabled()


def test_nothing_found_says_so(page: RecommendPage, qtbot: QtBot) -> None:
    page.numbers["max_hosts"].show_value(1)
    page.look()
    qtbot.waitUntil(lambda: page._found is not None)
    assert page.option is None
    assert not page.take.isEnabled()
    assert page.picture.isHidden()
    assert page._place.currentWidget() is not page.empty


def test_servers_and_arrays_are_found_by_any_part_of_their_name(
    page: RecommendPage, session: Session
) -> None:
    for field, kind, part in ((page.server, "servers", "6730P"), (page.array, "arrays", "NVMe")):
        field.show_value(None)
        entries = getattr(session.catalog, kind).items()
        names = {each.name: id for id, each in entries if is_sold(each)}
        name = next(name for name in names if part in name)
        line = field.lineEdit()
        assert line is not None
        line.setText(name.lower())
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert field.value == names[name]


def test_sites_that_would_be_merged_are_said(refresh: RecommendPage) -> None:
    refresh.of.setCurrentIndex(refresh.of.findData("board"))
    assert "all 2 sites would come into one cluster" in refresh.state.text()


def test_an_age_that_no_host_has_is_said_before_anything_is_looked_for(
    refresh: RecommendPage,
) -> None:
    refresh.asked.older.committed.emit(90.0)
    assert "older than 90 years" in refresh.state.text()
    refresh.go.click()
    assert not refresh.work.is_running
    assert "older than 90 years" in refresh.state.text()
    refresh.asked.older.committed.emit(None)
    assert "older" not in refresh.state.text()


def test_a_refresh_is_ranked_by_a_price_book_as_well(
    refresh: RecommendPage, tmp_path: Path
) -> None:
    book = tmp_path / "prices.csv"
    book.write_text(BOOK, encoding="utf-8")
    refresh._session.set_prices(read_price_book(book))
    assert refresh.rank.isVisibleTo(refresh)
    ranks = refresh._by_money()
    assert ranks is not None
    assert ranks.by_cost
