"""What docs/model.md says of neighbours and of its own limits is what is predicted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models.base.quantities import Basis, FloatArray
from models.physics.inputs_of_formulas import core_seconds
from models.predict.prediction import Prediction
from models.scenario.scenario import DiskMode, Scenario
from tests.models.worlds import (
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    ends_of_responses,
    inputs_of,
    predict,
    wv21,
)

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "model.md").read_text("utf-8").split())


def blocks(vms: int, hosts: int) -> Prediction:
    """Building blocks in turn on hosts, on 64 drives of one pool."""
    ids = [f"h{n}" for n in range(hosts)]
    return predict(
        a_scenario(
            hosts=tuple(a_host(id) for id in ids),
            pools=(a_pool(spindles=66, hot_spares=2),),
            vms=tuple(a_vm(f"m{n}", 4000.0, host=ids[n % hosts]) for n in range(vms)),
        )
    )


def on(server: str, hypervisor: str, release: str, **fields: Any) -> Scenario:
    """3,000 users on 2 vCPUs and 8 GB."""
    if hypervisor == "none":
        fields = {**fields, "disk_mode": DiskMode.PHYSICAL}
    host = a_host(server=server, hypervisor=hypervisor, ram_gib=32.0)
    return a_scenario(hosts=(host,), vms=(a_vm(users=3000.0, release=release, **fields),))


def asked_pct(scenario: Scenario) -> float:
    """CPU that the VM asks for [% of its 2 vCPUs]."""
    return float(100 * core_seconds(inputs_of(scenario)).value[0] / 2)


@pytest.mark.parametrize(
    ("vms", "hosts", "said"),
    [
        (6, 3, "On three hosts (`building-block`) that is 100 ms"),
        (6, 1, "with all six on one, whose cores they wait for too, 101 ms"),
        (2, 1, "Two on one host, alone: 83 ms"),
    ],
)
def test_building_blocks_answer_as_said(vms: int, hosts: int, said: str) -> None:
    response = blocks(vms, hosts).vms.response_ms.value[0]
    assert said in PAGE
    assert said.endswith(f" {response:.0f} ms")


def test_a_server_that_is_split_reaches_as_far_as_said() -> None:
    one = wv21("clovertown", "vmfs", 14.5, 6000.0)
    half = wv21("clovertown", "vmfs", 14.5, 3000.0).vms[0]
    host = replace(one.hosts[0], ram_gib=40.0)
    two = replace(one, hosts=(host,), vms=(half, replace(half, id="m2", name="M2")))
    split, whole = (_reach(ends_of_responses(each)[:, 0]) for each in (two, one))
    assert f"at 14.5 GB: {split}, which is not known; one server of 6,000: {whole})" in PAGE


def _reach(ends: FloatArray) -> str:
    return f"{ends[0]:.0f} ms, up to {ends[2] / 1000:.1f} s"


def test_twin_machines_differ_as_said() -> None:
    twins = "intel-clovertown-whitebox", "ibm-x3650"
    whitebox, twin = (asked_pct(on(each, "vsphere-4.0", "7.0.2")) for each in twins)
    assert f"ask for {whitebox:.0f} % of 2 vCPUs of the Clovertown machine" in PAGE
    assert f"but for {twin:.0f} % on an x3650" in PAGE


@pytest.mark.parametrize(
    ("hypervisor", "said"), [("none", "physical"), ("esx-3.5", "on ESX 3.5"), ("vsphere-4.0", "on")]
)
def test_an_upgrade_across_the_seam_shows_the_jump(hypervisor: str, said: str) -> None:
    pct = predict(on("r710", hypervisor, "8.5.1")).vms.cpu_pct[0]
    ends = f"({pct.low:.1f}–{pct.high:.1f}) {said}"
    assert f"{pct.value:.1f} {ends}" in PAGE or f"{pct.value:.1f} % {ends}" in PAGE


@pytest.mark.parametrize("machine", ["intel-clovertown-whitebox", "r710"])
def test_the_size_of_mail_files_moves_io_and_response_and_not_cpu(machine: str) -> None:
    small, large = (
        predict(on(machine, "vsphere-4.0", "8.5.1", mail_file_mb=mb)).vms for mb in (87.5, 2000.0)
    )
    assert small.cpu_pct.value == pytest.approx(large.cpu_pct.value)
    for name in ("iops", "response_ms"):
        before, after = getattr(small, name)[0], getattr(large, name)[0]
        assert after.value > 1.05 * before.value
        assert after.high > 1.05 * before.high
        # Between the families the same drives bring what both say nearer.
        if machine == "r710" or name == "iops":
            assert after.high / after.value > before.high / before.value
        assert after.basis is Basis.TRANSFERRED
    assert "changes space, restart times, disk I/O and responses" in PAGE
