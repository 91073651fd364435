"""What stands beside a gauge, in words; the same words on dials, in notes and in tool tips."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

from app.language import local, tr, trn
from app.session import View
from app.widgets.dials import DialText, Reading
from app.wording import ahead_words, locale_style
from models.base.lettering import set_apart
from models.base.quantities import Basis, Quantity
from models.base.texts import opening
from models.judgement.against_limits import NORMAL
from models.judgement.binding import mode_reason, whose_words
from models.judgement.gauges import NO_MAIL_USERS, NOTHING_FAILS_OVER, REASON, Gauge, nearest_gauges
from models.predict.predicted import DIALS, FAILURE, brief_of, head_of, title_of, unit_of
from models.predict.prediction import Down, Verdict
from models.resilience import mode_words
from models.scenario import wording
from models.scenario.scenario import Scenario
from models.scenario.wording import (
    AT_MOST,
    NO_DATA_TEXT,
    THIN,
    Style,
    full_text,
    left_decimals,
    number,
    unknown_text,
    users_text,
    value_text,
)

NORMALLY = local(mode_words.NORMAL)
"""What dials speak of while no host is held down; that of failures of the worst one."""

BETWEEN = " · "
"""Stands between two changes."""


def name_of(scenario: Scenario, id: str) -> str:
    """The name people gave to an item; its id when the scenario doesn't have it."""
    return next((set_apart(item.name) for item in scenario.items() if item.id == id), id)


def reading(gauge: Gauge, before: Gauge | None = None) -> Reading:
    """What the dial draws of a gauge."""
    return Reading(
        load=gauge.load,
        low=gauge.low,
        high=gauge.high,
        before=before.load if before else None,
        verdict=gauge.verdict,
    )


def preview_text(view: View) -> str:
    """What a view shows that is not stored: ``Without esx1``, else ``Preview``."""
    if view.years and view.is_at_rest:
        return ahead_words(view.years)
    if not view.lost:
        return tr("Preview")
    return tr("Without {name}", name=view.scenario.host(view.lost).name)


def shown_when(view: View) -> str:
    """What numbers speak of that are of no loss: normal operation, also of what is being dragged,
    or what is left without a host."""
    return preview_text(view) if view.lost else NORMALLY


def readings(
    view: View, stored: Scenario, shown: Sequence[Gauge]
) -> tuple[tuple[Reading, DialText], ...]:
    """What dials draw of the numbers nearest their limits, and the words beside them; while
    something is being dragged also where the stored numbers stand, of those that are among the
    nearest then too.

    Args:
        stored: the scenario that is kept.
    """
    before: dict[tuple[str, ...], Gauge] = {}
    if view.is_preview:
        before = {_what(each): each for each in nearest_gauges(stored, view.committed)}
    style, when, found = locale_style(), shown_when(view), []
    for gauge in shown:
        was = before.get(_what(gauge))
        text = dial_text(gauge, view.scenario, was, style=style, when=when)
        found.append((reading(gauge, was), text))
    return tuple(found)


def _what(gauge: Gauge) -> tuple[str, ...]:
    """By what a number is the same one before and after a change."""
    if gauge.binding is None:
        return (gauge.field,)
    kind = gauge.binding.mode.partition(" ")[0]
    return gauge.field, kind, "own" if gauge.binding.own else ""


def dial_text(
    gauge: Gauge,
    scenario: Scenario,
    before: Gauge | None = None,
    *,
    style: Style,
    when: str = NORMALLY,
) -> DialText:
    """The words beside the dial.

    Args:
        when: what the numbers speak of, that of failures apart: ``Without esx1``.
    """
    if gauge.field == REASON:
        return _reason_text(gauge, scenario)
    gone = (gauge.subject, *gauge.others) if gauge.subject else ()
    subject = ", ".join(name_of(scenario, id) for id in gone)
    in_words = whose(gauge, scenario) or _all_of(gone, scenario)
    tip = (tooltip_text(gauge, in_words, style=style, when=when), worse_text(gauge, scenario))
    value = number_text(gauge, style=style)
    large = trn("{count} VM", "{count} VMs", gauge.stranded) if gauge.stranded else value
    if gauge.down is not None:
        large = _down_text(gauge.down)
    earlier = number_text(before, style=style) if before else value
    return DialText(
        title=_title(gauge),
        value=large.removesuffix(f"{THIN}{_head(gauge.field)}"),
        item=item_text(gauge, subject) if gauge.binding is None else whose(gauge, scenario),
        below=below_text(gauge, style=style),
        reach=reach_text(gauge, style=style),
        brief=_brief_text(gauge, style=style),
        failing=failing_text(gauge, scenario),
        warns=gauge.worse.shown.verdict if gauge.worse and gauge.worse.shown else None,
        before="" if earlier == value else tr("was {earlier}", earlier=earlier),
        tooltip="\n".join(filter(None, tip)),
        subject=gauge.subject,
    )


def _reason_text(gauge: Gauge, scenario: Scenario) -> DialText:
    """Of what is no number: the verdict, and why."""
    name = name_of(scenario, gauge.subject) if gauge.subject else ""
    reason = local(gauge.note)
    return DialText(
        title=tr("Decides"),
        value="" if gauge.stated is None else local(gauge.stated.label),
        item=reason,
        below=name,
        tooltip="\n".join(filter(None, (reason, name))),
        subject=gauge.subject,
    )


def whose(gauge: Gauge, scenario: Scenario) -> str:
    """Whose number it is and in which mode; empty of one that isn't among those that decide."""
    if gauge.binding is None:
        return ""
    return local(whose_words(gauge.binding, partial(name_of, scenario)))


def number_text(gauge: Gauge, *, style: Style) -> str:
    """The number with its unit; never the limit's own figure when the limit is passed.

    ``> 70 %`` stands for 70.3 of 70: rounding must not contradict the verdict.
    """
    if gauge.down is not None:
        return local(gauge.down.words)
    if gauge.quantity.value is None:
        return (
            tr("n/a") if gauge.note in (NOTHING_FAILS_OVER, NO_MAIL_USERS) else local(NO_DATA_TEXT)
        )
    if gauge.stranded:
        return trn("{count} VM without room", "{count} VMs without room", gauge.stranded)
    if gauge.field == FAILURE:
        left = _left_text(gauge.quantity, gauge.quantity.value, style=style)
        return f"{AT_MOST} {left}" if gauge.unknown else left
    text = local(value_text(gauge.quantity, unit_of(gauge.field), style=style))
    passed = gauge.verdict is Verdict.DOES_NOT_FIT
    return f"> {text}" if passed and text == limit_text(gauge, style=style) else text


def _down_text(down: Down) -> str:
    """``3,000 users``, of VMs without users how many these are."""
    if round(down.users) or round(down.chat):
        return local(users_text(down.people))
    return trn("{count} VM", "{count} VMs", down.vms)


def _title(gauge: Gauge) -> str:
    """Over a dial that may stand for any number a name that needs no table beside it."""
    if gauge.binding is None:
        return _head(gauge.field)
    return local(opening(brief_of(gauge.field)))


def _head(field: str) -> str:
    return local(head_of(field))


def _left_text(quantity: Quantity, left: float, *, style: Style) -> str:
    amount = f"{number(abs(left), left_decimals(left), style=style)}{THIN}%"
    return tr("{amount} left", amount=amount) if left >= 0 else tr("{amount} short", amount=amount)


def limit_text(gauge: Gauge, *, style: Style) -> str:
    if gauge.limit is None:
        return ""
    decimals = 0 if gauge.limit >= 10 or gauge.limit == int(gauge.limit) else 1
    if gauge.limit != int(gauge.limit) and gauge.limit >= 1000:
        decimals = 2 - math.floor(math.log10(gauge.limit))  # computed, not given: three digits
    return f"{number(gauge.limit, decimals, style=style)}{THIN}{unit_of(gauge.field)}".rstrip(THIN)


def item_text(gauge: Gauge, subject: str) -> str:
    """Which item the number is of; of the failure, which host is gone."""
    if not subject or (gauge.quantity.value is None and gauge.down is None):
        return ""
    return tr("without {subject}", subject=subject) if gauge.field == FAILURE else subject


def below_text(gauge: Gauge, *, style: Style) -> str:
    if gauge.note == NOTHING_FAILS_OVER:
        return tr("nothing to fail over")
    if gauge.note == NO_MAIL_USERS:
        return tr("no mail users")
    if gauge.down is not None:
        return tr("down")
    if gauge.quantity.value is None:
        return local(gauge.note) or tr("no evidence")
    if gauge.field == FAILURE:
        return tr("without room") if gauge.stranded else ""
    if gauge.limit is None:
        return tr("no limit")
    limit = limit_text(gauge, style=style).removesuffix(f"{THIN}{_head(gauge.field)}")
    return tr("limit {limit}", limit=limit)


def reach_text(gauge: Gauge, *, style: Style) -> str:
    """How far the interval goes, where that alone puts the number at risk.

    ``up to 2,700`` below ``limit 2,610``; empty where the number itself is near its limit. Of a
    failure that is worse than the number its verdict, or what it takes down; of a part how many VMs
    it leaves out.
    """
    if gauge.worse is not None and gauge.worse.shown is not None:
        words = local(gauge.worse.shown.words)
        if gauge.worse.down is not None or _is_of_others(gauge):
            return words
        return tr("failures: {verdict}", verdict=words)
    reach = gauge.high_to_judge
    if reach is None or gauge.limit is None or not gauge.may_pass:
        return local(unknown_text(gauge.unknown)) if gauge.unknown else ""
    if gauge.field == FAILURE:
        short = 100.0 * (1.0 - reach)
        return tr("may be {left}", left=_left_text(gauge.quantity, short, style=style))
    unit = "" if unit_of(gauge.field) == _head(gauge.field) else unit_of(gauge.field)
    high = wording.reach_text(reach * gauge.limit, unit, limit=gauge.limit, style=style)
    if math.isinf(reach):
        return tr("may reach {high}", high=high)
    return tr("up to {high}", high=high)


def _brief_text(gauge: Gauge, *, style: Style) -> str:
    """Of users who are down their number alone, for a dial without room for more."""
    down = gauge.worse.down if gauge.worse is not None else None
    if down is None or not (users := round(down.people.first)):
        return ""
    return tr("down: {count}", count=number(users, style=style))


def failing_text(gauge: Gauge, scenario: Scenario) -> str:
    """The hosts gone in the failure that is worse than the number; empty where these are the same
    as the number's own."""
    if not _is_of_others(gauge):
        return ""
    return ", ".join(name_of(scenario, id) for id in _worse_hosts(gauge))


def _is_of_others(gauge: Gauge) -> bool:
    """Whether the failure that is worse than the number is of other hosts."""
    gone = _worse_hosts(gauge)
    return bool(gone) and gone != (gauge.subject, *gauge.others)


def _worse_hosts(gauge: Gauge) -> tuple[str, ...]:
    """The hosts gone in the failure that is worse than the number; none where none is."""
    mode = gauge.worse
    if mode is None or mode.shown is None:
        return ()
    return mode.mode.hosts


def tooltip_text(gauge: Gauge, subject: str, *, style: Style, when: str) -> str:
    """What it is the worst of, interval, basis and evidence, a line each."""
    head = tr("Worst failover") if gauge.field == FAILURE else when
    if gauge.binding is not None:
        head = when if gauge.binding.mode == NORMAL else tr("After a loss to be survived")
    dial = DIALS.get(gauge.field)
    lines = [f"{head}: {local(title_of(gauge.field) if dial is None else dial.explained)}"]
    if gauge.quantity.value is None:
        lines.append(local(gauge.note) or tr("no data: there is no evidence for this number"))
        return "\n".join(lines)
    unit = unit_of(gauge.field)
    if subject and gauge.field == FAILURE and gauge.others:
        lines.append(tr("worst when {subject} fail", subject=subject))
    elif subject and gauge.field == FAILURE:
        lines.append(tr("worst when {subject} fails", subject=subject))
    elif subject:
        lines.append(tr("worst: {subject}", subject=subject))
    if gauge.stranded:
        return "\n".join([*lines, number_text(gauge, style=style)])
    shown, quantity = full_text(gauge.quantity, unit, style=style), gauge.quantity
    is_exact = quantity.is_exact
    lines.append(local(shown) if is_exact else tr("{quantity}, 90\u202f% interval", quantity=shown))
    if gauge.field != FAILURE and gauge.limit is not None:
        lines.append(tr("limit {gauge}", gauge=limit_text(gauge, style=style)))
    if gauge.note and gauge.field != FAILURE:
        lines.append(local(gauge.note))
    return "\n".join(lines + evidence_lines(gauge.quantity))


def worse_text(gauge: Gauge, scenario: Scenario) -> str:
    """The failure that is worse than the number, and for what: ``without x366: down: 3,000
    users``."""
    mode = gauge.worse
    if mode is None or mode.shown is None:
        return ""
    gone = _all_of(_worse_hosts(gauge), scenario)
    reason = mode_reason(scenario.policy, mode)
    parts = (tr("without {subject}", subject=gone), local(mode.shown.words), local(reason))
    return ": ".join(filter(None, parts))


def _all_of(ids: Sequence[str], scenario: Scenario) -> str:
    """``esx1, esx2 and esx3``."""
    *first, last = (name_of(scenario, id) for id in ids or ("",))
    return tr("{first} and {last}", first=", ".join(first), last=last) if first else last


def evidence_lines(quantity: Quantity, most: int = 6) -> list[str]:
    """The evidence, a line each; of many the first ones and how many more there are."""
    if quantity.basis is Basis.NO_DATA or not quantity.evidence:
        return []
    shown = [f"· {id}" for id in quantity.evidence[:most]]
    more = len(quantity.evidence) - len(shown)
    return [tr("evidence:"), *shown, *([tr("· and {more} more", more=more)] if more > 0 else [])]


def changes_text(before: Mapping[str, Gauge], after: Mapping[str, Gauge], *, style: Style) -> str:
    """Which of the numbers differ as shown, the worst first: ``CPU 46 → 51 %``.

    Empty when none does.
    """
    changes = []
    for field, gauge in sorted(after.items(), key=_badness, reverse=True):
        earlier, now = number_text(before[field], style=style), number_text(gauge, style=style)
        if earlier != now:
            changes.append(f"{_head(field)} {_change(earlier, now, _head(field))}")
    return BETWEEN.join(changes)


def fewer_changes(changes: str) -> tuple[str, ...]:
    """The same with ever fewer of them, the others counted.

    >>> fewer_changes("CPU 46 → 51 % · RAM 20 → 39 % · Response 98 → 99 ms")
    ('CPU 46 → 51 % · RAM 20 → 39 % · +1', 'CPU 46 → 51 % · +2')
    """
    parts = changes.split(BETWEEN)
    fewer = range(len(parts) - 1, 0, -1)
    return tuple(BETWEEN.join((*parts[:n], f"+{len(parts) - n}")) for n in fewer)


def _change(earlier: str, now: str, title: str) -> str:
    """``29 → 40 %``: a unit that both have is said once, and not at all where it is the title."""
    first, _, unit = earlier.rpartition(THIN)
    second, _, other = now.rpartition(THIN)
    if not first or unit != other:
        return f"{earlier} → {now}"
    return f"{first} → {second if unit == title else now}"


def _badness(item: tuple[str, Gauge]) -> tuple[int, float]:
    """Verdict first, then how near the limit is; no data comes last."""
    gauge = item[1]
    return (-1 if gauge.verdict is None else gauge.verdict.value, gauge.load or 0.0)
