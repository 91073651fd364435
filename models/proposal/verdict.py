"""The verdict of a design as its proposal says it, in the same words in all places, and whether
the design is one to recommend."""

from __future__ import annotations

from collections.abc import Sequence

from models.base.texts import Text, joined, opening, say
from models.catalog.catalog import Array, Role, Server
from models.judgement.rulebook import names
from models.options.purchasable import is_sold
from models.predict.prediction import Shown, Verdict
from models.proposal.requests import request_of
from models.resilience.mode_words import beyond_verdict_text, worst_beyond_verdict
from models.scenario.wording import number
from models.tell.blocks import VerdictBox
from models.tell.headline import MOST_WORDS, Headline, headline
from models.tell.subject import Subject


def verdict(subject: Subject) -> VerdictBox:
    """The verdict over the planned years, what decides and what to do, and what limits it: loads
    that are assumed, and a worse failure besides hosts."""
    caveats = (chip.detail for chip in subject.prediction.caveats)
    remarks = (_age_remark(subject), *caveats, _besides_remark(subject))
    told = headline_of(subject)
    parts = (_sentence(subject, told.reason), told.action)
    return VerdictBox(
        shown(subject), joined(" ", filter(None, parts)), joined(" ", filter(None, remarks))
    )


def headline_of(subject: Subject) -> Headline:
    """What decides, and what is asked of the reader or done for him about it."""
    return headline(
        subject.scenario,
        subject.prediction,
        fix=lambda finding: request_of(finding).words,
        most=MOST_WORDS,
    )


def verdict_line(subject: Subject) -> Text:
    """The verdict with what decides, as the box has it, in a line."""
    told, words = headline_of(subject), shown(subject).words
    if not told.reason:
        return joined("", (opening(words), "."))
    return joined("", (opening(words), ": ", told.reason, "."))


def _sentence(subject: Subject, clause: Text | str) -> Text | str:
    return joined("", (opening(clause, subject.names.values()), ".")) if clause else ""


def shown(subject: Subject) -> Shown:
    """The verdict of today, and where growth makes it worse within the planned years, until when
    it holds; it then looks like what it becomes."""
    today, runway = subject.prediction.shown, subject.runway
    until = None if runway is None or today.verdict is None else runway.holds_until
    if runway is None or until is None:
        return today
    worst = max(step.verdict for step in runway.steps if step.month > until)
    words = say(
        "{verdict} until month {until} of {months}",
        verdict=today.words,
        until=number(until),
        months=number(runway.steps[-1].month),
    )
    return Shown(worst, words)


def _age_remark(subject: Subject) -> str:
    return say("Nothing as recent was measured.") if subject.prediction.badge else ""


def _besides_remark(subject: Subject) -> str:
    worse = None if subject.study is None else worst_beyond_verdict(subject.study)
    return "" if worse is None else joined("", (beyond_verdict_text(worse, subject.names), "."))


def recommended(subjects: Sequence[Subject]) -> Subject | None:
    """The only one of several options that fits, if it can be recommended."""
    fitting = [each for each in subjects if each.prediction.shown.verdict is Verdict.FITS]
    if len(subjects) < 2 or len(fitting) != 1 or not can_be_recommended(fitting[0]):
        return None
    return fitting[0]


def can_be_recommended(subject: Subject) -> bool:
    """It fits for all years that are planned, and each machine is there or can be bought."""
    scenario, catalog = subject.scenario, subject.catalog
    new: tuple[Server | Array, ...] = (
        *(catalog.servers[host.server] for host in scenario.hosts if not host.imported_from),
        *(catalog.arrays[pool.array] for pool in scenario.pools if not pool.imported_from),
    )
    fits = shown(subject).verdict is Verdict.FITS
    return fits and not reference_remark(subject) and all(map(is_sold, new))


def reference_remark(subject: Subject) -> str:
    """Which machines of the design reproduce a measurement and can't be bought."""
    servers, arrays = subject.catalog.servers, subject.catalog.arrays
    used: tuple[tuple[Server | Array, str], ...] = (
        *((servers[host.server], host.name) for host in subject.scenario.hosts),
        *((arrays[pool.array], pool.name) for pool in subject.scenario.pools),
    )
    found: dict[str, list[str]] = {}
    for entry, name in used:
        if entry.role is Role.REFERENCE:
            found.setdefault(entry.name, []).append(name)
    if not found:
        return ""
    named = joined(
        "; ", [joined("", (entry, " (", names(items), ")")) for entry, items in found.items()]
    )
    return say(
        "{systems} was measured and can’t be bought: this is no offer until another that is sold "
        "stands in its place.",
        systems=named,
    )
