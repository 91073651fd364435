"""The building blocks of a proposal: what is said, as values, without layout or colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from models.predict.prediction import Severity, Shown, Verdict


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words; `is_copied`: a line that people paste elsewhere as it stands, such as a command."""

    kind: ClassVar[str] = "paragraph"
    text: str
    is_copied: bool = False


@dataclass(frozen=True, slots=True)
class VerdictBox:
    """A verdict with its sentence; `remark`: what limits the use of the document, if anything."""

    kind: ClassVar[str] = "verdict"
    verdict: Shown
    text: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's title; `numeric` ones are set flush right, `wide` ones share the room left, each
    by its `weight`. `tip`: what the column means, where a pointer can ask. Cells `in_line` are cut
    on a screen that has no room for them, and don't take several lines. What stands `aside` is
    shown where somebody asks for the column, as far as columns can be chosen."""

    title: str
    numeric: bool = False
    wide: bool = False
    weight: int = 1
    tip: str = ""
    in_line: bool = False
    aside: bool = False


Cell = str | Shown
"""Words, or a verdict, which has its colour and sign where there are such."""


def cell_text(cell: Cell) -> str:
    """The words of a cell."""
    return cell.words if isinstance(cell, Shown) else cell


@dataclass(frozen=True, slots=True)
class Table:
    """A table; a row with an empty first cell belongs to the row above.

    `subjects`: of each row the id of the item that a click on it selects, empty for none.
    `values`: numbers that a screen sorts the rows by, in place of the words of the same cell where
    there are words only; NaN without data. Empty: the rows keep their order.
    """

    kind: ClassVar[str] = "table"
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    subjects: tuple[str, ...] = ()
    values: tuple[tuple[float | None, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Definitions:
    kind: ClassVar[str] = "definitions"
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    kind: ClassVar[str] = "list"
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindingBlock:
    """A finding; `word` names its severity, `waived` is the reason for which somebody answers for
    it, empty for none."""

    kind: ClassVar[str] = "finding"
    severity: Severity
    word: str
    text: str
    fix: str
    source: str
    waived: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredPoint:
    """A measured response time [ms] at a number of users; `doubted` by its own authors."""

    users: float
    ms: float
    doubted: bool


@dataclass(frozen=True, slots=True)
class ResponsePlot:
    """Response time against users of one VM: arrays as tuples, all of the same length.

    Attributes:
        users: active users, rising; `value`, `low`, `high`: milliseconds.
        covered: whether measurements lie around the line there; elsewhere it is dashed.
        limit: acceptable response time [ms].
        knee: users at the knee; None where the model has none.
        current_users, current_ms: where the scenario stands.
    """

    kind: ClassVar[str] = "response-chart"
    vm: str
    users: tuple[float, ...]
    value: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    covered: tuple[bool, ...]
    points: tuple[MeasuredPoint, ...]
    limit: float
    limit_label: str
    knee: float | None
    current_users: float | None
    current_ms: float | None
    current_label: str
    alt: str
    note: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart over time: its name and its values, one a moment."""

    label: str
    values: tuple[float, ...]
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePlot:
    """Lines over time from zero: `x` rising from 0, in the unit that `x_label` says; a `limit` is
    named by its label."""

    kind: ClassVar[str] = "time-chart"
    x: tuple[float, ...]
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    limit: float | None
    alt: str
    limit_label: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: value and limit in per cent; no value is no data.

    Attributes:
        verdict: None where there is nothing to judge; then it has a value only with a `start`.
        low, high: its interval, where that is drawn.
        start: where it begins; then all bars share a scale from the least to the most of them, and
            the limit is the value that they are compared with.
        head: what stands above it, where bars of several things are below each other.
    """

    label: str
    value: float | None
    limit: float | None
    text: str
    verdict: Verdict | None
    low: float | None = None
    high: float | None = None
    start: float | None = None
    head: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    kind: ClassVar[str] = "bars"
    rows: tuple[Bar, ...]
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictGrid:
    """A verdict for every pair of two inputs.

    Attributes:
        x, y: what stands at the columns and at the rows, lowest first.
        verdicts: a row for each of `y`; `texts`: what there is to say of each pair.
        here: where the scenario stands, in columns and rows from 0 in the middle of the first.
    """

    kind: ClassVar[str] = "verdict-grid"
    x_label: str
    y_label: str
    x: tuple[str, ...]
    y: tuple[str, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    here: tuple[float, float]
    alt: str


@dataclass(frozen=True, slots=True)
class DrawnVm:
    """A VM in a drawing: its name, and what it carries in a few words."""

    name: str
    detail: str
    verdict: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnHost:
    """A host, or several that are alike, with what stands on it.

    Attributes:
        count: how many hosts are alike; their names are in `name`.
        cpu, ram: shares in use as bars.
        vms: the VMs shown; `more`: how many stand there besides.
    """

    name: str
    detail: str
    verdict: Shown
    cpu: Bar
    ram: Bar
    vms: tuple[DrawnVm, ...]
    more: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPool:
    """A storage pool: array and drives, and how busy and how full it is; `site` as of a cluster."""

    name: str
    detail: str
    verdict: Shown
    busy: Bar
    space: Bar
    site: str = ""


@dataclass(frozen=True, slots=True)
class DrawnCluster:
    """Hosts under one heading; `note`: what of it is reserved for failures; `site`: the heading
    above, that of all that stands there; empty where no sites are said."""

    name: str
    note: str
    hosts: tuple[DrawnHost, ...]
    site: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The design as a picture: by site hosts by cluster, VMs on them, pools below."""

    kind: ClassVar[str] = "drawing"
    clusters: tuple[DrawnCluster, ...]
    pools: tuple[DrawnPool, ...]
    unplaced: tuple[DrawnVm, ...]
    alt: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    kind: ClassVar[str] = "signature"
    parties: tuple[str, ...]


Block = (
    Paragraph
    | VerdictBox
    | Table
    | Definitions
    | Bullets
    | FindingBlock
    | ResponsePlot
    | TimePlot
    | Bars
    | VerdictGrid
    | Drawing
    | Signature
)


@dataclass(frozen=True, slots=True)
class Section:
    """A title and its blocks; `message`: what they come to, in a sentence below the title."""

    title: str
    blocks: tuple[Block, ...]
    message: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Everything about one scenario, or the common end matter."""

    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A whole proposal.

    Attributes:
        subject: what it is about, on the cover and on each page.
        cover: names and values of the cover's list.
        verdicts: scenario name and its verdict, one a scenario.
        made_with: program and model version, for the foot of each page.
        first: what stands below the verdict on the first page.
        note: what the reader must know of the print itself, above the contents; empty: nothing.
    """

    title: str
    subject: str
    author: str
    date: str
    cover: tuple[tuple[str, str], ...]
    verdicts: tuple[tuple[str, VerdictBox], ...]
    made_with: str
    imprint: str
    parts: tuple[Part, ...]
    first: tuple[Block, ...] = ()
    note: str = ""
