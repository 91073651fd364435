"""The example of the format's description, as text, document and project."""

from __future__ import annotations

import json
from typing import Any

from db.codec import scenario_from_json
from models.project.project import Project

EXAMPLE = """
{
  "format": "headroom-scenario", "version": 1, "name": "WV21 migration",
  "policy": {"cpu_limit_pct": 70, "response_limit_ms": 1000, "benchmark_derating": 2.0,
             "peak_factor_cpu": 1.0, "peak_factor_iops": 1.0, "vcpus_per_core_limit": 4.0,
             "memory_overcommit": 1.0},
  "clusters": [{"id": "c1", "name": "Mail",
                "admission": {"policy": "host-failures", "host_failures": 1}}],
  "hosts": [{"id": "h1", "name": "esx1", "cluster": "c1", "server": "intel-clovertown-whitebox",
             "hypervisor": "esx-3.0.1", "ram_gib": 16, "ft_logging_gbps": 1}],
  "pools": [{"id": "p1", "name": "DS4800 data", "array": "ibm-ds4800", "disk": "fc-15k-36gb",
             "spindles": 35, "raid": "5"}],
  "vms": [{"id": "m1", "name": "Mail-01", "host": "h1", "pool": "p1", "vcpus": 4,
           "ram_gib": 14.5, "disk_mode": "vmfs", "fault_tolerance": false,
           "workload": {"kind": "domino-nrpc", "release": "7.0.2", "active_users": 4000,
                        "mail_file_mb": 87.5}}]
}
"""


def example() -> dict[str, Any]:
    """A fresh copy of the example, to be changed."""
    document: dict[str, Any] = json.loads(EXAMPLE)
    return document


def encoded(document: object) -> bytes:
    return json.dumps(document).encode()


def a_project() -> Project:
    """A project with the example in it."""
    return Project.of(scenario_from_json(EXAMPLE.encode(), name="example.json"))
