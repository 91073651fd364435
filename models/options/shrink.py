"""The last step of a search: an option gets less of everything until a rule breaks.

What is named best at something is not left at what was looked at first: hosts, memory and drives
are taken away one after another, each time judged as a whole, and what stopped it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from models.base.texts import Text, say
from models.options.drives import fewest_of, rounded_up
from models.options.option import (
    FEWEST_HOSTS,
    MOST_HEADROOM,
    Disks,
    Holds,
    Lacking,
    Option,
    Stand,
)
from models.options.requirement import Requirement
from models.scenario.wording import number

RAM_SIZES = (64.0, 128.0, 256.0, 384.0, 512.0, 768.0, 1024.0, 1536.0, 2048.0, 3072.0, 4096.0)
"""Memory that servers are sold with [GiB]."""

SETTLED = say("settled by the requirement")

STEPS = (64, 16, 4, 1)
"""Drives, or pairs of them, that are taken away at a time."""

NEARLY = 1e-6

Judge = Callable[[Stand, Disks], Option | Lacking]
Shape = tuple[Stand, Disks]


def shrunk(option: Option, name: str, wanted: Requirement, judge: Judge) -> Option:
    """The option with as little as carries it and keeps it best at what it is named for.

    The fewest hosts may need more memory each; otherwise nothing grows.
    """

    def better(found: Option, than: Option) -> bool:
        if name == MOST_HEADROOM:
            return found.least_headroom >= than.least_headroom - NEARLY
        if name == FEWEST_HOSTS:
            return (found.hosts, found.units) < (than.hosts, than.units)
        return found.units < than.units

    shapes = (_fewer_hosts, _less_memory, _fewer_drives)
    while True:
        start = option
        for smaller in shapes:
            option = _least(option, smaller, wanted, judge, better)
        if option is start:
            return replace(option, holds=_holds(option, wanted, judge))


def _least(
    option: Option,
    smaller: Callable[[Stand, Disks, Requirement], Iterator[Shape]],
    wanted: Requirement,
    judge: Judge,
    better: Callable[[Option, Option], bool],
) -> Option:
    """As little of one thing as carries it."""
    while True:
        for shape in smaller(option.stand, option.disks, wanted):
            found = judge(*shape)
            if isinstance(found, Option) and better(found, option):
                option = found
                break
        else:
            return option


def _fewer_hosts(stand: Stand, disks: Disks, wanted: Requirement) -> Iterator[Shape]:
    """One host less, with the same memory and then more of it."""
    if wanted.hosts is None and stand.hosts > 1:
        for ram_gib in (stand.ram_gib, *(each for each in sizes_of(stand) if each > stand.ram_gib)):
            if wanted.host_ram_gib in (None, ram_gib):
                yield replace(stand, hosts=stand.hosts - 1, ram_gib=ram_gib), disks


def _less_memory(stand: Stand, disks: Disks, wanted: Requirement) -> Iterator[Shape]:
    less = [each for each in sizes_of(stand) if each < stand.ram_gib]
    if wanted.host_ram_gib is None and less:
        yield replace(stand, ram_gib=less[-1]), disks


def _fewer_drives(stand: Stand, disks: Disks, wanted: Requirement) -> Iterator[Shape]:
    if wanted.drives is None:
        least = fewest_of(disks.storage)
        for step in STEPS:
            fewer = disks.each - rounded_up(step, disks.storage)
            if fewer >= least:
                yield stand, replace(disks, each=fewer)


def sizes_of(stand: Stand) -> Sequence[float]:
    """Memory that such a host is sold with [GiB], the least first."""
    server, hypervisor = stand.server, stand.hypervisor
    most = min(server.max_ram_gib or RAM_SIZES[-1], hypervisor.max_ram_gib_per_host or 1e9)
    return [each for each in RAM_SIZES if each <= most]


def _holds(option: Option, wanted: Requirement, judge: Judge) -> Holds:
    """What breaks with one host less, the next smaller memory, and one drive less."""
    stand, disks = option.stand, option.disks

    def why(shapes: Iterator[Shape], settled: bool, least: Text) -> Text:
        if settled:
            return SETTLED
        last = next(reversed(list(shapes)), None)
        if last is None:
            return least
        found = judge(*last)
        if isinstance(found, Lacking):
            return found.reason
        return say(
            "least headroom would be {less}\N{NARROW NO-BREAK SPACE}%, not "
            "{left}\N{NARROW NO-BREAK SPACE}%",
            less=number(found.least_headroom, 1),
            left=number(option.least_headroom, 1),
        )

    same = replace(wanted, host_ram_gib=stand.ram_gib)
    return Holds(
        hosts=why(_fewer_hosts(stand, disks, same), wanted.hosts is not None, say("one at least")),
        ram_gib=why(
            _less_memory(stand, disks, wanted),
            wanted.host_ram_gib is not None,
            say("the least that servers are sold with"),
        ),
        drives=why(
            _fewer_drives(stand, disks, wanted),
            wanted.drives is not None,
            say("the fewest that such a pool is made of"),
        ),
    )
