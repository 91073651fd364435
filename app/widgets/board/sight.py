"""What the faces of cards are made from: the items in view and their numbers, looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.session import View
from models.catalog import Catalog
from models.judgement.verdict import judged
from models.prediction import Prediction, Verdict
from models.quantities import NO_DATA, Basis, Quantity, Series
from models.scenario import Host, Pool, Scenario, Vm
from models.wording import Style

_BASES = tuple(Basis)


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


class Sight:
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
            codes = judged(column.value * factor, column.high * factor, limit)
            self._verdicts[table, field] = codes
        return Verdict(int(codes[rows.index(id)])) if id in rows else Verdict.FITS


def quantity_at(series: Series, row: int) -> Quantity:
    """One number of a column, without its evidence."""
    value = float(series.value[row])
    if value != value:  # noqa: PLR0124 - NaN
        return NO_DATA
    basis = _BASES[series.basis[row]]
    return Quantity(value, float(series.low[row]), float(series.high[row]), basis)
