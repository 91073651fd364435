"""What the faces of cards are made from: the items in view and their numbers, looked up once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.session import View
from models.base.quantities import NO_DATA, Basis, Quantity, Series
from models.catalog.catalog import Catalog
from models.judgement.against_limits import judged
from models.predict.predicted import PREDICTED
from models.predict.prediction import Prediction, Verdict
from models.scenario.scenario import Host, Pool, Scenario, Vm
from models.scenario.wording import Style

_BASES = tuple(Basis)
_READ = {
    "hosts": (
        ("cpu_pct", "ram_pct", "network_pct"),
        ("vcpus_per_core", "ram_limit_pct", "failure_cpu_pct", "failure_ram_pct", "verdict"),
    ),
    "pools": (("iops", "utilisation_pct", "capacity_pct", "latency_ms"), ("limit_iops", "verdict")),
    "vms": (("response_ms", "cpu_pct", "iops"), ("verdict",)),
}
"""What faces are made from, by table: numbers with an interval, and those without."""

_COMPACT = {**_READ, "vms": (("response_ms", "cpu_pct"), ("verdict",))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """The items of a scenario by id, so that a frame looks nothing up twice."""

    hosts: Mapping[str, Host]
    vms: Mapping[str, Vm]
    pools: Mapping[str, Pool]
    occupied: frozenset[str]

    @classmethod
    def of(cls, view: Scenario, stored: Scenario) -> Items:
        """What is in view; items that only the stored scenario has stand as they are there."""
        return cls(
            hosts={host.id: host for each in (stored, view) for host in each.hosts},
            vms={vm.id: vm for each in (stored, view) for vm in each.vms},
            pools={pool.id: pool for each in (stored, view) for pool in each.pools},
            occupied=frozenset(vm.host for vm in view.vms if vm.host is not None),
        )

    def is_away(self, host: str | None) -> bool:
        """Whether a host is in maintenance."""
        return host is not None and host in self.hosts and self.hosts[host].in_maintenance


class FaceSources:
    """What is looked at, and in whose marks numbers are written.

    On a compact board VM cards show no CPU bar, so none is made.
    """

    def __init__(
        self, view: View, catalog: Catalog, items: Items, style: Style, *, is_compact: bool
    ) -> None:
        self.is_compact = is_compact
        self.view = view
        self.catalog = catalog
        self.items = items
        self.style = style
        self._verdicts: dict[tuple[str, str], npt.NDArray[np.int8]] = {}
        self._figures: dict[tuple[str, bool], npt.NDArray[np.float64]] = {}

    def is_alike(self, other: FaceSources) -> bool:
        """Whether the same figures of the same item make the same face."""
        one, two = self.view, other.view
        return (
            (self.is_compact, self.style, one.is_preview)
            == (other.is_compact, other.style, two.is_preview)
            and self.catalog is other.catalog
            and one.scenario.policy == two.scenario.policy
        )

    def figures(self, table: str, id: str) -> tuple[bytes, bytes]:
        """All figures of one item that its face is made from, for comparison; now and, while
        something is being dragged, as stored."""
        stored = self._row(table, id, is_stored=True) if self.view.is_preview else b""
        return self._row(table, id, is_stored=False), stored

    def _row(self, table: str, id: str, *, is_stored: bool) -> bytes:
        prediction = self.view.committed if is_stored else self.view.prediction
        rows = getattr(prediction, table)
        if id not in rows:
            return b""
        figures = self._figures.get((table, is_stored))
        if figures is None:
            figures = _figures(rows, *(_COMPACT if self.is_compact else _READ)[table])
            if table == "vms":
                is_known = rows.cpu_pct.basis != Basis.NO_DATA
                figures = np.column_stack([figures, is_known])
            if rows.assumed is not None:
                figures = np.column_stack([figures, rows.assumed])
            self._figures[table, is_stored] = figures
        row: bytes = figures[rows.index(id)].tobytes()
        return row

    def quantity(self, prediction: Prediction, table: str, item: str, field: str) -> Quantity:
        """One number, without its evidence: a board shows hundreds of them in a frame."""
        rows = getattr(prediction, table)
        return quantity_at(getattr(rows, field), rows.index(item)) if item in rows else NO_DATA

    def judged(
        self, table: str, id: str, field: str, limit: npt.ArrayLike, factor: float
    ) -> Verdict:
        """The verdict on one number, as the verdict of the whole judges it.

        All numbers of a column are judged at once, when the first of them is asked for.
        """
        rows = getattr(self.view.prediction, table)
        codes = self._verdicts.get((table, field))
        if codes is None:
            column: Series = getattr(rows, field)
            codes = judged(column.value * factor, column.judged_high * factor, limit)
            known = rows.by_resource.get(PREDICTED[field].resource)
            if known is not None:
                lacking = (known == Verdict.NOT_KNOWN) & (codes == Verdict.FITS)
                codes = np.where(lacking, np.int8(Verdict.NOT_KNOWN), codes)
            self._verdicts[table, field] = codes
        return Verdict(int(codes[rows.index(id)])) if id in rows else Verdict.FITS


def quantity_at(series: Series, row: int) -> Quantity:
    """One number of a column, without its evidence."""
    value = float(series.value[row])
    if value != value:  # noqa: PLR0124 - NaN
        return NO_DATA
    basis = _BASES[series.basis[row]]
    unknown = 0 if series.unknown is None else int(series.unknown[row])
    low, high = float(series.low[row]), float(series.high[row])
    return Quantity(value, low, high, basis, unknown=unknown)


def _figures(
    rows: object, uncertain: Iterable[str], plain: Iterable[str]
) -> npt.NDArray[np.float64]:
    """Columns of a table of a prediction side by side, a row an item."""
    columns: list[npt.NDArray[Any]] = []
    for name in uncertain:
        series: Series = getattr(rows, name)
        columns += [series.value, series.low, series.high, series.judged_high, series.basis]
    columns += [getattr(rows, name) for name in plain]
    return np.column_stack(columns).astype(np.float64)
