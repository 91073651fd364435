"""Tables of workbooks and texts, read by the names of their columns, never by their position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from functools import lru_cache, partial
from itertools import islice, pairwise
from typing import Any

from db.errors import StoreError
from db.importers.figures import MHZ, MIB, Marks, marks_of
from db.importers.opening import Opened
from db.importers.sampled import NO_USE
from db.importers.sheets import Cell
from models.base.limits import MOST_ITEMS
from models.base.texts import say, say_many
from models.intake.records import Note, NotRead, Part, Place, Power, Preview

DELIMITERS = ",;\t|"
PREVIEW_ROWS = 200
MOST_ROWS = 250_000
MOST_LISTED = 2 * MOST_ITEMS
"""VMs of a table, those among them that are off or templates and left out."""
"""Of a table, which a vCenter of 40,000 VMs with six disks each comes to."""
MOST_NAMES = 100_000
"""Letters of a cell of names: 2,000 hosts by their long names."""
_HEAD_WITHIN = 20
_SAMPLE = 200
_WIDEST = 700
_UNIT = re.compile(
    r"(.*?\S)[\s_(\[/|]*(?<![^\W_])(?:in )?(bytes|[kmgtp]i?b|[mgk]hz)[)\]\s]*",
    re.IGNORECASE | re.DOTALL,
)
_CAMEL_UNIT = re.compile(r"(.*[a-z\d)])([KMGTP]i?B|Bytes|[MGK]Hz)")
_EMPTY = ("", None)


@lru_cache(maxsize=4096)
def keyed(heading: str) -> tuple[str, str]:
    """A heading without case, blanks and marks, and its unit in small letters.

    >>> keyed("Provisioned MiB"), keyed("Memory (in MB)"), keyed("# Cores"), keyed("Free % ")
    (('provisioned', 'mib'), ('memory', 'mb'), ('#cores', ''), ('free%', ''))
    >>> keyed("memory_gb"), keyed("disk_size_gb"), keyed("Disk 1 size (In GB)")
    (('memory', 'gb'), ('disksize', 'gb'), ('disk1size', 'gb'))
    >>> keyed("MemoryGB"), keyed("VM MEM (GB)"), keyed("Average vCPU % (GHz)")
    (('memory', 'gb'), ('vmmem', 'gb'), ('averagevcpu%', 'ghz'))
    """
    words = heading[:300].strip()
    found = _UNIT.fullmatch(words) or _CAMEL_UNIT.fullmatch(words)
    stem, unit = (found[1], found[2].lower()) if found else (heading[:300], "")
    return "".join(each for each in stem.casefold() if each.isalnum() or each in "#%"), unit


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table: its headings, and its rows with their numbers as people count them.

    Attributes:
        name: of the sheet; empty for a text that is one table.
        first: number of the row below the headings.
        marks: how its texts write numbers.
    """

    file: Opened
    name: str
    head: tuple[str, ...]
    first: int
    marks: Marks
    _rows: Callable[[], Iterator[list[Any]]]

    @property
    def keys(self) -> set[str]:
        """Its headings as `keyed`."""
        return {keyed(each)[0] for each in self.head}

    def rows(self) -> Iterator[tuple[int, list[Cell]]]:
        """Rows that hold anything, with their number."""
        for number, row in enumerate(self._rows(), 1):
            if number >= self.first and any(cell not in _EMPTY and cell != "---" for cell in row):
                yield number, row

    def preview(self) -> Preview:
        rows = (tuple(shown(cell) for cell in row) for _, row in islice(self.rows(), PREVIEW_ROWS))
        return Preview(self.name, self.head, tuple(rows))


def shown(cell: Cell | None) -> str:
    """A cell as people read it, in one line.

    >>> shown(4.0), shown(0.25), shown("a\\nb")
    ('4', '0.25', 'a b')
    """
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else f"{cell:g}"
    if isinstance(cell, datetime | date):
        return cell.isoformat(sep=" ") if isinstance(cell, datetime) else cell.isoformat()
    return "" if cell is None else " ".join(str(cell)[:300].split())


def tables_of(file: Opened) -> dict[str, Table]:
    """The tables of a file by name, those without headings left out."""
    if file.workbook is None:
        found = text_table(file)
        return {} if found is None else {"": found}
    tables = {}
    for name in file.workbook.names:
        table = sheet_table(file, name)
        if table is not None:
            tables[name] = table
    return tables


def sheet_table(file: Opened, name: str) -> Table | None:
    """A sheet of a workbook as a table; None without headings."""
    book = file.workbook
    if book is None:
        return None
    start = [[shown(cell).strip() for cell in row] for row in islice(book.rows(name), _HEAD_WITHIN)]
    at = _head_at(start)
    if at is None:
        return None
    return Table(
        file=file,
        name=name,
        head=tuple(start[at]),
        first=at + 2,
        marks=Marks(),
        _rows=lambda: book.rows(name),
    )


def text_table(file: Opened, delimiter: str = "") -> Table | None:
    """A text as a table; None where it is none, or so wide that it lists no things."""
    if delimiter not in file.memo:
        file.memo[delimiter] = _text_table(file, delimiter)
    found: Table | None = file.memo[delimiter]
    return found


def _text_table(file: Opened, delimiter: str) -> Table | None:
    lines = _lines_of(file.start)
    found = None if delimiter else lined(lines)
    if found is not None:
        return _lined_table(file, *found)
    mark = delimiter or delimiter_of(lines)
    if mark is None or (file.start.count(mark) > _WIDEST and file.start.count("\n") < 2):
        return None
    rows = list(islice(file.rows(mark), _SAMPLE))
    if max(map(len, rows), default=0) > _WIDEST:
        return None
    at = _head_at([[cell.strip() for cell in row] for row in rows[:_HEAD_WITHIN]])
    if at is None:
        return None
    cells = (cell for row in rows[at + 1 :] for cell in row)
    head = tuple(" ".join(cell.split()) for cell in rows[at])
    return Table(
        file=file,
        name="",
        head=head,
        first=at + 2,
        marks=marks_of(cells, mark),
        _rows=lambda: file.rows(mark),
    )


def is_table(text: str) -> bool:
    """Whether a text that was copied is a table and no letter; what stands around it may be one.

    >>> is_table("VM\\tCPUs\\nmail-01\\t4"), is_table("VM;CPUs;RAM\\nmail-01;4;8")
    (True, True)
    >>> is_table("Hello,\\n\\nName     CPUs  RAM\\nmail-01  4     8\\n\\nBest regards")
    True
    >>> is_table("Dear all,\\nsee below"), is_table("One, two, three\\nfour, five")
    (False, False)
    """
    lines = [line for line in text[:10_000].splitlines()[:_HEAD_WITHIN] if line.strip()]
    if len(lines) < 2:
        return False
    if lined(lines) is not None or any("\t" in a and "\t" in b for a, b in pairwise(lines)):
        return True
    counts = [{line.count(mark) for line in lines[:5]} for mark in ",;"]
    return any(len(each) == 1 and max(each) >= 2 for each in counts)


Split = Callable[[str], list[str]]


def lined(lines: list[str]) -> tuple[Split, str] | None:
    """How the lines of a table without a mark between its cells become cells, and what sets these
    apart; None for any other text. A letter may stand before it."""
    for at in range(min(len(lines), _HEAD_WITHIN)):
        below = lines[at:]
        if is_barred(below):
            return barred, "|"
        if spans := rule_of(below):
            return partial(ruled, spans), " "
        if is_spaced(below) and (at == 0 or len(_spaced(below[1] if below[1:] else "")) > 2):
            return _spaced, " "
        if max(map(lines[at].count, DELIMITERS)) > 1:
            return None
    return None


def is_spaced(lines: list[str]) -> bool:
    """Whether blanks set the headings apart, as in a mail: two at least, and no other mark.

    >>> is_spaced(["VM name   vCPU  RAM", "a  2  4,5"]), is_spaced(["VM name,  vCPU"])
    (True, False)
    """
    head = lines[0].strip() if lines else ""
    return len(_BLANKS.split(head)) > 2 and not any(mark in head for mark in DELIMITERS)


_BLANKS = re.compile(r" {2,}")


def _spaced(line: str) -> list[str]:
    return _BLANKS.split(line.strip())


def is_barred(lines: list[str]) -> bool:
    """Whether bars set the cells apart as in Markdown and on a console: the headings stand between
    bars, or over a rule.

    >>> is_barred(["| VM, old | vCPU |", "| a | 2 |"]), is_barred(["VM | vCPU", "---|---:"])
    (True, True)
    >>> is_barred(["Name,CPU|Demand (%),CPU|Ready", "a,1,2"])
    False
    """
    start = [line.strip() for line in lines[:3]]
    head = next((line for line in start if not _RULE.fullmatch(line)), "")
    has_rule = any(_RULE.fullmatch(line) for line in start)
    return "|" in head and (has_rule or (head[0] == head[-1] == "|" and len(head) > 1))


def barred(line: str) -> list[str]:
    """Cells between bars, none of a rule; a bar within a cell stands behind a backslash.

    >>> barred("| a b | 2 |"), barred("VM | vCPU"), barred("+---+---+")
    (['a b', '2'], ['VM', 'vCPU'], [])
    """
    bare = line.strip()
    if _RULE.fullmatch(bare):
        return []
    cells = _BAR.split(bare.removeprefix("|"))
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [cell.replace("\\|", "|").strip() for cell in cells]


def rule_of(lines: list[str]) -> list[tuple[int, int]]:
    """Where the dashes below each heading begin and end, as PowerShell prints tables; empty where
    the second line is no such rule.

    >>> rule_of(["Name  Num CPUs", "----  --------"]), rule_of(["Name  Num CPUs", "a     2"])
    ([(0, 4), (6, 14)], [])
    """
    rule = lines[1].rstrip() if len(lines) > 1 else ""
    found = [each.span() for each in _DASHES.finditer(rule)]
    return found if len(found) > 1 and _RULED.fullmatch(rule) else []


def ruled(spans: list[tuple[int, int]], line: str) -> list[str]:
    """The cells of a line below such a rule: words begin under their dashes and may be longer,
    figures end there and may begin before.

    >>> ruled([(0, 4), (8, 16), (17, 25)], "mail 01        2    8.000")
    ['mail 01', '2', '8.000']
    """
    if _RULED.fullmatch(line.rstrip()):
        return []
    starts = [0]
    for (_, end), (start, _) in pairwise(spans):
        starts.append(line.rfind(" ", end, start) + 1 or start)
    return [line[a:b].strip() for a, b in pairwise([*starts, len(line)])]


_DASHES = re.compile(r"[-=]+")
_RULED = re.compile(r"\s*[-=]{2,}(?: +[-=]{2,})+")
_RULE = re.compile(r"(?=.*(?:--|==|─))[-+|:=\s─┼]+")
_BAR = re.compile(r"(?<!\\)\|")


def _lined_table(file: Opened, split: Split, mark: str) -> Table | None:
    """A table whose rows are lines, without quotes; a line of one cell is none of it."""

    def rows() -> Iterator[list[Any]]:
        return (cells if len(cells) > 1 else [] for cells in map(split, file.lines()))

    start = list(islice(rows(), _SAMPLE))
    at = _head_at(start[:_HEAD_WITHIN])
    if at is None:
        return None
    cells = (cell for row in start[at + 1 :] for cell in row)
    head = tuple(start[at])
    return Table(
        file=file, name="", head=head, first=at + 2, marks=marks_of(cells, mark), _rows=rows
    )


def _lines_of(text: str) -> list[str]:
    lines = [line for line in text.splitlines()[:_HEAD_WITHIN] if line.strip()]
    return [line for line in lines if not line.startswith(("#TYPE", "sep="))]


def delimiter_of(lines: list[str]) -> str | None:
    """What sets the cells of these lines apart, by the first line that it splits most.

    >>> delimiter_of(["VM;Memory", "a;16,384"]), delimiter_of(["just words"])
    (';', None)
    """
    bare = [re.sub(r'"[^"]*"', "", line) for line in lines[:3]]
    for marks in (DELIMITERS[:-1], DELIMITERS[-1:]):  # Bars stand in headings of vRealize too.
        count, mark = max(
            ((line.count(mark), mark) for line in bare for mark in marks), default=(0, "")
        )
        if count:
            return mark
    return None


def _head_at(rows: list[list[str]]) -> int | None:
    """The first row with at least two headings, nearly all of them words, and half the width."""
    width = max((_filled(row) for row in rows), default=0)
    for at, row in enumerate(rows):
        words = [cell for cell in row if cell]
        if row and row[0].startswith(("#TYPE", "sep=")):
            continue
        if len(words) >= max(2, width // 2) and 4 * sum(map(_is_figure, words)) < len(words):
            return at
    return None


def _filled(row: list[str]) -> int:
    return sum(1 for cell in row if cell)


def _is_figure(cell: str) -> bool:
    return Marks().measure(cell)[0] is not None


# --- columns ----------------------------------------------------------------------------------


class As(Enum):
    """What the cells of a column are."""

    TEXT = "text"
    COUNT = "count"
    MIB = "mib"
    MHZ = "mhz"
    NUMBER = "number"
    LIMIT = "limit"
    FLAG = "flag"
    POWER = "power"
    NAMES = "names"


_WORDS = frozenset((As.TEXT, As.NAMES))
_FIGURES = frozenset((As.COUNT, As.MIB, As.MHZ, As.NUMBER))


@dataclass(frozen=True, slots=True)
class Want:
    """A field of a record: what its column may be called (as `keyed`), and what it holds.

    Attributes:
        unit: of numbers whose heading and cells name none.
        is_whole: whole numbers: one mark before three digits sets off thousands.
    """

    keys: tuple[str, ...]
    kind: As
    unit: str = ""
    is_whole: bool = True

    def __post_init__(self) -> None:
        if self.unit and self.unit not in _UNITS.get(self.kind, ()):
            raise ValueError(f"{self.keys[0]}: {self.unit} is no unit of {self.kind.value}")


_UNITS = {As.MIB: MIB, As.MHZ: MHZ}


def text(*keys: str) -> Want:
    return Want(keys, As.TEXT)


def count(*keys: str) -> Want:
    return Want(keys, As.COUNT)


def mib(*keys: str, unit: str = "mib", is_whole: bool = True) -> Want:
    return Want(keys, As.MIB, unit, is_whole)


def mhz(*keys: str, unit: str = "mhz", is_whole: bool = True) -> Want:
    return Want(keys, As.MHZ, unit, is_whole)


def number(*keys: str) -> Want:
    return Want(keys, As.NUMBER, is_whole=False)


def limit(*keys: str) -> Want:
    """MiB or MHz where −1 means that there is none."""
    return Want(keys, As.LIMIT)


def flag(*keys: str) -> Want:
    return Want(keys, As.FLAG)


def power(*keys: str) -> Want:
    return Want(keys, As.POWER)


_AROUND = " \t[]<>"
"""Around names of a list: Aria Operations writes tags as [<category-tag>, …]."""


def several(*keys: str) -> Want:
    """Names in one cell, with commas, semicolons or line ends between them."""
    return Want(keys, As.NAMES)


_POWERS = {
    Power.ON: (
        *("poweredon", "poweron", "on", "running", "up", "started", "true", "1", "active", "yes"),
        *("ein", "eingeschaltet", "an", "läuft", "gestartet", "aktiv", "allumé", "soustension"),
        *("activé", "enmarche", "marche", "acceso", "attivo", "inesecuzione", "encendido"),
        *("encendida", "enejecución", "activo", "ligado", "ligada", "emexecução", "ativo"),
        *("włączony", "włączona", "uruchomiony", "działa", "açık", "çalışıyor", "включен"),
        *("включён", "включена", "работает", "aan", "ingeschakeld", "オン", "起動", "实行中"),
        *(
            "パワーオン",
            "電源オン",
            "实机",
            "已打开电源",
            "开机",
            "运行中",
            "正在运行",
            "已開啟電源",
        ),
    ),
    Power.OFF: (
        *("poweredoff", "poweroff", "off", "stopped", "down", "shutdown", "shutoff", "halted"),
        *("false", "0", "no", "inactive", "aus", "ausgeschaltet", "gestoppt", "heruntergefahren"),
        *("éteint", "horstension", "arrêté", "arrêtée", "désactivé", "spento", "spenta"),
        *("arrestato", "apagado", "apagada", "detenido", "desligado", "desligada", "parado"),
        *("wyłączony", "wyłączona", "zatrzymany", "kapalı", "durduruldu", "выключен"),
        *("выключена", "остановлен", "uit", "uitgeschakeld", "オフ", "停止", "パワーオフ"),
        *("電源オフ", "已关闭电源", "关机", "已停止", "已關閉電源"),
    ),
    Power.SUSPENDED: (
        *("suspended", "suspend", "paused", "saved", "hibernated", "angehalten", "pausiert"),
        *("suspendu", "interrompu", "sospeso", "suspendido", "suspenso", "wstrzymany"),
        *("askıyaalındı", "приостановлен", "onderbroken", "サスペンド", "已挂起", "挂起", "已暫停"),
    ),
}
"""Words for the power of a VM: English, German, French, Italian, Spanish, Portuguese, Polish,
Turkish, Russian, Dutch, Japanese and Chinese."""
POWER_WORDS = {word: power for power, words in _POWERS.items() for word in words}
FLAG_WORDS = {
    **dict.fromkeys(("true", "yes", "1", "1.0", "wahr", "ja", "vrai", "oui", "vero", "sì"), True),
    **dict.fromkeys(("false", "no", "0", "0.0", "falsch", "nein", "faux", "non", "falso"), False),
}


@dataclass(slots=True)
class _Column:
    index: int
    heading: str
    want: Want
    factor: float
    has_unit: bool


@dataclass(slots=True)
class Columns:
    """The columns of a table that somebody wants.

    Attributes:
        most: rows that there may be.
        broken: rows left out because their cells don't fit their headings.
        twice: headings that stand again; `rivals`: by position of a figure the heading that counts
            instead.
    """

    table: Table
    wants: Mapping[str, Want]
    prefix: str = ""
    most: int = MOST_ROWS
    found: dict[str, _Column] = field(default_factory=dict)
    broken: list[int] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    rivals: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        there: dict[str, tuple[int, str]] = {}
        for index, heading in enumerate(self.table.head):
            key, unit = keyed(heading)
            if self.prefix:
                key = key.removeprefix(self.prefix)
            if key and key in there:
                self.twice.append(heading)
            there.setdefault(key, (index, unit))
        for name, want in self.wants.items():
            # A heading with a unit is of a figure: "CPU GHz" names no processor.
            is_text = want.kind in _WORDS
            keys = [each for each in want.keys if each in there]
            keys = [each for each in keys if not (is_text and there[each][1])]
            first, *others = keys or [""]
            if first:
                index, unit = there[first]
                head, factor = self.table.head[index], factor_of(want, unit)
                self.found[name] = _Column(index, head, want, factor, has_unit=bool(unit))
                if want.kind in _FIGURES:
                    self.rivals |= dict.fromkeys((there[each][0] for each in others), head)

    def __contains__(self, name: str) -> bool:
        return name in self.found

    def rows(self) -> Iterator[tuple[int, dict[str, Any], dict[str, Place]]]:
        """Number, fields and places of each row; what a cell does not say is not among them.

        Raises:
            StoreError: they are more than any export has.
        """
        table, columns = self.table, list(self.found.items())
        width, is_text = len(table.head), table.file.workbook is None
        file, name = table.file.name, table.name
        for count, (row_number, row, is_last) in enumerate(_with_last(table.rows())):
            if count >= self.most:
                sentence = say("has more than {count} rows", count=f"{self.most:,}")
                raise StoreError(sentence, file, field=name)
            if is_text and not _fits(row, width, is_last=is_last):
                self.broken.append(row_number)
                continue
            values: dict[str, Any] = {}
            places: dict[str, Place] = {}
            for field_name, column in columns:
                if column.index >= len(row):
                    continue
                value = self._value(row[column.index], column)
                if value is not None:
                    values[field_name] = value
                    places[field_name] = Place(file, name, row_number, column.heading)
            yield row_number, values, places

    def sample(self, name: str) -> tuple[list[float], bool]:
        """Figures of a column's first rows, and whether its cells bring their units."""
        column = self.found[name]
        cells = [
            row[column.index]
            for _, row in islice(self.table.rows(), _SAMPLE)
            if column.index < len(row)
        ]
        marks = self.table.marks
        has_unit = any(isinstance(cell, str) and marks.measure(cell)[1] for cell in cells)
        values = (self._value(cell, column) for cell in cells)
        return [value for value in values if isinstance(value, float)], has_unit

    def not_read(self) -> Iterator[NotRead]:
        """Columns that nobody asked for, those that stand twice, and those that say what another
        one says."""
        file = self.table.file.name
        taken = {column.index for column in self.found.values()}
        for index, heading in enumerate(self.table.head):
            if heading and index not in taken:
                why: str = TWICE if heading in self.twice else NO_USE
                if index in self.rivals:
                    why = say("says what “{other}” says, which counts", other=self.rivals[index])
                yield NotRead(file, Part.COLUMN, heading, why, matters=why is not NO_USE)

    def notes(self) -> Iterator[Note]:
        """What there is to say of rows that were left out."""
        if self.broken:
            rows = ", ".join(map(str, self.broken[:5])) + (", …" if len(self.broken) > 5 else "")
            count = len(self.broken)
            text = say_many(
                "{file}: {count} row with other cells than headings left out: row {rows}",
                "{file}: {count} rows with other cells than headings left out: rows {rows}",
                count,
                file=self.table.file.name,
                rows=rows,
            )
            yield Note("cut-row", text)

    def _value(self, cell: Cell | None, column: _Column) -> Any:
        kind = column.want.kind
        if cell is None or cell == "":
            return None
        if kind is As.TEXT:
            return shown(cell).strip() or None
        if kind is As.FLAG:
            return FLAG_WORDS.get(str(cell).strip().casefold())
        if kind is As.NAMES:
            parts = re.split(r"[,;\r\n]+", str(cell)[:MOST_NAMES])
            return tuple(filter(None, (part.strip(_AROUND) for part in parts))) or None
        if kind is As.POWER:
            word = shown(cell).strip()
            return POWER_WORDS.get(re.sub(r"[\s_-]", "", word).casefold(), word or None)
        return self._figure(cell, column)

    def _figure(self, cell: Cell, column: _Column) -> float | None:
        want, factor = column.want, column.factor
        if isinstance(cell, bool):
            return None
        if isinstance(cell, int | float):
            value: float | None = float(cell)
        elif isinstance(cell, str):
            value = self.table.marks.number(cell, is_whole=want.is_whole)
            if value is None:
                value, unit = self.table.marks.measure(cell)
                factor = factor_of(want, unit) if unit else factor
        else:
            return None
        return value * factor if value is not None and 0.0 <= value < 1e18 else None


TWICE = say("stands twice, and the first counts")


def _with_last(rows: Iterator[tuple[int, list[Cell]]]) -> Iterator[tuple[int, list[Cell], bool]]:
    before = next(rows, None)
    for each in rows:
        if before is not None:
            yield (*before, False)
        before = each
    if before is not None:
        yield (*before, True)


def _fits(row: list[Any], width: int, *, is_last: bool) -> bool:
    """Whether the cells of a row stand under their headings: a last one that is shorter was cut,
    a longer one split elsewhere; tools leave out empty cells at the end of others, but not all
    cells but one."""
    if len(row) < width:
        return not is_last and (len(row) > 1 or width < 3)
    return len(row) == width or not any(row[width:])


def factor_of(want: Want, unit: str) -> float:
    """What a figure with this unit, the want's own where it is empty, is multiplied by."""
    units = _UNITS.get(want.kind)
    return 1.0 if units is None else units.get(unit or want.unit, 1.0)


def needs(keys: Iterable[str], *wanted: str | tuple[str, ...]) -> bool:
    """Whether headings hold each wanted key, or one of each group of keys."""
    there = set(keys)
    return all(not there.isdisjoint((each,) if isinstance(each, str) else each) for each in wanted)
