"""Intervals of predictions: around their value, rising with users, wider if less is known.

Checked far outside anything that was run, where ends used to fall below what any load gives.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.quantities import Quantity, Series
from models.scenario.scenario import DiskMode, Host, Scenario
from models.scenario.workloads import WorkloadKind
from models.studies.curves import Fan
from tests.chance import dear
from tests.models.worlds import (
    CALIBRATION,
    KNOWLEDGE,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    members,
    predict,
    wv21,
)
from tests.sweeps import often, some

USERS = np.concatenate([[1.0], np.geomspace(50.0, 200_000.0, 90)])
ROUNDING = 1e-9

RUNS = [
    ("clovertown", "physical", 7.25),
    ("clovertown", "rdm", 7.25),
    ("clovertown", "vmfs", 7.25),
    ("clovertown", "vmfs", 14.5),
    ("clovertown", "vmfs", 40.0),
    ("x366", "rdm", 6.0),
]


def elsewhere(server: str, hypervisor: str, release: str, partners: tuple[str, ...]) -> Scenario:
    """A VM that is transferred, on a large pool; one partner where it is in a Domino cluster."""
    path = DiskMode.PHYSICAL if hypervisor == "none" else DiskMode.VMFS
    vm = a_vm(release=release, disk_mode=path, cluster_partners=partners)
    others = tuple(a_vm(id, 10.0, host=None) for id in partners)
    return a_scenario(
        hosts=(a_host(server=server, hypervisor=hypervisor),),
        pools=(a_pool(spindles=2000),),
        vms=(vm, *others),
    )


PLACES = [
    ("nehalem-ept", "vsphere-4.0", "8.5.1", ()),
    ("nehalem-ept", "vsphere-4.0", "7.0.2", ("m2",)),
    ("ibm-x3650", "esx-3.5", "8.5.1", ()),
    ("ibm-x3650", "none", "6.5", ()),
]


def responses(scenario: Scenario, users: npt.ArrayLike = USERS) -> Series:
    """Of m1, with all of their ends: those of which the range says nothing are among them."""
    fan = Fan(scenario, KNOWLEDGE, scenario.vm("m1"))
    stage, estimate = fan.at(np.asarray(users, dtype=np.float64))
    return estimate.series(stage.inputs.sources)


def assert_sane(series: Series) -> None:
    for end in (series.low, series.value, series.high):
        assert np.all(np.isfinite(end))
        assert np.all(np.diff(end) >= -ROUNDING * end[1:])
    assert np.all(series.low <= series.value * (1 + ROUNDING))
    assert np.all(series.value <= series.high * (1 + ROUNDING))
    assert np.all(series.low > 0)


@pytest.mark.parametrize(("platform", "path", "ram"), RUNS)
def test_responses_of_the_runs_and_far_past_them(platform: str, path: str, ram: float) -> None:
    assert_sane(responses(wv21(platform, path, ram, 1000.0)))


@pytest.mark.parametrize(("server", "hypervisor", "release", "partners"), PLACES)
def test_transferred_responses(
    server: str, hypervisor: str, release: str, partners: tuple[str, ...]
) -> None:
    assert_sane(responses(elsewhere(server, hypervisor, release, partners)))


@pytest.mark.parametrize("drives", [12, 2000])
@pytest.mark.parametrize("mhz", [0.0, 22_000.0, 26_000.0])
@pytest.mark.parametrize("release", ["7.0.2", "8.5.1"])
@pytest.mark.parametrize("host", [a_host(), a_host(server="ibm-x3650", hypervisor="esx-3.0.1")])
def test_responses_beside_who_takes_the_cores_or_the_drives(
    host: Host, release: str, mhz: float, drives: int
) -> None:
    """Several resources short at once: what is waited at one is no time to ask at the next."""
    busy = a_vm("m2", 0.0, kind=WorkloadKind.GENERIC, cpu_mhz=mhz, iops=900.0, vcpus=8)
    vms = (a_vm("m1", release=release, vcpus=1), busy, a_vm("m3", 2000.0))
    assert_sane(
        responses(a_scenario(hosts=(host,), pools=(a_pool(spindles=drives),), vms=vms)),
    )


@pytest.mark.parametrize("quantity", ["cpu_pct", "iops"])
@pytest.mark.parametrize("place", [*RUNS, *PLACES], ids=str)
def test_demands(quantity: str, place: tuple[Any, ...]) -> None:
    """What a VM asks for does not depend on the others, so that all sizes stand side by side."""
    scenario = wv21(*place, 1000.0) if len(place) == 3 else elsewhere(*place)
    one, *others = scenario.vms
    sizes = tuple(
        replace(one, id=f"n{at}", workload=replace(one.workload, active_users=float(users)))
        for at, users in enumerate(USERS)
    )
    vms = predict(replace(scenario, vms=(*sizes, one, *others))).vms
    series: Series = getattr(vms, quantity)
    ends = np.array([series.low, series.value, series.high])[:, : len(sizes)]
    assert np.all(np.isfinite(ends))
    assert np.all(np.diff(ends, axis=1) >= -ROUNDING * ends[:, 1:])
    assert np.all(np.diff(ends, axis=0) >= -ROUNDING * ends[1:])


@pytest.mark.parametrize("quantity", ["cpu_pct", "iops"])
@pytest.mark.parametrize("received", some([1000.0, 4000.0, 8000.0, 20_000.0]))
def test_demands_of_cluster_members_beside_partners_of_any_size(
    quantity: str, received: float
) -> None:
    """What partners push is as far outside the runs as own users are: no end falls."""
    found = []
    for users in (1.0, 500.0, 2000.0, 4000.0, 4500.0, 6000.0, 8000.0, 12_000.0, 20_000.0):
        pair = members(2, received, vcpus=8)
        one = pair.vms[0]
        own = replace(one, workload=replace(one.workload, active_users=users))
        found.append(predict(pair.with_item(own)).vms.quantity("m1", quantity))
    ends = np.array([[each.low, each.value, each.high] for each in found], dtype=np.float64)
    assert np.all(np.diff(ends, axis=0) >= -ROUNDING * ends[1:])


def test_up_to_the_last_run_of_a_series_the_low_end_goes_with_the_law() -> None:
    """VMFS with 14.5 GB was run up to 6,000 users; from there on it stays."""
    users = (4000.0, 5000.0, 6000.0, 7000.0)
    found = responses(wv21("clovertown", "vmfs", 14.5, 1000.0), users).low
    low = dict(zip(users, found.tolist(), strict=True))
    assert 1.5 * low[4000.0] < low[5000.0] < low[6000.0] / 1.5
    assert low[7000.0] == pytest.approx(low[6000.0])


def test_past_the_last_run_a_response_is_at_least_what_was_seen() -> None:
    """RDM was run to 4,000 users with responses: 5,000 are extrapolated, not a failure."""
    scenario = wv21("clovertown", "rdm", 7.25, 1000.0)
    curve = responses(scenario, [4000.0, 5000.0, 8000.0])
    assert curve.value[1] > 10_000.0
    assert curve.low[0] == pytest.approx(curve.low[1]) == pytest.approx(curve.low[2])
    assert curve.low[1] < 546.0 < curve.high[1]
    assert curve[1].basis.label == "extrapolated"


def test_where_the_cpu_itself_is_short_the_low_end_rises_with_it() -> None:
    """What users ask of the CPU at least is a limit whatever the disks do."""
    scenario = wv21("clovertown", "rdm", 7.25, 1000.0)
    low = responses(scenario, [8000.0, 30_000.0]).low
    assert low[1] > 100.0 * low[0]


@dear()
@given(
    st.floats(1.0, 50_000.0),
    st.sampled_from(["7.0.2", "8.5.1", "6.5", "9"]),
    st.sampled_from([6.0, 7.25, 12.0, 14.5, 64.0]),
)
def test_less_known_is_never_narrower(users: float, release: str, ram: float) -> None:
    """CPU with the run's own release on its own machine against another release there."""
    known = predict(wv21("clovertown", "vmfs", ram, users)).vms
    scenario = wv21("clovertown", "vmfs", ram, users)
    (vm,) = scenario.vms
    vm = replace(vm, workload=replace(vm.workload, release=release))
    other = predict(replace(scenario, vms=(vm,))).vms
    one, two = known.cpu_pct, other.cpu_pct
    if max(one.high[0], two.high[0]) < 100.0:
        assert two.high[0] / two.low[0] >= one.high[0] / one.low[0] * (1 - ROUNDING)


@pytest.mark.parametrize("drives", [48, 66, 100, 1000])
def test_the_interval_of_a_latency_holds_what_was_measured(drives: int) -> None:
    """All three averages of the vSphere 4 paper, at any number of drives: it says none."""
    nrpc, web = CALIBRATION.constants.mail85, CALIBRATION.constants.inotes85
    mail = a_vm(users=4000.0)
    inotes = a_vm(users=4000.0, kind=WorkloadKind.DOMINO_INOTES)
    runs = (
        ((mail, replace(mail, id="m2")), nrpc.latency_ms),
        ((inotes,), web.latency_ms_8gb),
        ((replace(inotes, ram_gib=16.0),), web.latency_ms_16gb),
    )
    errors = []
    for vms, measured in runs:
        scenario = a_scenario(pools=(a_pool(spindles=drives),), vms=vms)
        latency = predict(scenario).pools.latency_ms
        assert latency.low[0] <= measured.value <= latency.high[0]
        errors.append(math.log(measured.value / latency.value[0]))
    assert 0.3 < math.sqrt(np.mean(np.square(errors))) < 0.41


@pytest.mark.parametrize("spindles", [6, 10, 20, 60])
@pytest.mark.parametrize(
    ("server", "hypervisor"),
    [
        ("intel-clovertown-whitebox", "esx-3.0.1"),
        ("ibm-x3650", "esx-3.5"),
        ("nehalem-ept", "vsphere-4.0"),
    ],
)
def test_a_release_that_asks_for_less_answers_no_later(
    server: str, hypervisor: str, spindles: int
) -> None:
    """However busy the disks are that it shares."""
    host, pool = a_host(server=server, hypervisor=hypervisor), a_pool(spindles=spindles)
    other = a_vm("m2", 2000.0, vcpus=4)
    found = []
    for release in ("6.5", "7.0.2", "8.5.1"):
        vms = (a_vm("m1", 1500.0, release=release, vcpus=4), other)
        found.append(responses(a_scenario(hosts=(host,), pools=(pool,), vms=vms)))
    for older, newer in pairwise(found):
        assert np.all(newer.value <= older.value * (1 + ROUNDING))


@pytest.mark.parametrize("ram", [6.0, 8.0, 10.0, 14.0])
def test_between_memory_that_was_run_users_go_as_far_as_both_runs_did(ram: float) -> None:
    """VMFS was run to 5,000 users with 7.25 GB and to 6,000 with 14.5: a size between them, or
    next to the smaller one, is known no further than 5,000."""
    found = responses(wv21("clovertown", "vmfs", ram, 1000.0), [5000.0, 6000.0])
    assert found.low[0] == pytest.approx(found.low[1])
    assert found[1].basis.label == "extrapolated"


@pytest.mark.parametrize("path", some(["physical", "rdm", "vmfs"]))
@pytest.mark.parametrize("ram", often([6.5, 7.25, 8.0, 14.5], [6.5, 14.5]))
def test_no_response_over_a_second_is_interpolated(path: str, ram: float) -> None:
    for users in np.linspace(500.0, 7000.0, 27).tolist():
        found = predict(wv21("clovertown", path, ram, users)).vms.quantity("m1", "response_ms")
        known = found.basis.label in {"measured", "interpolated"}
        assert not (known and found.value is not None and found.value > 1000.0)


def test_a_release_that_is_counted_together_with_another_is_known_less_well() -> None:
    def cpu(release: str) -> Quantity:
        scenario = wv21("clovertown", "vmfs", 7.25, 3000.0)
        one = scenario.vms[0]
        other = replace(one, workload=replace(one.workload, release=release))
        return predict(scenario.with_item(other)).vms.quantity("m1", "cpu_pct")

    run, together, unknown = cpu("7.0.2"), cpu("8.0"), cpu("7.0.3")
    assert run.value == together.value == unknown.value
    assert run.high is not None
    assert together.high is not None
    assert together.high > run.high
    assert together.high == unknown.high
