"""Hosts' processors and hypervisors as the catalog knows them; own entries where it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from models.base.errors import ModelError
from models.base.lettering import is_seen
from models.base.limits import LINE_LENGTH
from models.catalog.catalog import Catalog, Hypervisor, Processor, Role, Server
from models.catalog.own_hardware import custom_server, measured_nearest, rated_server
from models.intake.records import HostRecord

_NOISE = re.compile(
    r"\((?:r|tm|c)\)|®|™|@.*$|\bcpu\b|\bprocessor\b|\b\d+-core\b|\bdual-core\b|\bquad-core\b"
    r"|\bsix-core\b|\bwith radeon.*$",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.(\d{1,3}))?")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


@lru_cache(maxsize=4096)
def line(text: str, otherwise: str = "") -> str:
    """A text of a file as a name: one line, of bounded length.

    >>> line(" a\\tb "), line("\\x00", "VM 1")
    ('a b', 'VM 1')
    """
    found = " ".join(_UNSEEN.sub(" ", text).split())[:LINE_LENGTH].strip()
    return found if is_seen(found) else otherwise


@lru_cache(maxsize=4096)
def processor_key(name: str) -> str:
    """A processor's name without maker's marks, clock and filling words.

    >>> processor_key("Intel(R) Xeon(R) CPU E5-2620 0 @ 2.00GHz")
    'intel xeon e5-2620'
    >>> processor_key("AMD EPYC 7742 64-Core Processor"), processor_key("Intel Xeon Gold 6248")
    ('amd epyc 7742', 'intel xeon gold 6248')
    """
    plain = " ".join(_NOISE.sub(" ", name[:LINE_LENGTH]).casefold().split())
    return plain.removesuffix(" 0").strip()


def hypervisor_of(text: str, hypervisors: Mapping[str, Hypervisor]) -> tuple[str, bool] | None:
    """Catalog id of the release that a text names, and whether it is that very one; None: it names
    none. A release that the catalog has not is taken as the one before it.
    """
    found = _VERSION.search(text)
    if found is None:
        return None
    version = (int(found[1]), int(found[2]), int(found[3] or 0))
    known = sorted((each.version, id) for id, each in hypervisors.items() if any(each.version))
    before = [(at, id) for at, id in known if at <= version] or known[:1]
    if not before:
        return None
    at, id = before[-1]
    return id, at[:2] == version[:2]


@dataclass(slots=True)
class Hardware:
    """Servers of hosts: catalog ids, and the own entries made for them.

    Attributes:
        own: entries that the catalog lacked, by id.
        unrated: hosts whose processor has no published rate in the catalog; `unnamed`: of whose
            processor no file says which it is.
    """

    catalog: Catalog
    processors: Iterable[Processor]
    own: dict[str, Server] = field(default_factory=dict)
    unrated: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    _by_name: dict[str, list[Processor]] = field(default_factory=dict)
    _made: dict[tuple[object, ...], str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.processors:
            self._by_name.setdefault(processor_key(each.name), []).append(each)

    def cores_of(self, processor: str, sockets: int) -> int | None:
        """Cores of so many of a processor; None where the catalog has none of the name."""
        known = self._by_name.get(processor_key(processor), [])
        return sockets * known[0].cores_per_socket if known else None

    def server(self, host: HostRecord) -> str | None:
        """Id of the server that the host is; None where its cores aren't known."""
        if not host.cores or not 1 <= host.cores <= 100_000:
            return None
        what = (host.vendor, host.model, host.cpu_model, host.sockets, host.cores, host.threads)
        key = (*what, host.speed_mhz)
        if key not in self._made:
            self._made[key] = self._server(host)
        id = self._made[key]
        if id in self.own and self.own[id].spec_rate is None:
            (self.unrated if host.cpu_model else self.unnamed).append(host.name)
        return id

    def _server(self, host: HostRecord) -> str | None:
        cores = int(host.cores or 1)
        known = self._by_name.get(processor_key(host.cpu_model), [])
        each = known[0].cores_per_socket if known else cores
        sockets = int(host.sockets or 0) or max(1, cores // each)
        processor = measured_nearest(known, sockets) if known else None
        listed = self._listed(host, sockets, cores, processor)
        if listed is not None:
            return listed
        try:
            made = self._entry(host, sockets, cores, processor)
        except ModelError:
            return None
        self.own[made.id] = made
        return made.id

    def _listed(
        self, host: HostRecord, sockets: int, cores: int, processor: Processor | None
    ) -> str | None:
        """The catalog's server of this model with these processors."""
        model = host.model.casefold()
        if processor is None or not model:
            return None
        for id, each in self.catalog.servers.items():
            if each.role is not Role.PURCHASE or (each.sockets, each.cores) != (sockets, cores):
                continue
            same = processor_key(each.processor) == processor_key(processor.name)
            if same and each.model.casefold() in model:
                return id
        return None

    def _entry(
        self, host: HostRecord, sockets: int, cores: int, processor: Processor | None
    ) -> Server:
        maker = line(host.vendor) if line(host.vendor) not in line(host.model) else ""
        name = line(f"{maker} {host.model}", line(host.cpu_model, f"{cores} cores"))
        taken = {*self.catalog.servers, *self.own}
        if processor is not None and cores == sockets * processor.cores_per_socket:
            made = custom_server(name=name, processor=processor, sockets=sockets, taken=taken)
        else:
            threads = (host.threads or cores) / cores
            made = rated_server(
                name=line(f"{name}, {host.cpu_model}" if host.cpu_model not in name else name),
                sockets=min(sockets, cores),
                cores=cores,
                spec_rate=None,
                threads_per_core=max(1, round(threads)),
                base_mhz=host.speed_mhz if host.speed_mhz and host.speed_mhz >= 1 else None,
                taken=taken,
            )
        if host.sockets is None:
            provenance = made.provenance
            assumed = tuple(dict.fromkeys((*provenance.assumed, "sockets")))
            made = replace(made, provenance=replace(provenance, assumed=assumed))
        return made
