"""Lays out a board: a pure function from a scenario to boxes by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import ceil
from types import MappingProxyType

from app.widgets.board.layout import (
    FOLDED_SITE,
    HEADING,
    HOST_HEAD,
    METER_ROW,
    MIRROR_HEIGHT,
    MORE_HEIGHT,
    PADDING,
    SITE,
    SITE_HEAD,
    STANDALONE,
    BoardLayout,
    Box,
    CardBoxes,
    SiteOnBoard,
    alone_at,
    is_alone,
    top_of_host,
)
from models.scenario.places import pool_sites, site_names
from models.scenario.scenario import Host, Pool, Scenario, Vm

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
BESIDE, BESIDE_GAP, BESIDE_MIN = 2, 8.0, 224.0
"""Clusters of at most so many hosts stand beside each other: the room around and between them, and
the least width of their hosts."""
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
        self._sites: dict[str, Box] = {}
        self._storage: dict[str, Box] = {}
        self._y = MARGIN
        self._places = _places(self.scenario)
        self._members = {id: hosts for place in self._places for id, hosts in place.members.items()}
        self._grid = self._made_grid()

    def _made_grid(self) -> _Grid:
        """One grid for all clusters and the pools: cards of one board are equally wide."""
        counts = [max(map(len, self._members.values()), default=0), len(self.scenario.pools)]
        whole = self.width - 2 * MARGIN
        if not _is_beside(self._places):
            inner = whole - 2 * PADDING
            columns, width = _columns(inner, max(counts), HOST_MIN, HOST_MAX, GAP)
            return _Grid(columns, width, width + GAP, PADDING, whole, is_beside=False)
        gap = around = BESIDE_GAP
        wanted = max(sum(max(len(hosts), 1) for hosts in self._members.values()), *counts)
        least, most = BESIDE_MIN + 2 * around, HOST_MAX + 2 * around
        columns, _ = _columns(whole, wanted, least, most, gap)
        few = min((columns, max(columns - 1, 1)), key=partial(_empty, self._places))
        columns, width = _columns(whole, few, least, most, gap)
        return _Grid(columns, width - 2 * around, width + gap, around, whole, is_beside=True)

    def build(self) -> BoardLayout:
        scale = self.scale
        self._add_places()
        has_tray = self._cards.get(None) or not self.is_bare
        tray = self._add_tray() if self.scenario.items() and has_tray else None
        shared = [pool for place in self._places if not place.key for pool in place.pools]
        if shared and not self.is_bare:
            self._y = self._add_storage("", shared, self._y, MARGIN, self._grid.columns) + GAP
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
            storage=_scaled(self._storage, scale),
            members=MappingProxyType({id: _ids(hosts) for id, hosts in self._members.items()}),
            cards=MappingProxyType({h.id: self._cards.get(h.id, ()) for h in self.scenario.hosts}),
            tray_cards=self._cards.get(None, ()),
            folded=self.folded,
            mirrored=self.mirrored,
            hidden=self._hidden,
            restarted=self.restarted,
            is_brief=self.is_brief,
            sites=_scaled(self._sites, scale),
            in_site=_in_sites(self.scenario, [each for each in self._places if each.key]),
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

    def _add_places(self) -> None:
        """Sites in rows; without any the clusters stand on the board itself."""
        grid, sites = self._grid, [place for place in self._places if place.key]
        for place in self._places:
            if not place.key:
                self._y = self._add_clusters(place, self._y, MARGIN, grid.columns)
        taken = [1 if each.key in self.folded else each.columns(grid.columns) for each in sites]
        for row in _rows(taken, grid.columns):
            ends = []
            for at, column in row:
                x = MARGIN + column * grid.pitch
                ends.append(self._add_site(sites[at], self._y, x, taken[at]))
            for at, column in row:
                key, x = sites[at].key, MARGIN + column * grid.pitch
                height = FOLDED_SITE if key in self.folded else max(ends) - self._y
                self._sites[key] = Box(x, self._y, grid.frame(taken[at]), height)
            self._y = max(ends) + GAP

    def _add_site(self, place: _Place, top: float, x: float, columns: int) -> float:
        """Heading, clusters and pools of a site; where it ends."""
        if place.key in self.folded:
            return top + FOLDED_SITE
        y = self._add_clusters(place, top + SITE_HEAD, x, columns)
        if place.pools and not self.is_bare:
            y = self._add_storage(place.key, place.pools, y, x, columns) + GAP
        return y - GAP

    def _add_clusters(self, place: _Place, top: float, x: float, columns: int) -> float:
        """The clusters of a site or of the board, small ones beside each other; where the next
        thing stands."""
        grid, ids = self._grid, list(place.members)
        taken = [min(max(len(place.members[id]), 1), columns) for id in ids]
        taken = [1 if id in self.folded else count for id, count in zip(ids, taken, strict=True)]
        if not grid.is_beside:
            taken = [columns] * len(ids)
        for row in _rows(taken, columns):
            ends = [
                self._add_hosts(
                    ids[at], place.members[ids[at]], top, x + column * grid.pitch, taken[at]
                )
                for at, column in row
            ]
            for at, column in row:
                left, width = x + column * grid.pitch, grid.frame(taken[at])
                self._clusters[ids[at]] = Box(left, top, width, max(ends) - top)
            top = max(ends) + GAP
        return top

    def _add_hosts(
        self, cluster: str, hosts: tuple[Host, ...], top: float, left: float, columns: int
    ) -> float:
        """The hosts of a cluster; where its frame ends."""
        grid, y = self._grid, top + HEADING
        if cluster in self.folded and not is_alone(cluster):
            return y + FOLDED_BODY
        for start in range(0, len(hosts), columns):
            row = hosts[start : start + columns]
            height = max(self._host_height(host.id, grid.width) for host in row)
            for column, host in enumerate(row):
                x = left + grid.around + column * grid.pitch
                self._hosts[host.id] = Box(x, y, grid.width, height)
            y += height + GAP
        return y - GAP + grid.around if hosts else y + EMPTY_BODY

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

    def _add_storage(
        self, key: str, pools: Sequence[Pool], top: float, left: float, columns: int
    ) -> float:
        """The pools of a site or of the board in their frame; where that ends."""
        grid, y = self._grid, top
        for position, pool in enumerate(pools):
            row, column = divmod(position, columns)
            x = left + grid.around + column * grid.pitch
            y = top + HEADING + row * (POOL_HEIGHT + GAP)
            self._pools[pool.id] = Box(x, y, grid.width, POOL_HEIGHT)
        bottom = y + POOL_HEIGHT + grid.around
        width = grid.frame(columns) if key else self.width - 2 * MARGIN
        self._storage[key] = Box(left, top, width, bottom - top)
        return bottom


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


@dataclass(frozen=True, slots=True)
class _Grid:
    """Columns of cards.

    Attributes:
        width: of a card; `pitch`: from one column to the next; `around`: room beside cards in
            their frame; `whole`: width of the board.
        is_beside: frames are as wide as their columns, so that others have room beside them.
    """

    columns: int
    width: float
    pitch: float
    around: float
    whole: float
    is_beside: bool

    def frame(self, columns: int) -> float:
        """Width of a frame around so many columns."""
        return columns * self.pitch - BESIDE_GAP if self.is_beside else self.whole


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands in a site, or with an empty key on the board itself."""

    key: str
    members: dict[str, tuple[Host, ...]]
    pools: tuple[Pool, ...]

    def columns(self, most: int) -> int:
        """In how many columns its clusters stand in one row."""
        return min(max(sum(max(len(hosts), 1) for hosts in self.members.values()), 1), most)


def _places(scenario: Scenario) -> tuple[_Place, ...]:
    """What stands in each site, what is of none after them, and the pools that are of several."""
    names = site_names(scenario)
    members: dict[str, dict[str, list[Host]]] = {}
    at = {each.id: each.site for each in scenario.clusters}
    for each in scenario.clusters:
        members.setdefault(_key(each.site, names), {})[each.id] = []
    for host in scenario.hosts:
        is_in = host.cluster in at
        key = _key(at[host.cluster or ""] if is_in else host.site, names)
        alone = alone_at(key.removeprefix(SITE)) if key else STANDALONE
        cluster = host.cluster if is_in and host.cluster else alone
        members.setdefault(key, {}).setdefault(cluster, []).append(host)
    pools: dict[str, list[Pool]] = {}
    stand = pool_sites(scenario) if names else {}
    for pool in scenario.pools:
        site = stand.get(pool.id)
        pools.setdefault(_key(site, names) if site is not None else "", []).append(pool)
    order = [
        key for key in (*(SITE + id for id in names), SITE, "") if key in members or key in pools
    ]
    return tuple(
        _Place(
            key,
            {id: tuple(hosts) for id, hosts in members.get(key, {}).items()},
            tuple(pools.get(key, ())),
        )
        for key in order
    )


def _in_sites(scenario: Scenario, places: Sequence[_Place]) -> Mapping[str, SiteOnBoard]:
    """What there is to say of each site."""
    if not places:
        return {}
    names = site_names(scenario)
    on: dict[str, list[Vm]] = {}
    for vm in scenario.vms:
        if vm.host is not None:
            on.setdefault(vm.host, []).append(vm)
    found = {}
    for place in places:
        hosts = [host for each in place.members.values() for host in each]
        vms = [vm for host in hosts for vm in on.get(host.id, ())]
        found[place.key] = SiteOnBoard(
            name=names.get(place.key.removeprefix(SITE)),
            clusters=tuple(place.members),
            hosts=tuple(host.id for host in hosts),
            pools=tuple(pool.id for pool in place.pools),
            vms=tuple(vm.id for vm in vms),
            host_gib=sum(host.ram_gib for host in hosts),
            vcpus=sum(vm.vcpus for vm in vms),
            vm_gib=sum(vm.ram_gib for vm in vms),
        )
    return MappingProxyType(found)


def _key(site: str | None, names: Mapping[str, str]) -> str:
    """Of a site on the board; that of hosts whose site isn't said is `SITE` alone where others
    have one."""
    return SITE + (site or "") if names else ""


def _is_beside(places: Sequence[_Place]) -> bool:
    """Whether small clusters stand beside each other: in sites, and where two follow each other."""
    if any(place.key for place in places):
        return True
    sizes = [len(hosts) for place in places for hosts in place.members.values()]
    return any(max(pair) <= BESIDE for pair in pairwise(sizes))


def _empty(places: Sequence[_Place], columns: int) -> float:
    """Which share of so many columns stays empty."""
    taken = [each.columns(columns) for each in places if each.key]
    for place in places:
        if not place.key:
            taken += [min(max(len(hosts), 1), columns) for hosts in place.members.values()]
    rows = _rows(taken, columns)
    return 1.0 - sum(taken) / max(len(rows) * columns, 1)


def _rows(counts: Sequence[int], columns: int) -> list[list[tuple[int, int]]]:
    """Places of things that take so many columns each, with their first column, row by row: each
    stands in the first row that has room.

    >>> _rows([2, 3, 2, 1], 4)
    [[(0, 0), (2, 2)], [(1, 0), (3, 3)]]
    """
    rows: list[list[tuple[int, int]]] = []
    ends: list[int] = []
    for at, count in enumerate(counts):
        row = next((row for row, end in enumerate(ends) if end + count <= columns), len(rows))
        if row == len(rows):
            rows.append([])
            ends.append(0)
        rows[row].append((at, ends[row]))
        ends[row] += count
    return rows


def _ids(items: Iterable[Host]) -> tuple[str, ...]:
    return tuple(item.id for item in items)


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
