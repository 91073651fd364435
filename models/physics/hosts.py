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
    """CPU of hosts [% of their cores], 100·busy/cores.

    Args:
        busy: core-seconds per second of what runs there; `cores`: of the host.

    Valid below and above 100 %: what is asked for counts, not what runs. Source: the utilisation
    law, U = X·D per server.

    >>> cpu_pct(10.0, 8.0)
    125.0
    """
    return PER_CENT * labelled("share of its cores", busy / cores)


def in_use_gib(guests: FloatArray, console: FloatArray) -> FloatArray:
    """Memory in use on hosts [GiB]: VMs with their overhead + service console.

    Valid for memory as it is configured. Source: arithmetic.

    >>> in_use_gib(30.5, 0.5)
    31.0
    """
    return labelled("memory in use", plus(guests, console), "GiB")


def ram_pct(in_use: FloatArray | float, installed: FloatArray) -> FloatArray:
    """Memory in use [% of what is installed], 100·in use/installed, both in GiB.

    Valid below and above 100 %, as `in_use_gib` is. Source: arithmetic.

    >>> ram_pct(31.0, 62.0)
    50.0
    """
    return PER_CENT * labelled("share of what is installed", in_use / installed)


def ports_mbps(ports: FloatArray, gbps: FloatArray) -> FloatArray:
    """Speed of all network ports of a host [Mb/s], ports·speed·1,000.

    Valid where the ports carry load together. Source: Ethernet counts in powers of ten (IEEE
    802.3).

    >>> ports_mbps(4.0, 1.0)
    4000.0
    """
    return labelled("speed of its ports", ports * gbps * MBPS_PER_GBPS, "Mb/s")


def network_pct(load: FloatArray | float, ports: FloatArray) -> FloatArray:
    """Network load [% of all ports together], 100·load/ports, both in Mb/s.

    Valid where the ports carry load together. Source: arithmetic.

    >>> network_pct(400.0, 4000.0)
    10.0
    """
    return PER_CENT * labelled("share of its ports", load / ports)


def vcpus_per_core(vcpus: FloatArray, cores: FloatArray) -> FloatArray:
    """Virtual CPUs of what runs on a host over its cores [1], vCPUs/cores.

    Valid for any: a thread is no core. Source: arithmetic.

    >>> vcpus_per_core(12.0, 8.0)
    1.5
    """
    return vcpus / cores
