"""The scenario of a table of servers: one machine and one set of disks for each name of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from models.against.table import BY_NAME, COLUMNS, MEASURED, OwnServer
from models.base.errors import ModelError
from models.base.fields import Word, check_fields
from models.base.texts import Text, joined, say
from models.catalog.catalog import Catalog, Processor, Server
from models.catalog.own_hardware import rated_server
from models.intake.hardware import Hardware, hypervisor_of
from models.intake.records import HostRecord
from models.scenario.scenario import (
    NO_HYPERVISOR,
    DiskMode,
    Host,
    LoadBasis,
    Observed,
    Policy,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind

T = TypeVar("T", Host, Pool)


@dataclass(slots=True)
class Built:
    """Machines, disks and servers of the rows so far; `left`: rows that make none, and why."""

    shipped: Catalog
    processors: Mapping[str, Processor]
    hosts: dict[str, Host] = field(default_factory=dict)
    pools: dict[str, Pool] = field(default_factory=dict)
    vms: list[Vm] = field(default_factory=list)
    left: list[tuple[OwnServer, Text]] = field(default_factory=list)
    own: dict[str, Server] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    hardware: Hardware = field(init=False)

    def __post_init__(self) -> None:
        self.hardware = Hardware(self.shipped, self.processors.values())

    @property
    def catalog(self) -> Catalog:
        own = {**self.shipped.servers, **self.hardware.own, **self.own}
        return replace(self.shipped, servers=own)

    def scenario(self, basis: LoadBasis) -> Scenario:
        return Scenario(
            name="own servers",
            policy=Policy(load_basis=basis, benchmark_derating=1.0),
            hosts=tuple(self.hosts.values()),
            pools=tuple(self.pools.values()),
            vms=tuple(self.vms),
        )

    def add(self, row: OwnServer) -> None:
        if row.name in self.names:
            raise ModelError(say("is given twice"), field=f"{row.place}, name")
        self.names.add(row.name)
        try:
            why = self._add(row)
        except ModelError as error:
            place = f"{row.place}, {error.field}" if error.field else row.place
            raise ModelError(error.reason, field=place) from error
        if why is not None:
            self.left.append((row, why))

    def _add(self, row: OwnServer) -> Text | None:
        """Why the row makes no server; None where it does."""
        given = row.values
        hypervisor = self._hypervisor(given.get("hypervisor"))
        is_physical = hypervisor == NO_HYPERVISOR
        server = self._server(row)
        if server is None:
            return say(
                "its machine is not in the catalog, and neither its cores nor its processor and "
                "sockets are given"
            )
        vcpus = given.get("vcpus", self.catalog.servers[server].cores if is_physical else None)
        memory = given.get("host_ram_gib", given.get("ram_gib") if is_physical else None)
        needed = {"vcpus": vcpus, "ram_gib": given.get("ram_gib"), "host_ram_gib": memory}
        missing = [name for name, value in needed.items() if value is None]
        if missing:
            return say("not given: {columns}", columns=joined(", ", missing))
        host = self._host(row, server, hypervisor, float(memory))
        mode = DiskMode.PHYSICAL if is_physical else DiskMode.VMFS
        vm = Vm(
            id=f"s{len(self.vms) + 1}",
            name=row.name,
            host=host,
            pool=self._pool(row),
            vcpus=_whole(vcpus, "vcpus"),
            ram_gib=float(given["ram_gib"]),
            disk_mode=_word(given.get("disk_mode", mode), "disk_mode"),
            workload=_workload(given),
            observed=Observed(**row.measured) if row.measured else None,
        )
        _checked(vm)
        self.vms.append(vm)
        return None

    def _hypervisor(self, said: str | None) -> str:
        if said is None or said.casefold() in {NO_HYPERVISOR, "physical"}:
            return NO_HYPERVISOR
        known = self.shipped.hypervisors
        found = (said, True) if said in known else hypervisor_of(said, known)
        if found is None:
            raise ModelError(say("names no release of ESX"), field="hypervisor")
        return found[0]

    def _server(self, row: OwnServer) -> str | None:
        """Id of its machine in the catalog, or of an entry made for it."""
        given = row.values
        said = str(given.get("server", ""))
        servers = self.shipped.servers
        alike = [
            id for id, each in servers.items()
            if said.casefold() in {id, each.name.casefold(), each.model.casefold()}
        ]  # fmt: skip
        if said in servers or len(alike) == 1:
            return said if said in servers else alike[0]
        cores, sockets = given.get("cores"), given.get("sockets")
        if given.get("spec_rate") is not None and cores is not None:
            made = rated_server(
                name=said or row.name,
                sockets=_whole(sockets or 1, "sockets"),
                cores=_whole(cores, "cores"),
                spec_rate=given["spec_rate"],
                base_mhz=given.get("clock_mhz"),
                taken=self.catalog.servers,
            )
            self.own[made.id] = made
            return made.id
        processor = str(given.get("processor", ""))
        if cores is None and sockets is not None:
            cores = self.hardware.cores_of(processor, _whole(sockets, "sockets"))
        record = HostRecord(
            name=row.name, model=said, cpu_model=processor, sockets=sockets, cores=cores,
            speed_mhz=given.get("clock_mhz"),
        )  # fmt: skip
        return self.hardware.server(record)

    def _host(self, row: OwnServer, server: str, hypervisor: str, memory: float) -> str:
        name = str(row.values.get("host", row.name))
        shared = "host" in row.values
        key = name.casefold() if shared else f"\n{row.name}"
        host = Host(
            id=f"h{len(self.hosts) + 1}", name=name, server=server, hypervisor=hypervisor,
            ram_gib=memory,
        )  # fmt: skip
        is_shared = key in self.hosts
        reason = say("is another machine than the one of this name in a row before")
        there = _kept(self.hosts, key, host, ModelError(reason, field="host"))
        if is_shared and hypervisor == NO_HYPERVISOR:
            raise ModelError(say("has no hypervisor and can’t be shared"), field="host")
        return there.id

    def _pool(self, row: OwnServer) -> str | None:
        """Id of its disks; None where they aren't told in full."""
        given, parts = row.values, ("array", "disk", "spindles", "raid")
        name = str(given.get("pool", row.name))
        key = name.casefold() if "pool" in given else f"\n{row.name}"
        if any(given.get(part) is None for part in parts):
            return self.pools[key].id if key in self.pools else None
        for part, known in (("array", self.shipped.arrays), ("disk", self.shipped.disks)):
            if given[part] not in known:
                raise ModelError(say("is not in the catalog"), field=part)
        pool = Pool(
            id=f"p{len(self.pools) + 1}", name=name, array=given["array"], disk=given["disk"],
            spindles=_whole(given["spindles"], "spindles"), raid=given["raid"].lower(),
        )  # fmt: skip
        reason = say("are other disks than those of this name in a row before")
        return _kept(self.pools, key, pool, ModelError(reason, field="pool")).id


def _kept(found: dict[str, T], key: str, item: T, unlike: ModelError) -> T:
    """The item of this name, from a row before or from now on.

    Raises:
        ModelError: `unlike`, where the one of a row before is another.
    """
    there = found.get(key)
    if there is None:
        _checked(item)
        found[key] = item
        return item
    if replace(item, id=there.id, name=there.name) != there:
        raise unlike
    return there


def _workload(given: Mapping[str, Any]) -> Workload:
    said = {
        each.path: _word(given[each.name], each.name) if each.field.is_word else given[each.name]
        for each in COLUMNS
        if each.kind is Workload and each.field is not None and given.get(each.name) is not None
    }
    return Workload(**{"kind": WorkloadKind.DOMINO_NRPC, **said})


def _word(said: str, column: str) -> Any:
    """The word of a field that a cell says.

    Raises:
        ModelError: it is none of them.
    """
    asked = BY_NAME[column].field
    assert asked is not None
    kind: type[Word] = asked.type
    try:
        return kind(str(said).casefold())
    except ValueError:
        words = joined(", ", (each.value for each in kind))
        raise ModelError(
            say("is not known; there are {words}", words=words), field=column
        ) from None


def _whole(value: float, column: str) -> int:
    if value != int(value) or value < 1:
        raise ModelError(say("must be a whole number from 1 on"), field=column)
    return int(value)


def _checked(item: Vm | Host | Pool) -> None:
    """Raises:
    ModelError: a figure is out of its bounds; `field` is the column.
    """
    try:
        check_fields(item)
    except ModelError as error:
        names = {(each.kind, each.path): each.name for each in COLUMNS if each.kind is not None}
        path = error.field or ""
        inner = path.partition(".")[2]
        column = names.get((type(item), path)) or next(
            (name for (_, at), name in names.items() if inner and at == inner), path
        )
        if path.startswith("observed."):
            column = f"{MEASURED}{inner}"
        raise ModelError(error.reason, field=column) from None
