"""The table of somebody's own servers: its columns, and a row of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.base.fields import Field, field_at
from models.customer.measured import QUANTITIES
from models.scenario.scenario import Host, Observed, Pool, Vm, Workload

MOST_SERVERS = 2_000


@dataclass(frozen=True, slots=True)
class AskedOf:
    """A column of the table.

    Attributes:
        name: its heading, and its key in JSON.
        kind, path: the item of a scenario and the field that it becomes.
        about: for the schema, where no field says it; `unit` likewise.
        example: a cell of the template.
    """

    name: str
    kind: type | None = None
    path: str = ""
    about: str = ""
    example: str = ""
    is_number: bool = False

    @property
    def field(self) -> Field | None:
        return None if self.kind is None else field_at(self.kind, self.path)

    @property
    def holds_number(self) -> bool:
        return self.is_number if self.field is None else self.field.is_number

    @property
    def meaning(self) -> str:
        return self.about or (self.field.meaning if self.field is not None else "")


COLUMNS: tuple[AskedOf, ...] = (
    AskedOf("name", Vm, "name", "Name of the server; needed.", "Mail-01"),
    AskedOf("kind", Workload, "kind", "What it is; empty: domino-nrpc.", "domino-nrpc"),
    AskedOf("release", Workload, "release", example="12.0.2"),
    AskedOf("active_users", Workload, "active_users", example="400"),
    AskedOf("registered_users", Workload, "registered_users", example="1200"),
    AskedOf("mail_file_mb", Workload, "mail_file_mb", example="800"),
    AskedOf("profile", Workload, "profile", example="mail-browser"),
    AskedOf(
        "host", about="Name of its machine; servers with the same share it. Empty: its own.",
        example="esx-01",
    ),
    AskedOf("server", Host, "server", "Model of the machine: catalog id or name.", "r740-6148"),
    AskedOf("processor", about="Processor, where the catalog has no such model."),
    AskedOf("sockets", about="Processors of the machine.", is_number=True),
    AskedOf("cores", about="Cores of the machine.", is_number=True),
    AskedOf("clock_mhz", about="Clock of a core [MHz].", is_number=True),
    AskedOf(
        "spec_rate", about="SPECrate 2017 Integer base of the machine, where the processor is "
        "not in the catalog.", is_number=True,
    ),
    AskedOf(
        "hypervisor", Host, "hypervisor", "Catalog id or release of ESX; empty: none, a physical "
        "server.", "vsphere-7.0",
    ),
    AskedOf(
        "host_ram_gib", Host, "ram_gib", "Memory of the machine [GiB]; empty on a physical "
        "server: that of the server.", "384",
    ),
    AskedOf("vcpus", Vm, "vcpus", "Virtual processors; empty: cores of a physical server.", "4"),
    AskedOf("ram_gib", Vm, "ram_gib", example="16"),
    AskedOf("disk_mode", Vm, "disk_mode", "How it reaches its disks; empty: vmfs.", "vmfs"),
    AskedOf(
        "pool", about="Name of its disks; servers with the same share them. Empty: its own."
    ),
    AskedOf("array", Pool, "array"),
    AskedOf("disk", Pool, "disk"),
    AskedOf("spindles", Pool, "spindles"),
    AskedOf("raid", Pool, "raid"),
    AskedOf("measured_cpu_pct", Observed, "cpu_pct", "CPU of its vCPUs in a busy hour [%].", "18"),
    AskedOf("measured_iops", Observed, "iops", "Its host I/Os a second then.", "150"),
    AskedOf("measured_ram_gib", Observed, "ram_gib", "Memory in use then [GiB]."),
    AskedOf("measured_response_ms", Observed, "response_ms", "Mean response then [ms]."),
    AskedOf(
        "measured_transactions_per_min", Observed, "transactions_per_min",
        "Transactions of its Domino console in a minute then.",
    ),
)  # fmt: skip
BY_NAME: Mapping[str, AskedOf] = {each.name: each for each in COLUMNS}
MEASURED = "measured_"


@dataclass(frozen=True, slots=True)
class OwnServer:
    """A row of the table: `values` by the names of `COLUMNS`, without those that are empty;
    `place`: where it stands, such as ``row 3``."""

    place: str
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.values["name"])

    @property
    def measured(self) -> dict[str, float]:
        found = {name: self.values.get(f"{MEASURED}{name}") for name in QUANTITIES}
        return {name: value for name, value in found.items() if value is not None}
