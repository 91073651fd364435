"""HCL Traveler: space of its database, devices a server, and what stays not known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.calibrated import shipped_evidence
from models.evidence.rows import by_id
from models.options.requirement import Load, Requirement
from models.options.search import find_options
from models.physics import traveler
from models.predict.prediction import Verdict
from models.scenario.growth import grown
from models.scenario.scenario import Growth, Scenario
from models.whatif import what_if
from tests.models.worlds import (
    KNOWLEDGE,
    a_scenario,
    a_traveler,
    a_vm,
    inputs_of,
    predict,
)

GIB = 2.0**30


def used_gib(scenario: Scenario) -> float:
    return float(traveler.database_gib(inputs_of(scenario).arrays.vms).sum())


def alone(**fields: Any) -> Scenario:
    return a_scenario(vms=(a_traveler(**fields),))


def test_constants_are_those_of_the_evidence() -> None:
    rows = by_id(shipped_evidence())
    formula = rows["rule/hcl-traveler/database-space"].printed
    assert f"{traveler.BYTES_PER_DEVICE:.0f} x V + {traveler.BYTES_PER_DOCUMENT:.0f}" in formula
    assert rows["rule/hcl-traveler/devices-per-user"].value == traveler.DEVICES_PER_USER
    for system, pooled in (("windows", traveler.POOLED_DEVICES), ("linux", 5300)):
        row = rows[f"rule/hcl-traveler/max-devices-standalone-single-ha-ha-pool-{system}"]
        alone_, one, _ = (int(each) for each in row.printed.split(" / "))
        assert (alone_, one) == (traveler.ALONE_DEVICES, pooled)
    assert traveler.POOLED_LINUX_DEVICES == 5300


def test_its_database_takes_what_the_maker_says() -> None:
    """25 GB for 1,000 users with 5,000 documents and 1.5 devices each."""
    one = alone(traveler_users=1000.0, devices_per_user=1.5)
    assert used_gib(one) == pytest.approx(25.25e9 / GIB)
    measured = alone(traveler_users=1000.0, disk_gib=25.25e9 / GIB)
    assert predict(one).pools.capacity_pct.value == pytest.approx(
        predict(measured).pools.capacity_pct.value
    )


@pytest.mark.parametrize("elsewhere", [{"traveler_pool": True}, {"disk_gib": 40.0}])
def test_it_is_counted_once(elsewhere: dict[str, object]) -> None:
    """On a database server, or in the space that was measured, it isn't counted again."""
    assert used_gib(alone(**elsewhere)) == 0.0


def test_cpu_is_not_known_unless_measured() -> None:
    silent, measured = predict(alone()), predict(alone(cpu_mhz=400.0, iops=10.0))
    assert silent.verdict is Verdict.NOT_KNOWN
    assert silent.by_resource["cpu"] is Verdict.NOT_KNOWN
    assert silent.by_resource["space"] is Verdict.FITS
    assert measured.by_resource["cpu"] is Verdict.FITS


def test_space_without_documents_is_not_known() -> None:
    found = predict(alone(cpu_mhz=400.0, iops=10.0, documents_per_user=None))
    assert found.by_resource["space"] is Verdict.NOT_KNOWN
    assert found.verdict is Verdict.NOT_KNOWN


def test_too_many_devices_put_at_risk() -> None:
    found = predict(alone(cpu_mhz=400.0, iops=10.0, traveler_users=600.0))
    assert found.verdict is Verdict.AT_RISK
    assert found.by_resource["cpu"] is Verdict.AT_RISK


def test_users_and_documents_grow_and_measured_load_with_them() -> None:
    today = replace(
        alone(cpu_mhz=400.0, iops=10.0), growth=Growth(years=1.0, users_pct=10.0, mail_pct=20.0)
    )
    work = grown(today, 1.0).vms[0].workload
    assert work.traveler_users == pytest.approx(110.0)
    assert work.documents_per_user == pytest.approx(6000.0)
    assert work.cpu_mhz == pytest.approx(440.0)
    assert work.devices_per_user is None


def test_a_pool_is_one_in_each_of_many_copies() -> None:
    """Two what-ifs side by side don't make one pool of four servers."""
    vms = tuple(a_traveler(f"t{n}", traveler_users=2000.0, traveler_pool=True) for n in range(2))
    scenario = a_scenario(vms=(*vms, a_vm(users=100.0)))
    assert predict(scenario).by_resource["cpu"] is Verdict.AT_RISK
    several = what_if(scenario, KNOWLEDGE, users=[[0.0, 0.0, 100.0]] * 3)
    assert {int(code) for code in several.verdict} == {int(Verdict.AT_RISK)}


def test_size_makes_as_many_servers_as_the_maker_has_for_the_devices() -> None:
    """6,000 devices need two servers of a pool, and one that may be down."""
    work = replace(a_traveler().workload, traveler_users=5000.0, traveler_pool=True)
    wanted = Requirement(
        loads=(Load(work=work, vcpus=4, ram_gib=16.0),),
        servers=("r760-6530",),
        arrays=("gen-afa-mid",),
        host_failures=0,
        growth=Growth(),
    )
    options = find_options(wanted, KNOWLEDGE, keep=1).options
    assert options
    vms = options[0].scenario.vms
    assert [vm.workload.traveler_users for vm in vms] == [1667.0, 1667.0, 1666.0]
    assert options[0].today.verdict is Verdict.NOT_KNOWN
    assert not [
        f for f in options[0].today.findings if f.rule in ("traveler-devices", "traveler-pool")
    ]
