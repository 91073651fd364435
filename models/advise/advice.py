"""What a topic is asked and what it answers, as values; words of all topics are told in one way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from models.base.errors import ModelError
from models.base.fields import NOUNS, check_fields, described, fields_of, optional, unit_of
from models.base.limits import MOST_ITEMS
from models.base.quantities import Basis, Quantity
from models.base.texts import Numeral, Text, say
from models.catalog.catalog import Catalog, find
from models.evidence.knowledge import Knowledge
from models.evidence.rows import Constant, EvidenceRow, figure
from models.predict.prediction import Shown, Verdict
from models.scenario.scenario import Scenario

if TYPE_CHECKING:
    from models.intake.records import Records


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CitedKnowledge(Knowledge):
    """What is known before anybody asks, with the rows of evidence by id that answers cite."""

    rows: Mapping[str, EvidenceRow]

    def figure(self, id: str) -> float:
        """The value of a row of evidence, in the row's unit.

        Raises:
            ModelError: there is no such row, or its cell is blank.
        """
        return figure(self.rows, id)

    def value(self, id: str) -> float | None:
        """The same; None where there is no row, or the document left its cell blank."""
        row = self.rows.get(id)
        return None if row is None else row.value

    def sources(self, *ids: str) -> tuple[Source, ...]:
        """Document and table of rows of evidence, each once, in their order."""
        found = [self.rows[id] for id in ids]
        return tuple(dict.fromkeys(Source(row.document, row.table) for row in found))

    def cited(self, *ids: str) -> str:
        """The same as the source of a number."""
        return "; ".join(each.text for each in self.sources(*ids))


@dataclass(frozen=True, slots=True)
class Source:
    """A document and the table, section or figure in it."""

    document: str
    table: str = ""

    @property
    def text(self) -> str:
        return f"{self.document}, {self.table}" if self.table else self.document


@dataclass(frozen=True, slots=True)
class AdviceNumber:
    """One number of an answer.

    Attributes:
        id: stable, for programs; not shown to people.
        value: in `unit`; None where it is not known, then `basis` is no data.
        unit: where it isn't given that which the id ends in, as of a field.
        low, high: ends of its range, where it has one.
        source: where it comes from, document and table; of what was typed, that.
        note: how it was worked out, or what limits it.
        decimals: with which it is written; None: as many as its size asks for.
        is_shown: whether people see it among the numbers; a table may have it already.
    """

    id: str
    label: Text
    value: float | None
    _: KW_ONLY
    unit: str = ""
    basis: Basis = Basis.RULE
    source: str = ""
    low: float | None = None
    high: float | None = None
    note: str = ""
    decimals: int | None = None
    is_shown: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", self.unit or unit_of(self.id))


GIVEN = say("given")
"""Source of a number that was typed."""
Cell = str | float | Shown | None
"""Of a table: words, a number, a verdict, or nothing known."""


@dataclass(frozen=True, slots=True)
class AdviceColumn:
    """A column: `id` for programs; `decimals` of its numbers, None: as their size asks for."""

    id: str
    title: Text | str
    unit: str = ""
    decimals: int | None = None
    numeric: bool = True
    is_signed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceTable:
    """Rows of an answer, such as one a server or one a month; people are shown as many as `shown`,
    None: all."""

    id: str
    title: Text
    columns: tuple[AdviceColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    shown: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvicePlot:
    """Lines over time, or over whatever `x_label` says; every curve has a value for each of `x`,
    which rises from 0."""

    title: Text
    x: tuple[float, ...]
    x_label: Text
    y_label: Text
    curves: tuple[tuple[Text, tuple[float, ...]], ...]
    limit: float | None
    alt: Text
    limit_label: Text | str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """An answer.

    Attributes:
        conclusion: a word or two, the same in every answer of the kind.
        verdict: what the word means for a design, which gives it its colour; None for none.
        sentence: the answer in a sentence.
        reasons: why, a sentence each.
        next: what to measure or set, a sentence each; `lines` are to be copied: commands or
            settings.
        sources: of everything above, each once.
        plots: charts, in the order in which they are shown.
    """

    conclusion: Text
    verdict: Verdict | None
    sentence: Text
    numbers: tuple[AdviceNumber, ...] = ()
    tables: tuple[AdviceTable, ...] = ()
    reasons: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    plots: tuple[AdvicePlot, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Inputs of a topic out of files or out of a scenario.

    Attributes:
        places: by name of an input where it stands in a file; `notes`: what was made of it.
        origins: by name of an input whose it is in the scenario, and who gave it there.
        subject: id of the one VM of the scenario that they are about, empty for no one of them.
        name: what they are about, as people call it; empty for the scenario as a whole.
    """

    inputs: Any
    places: Mapping[str, Source] = field(default_factory=dict)
    notes: Mapping[str, Text] = field(default_factory=dict)
    origins: Mapping[str, Text] = field(default_factory=dict)
    subject: str = ""
    name: Text | str = ""

    def told(self, advice: Advice) -> Advice:
        """The answer to these inputs, its given numbers with the places that they come from."""
        sources = tuple(dict.fromkeys((*advice.sources, *self.places.values())))
        numbers = tuple(map(self._told, advice.numbers))
        return replace(advice, numbers=numbers, sources=sources)

    def _told(self, each: AdviceNumber) -> AdviceNumber:
        if each.source != GIVEN:
            return each
        if each.id in self.places:
            note = self.notes.get(each.id, each.note)
            return replace(each, source=self.places[each.id].text, note=note)
        return replace(each, note=self.origins.get(each.id, each.note))


@dataclass(frozen=True, slots=True)
class Step:
    """A bar of a waterfall.

    Attributes:
        number: id of the number of the answer that it shows.
        of: id of the number of the bar that it follows from; empty: from none.
        factor: id of the number by which it does; empty: its note says so.
        input: path of the input that a drag of its end sets; empty: it only follows.
    """

    number: str
    of: str = ""
    factor: str = ""
    input: str = ""


@dataclass(frozen=True, slots=True)
class Product:
    """Inputs of which each two say the third: `count` × `factor` is `result`."""

    count: str
    factor: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A way of working.

    Attributes:
        id: on the command line and in files.
        title, about: as people read them; `words` are more by which it is found.
        inputs: a frozen dataclass of fields (`models.base.fields`).
        example: inputs that have an answer.
        answer: what follows from inputs that `check_inputs` has seen.
        read: inputs from pasted or loaded text; None where a topic takes none. It raises
            `ModelError` with the line or column in `field`. `paste` says what may be pasted.
        of_records: inputs that records of customers' files say, such as the statistics of a Domino
            server; None: they say none.
        of_scenario: inputs that a scenario says, one a server where it is asked about servers;
            none where it lacks what `lacks` asks for in a sentence.
        saved: id of the table of the answer that people save as CSV; empty: there is none.
        most: items of each list of the inputs at most.
        board: the scenario with the answer put onto it, for inputs that are about the VM of an
            id (empty: about no one of it); None: an answer changes nothing there. `board_text`
            names the act.
        steps: numbers that follow from one another, as a waterfall; `products`: what holds among
            their inputs.
    """

    id: str
    title: Text
    about: Text
    inputs: type
    example: Any
    answer: Callable[[Any, CitedKnowledge], Advice]
    words: tuple[str, ...] = ()
    read: Callable[[str], Any] | None = None
    paste: Text | None = None
    of_records: Callable[[Sequence[Records]], Found | None] | None = None
    of_scenario: Callable[[Scenario, CitedKnowledge], tuple[Found, ...]]
    lacks: Text
    saved: str = ""
    most: int = MOST_ITEMS
    board: Callable[[Scenario, Any, CitedKnowledge, str], Scenario] | None = None
    board_text: Text | None = None
    steps: tuple[Step, ...] = ()
    products: tuple[Product, ...] = ()


def with_step(topic: Topic, inputs: Any, step: Step, value: float) -> Any:
    """The inputs with the value that the end of a bar was dragged to; a factor that the counts on
    both sides of it now say gives way."""
    inputs = replace(inputs, **{step.input: value})
    for each in topic.products:
        sides = (each.count, each.result)
        if step.input in sides and all(getattr(inputs, side) is not None for side in sides):
            inputs = replace(inputs, **{each.factor: None})
    return inputs


def advise(topic: Topic, inputs: Any, knowledge: CitedKnowledge) -> Advice:
    """The answer of a topic.

    Raises:
        ModelError: with the path of the first input that can't be.
    """
    check_inputs(inputs, knowledge.catalog, topic.most)
    return topic.answer(inputs, knowledge)


def found_in(topic: Topic, scenario: Scenario, knowledge: CitedKnowledge) -> tuple[Found, ...]:
    """What a scenario says to a topic, of it what has an answer."""
    return tuple(
        each for each in topic.of_scenario(scenario, knowledge) if _can_be(topic, each, knowledge)
    )


def _can_be(topic: Topic, found: Found, knowledge: CitedKnowledge) -> bool:
    try:
        check_inputs(found.inputs, knowledge.catalog, topic.most)
    except ModelError:
        return False
    return True


def check_inputs(inputs: Any, catalog: Catalog, most: int = MOST_ITEMS) -> None:
    """Hold inputs to their bounds and their ids to the catalog.

    Raises:
        ModelError: with the path of the first offending field.
    """
    _check_lengths(inputs, most)
    check_fields(inputs)
    _check_ids(inputs, catalog, "")


def _check_lengths(item: Any, most: int) -> None:
    for each in fields(item):
        value = getattr(item, each.name)
        if isinstance(value, tuple) and len(value) > most:
            reason = say("must not be more than {most}", most=Numeral(f"{most:,}"))
            raise ModelError(reason, field=each.name)


def _check_ids(item: Any, catalog: Catalog, path: str) -> None:
    for name, of in fields_of(type(item)).items():
        value, here = getattr(item, name), f"{path}{name}"
        if of.is_list and of.is_nested:
            for index, each in enumerate(value):
                _check_ids(each, catalog, f"{here}[{index}].")
        elif of.is_nested and value is not None:
            _check_ids(value, catalog, f"{here}.")
        elif of.ids and value is not None:
            find(getattr(catalog, of.ids), value, field=here, kind=NOUNS[of.ids])


# --- fields of several topics -------------------------------------------------------------------

percent = partial(optional, unit="%", ge=0, le=100, empty=say("not measured"))
derating = partial(
    described,
    said=say("derating: benchmark users per user"),
    unit="×",
    meaning="Benchmark users of an active user: 2 in production, 1 of a benchmark.",
    ge=1,
    le=100,
    step=0.1,
)


# --- making numbers -----------------------------------------------------------------------------


def given(id: str, label: Text, value: float | None, unit: str = "") -> AdviceNumber:
    """A number as it was typed."""
    basis = Basis.NO_DATA if value is None else Basis.RULE
    return AdviceNumber(id, label, value, unit=unit, basis=basis, source=GIVEN)


def printed(
    knowledge: CitedKnowledge, evidence: str, id: str, label: Text, *, unit: str | None = None
) -> AdviceNumber:
    """A number as a document has it; a blank cell has no value."""
    row = knowledge.rows[evidence]
    is_measured = row.kind in ("measured", "config")
    return AdviceNumber(
        id,
        label,
        row.value,
        unit=row.unit if unit is None else unit,
        basis=Basis.NO_DATA if row.value is None else Basis.MEASURED if is_measured else Basis.RULE,
        source=Source(row.document, row.table).text,
        note=say("doubted by its authors") if row.doubted else "",
    )


def of_quantity(
    quantity: Quantity, id: str, label: Text, unit: str, source: str, *, note: str = ""
) -> AdviceNumber:
    """A number of the model, with its interval."""
    return AdviceNumber(
        id,
        label,
        quantity.value,
        unit=unit,
        basis=quantity.basis,
        source=source,
        low=quantity.low,
        high=quantity.high,
        note=note,
    )


def of_constant(
    knowledge: CitedKnowledge, constant: Constant, id: str, label: Text, unit: str
) -> AdviceNumber:
    """A constant of the model, with the rows behind it."""
    return AdviceNumber(
        id,
        label,
        constant.value,
        unit=unit,
        basis=constant.basis,
        source=knowledge.cited(*constant.evidence),
        note=constant.note,
    )


def unknown(id: str, label: Text, unit: str, why: str) -> AdviceNumber:
    """A number that nobody published; `why` says what is missing."""
    return AdviceNumber(id, label, None, unit=unit, basis=Basis.NO_DATA, note=why)


def ranged(number: AdviceNumber, low: float, high: float) -> AdviceNumber:
    """The number with the ends of its range."""
    return replace(number, low=low, high=high)
