"""How far off the model is: errors of held-out predictions, and what could not be held out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from models.base.texts import Text, joined, opening, say, say_many
from models.fitting.point_errors import point_errors
from models.fitting.transfers import TransferError, transfer_errors
from models.fitting.validation import (
    BEYOND,
    INSIDE,
    OWN,
    RUN,
    SERIES_SPLIT,
    TRANSFER,
    Accuracy,
    BaselineError,
    Validation,
)
from models.predict.predicted import title_of
from models.scenario.wording import number, signed, with_unit
from models.tell.blocks import Block, Bullets, Column, Definitions, Paragraph, Section, Table

FAMILIES = {
    "A": say("Domino mail on ESX 3"),
    "B": say("Domino 8.5.1 on vSphere 4"),
    "C": say("Domino clusters"),
    "D": say("Sametime on ESX 3"),
    "E": say("Domino releases on zSeries"),
    "F": say("CPU per I/O"),
    "rules": say("Rules of other sources"),
}
SPLITS = {
    INSIDE: say("each point but the last of its series, alone"),
    BEYOND: say("the last point of each series, alone"),
    SERIES_SPLIT: say("each whole series"),
    TRANSFER: say("another family or run"),
    RUN: say("each run, all of one load"),
    OWN: say("own servers, never seen"),
}
ALONE = frozenset({INSIDE, BEYOND})
CPU_RATIO = say("CPU with double RAM over that without")
NAIVE_NOTE = say(
    "Naive curves are fitted to one series alone: they can’t say anything about a configuration "
    "that was not measured."
)
LOG_TIP = say("Mean of |ln(predicted/measured)|: 0.10 is a factor of about 1.1 either way")
_NOTHING = "–"


def family_text(family: str) -> str:
    """``A · Domino mail on ESX 3``."""
    if family == "rules" or family not in FAMILIES:
        return FAMILIES.get(family, family)
    return joined(" · ", (family, FAMILIES[family]))


def quantity_name(metric: str) -> str:
    """``CPU`` for ``cpu_pct``; of a factor what it is of."""
    return CPU_RATIO if metric == "cpu_ratio" else opening(title_of(metric))


# --- tables -----------------------------------------------------------------------------------


def _percent(value: float | None, decimals: int = 1) -> str:
    return _NOTHING if value is None else with_unit(number(value, decimals), "%")


def _logarithm(value: float | None) -> str:
    return _NOTHING if value is None else number(value, 2)


def _numeric(title: str, tip: str = "") -> Column:
    return Column(title, numeric=True, tip=tip)


_COLUMNS: tuple[tuple[Column, Callable[[Accuracy], str]], ...] = (
    (
        Column(say("Family"), tip=say("Each family of figures is fitted apart")),
        lambda row: row.family,
    ),
    (Column(say("Quantity")), lambda row: quantity_name(row.quantity)),
    (
        Column(
            say("Held out"),
            wide=True,
            tip=say("What the fit did not see when it predicted the point"),
        ),
        lambda row: SPLITS[row.split],
    ),
    (_numeric(say("Points"), say("Number of held-out points")), lambda row: number(row.n)),
    (
        _numeric(say("Mean error"), say("Mean of the absolute error, per cent of the measured")),
        lambda row: _percent(row.mape_pct),
    ),
    (
        _numeric(say("Median"), say("Half of the errors are smaller")),
        lambda row: _percent(row.median_ape_pct),
    ),
    (
        _numeric(say("90th pct."), say("Nine of ten errors are smaller")),
        lambda row: _percent(row.p90_ape_pct),
    ),
    (
        _numeric(say("Naive curve"), say("Mean error of the best naive curve")),
        lambda row: _percent(row.baseline_mape_pct),
    ),
    (_numeric(say("Log error"), LOG_TIP), lambda row: _logarithm(row.log_error)),
    (
        _numeric(say("Naive log"), say("Log error of the best naive curve")),
        lambda row: _logarithm(row.baseline_log_error),
    ),
    (
        _numeric(say("Bias"), say("Mean of ln(predicted/measured): below 0 is predicted low")),
        lambda row: signed(row.bias, 2),
    ),
    (
        _numeric(say("In 90 % range"), say("Points inside the interval of their prediction")),
        lambda row: _percent(row.coverage_pct, 0),
    ),
    (
        _numeric(say("Constants"), say("Constants tuned on the family")),
        lambda row: number(row.parameters),
    ),
)
IN_SHORT = (1, 2, 3, 4, 11)
"""Columns of the table where there is little room."""


def accuracy_table(rows: Iterable[Accuracy], *, in_short: bool = False) -> Table:
    """The errors, a row for each way to hold figures out."""
    columns = [_COLUMNS[place] for place in IN_SHORT] if in_short else _COLUMNS
    return Table(
        tuple(column for column, _ in columns),
        tuple(tuple(cell(row) for _, cell in columns) for row in rows),
    )


def _naive_table(rows: Sequence[BaselineError]) -> Table:
    columns = (
        Column(say("Quantity")),
        Column(say("Held out"), wide=True),
        Column(say("Naive curve"), tip=say("Fitted to one series alone")),
        _numeric(say("Points")),
        _numeric(say("Mean error")),
        _numeric(say("Log error"), LOG_TIP),
    )
    cells = (
        (
            quantity_name(row.quantity),
            SPLITS[row.split],
            row.baseline,
            number(row.n),
            _percent(row.mape_pct),
            _logarithm(row.log_error),
        )
        for row in rows
    )
    return Table(columns, tuple(cells), NAIVE_NOTE)


# --- sections ---------------------------------------------------------------------------------


def accuracy_sections(validation: Validation) -> tuple[Section, ...]:
    """The errors in a table and row by row in words; naive curves; and what was not held out."""
    blocks: list[Block] = [
        accuracy_table((*validation.accuracy, *validation.applied)),
        Bullets(tuple(map(accuracy_words, validation.accuracy))),
    ]
    sections = [Section(say("Accuracy"), tuple(blocks))]
    if validation.baselines:
        naive = (_naive_table(validation.baselines),)
        sections.append(Section(say("Naive curves for comparison"), naive))
    for title, rows in (
        (say("Too few figures to hold any out"), unchecked_words(validation)),
        (say("Held against figures of other families"), transfer_words(validation)),
    ):
        if rows:
            sections.append(Section(title, (Definitions(rows),)))
    return tuple(sections)


def headline_sections(validation: Validation, doubted: int) -> tuple[Section, ...]:
    """What a reader has to know first, then the sections."""
    first = (Paragraph(headline(validation)), Paragraph(below_headline(validation, doubted)))
    return (Section("", first), *accuracy_sections(validation))


def headline(validation: Validation) -> Text:
    """How far off held-out predictions are on average, in one sentence."""
    found, parts = _by_split(validation), list[Text]()
    for quantity in dict.fromkeys(quantity for quantity, _ in found):
        inside, beyond = (found.get((quantity, split)) for split in (INSIDE, BEYOND))
        if inside is None or beyond is None:
            continue
        given = {
            "name": title_of(quantity),
            "inside": _percent(inside.mape_pct),
            "beyond": _percent(beyond.mape_pct),
        }
        if parts:
            parts.append(say("{name} by {inside} and {beyond}", **given))
        else:
            parts.append(
                say(
                    "{name} errs by {inside} inside the measured loads and {beyond} beyond them",
                    **given,
                )
            )
    if not parts:
        return say("Nothing could be held out.")
    return say("Held out, {errors}.", errors=joined("; ", parts))


def below_headline(validation: Validation, doubted: int) -> Text:
    """What held out means, what naive curves reach, how often the ranges hold, what is left out."""
    errors = point_errors([p for p in validation.points if p.split in ALONE])
    sentences = [say("Each figure was predicted by a fit that had not seen it.")]
    if errors is not None:
        sentences.append(
            say(
                "{share} of {n} figures lie inside their 90\u202f% range.",
                share=_percent(errors.coverage_pct, 0),
                n=errors.n,
            )
        )
    if naive := _naive(validation):
        sentences.append(say("The best naive curve errs by {naive}.", naive=naive))
    if doubted:
        sentences.append(
            say_many(
                "{count} cell that its authors doubt is shown and never counted.",
                "{count} cells that their authors doubt are shown and never counted.",
                doubted,
            )
        )
    return joined(" ", sentences)


def _naive(validation: Validation) -> Text:
    found, parts = _by_split(validation), list[Text]()
    for quantity in dict.fromkeys(quantity for quantity, _ in found):
        rows = [found.get((quantity, split)) for split in (INSIDE, BEYOND)]
        values = [row.baseline_mape_pct for row in rows if row is not None]
        if len(values) == 2 and None not in values:
            parts.append(
                say(
                    "{inside} and {beyond} ({quantity})",
                    inside=_percent(values[0]),
                    beyond=_percent(values[1]),
                    quantity=title_of(quantity),
                )
            )
    return joined(", ", parts)


def _by_split(validation: Validation) -> dict[tuple[str, str], Accuracy]:
    return {(row.quantity, row.split): row for row in validation.accuracy}


def accuracy_words(row: Accuracy) -> Text:
    """One row of the accuracy table as sentences."""
    naive: str = ""
    if row.baseline_mape_pct is not None:
        naive = say(" The best naive curve errs by {error}.", error=_percent(row.baseline_mape_pct))
    return say(
        "{quantity}, held out {held_out}: {n} points, off by {mape_pct} on average; half of them "
        "by less than {half}, nine of ten by less than {most}. {bias_words} "
        "{coverage_pct} lie inside their 90\u202f% range.{naive}",
        quantity=quantity_name(row.quantity),
        held_out=SPLITS[row.split],
        n=row.n,
        mape_pct=_percent(row.mape_pct),
        half=_percent(row.median_ape_pct),
        most=_percent(row.p90_ape_pct),
        bias_words=_bias_words(row.bias),
        coverage_pct=_percent(row.coverage_pct, 0),
        naive=naive,
    )


def _bias_words(bias: float) -> Text:
    """A bias in ln as what it does to a prediction, to the whole per cent."""
    if abs(bias) < 0.005:
        return say("On the whole neither high nor low.")
    amount = _percent(100.0 * abs(bias), 0)
    if bias > 0:
        return say("On the whole {amount} high.", amount=amount)
    return say("On the whole {amount} low.", amount=amount)


def unchecked_words(validation: Validation) -> tuple[tuple[str, str], ...]:
    """Families without a held-out check, and why."""
    return tuple(
        (family_text(row.family), joined("", (row.reason, "."))) for row in validation.unchecked
    )


def transfer_words(validation: Validation) -> tuple[tuple[str, str], ...]:
    """Families held against figures of others, with how far off the factors between them are."""
    rows = transfer_errors(validation.transfers)
    return tuple((family_text(row.family), _transfer(row)) for row in rows)


def _transfer(row: TransferError) -> Text:
    inside = say("{inside} inside their ranges", inside=row.inside)
    if row.n == 1:
        inside = say("inside its range") if row.inside else say("outside its range")
    return say_many(
        "{name} by {by}: {count} figure, off by {mean_pct} on average, {inside}.",
        "{name} by {by}: {count} figures, off by {mean_pct} on average, {inside}.",
        row.n,
        name=quantity_name(row.quantity),
        by=row.by,
        mean_pct=_percent(row.mean_pct),
        inside=inside,
    )
