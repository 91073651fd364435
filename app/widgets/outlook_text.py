"""The outlook in words: how far the verdict holds, what decides and comes next, what mends it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from app.language import local, tr, trn
from app.widgets.gauge_text import name_of
from models.deciding import Cause
from models.judgement.gauges import Gauge, gauges
from models.judgement.outages import gone_text
from models.judgement.rules import is_of_pools, rule_title
from models.judgement.weighing import NORMAL
from models.predicted import brief_of, title_of
from models.prediction import Binding, Finding, Prediction, Severity, Verdict
from models.scenario import Scenario
from models.wording import THIN, Style, number

if TYPE_CHECKING:
    from models.fixes import Fix, Fixes
    from models.flip import Flip, Flips, Lost, Step

CALCULATING = tr("calculating how far this holds …")
NOTHING_MENDS = tr("No single change mends it")


class Causes(Enum):
    """How much is said of what gives way."""

    WITH_ITEMS = auto()
    BRIEF = auto()
    UNSAID = auto()
    USERS_ALONE = auto()
    """Nor is the load per user given beside the number of users."""
    NUMBERS_ALONE = auto()
    """Nor a lost host, of which dial and sentence speak, where the design doesn’t fit safely; and
    users are named once."""


ALONE = (Causes.USERS_ALONE, Causes.NUMBERS_ALONE)
UNCAUSED = (Causes.UNSAID, *ALONE)


def flips_text(
    flips: Flips, scenario: Scenario, *, style: Style, causes: Causes = Causes.WITH_ITEMS
) -> str:
    """``Fits up to 5,100 users or 1.34× load per user (CPU of esx1), but not with a host lost; does
    not fit beyond 5,900``.

    Where it fits and where it no longer does are told alike whether the design fits or is at risk:
    the one is where the limits come near, the other where one is passed. Neither is told as fewer
    users than there are now.

    Args:
        causes: whether what gives way is named, and whose it is.
    """
    if flips.users is None and flips.lost is None and not flips.tried:
        return ""
    if flips.verdict is Verdict.FITS:
        return _holds(flips, scenario, style, causes=causes)
    return _between(flips, scenario, style, causes=causes)


def shortened(text: str) -> str:
    """The same for a narrow place: the tool tip has what is left out.

    >>> shortened("Fits up to 5,100 users or 1.34× load per user, but not with a host lost")
    'Fits up to 5,100 users or 1.34× load, not with a host lost'
    """
    for words, fewer in _FEWER:
        text = text.replace(words, fewer)
    return text


def _hosts_lost(count: int) -> str:
    return trn("a host lost", "{count} hosts lost", count)


def _who_is_lost(lost: Lost, scenario: Scenario) -> str:
    """How many hosts; by name where one stands alone, as the verdict says that any of a cluster may
    fail."""
    if not lost.alone:
        return _hosts_lost(len(lost.hosts))
    return tr("{names} lost", names=_names(lost, scenario))


_FEWER = (
    (tr(" load per user"), tr(" load")),
    (tr(", but not with"), tr(", not with")),
    (tr("disk utilisation of"), tr("disks of")),
    (NOTHING_MENDS, tr("No single fix")),
)


def _holds(flips: Flips, scenario: Scenario, style: Style, *, causes: Causes) -> str:
    """Every limit with what gives way there; what gives way to both of load is said once. That
    nothing holds without any host goes without saying."""
    steps, lost = _steps(flips, "up", style, causes, alike=False), flips.lost
    is_at_end = any(each.is_now for each in steps)
    if is_at_end:
        steps = steps[:1]  # of both, the one that says how many there are
    if steps:
        words = [(each.words, _cause(each.step.by, scenario, causes=causes)) for each in steps]
        verdict = local(flips.verdict.label).capitalize()
        text = tr("{verdict} up to {amount}", verdict=verdict, amount=_listed(words))
    elif flips.users is not None:
        text = tr("Holds whatever the number of users")
    else:
        text = tr("Holds")
    is_brief = causes is Causes.NUMBERS_ALONE
    is_said = lost is not None and not _is_everything(lost, scenario)
    if lost is not None and is_said and not (is_brief and is_at_end):
        gone = _because(_who_is_lost(lost, scenario), _cause(lost.by, scenario, causes=causes))
        text = tr("{holds}, but not with {lost}", holds=text, lost=gone)
    if flips.users is None or flips.users.beyond is None or (is_brief and not is_at_end):
        return text
    beyond = flips.users.beyond
    amount = number(_told(beyond.at, flips.users.now), style=style)
    return f"{text}; {tr('{verdict} beyond {amount}', verdict=beyond.to.label, amount=amount)}"


def _listed(words: Sequence[tuple[str, str]]) -> str:
    """Amounts with what gives way there, which is said once where it is the same."""
    following = [*(cause for _, cause in words), ""][1:]
    return tr(" or ").join(
        part if cause == after else _because(part, cause)
        for (part, cause), after in zip(words, following, strict=True)
    )


def _is_everything(lost: Lost, scenario: Scenario) -> bool:
    return len(lost.hosts) == len(scenario.hosts)


def _because(words: str, cause: str) -> str:
    return f"{words} ({cause})" if cause else words


def _cause(cause: Cause | None, scenario: Scenario, *, causes: Causes) -> str:
    """What gives way: resource and item, briefly the resource alone."""
    if cause is None or causes in UNCAUSED:
        return ""
    if causes is Causes.WITH_ITEMS:
        return cause_text(cause, scenario)
    if isinstance(cause, Finding):
        return local(rule_title(cause.rule))
    return local(brief_of(cause.resource))


def _between(flips: Flips, scenario: Scenario, style: Style, *, causes: Causes) -> str:
    """Of what doesn't fit safely: where it would, and where it gets worse still."""
    parts = []
    down = _steps(flips, "down", style, causes)
    if down:
        verdict = local(down[0].step.to.label).capitalize()
        amount = tr(" or ").join(each.words for each in down)
        parts.append(tr("{verdict} up to {amount}", verdict=verdict, amount=amount))
    up = _steps(flips, "up", style, causes)
    are_users = bool(down and up and down[0].number and up[0].number)
    if up:
        words = [(each.words, _cause(each.step.by, scenario, causes=causes)) for each in up]
        is_bare = are_users and causes is Causes.NUMBERS_ALONE
        amount = up[0].number if is_bare else _listed(words)
        parts.append(tr("{verdict} beyond {amount}", verdict=up[0].step.to.label, amount=amount))
    if not parts and flips.users is not None:
        parts.append(tr("No number of users changes this"))
    lost = flips.lost
    if lost is not None and (not parts or causes is not Causes.NUMBERS_ALONE):
        parts.append(
            tr("{verdict} with {names} lost", verdict=lost.to.label, names=_names(lost, scenario))
        )
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Amount:
    """A step along a quantity in words.

    Attributes:
        number: alone, without what it is of; empty of the load per user.
        is_now: what is told is what there is now: any more changes the verdict.
    """

    step: Step
    words: str
    is_now: bool
    number: str = ""


def _steps(
    flips: Flips, side: str, style: Style, causes: Causes, *, alike: bool = True
) -> list[Amount]:
    """Of users and load per user, `alike` where they lead to the same verdict."""
    users, load = _side(flips.users, side), _side(flips.load, side)
    steps = []
    if users is not None and flips.users is not None:
        steps.append(_users(users, flips.users, style))
    alone = users is not None and causes in ALONE
    if load is not None and not alone and (users is None or not alike or load.to is users.to):
        steps.append(_load(load, style))
    return steps


def _users(step: Step, flip: Flip, style: Style) -> Amount:
    told = _told(step.at, flip.now)
    is_now = told == flip.now
    amount = number(told, style=style)
    if flip.of_mail:
        now = tr("these {number} mail users", number=amount)
        other = tr("{number} mail users", number=amount)
    else:
        now, other = tr("these {number} users", number=amount), tr("{number} users", number=amount)
    words = now if is_now else other
    return Amount(step, words, is_now, amount)


def _load(step: Step, style: Style) -> Amount:
    factor = math.floor(step.at * (1 + EXACT) * 100) / 100
    is_now = step.at >= 1.0 and factor == 1.0
    if is_now:
        return Amount(step, tr("today’s load per user"), is_now)
    amount = number(factor, 2, style=style)
    return Amount(step, tr("{factor}× load per user", factor=amount), is_now)


def _side(flip: Flip | None, side: str) -> Step | None:
    return None if flip is None else (flip.up if side == "up" else flip.down)


EXACT = 1e-5
"""A step is known to this share of it."""


def _told(at: float, now: float) -> float:
    """Three digits, rounded down, as what is promised must hold; not to less than is known to.

    >>> _told(31553.2, 20000.0), _told(87.9, 60.0), _told(11999.98, 12100.0)
    (31500.0, 87.0, 12000.0)
    >>> _told(12045.0, 12038.0), _told(12038.0, 12045.0)
    (12038.0, 12000.0)
    >>> _told(11999.98, 12000.0)
    11900.0
    """
    most = at * (1 + EXACT)
    most = at if at < now <= most else most
    scale = 1.0 if most < 100 else 10.0 ** (math.floor(math.log10(most)) - 2)
    told = math.floor(most / scale) * scale
    return max(told, now) if at >= now else told


def _names(lost: Lost, scenario: Scenario) -> str:
    return tr(" and ").join(name_of(scenario, id) for id in lost.hosts)


def flips_tip(
    flips: Flips, scenario: Scenario, *, style: Style, nearest: Binding | None = None
) -> str:
    """The same with what is meant, a line each.

    Args:
        nearest: what is nearest to its limit as things stand, which need not be what gives way.
    """
    lines = [flips_text(flips, scenario, style=style)]
    if flips.lost is not None:
        if not _is_everything(flips.lost, scenario):
            lines.append(tr("hosts lost: {names}", names=_names(flips.lost, scenario)))
    elif 0 < flips.tried < len(scenario.hosts) and flips.verdict is Verdict.FITS:
        lines.append(
            trn(
                "the loss of a host does not change this verdict",
                "the loss of up to {count} hosts does not change this verdict",
                flips.tried,
            )
        )
    lines.append(_overtaken(flips, nearest, scenario))
    of_mail = flips.users is not None and flips.users.of_mail
    lines += [
        tr("mail users: all mail servers in proportion, their mail files with them; chat stays")
        if of_mail
        else tr("users: all VMs in proportion, their mail files with them"),
        tr("load per user: the same users and mail files, every user busier"),
        tr("found on the model itself; rounded to the safe side"),
    ]
    return "\n".join(line for line in lines if line)


def _overtaken(flips: Flips, nearest: Binding | None, scenario: Scenario) -> str:
    """That something else gives way than what is nearest to its limit; empty where it is that."""
    step = _side(flips.users, "up")
    by = None if step is None or flips.verdict is not Verdict.FITS else step.by
    if nearest is None or not isinstance(by, Binding):
        return ""
    if (by.subject, by.resource, by.vm) == (nearest.subject, nearest.resource, nearest.vm):
        return ""
    return tr(
        "now nearest: {where}; with more users another number is first at its limit, its interval "
        "counted",
        where=where_text(nearest, scenario),
    )


# --- with a host held down ---------------------------------------------------------------------


def lost_text(
    scenario: Scenario, prediction: Prediction, host: str, *, style: Style
) -> tuple[str, str]:
    """What is nearest to its limit without a host, and what comes next.

    Args:
        scenario, prediction: of what is left.
    """
    known = [each for each in gauges(scenario, prediction) if each.load is not None]
    known.sort(key=lambda gauge: gauge.load or 0.0, reverse=True)
    parts = [_left_of(gauge, scenario, style) for gauge in known[:2]]
    name, nearest = name_of(scenario, host), parts[0] if parts else tr("no data")
    first = tr("Without {name}: {nearest}", name=name, nearest=nearest)
    return first, tr("next {part}", part=parts[1]) if len(parts) > 1 else ""


def _left_of(gauge: Gauge, scenario: Scenario, style: Style) -> str:
    left = 100.0 * (1.0 - (gauge.load or 0.0))
    what = local(title_of(gauge.field))
    if gauge.subject:
        what = tr("{what} of {who}", what=what, who=name_of(scenario, gauge.subject))
    if left < -999:
        return tr("{where}: far over", where=what)
    digits = 0 if abs(left) >= 1 or left == 0 else 1
    amount = f"{number(abs(left), digits, style=style)}{THIN}%"
    if left < 0:
        return tr("{where}: {amount} over", where=what, amount=amount)
    return tr("{where}: {amount} left", where=what, amount=amount)


# --- what decides ------------------------------------------------------------------------------


def distance_text(prediction: Prediction, scenario: Scenario, *, style: Style) -> str:
    """``RAM of esx1: 4 % left; next disk utilisation of DS4800 data: 33 % left``."""
    parts = []
    for binding, head in ((prediction.binding, ""), (prediction.runner_up, tr("next "))):
        if binding is not None:
            parts.append(f"{head}{_binding(binding, scenario, style)}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] if text[1:2].islower() else text


def cause_text(cause: Cause, scenario: Scenario, name: Callable[[str], str] = title_of) -> str:
    """What decides and whose it is: ``disks of DS4800``, ``Not placed, Mail-07``."""
    if isinstance(cause, Binding):
        return where_text(cause, scenario, name)
    title = local(rule_title(cause.rule))
    if not cause.subject:
        return title
    return tr("{title}, {who}", title=title, who=name_of(scenario, cause.subject))


def where_text(binding: Binding, scenario: Scenario, name: Callable[[str], str] = title_of) -> str:
    """What decides and whose it is: ``RAM with esx1 gone``, ``esx2 can’t be powered on``.

    Args:
        name: of a number, by its id.
    """
    who = name_of(scenario, binding.subject)
    if is_of_pools(binding.rule):
        return tr("what stands on {who} can’t be powered on", who=who)
    if binding.rule:
        return tr("{who} can’t be powered on", who=who)
    if binding.stranded:
        return trn(
            "{count} VM without room with {who} gone",
            "{count} VMs without room with {who} gone",
            binding.stranded,
            who=who,
        )
    what = local(name(binding.resource))
    if binding.own:
        what = tr("{what} of {who}", what=what, who=name_of(scenario, binding.vm))
    elif binding.lost is not None:
        loss, id = binding.lost
        what = tr("{what} of {who}", what=what, who=who)
        who = local(gone_text(loss, name_of(scenario, id)))
    elif binding.mode == NORMAL:
        return tr("{what} of {who}", what=what, who=who)
    return tr("{what} with {who} gone", what=what, who=who)


def _binding(binding: Binding, scenario: Scenario, style: Style) -> str:
    where = where_text(binding, scenario)
    if binding.rule or binding.stranded:
        return where
    from models.fixes import distance_pct

    left = distance_pct(binding)
    if abs(left) > 999:
        return tr("{where}: far over", where=where)
    digits = 0 if abs(left) >= 1 or left == 0 else 1
    amount = f"{number(abs(left), digits, style=style)}{THIN}%"
    if left >= 0:
        return tr("{where}: {amount} left", where=where, amount=amount)
    return tr("{where}: {amount} over", where=where, amount=amount)


# --- what mends it -----------------------------------------------------------------------------


def fix_text(fix: Fix, scenario: Scenario) -> str:
    """``+8 GiB RAM in esx1 → fits``; where more is wrong, what comes next."""
    binding, text = fix.prediction.binding, local(fix.change.text)
    if fix.verdict <= Verdict.NOT_KNOWN or binding is None:
        return f"{text} → {local(fix.prediction.shown.words)}"
    what = local(title_of(binding.resource))
    who = name_of(fix.change.scenario, binding.subject)
    if binding.own:
        what = tr("{what} of {who}", what=what, who=name_of(fix.change.scenario, binding.vm))
    if binding.lost is not None:
        loss, id = binding.lost
        what = tr("{what} of {who}", what=what, who=who)
        who = local(gone_text(loss, name_of(fix.change.scenario, id)))
    if binding.rule:
        return tr("{change} → then {who} can’t be powered on", change=text, who=who)
    if binding.stranded:
        return tr("{change} → then VMs without room, {who} gone", change=text, who=who)
    if binding.mode == NORMAL:
        return tr("{change} → then {what} of {who}", change=text, what=what, who=who)
    return tr("{change} → then {what} without {who}", change=text, what=what, who=who)


def fixes_tip(fixes: Fixes, scenario: Scenario) -> str:
    """What was tried, in which order, and the other ways that were found."""
    from models.fixes import ORDER_WORDS

    lines = [
        tr("Cheapest single change of {tried} that were tried on the model.", tried=fixes.tried)
    ]
    others = [fix_text(fix, scenario) for fix in fixes.found[1:4]]
    if others:
        lines += [tr("Also:"), *(f"· {other}" for other in others)]
    return "\n".join(
        [*lines, local(ORDER_WORDS), tr("A click makes the change; undo takes it back.")]
    )


def nothing_text(prediction: Prediction) -> str:
    """What to say where no single change helps: what the finding that decides asks for."""
    error = next((f for f in prediction.findings if f.severity is Severity.ERROR), None)
    return local(error.fix) if error is not None else NOTHING_MENDS
