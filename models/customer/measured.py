"""What somebody measured of servers, to hold predictions against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from models.scenario import Scenario, Vm
from models.transactions import TRANSACTIONS

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
    """Measured servers by the VM of a scenario that they are, and those that none is."""

    by_vm: Mapping[str, MeasuredServer]
    unknown: tuple[str, ...]


def matched(measured: Iterable[MeasuredServer], scenario: Scenario) -> Matched:
    """By id first, then by name, then by the first part of a name, letters' case aside; what two
    VMs could be is nobody's.

    >>> from tests.models.worlds import a_scenario, a_vm
    >>> there = a_scenario(vms=(a_vm("m1"),))
    >>> found = matched([MeasuredServer(server="M1.acme.example")], there)
    >>> list(found.by_vm), found.unknown
    (['m1'], ())
    """
    ways = [_index(scenario.vms, key) for key in (lambda v: v.id, lambda v: v.name.casefold())]
    ways.append(_index(scenario.vms, lambda v: short_name(v.name)))
    found: dict[str, MeasuredServer] = {}
    unknown: list[str] = []
    for each in measured:
        keys = (each.server, each.server.casefold(), short_name(each.server))
        vms = (way.get(key) for way, key in zip(ways, keys, strict=True))
        vm = next((one for one in vms if one is not None), None)
        if vm is None or vm.id in found:
            unknown.append(each.server)
        else:
            found[vm.id] = each
    return Matched(found, tuple(unknown))


def short_name(name: str) -> str:
    """The first part of a name in the network or of a Domino server, in small letters.

    >>> short_name("CN=Mail01/O=Acme"), short_name("mail01.acme.example")
    ('mail01', 'mail01')
    """
    plain = name.strip().casefold().removeprefix("cn=")
    return plain.split("/")[0].split(".")[0].strip()


def _index(vms: Iterable[Vm], key: object) -> dict[str, Vm]:
    """The VMs by a key that only one of them has."""
    assert callable(key)
    found: dict[str, Vm | None] = {}
    for vm in vms:
        name = key(vm)
        found[name] = None if name in found else vm
    return {name: vm for name, vm in found.items() if vm is not None}
