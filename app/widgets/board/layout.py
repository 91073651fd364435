"""Where everything on the board stands: a pure function from a scenario to boxes by id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from models.scenario import Host, Scenario, Vm

STANDALONE = ""

MARGIN = 4.0
GAP = 12.0
PADDING = 12.0
HEADING = 36.0
HOST_MIN = 232.0
HOST_MAX = 430.0
HOST_HEAD = 65.0
METER_ROW = 33.0
HOST_METERS = 2 * METER_ROW
VM_MIN = 176.0
VM_GAP = 6.0
VM_TALL = 56.0
VM_COMPACT = 27.0
POOL_HEIGHT = HOST_HEAD + 2 * METER_ROW + 8.0
EMPTY_BODY = 34.0
COMPACT_FROM = 7
TRAY_EMPTY = 28.0


class Box(NamedTuple):
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def meets(self, other: Box) -> bool:
        """Whether the two have an inner point in common."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def inset(self, by: float) -> Box:
        return Box(self.x + by, self.y + by, max(0.0, self.w - 2 * by), max(0.0, self.h - 2 * by))


class HitKind(Enum):
    """What can lie under the pointer."""

    VM = "VM"
    HOST = "host"
    CLUSTER = "cluster"
    POOL = "pool"
    TRAY = "tray"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies under a point; `host` is the host's id also where a VM lies on it."""

    kind: HitKind
    id: str = ""
    host: str | None = None


NOTHING = Hit(HitKind.NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardLayout:
    """Boxes of everything on the board, in its own coordinates.

    Attributes:
        clusters: by id; `STANDALONE` frames the hosts without a cluster.
        members: ids of the hosts of each cluster; `cards`: ids of the VMs on each host.
        tray: of the VMs not placed; `tray_cards`: their ids. `storage`: frames the pools.
        is_compact: VM cards have one line instead of two.
    """

    width: float
    height: float
    scale: float
    is_compact: bool
    clusters: Mapping[str, Box]
    hosts: Mapping[str, Box]
    vms: Mapping[str, Box]
    pools: Mapping[str, Box]
    tray: Box | None
    storage: Box | None
    members: Mapping[str, tuple[str, ...]]
    cards: Mapping[str, tuple[str, ...]]
    tray_cards: tuple[str, ...]

    def box(self, id: str) -> Box | None:
        """The box of any item, None when it is not on the board."""
        return self.vms.get(id) or self.hosts.get(id) or self.pools.get(id) or self.clusters.get(id)


def layout_board(scenario: Scenario, width: float, scale: float = 1.0) -> BoardLayout:
    """Lays out `scenario` over `width` [px] at a zoom of `scale`; the height follows."""
    return _Builder(scenario, width / scale).build(scale)


def hit_test(layout: BoardLayout, x: float, y: float) -> Hit:
    """What lies under the point (`x`, `y`) of the board."""
    for cluster, box in layout.clusters.items():
        if box.contains(x, y):
            return _hit_cluster(layout, cluster, x, y)
    for pool, box in layout.pools.items():
        if box.contains(x, y):
            return Hit(HitKind.POOL, pool)
    if layout.tray is not None and layout.tray.contains(x, y):
        vm = _first(layout.vms, layout.tray_cards, x, y)
        return Hit(HitKind.VM, vm) if vm else Hit(HitKind.TRAY)
    return NOTHING


def ids_in(layout: BoardLayout, band: Box) -> tuple[str, ...]:
    """The VMs whose cards a rubber band touches."""
    return tuple(id for id, box in layout.vms.items() if box.meets(band))


def _hit_cluster(layout: BoardLayout, cluster: str, x: float, y: float) -> Hit:
    host = _first(layout.hosts, layout.members[cluster], x, y)
    if host is None:
        return NOTHING if cluster == STANDALONE else Hit(HitKind.CLUSTER, cluster)
    vm = _first(layout.vms, layout.cards[host], x, y)
    return Hit(HitKind.VM, vm, host) if vm else Hit(HitKind.HOST, host, host)


def _first(boxes: Mapping[str, Box], ids: Iterable[str], x: float, y: float) -> str | None:
    return next((id for id in ids if boxes[id].contains(x, y)), None)


class _Builder:
    """Fills the boxes from top to bottom, in unscaled units."""

    def __init__(self, scenario: Scenario, width: float) -> None:
        self._scenario = scenario
        self._width = max(width, HOST_MIN + 2 * (MARGIN + PADDING))
        self._cards = _by_host(scenario)
        counts = [len(vms) for host, vms in self._cards.items() if host is not None]
        self._is_compact = max(counts, default=0) >= COMPACT_FROM
        self._clusters: dict[str, Box] = {}
        self._hosts: dict[str, Box] = {}
        self._vms: dict[str, Box] = {}
        self._pools: dict[str, Box] = {}
        self._members: dict[str, tuple[str, ...]] = {}
        self._y = MARGIN
        # One grid for all clusters and the pools: cards of one board are equally wide.
        groups = [*map(len, _by_cluster(scenario).values()), len(scenario.pools)]
        inner = self._width - 2 * (MARGIN + PADDING)
        self._grid = _columns(inner, max(groups), HOST_MIN, HOST_MAX, GAP)

    def build(self, scale: float) -> BoardLayout:
        for cluster, hosts in _by_cluster(self._scenario).items():
            if hosts or cluster != STANDALONE:
                self._add_cluster(cluster, hosts)
        tray = self._add_tray() if self._scenario.items() else None
        storage = self._add_storage() if self._scenario.pools else None
        return BoardLayout(
            width=ceil(self._width * scale),
            height=ceil((self._y - GAP + MARGIN) * scale) if self._y > MARGIN else 0.0,
            scale=scale,
            is_compact=self._is_compact,
            clusters=_scaled(self._clusters, scale),
            hosts=_scaled(self._hosts, scale),
            vms=_scaled(self._vms, scale),
            pools=_scaled(self._pools, scale),
            tray=None if tray is None else _zoomed(tray, scale),
            storage=None if storage is None else _zoomed(storage, scale),
            members=MappingProxyType(self._members),
            cards=MappingProxyType(
                {h.id: tuple(vm.id for vm in self._vms_on(h.id)) for h in self._scenario.hosts}
            ),
            tray_cards=tuple(vm.id for vm in self._vms_on(None)),
        )

    def _vms_on(self, host: str | None) -> list[Vm]:
        return self._cards.get(host, [])

    def _add_cluster(self, cluster: str, hosts: list[Host]) -> None:
        top = self._y
        y = top + HEADING
        columns, width = self._grid
        for start in range(0, len(hosts), columns):
            row = hosts[start : start + columns]
            height = max(self._host_height(host.id, width) for host in row)
            for column, host in enumerate(row):
                x = MARGIN + PADDING + column * (width + GAP)
                self._hosts[host.id] = Box(x, y, width, height)
                self._add_cards(host.id, Box(x, y, width, height))
            y += height + GAP
        bottom = y - GAP + PADDING if hosts else y + EMPTY_BODY
        self._clusters[cluster] = Box(MARGIN, top, self._width - 2 * MARGIN, bottom - top)
        self._members[cluster] = tuple(host.id for host in hosts)
        self._y = bottom + GAP

    def _host_height(self, host: str, width: float) -> float:
        return HOST_HEAD + HOST_METERS + 6 + self._body_height(len(self._vms_on(host)), width)

    def _body_height(self, count: int, width: float) -> float:
        if not count:
            return EMPTY_BODY + PADDING
        columns, _ = self._card_columns(width - 2 * PADDING, count)
        rows = -(-count // columns)
        return rows * (self._card_height + VM_GAP) - VM_GAP + PADDING

    @property
    def _card_height(self) -> float:
        return VM_COMPACT if self._is_compact else VM_TALL

    @staticmethod
    def _card_columns(width: float, count: int) -> tuple[int, float]:
        return _columns(width, max(count, 2), VM_MIN, width, VM_GAP)

    def _add_cards(self, host: str | None, box: Box) -> None:
        top = box.y + (HEADING if host is None else HOST_HEAD + HOST_METERS + 6)
        vms = self._vms_on(host)
        inner = box.w - 2 * PADDING
        if host is None:
            columns, width = _columns(inner, len(vms), VM_MIN + 40, VM_MIN + 90, VM_GAP)
        else:
            columns, width = self._card_columns(inner, len(vms))
        for position, vm in enumerate(vms):
            row, column = divmod(position, columns)
            self._vms[vm.id] = Box(
                box.x + PADDING + column * (width + VM_GAP),
                top + row * (self._card_height + VM_GAP),
                width,
                self._card_height,
            )

    def _add_tray(self) -> Box:
        count = len(self._vms_on(None))
        frame = Box(MARGIN, self._y, self._width - 2 * MARGIN, TRAY_EMPTY)
        if count:
            self._add_cards(None, frame)
            bottom = max(self._vms[vm.id].bottom for vm in self._vms_on(None)) + PADDING
            frame = frame._replace(h=bottom - frame.y)
        self._y = frame.bottom + GAP
        return frame

    def _add_storage(self) -> Box:
        top, pools = self._y, self._scenario.pools
        columns, width = self._grid
        for position, pool in enumerate(pools):
            row, column = divmod(position, columns)
            self._pools[pool.id] = Box(
                MARGIN + PADDING + column * (width + GAP),
                top + HEADING + row * (POOL_HEIGHT + GAP),
                width,
                POOL_HEIGHT,
            )
        bottom = max(box.bottom for box in self._pools.values()) + PADDING
        self._y = bottom + GAP
        return Box(MARGIN, top, self._width - 2 * MARGIN, bottom - top)


def _columns(width: float, count: int, least: float, most: float, gap: float) -> tuple[int, float]:
    """How many columns of at least `least` fit, no more than `count`, and how wide they are."""
    columns = max(1, min(int((width + gap) // (least + gap)), max(count, 1)))
    return columns, min((width - (columns - 1) * gap) / columns, max(most, least))


def _by_cluster(scenario: Scenario) -> dict[str, list[Host]]:
    groups: dict[str, list[Host]] = {cluster.id: [] for cluster in scenario.clusters}
    groups[STANDALONE] = []
    for host in scenario.hosts:
        groups.get(host.cluster or STANDALONE, groups[STANDALONE]).append(host)
    return groups


def _by_host(scenario: Scenario) -> dict[str | None, list[Vm]]:
    known = {host.id for host in scenario.hosts}
    groups: dict[str | None, list[Vm]] = {}
    for vm in scenario.vms:
        groups.setdefault(vm.host if vm.host in known else None, []).append(vm)
    return groups


def _zoomed(box: Box, scale: float) -> Box:
    """The box at a zoom, its edges on whole pixels so that hairlines stay sharp."""
    left, top = round(box.x * scale), round(box.y * scale)
    return Box(left, top, round(box.right * scale) - left, round(box.bottom * scale) - top)


def _scaled(boxes: dict[str, Box], scale: float) -> Mapping[str, Box]:
    return MappingProxyType({id: _zoomed(box, scale) for id, box in boxes.items()})
