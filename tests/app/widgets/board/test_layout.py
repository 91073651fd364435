"""The layout holds everything once, inside its holder, and nothing over anything else."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.widgets.board.arrange import SIZES, VM_COMPACT, layout_board
from app.widgets.board.keys import Direction, neighbour, reading_order
from app.widgets.board.layout import (
    STANDALONE,
    BoardLayout,
    Box,
    Hit,
    HitKind,
    fold_box,
    hit_test,
    ids_in,
)
from models.scenario.scenario import Cluster, Scenario
from tests.app import samples
from tests.chance import dear

SLACK = 1e-6


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Clusters of any size, empty ones too; VMs placed anywhere or nowhere."""
    clusters = draw(st.integers(0, 3))
    names = [None, *(f"c{n}" for n in range(1, clusters + 1))]
    hosts = tuple(
        samples.host(n, draw(st.sampled_from(names))) for n in range(1, draw(st.integers(0, 8)) + 1)
    )
    places = [None, *(host.id for host in hosts)]
    vms = tuple(
        samples.vm(n, draw(st.sampled_from(places))) for n in range(1, draw(st.integers(0, 40)) + 1)
    )
    return Scenario(
        name="any",
        clusters=tuple(Cluster(id=f"c{n}", name=f"C{n}") for n in range(1, clusters + 1)),
        hosts=hosts,
        pools=tuple(samples.pool(n) for n in range(1, draw(st.integers(0, 5)) + 1)),
        vms=vms,
    )


widths = st.floats(320, 2600)
scales = st.sampled_from([0.5, 0.8, 1.0, 1.25, 2.0])


def within(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x - SLACK
        and inner.y >= outer.y - SLACK
        and inner.right <= outer.right + SLACK
        and inner.bottom <= outer.bottom + SLACK
    )


def apart(boxes: list[Box]) -> bool:
    return not any(a.inset(SLACK).meets(b.inset(SLACK)) for a, b in combinations(boxes, 2))


def frames(layout: BoardLayout) -> list[Box]:
    tray = [] if layout.tray is None else [layout.tray]
    return [*layout.clusters.values(), *layout.storage.values(), *tray]


@given(scenarios(), widths, scales)
def test_everything_is_there_once(scenario: Scenario, width: float, scale: float) -> None:
    layout = layout_board(scenario, width, scale)
    assert set(layout.hosts) == {host.id for host in scenario.hosts}
    assert set(layout.vms) == {vm.id for vm in scenario.vms}
    assert set(layout.pools) == {pool.id for pool in scenario.pools}
    assert {c.id for c in scenario.clusters} <= set(layout.clusters)
    assert len(reading_order(layout)) == len(scenario.items())


@given(scenarios(), widths, scales)
def test_nothing_overlaps(scenario: Scenario, width: float, scale: float) -> None:
    layout = layout_board(scenario, width, scale)
    assert apart(frames(layout))
    assert apart(list(layout.hosts.values()))
    assert apart(list(layout.vms.values()))
    assert apart(list(layout.pools.values()))


@given(scenarios(), widths, scales)
def test_everything_is_inside(scenario: Scenario, width: float, scale: float) -> None:
    layout = layout_board(scenario, width, scale)
    whole = Box(0, 0, layout.width, layout.height)
    assert all(within(frame, whole) for frame in frames(layout))
    for cluster, hosts in layout.members.items():
        assert all(within(layout.hosts[host], layout.clusters[cluster]) for host in hosts)
    for host, vms in layout.cards.items():
        assert all(within(layout.vms[vm], layout.hosts[host]) for vm in vms)
    for vm in layout.tray_cards:
        assert layout.tray is not None
        assert within(layout.vms[vm], layout.tray)
    for box in layout.pools.values():
        assert any(within(box, frame) for frame in layout.storage.values())


@st.composite
def arranged(draw: st.DrawFn) -> tuple[Scenario, frozenset[str], dict[str, int]]:
    """With some of its hosts and clusters folded, and cards of any size."""
    scenario = draw(scenarios())
    holders = [cluster.id for cluster in scenario.clusters]
    holders += [host.id for host in scenario.hosts]
    folded = draw(st.frozensets(st.sampled_from(holders))) if holders else frozenset()
    sizes = {vm.id: draw(st.integers(0, SIZES - 1)) for vm in scenario.vms}
    return scenario, folded, sizes


@dear()
@given(arranged(), widths, scales)
def test_folded_and_sized_boards_hold_together(
    board: tuple[Scenario, frozenset[str], dict[str, int]], width: float, scale: float
) -> None:
    scenario, folded, sizes = board
    layout = layout_board(scenario, width, scale, folded=folded, sizes=sizes)
    assert apart(frames(layout))
    assert apart(list(layout.hosts.values()))
    assert apart(list(layout.vms.values()))
    hidden = {host.id for host in scenario.hosts if host.cluster in folded}
    assert set(layout.hosts) == {host.id for host in scenario.hosts} - hidden
    away = hidden | (folded & set(layout.hosts))
    assert set(layout.vms) == {vm.id for vm in scenario.vms if vm.host not in away}
    for cluster in layout.clusters:
        for host in layout.shown_hosts(cluster):
            assert within(layout.hosts[host], layout.clusters[cluster])
            for vm in layout.shown_cards(host):
                assert within(layout.vms[vm], layout.hosts[host])
    assert set(reading_order(layout)) <= set(reading_order(layout, with_folded=True))
    assert len(reading_order(layout, with_folded=True)) == len(scenario.items())


@dear()
@given(arranged(), widths, scales)
def test_secondaries_stand_in_their_host_below_its_cards(
    board: tuple[Scenario, frozenset[str], dict[str, int]], width: float, scale: float
) -> None:
    scenario, folded, sizes = board
    hosts = [host.id for host in scenario.hosts]
    pairs = zip(scenario.vms, hosts, strict=False)
    secondaries = {vm.id: host for vm, host in pairs}
    layout = layout_board(
        scenario, width, scale, folded=folded, sizes=sizes, secondaries=secondaries
    )
    for host, frame in layout.hosts.items():
        strip = layout.mirror_box(host)
        assert (strip is not None) == (host in secondaries.values() and host not in folded)
        if strip is not None:
            assert within(strip, frame)
            assert apart([strip, *(layout.vms[vm] for vm in layout.shown_cards(host))])


@given(arranged(), widths)
def test_the_sign_folds_what_it_stands_on(
    board: tuple[Scenario, frozenset[str], dict[str, int]], width: float
) -> None:
    scenario, folded, sizes = board
    layout = layout_board(scenario, width, folded=folded, sizes=sizes)
    for id in (*layout.hosts, *(c for c in layout.clusters if c != STANDALONE)):
        sign = fold_box(layout, id)
        assert sign is not None
        hit = hit_test(layout, sign.x + sign.w / 2, sign.y + sign.h / 2)
        assert (hit.kind, hit.id) == (HitKind.FOLD, id)
    assert fold_box(layout, STANDALONE) is None


@given(scenarios(), widths, scales)
def test_the_middle_of_a_card_hits_the_card(scenario: Scenario, width: float, scale: float) -> None:
    layout = layout_board(scenario, width, scale)
    for vm in scenario.vms:
        box = layout.vms[vm.id]
        hit = hit_test(layout, box.x + box.w / 2, box.y + box.h / 2)
        assert hit == Hit(HitKind.VM, vm.id, vm.host)


@given(scenarios(), st.floats(700, 1800))
def test_zoom_scales_every_box(scenario: Scenario, width: float) -> None:
    plain, doubled = layout_board(scenario, width), layout_board(scenario, 2 * width, 2.0)
    for id, box in plain.vms.items():
        assert doubled.vms[id] == pytest.approx(tuple(2 * side for side in box), abs=2)
    assert doubled.height == pytest.approx(2 * plain.height, abs=2)


@given(scenarios(), widths, st.sampled_from(list(Direction)))
def test_arrows_stay_on_the_board(scenario: Scenario, width: float, direction: Direction) -> None:
    layout = layout_board(scenario, width)
    for id in reading_order(layout):
        found = neighbour(layout, id, direction)
        assert found is not None
        assert layout.box(found) is not None


def test_an_empty_board_has_no_height() -> None:
    layout = layout_board(Scenario(name="empty"), 800.0)
    assert (layout.height, layout.clusters, layout.tray) == (0.0, {}, None)
    assert neighbour(layout, None, Direction.DOWN) is None


def test_hosts_without_a_cluster_stand_in_a_frame_of_their_own() -> None:
    scenario = replace(samples.scenario(), clusters=())
    layout = layout_board(scenario, 900.0)
    assert list(layout.clusters) == [STANDALONE]
    frame = layout.clusters[STANDALONE]
    assert hit_test(layout, frame.x + 2, frame.y + 2).kind is HitKind.NOTHING


def test_hits_between_the_cards() -> None:
    layout = layout_board(samples.scenario(), 900.0)
    host, cluster, pool = layout.hosts["h1"], layout.clusters["c1"], layout.pools["p2"]
    assert layout.tray is not None
    assert hit_test(layout, host.x + 4, host.y + 4) == Hit(HitKind.HOST, "h1", "h1")
    assert hit_test(layout, cluster.x + 4, cluster.y + 4) == Hit(HitKind.CLUSTER, "c1")
    assert hit_test(layout, pool.x + 4, pool.y + 4) == Hit(HitKind.POOL, "p2")
    assert hit_test(layout, layout.tray.right - 4, layout.tray.y + 4) == Hit(HitKind.TRAY)
    assert hit_test(layout, -5, -5).kind is HitKind.NOTHING


def test_many_vms_on_a_host_make_the_cards_low() -> None:
    assert not layout_board(samples.scenario(hosts=2, vms=8), 900.0).is_compact
    assert layout_board(samples.scenario(hosts=2, vms=40), 900.0).is_compact


@pytest.mark.parametrize("count", [1, 4, 30])
def test_restarted_vms_stand_below_what_runs_there(count: int) -> None:
    scenario = samples.scenario(hosts=2, vms=2 * count, unplaced=0)
    restarts = {vm.id: "h2" for vm in scenario.vms_on("h1")}
    plain, layout = layout_board(scenario, 780), layout_board(scenario, 780, restarts=restarts)
    assert list(layout.ghosts) == list(restarts)
    frame, cards = layout.hosts["h2"], [layout.vms[vm] for vm in layout.cards["h2"]]
    ghosts = list(layout.ghosts.values())
    assert apart([*cards, *ghosts])
    assert all(within(box, frame) for box in (*cards, *ghosts))
    assert min(box.y for box in ghosts) > max(box.bottom for box in cards)
    assert all(box.h >= VM_COMPACT[0] for box in cards)
    own = layout.vms["m1"]
    assert (own.w, own.h) == (plain.vms["m1"].w, plain.vms["m1"].h)


def test_vms_without_a_card_are_counted_on_their_host() -> None:
    scenario = samples.scenario(hosts=2, vms=8)
    whole = layout_board(scenario, 900.0)
    hidden = frozenset({"m3", "m5"})
    layout = layout_board(scenario, 900.0, hidden=hidden)
    assert layout.hidden == {"h1": ("m3", "m5")}
    assert layout.cards["h1"] == ("m1", "m7")
    assert hidden.isdisjoint(layout.vms)
    line, host = layout.more_box("h1"), layout.hosts["h1"]
    assert line is not None
    assert layout.more_box("h2") is None
    assert whole.more_box("h1") is None
    assert max(layout.vms[id].bottom for id in layout.cards["h1"]) <= line.y
    assert line.bottom < host.bottom
    none = layout_board(scenario, 900.0, hidden=frozenset(vm.id for vm in scenario.vms))
    assert set(none.vms) == set(none.tray_cards), "what stands on no host keeps its card"
    assert none.height < whole.height


def test_hidden_vms_stand_above_the_secondaries() -> None:
    scenario = samples.scenario(hosts=2, vms=8)
    layout = layout_board(
        scenario, 900.0, hidden=frozenset({"m3"}), secondaries={"m2": "h1"}, is_compact=True
    )
    line, mirror = layout.more_box("h1"), layout.mirror_box("h1")
    assert line is not None
    assert mirror is not None
    assert max(layout.vms[id].bottom for id in layout.cards["h1"]) <= line.y
    assert line.bottom <= mirror.y
    assert mirror.bottom < layout.hosts["h1"].bottom


def test_a_bare_board_has_no_storage_and_no_empty_tray() -> None:
    scenario = samples.scenario()
    scenario = replace(scenario, vms=tuple(vm for vm in scenario.vms if vm.host is not None))
    whole, bare = layout_board(scenario, 900.0), layout_board(scenario, 900.0, is_bare=True)
    assert (dict(bare.storage), bare.tray, dict(bare.pools)) == ({}, None, {})
    assert bare.height < whole.storage[""].y
    loose = scenario.place(["m1"], None)
    assert layout_board(loose, 900.0, is_bare=True).tray is not None


def test_brief_hosts_are_lower() -> None:
    scenario = samples.scenario(hosts=3, vms=6)
    whole = layout_board(scenario, 900.0, is_compact=True)
    brief = layout_board(scenario, 900.0, is_compact=True, is_brief=True)
    by = whole.host_top - brief.host_top
    assert by > 0
    assert brief.hosts["h1"].h == whole.hosts["h1"].h - by
    assert brief.vms["m1"].y == whole.vms["m1"].y - by


def test_arrows_follow_the_eye() -> None:
    layout = layout_board(samples.scenario(hosts=3, vms=6), 900.0)
    assert neighbour(layout, "h1", Direction.RIGHT) == "h2"
    assert neighbour(layout, "h1", Direction.DOWN) == "m1"
    assert neighbour(layout, "m1", Direction.DOWN) == "m4"
    assert neighbour(layout, "m1", Direction.RIGHT) == "m2"
    assert neighbour(layout, "m2", Direction.LEFT) == "m1"
    assert neighbour(layout, "m1", Direction.UP) == "h1"
    assert neighbour(layout, "h1", Direction.UP) == "c1"
    assert neighbour(layout, "c1", Direction.UP) == "c1"


def test_a_band_takes_the_cards_it_touches() -> None:
    layout = layout_board(samples.scenario(hosts=3, vms=6), 900.0)
    first, second = layout.vms["m1"], layout.vms["m4"]
    band = Box(first.x + 2, first.y + 2, 10, second.y - first.y)
    assert set(ids_in(layout, band)) == {"m1", "m4"}
