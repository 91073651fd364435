"""The last step of a search: an option gets less of everything until a rule breaks.

What is named best at something is not left at what was looked at first: hosts, memory and drives
are taken away one after another, each time judged as a whole, and what stopped it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from models.base.texts import Text, say, say_many
from models.options.drives import fewest_of, rounded_up
from models.options.judging import lacks
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
from models.prices.lasting import with_host
from models.scenario.scenario import Scenario
from models.scenario.wording import exact_text, number, with_unit

RAM_SIZES = (64.0, 128.0, 256.0, 384.0, 512.0, 768.0, 1024.0, 1536.0, 2048.0, 3072.0, 4096.0)
"""Memory that servers are sold with [GiB]."""

SETTLED = say("settled by the requirement")

NEARLY = 1e-6

Shape = tuple[Stand, Disks]


@dataclass(frozen=True, slots=True)
class Trial:
    """How less of something is judged as a whole, and what it would be ranked by."""

    judge: Callable[[Stand, Disks], Option | Lacking]
    order: Callable[[Stand, Disks], float]


def shrunk(option: Option, name: str, wanted: Requirement, trial: Trial) -> Option:
    """The option with as little as carries it and keeps it best at what it is named for.

    The fewest hosts may need more memory each; otherwise nothing grows.
    """
    steps = (_fewer_hosts, _less_memory, _fewer_drives)
    while True:
        start = option
        for smaller in steps:
            option = smaller(option, name, wanted, trial)
        if option is start:
            return replace(option, holds=_holds(option, wanted, trial))


def _may_be_better(shape: Shape, than: Option, name: str, trial: Trial) -> bool:
    """Whether it is worth judging: less of what it is named for, or as cheap as that needs."""
    stand, _ = shape
    if name == FEWEST_HOSTS and stand.hosts < than.hosts:
        return True
    return trial.order(*shape) < than.order


def _judged(
    shape: Shape, than: Option, name: str, wanted: Requirement, trial: Trial
) -> Option | Lacking | None:
    """What comes of less; None where it holds and is no better."""
    if not _may_be_better(shape, than, name, trial):
        return None
    found = trial.judge(*shape)
    if isinstance(found, Lacking) or name != MOST_HEADROOM:
        return found
    return found if found.least_headroom >= than.least_headroom - NEARLY else None


def _fewer_hosts(option: Option, name: str, wanted: Requirement, trial: Trial) -> Option:
    """One host less again and again, with the same memory or more of it."""
    while (shape := _host_less(option, wanted)) is not None:
        stand, disks = shape
        is_open = wanted.host_ram_gib is None and stand.hosts > wanted.host_failures
        sizes = [each for each in sizes_of(stand) if each > stand.ram_gib and is_open]
        fewer = None
        for ram_gib in (stand.ram_gib, *sizes):
            other = replace(stand, ram_gib=ram_gib), disks
            found = _judged(other, option, name, wanted, trial)
            if isinstance(found, Option):
                fewer = found
                break
            if isinstance(found, Lacking) and not lacks(found.end, "ram"):
                break
        if fewer is None:
            return option
        option = fewer
    return option


def _less_memory(option: Option, name: str, wanted: Requirement, trial: Trial) -> Option:
    while (shape := _memory_less(option, wanted)) is not None:
        found = _judged(shape, option, name, wanted, trial)
        if not isinstance(found, Option):
            return option
        option = found
    return option


def _fewer_drives(option: Option, name: str, wanted: Requirement, trial: Trial) -> Option:
    """One drive less; where that does, half of the rest, and so on."""
    shape = _drive_less(option, wanted)
    step = rounded_up(1, option.storage)
    few = fewest_of(option.storage) - step
    while shape is not None and shape[1].each > few:
        found = _judged(shape, option, name, wanted, trial)
        if isinstance(found, Option):
            option = found
        else:
            few = shape[1].each
        middle = few + (option.disks.each - few) // (2 * step) * step
        shape = option.stand, replace(option.disks, each=middle)
    return option


def _host_less(option: Option, wanted: Requirement) -> Shape | None:
    stand, disks = option.stand, option.disks
    if wanted.hosts is not None or stand.hosts == 1:
        return None
    return replace(stand, hosts=stand.hosts - 1), disks


def _memory_less(option: Option, wanted: Requirement) -> Shape | None:
    stand, disks = option.stand, option.disks
    less = [each for each in sizes_of(stand) if each < stand.ram_gib]
    if wanted.host_ram_gib is not None or not less:
        return None
    return replace(stand, ram_gib=less[-1]), disks


def _drive_less(option: Option, wanted: Requirement) -> Shape | None:
    stand, disks = option.stand, option.disks
    fewer = disks.each - rounded_up(1, disks.storage)
    if wanted.drives is not None or fewer < fewest_of(disks.storage):
        return None
    return stand, replace(disks, each=fewer)


def sizes_of(stand: Stand) -> Sequence[float]:
    """Memory that such a host is sold with [GiB], the least first."""
    server, hypervisor = stand.server, stand.hypervisor
    most = min(server.max_ram_gib or RAM_SIZES[-1], hypervisor.max_ram_gib_per_host or 1e9)
    return [each for each in RAM_SIZES if each <= most]


def wider(option: Option) -> Iterator[tuple[Text, Scenario]]:
    """The same design with the next step of each of what it takes: a host, memory, drives."""
    scenario, stand, storage = option.scenario, option.stand, option.storage
    if (more := with_host(scenario)) is not None:
        yield say("one host more"), more
    sizes = [each for each in sizes_of(stand) if each > stand.ram_gib]
    if sizes:
        hosts = tuple(replace(host, ram_gib=sizes[0]) for host in scenario.hosts)
        size = with_unit(exact_text(sizes[0]), "GiB")
        yield say("{ram} in each host", ram=size), replace(scenario, hosts=hosts)
    if scenario.pools:
        step = rounded_up(1, storage)
        first, *others = scenario.pools
        pools = (replace(first, spindles=first.spindles + step), *others)
        told = say_many("{count} drive more", "{count} drives more", step)
        yield told, replace(scenario, pools=pools)


def _holds(option: Option, wanted: Requirement, trial: Trial) -> Holds:
    """What breaks with one host less, the next smaller memory, and one drive less."""

    def why(shape: Shape | None, settled: bool, least: Text) -> Text:
        if settled:
            return SETTLED
        if shape is None:
            return least
        found = trial.judge(*shape)
        if isinstance(found, Lacking):
            return found.reason
        less, left = number(found.least_headroom, 1), number(option.least_headroom, 1)
        if less == left:
            return say("least headroom would stay {left}\N{NARROW NO-BREAK SPACE}%", left=left)
        return say(
            "least headroom would be {less}\N{NARROW NO-BREAK SPACE}%, not "
            "{left}\N{NARROW NO-BREAK SPACE}%",
            less=less,
            left=left,
        )

    return Holds(
        hosts=why(_host_less(option, wanted), wanted.hosts is not None, say("one at least")),
        ram_gib=why(
            _memory_less(option, wanted),
            wanted.host_ram_gib is not None,
            say("the least that servers are sold with"),
        ),
        drives=why(
            _drive_less(option, wanted),
            wanted.drives is not None,
            say("the fewest that such a pool is made of"),
        ),
    )
