"""Hosts: what their VMs ask of them, as shares of what they have.

Each function takes columns, or one host whose inputs are traced (`models/formulas/traced.py`).
What adds up on a host is declared in `models/physics/host_sums.py`.
"""

from __future__ import annotations

from models.base.quantities import FloatArray
from models.base.texts import say
from models.formulas.traced import PER_CENT, Figure, labelled, plus

MBPS_PER_GBPS = Figure(1000.0, say("Mb in a Gb"))


def cpu_pct(busy: FloatArray | float, cores: FloatArray) -> FloatArray:
    """CPU of hosts [% of their cores]: 100·busy/cores.

    Args:
        busy: core-seconds per second of what runs there; `cores`: of the host.

    Valid below and above 100 %: what is asked for counts, not what runs. Source: arithmetic.
    """
    return PER_CENT * labelled("share of its cores", busy / cores)


def in_use_gib(guests: FloatArray, console: FloatArray) -> FloatArray:
    """Memory in use [GiB]: that of the VMs with overhead, and of the service console."""
    return labelled("memory in use", plus(guests, console), "GiB")


def ram_pct(in_use: FloatArray | float, installed: FloatArray) -> FloatArray:
    """Memory in use [% of what is installed]: 100·in use/installed, both in GiB."""
    return PER_CENT * labelled("share of what is installed", in_use / installed)


def ports_mbps(ports: FloatArray, gbps: FloatArray) -> FloatArray:
    """Speed of all network ports of a host [Mb/s]."""
    return labelled("speed of its ports", ports * gbps * MBPS_PER_GBPS, "Mb/s")


def network_pct(load: FloatArray | float, ports: FloatArray) -> FloatArray:
    """Network load [% of all ports together]: 100·load/ports, both in Mb/s."""
    return PER_CENT * labelled("share of its ports", load / ports)


def vcpus_per_core(vcpus: FloatArray, cores: FloatArray) -> FloatArray:
    """Virtual CPUs of what runs on a host over its cores [1]."""
    return vcpus / cores
