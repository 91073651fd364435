"""Failure modes in words: what fails, what becomes of its VMs, and what is worse than the failures
that decide a verdict; for window and proposal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from models.base.texts import joined, say, say_many
from models.failure.mode import Mode, ModeKind
from models.predict.prediction import FailureMode, Shortfall, Verdict
from models.resilience.modes import decides
from models.resilience.study import FailureStudy
from models.scenario.wording import decimals_for, enough, with_unit

NORMAL = say("Normal operation")


def mode_text(mode: Mode, names: Mapping[str, str]) -> str:
    """What fails, in words: ``esx1 and esx2 fail``, ``Mail-01’s primary dies (FT)``."""
    named = [names.get(id, id) for id in mode.hosts]
    subject = names.get(mode.subject, mode.subject)
    if mode.kind in (ModeKind.TWO_HOSTS, ModeKind.SEVERAL):
        return say("{hosts} fail", hosts=joined(say(" and "), named))
    if mode.kind is ModeKind.GROUP:
        return say("Group {subject} fails", subject=subject)
    if mode.kind is ModeKind.MAINTENANCE:
        away = names.get(mode.maintenance or "", mode.maintenance or "")
        return say("{subject} fails, {away} in maintenance", subject=subject, away=away)
    return {
        ModeKind.NORMAL: NORMAL,
        ModeKind.HOST: say("{subject} fails", subject=subject),
        ModeKind.CONTROLLER: say("{subject} loses a controller", subject=subject),
        ModeKind.PARTNER: say("{subject} gone, partners serve", subject=subject),
        ModeKind.FT_PRIMARY: say("{subject}: FT primary dies", subject=subject),
    }[mode.kind]


def shortfall_text(shortfall: Shortfall) -> str:
    """What is missing, in units and enough of it: ``+514 GiB RAM, +12.0 GHz CPU``.

    I/Os in two digits: their interval allows no more.

    >>> shortfall_text(Shortfall(ram_gib=514.2, cpu_ghz=12.01)).replace("\u202f", " ")
    '+515 GiB RAM, +12.1 GHz CPU'
    >>> shortfall_text(Shortfall(iops=951.3)).replace("\u202f", " ")
    '+960 IOPS'
    """
    amounts = (
        (shortfall.ram_gib, 0, "GiB RAM"),
        (shortfall.cpu_ghz, 1, "GHz CPU"),
        (shortfall.iops, min(decimals_for(shortfall.iops, shortfall.iops), 0), "IOPS"),
    )
    return joined(
        ", ",
        [
            joined("+", ("", with_unit(enough(value, decimals), unit)))
            for value, decimals, unit in amounts
            if value > 0
        ],
    )


def missing_text(shortfall: Shortfall, stranded: Sequence[str], names: Mapping[str, str]) -> str:
    """What is missing, in units, and who finds no room.

    >>> short = Shortfall(ram_gib=514.2)
    >>> missing_text(short, ("m1",), {"m1": "Mail-01"}).replace("\u202f", " ")
    '+515 GiB RAM, Mail-01 finds no room'
    """
    parts = [shortfall_text(shortfall)]
    if len(stranded) == 1:
        parts.append(say("{name} finds no room", name=names.get(stranded[0], stranded[0])))
    elif stranded:
        count = len(stranded)
        parts.append(say_many("{count} VM finds no room", "{count} VMs find no room", count))
    return joined(", ", filter(None, parts))


def detail_lines(mode: FailureMode, names: Mapping[str, str]) -> Iterator[str]:
    """What becomes of the VMs, in the order of HA; those without a place first."""

    def named(id: str) -> str:
        return names.get(id, id)

    for lost in mode.not_restarted:
        yield say("{vm} finds no room: {reason}", vm=named(lost.vm), reason=lost.reason)
    for each in mode.taken_over:
        yield say(
            "{vm} runs on in its secondary on {host}",
            vm=named(each.vm),
            host=named(each.host),
        )
    for restart in mode.restarted:
        broken = (
            say(", against {rules}", rules=joined(", ", restart.breaks)) if restart.breaks else ""
        )
        places = {"vm": named(restart.vm), "host": named(restart.host), "against": broken}
        if restart.moved_before:
            yield say("{vm} was moved to {host}{against}", **places)
        else:
            yield say("{vm} restarts on {host}{against}", **places)
    for id in mode.stays_down:
        yield say("{vm} stays down", vm=named(id))


def worst_beyond_verdict(study: FailureStudy) -> FailureMode | None:
    """The worst failure that the verdict need not survive, where its own is worse than that of
    every one that decides; None where nothing is worse.

    Whom a host takes down with it is told by the sentence itself.
    """
    decisive = [decides(mode, study.scenario) for mode in study.modes]
    codes = study.columns.codes
    known = max((int(codes[row]) for row, is_one in enumerate(decisive) if is_one), default=0)
    row = next((row for row in study.ranked() if not decisive[row] and not _told(study, row)), None)
    shown = None if row is None else study[row].shown
    if row is None or shown is None or shown.verdict is None:
        return None
    return study[row] if shown.verdict > max(known, Verdict.FITS) else None


def _told(study: FailureStudy, row: int) -> bool:
    """Whether who is down with a host is all that there is to say of its loss."""
    down = study.modes[row].kind is ModeKind.HOST and study[row].down is not None
    return down and int(study.columns.codes[row]) <= Verdict.FITS


def beyond_verdict_text(mode: FailureMode, names: Mapping[str, str]) -> str:
    """``Besides: FAS3020 data loses a controller: does not fit``."""
    shown = mode.shown
    words = "" if shown is None else shown.words
    return say("Besides: {what}: {verdict}", what=mode_text(mode.mode, names), verdict=words)
