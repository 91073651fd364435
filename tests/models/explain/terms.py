"""Derivations as tests look at them."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from db.codec import scenario_from_json
from models.base.texts import said
from models.evidence.family_a import FamilyALaw
from models.explain.derivation import FAILURE_TERMS, HOST_TERMS, POOL_TERMS, VM_TERMS
from models.predict.predicted import FAILURE, NumberRef
from models.predict.prediction import Prediction
from models.scenario.scenario import (
    Cluster,
    LoadBasis,
    MeasuredOn,
    Policy,
    Pool,
    Posture,
    Profile,
    Scenario,
    Site,
    Vm,
)
from models.scenario.workloads import WorkloadKind
from resources.example_files import load_examples
from tests.models.worlds import (
    CATALOG,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_traveler,
    a_vm,
    on_vsan,
    with_policy,
    wv21,
)


def numbers(scenario: Scenario, prediction: Prediction) -> Iterator[NumberRef]:
    """Every number of a prediction that is not *no data*."""
    columns = (("vms", VM_TERMS), ("pools", POOL_TERMS))
    for table, fields in columns:
        items: tuple[Vm | Pool, ...] = scenario.vms if table == "vms" else scenario.pools
        for item in items:
            yield from (NumberRef(table, item.id, field) for field in fields)
    for host in scenario.hosts:
        fields_of_host = (*HOST_TERMS, "failure_cpu_pct", "failure_ram_pct")
        yield from (NumberRef("hosts", host.id, field) for field in fields_of_host)
    for mode in prediction.failures:
        yield from (NumberRef("failures", mode.host, field) for field in FAILURE_TERMS)
    if prediction.headroom.failure_pct is not None:
        yield NumberRef("failures", "", FAILURE)


def examples() -> Iterator[Scenario]:
    for example in load_examples():
        for file in example.files:
            yield scenario_from_json(file.text.encode(), name=file.name)


def worlds() -> Iterator[Scenario]:
    """Every branch of the formulas: families, paths, releases, machines, pools and failures."""
    for path, ram, users in (
        ("vmfs", 7.25, 3000.0),
        ("rdm", 10.0, 5600.0),
        ("vmfs", 29.0, 7000.0),
        ("physical", 7.25, 2000.0),
    ):
        yield replace(wv21("clovertown", path, ram, users), name=f"clovertown {path} {ram}")
    narrow = wv21("clovertown", "vmfs", 14.5, 2000.0)
    yield replace(narrow.with_item(replace(narrow.vms[0], guest_bits=32)), name="32 bits")
    yield replace(wv21("x366", "vmfs", 6.0, 3000.0), name="x366")
    yield replace(on_vsan(users=2500.0), name="vSAN")
    express = on_vsan(6, release="vsphere-8.0", array="vsan-esa", disk="nvme", reserve_pct=20.0)
    yield replace(express, name="vSAN, express")
    for release in ("6.5.4", "7.0.2", "8.5.1", "9.0", "seven"):
        yield a_scenario(name=f"B {release}", vms=(a_vm(users=2500.0, release=release),))
        old = wv21("clovertown", "vmfs", 7.25, 2000.0)
        yield replace(old.edit(Vm, "m1", partial(_released, release=release)), name=f"A {release}")
        inotes = a_vm(users=900.0, release=release, kind=WorkloadKind.DOMINO_INOTES, ram_gib=12.0)
        yield a_scenario(name=f"iNotes {release}", vms=(inotes,))
    yield a_scenario(
        name="Traveler",
        pools=(a_pool(spindles=4),),
        vms=(a_traveler("t1"), a_traveler("t2", devices_per_user=2.0, traveler_users=240.0)),
    )
    yield _members("vsphere-4.0", "nehalem-ept", "8.5.1")
    yield _members("esx-3.0.1", "intel-clovertown-whitebox", "7.0.2")
    yield _standby()
    yield a_scenario(
        name="iNotes on an old ESX",
        hosts=(a_host(hypervisor="esx-3.5", server="ibm-x3650"),),
        vms=(a_vm(kind=WorkloadKind.DOMINO_INOTES, users=600.0),),
    )
    for server in ("r740-6148", "x3650-e5430"):
        yield a_scenario(
            name=f"an older release on {server}",
            hosts=(a_host(server=server, hypervisor="vsphere-6.0"),),
            pools=(a_pool(spindles=20),),
            vms=(a_vm("m1", users=1500.0, release="7.0.2"), a_vm("m2", release="7.0.2")),
        )
    yield a_scenario(
        name="another machine, limited, generic and off",
        hosts=(a_host(server="ibm-x3650", hypervisor="vsphere-5.0", nics=2, nic_gbps=10.0),),
        vms=(
            a_vm("m1", memory_limit_gib=6.0),
            a_vm("m2", powered_on=False),
            a_vm(
                "m3", kind=WorkloadKind.GENERIC, users=0.0, cpu_mhz=900.0, iops=70.0,
                disk_gib=40.0, network_mbps=12.0, system_disk_gib=20.0, log_disk_gib=8.0,
            ),
            a_vm("m4", pool=None),
        ),
    )  # fmt: skip
    yield _stressed()
    yield _mixed()
    yield from _in_production()
    yield _as_measured_here()
    yield _measured_elsewhere()


def _in_production() -> Iterator[Scenario]:
    """Servers with every profile of other work, today and on an old ESX, members among them, and
    one that stands nowhere."""
    vms = [
        a_vm(f"m{row}", users=700.0, profile=profile, registered_users=registered, vcpus=8)
        for row, (profile, registered) in enumerate(
            (profile, registered) for profile in Profile for registered in (None, 2500.0)
        )
    ]
    vms[:2] = (
        replace(vms[0], cluster_partners=("m1",)),
        replace(vms[1], cluster_partners=("m0",)),
    )
    for server, hypervisor in (("r760-6530", "vsphere-8.0"), ("ibm-x3650", "esx-3.5")):
        yield a_scenario(
            name=f"production on {hypervisor}",
            hosts=(a_host(server=server, hypervisor=hypervisor, ram_gib=256.0),),
            vms=(*vms, a_vm("nowhere", host=None)),
            policy=Policy(load_basis=LoadBasis.PRODUCTION, posture=Posture.STANDARD),
        )


def _as_measured_here() -> Scenario:
    """Production servers, predicted as others of this customer were measured."""
    site = Site(
        load_basis=LoadBasis.PRODUCTION,
        is_used=True,
        cpu_factor=1.4,
        cpu_half_width=0.3,
        cpu_half_width_model=0.7,
        iops_factor=0.8,
        iops_half_width=0.3,
        iops_half_width_model=0.6,
    )
    policy = Policy(load_basis=LoadBasis.PRODUCTION, load_factor=1.2, site=site)
    return a_scenario(name="as measured here", policy=policy)


def _measured_elsewhere() -> Scenario:
    """Loads that were measured on this machine, on another, under ESX, and nobody knows where."""
    places = (
        None,
        MeasuredOn(hypervisor="none"),
        MeasuredOn(server="r720", hypervisor="none"),
        MeasuredOn(server="r720", hypervisor="vsphere-5.5"),
        MeasuredOn(server="nehalem-ept", hypervisor="vsphere-4.0"),
    )
    work = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 1500.0, "iops": 800.0}
    vms = tuple(a_vm(f"m{row}", 0.0, measured_on=place, **work) for row, place in enumerate(places))
    return a_scenario(name="measured elsewhere", vms=vms)


def _released(vm: Vm, *, release: str) -> Vm:
    return replace(vm, workload=replace(vm.workload, release=release))


def _members(hypervisor: str, server: str, release: str) -> Scenario:
    return a_scenario(
        name=f"members on {hypervisor}",
        hosts=(a_host(hypervisor=hypervisor, server=server, ram_gib=64.0),),
        vms=(
            a_vm("m1", cluster_partners=("m2",), release=release),
            a_vm("m2", cluster_partners=("m1",), release=release, ram_gib=16.0),
        ),
    )


def _standby() -> Scenario:
    """Members of which one has no users, one is switched off and one pushes to that alone."""
    return a_scenario(
        name="standby",
        vms=(
            a_vm("m1", users=4000.0, cluster_partners=("m2",)),
            a_vm("m2", users=0.0, cluster_partners=("m1",)),
            a_vm("m3", cluster_partners=("m4",)),
            a_vm("m4", cluster_partners=("m3",), powered_on=False),
        ),
    )


def _stressed() -> Scenario:
    """Hosts, pools and vCPUs past saturation, at peak, with derating, growth and spares."""
    scenario = a_cluster_of(2, vms=8, users=5200.0, vcpus=2, ram_gib=9.0)
    pool = a_pool(spindles=14, hot_spares=1, raid="10", disk="sata-7k2", read_share=0.5)
    scenario = replace(scenario, name="stressed", pools=(pool,))
    return with_policy(
        scenario,
        benchmark_derating=2.0,
        peak_factor_cpu=1.5,
        peak_factor_iops=1.25,
        mail_growth_pct=35.0,
        memory_overcommit=1.5,
    )


def _mixed() -> Scenario:
    """A cluster of unlike hosts with Fault Tolerance and an array without drives to wait for."""
    scenario = a_scenario(
        name="mixed",
        clusters=(Cluster(id="c1", name="Mail"),),
        hosts=(
            a_host("h1", cluster="c1", ft_logging_gbps=1.0),
            a_host("h2", cluster="c1", ft_logging_gbps=1.0, server="ibm-x3650", ram_gib=32.0),
            a_host("h3", cluster="c1", ft_logging_gbps=1.0),
        ),
        vms=(
            a_vm("m1", vcpus=1, fault_tolerance=True, users=400.0),
            a_vm("m2", users=1500.0),
            a_vm("m3", host="h2", users=1200.0),
            a_vm("m4", host="h3", users=2200.0, registered_users=3000.0),
            a_vm("m5", host="h3", kind=WorkloadKind.SAMETIME_COMMUNITY, users=900.0),
        ),
    )
    arrays = [id for id, array in CATALOG.arrays.items() if array.latency_ms is not None]
    if not arrays:
        return scenario
    flash = a_pool(array=arrays[0], disk="ssd-sata", raid="5", spindles=12)
    return replace(scenario, pools=(flash,))


class Masked:
    """A tongue without letters: what still has some was no message of the catalogue."""

    def words(self, english: str) -> str:
        parts = string.Formatter().parse(english) if "{" in english else [(english, None, "", "")]
        return "".join(
            re.sub(r"\w", "·", text) + ("" if name is None else f"{{{name}}}")
            for text, name, _, _ in parts
        )

    def counted(self, one: str, many: str, count: int) -> str:
        return self.words(one if count == 1 else many)

    def digits(self, english: str) -> str:
        return english


ALIKE = {"CPU", "RAM", "IOPS", "GiB", "MiB", "MHz", "RDM", "VMFS", "RAID", "Clovertown", "exp"}
"""Words of formulas that every language writes alike."""


def names_in(scenario: Scenario) -> set[str]:
    """What people and makers called things, and the parameters of the law."""
    called = {item.name for item in scenario.items()} | set(FamilyALaw.__dataclass_fields__)
    for entries in (CATALOG.servers, CATALOG.hypervisors, CATALOG.disks, CATALOG.arrays):
        called |= {entry.name for entry in entries.values()}
    called |= {entry.name for entry in CATALOG.raid_levels.values()}
    sources = [host.imported_from for host in scenario.hosts]
    sources += [pool.imported_from for pool in scenario.pools]
    for source in (*sources, *(vm.imported_from for vm in scenario.vms)):
        called |= set(re.split(r"[\s,:;=]+", source))
    return called | {vm.workload.release for vm in scenario.vms}


def unsaid(words: str, names: set[str]) -> set[str]:
    """What of the words would be English in every language."""
    rest = said(words, Masked())
    for name in sorted(names, key=len, reverse=True):
        rest = rest.replace(name, "")
    return set(re.findall(r"[^\W\d]{3,}", rest)) - ALIKE
