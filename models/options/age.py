"""How old hosts are: by the year in which they were bought, else that of what they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from models.base.texts import Text, say
from models.catalog.catalog import Catalog
from models.scenario.scenario import Host


@dataclass(frozen=True, slots=True)
class Since:
    """A host, of what year it is at the earliest, and by what that is known."""

    host: Host
    year: int
    by: Text


@dataclass(frozen=True, slots=True)
class Aged:
    """Hosts told apart by age.

    Attributes:
        years: those that are `older` are older than this; `year`: when that was asked.
        unknown: of which nobody says of what year they are.
    """

    years: float
    year: int
    older: tuple[Since, ...]
    unknown: tuple[Host, ...]

    @property
    def ids(self) -> frozenset[str]:
        """Of the hosts that are older."""
        return frozenset(each.host.id for each in self.older)


def since(host: Host, catalog: Catalog) -> Since | None:
    """The year in which it was bought, else in which its model, else its generation of processors
    came out; None: nobody says."""
    if host.bought_year is not None:
        return Since(host, host.bought_year, say("bought"))
    server = catalog.servers[host.server]
    if server.year is not None:
        return Since(host, server.year, say("its model"))
    for each in catalog.generations.values():
        if each.name == server.generation:
            return Since(host, each.year, say("its generation of processors"))
    return None


def older_than(hosts: Iterable[Host], catalog: Catalog, years: float, year: int) -> Aged:
    """Hosts that are older than so many years in a `year`.

    What came out in 2018 is eight years old in 2026, and not older than eight: a year is all that
    is known, so that nothing is called older that may be younger by a few months.
    """
    known = [(host, since(host, catalog)) for host in hosts]
    return Aged(
        years,
        year,
        tuple(each for _, each in known if each is not None and year - each.year > years),
        tuple(host for host, each in known if each is None),
    )
