"""Hosts as terms: cores, memory and network in use, and vCPUs per core."""

from __future__ import annotations

from collections.abc import Iterator

from models.base.texts import joined, say
from models.explain.vm_terms import CORES
from models.explain.workings import Workings
from models.formulas.terms import (
    HUNDRED,
    FromInput,
    Predicted,
    Term,
    leaf,
    number,
    percent,
    product,
    quotient,
    total,
)
from models.scenario.scenario import Host, Vm

MBPS = number(1000.0, say("Mb in a Gb"))


def cpu_pct(w: Workings, host: Host) -> Term:
    """Busy cores of its VMs over its cores."""
    busy = total(
        say("busy cores"), *(_busy(w, vm, label) for vm, label in known_vms(w, host)), unit=CORES,
        note=unknown(w, host),
    )  # fmt: skip
    share = quotient(say("share of its cores"), busy, cores(w, host))
    return percent(say("CPU of {name}", name=host.name), share)


def cores(w: Workings, host: Host) -> Term:
    count = float(w.arrays.hosts.cores[w.host_rows[host.id]])
    return w.catalog_field("servers", host.server, "cores", say("cores"), count, CORES)


def vms_on(w: Workings, host: Host) -> Iterator[tuple[Vm, str]]:
    """The VMs that run there, Fault Tolerance secondaries among them, with what to call them."""
    secondary, row = w.normal.host.secondary, w.host_rows[host.id]
    for position, vm in enumerate(w.scenario.vms):
        if vm.host == host.id and vm.powered_on:
            yield vm, vm.name
        if secondary[position] == row:
            yield vm, say("{name}, FT secondary", name=vm.name)


def known_vms(w: Workings, host: Host) -> list[tuple[Vm, str]]:
    known = w.normal.vm.cores.known
    return [(vm, label) for vm, label in vms_on(w, host) if known[w.vm_rows[vm.id]]]


def unknown(w: Workings, host: Host) -> str:
    """Whose load has no data and is left out of the sum."""
    known = w.normal.vm.cores.known
    there = [label for vm, label in vms_on(w, host) if not known[w.vm_rows[vm.id]]]
    return without(there)


def without(names: list[str]) -> str:
    """That these have no data and are left out of a sum; nothing of none."""
    return say("without {names}: no data", names=joined(", ", names)) if names else ""


def _busy(w: Workings, vm: Vm, label: str) -> Term:
    """Cores that a VM keeps busy, from its CPU and its vCPUs."""
    row = w.vm_rows[vm.id]
    value = min(100.0 * float(w.normal.vm.cores.value[row]) / vm.vcpus, 100.0)
    pct = leaf(
        say("CPU of {name}", name=vm.name), value, "%", source=Predicted("vms", vm.id, "cpu_pct")
    )
    share = quotient(say("share of its vCPUs"), pct, HUNDRED)
    return product(label, share, w.vm_field(vm, "vcpus"), unit=CORES)


def ram_pct(w: Workings, host: Host) -> Term:
    """Memory of its VMs and of the console over what is installed."""
    row = w.host_rows[host.id]
    parts = [
        leaf(label, _ram(w, vm), "GiB", source=Predicted("vms", vm.id, "ram_gib"))
        for vm, label in vms_on(w, host)
    ]
    console = float(w.arrays.hosts.console_gib[row])
    if console:
        label = say("service console")
        parts.append(
            w.catalog_field("hypervisors", host.hypervisor, "console_gib", label, console, "GiB")
        )
    used = total(say("memory in use"), *parts, unit="GiB")
    share = quotient(say("share of what is installed"), used, w.host_field(host, "ram_gib"))
    return percent(say("RAM of {name}", name=host.name), share)


def _ram(w: Workings, vm: Vm) -> float:
    return float(w.normal.vm.ram_gib[w.vm_rows[vm.id]])


def network_pct(w: Workings, host: Host) -> Term:
    """Load of its VMs over its ports."""
    load, known = w.normal.vm.network.value, w.normal.vm.network.known
    rows = [(w.vm_rows[vm.id], vm) for vm in w.scenario.vms_on(host.id) if vm.powered_on]
    parts = [
        leaf(vm.name, float(load[row]), "Mb/s", source=Predicted("vms", vm.id, "network_mbps"))
        for row, vm in rows
        if known[row]
    ]
    missing = [vm.name for row, vm in rows if not known[row]]
    traffic = total(say("network load"), *parts, unit="Mb/s", note=without(missing))
    share = quotient(say("share of its ports"), traffic, _ports(w, host))
    return percent(say("network of {name}", name=host.name), share)


def _ports(w: Workings, host: Host) -> Term:
    server = w.server_of(host)
    factors = []
    for name, catalog_name, label, unit in (
        ("nics", "nics", say("network ports"), ""),
        ("nic_gbps", "nic_gbps", say("speed of a port"), "Gb/s"),
    ):
        if getattr(host, name) is not None:
            factors.append(w.host_field(host, name))
        else:
            value = float(getattr(server, catalog_name) or 0.0)
            factors.append(w.catalog_field("servers", server.id, catalog_name, label, value, unit))
    return product(say("speed of its ports"), *factors, MBPS, unit="Mb/s")


def vcpus_per_core(w: Workings, host: Host) -> Term:
    """vCPUs of the VMs that run there, secondaries among them, over its cores."""
    return quotient(say("vCPUs per core of {name}", name=host.name), vcpus(w, host), cores(w, host))


def vcpus(w: Workings, host: Host) -> Term:
    """vCPUs of the VMs that run there, secondaries among them."""
    parts = [
        leaf(label, vm.vcpus, say("vCPUs"), source=FromInput(Vm, vm.id, "vcpus"))
        for vm, label in vms_on(w, host)
    ]
    return total(say("vCPUs"), *parts, unit=say("vCPUs"))
