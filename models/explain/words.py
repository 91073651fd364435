"""A derivation in words: formulas by name, formulas with values, and where leaves come from."""

from __future__ import annotations

import math
from collections.abc import Callable

from models.base.texts import Text, joined, say
from models.catalog.catalog import Catalog
from models.formulas.terms import (
    Above,
    FromCatalog,
    FromEvidence,
    FromInput,
    Operation,
    Predicted,
    Source,
    Stated,
    Term,
    applied,
)
from models.intake.cell_origins import cell_of
from models.predict.predicted import title_of
from models.scenario.inputs import origin_of
from models.scenario.scenario import Scenario
from models.scenario.wording import ENGLISH, THIN, Style, number

LEAST_DIGITS, DIGITS = 3, 6
"""Significant digits of a number in a formula: as few as let the result that is shown re-add."""

SIGNS = {
    Operation.SUM: " + ",
    Operation.DIFFERENCE: " \N{MINUS SIGN} ",
    Operation.PRODUCT: " × ",
    Operation.QUOTIENT: " ÷ ",
    Operation.POWER: " ^ ",
}
NAMES = {
    Operation.EXP: "exp",
    Operation.ROOT: "√",
    Operation.LEAST: say("least of"),
    Operation.GREATEST: say("greatest of"),
}
BETWEEN = "; "
"""Of the least and the greatest: names hold commas, and so do numbers in some languages."""

MOST_TERMS = 8
"""Of a long sum so many are written out in the line; the tree below has them all."""


def figure(value: float, *, digits: int = DIGITS, style: Style = ENGLISH) -> str:
    """A number with at most so many significant digits behind its mark, and no zeros behind them.

    What stands before the mark is never rounded.

    >>> figure(1.84), figure(1234567.0), figure(0.000143302), figure(100.0)
    ('1.84', '1,234,567', '0.000143302', '100')
    >>> figure(97.7708, digits=3), figure(4340526.3, digits=3)
    ('97.8', '4,340,526')
    """
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "\N{INFINITY}"
    decimals = _decimals(value, digits)
    text = number(value, decimals, style=style)
    if style.decimal in text and decimals:
        text = text.rstrip("0").removesuffix(style.decimal)
    return text


def _decimals(value: float, digits: int) -> int:
    if value == 0 or not math.isfinite(value):
        return 0
    return max(digits - 1 - math.floor(math.log10(abs(value))), 0)


def is_given(term: Term) -> bool:
    """A number that somebody entered like this: it is never rounded. Figures of the catalog may be
    conversions, such as 272 MiB in GiB."""
    return isinstance(term.source, FromInput | Stated)


def value_words(term: Term, *, style: Style = ENGLISH) -> str:
    """The value with its unit."""
    text = figure(term.value, digits=DIGITS if is_given(term) else LEAST_DIGITS, style=style)
    return joined(THIN, (text, term.unit)) if term.unit else text


def digits_needed(term: Term, decimals: int = 0) -> int:
    """Significant digits of its terms with which a number comes to what is shown of it.

    `decimals`: with which it is shown elsewhere, where those are more.
    """
    shown = max(_decimals(term.value, LEAST_DIGITS), decimals)
    for digits in range(LEAST_DIGITS, DIGITS):
        again = applied(term.operation, [_rounded(each, digits) for each in term.terms])
        if number(again, shown) == number(term.value, shown):
            return digits
    return DIGITS


def _rounded(term: Term, digits: int) -> float:
    """As it is shown: a number half way between two is rounded by its words, not by its bits."""
    if not math.isfinite(term.value):
        return term.value
    decimals = _decimals(term.value, DIGITS if is_given(term) else digits)
    return float(number(term.value, decimals).replace(",", "").replace("\N{MINUS SIGN}", "-"))


def formula_words(term: Term) -> str:
    """By the names of its terms: ``load per vCPU × per cent``; empty for a leaf."""
    return _joined(term, lambda each: each.label)


def worked_words(term: Term, *, decimals: int = 0, style: Style = ENGLISH) -> str:
    """With the values of its terms: ``0.71 × 100``; empty for a leaf.

    `decimals`: with which the number itself is shown elsewhere.
    """
    if term.operation is Operation.LEAF:
        return ""
    digits = digits_needed(term, decimals)
    return _joined(term, lambda each: term_figure(each, digits, style=style))


def term_figure(term: Term, digits: int, *, style: Style = ENGLISH) -> str:
    """A number as it stands in the formula of another one."""
    return figure(term.value, digits=DIGITS if is_given(term) else digits, style=style)


def _joined(term: Term, said: Callable[[Term], str]) -> str:
    if term.operation is Operation.LEAF:
        return ""
    words = [said(each) for each in term.terms]
    if term.operation is Operation.SAME:
        return words[0]
    if len(words) > MOST_TERMS:
        more = say("… {count} more", count=len(words) - MOST_TERMS + 1)
        words = [*words[: MOST_TERMS - 1], more]
    sign = SIGNS.get(term.operation)
    if sign is not None:
        return joined(sign, words)
    return joined("", (NAMES[term.operation], " (", joined(BETWEEN, words), ")"))


def source_words(source: Source | None, scenario: Scenario, catalog: Catalog) -> str:
    """Where a leaf comes from, in a line; empty for what follows from others."""
    if isinstance(source, FromInput):
        return _input_words(source, scenario)
    if isinstance(source, FromCatalog):
        entry = getattr(catalog, source.collection).get(source.id)
        name = source.id if entry is None else entry.name
        return say("catalog: {name}", name=name)
    if isinstance(source, FromEvidence):
        return joined(": ", (source.basis.label, source.note))
    if isinstance(source, Stated):
        return source.why
    if isinstance(source, Predicted):
        return _predicted_words(source, scenario)
    return say("worked out above") if isinstance(source, Above) else ""


def _input_words(source: FromInput, scenario: Scenario) -> str:
    """``input of Mail-01, customer said``."""
    if source.kind is Scenario:
        return say("policy, {origin}", origin=origin_of(scenario, source.path).label)
    for item in scenario.items():
        if item.id == source.subject:
            origin = origin_of(item, source.path).label
            cell = cell_of(item.imported_from, source.path)
            if cell:
                words = say("{origin} from {cell}", origin=origin, cell=cell)
                return say("input of {name}, {origin}", name=item.name, origin=words)
            return say("input of {name}, {origin}", name=item.name, origin=origin)
    return say("input of {name}", name=source.subject)


def _predicted_words(source: Predicted, scenario: Scenario) -> str:
    names = {item.id: item.name for item in scenario.items()}
    what = title_of(source.field)
    who = names.get(source.subject, source.subject)
    if source.table == "failures":
        return say("predicted: {what} of the survivors, with {gone} gone", what=what, gone=who)
    if not source.gone:
        return say("predicted: {what} of {who}", what=what, who=who)
    gone = names.get(source.gone, source.gone)
    return say("predicted: {what} of {who}, with {gone} gone", what=what, who=who, gone=gone)


# Words of the tables of evidence and of the calibration file, which hold them in English.
_KNOWN: dict[str, Text] = {
    str(text): text
    for text in (
        say("as printed"),
        say("as printed, per user of 4,000"),
        say("mean of the two VMs"),
        say("ratio of the two figures"),
        say("1 + printed increase"),
        say('1 - printed decrease; the source says "up to"'),
        say("IOPS fall as RAM^(-exponent): -ln(IOPS at 16 GB / IOPS at 8 GB) / ln 2"),
        say("2 VMs on 2 hosts, 4,000 active users a server; not said whether per server"),
        say(
            "8 points for 500 users of a partner, over the 25 % that 500 users take alone; the "
            "standby that took 8 % was another machine (2 Pentium II of 300 MHz, not 2 Pentium "
            "Pro of 200)"
        ),
        say(
            "35 points for 500 users of a partner, over the 61 % that 500 users take alone (74 % "
            "in the cluster over 1.21); the standby that took 35 % had other disks"
        ),
        say(
            "90 minutes over the 69 actions of the R6Mail workload; WV21 names no rate, R6Mail is "
            "the published NRPC workload nearest to it"
        ),
        say("binary logarithm of CPU at 16 GB over CPU at 8 GB"),
        say("% of a core"),
        say("IO/s"),
        say("packets/s"),
        say("measured"),
        say("config"),
        say("claim"),
        say("rule"),
        say("recommendation"),
        say("restatement"),
        say("example"),
        say("caveat"),
        say("verbatim"),
        say("inferred"),
        say("not found"),
        say("doubted"),
        say("blank"),
        say("NetApp FAS3020 (VMFS/RDM/NFS not stated)"),
    )
}


def known(words: str) -> str:
    """The words as a text; as they are where the catalogue of texts does not have them."""
    return _KNOWN.get(words, words)
