"""Which way numbers go: older releases, larger files, newer hypervisors, more RAM, less iron.

Servers of all kinds, each alone on host and pool of its own, stand side by side in one scenario.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.base.quantities import FloatArray, Series
from models.predict.prediction import VmPrediction
from models.scenario.scenario import DiskMode, LoadBasis, MeasuredOn, Scenario
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import CATALOG, a_host, a_pool, a_scenario, a_vm, predict, with_policy

SERVERS = (
    "ibm-x366", "intel-clovertown-whitebox", "ibm-x3650", "nehalem-ept", "r710", "r720",
    "r740-6148", "r760-8592",
)  # fmt: skip
NESTED = [id for id in SERVERS if CATALOG.servers[id].nested_paging]
HYPERVISORS = ("esx-2.5", "esx-3.0.1", "esx-3.5", "vsphere-4.0", "vsphere-5.5", "vsphere-8.0")
RELEASES = ("6.5", "7.0.2", "8.0.2", "8.5.1", "9.0.1", "14.0")
DISKS: tuple[dict[str, Any], ...] = (
    {"array": "gen-afa-mid", "disk": "nvme", "spindles": 24, "raid": "6"},
    {"array": "ibm-ds4800", "disk": "fc-15k-36gb", "spindles": 120, "raid": "5"},
    {"array": "netapp-fas3020", "disk": "fc-15k-144gb", "spindles": 120, "raid": "dp"},
    {"array": "netapp-fas3020", "disk": "sata-7k2", "spindles": 200, "raid": "dp"},
    {"array": "gen-afa-mid", "disk": "ssd-sata", "spindles": 24, "raid": "6"},
)
MAIL_FILE_MB = (5.0, 20.0, 50.0, 87.5, 100.0, 200.0, 400.0, 2000.0)
TRIES = 60
ROUNDING = 1 + 1e-9


def variants(
    seed: int, values: Sequence[object], change: Callable[[Scenario, Any], Scenario]
) -> VmPrediction:
    """Random servers, each in all of these ways: columns of TRIES times as many rows."""
    rng, parts = random.Random(seed), []
    for number in range(TRIES):
        base = a_server(rng)
        for column, value in enumerate(values):
            parts.append(_named(change(base, value), f"{number}-{column}"))
    whole = replace(
        parts[0],
        hosts=tuple(host for part in parts for host in part.hosts),
        pools=tuple(pool for part in parts for pool in part.pools),
        vms=tuple(vm for part in parts for vm in part.vms),
    )
    return predict(with_policy(whole, load_basis=rng.choice(tuple(LoadBasis)))).vms


def _named(one: Scenario, id: str) -> Scenario:
    (host,), (pool,), (vm,) = one.hosts, one.pools, one.vms
    return replace(
        one,
        hosts=(replace(host, id=f"h{id}"),),
        pools=(replace(pool, id=f"p{id}"),),
        vms=(replace(vm, id=f"m{id}", host=f"h{id}", pool=f"p{id}"),),
    )


def a_server(rng: random.Random) -> Scenario:
    """Any mail server, busy by a few per cent to a half."""
    hypervisor = rng.choice(("none", *HYPERVISORS))
    host = a_host(server=rng.choice(SERVERS), hypervisor=hypervisor, ram_gib=512.0)
    vm = a_vm(
        users=rng.uniform(20.0, 2500.0),
        kind=rng.choice(
            (WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES)
        ),
        release=rng.choice(RELEASES),
        vcpus=8,
        ram_gib=rng.choice((4.0, 8.0, 16.0, 32.0, 64.0, 256.0)),
        mail_file_mb=rng.choice(MAIL_FILE_MB),
        disk_mode=DiskMode.PHYSICAL if hypervisor == "none" else DiskMode.VMFS,
    )
    return a_scenario(hosts=(host,), pools=(a_pool(**rng.choice(DISKS)),), vms=(vm,))


def workload(one: Scenario, **changes: Any) -> Scenario:
    (vm,) = one.vms
    return replace(one, vms=(replace(vm, workload=replace(vm.workload, **changes)),))


def rows(column: Series, ways: Sequence[object]) -> FloatArray:
    return np.asarray(column.value).reshape(TRIES, len(ways))


def assert_no_less(values: FloatArray) -> None:
    """Along each row, where both are known."""
    known = ~np.isnan(values)
    assert known.any()
    before, after = values[:, :-1], values[:, 1:]
    assert np.all((after * ROUNDING >= before) | np.isnan(before) | np.isnan(after))


@pytest.mark.parametrize("disks", DISKS, ids=lambda each: each["disk"])
def test_an_older_release_is_never_better(disks: dict[str, Any]) -> None:
    newest_first = RELEASES[::-1]

    def on(one: Scenario, release: str) -> Scenario:
        return replace(workload(one, release=release), pools=(a_pool(**disks),))

    vms = variants(11, newest_first, on)
    for name in ("cpu_pct", "iops", "response_ms"):
        assert_no_less(rows(getattr(vms, name), newest_first))


def test_an_old_release_waits_for_its_own_ios_on_flash() -> None:
    """No I/Os are taken off that were not put on: 8.0.2 does not answer before 8.5.1."""
    host = a_host(server="r740-6148", hypervisor="vsphere-7.0", ram_gib=256.0)
    found = {}
    for release in ("8.0.2", "8.5.1"):
        vm = a_vm(users=800.0, release=release, vcpus=4)
        one = a_scenario(hosts=(host,), pools=(a_pool(**DISKS[0]),), vms=(vm,))
        found[release] = predict(one).vms.response_ms.value[0]
    assert found["8.5.1"] <= found["8.0.2"] < 1.2 * found["8.5.1"]


def test_larger_mail_files_never_ask_for_less() -> None:
    vms = variants(12, MAIL_FILE_MB, lambda one, mb: workload(one, mail_file_mb=mb))
    for end in ("value", "high"):
        assert_no_less(getattr(vms.iops, end).reshape(TRIES, -1))
    assert_no_less(rows(vms.response_ms, MAIL_FILE_MB))


def test_files_that_are_all_in_memory_are_only_written() -> None:
    small, large = (
        predict(a_scenario(hosts=(a_host(ram_gib=512.0),), vms=(vm,))).vms.iops.value[0]
        for vm in (
            a_vm(users=600.0, ram_gib=256.0, mail_file_mb=87.5),
            a_vm(users=600.0, ram_gib=8.0, mail_file_mb=87.5),
        )
    )
    assert small == pytest.approx(0.3 * large)


USERS = (10.0, 50.0, 200.0, 500.0, 1000.0, 2000.0, 2500.0)


def test_more_users_never_ask_for_less() -> None:
    vms = variants(13, USERS, lambda one, users: workload(one, active_users=users))
    for name in ("cpu_pct", "iops", "response_ms"):
        for end in ("value", "high"):
            values = getattr(getattr(vms, name), end).reshape(TRIES, len(USERS))
            assert_no_less(values)


def test_more_users_of_a_partner_never_take_io_off() -> None:
    found = []
    for users in (10.0, 200.0, 1000.0, 3000.0):
        pair = (
            a_vm("m1", 600.0, ram_gib=64.0, cluster_partners=("m2",)),
            a_vm("m2", users, ram_gib=64.0, cluster_partners=("m1",)),
        )
        found.append(predict(a_scenario(hosts=(a_host(ram_gib=256.0),), vms=pair)).vms.iops.value)
    assert np.all(np.diff(np.array(found), axis=0) >= 0.0)


@pytest.mark.parametrize("kind", ["mail", "measured"])
def test_a_newer_hypervisor_never_takes_more_cpu(kind: str) -> None:
    def under(one: Scenario, hypervisor: str) -> Scenario:
        (host,), (vm,) = one.hosts, one.vms
        if kind == "measured":
            place = MeasuredOn(server=host.server, hypervisor="none")
            load = replace(
                vm.workload, kind=WorkloadKind.GENERIC, cpu_mhz=2000.0, iops=2000.0,
                active_users=0.0, measured_on=place,
            )  # fmt: skip
            vm = replace(vm, workload=load)
        vm = replace(vm, disk_mode=DiskMode.VMFS)
        return replace(one, hosts=(replace(host, hypervisor=hypervisor),), vms=(vm,))

    vms = variants(14, HYPERVISORS, under)
    assert_no_less(rows(vms.cpu_pct, HYPERVISORS)[:, ::-1])


def test_what_an_io_costs_is_in_the_interval_of_either_source() -> None:
    """0.21 ms before ESX 3.5, 0.25 ms by the later source on these cores, taken as no more."""
    place = MeasuredOn(server="ibm-x3650", hypervisor="none")
    found = []
    for hypervisor in ("esx-3.0.1", "vsphere-4.0"):
        vm = a_vm(
            kind=WorkloadKind.GENERIC, users=0.0, cpu_mhz=2000.0, iops=2000.0, measured_on=place
        )
        host = a_host(server="ibm-x3650", hypervisor=hypervisor)
        found.append(predict(a_scenario(hosts=(host,), vms=(vm,))).vms.cpu_pct)
    old, new = found
    assert new.value[0] == pytest.approx(old.value[0])
    alone = 100.0 * (2000.0 / 2333.0 + 2.0 * 0.253) / 2.0
    for each in found:
        assert each.low[0] < alone < each.high[0]


RAM = (4.0, 8.0, 12.0, 16.0, 32.0, 64.0, 128.0, 256.0)


def test_more_ram_is_never_worse() -> None:
    def with_ram(one: Scenario, gib: float) -> Scenario:
        return replace(one, vms=(replace(one.vms[0], ram_gib=gib),))

    vms = variants(15, RAM, with_ram)
    for name in ("cpu_pct", "iops", "response_ms"):
        assert_no_less(rows(getattr(vms, name), RAM)[:, ::-1])


@pytest.mark.parametrize("server", NESTED)
@pytest.mark.parametrize("hypervisor", ["vsphere-4.0", "vsphere-6.7", "vsphere-8.0"])
def test_a_server_is_near_native_under_vsphere(server: str, hypervisor: str) -> None:
    """With nested paging: the vSphere 4 paper, "Server CPU enhancements"."""
    found = []
    for each, mode in (("none", DiskMode.PHYSICAL), (hypervisor, DiskMode.VMFS)):
        host = a_host(server=server, hypervisor=each, ram_gib=64.0)
        vm = a_vm(users=1500.0, vcpus=4, disk_mode=mode)
        vms: VmPrediction = predict(a_scenario(hosts=(host,), vms=(vm,))).vms
        found.append((vms.cpu_pct.value[0], vms.response_ms.value[0]))
    for native, virtual in zip(*found, strict=True):
        assert native <= virtual * ROUNDING
        assert virtual < 1.15 * native


def test_intervals_hold_their_values() -> None:
    vms = variants(16, RELEASES, lambda one, release: workload(one, release=release))
    for name in ("cpu_pct", "iops", "response_ms"):
        column: Series = getattr(vms, name)
        known = ~np.isnan(column.value)
        assert np.all(column.low[known] <= column.value[known] * ROUNDING)
        assert np.all(column.value[known] <= column.high[known] * ROUNDING)
