"""How near a VM stands to what was measured: on it, between, beyond, or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.demand import B_RAM_GIB, Laws
from models.estimates import EXTRAPOLATED, INTERPOLATED, MEASURED, TRANSFERRED, Sources
from models.family_constants import USERS_PER_VM
from models.quantities import BoolArray, FloatArray, IntArray
from models.runs import MeasuredRun

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
    basis: np.ndarray
    evidence: np.ndarray


def family_a_coverage(
    runs: Sequence[MeasuredRun],
    quantity: str,
    *,
    laws: Laws,
    where: BoolArray,
    users: FloatArray,
    ram_gib: FloatArray,
    exact_users: bool,
    sources: Sources,
) -> Coverage:
    """Where VMs of family A (`where`, m of them) stand among its runs.

    Args:
        exact_users: whether a user is a benchmark user (derating 1); otherwise nothing counts as
            measured.
    """
    table = _Runs.of([run for run in runs if run.quantity == quantity])
    platform, storage = laws.platform[where], laws.storage[where]
    n, ram = users[where], ram_gib[where]
    series = table.series_of(platform, storage, ram)
    as_measured = laws.as_measured[where]
    low_ram, high_ram, first, last = table.ranges[:, platform, storage]
    doublings = np.maximum(np.log2(low_ram / ram), np.log2(ram / high_ram))
    doublings = np.where(doublings <= np.log2(1 + RAM_TOLERANCE), 0.0, doublings)
    beyond = np.maximum(np.maximum(first - n, n - last), 0.0) / 1000.0
    steps = doublings + beyond
    figure = table.figure(series, n) if exact_users else np.full(len(n), np.nan)
    figure = np.where(as_measured, figure, np.nan)
    basis = np.where(steps > 0, EXTRAPOLATED, INTERPOLATED)
    basis = np.where(np.isnan(figure), basis, MEASURED)
    return Coverage(
        series >= 0,
        steps,
        figure,
        np.where(as_measured, basis, TRANSFERRED),
        table.evidence(series, platform, storage, sources),
    )


def family_b_coverage(
    *,
    laws: Laws,
    where: BoolArray,
    users: FloatArray,
    ram_gib: FloatArray,
    clustered: BoolArray,
    exact_users: bool,
    on_its_machine: BoolArray,
) -> tuple[FloatArray, np.ndarray, BoolArray]:
    """Steps outside, basis, and whether it is the very run, for VMs of family B (`where`).

    Its runs: 4,000 users, NRPC at 8 GB, as Domino cluster members at 16 GB, iNotes at both. Fewer
    users lie between nothing and a run; RAM away from a run is transferred by iNotes' exponent.

    Args:
        on_its_machine: where nothing is transferred, shape (n,).
    """
    n, ram, inotes = users[where], ram_gib[where], laws.inotes[where]
    at_8, at_16 = (np.abs(ram / size - 1) <= RAM_TOLERANCE for size in (B_RAM_GIB, 2 * B_RAM_GIB))
    at_run = np.where(inotes, at_8 | at_16, np.where(clustered[where], at_16, at_8))
    between = inotes & (ram > B_RAM_GIB) & (ram < 2 * B_RAM_GIB)
    doublings = np.maximum(np.log2(B_RAM_GIB / ram), np.log2(ram / (2 * B_RAM_GIB)))
    steps = np.maximum(doublings, 0.0) + np.maximum(n - USERS_PER_VM, 0.0) / 1000.0
    itself = at_run & (n == USERS_PER_VM) & on_its_machine[where] & exact_users
    basis = np.where(steps > 0, EXTRAPOLATED, INTERPOLATED)
    basis = np.where((at_run | between) & on_its_machine[where], basis, TRANSFERRED)
    return steps, np.where(itself, MEASURED, basis), itself


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The runs of one quantity as arrays; `ranges` is (RAM low, high, users low, high, p, s)."""

    runs: tuple[MeasuredRun, ...]
    configurations: tuple[tuple[int, int, float], ...]
    keys: FloatArray
    values: FloatArray
    ranges: FloatArray

    @classmethod
    def of(cls, runs: Sequence[MeasuredRun]) -> _Runs:
        places = [(r.platform, r.storage, r.ram_gib) for r in runs]
        configurations = {place: row for row, place in enumerate(dict.fromkeys(places))}
        keys = np.array(
            [configurations[p] * 1e7 + r.users for p, r in zip(places, runs, strict=True)]
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
        return cls(tuple(runs), tuple(configurations), keys[order], values[order], ranges)

    def series_of(self, platform: IntArray, storage: IntArray, ram: FloatArray) -> IntArray:
        """Index of the configuration that was run, −1 for none."""
        found = np.full(len(ram), -1)
        for index, (machine, path, size) in enumerate(self.configurations):
            same = (platform == machine) & (storage == path)
            found[same & (np.abs(ram / size - 1) <= RAM_TOLERANCE)] = index
        return found

    def figure(self, series: IntArray, users: FloatArray) -> FloatArray:
        """The figure of a run, NaN where there was none."""
        if not len(self.keys):
            return np.full(len(users), np.nan)
        wanted = np.where(series >= 0, series * 1e7 + users, -1.0)
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.values[at], np.nan)

    def evidence(
        self, series: IntArray, platform: IntArray, storage: IntArray, sources: Sources
    ) -> np.ndarray:
        """Codes of the ids of the configuration's runs, or of all runs of its path."""
        place = np.where(series >= 0, series, 100 + platform * 3 + storage)
        codes = np.zeros(len(place), dtype=np.int32)
        for number in np.unique(place):
            codes[place == number] = sources.code(self._ids(int(number)))
        return codes

    def _ids(self, number: int) -> tuple[str, ...]:
        if number < 100:
            wanted = self.configurations[number]
            return tuple(r.id for r in self.runs if (r.platform, r.storage, r.ram_gib) == wanted)
        path = divmod(number - 100, 3)
        return tuple(r.id for r in self.runs if (r.platform, r.storage) == path)
