"""Modes in which no host is gone: a Domino server or a controller is, and the load moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.texts import joined as joined_texts
from models.base.texts import say
from models.evidence.knowledge import Knowledge
from models.failure.mode import Mode, ModeKind
from models.physics.arrays import Arrays, side_by_side
from models.physics.columns import NOBODY
from models.physics.estimates import NoSources
from models.physics.people import without_server
from models.predict.demands import vm_stage
from models.predict.prediction import Verdict
from models.resilience.columns import Columns, joined
from models.resilience.no_host_lost import everyday
from models.scenario.scenario import Scenario
from models.scenario.wording import number
from models.stages import undisturbed, without_failures

CHUNK_ROWS = 4096
"""VMs of the copies that are worked out together: what fits a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Variants:
    """Who takes whose users over in each mode, the IOPS ceiling of every pool, and what to say.

    Attributes:
        gone: row of the Domino server that is lost, −1 for none, (s,); `heirs`: who takes its users
            over, (s, n).
        ceiling: (s, p), NaN where none is known.
        lost: modes in which users or disks are left without any server or controller, (s,).
        silent: modes of which it isn't known what the controllers that are left carry, (s,).
    """

    gone: IntArray
    heirs: BoolArray
    ceiling: FloatArray
    lost: BoolArray
    silent: BoolArray
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.gone)


def variants_of(scenario: Scenario, arrays: Arrays, modes: Sequence[Mode]) -> Variants:
    """The users and controllers of these modes.

    The users of a Domino server that is lost go to the members of its cluster that serve, as
    `people.without_server` has it; its VM keeps its memory. A controller that is lost
    takes its share of what the array's controllers carry along; caches and drives stay as they are.
    """
    count = len(modes)
    heirs = np.zeros((count, len(arrays.vms)), dtype=np.bool_)
    ceiling = np.tile(arrays.pools.ceiling_iops, (count, 1))
    lost, silent = np.zeros((2, count), dtype=np.bool_)
    gone = np.full(count, NOBODY)
    notes = [""] * count
    vm_row = {id: row for row, id in enumerate(arrays.vms.ids)}
    pool_row = {id: row for row, id in enumerate(arrays.pools.ids)}
    for number_, mode in enumerate(modes):
        if mode.kind is ModeKind.PARTNER:
            gone[number_] = row = vm_row[mode.subject]
            there = _heirs(scenario, arrays, row, vm_row)
            heirs[number_, there] = True
            moved = float(arrays.vms.active_users[row])
            lost[number_] = not there and moved > 0
            notes[number_] = _moved_words(scenario, row, there, moved)
        else:
            pool = pool_row[mode.subject]
            controllers = scenario.assumptions.array_controllers
            ceiling[number_, pool] *= (controllers - 1) / controllers
            lost[number_] = controllers == 1
            carries = bool(np.any(arrays.vms.on_pool & (arrays.vms.pool == pool)))
            unknown = controllers > 1 and bool(np.isnan(ceiling[number_, pool]))
            silent[number_] = unknown and carries
            notes[number_] = _controller_words(controllers, silent=bool(silent[number_]))
    return Variants(gone, heirs, ceiling, lost, silent, tuple(notes))


def columns_of(
    variants: Variants,
    arrays: Arrays,
    scenario: Scenario,
    knowledge: Knowledge,
) -> Columns:
    """The numbers of every mode, worked out as normal operation is."""
    parts, derating = [], scenario.policy.derating
    for copies, count in side_by_side_without(variants, arrays):
        vm = vm_stage(copies, derating, knowledge, NoSources())
        normal = undisturbed(vm, scenario.policy)
        parts.append(everyday(normal, without_failures(normal), count))
    found = joined(parts, np.arange(len(variants)))
    codes = found.codes.copy()
    codes[variants.lost] = Verdict.DOES_NOT_FIT
    codes[variants.silent] = np.maximum(codes[variants.silent], Verdict.NOT_KNOWN)
    blank = {
        name: np.where(variants.silent, np.nan, getattr(found, name))
        for name in ("disk_pct", "response_ms")
    }
    return replace(found, codes=codes, **blank)


def side_by_side_without(variants: Variants, arrays: Arrays) -> Iterator[tuple[Arrays, int]]:
    """The scenario without what each mode takes, copies side by side, and how many these are."""
    size = max(CHUNK_ROWS // max(len(arrays.vms), len(arrays.hosts), len(arrays.pools), 1), 1)
    for chunk in _chunks(len(variants), size):
        gone, ceiling = variants.gone[chunk], variants.ceiling[chunk]
        copies = side_by_side(arrays, len(gone))
        vms = without_server(copies.vms, gone, variants.heirs[chunk])
        pools = replace(copies.pools, ceiling_iops=ceiling.ravel())
        yield replace(copies, vms=vms, pools=pools), len(gone)


def _chunks(count: int, size: int) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, start + size)


def _heirs(scenario: Scenario, arrays: Arrays, row: int, vm_row: dict[str, int]) -> list[int]:
    named = scenario.vms[row].cluster_partners
    partners = [vm_row[id] for id in named if id in vm_row]
    return [partner for partner in partners if arrays.started[partner]]


def _moved_words(scenario: Scenario, row: int, heirs: list[int], moved: float) -> str:
    who = scenario.vms[row].name
    if not heirs:
        return say(
            "no partner of {who} runs: its {moved} users have no server",
            who=who,
            moved=number(moved),
        )
    called = [
        say(
            "{name} ({users} then)",
            name=scenario.vms[heir].name,
            users=number(scenario.vms[heir].workload.active_users + moved / len(heirs)),
        )
        for heir in heirs[:MOST_NAMED]
    ]
    there = joined_texts(", ", called)
    more = (
        say(" and {count} more", count=len(heirs) - MOST_NAMED) if len(heirs) > MOST_NAMED else ""
    )
    return say(
        "{moved} users of {who} move to {there}{more}",
        moved=number(moved),
        who=who,
        there=there,
        more=more,
    )


MOST_NAMED = 3


def _controller_words(controllers: int, *, silent: bool) -> str:
    if controllers == 1:
        return say("one controller (assumed): without it the pool is gone")
    if silent:
        return say("no data: no figure is known of what the array’s controllers carry")
    return say(
        "one of {controllers} controllers (assumed) gone: what they carry shrinks by its "
        "share; caches and drives are taken to stay",
        controllers=controllers,
    )
