"""Small scenarios to predict: one VM alone, several hosts, and pieces to change."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from app.calibrated import shipped_knowledge
from models.base.quantities import FloatArray
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.calibration import Calibration
from models.evidence.knowledge import Knowledge
from models.physics.estimates import Sources
from models.physics.inputs_of_formulas import Inputs
from models.physics.measured_load import MeasuredLoad
from models.physics.other_work import OtherDemand
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import demands_of, vm_stage
from models.predict.prediction import Finding, Prediction
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    LoadBasis,
    MeasuredOn,
    Policy,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind
from models.stages import undisturbed

AS_BENCHMARKED = Policy(benchmark_derating=1.0)
MEASURED_HERE = MeasuredOn(server="nehalem-ept", hypervisor="vsphere-4.0")

KNOWLEDGE: Knowledge = shipped_knowledge()
CATALOG: Catalog = KNOWLEDGE.catalog
CALIBRATION: Calibration = KNOWLEDGE.calibration


@lru_cache(maxsize=512)
def predict(scenario: Scenario) -> Prediction:
    """The scenario under the shipped catalog and calibration; many tests ask the same."""
    return evaluate(scenario, KNOWLEDGE)


def ends_of_responses(scenario: Scenario) -> FloatArray:
    """Value, low and high end of every response, those of which the range says nothing among
    them, (3, n)."""
    stage = demands_of(scenario, KNOWLEDGE)
    return undisturbed(stage, scenario.policy).responses.ends


def inputs_of(scenario: Scenario) -> Inputs:
    """What the demands of the scenario's VMs are worked out from."""
    arrays = to_arrays(scenario, CATALOG)
    return vm_stage(arrays, scenario.policy.derating, KNOWLEDGE, Sources()).inputs


def field_servers() -> OtherDemand:
    """Other work of two published production servers, on cores like theirs."""
    vms = tuple(
        a_vm(id, users=users, registered_users=owners, release="9.0.1", host=host, vcpus=16)
        for id, users, owners, host in (("a", 92.0, 408.0, "h1"), ("b", 206.0, 902.0, "h2"))
    )
    hosts = tuple(a_host(id, server="r740-6148", hypervisor="none") for id in ("h1", "h2"))
    policy = Policy(load_basis=LoadBasis.PRODUCTION)
    found = inputs_of(a_scenario(vms=vms, hosts=hosts, policy=policy)).other
    assert found is not None
    return found


def measured_loads(*hypervisors: str, iops: float = 2000.0) -> MeasuredLoad:
    """2,000 MHz of a physical Clovertown machine, under each hypervisor there."""
    place = MeasuredOn(server="intel-clovertown-whitebox", hypervisor="none")
    hosts = tuple(
        a_host(f"h{row}", server="intel-clovertown-whitebox", hypervisor=hypervisor)
        for row, hypervisor in enumerate(hypervisors)
    )
    work = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 2000.0, "iops": iops, "measured_on": place}
    vms = tuple(a_vm(f"v{row}", 0.0, host=host.id, **work) for row, host in enumerate(hosts))
    found = inputs_of(a_scenario(vms=vms, hosts=hosts)).own
    assert found is not None
    return found


def refused(scenario: Scenario) -> set[str]:
    """VMs that can't be powered on where they stand."""
    arrays = to_arrays(scenario, CATALOG)
    return {id for id, never in zip(arrays.vms.ids, arrays.refused, strict=True) if never}


def workload(users: float = 1000.0, **fields: Any) -> Workload:
    return Workload(
        **{
            "kind": WorkloadKind.DOMINO_NRPC,
            "release": "8.5.1",
            "active_users": users,
            "mail_file_mb": 87.5,
            **fields,
        }
    )


def a_vm(id: str = "m1", users: float = 1000.0, **fields: Any) -> Vm:
    work = {k: fields.pop(k) for k in tuple(fields) if k in Workload.__dataclass_fields__}
    return Vm(
        **{
            "id": id,
            "name": id.upper(),
            "host": "h1",
            "pool": "p1",
            "vcpus": 2,
            "ram_gib": 8.0,
            "disk_mode": DiskMode.VMFS,
            "workload": workload(users, **work),
            **fields,
        }
    )


def a_traveler(id: str = "t1", **fields: Any) -> Vm:
    """A Traveler server alone, of 100 users with 5,000 documents and 1.2 devices each."""
    work = {"traveler_users": 100.0, "documents_per_user": 5000.0, **fields}
    return a_vm(
        id, 0.0, kind=WorkloadKind.DOMINO_TRAVELER, release="14.0", mail_file_mb=0.0, **work
    )


def a_host(id: str = "h1", **fields: Any) -> Host:
    return Host(
        **{
            "id": id,
            "name": id.upper(),
            "server": "nehalem-ept",
            "hypervisor": "vsphere-4.0",
            "ram_gib": 72.0,
            **fields,
        }
    )


def a_pool(id: str = "p1", **fields: Any) -> Pool:
    return Pool(
        **{
            "id": id,
            "name": id.upper(),
            "array": "netapp-fas3020",
            "disk": "fc-15k-144gb",
            "spindles": 100,
            "raid": "dp",
            **fields,
        }
    )


def a_scenario(**fields: Any) -> Scenario:
    """One Nehalem host, one pool, one VM of 1,000 users; benchmark users."""
    return Scenario(
        **{
            "name": "test",
            "policy": AS_BENCHMARKED,
            "hosts": (a_host(),),
            "pools": (a_pool(),),
            "vms": (a_vm(),),
            **fields,
        }
    )


RESERVING = Cluster(
    id="c1",
    name="Mail",
    admission=Admission(policy=AdmissionPolicy.PERCENTAGE, cpu_pct=1.0, ram_pct=1.0),
)
"""A cluster that keeps next to nothing free for a host that fails, whose loss decides so."""


def a_cluster_of(hosts: int, *, vms: int, **vm_fields: Any) -> Scenario:
    """A cluster of like hosts with VMs dealt out to them in turn."""
    return a_scenario(
        clusters=(RESERVING if hosts > 1 else Cluster(id="c1", name="Mail"),),
        hosts=tuple(a_host(f"h{n + 1}", cluster="c1") for n in range(hosts)),
        vms=tuple(
            a_vm(f"m{n + 1}", **{"host": f"h{n % hosts + 1}", **vm_fields}) for n in range(vms)
        ),
    )


def on_vsan(
    hosts: int = 4, *, users: float = 100.0, release: str = "vsphere-6.7", **pool: Any
) -> Scenario:
    """A cluster whose hosts carry the drives of its one pool: of vSAN, four SSDs each."""
    drives: dict[str, Any] = {"array": "vsan-osa-af-8", "disk": "ssd-sata", "raid": "5"}
    drives |= {"spindles": 4 * hosts} | pool
    base = a_cluster_of(hosts, vms=hosts, users=users, disk_mode=DiskMode.VSAN)
    machine: dict[str, Any] = {"server": "r740-6148", "hypervisor": release, "ram_gib": 192.0}
    return replace(
        base,
        clusters=(RESERVING,),
        hosts=tuple(replace(host, cluster="c1", **machine) for host in base.hosts),
        pools=(a_pool(**drives),),
    )


def members(count: int, users: float, **fields: Any) -> Scenario:
    """Members of one Domino cluster, each on a host of its own and a partner of all others."""
    ids = [f"m{n + 1}" for n in range(count)]
    vms = tuple(
        a_vm(
            id,
            users,
            **{
                "host": f"h{n + 1}",
                "ram_gib": 16.0,
                "cluster_partners": tuple(other for other in ids if other != id),
                **fields,
            },
        )
        for n, id in enumerate(ids)
    )
    return replace(a_cluster_of(count, vms=0), vms=vms)


def with_policy(scenario: Scenario, **fields: Any) -> Scenario:
    return replace(scenario, policy=replace(scenario.policy, **fields))


SERVERS = {"x366": ("ibm-x366", 16.0), "clovertown": ("intel-clovertown-whitebox", 16.0)}


@cache
def wv21(platform: str, path: str, ram_gib: float, users: float) -> Scenario:
    """A run of WV21 as a scenario: one VM with 4 vCPUs on 35 drives of a DS4800."""
    server, ram = SERVERS[platform]
    physical = path == "physical"
    return a_scenario(
        hosts=(a_host(server=server, hypervisor="none" if physical else "esx-3.0.1", ram_gib=ram),),
        pools=(a_pool(array="ibm-ds4800", disk="fc-15k-36gb", spindles=35, raid="5"),),
        vms=(
            a_vm(
                users=users,
                release="7.0.2",
                vcpus=4,
                ram_gib=ram_gib,
                disk_mode=DiskMode(path),
            ),
        ),
    )


def found(prediction: Prediction, rule: str) -> list[Finding]:
    """The findings of one rule."""
    return [finding for finding in prediction.findings if finding.rule == rule]
