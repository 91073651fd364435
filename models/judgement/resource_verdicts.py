"""What is known of each resource, what isn't, and the verdict on each: by scenario and by item."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from models.base.quantities import BoolArray
from models.base.record import record
from models.base.texts import Text, joined, say, say_many
from models.judgement.against_limits import Judged
from models.judgement.judging_inputs import Evaluated
from models.judgement.platform_limits import Tripped
from models.judgement.resources import Resources
from models.physics.columns import some
from models.physics.sametime import known_feasible
from models.predict.predicted import RESOURCES
from models.predict.prediction import NOT_ASKED, ByResource, Outage, Verdict
from models.scenario.scenario import Loss, Pool, Vm
from models.scenario.wording import counted, listed, number


@record
class Lack:
    """A resource that a verdict needs and that has no data, in words, and of how many.

    `whose`: tells which they are; two of the same VMs are said together. `unlisted`: they are VMs
    that no list has; `name`: of the one, if it is to be named.
    """

    what: str
    count: int
    whose: bytes
    of_pools: bool = False
    unlisted: bool = False
    name: str = ""

    @property
    def who(self) -> str:
        """``571 VMs``."""
        if self.name:
            return self.name
        if self.unlisted:
            return say_many(
                "{count} VM that isn’t listed", "{count} VMs that aren’t listed", self.count
            )
        return counted(Pool if self.of_pools else Vm, self.count)


def not_known(lacking: Sequence[Lack]) -> Text:
    """``CPU and I/O not known for 1 VM, space not known for 2 pools``."""
    said = [
        say("{what} not known for {who}", what=listed([e.what for e in same]), who=same[0].who)
        for same in _together(lacking)
    ]
    return joined(", ", said)


def _together(lacking: Sequence[Lack]) -> Collection[list[Lack]]:
    """Those of the same VMs or pools."""
    found: dict[tuple[bytes, bool, bool], list[Lack]] = {}
    for each in lacking:
        found.setdefault((each.whose, each.of_pools, each.unlisted), []).append(each)
    return found.values()


def of_whom(lacking: Sequence[Lack]) -> Text:
    """``CPU and I/O of 2 VMs, response time of 4 VMs``."""
    said = [
        say("{what} of {who}", what=listed([each.what for each in same]), who=same[0].who)
        for same in _together(lacking)
    ]
    return joined(", ", said)


_LOST = {
    Loss.HOST: say("loss of a host with its drives"),
    Loss.CONTROLLER: say("loss of a controller"),
    Loss.PARTNER: say("loss of a cluster partner"),
    Loss.GROUP: say("loss of a group"),
}
"""Losses that are to be survived and that nothing is known of."""

Codes = npt.NDArray[np.int8]


def lacks(e: Evaluated) -> tuple[Lack, ...]:
    """All of them; disks whose limit has no data as of pools, those of unknown load as of VMs."""
    busy = np.isnan(e.pools.utilisation_pct.value) & ~np.isnan(e.pools.iops.value)
    silent = e.vms_without_response
    found = (
        ("cpu", e.vms_without_cpu, False),
        ("iops", e.vms_without_io, False),
        ("iops", e.pools_without_io & busy & ~e.pools_not_listed, True),
        ("space", e.pools_without_space & ~e.pools_not_listed, True),
        ("response", silent, False),
    )
    known = tuple(
        Lack(RESOURCES[resource], int(np.count_nonzero(which)), which.tobytes(), of_pools)
        for resource, which, of_pools in found
        if some(which)
    )
    return (*known, *_of_unlisted(e))


def lacks_of(outages: Sequence[Outage], name_of: Callable[[str], str]) -> tuple[Lack, ...]:
    """Losses that are to be survived and that nothing is known of."""
    return tuple(
        Lack(
            _LOST[each.loss],
            each.of,
            each.mode.encode(),
            of_pools=True,
            name=name_of(each.subject) if each.of == 1 else "",
        )
        for each in outages
        if each.unknown
    )


def _of_unlisted(e: Evaluated) -> Iterator[Lack]:
    """What VMs take that no list has."""
    if e.hosts_not_listed is None:
        return
    count, whose = int(e.inputs.arrays.hosts.unlisted.sum()), e.hosts_not_listed.tobytes()
    of_pools = ("iops", "space") if some(e.pools_not_listed) else ()
    for resource in ("cpu", "ram", *of_pools):
        yield Lack(RESOURCES[resource], count, whose, unlisted=True)


def within_design(e: Evaluated) -> str:
    """Which Sametime servers are within what is known to have worked, as a clause; empty for none.

    Their CPU has no data all the same: the target of that benchmark was published, no figure.
    """
    vouched = known_feasible(e.inputs) & e.inputs.arrays.vms.running
    count = int(np.count_nonzero(vouched))
    if not count:
        return ""
    point = e.inputs.calibration.constants.sametime751
    return say_many(
        "{count} Sametime server is within the published design of {users} chat users on "
        "{servers} community servers and {multiplexers} multiplexers",
        "{count} Sametime servers are within the published design of {users} chat users on "
        "{servers} community servers and {multiplexers} multiplexers",
        count,
        users=number(point.users.value),
        servers=number(point.community_servers.value),
        multiplexers=number(point.multiplexers.value),
    )


def by_resource(
    e: Evaluated,
    judged: Resources,
    hosts: BoolArray,
    tripped: Sequence[Tripped],
    outages: Sequence[Outage] = (),
) -> dict[str, Verdict | None]:
    """The verdict on each resource of a scenario, losses that are to be survived included; None
    where nothing asks for it: no VM runs, none has a pool, no mail users, no figure of network.

    Args:
        judged: with the failing modes that decide; `hosts`: whose loss does, (h,).
        tripped: what VMs, hosts and pools trip that weighs.
    """
    vms = e.inputs.arrays.vms
    several = e.several if e.several is not None and some(hosts) else None
    failing = [*judged.failing, *(several.judged if several is not None else ())]

    def worst(*fields: str, normal: Sequence[Judged]) -> Verdict:
        of = (*normal, *(each for each in failing if each.resource in fields))
        codes = [each.rank[0] for each in of if each.greatest_load is not None]
        codes += [int(Verdict.NOT_KNOWN) for each in of if each.lacks]
        return Verdict(max(codes, default=0))

    cpu = worst("cpu_pct", normal=(judged.vm_cpu, judged.host_cpu))
    if some(e.hosts_at_risk & (e.hosts_unseen | hosts)):
        cpu = max(cpu, Verdict.AT_RISK)
    disks = worst(normal=(judged.disks,))
    if some(e.vms_without_io):
        disks = max(disks, Verdict.NOT_KNOWN)
    ram = worst("ram_pct", normal=(judged.host_ram,))
    busy = e.inputs.arrays.vms_by_host.counts > 0
    runs = some(vms.running) or e.hosts_not_listed is not None
    found = {
        "cpu": (runs, cpu),
        "ram": (runs, ram),
        "iops": (some(vms.on_pool), disks),
        "space": (some(vms.pool >= 0), worst(normal=(judged.space,))),
        "network": (some(busy & ~np.isnan(judged.net.value)), worst(normal=(judged.net,))),
        "response": (
            some(vms.serving_users),
            worst("response_ms", normal=(judged.response,)),
        ),
    }
    verdicts = {name: verdict if asked else None for name, (asked, verdict) in found.items()}
    for weight in (each.weight for each in tripped):
        for name in weight.resources:
            verdicts[name] = max(verdicts[name] or Verdict.FITS, weight.at_least)
    for each in outages:
        code = Verdict.NOT_KNOWN if each.unknown else Verdict.AT_RISK
        for name in each.resources:
            verdicts[name] = max(verdicts[name] or Verdict.FITS, code)
    return verdicts


def of_vms(e: Evaluated, judged: Resources) -> ByResource:
    """The verdicts on CPU, disks and response of each VM."""
    vms = e.inputs.arrays.vms
    io = np.where(e.vms_without_io, int(Verdict.NOT_KNOWN), int(Verdict.FITS))
    return {
        "cpu": _asked(judged.vm_cpu.verdicts, vms.running),
        "iops": _asked(io, vms.on_pool),
        "response": _asked(judged.response.verdicts, vms.serving_users),
    }


def of_hosts(e: Evaluated, judged: Resources) -> ByResource:
    """The verdicts on CPU, RAM and network of each host.

    A host on which nothing runs fits, unless VMs wait for a place: what it will carry is open then.
    Nothing is asked of one in maintenance.
    """
    found = {"cpu": _of(judged.host_cpu), "ram": _of(judged.host_ram), "network": _of(judged.net)}
    if some(e.hosts_idle):
        code = NOT_ASKED if some(e.unplaced) else int(Verdict.FITS)
        has_traffic = ~np.isnan(e.hosts.network_pct.value)
        for name, asked in (("cpu", True), ("ram", True), ("network", has_traffic)):
            found[name][e.hosts_idle & asked & (found[name] <= int(Verdict.FITS))] = code
    away = e.inputs.arrays.hosts.away
    return {name: np.where(away, np.int8(NOT_ASKED), codes) for name, codes in found.items()}


def of_pools(judged: Resources) -> ByResource:
    """The verdicts on disks and space of each pool."""
    return {"iops": _of(judged.disks), "space": _of(judged.space)}


def with_weights(found: ByResource, tripped: Sequence[Tripped]) -> ByResource:
    """Verdicts of items, no better than what they trip weighs."""
    codes = dict(found)
    for each in tripped:
        for name in each.weight.resources:
            if name in codes:
                least = np.where(each.which, np.int8(each.weight.at_least), np.int8(NOT_ASKED))
                codes[name] = np.maximum(codes[name], least)
    return codes


def worst_of(resources: ByResource) -> Codes:
    """The worst verdict on each item, `NOT_ASKED` where nothing is."""
    codes: Codes = np.maximum.reduce([*resources.values()])
    return codes


def _of(judged: Judged) -> Codes:
    lacking = False if judged.lacking is None else judged.lacking
    return _asked(judged.verdicts, ~np.isnan(judged.value) | lacking)


def _asked(codes: npt.NDArray[np.signedinteger], asked: BoolArray) -> Codes:
    return np.where(asked, codes, NOT_ASKED).astype(np.int8)
