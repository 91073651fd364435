"""Hosts as terms: what their VMs add up to, through the formulas of `models/physics/hosts.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from models.base.quantities import BoolArray, FloatArray
from models.base.texts import joined, say
from models.explain.rows import Row
from models.explain.workings import Workings
from models.formulas.terms import (
    HUNDRED,
    FromInput,
    Predicted,
    Term,
    leaf,
    number,
    product,
    quotient,
    total,
)
from models.formulas.traced import entitled, term_of, traced
from models.physics import hosts
from models.physics.cpu import CORES
from models.physics.inputs_of_formulas import pct_of_vcpus
from models.predict.predicted import unit_of
from models.scenario.scenario import Host, Vm


def row_of_host(w: Workings, host: Host) -> Any:
    """The host as `HostArrays` has it, with where its figures come from."""
    columns, row = w.arrays.hosts, w.host_rows[host.id]

    def of_server(field: str, label: str, unit: str = "") -> Term:
        value = float(getattr(w.server_of(host), field) or 0.0)
        return w.catalog_field("servers", host.server, field, label, value, unit)

    def port(field: str, label: str, unit: str = "") -> Term:
        own = getattr(host, field) is not None
        return w.host_field(host, field) if own else of_server(field, label, unit)

    def console() -> Term:
        value, label = float(columns.console_gib[row]), say("service console")
        of = ("hypervisors", host.hypervisor, "console_gib")
        return w.catalog_field(*of, label, value, "GiB")

    def ports() -> Term:
        ports = port("nics", say("network ports"))
        gbps = port("nic_gbps", say("speed of a port"), "Gb/s")
        return term_of(hosts.ports_mbps(traced(ports), traced(gbps)))

    leaves: dict[str, Callable[[], Term]] = {
        "cores": lambda: of_server("cores", say("cores"), CORES),
        "ram_gib": lambda: w.host_field(host, "ram_gib"),
        "console_gib": console,
        "nic_mbps": ports,
    }
    return Row(columns, row, leaves)


def cpu_pct(w: Workings, host: Host) -> Term:
    """Busy cores of its VMs over its cores."""
    known, blank = _by_data(w, host, w.normal.vm.cores.known)
    parts = [_busy(w, vm, name) for vm, name in known]
    busy = total(say("busy cores"), *parts, unit=CORES, note=without(blank))
    name = say("CPU of {name}", name=host.name)
    return entitled(name, hosts.cpu_pct(traced(busy), row_of_host(w, host).cores), "%")


def ram_pct(w: Workings, host: Host) -> Term:
    """Memory of its VMs and of the console over what is installed."""
    row, gib = row_of_host(w, host), w.normal.vm.ram_gib
    parts = [_predicted(w, vm, name, "ram_gib", gib) for vm, name in vms_on(w, host)]
    # The console alone is no sum.
    guests = total("", *parts) if parts or not float(row.console_gib) else number(0.0)
    name = say("RAM of {name}", name=host.name)
    return entitled(
        name, hosts.ram_pct(hosts.in_use_gib(traced(guests), row.console_gib), row.ram_gib), "%"
    )


def network_pct(w: Workings, host: Host) -> Term:
    """Load of its VMs over its ports."""
    traffic = w.normal.vm.network
    known, blank = _by_data(w, host, traffic.known, secondaries=False)
    parts = [_predicted(w, vm, name, "network_mbps", traffic.value) for vm, name in known]
    load = total(say("network load"), *parts, unit="Mb/s", note=without(blank))
    name = say("network of {name}", name=host.name)
    return entitled(name, hosts.network_pct(traced(load), row_of_host(w, host).nic_mbps), "%")


def vcpus_per_core(w: Workings, host: Host) -> Term:
    """vCPUs of the VMs that run there, secondaries among them, over its cores."""
    found = hosts.vcpus_per_core(traced(vcpus(w, host)), row_of_host(w, host).cores)
    return entitled(say("vCPUs per core of {name}", name=host.name), found, "")


def vcpus(w: Workings, host: Host) -> Term:
    """vCPUs of the VMs that run there, secondaries among them."""
    unit = say("vCPUs")
    parts = [
        leaf(name, vm.vcpus, unit, source=FromInput(Vm, vm.id, "vcpus"))
        for vm, name in vms_on(w, host)
    ]
    return total(say("vCPUs"), *parts, unit=unit)


def vms_on(w: Workings, host: Host) -> Iterator[tuple[Vm, str]]:
    """The VMs that run there, Fault Tolerance secondaries among them, with what to call them."""
    secondary, row = w.normal.host.secondary, w.host_rows[host.id]
    for position, vm in enumerate(w.scenario.vms):
        if vm.host == host.id and vm.powered_on:
            yield vm, vm.name
        if secondary[position] == row:
            yield vm, say("{name}, FT secondary", name=vm.name)


def is_known(w: Workings, host: Host) -> bool:
    """Whether anything is known of its CPU, or nothing runs there."""
    known, blank = _by_data(w, host, w.normal.vm.cores.known)
    return bool(known) or not blank


def _by_data(
    w: Workings, host: Host, known: BoolArray, *, secondaries: bool = True
) -> tuple[list[tuple[Vm, str]], list[str]]:
    """The VMs there with data, and what those without are called."""
    there = [(vm, name) for vm, name in vms_on(w, host) if secondaries or name == vm.name]
    with_data = [(vm, name) for vm, name in there if known[w.vm_rows[vm.id]]]
    return with_data, [name for vm, name in there if not known[w.vm_rows[vm.id]]]


def without(names: list[str]) -> str:
    """That these have no data and are left out of a sum; nothing of none."""
    return say("without {names}: no data", names=joined(", ", names)) if names else ""


def _predicted(w: Workings, vm: Vm, label: str, field: str, values: FloatArray) -> Term:
    """What is predicted of a VM."""
    source = Predicted("vms", vm.id, field)
    return leaf(label, float(values[w.vm_rows[vm.id]]), unit_of(field), source=source)


def _busy(w: Workings, vm: Vm, label: str) -> Term:
    """Cores that a VM keeps busy, from its CPU and its vCPUs."""
    row = w.vm_rows[vm.id]
    value = float(pct_of_vcpus(w.normal.vm.cores.value[row], w.arrays.vms.vcpus[row]))
    pct = leaf(
        say("CPU of {name}", name=vm.name), value, "%", source=Predicted("vms", vm.id, "cpu_pct")
    )
    share = quotient(say("share of its vCPUs"), pct, HUNDRED)
    return product(label, share, w.vm_field(vm, "vcpus"), unit=CORES)
