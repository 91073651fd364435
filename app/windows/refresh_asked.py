"""What of a scenario a refresh replaces: sites and clusters to tick, and where all of it goes."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.fields.number import NumberField
from app.widgets.fields.several import SeveralField
from models.base.limits import Limit
from models.catalog.catalog import Catalog
from models.options.age import Aged
from models.options.refresh import hosts_of_age, places_of
from models.options.requirement import Requirement
from models.scenario.places import site_names
from models.scenario.scenario import Scenario


class RefreshAsked:
    """The fields; with none ticked everything is replaced.

    Attributes:
        site_ids: the sites where something stands.
        sites, clusters: what is ticked; clusters are those of the sites that are.
        older: years, so that only hosts that are older are replaced; empty: of any age.
        into: the place that gets a design for all; None: each site has its own.
    """

    def __init__(self) -> None:
        self._scenario = Scenario(name="")
        self.site_ids = list[str]()
        self.sites = SeveralField(empty=tr("all of them"))
        self.clusters = SeveralField(empty=tr("all of them"))
        self.older = NumberField(limit=Limit(ge=0, le=100), optional=True, empty=tr("any age"))
        self.into = ChoiceField()
        self.sites.committed.connect(self._tick_sites)
        self.clusters.committed.connect(self._tick_clusters)
        self.older.committed.connect(self.older.show_value)
        self.into.committed.connect(self.into.show_value)

    def rows(self) -> tuple[tuple[str, QWidget], ...]:
        """The fields with their labels."""
        return (
            (tr("Sites"), self.sites),
            (tr("Clusters"), self.clusters),
            (tr("Older than, years"), self.older),
            (tr("VMs go"), self.into),
        )

    def offer(self, scenario: Scenario) -> None:
        """Offers what this scenario has; what is ticked and still there stays so."""
        self._scenario = scenario
        names = site_names(scenario)
        used = {each.site for each in scenario.clusters} | {each.site for each in scenario.hosts}
        self.site_ids = [id for id in names if id in used]
        self.sites.offer([Choice(id, names[id]) for id in self.site_ids])
        self._tick_sites([id for id in self.site_ids if id in self.sites.value])

    def aged(self, catalog: Catalog) -> Aged | None:
        """The hosts that are old enough this year; None where their age doesn't matter.

        Raises:
            ModelError: as `hosts_of_age`.
        """
        if self.older.value is None:
            return None
        sites, clusters, _ = self.asked
        year = datetime.now().astimezone().year
        return hosts_of_age(self._scenario, catalog, self.older.value, year, sites, clusters)

    def silent(self, catalog: Catalog) -> Requirement | None:
        """The VMs that are asked for, where some bring no figures to choose a design by.

        Raises:
            ModelError: no host stands there, or none that is old enough.
        """
        sites, clusters, _ = self.asked
        aged = self.aged(catalog)
        places = places_of(self._scenario, sites, clusters, None if aged is None else aged.ids)
        chosen = {host.id for place in places for host in place.hosts}
        asked = Requirement(vms=tuple(vm for vm in self._scenario.vms if vm.host in chosen))
        return asked if asked.silent else None

    @property
    def asked(self) -> tuple[tuple[str, ...], tuple[str, ...], str | None]:
        """Sites, clusters and the place for all, as `models.options.refresh` takes them."""
        into = self.into.value
        return (
            tuple(map(str, self.sites.value)),
            tuple(map(str, self.clusters.value)),
            None if into is None else str(into),
        )

    def _tick_sites(self, ticked: object) -> None:
        assert isinstance(ticked, (list, tuple))
        self.sites.show_value(ticked)
        of_sites = [
            each for each in self._scenario.clusters if not ticked or each.site in self.sites.value
        ]
        self.clusters.offer([Choice(each.id, each.name) for each in of_sites])
        there = {each.id for each in of_sites}
        self._tick_clusters([id for id in self.clusters.value if id in there])

    def _tick_clusters(self, ticked: object) -> None:
        assert isinstance(ticked, (list, tuple))
        self.clusters.show_value(ticked)
        self._offer_places()

    def _offer_places(self) -> None:
        """One design for all is for those who replace in several places."""
        sites, clusters, _ = self.asked
        found = places_of(self._scenario, sites, clusters) if self._scenario.hosts else ()
        places = [Choice(each.id, tr("all to {place}", place=local(each.name))) for each in found]
        apart = Choice(None, tr("nowhere else"))
        self.into.offer([apart, *(places if len(places) > 1 else [])])
        if self.into.value is None:
            self.into.show_value(None)
