"""Where the arrow keys lead: pure functions over the boxes of a layout."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from app.widgets.board.layout import HOST_HEAD, BoardLayout, Box, is_alone, site_head

SIDEWAYS_COST = 3.0


class Direction(Enum):
    """The four arrow keys, as unit steps."""

    LEFT = (-1, 0)
    RIGHT = (1, 0)
    UP = (0, -1)
    DOWN = (0, 1)


def reading_order(layout: BoardLayout, *, with_folded: bool = False) -> tuple[str, ...]:
    """All items as one reads them: each site, its clusters, their hosts, their VMs; the tray; the
    pools. `with_folded`: also what is folded away, but no sites, which are no items."""
    order: list[str] = []
    sites = {} if with_folded else {c: id for id, at in layout.in_site.items() for c in at.clusters}
    bare = [id for id, at in layout.in_site.items() if not at.clusters and not with_folded]
    for cluster, members in layout.members.items():
        if (site := sites.get(cluster)) is not None and site not in order:
            order.append(site)
        if not is_alone(cluster) and (with_folded or cluster in layout.clusters):
            order.append(cluster)
        for host in members if with_folded else layout.shown_hosts(cluster):
            order += [host, *(layout.cards[host] if with_folded else layout.shown_cards(host))]
    away = [id for site in layout.in_site.values() for id in site.pools if id not in layout.pools]
    return (*order, *bare, *layout.tray_cards, *layout.pools, *(away if with_folded else ()))


def neighbour(layout: BoardLayout, current: str | None, direction: Direction) -> str | None:
    """The item next to `current` in a direction; the first item when there is no current one.

    Sideways, VMs lead to VMs of the next host and hosts to hosts, as far as there are any.
    """
    order = reading_order(layout)
    if current not in order:
        return order[0] if order else None
    return nearest({id: _heading(layout, id) for id in order}, current, direction)


def nearest(boxes: Mapping[str, Box], current: str | None, direction: Direction) -> str | None:
    """Of some boxes the next one from `current` in a direction; `current` where there is none."""
    if current not in boxes:
        return next(iter(boxes), None)
    here = _middle(boxes[current or ""])
    best: tuple[float, str] | None = None
    for id, box in boxes.items():
        cost = _cost(here, _middle(box), direction)
        if id != current and cost is not None and (best is None or cost < best[0]):
            best = (cost, id)
    return best[1] if best else current


def _heading(layout: BoardLayout, id: str) -> Box:
    """The part that stands for an item: its heading where it holds others, else all of it."""
    box = layout.box(id) or Box(0, 0, 0, 0)
    if id in layout.sites:
        box = site_head(layout, id)
    if id in layout.sites or id in layout.clusters:
        return Box(box.x, box.y, 80 * layout.scale, 36 * layout.scale)
    return box._replace(h=HOST_HEAD * layout.scale) if id in layout.hosts else box


def _middle(box: Box) -> tuple[float, float]:
    return (box.x + box.w / 2, box.y + box.h / 2)


def _cost(
    here: tuple[float, float], there: tuple[float, float], direction: Direction
) -> float | None:
    """How far a middle is in the direction; None when it lies elsewhere."""
    step_x, step_y = direction.value
    dx, dy = there[0] - here[0], there[1] - here[1]
    ahead = dx * step_x + dy * step_y
    aside = abs(dx * step_y) + abs(dy * step_x)
    if ahead <= 1.0 or (step_x and aside > 6 * ahead):
        return None
    return ahead + SIDEWAYS_COST * aside
