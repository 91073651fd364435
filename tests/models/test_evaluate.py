"""`evaluate` against the published runs, and against what must hold for any scenario."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from models.base.errors import ModelError
from models.base.quantities import Basis, Series
from models.evidence.family_a import MeasuredRun
from models.predict.prediction import Prediction, Severity
from models.scenario.scenario import DiskMode, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from tests.chance import dear
from tests.models.worlds import (
    CALIBRATION,
    MEASURED_HERE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    ends_of_responses,
    found,
    predict,
    with_policy,
    wv21,
)

RUNS = CALIBRATION.runs
PLATFORMS, PATHS = ("x366", "clovertown"), ("physical", "rdm", "vmfs")


def scenario_of(run: MeasuredRun) -> Scenario:
    return wv21(PLATFORMS[run.platform], PATHS[run.storage], run.ram_gib, float(run.users))


# ------------------------------------------------------------------ published runs


@pytest.mark.parametrize("run", [r for r in RUNS if r.quantity == "cpu_pct"], ids=lambda r: r.id)
def test_every_cpu_cell_of_wv21_comes_out_within_a_fifth(run: MeasuredRun) -> None:
    quantity = predict(scenario_of(run)).vms.quantity("m1", "cpu_pct")
    assert quantity.value == pytest.approx(run.value, rel=0.20)
    assert quantity.basis is Basis.MEASURED
    assert quantity.measured == pytest.approx(run.value)
    assert run.id in quantity.evidence


@pytest.mark.parametrize(
    "run", [r for r in RUNS if r.quantity == "response_ms"], ids=lambda r: r.id
)
def test_no_response_of_wv21_is_predicted_over_a_second(run: MeasuredRun) -> None:
    prediction = predict(scenario_of(run))
    quantity = prediction.vms.quantity("m1", "response_ms")
    assert quantity.value is not None
    assert quantity.value < 1000
    assert quantity.measured == pytest.approx(run.value)
    assert bool(found(prediction, "doubted-cell")) == run.doubted


def test_a_run_alone_is_the_law_itself() -> None:
    from models.evidence.family_a import PlatformA, StorageA, response_ms

    value = predict(wv21("clovertown", "rdm", 7.25, 4000.0)).vms.response_ms.value[0]
    law = response_ms(
        CALIBRATION.law,
        platform=PlatformA.CLOVERTOWN,
        storage=StorageA.RDM,
        ram_gib=7.25,
        users=4000.0,
    )
    assert value == pytest.approx(float(law), rel=0.02)


def test_the_building_block_comes_out_as_table_1_has_it() -> None:
    scenario = a_scenario(vms=(a_vm("m1", 4000.0), a_vm("m2", 4000.0)))
    prediction = predict(scenario)
    cpu = prediction.vms.quantity("m1", "cpu_pct")
    assert cpu.value == pytest.approx((28.22 + 29.26) / 2)
    assert (cpu.basis, cpu.measured) == (Basis.MEASURED, cpu.value)
    assert prediction.vms.quantity("m1", "iops").value == pytest.approx((743.97 + 698.68) / 2)
    ready = prediction.vms.quantity("m1", "ready_pct")
    assert ready.value == pytest.approx(0.155, rel=0.05)
    assert ready.basis is Basis.MEASURED
    assert ready.measured == pytest.approx(0.155)
    assert prediction.vms.quantity("m1", "response_ms").basis is Basis.TRANSFERRED


@pytest.mark.parametrize(
    "vms",
    [
        (a_vm("m1", 4000.0),),
        (a_vm("m1", 4000.0), a_vm("m2", 3000.0)),
        (a_vm("m1", 4000.0), a_vm("m2", 4000.0), a_vm("m3", 4000.0)),
        (a_vm("m1", 4000.0), a_vm("m2", 4000.0), a_vm("m3", kind=WorkloadKind.GENERIC)),
    ],
)
def test_ready_time_was_measured_of_two_building_blocks_alone(vms: tuple[Vm, ...]) -> None:
    ready = predict(a_scenario(vms=vms)).vms.quantity("m1", "ready_pct")
    assert (ready.basis, ready.measured) == (Basis.TRANSFERRED, None)


def test_the_clustered_pair_comes_out_as_table_3_has_it() -> None:
    vm = a_vm("m1", 4000.0, ram_gib=16.0, cluster_partners=("m2",))
    other = replace(vm, id="m2", host="h2", pool="p2", cluster_partners=("m1",))
    scenario = a_scenario(
        hosts=(a_host("h1"), a_host("h2")), pools=(a_pool("p1"), a_pool("p2")), vms=(vm, other)
    )
    prediction = predict(scenario)
    for name, printed in (("cpu_pct", 32.0), ("response_ms", 61.0), ("iops", 1130.0)):
        quantity = prediction.vms.quantity("m1", name)
        assert quantity.value == pytest.approx(printed, rel=1e-6)
        assert quantity.basis is Basis.MEASURED
        assert quantity.measured == pytest.approx(printed)
    assert prediction.vms.quantity("m1", "network_mbps").value == pytest.approx(48.0)


@pytest.mark.parametrize(("ram_gib", "cpu", "iops"), [(8.0, 67.5, 683.0), (16.0, 66.0, 511.0)])
def test_inotes_comes_out_as_tables_5_and_6_have_it(
    ram_gib: float, cpu: float, iops: float
) -> None:
    vm = a_vm(users=4000.0, kind=WorkloadKind.DOMINO_INOTES, ram_gib=ram_gib)
    prediction = predict(a_scenario(vms=(vm,)))
    assert prediction.vms.quantity("m1", "cpu_pct").value == pytest.approx(cpu)
    assert prediction.vms.quantity("m1", "cpu_pct").measured == pytest.approx(cpu)
    assert prediction.vms.quantity("m1", "iops").value == pytest.approx(iops, rel=1e-4)
    assert prediction.vms.quantity("m1", "response_ms").value is None
    assert prediction.vms.quantity("m1", "ready_pct").value == 0


def test_derating_makes_no_run_measured() -> None:
    scenario = with_policy(wv21("clovertown", "vmfs", 14.5, 2000.0), benchmark_derating=2.0)
    prediction = predict(scenario)
    quantity = prediction.vms.quantity("m1", "cpu_pct")
    assert prediction.vms.offered_users[0] == 4000
    assert (quantity.basis, quantity.measured) == (Basis.INTERPOLATED, None)
    assert quantity.value == predict(wv21("clovertown", "vmfs", 14.5, 4000.0)).vms.cpu_pct.value[0]


@pytest.mark.parametrize(
    ("change", "basis"),
    [
        ({"workload": {"active_users": 3500.0}}, Basis.INTERPOLATED),
        ({"workload": {"active_users": 6300.0}}, Basis.EXTRAPOLATED),
        ({"workload": {"release": "6.5"}}, Basis.TRANSFERRED),
        ({"workload": {"release": "7.0.3"}}, Basis.TRANSFERRED),
        ({"vcpus": 2}, Basis.TRANSFERRED),
        ({"disk_mode": DiskMode.NFS}, Basis.TRANSFERRED),
        ({"ram_gib": 10.0}, Basis.INTERPOLATED),
        ({"ram_gib": 4.0}, Basis.EXTRAPOLATED),
    ],
)
def test_the_basis_says_how_far_from_a_run(change: dict[str, object], basis: Basis) -> None:
    vm = wv21("clovertown", "vmfs", 14.5, 4000.0).vms[0]
    work = replace(vm.workload, **change.pop("workload", {}))  # type: ignore[arg-type]
    scenario = wv21("clovertown", "vmfs", 14.5, 4000.0).with_item(
        replace(vm, workload=work, **change)  # type: ignore[arg-type]
    )
    prediction = predict(scenario)
    assert prediction.vms.quantity("m1", "cpu_pct").basis is basis
    assert prediction.vms.quantity("m1", "response_ms").basis is basis


@pytest.mark.parametrize(
    ("change", "cpu", "response"),
    [
        ({"pool": {"spindles": 60}}, Basis.MEASURED, Basis.MEASURED),
        ({"pool": {"spindles": 20}}, Basis.TRANSFERRED, Basis.TRANSFERRED),
        ({"pool": {"disk": "sata-7k2"}}, Basis.TRANSFERRED, Basis.TRANSFERRED),
        ({"pool": {"raid": "10"}}, Basis.TRANSFERRED, Basis.TRANSFERRED),
        ({"pool": {"array": "fas3040", "raid": "dp"}}, Basis.TRANSFERRED, Basis.TRANSFERRED),
        ({"host": {"hypervisor": "esx-3.0.2"}}, Basis.TRANSFERRED, Basis.TRANSFERRED),
        ({"mail_file_mb": 85.0}, Basis.MEASURED, Basis.MEASURED),
        ({"mail_file_mb": 500.0}, Basis.TRANSFERRED, Basis.TRANSFERRED),
        (
            {"vm": {"cluster_partners": ("m2",)}, "host": {"ram_gib": 32.0}},
            Basis.TRANSFERRED,
            Basis.TRANSFERRED,
        ),
    ],
)
def test_measured_is_this_very_configuration(
    change: dict[str, Any], cpu: Basis, response: Basis
) -> None:
    run = wv21("clovertown", "vmfs", 14.5, 4000.0)
    work = replace(run.vms[0].workload, mail_file_mb=change.get("mail_file_mb", 87.5))
    vm = replace(run.vms[0], workload=work, **change.get("vm", {}))
    scenario = replace(
        run,
        hosts=(replace(run.hosts[0], **change.get("host", {})),),
        pools=(replace(run.pools[0], **change.get("pool", {})),),
        vms=(vm, a_vm("m2", 0.0)) if vm.cluster_partners else (vm,),
    )
    prediction = predict(scenario)
    assert prediction.vms.quantity("m1", "cpu_pct").basis is cpu
    assert prediction.vms.quantity("m1", "response_ms").basis is response


def test_members_of_old_domino_clusters_cost_what_r5_showed() -> None:
    run = wv21("clovertown", "vmfs", 14.5, 4000.0)
    pushing = replace(run.vms[0], cluster_partners=("m2",))
    member = replace(run, vms=(pushing, a_vm("m2", 0.0)))
    plain, clustered = predict(run).vms, predict(member).vms
    c = CALIBRATION.constants.cluster_r5
    for name, factor in (("cpu_pct", c.cpu_factor), ("iops", c.disk_factor)):
        before, after = plain.quantity("m1", name), clustered.quantity("m1", name)
        assert (after.value or 0) == pytest.approx((before.value or 0) * factor.value)
        assert after.basis is Basis.TRANSFERRED
        assert (after.high or 0) / (after.value or 1) > (before.high or 0) / (before.value or 1)
    assert set(c.disk_factor.evidence) <= set(clustered.quantity("m1", "iops").evidence)


@pytest.mark.parametrize("mode", list(DiskMode))
def test_no_path_that_misses_the_array_was_measured_on_it(mode: DiskMode) -> None:
    block = predict(a_scenario(vms=(a_vm(users=4000.0, disk_mode=mode),)))
    bases = {block.vms.quantity("m1", name).basis for name in ("cpu_pct", "iops")}
    reaches = mode in (DiskMode.VMFS, DiskMode.RDM, DiskMode.NFS)
    assert (bases == {Basis.MEASURED}) == reaches
    assert (Basis.MEASURED in bases) == reaches


def test_family_b_was_measured_on_its_own_array() -> None:
    for pool, basis in (
        (a_pool(), Basis.MEASURED),
        (a_pool(array="ibm-ds4800", raid="5"), Basis.TRANSFERRED),
    ):
        prediction = predict(a_scenario(pools=(pool,), vms=(a_vm("m1", 4000.0),)))
        assert prediction.vms.quantity("m1", "cpu_pct").basis is basis


ESX = CALIBRATION.law.esx_cpu_factor


def test_other_machines_follow_the_spec_rate_and_widen_the_interval() -> None:
    here = wv21("clovertown", "vmfs", 14.5, 4000.0)
    there = here.with_item(replace(here.hosts[0], server="x3650m5", ram_gib=64.0))
    before, after = (predict(s).vms.quantity("m1", "cpu_pct") for s in (here, there))
    assert before.value
    assert after.value
    assert before.high
    assert after.high
    by_a = before.value * 8.63 / 8 / (149.0 / 28)
    by_b = 28.74 / 2 / 0.62 * ESX * 25.03 / 8 / (149.0 / 28)  # 2 vCPUs, 8.0's CPU, ESX 3.0
    assert after.value == pytest.approx(math.sqrt(by_a * by_b), rel=0.01)
    assert after.low is not None
    assert after.low < by_a < by_b < after.high
    assert after.high / after.value > before.high / before.value
    assert after.basis is Basis.TRANSFERRED


def test_sametime_has_no_cpu_and_no_response_but_memory() -> None:
    vm = a_vm(users=50_000.0, kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1")
    prediction = predict(a_scenario(vms=(vm,)))
    for name in ("cpu_pct", "response_ms", "iops", "ready_pct", "network_mbps"):
        quantity = prediction.vms.quantity("m1", name)
        assert (quantity.value, quantity.basis) == (None, Basis.NO_DATA)
    assert prediction.hosts.quantity("h1", "cpu_pct").value is None
    ram = prediction.vms.quantity("m1", "ram_gib").value
    assert ram is not None
    assert ram > 8
    assert "; CPU and I/O not known for 1 VM;" in prediction.sentence
    diskless = predict(a_scenario(vms=(replace(vm, pool=None),)))
    assert diskless.sentence.startswith("Fits in RAM; CPU not known for 1 VM;")


def test_what_has_no_data_may_take_all_its_vcpus_of_its_host() -> None:
    """And no other VM's: 4 of 8 cores on top of what the mail server may take."""
    mail, silent = a_vm("m1", 4000.0), a_vm("m2", kind=WorkloadKind.GENERIC, vcpus=4)
    alone = predict(a_scenario(vms=(mail,))).hosts.quantity("h1", "cpu_pct")
    both = predict(a_scenario(vms=(mail, silent))).hosts.quantity("h1", "cpu_pct")
    assert (both.value, both.low) == (alone.value, alone.low)
    assert both.high == pytest.approx((alone.high or 0.0) + 50.0)


def test_a_generic_server_brings_its_own_figures() -> None:
    work: dict[str, Any] = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 2933.0, "iops": 100.0}
    vm = a_vm(measured_on=MEASURED_HERE, network_mbps=10.0, **work)
    prediction = predict(a_scenario(vms=(vm,)))
    assert prediction.vms.quantity("m1", "cpu_pct").value == pytest.approx(50.0)
    assert prediction.vms.quantity("m1", "cpu_pct").basis is Basis.RULE
    assert prediction.pools.quantity("p1", "iops").value == pytest.approx(100.0)
    assert prediction.vms.quantity("m1", "response_ms").value is None


@pytest.mark.parametrize("kind", [WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES])
def test_a_server_without_a_spec_rate_has_no_cpu_data(kind: WorkloadKind) -> None:
    from models.catalog.catalog import Catalog
    from models.evaluate import evaluate
    from models.evidence.knowledge import Knowledge
    from tests.models.worlds import CATALOG

    server = replace(CATALOG.servers["x3650m5"], id="mystery", spec_rate=None)
    catalog = CATALOG.merged(Catalog(servers={"mystery": server}))
    scenario = a_scenario(hosts=(a_host(server="mystery"),), vms=(a_vm(kind=kind),))
    prediction = evaluate(scenario, Knowledge(catalog, CALIBRATION))
    assert prediction.vms.quantity("m1", "cpu_pct").value is None
    assert found(prediction, "no-spec-rate")


# ------------------------------------------------------------------ any scenario


def test_an_empty_scenario_is_predicted() -> None:
    prediction = predict(Scenario(name="empty"))
    assert prediction.sentence == "Nothing runs yet."
    assert prediction.binding is None


def test_hosts_on_which_nothing_runs_are_near_no_limit() -> None:
    for vms in ((), (a_vm(powered_on=False),)):
        prediction = predict(replace(a_scenario(), vms=vms))
        assert prediction.sentence == "Nothing runs yet."
        assert (prediction.binding, prediction.runner_up) == (None, None)
        assert (prediction.shown.verdict, prediction.shown.words) == (None, "nothing to judge")


def test_vms_without_hosts_and_hosts_without_vms() -> None:
    prediction = predict(a_scenario(hosts=(), vms=(a_vm(host=None),)))
    assert prediction.vms.quantity("m1", "cpu_pct").value is None
    assert prediction.vms.quantity("m1", "iops").value is not None
    assert found(prediction, "unplaced")
    assert "1 VM has no host" in prediction.sentence
    assert predict(a_scenario(vms=())).hosts.quantity("h1", "cpu_pct").value == 0


def test_a_vm_that_is_off_takes_space_and_nothing_else() -> None:
    on, off = (predict(a_scenario(vms=(a_vm(powered_on=state),))) for state in (True, False))
    assert off.vms.quantity("m1", "cpu_pct").value == 0
    assert off.hosts.quantity("h1", "cpu_pct").value == 0
    assert off.pools.quantity("p1", "iops").value == 0
    assert off.vms.quantity("m1", "response_ms").value is None
    space = "capacity_pct"
    assert off.pools.quantity("p1", space).value == on.pools.quantity("p1", space).value


def test_dangling_ids_are_named() -> None:
    with pytest.raises(ModelError, match=r"vms\[0\]\.host: there is no “h9”"):
        predict(a_scenario(vms=(a_vm(host="h9"),)))
    with pytest.raises(ModelError, match=r"hosts\[0\]\.server: no server called “vax”"):
        predict(a_scenario(hosts=(a_host(server="vax"),)))


KINDS = st.sampled_from(list(WorkloadKind))


@st.composite
def vms(draw: st.DrawFn, id: str) -> Vm:
    return a_vm(
        id,
        draw(st.floats(0, 20_000)),
        host=draw(st.sampled_from(["h1", "h2", "h3", None])),
        pool=draw(st.sampled_from(["p1", "p2", None])),
        vcpus=draw(st.integers(1, 8)),
        ram_gib=draw(st.floats(0.5, 64)),
        disk_mode=draw(st.sampled_from(list(DiskMode))),
        kind=draw(KINDS),
        release=draw(st.sampled_from(["8.5.1", "7.0.2", "6.5", "9.0.1", "latest", ""])),
        powered_on=draw(st.booleans()),
        fault_tolerance=draw(st.booleans()),
        cluster_partners=draw(st.sampled_from([(), ("m0",)])),
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    servers = ("nehalem-ept", "ibm-x366", "intel-clovertown-whitebox", "r740-6148")
    hypervisors = ("vsphere-4.0", "esx-3.0.1", "none", "vsphere-6.7")
    base = a_cluster_of(3, vms=0)
    hosts = tuple(
        replace(
            host,
            server=draw(st.sampled_from(servers)),
            hypervisor=draw(st.sampled_from(hypervisors)),
            cluster=draw(st.sampled_from(["c1", None])),
        )
        for host in base.hosts
    )
    count = draw(st.integers(0, 8))
    return replace(
        base,
        hosts=hosts,
        pools=(a_pool("p1"), a_pool("p2", spindles=draw(st.integers(1, 50)))),
        vms=tuple(draw(vms(f"m{n}")) for n in range(count)),
    )


def columns(prediction: Prediction) -> dict[str, Series]:
    return {
        f"{table}.{field.name}": column
        for table in ("vms", "hosts", "pools")
        for field in fields(getattr(prediction, table))
        if isinstance(column := getattr(getattr(prediction, table), field.name), Series)
    }


@dear()
@given(scenarios())
def test_every_number_is_finite_ordered_or_no_data(scenario: Scenario) -> None:
    prediction = predict(scenario)
    for name, column in columns(prediction).items():
        known = column.basis != Basis.NO_DATA
        for end in (column.value, column.low, column.high):
            assert np.isfinite(end[known]).all(), name
            assert np.isnan(end[~known]).all(), name
        assert (column.low[known] <= column.value[known] * (1 + 1e-9) + 1e-12).all(), name
        assert (column.value[known] <= column.high[known] * (1 + 1e-9) + 1e-12).all(), name
        assert (column.value[known] >= 0).all(), name
    head = prediction.headroom
    for left in (head.cpu_pct, head.ram_pct, head.iops_pct, head.response_pct, head.failure_pct):
        assert left is None or np.isfinite(left)


@dear()
@given(scenarios(), st.randoms(use_true_random=False))
def test_the_order_of_vms_changes_nothing(scenario: Scenario, random: object) -> None:
    shuffled = list(scenario.vms)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = predict(scenario), predict(replace(scenario, vms=tuple(shuffled)))
    for vm in scenario.vms:
        for name in ("cpu_pct", "iops", "response_ms", "ready_pct"):
            a, b = one.vms.quantity(vm.id, name), other.vms.quantity(vm.id, name)
            assert (a.value is None) == (b.value is None)
            assert a.value is None or a.value == pytest.approx(b.value, rel=1e-9)
            assert (a.basis, a.evidence) == (b.basis, b.evidence)
    assert one.hosts.cpu_pct.value == pytest.approx(
        other.hosts.cpu_pct.value, rel=1e-9, nan_ok=True
    )
    assert (one.verdict, one.sentence) == (other.verdict, other.sentence)
    assert one.findings == other.findings
    assert [m.not_restarted for m in one.failures] == [m.not_restarted for m in other.failures]


@dear()
@given(scenarios())
def test_the_same_value_gives_the_same_prediction(scenario: Scenario) -> None:
    there_and_back = scenario.place([vm.id for vm in scenario.vms], "h1")
    for vm in scenario.vms:
        there_and_back = there_and_back.place([vm.id], vm.host)
    assume(there_and_back == scenario)  # a physical server on the way turns RDM into VMFS
    one, other = predict(scenario), predict(there_and_back)
    for name, column in columns(one).items():
        np.testing.assert_array_equal(column.value, columns(other)[name].value)
    assert (one.sentence, one.findings, one.failures) == (
        other.sentence,
        other.findings,
        other.failures,
    )


@dear()
@given(scenarios())
def test_what_is_placed_is_what_hosts_carry(scenario: Scenario) -> None:
    plain = replace(scenario, vms=tuple(replace(v, fault_tolerance=False) for v in scenario.vms))
    prediction = predict(plain)
    cores = np.array(
        [
            {"nehalem-ept": 8, "ibm-x366": 4, "intel-clovertown-whitebox": 8}.get(h.server, 40)
            for h in plain.hosts
        ]
    )
    carried = np.nansum(prediction.hosts.cpu_pct.value * cores)
    vcpus = np.array([vm.vcpus for vm in plain.vms])
    placed = np.array([vm.host is not None for vm in plain.vms], dtype=bool)
    asked = np.nansum((prediction.vms.cpu_pct.value * vcpus)[placed]) if len(placed) else 0.0
    assert carried == pytest.approx(asked, rel=1e-9, abs=1e-9)


@dear()
@given(scenarios(), st.floats(1.0, 3.0))
def test_more_load_never_leaves_more_room(scenario: Scenario, factor: float) -> None:
    heavier = replace(
        scenario,
        vms=tuple(
            replace(v, workload=replace(v.workload, active_users=v.workload.active_users * factor))
            for v in scenario.vms
        ),
    )
    before, after = predict(scenario).headroom, predict(heavier).headroom
    for name in ("cpu_pct", "ram_pct", "iops_pct", "response_pct"):
        less, more = getattr(after, name), getattr(before, name)
        if name == "response_pct" and None in (less, more):
            continue  # A response that may be anything is not known.
        assert (less is None) == (more is None)
        assert less is None or less <= more + 1e-9 * max(1.0, abs(more)), name


@dear()
@given(scenarios(), st.floats(1.0, 4.0))
def test_more_ram_never_means_more_io(scenario: Scenario, factor: float) -> None:
    roomier = replace(
        scenario, vms=tuple(replace(v, ram_gib=v.ram_gib * factor) for v in scenario.vms)
    )
    before, after = predict(scenario).vms.iops.value, predict(roomier).vms.iops.value
    assert (np.nan_to_num(after) <= np.nan_to_num(before) * (1 + 1e-12)).all()


@dear()
@given(scenarios(), st.floats(1.0, 3.0))
def test_a_vms_response_grows_with_its_own_users(scenario: Scenario, factor: float) -> None:
    for vm in scenario.vms[:1]:
        more = replace(
            vm, workload=replace(vm.workload, active_users=vm.workload.active_users * factor)
        )
        before = predict(scenario).vms.quantity(vm.id, "response_ms").value
        after = predict(scenario.with_item(more)).vms.quantity(vm.id, "response_ms").value
        assert (before is None) == (after is None)
        assert before is None or after is None or after >= before * (1 - 1e-9)


@dear()
@given(scenarios())
def test_two_disjoint_copies_stand_as_one_does(scenario: Scenario) -> None:
    def copy(suffix: str) -> Scenario:
        return replace(
            scenario,
            clusters=tuple(replace(c, id=c.id + suffix) for c in scenario.clusters),
            hosts=tuple(
                replace(h, id=h.id + suffix, cluster=h.cluster and h.cluster + suffix)
                for h in scenario.hosts
            ),
            pools=tuple(replace(p, id=p.id + suffix) for p in scenario.pools),
            vms=tuple(
                replace(
                    v,
                    id=v.id + suffix,
                    host=v.host and v.host + suffix,
                    pool=v.pool and v.pool + suffix,
                    cluster_partners=tuple(p + suffix for p in v.cluster_partners),
                )
                for v in scenario.vms
            ),
        )

    a, b = copy("a"), copy("b")
    both = replace(
        a,
        clusters=a.clusters + b.clusters,
        hosts=a.hosts + b.hosts,
        pools=a.pools + b.pools,
        vms=a.vms + b.vms,
    )
    one, two = columns(predict(a)), columns(predict(both))
    for name, column in one.items():
        half = len(column)
        for part in (two[name].value[:half], two[name].value[half:]):
            assert part == pytest.approx(column.value, rel=1e-9, nan_ok=True), name


def test_neighbours_make_a_vm_wait_and_answer_later() -> None:
    alone = predict(a_scenario(vms=(a_vm("m1", 4000.0),)))
    crowded = predict(
        a_scenario(vms=tuple(a_vm(f"m{n}", 5000.0 if n > 1 else 4000.0) for n in range(1, 9)))
    )
    for name in ("ready_pct", "response_ms"):
        assert crowded.vms.quantity("m1", name).value > alone.vms.quantity("m1", name).value  # type: ignore[operator]


def test_a_shared_pool_adds_its_own_waiting_once() -> None:
    """Six building blocks on one FAS3020: 14 I/Os an action, each waiting 1.4 ms longer."""
    pool = a_pool(spindles=66, hot_spares=2)
    block = a_vm("m1", 4000.0)
    alone = predict(a_scenario(pools=(pool,), vms=(block,))).vms.response_ms.value[0]
    hosts = tuple(a_host(f"h{n}") for n in (1, 2, 3))
    vms = tuple(replace(block, id=f"m{n}", host=f"h{n % 3 + 1}") for n in range(6))
    prediction = predict(a_scenario(hosts=hosts, pools=(pool,), vms=vms))
    value = prediction.vms.response_ms.value[0]
    assert alone == pytest.approx(80, abs=1)
    assert 87 < value < 100
    iops = prediction.vms.iops.value[0] / 4000 * CALIBRATION.law.think_time_ms / 1000
    latency = (
        prediction.pools.latency_ms.value[0]
        - predict(a_scenario(pools=(pool,), vms=(block,))).pools.latency_ms.value[0]
    )
    assert value - alone == pytest.approx(iops * latency, rel=0.05)


def test_a_saturated_pool_follows_the_asymptote_of_its_load() -> None:
    """R ≤ Z·(U − 1) plus what the VM takes alone, however much is asked."""
    think = CALIBRATION.law.think_time_ms
    alone = predict(a_scenario(vms=(a_vm("m1", 4000.0),))).vms.response_ms.value[0]
    for users in (20_000.0, 60_000.0, 1e6):
        pool = a_pool(spindles=10)
        vms = (a_vm("m1", 4000.0), a_vm("m2", users, host="h2"))
        prediction = predict(a_scenario(hosts=(a_host("h1"), a_host("h2")), pools=(pool,), vms=vms))
        busy = prediction.pools.utilisation_pct.value[0] / 100
        value = prediction.vms.response_ms.value[0]
        assert busy > 1
        assert 0.99 * think * (busy - 1) <= value <= think * (busy - 1) * 1.05 + 3 * alone + 2000


@pytest.mark.parametrize("hypervisor", ["esx-3.5", "vsphere-5.0"])
@pytest.mark.parametrize("release", ["6.5", "7.0.2", "8.5.1"])
@pytest.mark.parametrize("drives", [9, 12, 60])
def test_a_faster_host_is_never_slower(hypervisor: str, release: str, drives: int) -> None:
    """What an action asks of a busy pool is the same on every machine."""
    servers = ("x3850-tulsa", "x3650-e5430", "neh-x5550", "r740-6148", "dl380g11", "r7725-9355")
    found = []
    for server in servers:
        host = a_host(server=server, hypervisor=hypervisor)
        vms = (a_vm("m1", 1500.0, release=release), a_vm("m2", 1500.0, release=release))
        at = a_scenario(hosts=(host,), pools=(a_pool(spindles=drives),), vms=vms)
        found.append(predict(at).vms.response_ms.value[0])
    assert (np.diff(found) <= 1e-6 * np.array(found[1:])).all(), found


def test_the_low_end_knows_of_the_neighbours_too() -> None:
    pool = a_pool(spindles=10)
    vms = tuple(a_vm(f"m{n}", 20_000.0, host=f"h{n}") for n in (2, 3))
    hosts = tuple(a_host(f"h{n}") for n in (1, 2, 3))
    quiet = predict(a_scenario(hosts=hosts, pools=(pool,), vms=(a_vm("m1"),)))
    crowded = predict(a_scenario(hosts=hosts, pools=(pool,), vms=(a_vm("m1"), *vms)))
    low = crowded.vms.quantity("m1", "response_ms").low
    assert low is not None
    assert low > 2 * (quiet.vms.quantity("m1", "response_ms").low or 0)


def test_a_knee_is_not_cured_by_two_servers_on_one_host_and_pool() -> None:
    """2 × 3,000 users could meet the knee of 6,000: the high end and one finding say so."""
    one = wv21("clovertown", "vmfs", 14.5, 6000.0)
    half = wv21("clovertown", "vmfs", 14.5, 3000.0).vms[0]
    host = replace(one.hosts[0], ram_gib=40.0)
    two = replace(one, hosts=(host,), vms=(half, replace(half, id="m2", name="M2")))
    together = predict(one).vms.quantity("m1", "response_ms")
    value, _, high = ends_of_responses(two)[:, 0]
    assert value < 100
    assert high >= 0.95 * (together.high or 0)
    assert predict(two).vms.quantity("m1", "response_ms").value is None
    assert len(found(predict(two), "knee-shared")) == 1
    assert not found(predict(one), "knee-shared")


def test_without_a_pool_a_response_is_transferred_and_wider() -> None:
    run = wv21("clovertown", "vmfs", 14.5, 4000.0)
    bare = predict(run.with_item(replace(run.vms[0], pool=None)))
    with_pool, without = (p.vms.quantity("m1", "response_ms") for p in (predict(run), bare))
    assert (with_pool.basis, without.basis) == (Basis.MEASURED, Basis.TRANSFERRED)
    assert (without.high or 0) > (with_pool.high or 0)
    assert (without.low or 0) < (with_pool.low or 0)
    (finding,) = found(bare, "no-pool")
    assert finding.severity is Severity.WARNING
    assert "response" in finding.text


def test_partly_known_hosts_say_how_far_it_could_go() -> None:
    sametime = a_vm("m2", 80_000.0, kind=WorkloadKind.SAMETIME_COMMUNITY, vcpus=4)
    known, mixed = (
        predict(a_scenario(vms=vms_)).hosts.quantity("h1", "cpu_pct")
        for vms_ in ((a_vm("m1"),), (a_vm("m1"), sametime))
    )
    assert mixed.value == known.value
    assert mixed.high == pytest.approx((known.high or 0) + 50.0)
    assert mixed.basis is Basis.RULE


def test_more_ram_than_was_measured_serves_no_32_bit_system() -> None:
    wide, narrow = (
        [
            predict(a_scenario(vms=(a_vm(ram_gib=ram, guest_bits=bits),))).vms.iops.value[0]
            for ram in (4.0, 6.0, 14.5)
        ]
        for bits in (64, 32)
    )
    assert wide[0] > wide[1] > wide[2]
    assert narrow[:2] == wide[:2]
    assert narrow[2] == narrow[1]
