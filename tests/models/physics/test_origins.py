"""A factor that leads to a VM is among the evidence of its figures; one that does not is not."""

from __future__ import annotations

import pytest

from models.base.quantities import Basis
from models.scenario.scenario import Scenario
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import CALIBRATION, a_host, a_scenario, a_vm, predict, wv21

RELEASES = CALIBRATION.constants.releases
CPU_851, IOPS_851 = (
    set(constant.evidence) for constant in (RELEASES.cpu_factor_851, RELEASES.iops_factor_851)
)
CPU_7 = set(RELEASES.cpu_factor_7.evidence)
CLUSTER = CALIBRATION.constants.cluster_r5
FACTORS = (
    CPU_851 | CPU_7 | IOPS_851 | set(CLUSTER.cpu_factor.evidence + CLUSTER.disk_factor.evidence)
)


def behind(scenario: Scenario) -> tuple[set[str], set[str]]:
    """Factors among the evidence of CPU and of I/O of the first VM."""
    vms = predict(scenario).vms
    return set(vms.cpu_pct[0].evidence) & FACTORS, set(vms.iops[0].evidence) & FACTORS


@pytest.mark.parametrize(
    ("release", "cpu", "iops"),
    [
        ("7.0.2", set(), IOPS_851),
        ("8.5.1", CPU_851, set()),
        ("6.5", CPU_7, IOPS_851),
        ("9.0.1", CPU_851, set()),
    ],
)
def test_family_a_ran_7(release: str, cpu: set[str], iops: set[str]) -> None:
    (vm,) = wv21("clovertown", "vmfs", 14.5, 2000.0).vms
    other = a_vm(users=2000.0, release=release, vcpus=4, ram_gib=14.5, disk_mode=vm.disk_mode)
    scenario = wv21("clovertown", "vmfs", 14.5, 2000.0).with_item(other)
    assert behind(scenario) == (cpu, iops)


@pytest.mark.parametrize(
    ("release", "cpu", "iops"),
    [
        ("8.5.1", set(), set()),
        ("7.0.2", CPU_851, IOPS_851),
        ("8.0", CPU_851, IOPS_851),
        ("6.5", CPU_851 | CPU_7, IOPS_851),
    ],
)
@pytest.mark.parametrize("kind", [WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES])
def test_family_b_ran_851(kind: WorkloadKind, release: str, cpu: set[str], iops: set[str]) -> None:
    # iNotes before 8.5.1 costs as 8.0: nothing says what 6.5 took.
    expected = cpu - CPU_7 if kind is WorkloadKind.DOMINO_INOTES else cpu
    assert behind(a_scenario(vms=(a_vm(release=release, kind=kind),))) == (expected, iops)


def test_members_of_domino_clusters_under_family_a() -> None:
    old = a_host(server="ibm-x366", hypervisor="esx-3.0.1", ram_gib=16.0)
    members = tuple(
        a_vm(id, release="7.0.2", vcpus=4, ram_gib=6.0, cluster_partners=(partner,))
        for id, partner in (("m1", "m2"), ("m2", "m1"))
    )
    cpu, iops = behind(a_scenario(hosts=(old,), vms=members))
    assert cpu == set(CLUSTER.cpu_factor.evidence)
    assert iops == IOPS_851 | set(CLUSTER.disk_factor.evidence)


def test_a_transferred_figure_keeps_the_rows_of_its_law() -> None:
    figure = predict(a_scenario(vms=(a_vm(release="7.0.2"),))).vms.cpu_pct[0]
    assert figure.basis is Basis.TRANSFERRED
    assert set(CALIBRATION.constants.mail85.cpu_core_pct_per_user.evidence) <= set(figure.evidence)
