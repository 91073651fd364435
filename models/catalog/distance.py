"""How far a measurement is carried: years, generations and releases between the machine on which
Domino was measured and the one that a design has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from models.catalog.catalog import Catalog, Hypervisor, Platform, Product, Server
from models.catalog.published import release_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Standpoint:
    """Where Domino runs: a machine, a hypervisor (``none``: a physical server) and a release.

    `server` and `hypervisor` are catalog ids; `release` is as people write it.
    """

    server: str
    hypervisor: str
    release: str


MEASURED_ON: Mapping[Platform, Standpoint] = MappingProxyType(
    {
        Platform.X366: Standpoint(server="ibm-x366", hypervisor="esx-3.0.1", release="7.0.2"),
        Platform.CLOVERTOWN: Standpoint(
            server="intel-clovertown-whitebox", hypervisor="esx-3.0.1", release="7.0.2"
        ),
        Platform.NEHALEM: Standpoint(
            server="nehalem-ept", hypervisor="vsphere-4.0", release="8.5.1"
        ),
    }
)
"""What ran where Domino was measured: WV21 (2007) and the vSphere 4 paper (2011). WV21 ran its
machines without a hypervisor too: `on_bare_metal`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """From a measurement to a design; None where a table doesn't know one of the two.

    Attributes:
        measured: year of the machine on which it was measured.
        years: between the two machines.
        generations: of processors, by microarchitecture.
        hypervisors: major releases of ESX and vSphere; 0 between two physical servers, None
            between a physical server and a virtual one, which is another step.
        releases: major releases of Domino.
    """

    measured: int | None
    years: int | None
    generations: int | None
    hypervisors: int | None
    releases: int | None

    @property
    def far(self) -> bool:
        """Over more than one generation of processors, hypervisors or releases, or not known."""
        counts = (self.generations, self.hypervisors, self.releases)
        return any(count is None or count > 1 for count in counts)


NOWHERE = Distance(measured=None, years=0, generations=0, hypervisors=0, releases=0)
"""Nothing is carried."""


def on_bare_metal(measured: Standpoint) -> Standpoint:
    """The same machine and release without a hypervisor."""
    return Standpoint(server=measured.server, hypervisor="none", release=measured.release)


def distance(catalog: Catalog, measured: Standpoint, planned: Standpoint) -> Distance:
    """How far what was measured is carried; the order of the two changes no count.

    Microarchitectures and major releases are counted because the one transfer that could be
    checked, 7.0.2 on Clovertown under ESX 3.0.1 to 8.5.1 on Nehalem under vSphere 4.0, then is one
    of each.

    >>> from resources.catalog_files import load_catalog
    >>> today = Standpoint(server="xeon6-6767p", hypervisor="vsphere-8.0", release="14.5")
    >>> distance(load_catalog(), MEASURED_ON[Platform.NEHALEM], today)
    Distance(measured=2009, years=16, generations=6, hypervisors=4, releases=5)
    """
    servers, hypervisors = catalog.servers, catalog.hypervisors
    there, here = servers.get(measured.server), servers.get(planned.server)
    return Distance(
        measured=_year(there),
        years=_apart(_year(there), _year(here)),
        generations=_apart(_generation(catalog, there), _generation(catalog, here)),
        hypervisors=_major_apart(
            hypervisors.get(measured.hypervisor), hypervisors.get(planned.hypervisor)
        ),
        releases=_apart(_ordinal(catalog, measured.release), _ordinal(catalog, planned.release)),
    )


def farthest(distances: Iterable[Distance]) -> Distance:
    """The most of each count; what is not known of one is not known of all, `measured` is that of
    the most years."""
    found = tuple(distances)
    if not found:
        return NOWHERE
    oldest = max(found, key=lambda each: -1 if each.years is None else each.years)
    return Distance(
        measured=oldest.measured,
        years=_most(each.years for each in found),
        generations=_most(each.generations for each in found),
        hypervisors=_most(each.hypervisors for each in found),
        releases=_most(each.releases for each in found),
    )


def _most(counts: Iterable[int | None]) -> int | None:
    found = tuple(counts)
    known = [count for count in found if count is not None]
    return max(known) if len(known) == len(found) else None


def _apart(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else abs(first - second)


def _year(server: Server | None) -> int | None:
    return None if server is None else server.year


def _generation(catalog: Catalog, server: Server | None) -> int | None:
    if server is None:
        return None
    known = catalog.generations.values()
    return next((each.number for each in known if each.name == server.generation), None)


def _major_apart(first: Hypervisor | None, second: Hypervisor | None) -> int | None:
    if first is None or second is None or (first.id == "none") is not (second.id == "none"):
        return None
    return abs(first.version[0] - second.version[0])


def _ordinal(catalog: Catalog, release: str) -> int | None:
    line = release_of(catalog, Product.DOMINO, release)
    return None if line is None else line.ordinal
