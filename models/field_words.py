"""What the fields of a scenario are called where they stand alone, and their units.

In a list of changes, in an appendix or beside a formula no heading says what a label is about, so
these words say it themselves. The units are those of the field names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from models.scenario import (
    Admission,
    Affinity,
    Assumptions,
    Cluster,
    Host,
    Policy,
    Pool,
    Scenario,
    Vm,
    Workload,
)


@dataclass(frozen=True, slots=True)
class FieldWords:
    """Name and unit of one field; the unit is empty for words, flags and plain counts."""

    label: str
    unit: str = ""


def _words(**fields: tuple[str, str] | str) -> Mapping[str, FieldWords]:
    return MappingProxyType(
        {
            name: FieldWords(*words) if isinstance(words, tuple) else FieldWords(words)
            for name, words in fields.items()
        }
    )


FIELD_WORDS: Mapping[type, Mapping[str, FieldWords]] = MappingProxyType(
    {
        Scenario: _words(customer="customer", author="author", notes="notes"),
        Policy: _words(
            cpu_limit_pct=("CPU limit", "%"),
            response_limit_ms=("response limit", "ms"),
            benchmark_derating=("derating: benchmark users per user", "×"),
            peak_factor_cpu=("CPU peak over average", "×"),
            peak_factor_iops=("IOPS peak over average", "×"),
            vcpus_per_core_limit="limit of vCPUs per core",
            memory_overcommit=("memory overcommit", "×"),
            disk_limit_pct=("disk utilisation limit", "%"),
            network_limit_pct=("network limit", "%"),
            capacity_limit_pct=("disk space limit", "%"),
            mail_growth_pct=("mail growth", "%"),
        ),
        Cluster: _words(name="name"),
        Admission: _words(
            policy="admission control",
            host_failures="host failures tolerated",
            cpu_pct=("CPU reserved for failures", "%"),
            ram_pct=("RAM reserved for failures", "%"),
            failover_host="failover host",
            more_failover_hosts="further failover hosts",
            slot_cpu_cap_mhz=("largest CPU of a slot", "MHz"),
            slot_ram_cap_mib=("largest RAM of a slot", "MiB"),
            vm_cpu_min_mhz=("CPU of a VM without reservation", "MHz"),
            vm_ram_min_mib=("RAM of a VM without reservation", "MiB"),
        ),
        Host: _words(
            name="name",
            server="server",
            hypervisor="hypervisor",
            ram_gib=("RAM", "GiB"),
            cluster="cluster",
            ft_logging_gbps=("FT logging network", "Gb/s"),
            nics="network ports",
            nic_gbps=("speed of a network port", "Gb/s"),
            failure_group="failure group",
        ),
        Pool: _words(
            name="name",
            array="array",
            disk="drive",
            spindles=("drives", "drives"),
            raid="RAID level",
            hot_spares=("hot spares", "drives"),
            raid_group=("RAID group", "drives"),
            read_share="share of reads",
        ),
        Vm: _words(
            name="name",
            host="host",
            pool="data pool",
            vcpus=("vCPUs", "vCPUs"),
            ram_gib=("RAM", "GiB"),
            disk_mode="disk path",
            fault_tolerance="Fault Tolerance",
            powered_on="powered on",
            guest_bits=("guest", "bits"),
            memory_limit_gib=("memory limit", "GiB"),
            memory_reservation_gib=("memory reservation", "GiB"),
            cpu_reservation_mhz=("CPU reservation", "MHz"),
            restart_priority="restart priority",
            lun="LUN",
            log_pool="log pool",
            system_disk_gib=("system disk", "GiB"),
            log_disk_gib=("log disk", "GiB"),
            dedicated_nic="dedicated network port",
            cluster_partners="Domino cluster partners",
            groups="groups",
        ),
        Workload: _words(
            kind="workload",
            release="release",
            active_users=("active users", "users"),
            mail_file_mb=("mail file", "MB"),
            registered_users=("registered users", "users"),
            cpu_mhz=("own CPU figure", "MHz"),
            iops=("own IOPS figure", "IOPS"),
            memory_gib=("own memory figure", "GiB"),
            disk_gib=("own disk figure", "GiB"),
            network_mbps=("own network figure", "Mb/s"),
        ),
        Affinity: _words(kind="rule", vms="VMs", hosts="hosts"),
        Assumptions: _words(
            ha_detection_s=("detection by HA", "s"),
            guest_boot_s=("start of a guest", "s"),
            domino_start_s=("start of Domino's tasks", "s"),
            log_replay_s=("replay of transaction logs", "s"),
            consistency_check_s_per_gib=("check of databases without logs", "s/GiB"),
            reconnect_s=("all log in again after a network cut within", "s"),
            login_actions=("work of a login", "actions"),
            holiday_login_s=("all log in after a holiday within", "s"),
            holiday_peak_factor=("activity after a holiday over the usual one", "×"),
            holiday_s=("time users stay that active", "s"),
            array_controllers="controllers of an array",
        ),
    }
)


def words_of(kind: type, path: str) -> FieldWords:
    """The words of a field by its path inside an item; of one without, what its name says.

    >>> words_of(Vm, "workload.active_users").label, words_of(Host, "ram_gib").unit
    ('active users', 'GiB')
    >>> words_of(Host, "spare_ram_gib")
    FieldWords(label='spare RAM', unit='GiB')
    """
    *outer, name = path.split(".")
    known = FIELD_WORDS.get(_NESTED.get(outer[0], kind) if outer else kind, {})
    return known[name] if name in known else _spelled(name)


def _spelled(name: str) -> FieldWords:
    parts = name.split("_")
    unit = _UNITS.get(parts[-1], "") if len(parts) > 1 else ""
    words = [_SHORT.get(word, word) for word in (parts[:-1] if unit else parts)]
    return FieldWords(" ".join(words), unit)


_NESTED: Mapping[str, type] = MappingProxyType(
    {
        "workload": Workload,
        "admission": Admission,
        "policy": Policy,
        "assumptions": Assumptions,
    }
)
_SHORT = {word: word.upper() for word in ("cpu", "ram", "ft", "ha", "iops", "lun", "vm")}
_UNITS = {
    "pct": "%",
    "gib": "GiB",
    "mib": "MiB",
    "mb": "MB",
    "mhz": "MHz",
    "ms": "ms",
    "s": "s",
    "gbps": "Gb/s",
    "mbps": "Mb/s",
}
