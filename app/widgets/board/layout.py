"""Where everything on the board stands, as boxes by id, and what lies where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

STANDALONE = ""
"""In place of the id of a cluster: the hosts without one."""

ALONE_AT, SITE = "$alone ", "$site "
"""Before the id of a site: its hosts without a cluster, and the site itself, whose id a cluster may
have as well."""

SITE_HEAD = 34.0
FOLDED_SITE = 96.0
"""Height of the heading of a site, and of one that is folded."""

PADDING = 12.0
HEADING = 36.0
HOST_HEAD = 65.0
METER_ROW = 33.0
HOST_METERS = 2 * METER_ROW
BRIEF_HEAD = 34.0
"""Height of the head of a host that says its name and verdict alone."""
MIRROR_HEIGHT = 20.0
MORE_HEIGHT = 22.0
FOLD_SIGN = 24.0
"""What folds is clicked on a square this large."""


def alone_at(site: str) -> str:
    """What stands for the cluster of the hosts of a site that have none."""
    return ALONE_AT + site


def is_alone(cluster: str) -> bool:
    """Whether it stands for hosts without a cluster."""
    return cluster == STANDALONE or cluster.startswith(ALONE_AT)


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
    FOLD = "fold"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies under a point; `host` is the host's id also where a VM lies on it.

    `FOLD` is the sign that folds the cluster or host `id`, or the heading of a site.
    """

    kind: HitKind
    id: str = ""
    host: str | None = None


NOTHING = Hit(HitKind.NOTHING)


class CardBoxes(Mapping[str, Box]):
    """Boxes of VM cards by id, made holder by holder when they are first asked for.

    Of a thousand cards a frame shows a few dozen. VMs in folded holders have none.
    """

    def __init__(
        self, cards: Mapping[str | None, tuple[str, ...]], make: Callable[[str | None], list[Box]]
    ) -> None:
        self._cards = cards
        self._make = make
        self._holder = {vm: holder for holder, vms in cards.items() for vm in vms}
        self._boxes: dict[str, Box] = {}

    def __getitem__(self, id: str) -> Box:
        box = self._boxes.get(id)
        if box is None:
            holder = self._holder[id]
            self._boxes.update(zip(self._cards[holder], self._make(holder), strict=True))
            box = self._boxes[id]
        return box

    def __contains__(self, id: object) -> bool:
        return id in self._holder

    def __iter__(self) -> Iterator[str]:
        return iter(self._holder)

    def __len__(self) -> int:
        return len(self._holder)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOnBoard:
    """A site as a section of the board.

    Attributes:
        name: None where its hosts are of no site that is said.
        clusters, hosts, pools, vms: their ids; hosts without a cluster stand in a cluster of their
            own. `vcpus`, `vm_gib`: of the VMs in sum; `host_gib`: memory of the hosts [GiB].
    """

    name: str | None
    clusters: tuple[str, ...]
    hosts: tuple[str, ...]
    pools: tuple[str, ...]
    vms: tuple[str, ...]
    host_gib: float
    vcpus: int
    vm_gib: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardLayout:
    """Boxes of everything on the board, in its own coordinates.

    Attributes:
        sites: by `SITE` and id, where there are any; `in_site`: what stands in each.
        clusters: by id; those for which `is_alone` frame hosts without a cluster.
        hosts, vms: those that are not folded away.
        members: ids of the hosts of each cluster; `cards`: ids of the VMs on each host, folded
            or not.
        tray: of the VMs not placed; `tray_cards`: their ids. `storage`: frames the pools, those
            of a site by its key in `sites`, others by "".
        folded: ids of sites, clusters and hosts that show their heading alone.
        is_compact: VM cards have one line instead of two.
        is_brief: hosts have a heading of one line, and one row of meters.
        mirrored: by host the ids of the VMs whose Fault Tolerance secondaries run there.
        hidden: by host the ids of the VMs on it that have no card for want of room; they are
            not among its `cards`.
        restarted: by host the ids of the VMs of a lost host that go on there, below its own;
            `ghosts`: where these stand.
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
    storage: Mapping[str, Box]
    members: Mapping[str, tuple[str, ...]]
    cards: Mapping[str, tuple[str, ...]]
    tray_cards: tuple[str, ...]
    folded: frozenset[str] = frozenset()
    mirrored: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    restarted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ghosts: Mapping[str, Box] = field(default_factory=dict)
    is_brief: bool = False
    sites: Mapping[str, Box] = field(default_factory=dict)
    in_site: Mapping[str, SiteOnBoard] = field(default_factory=dict)

    def box(self, id: str) -> Box | None:
        """The box of any item or site, None when it is not on the board."""
        for boxes in (self.vms, self.hosts, self.pools, self.clusters, self.sites):
            if (box := boxes.get(id)) is not None:
                return box
        return None

    def mirror_box(self, host: str) -> Box | None:
        """The strip at the foot of a host that names the secondaries on it; None without any."""
        box = self.hosts.get(host)
        if box is None or host in self.folded or not self.mirrored.get(host):
            return None
        height, pad = MIRROR_HEIGHT * self.scale, PADDING * self.scale
        return Box(box.x + pad, box.bottom - pad - height, box.w - 2 * pad, height)

    @property
    def host_top(self) -> float:
        """Height of what stands above the VMs of a host."""
        return top_of_host(is_brief=self.is_brief) * self.scale

    def more_box(self, host: str) -> Box | None:
        """The line below the cards of a host that counts the hidden ones; None without any."""
        box = self.hosts.get(host)
        if box is None or host in self.folded or not self.hidden.get(host):
            return None
        height, pad = MORE_HEIGHT * self.scale, PADDING * self.scale
        mirror = self.mirror_box(host)
        bottom = box.bottom - pad if mirror is None else mirror.y
        return Box(box.x + pad, bottom - height, box.w - 2 * pad, height)

    def shown_hosts(self, cluster: str) -> tuple[str, ...]:
        """Ids of the hosts of a cluster whose cards are to be seen."""
        is_seen = cluster in self.clusters and cluster not in self.folded
        return self.members[cluster] if is_seen else ()

    def shown_cards(self, host: str) -> tuple[str, ...]:
        """Ids of the VMs of a host whose cards are to be seen."""
        return () if host in self.folded else self.cards[host]


def top_of_host(*, is_brief: bool) -> float:
    """Height of heading and meters of a host at 100 %."""
    return (BRIEF_HEAD + METER_ROW if is_brief else HOST_HEAD + HOST_METERS) + 6


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
    for site in layout.sites:
        if site_head(layout, site).contains(x, y):
            return Hit(HitKind.FOLD, site)
    return NOTHING


def site_head(layout: BoardLayout, site: str) -> Box:
    """The heading of a site, which folds it: all of one that is folded."""
    box = layout.sites[site]
    return box if site in layout.folded else box._replace(h=(SITE_HEAD - 2.0) * layout.scale)


def ids_in(layout: BoardLayout, band: Box) -> tuple[str, ...]:
    """The VMs whose cards a rubber band touches."""
    touched = [
        vm
        for host, box in layout.hosts.items()
        if box.meets(band)
        for vm in layout.shown_cards(host)
    ]
    if layout.tray is not None and layout.tray.meets(band):
        touched += layout.tray_cards
    return tuple(vm for vm in touched if layout.vms[vm].meets(band))


def fold_box(layout: BoardLayout, id: str) -> Box | None:
    """Where the sign stands that folds a site, cluster or host; None for anything else."""
    scale = layout.scale
    box = layout.hosts.get(id) or (layout.clusters.get(id) if not is_alone(id) else None)
    box = box or layout.sites.get(id)
    if box is None:
        return None
    top = HOST_HEAD - FOLD_SIGN - 3 if id in layout.hosts else 6
    side = FOLD_SIGN * scale
    return Box(box.right - (PADDING - 6) * scale - side, box.y + top * scale, side, side)


def _hit_cluster(layout: BoardLayout, cluster: str, x: float, y: float) -> Hit:
    host = _first(layout.hosts, layout.shown_hosts(cluster), x, y)
    if host is None:
        if is_alone(cluster):
            return NOTHING
        return Hit(_kind_at(layout, cluster, x, y, HitKind.CLUSTER), cluster)
    vm = _first(layout.vms, layout.shown_cards(host), x, y)
    if vm is not None:
        return Hit(HitKind.VM, vm, host)
    return Hit(_kind_at(layout, host, x, y, HitKind.HOST), host, host)


def _kind_at(layout: BoardLayout, id: str, x: float, y: float, kind: HitKind) -> HitKind:
    sign = fold_box(layout, id)
    return HitKind.FOLD if sign is not None and sign.contains(x, y) else kind


def _first(boxes: Mapping[str, Box], ids: Iterable[str], x: float, y: float) -> str | None:
    return next((id for id in ids if boxes[id].contains(x, y)), None)
