"""Lays out a board: a pure function from a scenario to boxes by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType

from app.widgets.board.layout import (
    HEADING,
    HOST_HEAD,
    METER_ROW,
    MIRROR_HEIGHT,
    MORE_HEIGHT,
    PADDING,
    STANDALONE,
    BoardLayout,
    Box,
    CardBoxes,
    top_of_host,
)
from models.scenario import Host, Scenario

MARGIN = 4.0
GAP = 12.0
HOST_MIN = 232.0
HOST_MAX = 430.0
VM_MIN = 176.0
VM_GAP = 6.0
POOL_HEIGHT = HOST_HEAD + 2 * METER_ROW + 8.0
EMPTY_BODY = 34.0
FOLDED_BODY = 30.0
COMPACT_FROM = 7
TRAY_EMPTY = 28.0
VM_TALL = (56.0, 66.0, 78.0, 92.0)
VM_COMPACT = (27.0, 35.0, 45.0, 58.0)
"""Heights of VM cards by size class: what asks for more of its host stands taller."""

LOW = VM_COMPACT[0]
SIZES = len(VM_TALL)


def layout_board(
    scenario: Scenario,
    width: float,
    scale: float = 1.0,
    *,
    folded: frozenset[str] = frozenset(),
    sizes: Mapping[str, int] | None = None,
    secondaries: Mapping[str, str] | None = None,
    restarts: Mapping[str, str] | None = None,
    hidden: frozenset[str] = frozenset(),
    is_compact: bool | None = None,
    is_bare: bool = False,
    is_brief: bool = False,
) -> BoardLayout:
    """Lays out `scenario` over `width` [px] at a zoom of `scale`; the height follows.

    Args:
        folded: clusters and hosts to show by their heading alone.
        sizes: size class of VM cards by id, 0 where missing.
        secondaries: host of the Fault Tolerance secondary of each VM that has one.
        restarts: host that each VM of a lost host goes on at. It stands below that host's own,
            whose cards are lower where that makes room.
        hidden: VMs that get no card; their hosts count them.
        is_compact: whether cards of VMs are low; None: where a host has many of them.
        is_bare: without storage, and without a tray that is empty.
        is_brief: hosts have a heading of one line, and one row of meters.
    """
    return _Builder(
        scenario=scenario,
        width=max(width / scale, HOST_MIN + 2 * (MARGIN + PADDING)),
        scale=scale,
        folded=folded,
        sizes=sizes or {},
        mirrored=_by_value(secondaries or {}),
        restarted=_by_value(restarts or {}),
        unseen=hidden,
        is_compact=is_compact,
        is_bare=is_bare,
        is_brief=is_brief,
    ).build()


def _by_value(hosts: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for vm, host in hosts.items():
        found[host] = (*found.get(host, ()), vm)
    return found


@dataclass(kw_only=True)
class _Builder:
    """Fills the boxes from top to bottom, in unscaled units; `mirrored` and `restarted` are by
    host."""

    scenario: Scenario
    width: float
    scale: float
    folded: frozenset[str]
    sizes: Mapping[str, int]
    mirrored: Mapping[str, tuple[str, ...]]
    restarted: Mapping[str, tuple[str, ...]]
    unseen: frozenset[str]
    is_compact: bool | None
    is_bare: bool
    is_brief: bool

    def __post_init__(self) -> None:
        self._host_top = top_of_host(is_brief=self.is_brief)
        all_cards = _by_host(self.scenario)
        self._cards, self._hidden = _parted(all_cards, self.unseen)
        counts = [len(vms) for host, vms in all_cards.items() if host is not None]
        if self.is_compact is None:
            self.is_compact = max(counts, default=0) >= COMPACT_FROM
        self._heights = VM_COMPACT if self.is_compact else VM_TALL
        self._clusters: dict[str, Box] = {}
        self._hosts: dict[str, Box] = {}
        self._pools: dict[str, Box] = {}
        self._members: dict[str, tuple[str, ...]] = {}
        self._y = MARGIN
        # One grid for all clusters and the pools: cards of one board are equally wide.
        groups = [*map(len, _by_cluster(self.scenario).values()), len(self.scenario.pools)]
        inner = self.width - 2 * (MARGIN + PADDING)
        self._grid = _columns(inner, max(groups), HOST_MIN, HOST_MAX, GAP)

    def build(self) -> BoardLayout:
        scale = self.scale
        for cluster, hosts in _by_cluster(self.scenario).items():
            if hosts or cluster != STANDALONE:
                self._add_cluster(cluster, hosts)
        has_tray = self._cards.get(None) or not self.is_bare
        tray = self._add_tray() if self.scenario.items() and has_tray else None
        has_storage = self.scenario.pools and not self.is_bare
        storage = self._add_storage() if has_storage else None
        return BoardLayout(
            width=ceil(self.width * scale),
            height=ceil((self._y - GAP + MARGIN) * scale) if self._y > MARGIN else 0.0,
            scale=scale,
            is_compact=bool(self.is_compact),
            clusters=_scaled(self._clusters, scale),
            hosts=_scaled(self._hosts, scale),
            vms=self._boxes(tray),
            ghosts=self._ghosts(),
            pools=_scaled(self._pools, scale),
            tray=None if tray is None else _zoomed(tray, scale),
            storage=None if storage is None else _zoomed(storage, scale),
            members=MappingProxyType(self._members),
            cards=MappingProxyType({h.id: self._cards.get(h.id, ()) for h in self.scenario.hosts}),
            tray_cards=self._cards.get(None, ()),
            folded=self.folded,
            mirrored=self.mirrored,
            hidden=self._hidden,
            restarted=self.restarted,
            is_brief=self.is_brief,
        )

    def _boxes(self, tray: Box | None) -> CardBoxes:
        """The cards to be seen; the builder stays behind to make their boxes."""
        shown: dict[str | None, tuple[str, ...]] = {
            host: self._cards.get(host, ())
            for host in self._hosts
            if host not in self.folded and host in self._cards
        }
        if tray is not None and self._cards.get(None):
            shown[None] = self._cards[None]

        def make(holder: str | None) -> list[Box]:
            frame = tray if holder is None else self._hosts[holder]
            assert frame is not None
            boxes = self._card_boxes(holder, frame)[: len(shown[holder])]
            return [_zoomed(box, self.scale) for box in boxes]

        return CardBoxes(shown, make)

    def _ghosts(self) -> CardBoxes:
        """The cards of the VMs of a lost host where they go on."""
        shown: dict[str | None, tuple[str, ...]] = {
            host: vms
            for host, vms in self.restarted.items()
            if host in self._hosts and host not in self.folded
        }

        def make(host: str | None) -> list[Box]:
            boxes = self._card_boxes(host, self._hosts[host or ""])[-len(shown[host]) :]
            return [_zoomed(box, self.scale) for box in boxes]

        return CardBoxes(shown, make)

    def _add_cluster(self, cluster: str, hosts: list[Host]) -> None:
        top = self._y
        y = top + HEADING
        is_folded = cluster in self.folded and cluster != STANDALONE
        columns, width = self._grid
        for start in range(0, 0 if is_folded else len(hosts), columns):
            row = hosts[start : start + columns]
            height = max(self._host_height(host.id, width) for host in row)
            for column, host in enumerate(row):
                x = MARGIN + PADDING + column * (width + GAP)
                self._hosts[host.id] = Box(x, y, width, height)
            y += height + GAP
        bottom = y - GAP + PADDING if hosts else y + EMPTY_BODY
        if is_folded:
            bottom = y + FOLDED_BODY
        self._clusters[cluster] = Box(MARGIN, top, self.width - 2 * MARGIN, bottom - top)
        self._members[cluster] = tuple(host.id for host in hosts)
        self._y = bottom + GAP

    def _host_height(self, host: str, width: float) -> float:
        head = self._host_top
        if host in self.folded:
            return head
        return head + self._body_height(host, width) + self._mirror_height(host)

    def _body_height(self, host: str, width: float) -> float:
        vms, more = self._cards.get(host, ()), self._hidden.get(host, ())
        if restarted := self.restarted.get(host):
            columns, _ = self._card_columns(width - 2 * PADDING, len(vms))
            low = [LOW] * (len(vms) + len(restarted))
            return max(self._cards_height(vms, width), _height_of(low, columns)) + PADDING
        if more:
            above = self._cards_height(vms, width) + VM_GAP if vms else 0.0
            return above + MORE_HEIGHT + PADDING
        return self._cards_height(vms, width) + PADDING if vms else EMPTY_BODY + PADDING

    def _cards_height(self, vms: tuple[str, ...], width: float) -> float:
        columns, _ = self._card_columns(width - 2 * PADDING, len(vms))
        return _height_of([self._height(vm) for vm in vms], columns)

    def _height(self, vm: str) -> float:
        return self._heights[self.sizes.get(vm, 0)]

    @staticmethod
    def _card_columns(width: float, count: int) -> tuple[int, float]:
        return _columns(width, max(count, 2), VM_MIN, width, VM_GAP)

    def _card_boxes(self, host: str | None, box: Box) -> list[Box]:
        """The cards of a holder, and below them those of the VMs that are restarted there."""
        top = box.y + (HEADING if host is None else self._host_top)
        vms, restarted = self._cards.get(host, ()), self.restarted.get(host or "", ())
        inner = box.w - 2 * PADDING
        if host is None:
            columns, width = _columns(inner, len(vms), VM_MIN + 40, VM_MIN + 90, VM_GAP)
        else:
            columns, width = self._card_columns(inner, len(vms))
        left = box.x + PADDING
        heights = [self._height(vm) for vm in vms] + [LOW] * len(restarted)
        for most in (VM_TALL[0], LOW):
            if restarted and top + _height_of(heights, columns) > self._foot(host, box):
                heights = [min(height, most) for height in heights]
        return [
            Box(left + column * (width + VM_GAP), top + y, width, height)
            for column, y, height in _stacked(heights, columns)
        ]

    def _foot(self, host: str | None, box: Box) -> float:
        """Where the cards of a host end at the latest."""
        return box.bottom - PADDING - self._mirror_height(host)

    def _mirror_height(self, host: str | None) -> float:
        return MIRROR_HEIGHT + VM_GAP if host in self.mirrored else 0.0

    def _add_tray(self) -> Box:
        frame = Box(MARGIN, self._y, self.width - 2 * MARGIN, TRAY_EMPTY)
        if self._cards.get(None):
            bottom = max(box.bottom for box in self._card_boxes(None, frame)) + PADDING
            frame = frame._replace(h=bottom - frame.y)
        self._y = frame.bottom + GAP
        return frame

    def _add_storage(self) -> Box:
        top, pools = self._y, self.scenario.pools
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
        return Box(MARGIN, top, self.width - 2 * MARGIN, bottom - top)


def _stacked(heights: Iterable[float], columns: int) -> Iterator[tuple[int, float, float]]:
    """Column, top and height of each card: the next one goes to the shortest column."""
    ends = [0.0] * columns
    for height in heights:
        column = min(range(columns), key=ends.__getitem__)
        yield column, ends[column], height
        ends[column] += height + VM_GAP


def _height_of(heights: list[float], columns: int) -> float:
    """Of so many columns of such cards."""
    if columns == 1:
        return sum(heights) + VM_GAP * (len(heights) - 1)
    return max((y + height for _, y, height in _stacked(heights, columns)), default=0.0)


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


def _by_host(scenario: Scenario) -> dict[str | None, tuple[str, ...]]:
    known = {host.id for host in scenario.hosts}
    groups: dict[str | None, list[str]] = {}
    for vm in scenario.vms:
        groups.setdefault(vm.host if vm.host in known else None, []).append(vm.id)
    return {host: tuple(vms) for host, vms in groups.items()}


def _parted(
    cards: Mapping[str | None, tuple[str, ...]], hidden: frozenset[str]
) -> tuple[Mapping[str | None, tuple[str, ...]], Mapping[str, tuple[str, ...]]]:
    """The VMs of each holder that get cards, and those of each host that get none."""
    if not hidden:
        return cards, {}
    shown = {
        holder: tuple(vm for vm in vms if holder is None or vm not in hidden)
        for holder, vms in cards.items()
    }
    more = {
        host: tuple(vm for vm in vms if vm in hidden)
        for host, vms in cards.items()
        if host is not None
    }
    return shown, {host: vms for host, vms in more.items() if vms}


def _zoomed(box: Box, scale: float) -> Box:
    """The box at a zoom, its edges on whole pixels so that hairlines stay sharp."""
    left, top = round(box.x * scale), round(box.y * scale)
    return Box(left, top, round(box.right * scale) - left, round(box.bottom * scale) - top)


def _scaled(boxes: dict[str, Box], scale: float) -> Mapping[str, Box]:
    return MappingProxyType({id: _zoomed(box, scale) for id, box in boxes.items()})
