"""How near a VM stands to what was measured: on it, between, beyond, or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from models.demand import B_RAM_GIB, Laws
from models.estimates import EXTRAPOLATED, INTERPOLATED, MEASURED, TRANSFERRED, Sources
from models.family_constants import USERS_PER_VM
from models.quantities import BoolArray, FloatArray, IntArray
from models.runs import QUANTITIES, MeasuredRun

RAM_TOLERANCE = 0.01
"""RAM within 1 % counts as the same (14.5 GB printed, 14.5 GiB entered)."""


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Of one quantity, shape (n,).

    Attributes:
        configuration_measured: machine, path and RAM were run, with whatever users.
        steps: distance outside the measured range, thousands of users plus doublings of RAM.
        measured: the figure of this very configuration and number of users, NaN where none.
        basis: `Basis` codes; TRANSFERRED wherever a law is used away from its measurement.
        evidence: codes of the ids behind the law here.
    """

    configuration_measured: BoolArray
    steps: FloatArray
    measured: FloatArray
    basis: _Codes
    evidence: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class FamilyAPlaces:
    """Where VMs of family A stand among the configurations that were run, shape (m,).

    `series` indexes `RunTable.configurations`, −1 for none.
    """

    where: BoolArray
    platform: IntArray
    storage: IntArray
    users: FloatArray
    ram_gib: FloatArray
    series: IntArray
    as_measured: BoolArray


def family_a_places(
    table: RunTable, laws: Laws, users: FloatArray, ram_gib: FloatArray
) -> FamilyAPlaces:
    """The VMs of family A among its runs."""
    where = laws.family_a
    platform, storage, ram = laws.platform[where], laws.storage[where], ram_gib[where]
    series = table.series_of(platform, storage, ram)
    return FamilyAPlaces(
        where, platform, storage, users[where], ram, series, laws.as_measured[where]
    )


def family_a_coverage(
    table: RunTable, quantity: str, *, places: FamilyAPlaces, exact_users: bool, sources: Sources
) -> Coverage:
    """How near VMs of family A stand to its runs of one quantity.

    Args:
        exact_users: whether a user is a benchmark user (derating 1); otherwise nothing counts as
            measured.
    """
    runs, n, ram = table.of_quantity[quantity], places.users, places.ram_gib
    low_ram, high_ram, first, last = runs.ranges[:, places.platform, places.storage]
    doublings = np.log2(np.maximum(low_ram / ram, ram / high_ram))
    doublings = np.where(doublings <= _SAME_RAM, 0.0, doublings)
    steps = doublings + np.maximum(np.maximum(first - n, n - last), 0.0) / 1000.0
    figure = runs.figure(places.series, n) if exact_users else np.full(len(n), np.nan)
    figure = np.where(places.as_measured, figure, np.nan)
    basis = np.where(steps > 0, EXTRAPOLATED, INTERPOLATED)
    basis = np.where(np.isnan(figure), basis, MEASURED)
    return Coverage(
        places.series >= 0,
        steps,
        figure,
        np.where(places.as_measured, basis, TRANSFERRED),
        runs.evidence(table, places, sources),
    )


@dataclass(frozen=True, slots=True, eq=False)
class FamilyBPlaces:
    """Where VMs of family B (`where`) stand among its runs, shape (m,).

    Its runs: 4,000 users, NRPC at 8 GB, as Domino cluster members at 16 GB, iNotes at both.

    Attributes:
        steps: thousands of users and doublings of RAM outside.
        near_run: at the RAM of a run, or between two.
        itself: at a run's RAM and users.
    """

    where: BoolArray
    steps: FloatArray
    near_run: BoolArray
    itself: BoolArray

    def basis(self, on_its_machine: BoolArray, exact_users: bool) -> tuple[_Codes, BoolArray]:
        """Basis codes, and which VMs are the very run.

        Fewer users lie between nothing and a run; RAM away from a run is transferred by iNotes'
        exponent.

        Args:
            on_its_machine: where nothing is transferred, shape (n,) of all VMs.
        """
        here = on_its_machine[self.where]
        itself = self.itself & here & exact_users
        basis = np.where(self.steps > 0, EXTRAPOLATED, INTERPOLATED)
        basis = np.where(self.near_run & here, basis, TRANSFERRED)
        return np.where(itself, MEASURED, basis), itself


def family_b_places(
    laws: Laws, users: FloatArray, ram_gib: FloatArray, clustered: BoolArray
) -> FamilyBPlaces:
    """The VMs of family B among its runs."""
    where = laws.family_b | laws.inotes
    n, ram, inotes = users[where], ram_gib[where], laws.inotes[where]
    at_8 = np.abs(ram / B_RAM_GIB - 1) <= RAM_TOLERANCE
    at_16 = np.abs(ram / (2 * B_RAM_GIB) - 1) <= RAM_TOLERANCE
    at_run = np.where(inotes, at_8 | at_16, np.where(clustered[where], at_16, at_8))
    between = inotes & (ram > B_RAM_GIB) & (ram < 2 * B_RAM_GIB)
    doublings = np.log2(np.maximum(B_RAM_GIB / ram, ram / (2 * B_RAM_GIB)))
    doublings = np.where(doublings <= _SAME_RAM, 0.0, doublings)
    steps = doublings + np.maximum(n - USERS_PER_VM, 0.0) / 1000.0
    return FamilyBPlaces(where, steps, at_run | between, at_run & (n == USERS_PER_VM))


_Codes = npt.NDArray[np.int64]
_SAME_RAM = float(np.log2(1 + RAM_TOLERANCE))
Configuration = tuple[int, int, float]


@dataclass(frozen=True, slots=True, eq=False)
class RunTable:
    """The runs of family A: configurations (platform, path, RAM) and the figures of each."""

    configurations: tuple[Configuration, ...]
    of_quantity: Mapping[str, _Runs]

    def series_of(self, platform: IntArray, storage: IntArray, ram: FloatArray) -> IntArray:
        """Index of the configuration that was run, −1 for none."""
        found = np.full(len(ram), -1)
        place = platform * 3 + storage
        for index, (machine, path, size) in enumerate(self.configurations):
            same = (place == machine * 3 + path) & (np.abs(ram - size) <= RAM_TOLERANCE * size)
            found[same] = index
        return found


@lru_cache(maxsize=4)
def run_table(runs: tuple[MeasuredRun, ...]) -> RunTable:
    """The runs as tables; worked out once per calibration."""
    configurations = tuple(dict.fromkeys(_configuration(run) for run in runs))
    of_quantity = {
        quantity: _Runs.of([run for run in runs if run.quantity == quantity], configurations)
        for quantity in QUANTITIES
    }
    return RunTable(configurations, of_quantity)


def _configuration(run: MeasuredRun) -> Configuration:
    return run.platform, run.storage, run.ram_gib


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The runs of one quantity; `ranges` is (RAM low, high, users low, high, platform, path)."""

    runs: tuple[MeasuredRun, ...]
    keys: FloatArray
    values: FloatArray
    ranges: FloatArray

    @classmethod
    def of(cls, runs: Sequence[MeasuredRun], configurations: Sequence[Configuration]) -> _Runs:
        keys = np.array(
            [configurations.index(_configuration(r)) * _PER_SERIES + r.users for r in runs]
        )
        order = np.argsort(keys)
        by_path: dict[tuple[int, int], list[MeasuredRun]] = {}
        for r in runs:
            by_path.setdefault((r.platform, r.storage), []).append(r)
        ranges = np.full((4, 2, 3), np.nan)
        for (platform, storage), found in by_path.items():
            ram, users = [r.ram_gib for r in found], [r.users for r in found]
            ranges[:, platform, storage] = min(ram), max(ram), min(users), max(users)
        values = np.array([r.value for r in runs])
        return cls(tuple(runs), keys[order], values[order], ranges)

    def figure(self, series: IntArray, users: FloatArray) -> FloatArray:
        """The figure of a run, NaN where there was none."""
        if not len(self.keys):
            return np.full(len(users), np.nan)
        wanted = np.where(series >= 0, series * _PER_SERIES + users, -1.0)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.values[at], np.nan)

    def evidence(
        self, table: RunTable, places: FamilyAPlaces, sources: Sources
    ) -> npt.NDArray[np.int32]:
        """Codes of the ids of the configuration's runs, or of all runs of its path."""
        path = places.platform * 3 + places.storage
        place = np.where(places.series >= 0, places.series, len(table.configurations) + path)
        codes = np.zeros(len(table.configurations) + 6, dtype=np.int32)
        for number in np.flatnonzero(np.bincount(place)).tolist():
            codes[number] = sources.code(self._ids(table, number))
        return codes[place]

    def _ids(self, table: RunTable, number: int) -> tuple[str, ...]:
        beyond = number - len(table.configurations)
        if beyond < 0:
            wanted = table.configurations[number]
            return tuple([r.id for r in self.runs if _configuration(r) == wanted])
        return tuple([r.id for r in self.runs if r.platform * 3 + r.storage == beyond])


_PER_SERIES = 1e7
"""Larger than any number of users that was run."""
