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
from models.texts import say


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
        Scenario: _words(customer=say("customer"), author=say("author"), notes=say("notes")),
        Policy: _words(
            cpu_limit_pct=(say("CPU limit"), "%"),
            response_limit_ms=(say("response limit"), "ms"),
            benchmark_derating=(say("derating: benchmark users per user"), "×"),
            peak_factor_cpu=(say("CPU peak over average"), "×"),
            peak_factor_iops=(say("IOPS peak over average"), "×"),
            vcpus_per_core_limit=say("limit of vCPUs per core"),
            memory_overcommit=(say("memory overcommit"), "×"),
            disk_limit_pct=(say("disk utilisation limit"), "%"),
            network_limit_pct=(say("network limit"), "%"),
            capacity_limit_pct=(say("disk space limit"), "%"),
            mail_growth_pct=(say("mail growth"), "%"),
        ),
        Cluster: _words(name=say("name")),
        Admission: _words(
            policy=say("admission control"),
            host_failures=say("host failures tolerated"),
            cpu_pct=(say("CPU reserved for failures"), "%"),
            ram_pct=(say("RAM reserved for failures"), "%"),
            failover_host=say("failover host"),
            more_failover_hosts=say("further failover hosts"),
            slot_cpu_cap_mhz=(say("largest CPU of a slot"), "MHz"),
            slot_ram_cap_mib=(say("largest RAM of a slot"), "MiB"),
            vm_cpu_min_mhz=(say("CPU of a VM without reservation"), "MHz"),
            vm_ram_min_mib=(say("RAM of a VM without reservation"), "MiB"),
        ),
        Host: _words(
            name=say("name"),
            server=say("server"),
            hypervisor=say("hypervisor"),
            ram_gib=(say("RAM"), "GiB"),
            cluster=say("cluster"),
            ft_logging_gbps=(say("FT logging network"), "Gb/s"),
            nics=say("network ports"),
            nic_gbps=(say("speed of a network port"), "Gb/s"),
            failure_group=say("failure group"),
        ),
        Pool: _words(
            name=say("name"),
            array=say("array"),
            disk=say("drive"),
            spindles=(say("drives"), say("drives")),
            raid=say("RAID level"),
            hot_spares=(say("hot spares"), say("drives")),
            raid_group=(say("RAID group"), say("drives")),
            read_share=say("share of reads"),
        ),
        Vm: _words(
            name=say("name"),
            host=say("host"),
            pool=say("data pool"),
            vcpus=(say("vCPUs"), say("vCPUs")),
            ram_gib=(say("RAM"), "GiB"),
            disk_mode=say("disk path"),
            fault_tolerance=say("Fault Tolerance"),
            powered_on=say("powered on"),
            guest_bits=(say("operating system"), say("bits")),
            memory_limit_gib=(say("memory limit"), "GiB"),
            memory_reservation_gib=(say("memory reservation"), "GiB"),
            cpu_reservation_mhz=(say("CPU reservation"), "MHz"),
            restart_priority=say("restart priority"),
            lun=say("LUN"),
            log_pool=say("log pool"),
            system_disk_gib=(say("system disk"), "GiB"),
            log_disk_gib=(say("log disk"), "GiB"),
            dedicated_nic=say("dedicated network port"),
            cluster_partners=say("Domino cluster partners"),
            groups=say("groups"),
        ),
        Workload: _words(
            kind=say("workload"),
            release=say("release"),
            active_users=(say("active users"), say("users")),
            mail_file_mb=(say("mail file"), "MB"),
            registered_users=(say("registered users"), say("users")),
            cpu_mhz=(say("own CPU figure"), "MHz"),
            iops=(say("own IOPS figure"), "IOPS"),
            memory_gib=(say("own memory figure"), "GiB"),
            disk_gib=(say("own disk figure"), "GiB"),
            network_mbps=(say("own network figure"), "Mb/s"),
        ),
        Affinity: _words(kind=say("rule"), vms=say("VMs"), hosts=say("hosts")),
        Assumptions: _words(
            ha_detection_s=(say("detection by HA"), "s"),
            guest_boot_s=(say("start of a guest"), "s"),
            domino_start_s=(say("start of Domino’s tasks"), "s"),
            log_replay_s=(say("replay of transaction logs"), "s"),
            consistency_check_s_per_gib=(say("check of databases without logs"), "s/GiB"),
            reconnect_s=(say("all log in again after a network cut within"), "s"),
            login_actions=(say("work of a login"), say("actions")),
            holiday_login_s=(say("all log in after a holiday within"), "s"),
            holiday_peak_factor=(say("activity after a holiday over the usual one"), "×"),
            holiday_s=(say("time users stay that active"), "s"),
            array_controllers=say("controllers of an array"),
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
