"""Formulas of memory, disks, CPU sharing, releases and network against hand-computed figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.quantities import Basis
from models.catalog.catalog import MemoryOverhead
from models.physics import cpu, memory, storage
from models.physics.laws import release_cost
from models.physics.scenario_to_arrays import to_arrays
from models.queueing.batch import erlang_c
from models.scenario.scenario import DiskMode, Pool
from models.scenario.workloads import WorkloadKind
from resources.evidence_files import external_rule_records
from tests.models.worlds import (
    CALIBRATION,
    CATALOG,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    with_policy,
    wv21,
)

# ------------------------------------------------------------------ memory


def the_table() -> MemoryOverhead:
    table = CATALOG.hypervisors["vsphere-4.0"].memory_overhead
    assert table is not None
    return table


VSPHERE4 = the_table()


@pytest.mark.parametrize(
    ("ram_mib", "vcpus", "printed"),
    [(256, 1, 113.17), (8192, 1, 222.3), (4096, 4, 324.99), (1024, 8, 445.52), (8192, 2, 331.13)],
)
def test_overhead_is_the_tables_where_it_has_a_figure(
    ram_mib: float, vcpus: int, printed: float
) -> None:
    value, _ = memory.overhead_mib(VSPHERE4, np.array([ram_mib]), np.array([float(vcpus)]))
    assert value[0] == pytest.approx(printed)


@given(st.floats(64, 1e6), st.integers(1, 16), st.floats(1.0, 2.0))
def test_overhead_grows_with_ram_and_vcpus(ram: float, vcpus: int, factor: float) -> None:
    def of(mib: float, count: int) -> float:
        value, _ = memory.overhead_mib(VSPHERE4, np.array([mib]), np.array([float(count)]))
        return float(value[0])

    assert of(ram * factor, vcpus) >= of(ram, vcpus) - 1e-9
    assert of(ram, vcpus + 1) > of(ram, vcpus)


def test_gaps_of_the_table_are_bridged_and_said() -> None:
    table = MemoryOverhead(
        ram_mib=(1024.0, 2048.0, 4096.0),
        vcpus=(1, 2, 4),
        mib=((10.0, 20.0, None), (20.0, None, None), (40.0, 50.0, None)),
    )
    value, leaning = memory.overhead_mib(
        table, np.array([2048.0, 2048.0, 1024.0]), np.array([1.0, 2.0, 4.0])
    )
    assert value.tolist() == pytest.approx([20.0, 30.0, 20.0])
    assert leaning.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("hypervisor", "ram_gib", "vcpus", "sizes"),
    [
        ("esx-3.0.1", 8.0, 1, ["1-vcpu-8192"]),
        ("esx-3.0.1", 6.0, 2, ["2-vcpu-4096", "2-vcpu-8192"]),
        ("vsphere-4.0", 3.0, 3, ["3-vcpu-2048", "3-vcpu-4096"]),
    ],
)
def test_overhead_names_the_rows_it_comes_from(
    hypervisor: str, ram_gib: float, vcpus: int, sizes: list[str]
) -> None:
    host = a_host(hypervisor=hypervisor)
    scenario = a_scenario(hosts=(host,), vms=(a_vm(ram_gib=ram_gib, vcpus=vcpus),))
    evidence = predict(scenario).vms.quantity("m1", "ram_gib").evidence
    assert evidence == tuple(f"rule/vm-memory-overhead-esx-4.0/{size}-mb" for size in sizes)
    assert {*evidence} <= {record["id"] for record in external_rule_records()}


def test_a_gap_beyond_a_column_goes_on_as_steep_as_the_column_ends() -> None:
    table = MemoryOverhead(
        ram_mib=(1024.0, 2048.0, 3072.0),
        vcpus=(1, 2),
        mib=((10.0, 20.0), (14.0, 26.0), (18.0, None)),
    )
    value, leaning = memory.overhead_mib(table, np.array([3072.0]), np.array([2.0]))
    assert (value.tolist(), leaning.tolist()) == ([pytest.approx(32.0)], [True])


def test_what_the_first_host_lacks_the_second_has_all_the_same() -> None:
    linked = a_host("h2", ft_logging_gbps=10.0)
    hosts = to_arrays(a_scenario(hosts=(a_host("h1"), linked)), CATALOG).hosts
    assert np.isnan(hosts.ft_gbps[0])
    assert hosts.ft_gbps[1] == 10.0


def test_a_vm_without_a_host_stands_on_no_machine() -> None:
    hosts = (a_host("h1", hypervisor="esx-3.0.1"), a_host("h2", hypervisor="vsphere-4.0"))
    scenario = a_scenario(hosts=hosts, vms=(a_vm(host=None),))
    at = to_arrays(scenario, CATALOG).vms.at
    assert (at.platform[0], at.hypervisor[0], at.machine[0]) == (-1, -1, -1)
    assert predict(scenario).vms.ram_gib.value[0] == 8.0


def test_a_physical_server_has_no_overhead() -> None:
    prediction = predict(wv21("clovertown", "physical", 7.25, 1000.0))
    assert prediction.vms.ram_gib.value[0] == 7.25
    assert prediction.hosts.ram_pct.value[0] == pytest.approx(100 * 7.25 / 16)


def test_console_and_overhead_count_on_a_host() -> None:
    prediction = predict(a_scenario())
    used = prediction.hosts.ram_pct.value[0] / 100 * 72
    console = CATALOG.hypervisors["vsphere-4.0"].console_gib
    assert console is not None
    assert used == pytest.approx(8 + 331.13 / 1024 + console)


# ------------------------------------------------------------------ disks


def pool_arrays(pool: Pool, **fields: object) -> tuple[float, float]:
    pools = to_arrays(a_scenario(pools=(replace(pool, **fields),)), CATALOG).pools  # type: ignore[arg-type]
    reads = storage.read_share(pools)
    return float(storage.limit_iops(pools, reads)[0]), float(storage.usable_gib(pools)[0])


DS4800 = a_pool(array="ibm-ds4800", disk="fc-15k-36gb", spindles=35, raid="5", read_share=0.5)


def test_host_iops_follow_the_first_form_of_the_raid_formula() -> None:
    hit = CATALOG.arrays["ibm-ds4800"].read_cache_hit or 0.0
    limit, _ = pool_arrays(DS4800)
    assert limit == pytest.approx(35 * 180 / (0.5 * (1 - hit) + 0.5 * 4))
    assert pool_arrays(DS4800, raid="10")[0] > limit
    assert pool_arrays(DS4800, hot_spares=2)[0] == pytest.approx(limit * 33 / 35)


def test_the_measured_pool_is_the_reference_of_the_law() -> None:
    limit, _ = pool_arrays(replace(DS4800, read_share=None))
    assert limit == pytest.approx(storage.REFERENCE_LIMIT_IOPS, rel=0.01)


def test_controllers_cap_the_drives() -> None:
    limit, _ = pool_arrays(DS4800, raid="0", spindles=10_000)
    assert limit == CATALOG.arrays["ibm-ds4800"].ceiling_iops


@pytest.mark.parametrize(
    ("raid", "spindles", "spares", "group", "data"),
    [
        ("0", 10, 0, None, 10),
        ("10", 10, 1, None, 4),
        ("5", 10, 0, 5, 8),
        ("5", 12, 0, 5, 9),
        ("6", 16, 0, 8, 12),
        ("5", 6, 0, 5, 4),
    ],
)
def test_usable_space_leaves_out_parity_mirrors_and_spares(
    raid: str, spindles: int, spares: int, group: int | None, data: int
) -> None:
    _, usable = pool_arrays(
        DS4800, raid=raid, spindles=spindles, hot_spares=spares, raid_group=group
    )
    assert usable == pytest.approx(data * 36e9 / 2**30)


def test_wv21_needs_what_its_text_says() -> None:
    """6,000 × 87.5 MB = 525,000 MB, printed as 512 GB."""
    vm = replace(wv21("clovertown", "vmfs", 14.5, 1000.0).vms[0])
    vm = replace(vm, workload=replace(vm.workload, registered_users=6000.0))
    arrays = to_arrays(a_scenario(vms=(vm,)), CATALOG)
    assert storage.mail_gib(arrays.vms, 0.0)[0] == pytest.approx(525e9 / 2**30)
    assert storage.mail_gib(arrays.vms, 20.0)[0] == pytest.approx(1.2 * 525e9 / 2**30)


def test_growth_and_owners_count_but_derating_does_not() -> None:
    scenario = a_scenario()
    full = predict(scenario).pools.capacity_pct.value[0]
    assert (
        predict(with_policy(scenario, benchmark_derating=2.0)).pools.capacity_pct.value[0] == full
    )
    grown = predict(with_policy(scenario, mail_growth_pct=50.0)).pools.capacity_pct.value[0]
    assert grown == pytest.approx(1.5 * full)


def test_logs_and_system_disks_go_where_they_are_kept() -> None:
    vm = a_vm(mail_file_mb=0.0, log_pool="p2", log_disk_gib=50.0, system_disk_gib=20.0)
    prediction = predict(a_scenario(pools=(a_pool("p1"), a_pool("p2")), vms=(vm,)))
    used = prediction.pools.capacity_pct.value / 100 * prediction.pools.usable_gib
    assert used == pytest.approx([20.0, 50.0])


def test_a_pool_of_logs_has_no_data_instead_of_no_load() -> None:
    pools = (a_pool("p1"), a_pool("p2", spindles=4))
    silent = predict(a_scenario(pools=pools, vms=(a_vm(log_pool="p2"),)))
    stated = predict(a_scenario(pools=pools, vms=(a_vm(log_pool="p2", log_disk_gib=50.0),)))
    for name in ("iops", "utilisation_pct", "latency_ms"):
        assert stated.pools.quantity("p2", name).value is None
        assert stated.pools.quantity("p1", name).value is not None
    assert silent.pools.quantity("p2", "capacity_pct").value is None
    assert stated.pools.quantity("p2", "capacity_pct").value is not None
    assert stated.verdict is predict(a_scenario()).verdict


def test_a_pool_of_logs_and_data_is_a_pool_of_data() -> None:
    pools = (a_pool("p1"), a_pool("p2"))
    alone = predict(a_scenario(pools=pools, vms=(a_vm("m1"), a_vm("m2", pool="p2"))))
    mixed = predict(a_scenario(pools=pools, vms=(a_vm("m1", log_pool="p2"), a_vm("m2", pool="p2"))))
    for name in ("iops", "utilisation_pct", "latency_ms"):
        assert mixed.pools.quantity("p2", name).value is not None
        assert mixed.pools.quantity("p2", name).value == alone.pools.quantity("p2", name).value


def test_behind_a_sum_is_all_that_is_behind_its_parts() -> None:
    kinds = (WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES, WorkloadKind.GENERIC)
    vms = tuple(a_vm(f"m{n}", kind=kind) for n, kind in enumerate(kinds))
    found = predict(a_scenario(vms=vms))
    for of_vm, total in (
        ("cpu_pct", found.hosts.quantity("h1", "cpu_pct")),
        ("iops", found.pools.quantity("p1", "iops")),
    ):
        parts = [found.vms.quantity(vm.id, of_vm).evidence for vm in vms]
        assert [len(part) > 0 for part in parts] == [True, True, False]
        assert set(total.evidence) == set().union(*parts)


def test_only_inotes_was_run_with_two_sizes_of_memory() -> None:
    """Between them lies nothing transferred; NRPC mail was run alone with 8 GB."""
    nrpc, inotes = WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES
    basis = {
        (kind, ram): predict(a_scenario(vms=(a_vm(users=2000.0, kind=kind, ram_gib=ram),)))
        .vms.quantity("m1", "iops")
        .basis
        for kind in (nrpc, inotes)
        for ram in (4.0, 8.0, 12.0, 16.0, 20.0)
    }
    near = {key for key, found in basis.items() if found is Basis.INTERPOLATED}
    assert near == {(nrpc, 8.0), (inotes, 8.0), (inotes, 12.0), (inotes, 16.0)}
    assert set(basis.values()) == {Basis.INTERPOLATED, Basis.TRANSFERRED}


@pytest.mark.parametrize(
    ("ram_gib", "basis"), [(8.075, Basis.MEASURED), (8.085, Basis.TRANSFERRED)]
)
def test_memory_within_a_per_cent_is_that_of_the_run(ram_gib: float, basis: Basis) -> None:
    vms = predict(a_scenario(vms=(a_vm(users=4000.0, ram_gib=ram_gib),))).vms
    assert vms.quantity("m1", "cpu_pct").basis is basis


def test_pools_carry_the_io_of_all_hosts() -> None:
    scenario = a_scenario(
        hosts=(a_host("h1"), a_host("h2")), vms=(a_vm("m1", 1000.0), a_vm("m2", 2000.0, host="h2"))
    )
    prediction = predict(scenario)
    assert prediction.pools.iops.value[0] == pytest.approx(prediction.vms.iops.value.sum())
    limit = prediction.pools.limit_iops[0] / 0.7
    assert prediction.pools.utilisation_pct.value[0] == pytest.approx(
        100 * prediction.pools.iops.value[0] / limit
    )


def test_the_default_read_share_widens_the_interval() -> None:
    default, own = (
        predict(a_scenario(pools=(a_pool(read_share=share, spindles=20),))).pools.quantity(
            "p1", "utilisation_pct"
        )
        for share in (None, 0.70)
    )
    assert default.value == pytest.approx(own.value)
    assert (default.high or 0) > (own.high or 0)
    assert default.basis is Basis.RULE


@given(st.floats(0, 5), st.floats(0, 5))
def test_a_queue_grows_and_bends_upwards_without_end_to_it(one: float, other: float) -> None:
    low, high = sorted((one, other))
    q = storage.bounded_queue(np.array([low, (low + high) / 2, high]))
    assert np.isfinite(q).all()
    assert (np.diff(q) >= -1e-9).all()
    assert q[1] <= (q[0] + q[2]) / 2 + 1e-9


# ------------------------------------------------------------------ sharing cores


def test_the_wait_beside_a_neighbour_is_that_of_table_1() -> None:
    """Ready over run time, per share of the eight cores that the other VM keeps busy."""
    mail = CALIBRATION.constants.mail85
    run_pct = mail.cpu_core_pct_per_user.value * 4000 / 2
    beside = run_pct / 100 * 2 / 8
    assert pytest.approx(mail.ready_pct.value / run_pct / beside, rel=0.02) == cpu.NEIGHBOUR_WAIT


@pytest.mark.parametrize("cores", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("busy", [0.6, 0.8, 0.95])
def test_waiting_is_erlangs_where_it_matters(cores: int, busy: float) -> None:
    load = cores * busy
    exact = float(erlang_c(cores, load)) / (cores - load)
    value = float(cpu.waiting_ratio(np.array(float(cores)), np.array(load)))
    assert value == pytest.approx(exact, abs=0.04, rel=0.01)


def test_waiting_errs_high_by_no_more_than_is_said() -> None:
    cores = np.arange(1.0, 257.0)[:, None]
    load = cores * np.linspace(0.01, 0.95, 200)
    exact = erlang_c(cores, load) / (cores - load)
    error = cpu.waiting_ratio(cores, load) - exact
    assert (error >= -0.004 * exact).all()
    assert error.max() == pytest.approx(0.034, abs=0.0005)
    for longer_than, share in ((0.3, 0.11), (0.1, 0.27)):
        matters = exact > longer_than
        assert (error[matters] / exact[matters]).max() == pytest.approx(share, abs=0.005)


@given(st.floats(1, 64), st.floats(0, 100), st.floats(0, 100))
def test_waiting_grows_and_bends_upwards(cores: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    w = cpu.waiting_ratio(np.full(3, cores), np.array([low, (low + high) / 2, high]))
    assert np.isfinite(w).all()
    assert (np.diff(w) >= -1e-9).all()
    assert w[1] <= (w[0] + w[2]) / 2 * (1 + 1e-9) + 1e-9


def test_what_runs_cannot_be_ready() -> None:
    crowd = predict(a_scenario(vms=tuple(a_vm(f"m{n}", 20_000.0) for n in range(12))))
    assert (crowd.vms.ready_pct.value <= 100).all()
    assert crowd.vms.ready_pct.value[0] > 50


@pytest.mark.parametrize(("vms", "vcpus"), [(1, 2), (4, 2), (6, 2), (12, 2), (8, 1), (16, 1)])
def test_ready_time_grows_with_load_up_to_saturated_vcpus_and_beyond(vms: int, vcpus: int) -> None:
    """On 8 cores; its interval encloses it, and who is never idle waits a turn each at most."""
    before = 0.0
    for users in (1000.0, 4000.0, 8000.0, 9700.0, 10_500.0, 14_000.0, 40_000.0):
        like = tuple(a_vm(f"m{n}", users, vcpus=vcpus) for n in range(vms))
        ready = predict(a_scenario(vms=like)).vms.ready_pct[0]
        assert ready.low is not None
        assert ready.value is not None
        assert ready.high is not None
        assert ready.low <= ready.value <= ready.high
        assert ready.value >= before
        before = ready.value
    turns = max(vms * vcpus / 8, 1.0) + cpu.NEIGHBOUR_WAIT * min((vms - 1) * vcpus / 8, 1.0)
    assert before == pytest.approx(100 * (1 - 1 / turns), rel=0.05)


# ------------------------------------------------------------------ releases


@pytest.mark.parametrize(
    ("text", "like", "exact"),
    [
        ("7.0.2", "7.0.2", True),
        ("7.0.2FP2", "7.0.2", True),
        ("7.0.3", "7.0.2", False),
        ("6.5", "6.5", True),
        ("R5", "6.5", False),
        ("8", "8.0", True),
        ("8.5.1", "8.5.1", True),
        ("Domino 8.5.3", "8.5.1", False),
        ("14.0", "8.5.1", False),
        ("newest", "8.5.1", False),
        ("", "8.5.1", False),
    ],
)
def test_a_release_is_costed_like_the_nearest_with_evidence(
    text: str, like: str, exact: bool
) -> None:
    cost = release_cost(text, CALIBRATION.constants.releases)
    assert (cost.like, cost.exact) == (like, exact)


def test_earlier_releases_cost_more_by_the_published_factors() -> None:
    factors = CALIBRATION.constants.releases
    eight, newest = release_cost("8.0", factors), release_cost("8.5.1", factors)
    older, oldest = release_cost("7.0.2", factors), release_cost("6.5", factors)
    assert eight.cpu == older.cpu == pytest.approx(1 / 0.62)
    assert eight.iops == older.iops == oldest.iops == pytest.approx(1 / 0.67)
    assert oldest.cpu == pytest.approx(1 / 0.62 / 0.72)
    assert (newest.cpu, newest.iops, newest.guess) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("name", ["x366", "clovertown", "nehalem", "other"])
def test_an_upgrade_on_the_same_host_costs_its_factor_and_no_more(name: str) -> None:
    scenarios = {
        "x366": wv21("x366", "physical", 6.0, 2000.0),
        "clovertown": wv21("clovertown", "vmfs", 14.5, 2000.0),
        "nehalem": a_scenario(vms=(a_vm(users=2000.0),)),
        "other": a_scenario(vms=(a_vm(users=2000.0),), hosts=(a_host(server="r720"),)),
    }
    scenario = scenarios[name]
    vm = scenario.vms[0]

    def cpu(release: str) -> float:
        work = replace(vm.workload, release=release)
        predicted = predict(scenario.with_item(replace(vm, workload=work)))
        return predicted.vms.quantity(vm.id, "cpu_pct").value or 0.0

    assert cpu("8.5.1") == pytest.approx(0.62 * cpu("8.0"))
    assert cpu("8.0") == pytest.approx(cpu("7.0.2"))
    assert cpu("7.0.2") == pytest.approx(0.72 * cpu("6.5"))


def test_an_old_hypervisor_costs_inotes_its_factor() -> None:
    http = a_vm(kind=WorkloadKind.DOMINO_INOTES, release="8.5.1", users=1000.0)
    new, half, old = (
        predict(a_scenario(vms=(http,), hosts=(a_host(hypervisor=h),))).vms.quantity(
            "m1", "cpu_pct"
        )
        for h in ("vsphere-4.0", "esx-3.5", "esx-3.0.1")
    )
    assert old.value == pytest.approx((new.value or 0) * CALIBRATION.law.esx_cpu_factor)
    assert half.value == pytest.approx(((new.value or 0) * (old.value or 0)) ** 0.5)
    assert old.basis is Basis.TRANSFERRED


# ------------------------------------------------------------------ network


def test_packets_bound_the_network_load() -> None:
    load = predict(a_scenario(vms=(a_vm(users=4000.0),))).vms.quantity("m1", "network_mbps")
    packets = 1963.13 + 1048.99
    assert load.value == pytest.approx(packets * 1518 * 8e-6, rel=1e-4)
    assert load.low == pytest.approx(packets * 64 * 8e-6, rel=1e-4)
    assert load.basis is Basis.RULE


def test_local_and_other_paths_are_transferred() -> None:
    for mode in (DiskMode.NFS, DiskMode.VSAN, DiskMode.LOCAL):
        scenario = wv21("clovertown", "vmfs", 14.5, 4000.0)
        moved = scenario.with_item(replace(scenario.vms[0], disk_mode=mode))
        assert predict(moved).vms.quantity("m1", "response_ms").basis is Basis.TRANSFERRED
