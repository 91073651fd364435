"""What somebody measured of servers, to hold predictions against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from models.scenario.names import How, Tie, plain, tied_names
from models.scenario.scenario import Scenario, Vm
from models.scenario.transactions import TRANSACTIONS

QUANTITIES = ("cpu_pct", "iops", "ram_gib", "response_ms", TRANSACTIONS)
"""What can be measured of a server: CPU of its vCPUs [%], host I/Os [1/s], RAM in use [GiB], mean
response [ms] and transactions of its Domino console [1/min]; names as in predictions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredServer:
    """Figures of one server in a busy hour.

    Attributes:
        server: its id in the scenario, or its name there or in the network.
        values: by the names of `QUANTITIES`.
        cores: CPU in busy cores, where it is not said of how many; else `cpu_pct` says it.
    """

    server: str
    values: Mapping[str, float] = field(default_factory=dict)
    cores: float | None = None

    def cpu_pct(self, vm: Vm) -> float | None:
        """CPU of the vCPUs of its VM [%]."""
        if self.cores is not None:
            return 100.0 * self.cores / vm.vcpus
        return self.values.get("cpu_pct")

    def value(self, quantity: str, vm: Vm) -> float | None:
        return self.cpu_pct(vm) if quantity == "cpu_pct" else self.values.get(quantity)


@dataclass(frozen=True, slots=True)
class Matched:
    """Measured servers by the VM of a scenario that they are, and those that none is.

    Attributes:
        ties: names that mean a VM of another name.
    """

    by_vm: Mapping[str, MeasuredServer]
    unknown: tuple[str, ...]
    ties: tuple[Tie, ...] = ()


def matched(
    measured: Iterable[MeasuredServer], scenario: Scenario, same: Mapping[str, str] | None = None
) -> Matched:
    """By id first, then by name as hosts and VMs are matched everywhere (`names.py`).

    Args:
        same: what somebody says: ids or names of VMs by names of servers, empty for none of them.

    >>> from tests.models.worlds import a_scenario, a_vm
    >>> there = a_scenario(vms=(a_vm("m1"),))
    >>> found = matched([MeasuredServer(server="M1.acme.example")], there)
    >>> list(found.by_vm), found.unknown
    (['m1'], ())
    """
    measured, ids = list(measured), {vm.id: vm for vm in scenario.vms}
    said = {plain(name): to for name, to in (same or {}).items()}
    called = {vm.name: vm for vm in scenario.vms}
    asked = [each.server for each in measured]
    by_name = {name: (ids[to].name if to in ids else to) for name, to in said.items()}
    ties = tied_names(asked, [vm.name for vm in scenario.vms], by_name)
    found: dict[str, MeasuredServer] = {}
    unknown: list[str] = []
    used = []
    for each in measured:
        id = said.get(plain(each.server), each.server)
        tie = ties.get(each.server)
        vm = ids.get(id) or (None if tie is None else called[tie.to])
        if vm is None or vm.id in found:
            unknown.append(each.server)
            continue
        found[vm.id] = each
        if tie is not None and tie.how is not How.NAME:
            used.append(tie)
    return Matched(found, tuple(unknown), tuple(used))
