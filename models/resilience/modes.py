"""Ways to fail: which hosts are gone, or which server or controller, in each of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import combinations

from models.base.texts import say
from models.failure.mode import NORMAL, Mode, ModeKind
from models.predict.prediction import Verdict
from models.scenario.scenario import Host, Loss, Scenario, Vm

EVERY_KIND = tuple(ModeKind)
USUAL = (
    ModeKind.NORMAL,
    ModeKind.HOST,
    ModeKind.SEVERAL,
    ModeKind.GROUP,
    ModeKind.CONTROLLER,
    ModeKind.PARTNER,
    ModeKind.FT_PRIMARY,
)
"""What a design is looked at for without being asked: everything but two hosts at a time."""


def modes_of(scenario: Scenario, which: Collection[ModeKind] = EVERY_KIND) -> tuple[Mode, ...]:
    """The modes of these kinds, kind by kind, each in the scenario's order.

    A host in maintenance is followed by the failure of each other host of its cluster: what happens
    in other clusters is a single failure.
    """
    return tuple(mode for kind, make in _MAKERS.items() if kind in which for mode in make(scenario))


def _normal(_: Scenario) -> Iterator[Mode]:
    yield NORMAL


def _there(scenario: Scenario) -> list[Host]:
    """The hosts that can be lost: those in maintenance are away already."""
    return [host for host in scenario.hosts if not host.in_maintenance]


def _single(scenario: Scenario) -> Iterator[Mode]:
    for host in _there(scenario):
        yield Mode(id=f"host {host.id}", kind=ModeKind.HOST, hosts=(host.id,), subject=host.id)


def _pairs(scenario: Scenario) -> Iterator[Mode]:
    for pair in combinations([host.id for host in _there(scenario)], 2):
        yield Mode(id=f"hosts {pair[0]}, {pair[1]}", kind=ModeKind.TWO_HOSTS, hosts=pair)


def _groups(scenario: Scenario) -> Iterator[Mode]:
    members: dict[str, list[str]] = {}
    for host in _there(scenario):
        if host.failure_group:
            members.setdefault(host.failure_group, []).append(host.id)
    for name, hosts in members.items():
        yield Mode(id=f"group {name}", kind=ModeKind.GROUP, hosts=tuple(hosts), subject=name)


def _maintenance(scenario: Scenario) -> Iterator[Mode]:
    for away in _there(scenario):
        for gone in _there(scenario):
            if away.cluster is not None and away.cluster == gone.cluster and away.id != gone.id:
                yield Mode(
                    id=f"maintenance {away.id}, host {gone.id}",
                    kind=ModeKind.MAINTENANCE,
                    hosts=(away.id, gone.id),
                    maintenance=away.id,
                    subject=gone.id,
                )


def _controllers(scenario: Scenario) -> Iterator[Mode]:
    for pool in scenario.pools:
        yield Mode(id=f"controller {pool.id}", kind=ModeKind.CONTROLLER, subject=pool.id)


def _partners(scenario: Scenario) -> Iterator[Mode]:
    for vm in scenario.vms:
        if vm.cluster_partners and _runs(vm):
            yield Mode(id=f"partner {vm.id}", kind=ModeKind.PARTNER, subject=vm.id)


def _primaries(scenario: Scenario) -> Iterator[Mode]:
    for vm in scenario.vms:
        if vm.fault_tolerance and _runs(vm) and vm.host is not None:
            yield Mode(id=f"ft {vm.id}", kind=ModeKind.FT_PRIMARY, hosts=(vm.host,), subject=vm.id)


def _runs(vm: Vm) -> bool:
    return vm.powered_on and vm.host is not None


_MAKERS: dict[ModeKind, Callable[[Scenario], Iterator[Mode]]] = {
    ModeKind.NORMAL: _normal,
    ModeKind.HOST: _single,
    ModeKind.TWO_HOSTS: _pairs,
    ModeKind.GROUP: _groups,
    ModeKind.MAINTENANCE: _maintenance,
    ModeKind.CONTROLLER: _controllers,
    ModeKind.PARTNER: _partners,
    ModeKind.FT_PRIMARY: _primaries,
}


LOSS_OF = {
    ModeKind.GROUP: Loss.GROUP,
    ModeKind.CONTROLLER: Loss.CONTROLLER,
    ModeKind.PARTNER: Loss.PARTNER,
}
"""Losses that the policy names, but for hosts: of these the cluster has a say."""


def decides(mode: Mode, scenario: Scenario) -> bool:
    """Whether the verdict of a scenario is to survive a failure: normal operation always, a loss as
    the policy and the admission control of clusters say, no rarer one."""
    policy = scenario.policy
    if mode.kind is ModeKind.NORMAL:
        return True
    if mode.kind in (ModeKind.HOST, ModeKind.SEVERAL):
        return all(_host_decides(id, scenario) for id in mode.hosts)
    return LOSS_OF.get(mode.kind) in policy.survive


def _host_decides(id: str, scenario: Scenario) -> bool:
    policy, host = scenario.policy, scenario.host(id)
    cluster = None if host.cluster is None else scenario.cluster(host.cluster)
    if cluster is None:
        return Loss.HOST in policy.survive
    return policy.survives_hosts(cluster.admission)


def beside_text(mode: Mode, scenario: Scenario, verdict: Verdict | None) -> str:
    """That a loss that the policy could name is told beside the verdict, which need not survive it;
    empty where it decides or fits."""
    if mode.kind not in (ModeKind.HOST, ModeKind.SEVERAL, *LOSS_OF):
        return ""
    if verdict is None or verdict < Verdict.AT_RISK or decides(mode, scenario):
        return ""
    return say("beside the verdict, which need not survive it")
