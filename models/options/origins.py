"""Who gave what stands in an option: the requirement, or the search that chose the rest."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar

from models.base.fields import value_at
from models.options.requirement import Requirement
from models.scenario.inputs import applies, given_by_hand, input_paths, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import PRODUCTION, Cluster, Host, Pool, Scenario, Vm

ItemT = TypeVar("ItemT", Cluster, Host, Pool, Vm)

_WORK = frozenset(path for path in input_paths(Vm) if path.startswith("workload."))


def with_origins(scenario: Scenario, asked: Requirement) -> Scenario:
    """A design with the origin of each input: what the requirement says is whose it was there, what
    it leaves open was chosen by the program.

    Args:
        asked: the requirement as it was given, before the search added to it.
    """
    hosts, pools = _settled_of_hosts(asked), _settled_of_pools(asked)
    return replace(
        _with_policy(scenario, asked),
        clusters=tuple(_of_cluster(each, asked) for each in scenario.clusters),
        hosts=tuple(_chosen(each, hosts) for each in scenario.hosts),
        pools=tuple(_chosen(each, pools) for each in scenario.pools),
        vms=_of_vms(scenario, asked),
    )


def _chosen(item: ItemT, settled: Collection[str]) -> ItemT:
    """The item with everything marked as chosen that is neither `settled` nor a default."""
    paths = [path for path in given_by_hand(item) if path not in settled]
    return with_origin(item, Origin.AUTO, *paths) if paths else item


def _settled_of_hosts(asked: Requirement) -> set[str]:
    settled = {
        "server": _is_one(asked.servers),
        "hypervisor": asked.hypervisor is not None,
        "ram_gib": asked.host_ram_gib is not None,
    }
    return {path for path, is_said in settled.items() if is_said}


def _settled_of_pools(asked: Requirement) -> set[str]:
    settled = {
        "array": _is_one(asked.arrays),
        "disk": _is_one(asked.disks),
        "raid": _is_one(asked.raids),
        "spindles": asked.drives is not None,
    }
    return {path for path, is_said in settled.items() if is_said}


def _is_one(ids: tuple[str, ...] | None) -> bool:
    """Whether nothing was left to choose."""
    return ids is not None and len(ids) == 1


def _of_cluster(cluster: Cluster, asked: Requirement) -> Cluster:
    """How many hosts may fail, and how room is kept for them, is the requirement's or the usual."""
    usual = {
        "admission.policy": asked.admission is None,
        "admission.host_failures": asked.host_failures == Requirement().host_failures,
    }
    for path, is_usual in usual.items():
        cluster = with_origin(cluster, Origin.DEFAULT if is_usual else Origin.MANUAL, path)
    return _chosen(cluster, usual)


def _of_vms(scenario: Scenario, asked: Requirement) -> tuple[Vm, ...]:
    """VMs taken as they are keep their origins but for where they stand now, and for memory that
    the program advises to add."""
    taken = {vm.id: vm for vm in asked.vms}
    kinds = {load.work.kind for load in asked.loads}
    sizes = {
        (load.work.kind, path, value_at(load, path))
        for load in asked.loads
        for path in ("vcpus", "ram_gib")
    }

    def marked(vm: Vm) -> Vm:
        if (own := taken.get(vm.id)) is not None:
            changed = "ram_gib", "log_pool", "disk_mode"
            moved = [path for path in changed if value_at(own, path) != value_at(vm, path)]
            return with_origin(vm, Origin.AUTO, "host", "pool", *moved)
        kind = vm.workload.kind
        sized = {p for p in ("vcpus", "ram_gib") if (kind, p, value_at(vm, p)) in sizes}
        return _chosen(vm, sized | (_WORK if kind in kinds else set()))

    return tuple(map(marked, scenario.vms))


def _with_policy(scenario: Scenario, asked: Requirement) -> Scenario:
    """The policy is the board's, the requirement's own, or its default."""
    if asked.board is not None:
        kept = tuple(
            (path, origin)
            for path, origin in asked.board.origins
            if value_at(asked.board, path) == value_at(scenario, path)
        )
        return replace(scenario, origins=kept)
    usual = Scenario(name="", policy=PRODUCTION)
    unsaid = [
        path
        for path in given_by_hand(scenario)
        if path.startswith("policy.")
        and applies(scenario, path)
        and value_at(scenario, path) == value_at(usual, path)
    ]
    return with_origin(scenario, Origin.DEFAULT, *unsaid) if unsaid else scenario
