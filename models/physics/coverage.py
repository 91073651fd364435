"""How near a VM stands to what was measured: on it, between, beyond, or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from models.base.identity import Itself
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.evidence.constants import USERS_PER_VM
from models.evidence.family_a import QUANTITIES, MeasuredRun
from models.physics.demand import B_RAM_GIB
from models.physics.estimates import EXTRAPOLATED, INTERPOLATED, MEASURED, TRANSFERRED, Sources
from models.physics.laws import Laws

RAM_TOLERANCE = 0.01
"""RAM within 1 % counts as the same (14.5 GB printed, 14.5 GiB entered)."""


@record
class Coverage:
    """Of one quantity, shape (n,); of VMs of another family it says nothing of use.

    Attributes:
        configuration_measured: machine, path and RAM were run, with whatever users.
        steps: distance outside the measured range, thousands of users plus doublings of RAM.
        below, past: the part of it that is users below the first run, or past the last.
        last: users of the last run.
        measured: the figure of this very configuration and number of users, NaN where none.
        basis: `Basis` codes; TRANSFERRED wherever a law is used away from its measurement.
        evidence: codes of the ids behind the law here.
    """

    configuration_measured: BoolArray
    steps: FloatArray
    below: FloatArray
    past: FloatArray
    last: FloatArray
    measured: FloatArray
    basis: _Codes
    evidence: npt.NDArray[np.int32]


@record
class FamilyAPlaces:
    """Where VMs stand among the configurations of family A that were run, shape (n,).

    `series` indexes `RunTable.configurations`, −1 for none; `place` as `RunTable.standing` says.
    """

    family_a: BoolArray
    users: FloatArray
    ram_gib: FloatArray
    series: IntArray
    place: IntArray
    as_measured: BoolArray


def family_a_places(
    table: RunTable, laws: Laws, users: FloatArray, ram_gib: FloatArray
) -> FamilyAPlaces:
    """The VMs among the runs of family A."""
    series, place = table.standing(laws.platform * 3 + laws.storage, ram_gib)
    return FamilyAPlaces(laws.family_a, users, ram_gib, series, place, laws.as_measured)


def family_a_coverage(
    table: RunTable, quantity: str, *, places: FamilyAPlaces, exact_users: bool, sources: Sources
) -> Coverage:
    """How near VMs of family A stand to its runs of one quantity.

    Args:
        exact_users: whether a user is a benchmark user (derating 1); otherwise nothing counts as
            measured.
    """
    runs, n, ram = table.of_quantity[quantity], places.users, places.ram_gib
    low_ram, high_ram, first, last = runs.ranges.take(places.place, axis=1)
    doublings = np.log2(np.maximum(low_ram / ram, ram / high_ram))
    doublings[doublings <= _SAME_RAM] = 0.0
    below, past = np.maximum(first - n, 0.0) / 1000.0, np.maximum(n - last, 0.0) / 1000.0
    steps = doublings + below + past
    basis = np.where(steps > 0, EXTRAPOLATED, INTERPOLATED)
    if exact_users:
        figure = np.where(places.as_measured, runs.figure(places.series, n), np.nan)
        basis[~np.isnan(figure)] = MEASURED
    else:
        figure = np.full(len(n), np.nan)
    basis[~places.as_measured] = TRANSFERRED
    evidence = runs.evidence(places, sources)
    known = places.series >= 0
    return Coverage(known, steps, below, past, last, figure, basis, evidence)


@record
class FamilyBPlaces:
    """Where VMs stand among the runs of family B, shape (n,); of use for its own VMs.

    Its runs: 4,000 users, NRPC at 8 GB, as Domino cluster members at 16 GB, iNotes at both.

    Attributes:
        steps: thousands of users and doublings of RAM outside.
        past: thousands of users past the runs.
        near_run: at the RAM of a run, or between two.
        itself: at a run's RAM and users.
    """

    steps: FloatArray
    past: FloatArray
    near_run: BoolArray
    itself: BoolArray

    def basis(self, on_its_machine: BoolArray, exact_users: bool) -> tuple[_Codes, BoolArray]:
        """Basis codes, and which VMs are the very run.

        Fewer users lie between nothing and a run; RAM away from a run is transferred by iNotes'
        exponent.

        Args:
            on_its_machine: where nothing is transferred.
        """
        basis = np.where(self.steps > 0, EXTRAPOLATED, INTERPOLATED)
        basis[~(self.near_run & on_its_machine)] = TRANSFERRED
        itself = self.itself & on_its_machine & exact_users
        basis[itself] = MEASURED
        return basis, itself


def family_b_places(
    laws: Laws,
    users: FloatArray,
    ram_gib: FloatArray,
    replicating: BoolArray,
    received: FloatArray | None = None,
) -> FamilyBPlaces:
    """The VMs among the runs of family B.

    Args:
        received: users whose changes partners push to a VM; None: no VM has any. The runs of
            members had as many as own ones, and more of either are as far outside.
    """
    over_16 = ram_gib / (2 * B_RAM_GIB)
    at_8 = np.abs(ram_gib / B_RAM_GIB - 1) <= RAM_TOLERANCE
    at_16 = np.abs(over_16 - 1) <= RAM_TOLERANCE
    at_run = np.where(replicating, at_16, at_8)
    if received is not None:
        at_run &= ~replicating | np.isclose(received, users)
    at_run |= laws.inotes & (at_8 | at_16)
    between = laws.inotes & (ram_gib > B_RAM_GIB) & (ram_gib < 2 * B_RAM_GIB)
    doublings = np.log2(np.maximum(B_RAM_GIB / ram_gib, over_16))
    doublings[doublings <= _SAME_RAM] = 0.0
    most = users
    if received is not None:
        most = np.where(laws.inotes, users, np.maximum(users, received))
    past = np.maximum(most - USERS_PER_VM, 0.0) / 1000.0
    return FamilyBPlaces(doublings + past, past, at_run | between, at_run & (users == USERS_PER_VM))


_Codes = npt.NDArray[np.int64]
_SAME_RAM = float(np.log2(1 + RAM_TOLERANCE))
Configuration = tuple[int, int, float]


@record
class RunTable:
    """The runs of family A: configurations (platform, path, RAM) and the figures of each.

    `sizes` holds the RAM that was run on each path, in order, and `numbers` the configurations,
    (k, 6).
    """

    configurations: tuple[Configuration, ...]
    sizes: FloatArray
    numbers: IntArray
    of_quantity: Mapping[str, _Runs]

    @classmethod
    def of(cls, runs: tuple[MeasuredRun, ...]) -> RunTable:
        configurations = tuple(sorted({_configuration(run) for run in runs}))
        on_path: list[list[int]] = [[] for _ in range(_PATHS)]
        for number, configuration in enumerate(configurations):
            on_path[_path(configuration)].append(number)
        most = max(len(numbers) for numbers in on_path)
        sizes, numbers = np.full((most, _PATHS), np.nan), np.full((most, _PATHS), -1)
        for path, found in enumerate(on_path):
            sizes[: len(found), path] = [configurations[number][2] for number in found]
            numbers[: len(found), path] = found
        of_quantity = {
            quantity: _Runs.of(
                [run for run in runs if run.quantity == quantity], configurations, sizes
            )
            for quantity in QUANTITIES
        }
        return cls(configurations, sizes, numbers, of_quantity)

    def standing(self, path: IntArray, ram: FloatArray) -> tuple[IntArray, IntArray]:
        """Index of the configuration that was run, −1 for none, and the place: that, or after all
        of them the gaps of each path, by how many sizes that were run are smaller."""
        series, smaller = np.full(len(ram), -1), path * (len(self.sizes) + 1)
        for sizes, numbers in zip(self.sizes, self.numbers, strict=True):
            size = sizes.take(path)
            same = np.abs(ram - size) <= RAM_TOLERANCE * size
            np.copyto(series, numbers.take(path), where=same)
            smaller += size < ram
        return series, np.where(series >= 0, series, len(self.configurations) + smaller)


def run_table(runs: tuple[MeasuredRun, ...]) -> RunTable:
    """The runs as tables; worked out once per calibration."""
    return _run_table(Itself(runs))


@lru_cache(maxsize=4)
def _run_table(key: Itself[tuple[MeasuredRun, ...]]) -> RunTable:
    return RunTable.of(key.value)


def _configuration(run: MeasuredRun) -> Configuration:
    return run.platform, run.storage, run.ram_gib


def _path(configuration: Configuration) -> int:
    platform, storage, _ = configuration
    return platform * 3 + storage


@record
class _Runs:
    """The runs of one quantity.

    Attributes:
        keys, values: configuration and users in one number, in order, and the figure of each.
        ranges: RAM low and high, users low and high of each place, (4, places). Of memory that was
            not run, the RAM of its path's runs, and the users that the sizes next to it both had.
        ids: of the runs of each place, of all runs of the path where memory was not run.
    """

    keys: FloatArray
    values: FloatArray
    ranges: FloatArray
    ids: tuple[tuple[str, ...], ...]

    @classmethod
    def of(
        cls, runs: Sequence[MeasuredRun], configurations: Sequence[Configuration], sizes: FloatArray
    ) -> _Runs:
        series = [configurations.index(_configuration(run)) for run in runs]
        keys = np.array([s * _PER_SERIES + r.users for s, r in zip(series, runs, strict=True)])
        values = np.array([run.value for run in runs])
        order = np.argsort(keys)
        found = [[r for r in runs if _configuration(r) == each] for each in configurations]
        ranges = [_range(of_one, of_one) for of_one in found]
        for path, ram in enumerate(sizes.T):
            there = [run for run in runs if _path(_configuration(run)) == path]
            for gap in range(len(ram) + 1):
                below, above = (
                    [run for run in there if run.ram_gib in side] for side in (ram[:gap], ram[gap:])
                )
                beside = _of_size(below, max), _of_size(above, min)
                ranges.append(_range(there, *filter(None, beside)))
                found.append(there)
        ids = tuple(tuple(run.id for run in of_one) for of_one in found)
        return cls(keys[order], values[order], np.array(ranges).T, ids)

    def figure(self, series: IntArray, users: FloatArray) -> FloatArray:
        """The figure of a run, NaN where there was none."""
        if not len(self.keys):
            return np.full(len(users), np.nan)
        wanted = np.where(series >= 0, series * _PER_SERIES + users, -1.0)
        at = np.minimum(self.keys.searchsorted(wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.values[at], np.nan)

    def evidence(self, places: FamilyAPlaces, sources: Sources) -> npt.NDArray[np.int32]:
        """Codes of the ids of the configuration's runs, or of all runs of its path."""
        codes = np.zeros(len(self.ids), dtype=np.int32)
        for number in np.bincount(places.place[places.family_a]).nonzero()[0].tolist():
            codes[number] = sources.code(self.ids[number])
        return codes[places.place]


def _of_size(
    runs: Sequence[MeasuredRun], which: Callable[[Iterable[float]], float]
) -> list[MeasuredRun]:
    """Those with the least or the most memory."""
    size = which(run.ram_gib for run in runs) if runs else 0.0
    return [run for run in runs if run.ram_gib == size]


def _range(runs: Sequence[MeasuredRun], *beside: Sequence[MeasuredRun]) -> tuple[float, ...]:
    """Least and most RAM of `runs`, and the users from which and up to which all of `beside` go."""
    if not runs or not all(beside):
        return (np.nan,) * 4
    ram = [run.ram_gib for run in runs]
    first = max(min(run.users for run in series) for series in beside)
    last = min(max(run.users for run in series) for series in beside)
    return min(ram), max(ram), first, last


_PATHS = 6
"""Two platforms, three ways of storage each."""

_PER_SERIES = 1e7
"""Larger than any number of users that was run."""
