"""The outlook in words: how far the verdict holds, what decides and comes next, what mends it.

What is said `brief` is for narrow places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from models.base.texts import Text, joined, opening, say, say_many
from models.judgement.against_limits import NORMAL
from models.judgement.binding import Cause, distance_pct
from models.judgement.gauges import Gauge, gauges
from models.judgement.rules import is_of_pools, rule_title
from models.judgement.sentence import gone_text
from models.predict.predicted import brief_of, title_of
from models.predict.prediction import Binding, Finding, Prediction, Severity, Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import THIN, number

if TYPE_CHECKING:
    from models.single_changes.fixes import Fix, Fixes
    from models.studies.flip import Flip, Flips, Lost, Step

CALCULATING = say("calculating how far this holds …")
NOTHING_FIXES = say("No single change fixes this")
NO_SINGLE_FIX = say("No single fix")
NOTHING = joined("", ())


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

    @property
    def brief(self) -> bool:
        """Whether it is for a narrow place."""
        return self is not Causes.WITH_ITEMS


ALONE = (Causes.USERS_ALONE, Causes.NUMBERS_ALONE)
UNCAUSED = (Causes.UNSAID, *ALONE)


def flips_text(
    flips: Flips,
    scenario: Scenario,
    *,
    causes: Causes = Causes.WITH_ITEMS,
    brief: bool = False,
) -> Text:
    """``Fits up to 5,100 users or 1.34× load per user (CPU of esx1), but not with a host lost; does
    not fit beyond 5,900``.

    Where it fits and where it no longer does are told alike whether the design fits or is at risk:
    the one is where the limits come near, the other where one is passed. Neither is told as fewer
    users than there are now.

    Args:
        causes: whether what gives way is named, and whose it is.
    """
    if flips.users is None and flips.lost is None and not flips.tried:
        return NOTHING
    if flips.verdict is Verdict.FITS:
        return _holds(flips, scenario, causes=causes, brief=brief)
    return _between(flips, scenario, causes=causes, brief=brief)


def _who_is_lost(lost: Lost, scenario: Scenario) -> Text:
    """How many hosts; by name where one is outside clusters, as the verdict says that any of a
    cluster may fail."""
    if not lost.alone:
        return say_many("a host lost", "{count} hosts lost", len(lost.hosts))
    return say("{names} lost", names=_names(lost, scenario))


def _holds(flips: Flips, scenario: Scenario, *, causes: Causes, brief: bool) -> Text:
    """Every limit with what gives way there; what gives way to both of load is said once. That
    nothing holds without any host goes without saying."""
    steps, lost = _steps(flips, "up", causes, alike=False, brief=brief), flips.lost
    is_at_end = any(each.is_now for each in steps)
    if is_at_end:
        steps = steps[:1]  # of both, the one that says how many there are
    if steps:
        words = [(each.words, _cause(each.step.by, scenario, causes=causes)) for each in steps]
        verdict = opening(flips.verdict.label)
        text = say("{verdict} up to {amount}", verdict=verdict, amount=_listed(words))
    elif flips.users is not None:
        text = say("Holds whatever the number of users")
    else:
        text = say("Holds")
    is_brief = causes is Causes.NUMBERS_ALONE
    is_said = lost is not None and not _is_everything(lost, scenario)
    if lost is not None and is_said and not (is_brief and is_at_end):
        gone = _because(_who_is_lost(lost, scenario), _cause(lost.by, scenario, causes=causes))
        text = (
            say("{holds}, not with {lost}", holds=text, lost=gone)
            if brief
            else say("{holds}, but not with {lost}", holds=text, lost=gone)
        )
    if flips.users is None or flips.users.beyond is None or (is_brief and not is_at_end):
        return text
    beyond = flips.users.beyond
    amount = number(_told(beyond.at, flips.users.now))
    further = say("{verdict} beyond {amount}", verdict=beyond.to.label, amount=amount)
    return joined("; ", (text, further))


def _listed(words: Sequence[tuple[Text, str]]) -> Text:
    """Amounts with what gives way there, which is said once where it is the same."""
    following = [*(cause for _, cause in words), ""][1:]
    told = zip(words, following, strict=True)
    return joined(
        say(" or "),
        (part if cause == after else _because(part, cause) for (part, cause), after in told),
    )


def _is_everything(lost: Lost, scenario: Scenario) -> bool:
    return len(lost.hosts) == len(scenario.hosts)


def _because(words: Text, cause: str) -> Text:
    return say("{words} ({cause})", words=words, cause=cause) if cause else words


def _cause(cause: Cause | None, scenario: Scenario, *, causes: Causes) -> str:
    """What gives way: resource and item, briefly the resource alone."""
    if cause is None or causes in UNCAUSED:
        return ""
    if causes is Causes.WITH_ITEMS:
        return cause_text(cause, scenario)
    if isinstance(cause, Finding):
        return rule_title(cause.rule)
    return brief_of(cause.resource)


def _between(flips: Flips, scenario: Scenario, *, causes: Causes, brief: bool) -> Text:
    """Of what doesn't fit safely: where it would, and where it gets worse still."""
    parts = []
    down = _steps(flips, "down", causes, brief=brief)
    if down:
        verdict = opening(down[0].step.to.label)
        amount = joined(say(" or "), (each.words for each in down))
        parts.append(say("{verdict} up to {amount}", verdict=verdict, amount=amount))
    up = _steps(flips, "up", causes, brief=brief)
    are_users = bool(down and up and down[0].number and up[0].number)
    if up:
        words = [(each.words, _cause(each.step.by, scenario, causes=causes)) for each in up]
        is_bare = are_users and causes is Causes.NUMBERS_ALONE
        least = up[0].number if is_bare else _listed(words)
        parts.append(say("{verdict} beyond {amount}", verdict=up[0].step.to.label, amount=least))
    if not parts and flips.users is not None:
        parts.append(say("No number of users changes this"))
    lost = flips.lost
    if lost is not None and (not parts or causes is not Causes.NUMBERS_ALONE):
        parts.append(
            say("{verdict} with {names} lost", verdict=lost.to.label, names=_names(lost, scenario))
        )
    return opening(joined("; ", parts))


@dataclass(frozen=True, slots=True)
class Amount:
    """A step along a quantity in words.

    Attributes:
        number: alone, without what it is of; empty of the load per user.
        is_now: what is told is what there is now: any more changes the verdict.
    """

    step: Step
    words: Text
    is_now: bool
    number: str = ""


def _steps(
    flips: Flips, side: str, causes: Causes, *, alike: bool = True, brief: bool
) -> list[Amount]:
    """Of users and load per user, `alike` where they lead to the same verdict."""
    users, load = _side(flips.users, side), _side(flips.load, side)
    steps = []
    if users is not None and flips.users is not None:
        steps.append(_users(users, flips.users))
    alone = users is not None and causes in ALONE
    if load is not None and not alone and (users is None or not alike or load.to is users.to):
        steps.append(_load(load, brief=brief))
    return steps


def _users(step: Step, flip: Flip) -> Amount:
    told = _told(step.at, flip.now)
    is_now = told == flip.now
    amount = number(told)
    if flip.of_mail:
        now = say("these {number} mail users", number=amount)
        other = say("{number} mail users", number=amount)
    else:
        now, other = (
            say("these {number} users", number=amount),
            say("{number} users", number=amount),
        )
    words = now if is_now else other
    return Amount(step, words, is_now, amount)


def _load(step: Step, *, brief: bool) -> Amount:
    factor = math.floor(step.at * (1 + EXACT) * 100) / 100
    is_now = step.at >= 1.0 and factor == 1.0
    if is_now:
        now = say("today’s load") if brief else say("today’s load per user")
        return Amount(step, now, is_now)
    amount = number(factor, 2)
    words = (
        say("{factor}× load", factor=amount)
        if brief
        else say("{factor}× load per user", factor=amount)
    )
    return Amount(step, words, is_now)


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


def _names(lost: Lost, scenario: Scenario) -> Text:
    return joined(say(" and "), (name_of(scenario, id) for id in lost.hosts))


def name_of(scenario: Scenario, id: str) -> str:
    """The name people gave to an item; its id where the scenario doesn’t have it."""
    return next((item.name for item in scenario.items() if item.id == id), id)


def flips_tip(flips: Flips, scenario: Scenario, *, nearest: Binding | None = None) -> Text:
    """The same with what is meant, a line each.

    Args:
        nearest: what is nearest to its limit as things stand, which need not be what gives way.
    """
    lines: list[str] = [flips_text(flips, scenario)]
    if flips.lost is not None:
        if not _is_everything(flips.lost, scenario):
            lines.append(say("hosts lost: {names}", names=_names(flips.lost, scenario)))
    elif 0 < flips.tried < len(scenario.hosts) and flips.verdict is Verdict.FITS:
        lines.append(
            say_many(
                "the loss of a host does not change this verdict",
                "the loss of up to {count} hosts does not change this verdict",
                flips.tried,
            )
        )
    lines.append(_overtaken(flips, nearest, scenario))
    of_mail = flips.users is not None and flips.users.of_mail
    lines += [
        say("mail users: all mail servers in proportion, their mail files with them; chat stays")
        if of_mail
        else say("users: all VMs in proportion, their mail files with them"),
        say("load per user: the same users and mail files, every user busier"),
        say("found on the model itself; rounded to the safe side"),
    ]
    return joined("\n", filter(None, lines))


def _overtaken(flips: Flips, nearest: Binding | None, scenario: Scenario) -> str:
    """That something else gives way than what is nearest to its limit; empty where it is that."""
    step = _side(flips.users, "up")
    by = None if step is None or flips.verdict is not Verdict.FITS else step.by
    if nearest is None or not isinstance(by, Binding):
        return ""
    if (by.subject, by.resource, by.vm) == (nearest.subject, nearest.resource, nearest.vm):
        return ""
    return say(
        "now nearest: {where}; with more users another number is first at its limit, its interval "
        "counted",
        where=where_text(nearest, scenario),
    )


# --- with a host held down ---------------------------------------------------------------------


def lost_text(
    scenario: Scenario, prediction: Prediction, host: str, *, brief: bool = False
) -> tuple[Text, Text]:
    """What is nearest to its limit without a host, and what comes next.

    Args:
        scenario, prediction: of what is left.
    """
    known = [each for each in gauges(scenario, prediction) if each.load is not None]
    known.sort(key=lambda gauge: gauge.load or 0.0, reverse=True)
    parts = [_left_of(gauge, scenario, brief=brief) for gauge in known[:2]]
    name, nearest = name_of(scenario, host), parts[0] if parts else say("no data")
    first = say("Without {name}: {nearest}", name=name, nearest=nearest)
    return first, say("next {part}", part=parts[1]) if len(parts) > 1 else NOTHING


def _left_of(gauge: Gauge, scenario: Scenario, *, brief: bool) -> Text:
    left = 100.0 * (1.0 - (gauge.load or 0.0))
    what = brief_of(gauge.field) if brief else title_of(gauge.field)
    if gauge.subject:
        what = say("{what} of {who}", what=what, who=name_of(scenario, gauge.subject))
    return _until(what, left)


def _until(where: str, left: float) -> Text:
    """How far a number is from its limit [%]."""
    if left < -999:
        return say("{where}: far over", where=where)
    digits = 0 if abs(left) >= 1 or left == 0 else 1
    amount = joined("", (number(abs(left), digits), THIN, "%"))
    if left < 0:
        return say("{where}: {amount} over", where=where, amount=amount)
    return say("{where}: {amount} left", where=where, amount=amount)


# --- what decides ------------------------------------------------------------------------------


def distance_text(prediction: Prediction, scenario: Scenario, *, brief: bool = False) -> Text:
    """``RAM of esx1: 4 % left; next disk utilisation of DS4800 data: 33 % left``."""
    parts = []
    for binding, head in ((prediction.binding, ""), (prediction.runner_up, say("next "))):
        if binding is not None:
            parts.append(joined("", (head, _binding(binding, scenario, brief=brief))))
    return opening(joined("; ", parts), [item.name for item in scenario.items()])


def cause_text(cause: Cause, scenario: Scenario, name: Callable[[str], str] = title_of) -> str:
    """What decides and whose it is: ``disks of DS4800``, ``Not placed, Mail-07``."""
    if isinstance(cause, Binding):
        return where_text(cause, scenario, name)
    title = rule_title(cause.rule)
    if not cause.subject:
        return title
    return say("{title}, {who}", title=title, who=name_of(scenario, cause.subject))


def where_text(binding: Binding, scenario: Scenario, name: Callable[[str], str] = title_of) -> str:
    """What decides and whose it is: ``RAM with esx1 gone``, ``esx2 can’t be powered on``.

    Args:
        name: of a number, by its id.
    """
    who = name_of(scenario, binding.subject)
    if is_of_pools(binding.rule):
        return say("what stands on {who} can’t be powered on", who=who)
    if binding.rule:
        return say("{who} can’t be powered on", who=who)
    if binding.stranded:
        return say_many(
            "{count} VM without room with {who} gone",
            "{count} VMs without room with {who} gone",
            binding.stranded,
            who=who,
        )
    what, who = _whose(binding, scenario, name)
    if binding.mode == NORMAL and binding.lost is None:
        return say("{what} of {who}", what=what, who=who)
    return say("{what} with {who} gone", what=what, who=who)


def _whose(binding: Binding, scenario: Scenario, name: Callable[[str], str]) -> tuple[str, str]:
    """What decides, and of whom it is or who is gone."""
    what, who = name(binding.resource), name_of(scenario, binding.subject)
    if binding.own:
        return say("{what} of {who}", what=what, who=name_of(scenario, binding.vm)), who
    if binding.lost is not None:
        loss, id = binding.lost
        return say("{what} of {who}", what=what, who=who), gone_text(loss, name_of(scenario, id))
    return what, who


def _binding(binding: Binding, scenario: Scenario, *, brief: bool) -> str:
    where = where_text(binding, scenario, brief_of if brief else title_of)
    if binding.rule or binding.stranded:
        return where
    return _until(where, distance_pct(binding))


# --- what mends it -----------------------------------------------------------------------------


def fix_text(fix: Fix, *, brief: bool = False) -> Text:
    """``+8 GiB RAM in esx1 → fits``; where more is wrong, what comes next."""
    binding, text = fix.prediction.binding, fix.change.text
    if fix.verdict <= Verdict.NOT_KNOWN or binding is None:
        return say("{change} → {verdict}", change=text, verdict=fix.prediction.shown.words)
    what, who = _whose(binding, fix.change.scenario, brief_of if brief else title_of)
    if binding.rule:
        return say("{change} → then {who} can’t be powered on", change=text, who=who)
    if binding.stranded:
        return say("{change} → then VMs without room, {who} gone", change=text, who=who)
    if binding.mode == NORMAL:
        return say("{change} → then {what} of {who}", change=text, what=what, who=who)
    return say("{change} → then {what} without {who}", change=text, what=what, who=who)


def fixes_tip(fixes: Fixes) -> Text:
    """What was tried, in which order, and the other ways that were found."""
    from models.single_changes.fixes import ORDER_WORDS

    lines = [
        say("Cheapest single change of {tried} that were tried on the model.", tried=fixes.tried)
    ]
    others = [fix_text(fix) for fix in fixes.found[1:4]]
    if others:
        lines += [say("Also:"), *(joined("", ("· ", other)) for other in others)]
    return joined("\n", [*lines, ORDER_WORDS, say("A click makes the change; undo takes it back.")])


def nothing_text(prediction: Prediction, *, brief: bool = False) -> str:
    """What to say where no single change helps: what the finding that decides asks for."""
    error = next((f for f in prediction.findings if f.severity is Severity.ERROR), None)
    if error is not None:
        return error.fix
    return NO_SINGLE_FIX if brief else NOTHING_FIXES
