"""Sites on the board: sections that fold, small ones beside each other, with their pools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.board.arrange import layout_board
from app.widgets.board.keys import reading_order
from app.widgets.board.layout import SITE, BoardLayout, Box, HitKind, hit_test, is_alone, site_head
from app.widgets.board.scene import Standing
from app.widgets.board.sites import site_verdicts
from app.widgets.board.view import BoardView
from models.predict.prediction import Verdict
from models.scenario.scenario import Admission, AdmissionPolicy, Cluster, DataCenter, Scenario
from tests.app import samples
from tests.app.sessions import session_of
from tests.app.widgets.board.boards import focus, show

NAME = QAccessible.Text.Name
NORTH, SOUTH = SITE + "north", SITE + "south"


def two_places(hosts: int = 2) -> Scenario:
    """A cluster and a pool in the north, and in the south a host without a cluster."""
    north = tuple(samples.host(n, "c1") for n in range(1, hosts + 1))
    south = replace(samples.host(9, None), site="south")
    pools = (
        replace(samples.pool(1), hosts=tuple(host.id for host in north)),
        replace(samples.pool(2), name="Far away", hosts=("h9",)),
        samples.pool(3),
    )
    vms = [samples.vm(n, f"h{1 + n % hosts}") for n in range(1, 7)]
    vms += [replace(samples.vm(n, "h9"), pool="p2") for n in range(7, 10)]
    return Scenario(
        name="Two places",
        sites=(DataCenter(id="north", name="North"), DataCenter(id="south", name="South")),
        clusters=(Cluster(id="c1", name="Mail", site="north"),),
        hosts=(*north, south),
        pools=pools,
        vms=tuple(vms),
    )


@st.composite
def spread(draw: st.DrawFn) -> tuple[Scenario, frozenset[str]]:
    """Clusters of any size in sites or in none, some of them folded."""
    names = [None, "north", "south"]
    clusters = tuple(
        Cluster(id=f"c{n}", name=f"C{n}", site=draw(st.sampled_from(names)))
        for n in range(draw(st.integers(0, 4)))
    )
    places = [None, *(each.id for each in clusters)]
    hosts = []
    for n in range(draw(st.integers(0, 8))):
        cluster = draw(st.sampled_from(places))
        site = None if cluster else draw(st.sampled_from(names))
        hosts.append(replace(samples.host(n, cluster), site=site))
    on = [None, *(host.id for host in hosts)]
    pools = tuple(
        replace(samples.pool(n), hosts=draw(st.sampled_from([(), *((h.id,) for h in hosts)])))
        for n in range(1, draw(st.integers(1, 4)) + 1)
    )
    vms = tuple(samples.vm(n, draw(st.sampled_from(on))) for n in range(draw(st.integers(0, 12))))
    scenario = Scenario(name="any", clusters=clusters, hosts=tuple(hosts), pools=pools, vms=vms)
    folds = [NORTH, SOUTH, SITE, *(each.id for each in clusters)]
    return scenario, draw(st.frozensets(st.sampled_from(folds)))


def within(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x
        and inner.y >= outer.y
        and inner.right <= outer.right
        and inner.bottom <= outer.bottom
    )


def apart(boxes: list[Box]) -> bool:
    return not any(one.meets(other) for one, other in combinations(boxes, 2))


@given(spread(), st.floats(320, 2600), st.sampled_from([0.5, 1.0, 1.25]))
def test_all_stands_in_its_site_and_nothing_overlaps(
    board: tuple[Scenario, frozenset[str]], width: float, scale: float
) -> None:
    scenario, folded = board
    layout = layout_board(scenario, width, scale, folded=folded)
    tray = [] if layout.tray is None else [layout.tray]
    shared = [box for key, box in layout.storage.items() if not key]
    assert apart([*layout.sites.values(), *shared, *tray])
    assert apart([*layout.clusters.values(), *layout.storage.values(), *tray])
    assert apart(list(layout.hosts.values()))
    assert apart(list(layout.pools.values()))
    for key, site in layout.in_site.items():
        head, box = site_head(layout, key), layout.sites[key]
        things = [*site.clusters, *site.hosts, *site.pools]
        boxes = [found for id in things if (found := layout.box(id)) is not None]
        if key in folded:
            assert not boxes
        assert all(within(each, box) and not each.meets(head) for each in boxes)
    for cluster, hosts in layout.members.items():
        frame = layout.clusters.get(cluster)
        seen = [layout.hosts[host] for host in hosts if host in layout.hosts]
        assert not seen or frame is not None
        assert all(frame is not None and within(box, frame) for box in seen)
    everything = {item.id for item in scenario.items()}
    assert set(reading_order(layout, with_folded=True)) == everything
    assert set(reading_order(layout)) <= everything | set(layout.sites)


def test_small_clusters_stand_beside_each_other_and_large_ones_do_not() -> None:
    clusters = tuple(Cluster(id=f"c{n}", name=f"C{n}") for n in range(4))
    small = Scenario(
        name="small",
        clusters=clusters,
        hosts=tuple(samples.host(n, f"c{n}") for n in range(4)),
    )
    layout = layout_board(small, 1200.0)
    assert len({box.y for box in layout.clusters.values()}) == 1
    assert layout.clusters["c3"].right >= 0.95 * layout.width
    large = replace(small, hosts=tuple(samples.host(n, f"c{n // 3}") for n in range(12)))
    assert len({box.y for box in layout_board(large, 1200.0).clusters.values()}) == 4


def test_sites_share_a_row_and_have_their_own_pools() -> None:
    layout = layout_board(two_places(), 1200.0)
    assert layout.sites[NORTH].y == layout.sites[SOUTH].y
    assert layout.in_site[NORTH].pools == ("p1",)
    assert layout.in_site[SOUTH].hosts == ("h9",)
    assert within(layout.pools["p2"], layout.sites[SOUTH])
    assert within(layout.pools["p3"], layout.storage[""])
    assert any(is_alone(each) for each in layout.in_site[SOUTH].clusters)


def test_without_sites_there_are_none() -> None:
    layout = layout_board(samples.scenario(), 1200.0)
    assert not layout.sites
    assert set(layout.storage) == {""}


# --- with a hand and keys -------------------------------------------------------------------------


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    session = session_of(two_places())
    yield session
    session.deleteLater()


@pytest.fixture
def board(qtbot: QtBot, session: Session) -> BoardView:
    return show(qtbot, session)


def head_of(layout: BoardLayout, site: str) -> QPoint:
    head = site_head(layout, site)
    return QPoint(round(head.x + 60), round(head.y + 12))


def click(board: BoardView, at: QPoint) -> None:
    QTest.mouseClick(board.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_a_click_on_its_heading_folds_a_site(board: BoardView) -> None:
    at = head_of(board.board_layout, NORTH)
    assert hit_test(board.board_layout, at.x(), at.y()).kind is HitKind.FOLD
    click(board, at)
    assert board.folded == {NORTH}
    layout = board.board_layout
    assert "h1" not in layout.hosts
    assert "p1" not in layout.pools
    assert "h9" in layout.hosts
    assert board.shown_box("m1") == layout.sites[NORTH]
    board.grab()
    click(board, head_of(layout, NORTH))
    assert not board.folded


def test_a_folded_site_counts_what_it_holds_and_its_worst_verdict(
    board: BoardView, session: Session
) -> None:
    site = board.board_layout.in_site[NORTH]
    assert (len(site.hosts), len(site.vms), len(site.pools)) == (2, 6, 1)
    assert (site.vcpus, site.vm_gib, site.host_gib) == (12, 48.0, 128.0)
    prediction = session.view.prediction
    codes = [prediction.vms.verdict[prediction.vms.index(id)] for id in site.vms]
    codes += [prediction.hosts.verdict[prediction.hosts.index(id)] for id in site.hosts]
    codes += [prediction.pools.verdict[prediction.pools.index("p1")]]
    found = site_verdicts(board.board_layout, session.scenario, prediction)
    assert (found[NORTH].verdict or 0) >= max(codes)
    assert board.scene.verdicts == found


def test_a_site_is_as_bad_as_the_loss_of_a_host_that_it_is_to_survive(
    board: BoardView, session: Session
) -> None:
    before = board.scene.verdicts
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES)
    cluster = replace(session.scenario.cluster("c1"), admission=admission)
    vms = tuple(
        replace(vm, ram_gib=20.0, memory_reservation_gib=20.0) if vm.host != "h9" else vm
        for vm in session.scenario.vms
    )
    session.edit(replace(session.scenario, clusters=(cluster,), vms=vms), "Larger")
    session.flush()
    after = board.scene.verdicts
    lost = [mode.verdict for mode in session.view.prediction.failures if mode.mode.subject == "h1"]
    assert lost[0] is not None
    assert (after[NORTH].verdict or 0) >= lost[0] >= Verdict.AT_RISK
    assert after[SOUTH] == before[SOUTH]


def test_what_is_found_in_a_folded_site_is_led_to(board: BoardView) -> None:
    board.fold_sites()
    assert set(board.board_layout.hosts) == set()
    board.search("far away")
    board.grab()
    board._keyboard.go_to_next(False)
    assert SOUTH not in board.folded
    assert NORTH in board.folded
    assert "p2" in board.board_layout.pools
    board.search("esx1 nehalem")
    board._keyboard.go_to_next(False)
    assert "h1" in board.board_layout.hosts


def test_the_keys_go_to_a_site_and_fold_it(qtbot: QtBot, board: BoardView) -> None:
    focus(qtbot, board)
    QTest.keyClick(board, Qt.Key.Key_Home)
    assert board.state.focused == NORTH
    assert not board._selection.ids
    head = site_head(board.board_layout, NORTH)
    assert head.meets(board.camera.seen)
    QTest.keyClick(board, Qt.Key.Key_Space)
    assert board.folded == {NORTH}
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert board.state.focused == SOUTH
    QTest.keyClick(board, Qt.Key.Key_Left)
    QTest.keyClick(board, Qt.Key.Key_Return)
    assert not board.folded
    QTest.keyClick(board, Qt.Key.Key_Down)
    assert board._selection.current == "c1"


def test_sites_are_nodes_for_a_screen_reader(board: BoardView, session: Session) -> None:
    root = QAccessible.queryAccessibleInterface(board)
    assert root is not None
    names = [root.child(at).text(NAME) for at in range(root.childCount())]
    assert names[1:] == ["Site North", "Site South", "Pool Data 3"]
    north, south = root.child(1), root.child(2)
    assert [north.child(at).text(NAME) for at in range(north.childCount())] == [
        "Cluster Mail",
        "Pool Data 1",
    ]
    assert [south.child(at).text(NAME) for at in range(south.childCount())] == [
        "Host esx9",
        "Pool Far away",
    ]
    assert "2 hosts, 6 VMs, 1 pool" in north.text(QAccessible.Text.Description)
    verdict = board.scene.verdicts[NORTH]
    assert str(verdict.words) in north.text(QAccessible.Text.Value)
    assert north.child(0).parent() is north
    assert north.state().expandable
    assert north.state().expanded
    board.toggle_fold(NORTH)
    assert north.state().collapsed
    assert north.childCount() == 0


def test_hosts_that_do_not_see_the_disks_stand_back(board: BoardView, session: Session) -> None:
    board._selection.select("m1")
    QTest.keyClick(board, Qt.Key.Key_M)
    standings = board.state.standings
    assert standings["h9"] is Standing.UNSEEN
    assert standings["h9"].is_out
    assert Standing.UNSEEN not in (standings.get("h1"), standings.get("h2"))
    board.grab()
    QTest.keyClick(board, Qt.Key.Key_Escape)
    assert not board.state.standings


def test_a_menu_on_a_heading_is_that_of_the_board(qtbot: QtBot, board: BoardView) -> None:
    at = head_of(board.board_layout, NORTH)
    with qtbot.waitSignal(board.menu_requested) as asked:
        reason = QContextMenuEvent.Reason.Mouse
        event = QContextMenuEvent(reason, at, board.viewport().mapToGlobal(at))
        QApplication.sendEvent(board.viewport(), event)
    assert asked.args[1].kind is HitKind.NOTHING
    assert not board._selection.ids
