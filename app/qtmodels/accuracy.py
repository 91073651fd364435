"""The accuracy of the model as tables: errors by split, naive curves, and every held-out point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.language import local, tr
from app.qtmodels.cells import CellRow
from app.qtmodels.evidence import NOTHING
from models.base.quantities import Basis, Quantity
from models.evidence.rows import EvidenceRow
from models.fitting.point_errors import DOUBTED, UNPRINTED
from models.fitting.validation import HeldOutPoint
from models.predict.predicted import unit_of
from models.scenario.wording import ENGLISH, THIN, Style, number, range_text, value_text
from models.tell.blocks import Column

POINT_COLUMNS = (
    Column(tr("Series"), tip=tr("Machine, storage path and RAM as printed")),
    Column(tr("Users"), numeric=True),
    Column(tr("Measured"), numeric=True),
    Column(tr("Predicted"), numeric=True),
    Column(tr("90 % range"), numeric=True),
    Column(tr("Error"), numeric=True),
    Column(tr("In range")),
)
IN_RANGE = 6
NOT_PRINTED = tr("not printed")
MACHINES = {"clovertown": "Clovertown", "x366": "x366"}
PATHS = {"physical": tr("physical"), "rdm": "RDM", "vmfs": "VMFS"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotPoint:
    """A held-out point with what names it.

    Attributes:
        series: which series it belongs to; `label` says it in words.
        path: storage path of the series, ``physical``, ``rdm`` or ``vmfs``.
    """

    point: HeldOutPoint
    series: str
    label: str
    path: str
    users: int | None

    @property
    def id(self) -> str:
        """Id of the evidence row."""
        return self.point.evidence

    @property
    def is_doubted(self) -> bool:
        return self.point.split == DOUBTED

    @property
    def is_unprinted(self) -> bool:
        """Whether its run was made and no figure printed: it has no place in the chart."""
        return self.point.split == UNPRINTED

    @property
    def is_inside(self) -> bool:
        return self.point.is_inside

    @property
    def predicted(self) -> Quantity:
        point = self.point
        basis = Basis.EXTRAPOLATED if self.is_unprinted else Basis.INTERPOLATED
        return Quantity(point.predicted, point.low, point.high, basis)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFilter:
    """Which points are wanted: one quantity, some splits, one series or all of them."""

    family: str
    quantity: str
    splits: frozenset[str]
    series: str = ""

    def holds(self, each: PlotPoint) -> bool:
        point = each.point
        is_here = (point.family, point.quantity) == (self.family, self.quantity)
        is_split = each.is_doubted or each.is_unprinted or point.split in self.splits
        return is_here and is_split and self.series in ("", each.series)


def plot_points(
    points: Iterable[HeldOutPoint], evidence: Mapping[str, EvidenceRow]
) -> tuple[PlotPoint, ...]:
    """The points with their names, in their order."""
    return tuple(_plot_point(point, evidence.get(point.evidence)) for point in points)


def _plot_point(point: HeldOutPoint, row: EvidenceRow | None) -> PlotPoint:
    parts = point.evidence.split("/")
    return PlotPoint(
        point=point,
        series="/".join(parts[:-2]),
        label=series_text(parts),
        path=parts[2] if len(parts) > 2 else "",
        users=row.users if row is not None else None,
    )


def series_text(parts: list[str]) -> str:
    """``Clovertown VMFS 14.5 GB`` of the parts of an evidence id."""
    if len(parts) < 6:
        return " / ".join(parts[:-2])
    _, machine, path, ram = parts[:4]
    names = (
        MACHINES.get(machine, machine),
        PATHS.get(path, path),
        f"{ram.removesuffix('gb')}{THIN}GB",
    )
    return " ".join(names)


def point_rows(points: Iterable[PlotPoint], style: Style = ENGLISH) -> list[CellRow]:
    """The table of points; a row stands for its `PlotPoint`."""
    return [_point_row(each, style) for each in points]


def _point_row(each: PlotPoint, style: Style) -> CellRow:
    return _unprinted_row(each, style) if each.is_unprinted else _printed_row(each, style)


def _unprinted_row(each: PlotPoint, style: Style) -> CellRow:
    """A figure that was not printed: the law is extrapolated to it."""
    point = each.point
    cells = (
        each.label,
        NOTHING if each.users is None else number(each.users, style=style),
        NOT_PRINTED,
        f"{two_digits(point.predicted, style)}{THIN}{unit_of(point.quantity)}",
        f"{two_digits(point.low, style)}\N{EN DASH}{two_digits(point.high, style)}",
        NOTHING,
        local(Basis.EXTRAPOLATED.label),
    )
    sorts = (each.label, each.users or 0, -1.0, point.predicted, point.low, -1.0, cells[-1])
    return CellRow(key=(point.split, point.evidence), cells=cells, sorts=sorts, value=each)


def two_digits(value: float, style: Style) -> str:
    """Two significant digits, as an extrapolation deserves: ``14,000``, ``190``."""
    return number(value, 1 - math.floor(math.log10(value)), style=style)


def _printed_row(each: PlotPoint, style: Style) -> CellRow:
    point = each.point
    unit = unit_of(point.quantity)
    error = 100.0 * (point.predicted / point.measured - 1.0)
    cells = (
        each.label,
        NOTHING if each.users is None else number(each.users, style=style),
        measured_text(point, style),
        local(value_text(each.predicted, unit, style=style)),
        range_text(each.predicted, style=style),
        percent_error(error, style),
        range_word(each),
    )
    sorts = (each.label, each.users or 0, point.measured, point.predicted, point.low)
    mark = DOUBTED if each.is_doubted else ("" if each.is_inside else "outside")
    return CellRow(
        key=(point.split, point.evidence),
        cells=cells,
        sorts=(*sorts, abs(error), cells[-1]),
        marks=((IN_RANGE, mark),) if mark else (),
        value=each,
    )


def measured_text(point: HeldOutPoint, style: Style) -> str:
    """The measured figure as exactly as it was printed."""
    decimals = 0 if float(point.measured).is_integer() else 1
    unit = unit_of(point.quantity)
    return f"{number(point.measured, decimals, style=style)}{THIN}{unit}"


def percent_error(error: float, style: Style) -> str:
    """A signed error; the sign says that it is predicted high (+) or low (−)."""
    size = number(abs(error), 0, style=style)
    sign = "" if size == "0" else "\N{MINUS SIGN}" if error < 0 else "+"
    return f"{sign}{size}{THIN}%"


def range_word(each: PlotPoint) -> str:
    """Whether the measured figure lies in the range of its prediction."""
    if each.is_doubted:
        return tr("doubted")
    return tr("yes") if each.is_inside else tr("outside")
