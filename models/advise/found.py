"""Inputs that a topic finds in customers' files or in a scenario, and where each stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from models.advise.advice import Found, Source
from models.base.texts import Text, say
from models.intake.observed import HOUR_OVER_MEAN
from models.intake.records import DominoRecord, Place, Records
from models.scenario.inputs import origin_of
from models.scenario.scenario import NO_HYPERVISOR, Host, Policy, Scenario, Vm
from models.scenario.wording import number

CLUSTER_SERVERS = "Replica.Cluster.Servers"
"""Statistic: further servers of the Domino cluster that a server replicates to."""


STATISTICS = say("show stat of a Domino server: its lines, or the file that holds them")
"""What may be pasted for a topic that reads statistics."""


def dominos(records: Sequence[Records]) -> tuple[DominoRecord, ...]:
    """The Domino servers whose statistics are among the files."""
    return tuple(each for of_file in records for each in of_file.domino)


def values_of(record: DominoRecord, names: Mapping[str, str]) -> tuple[dict[str, Any], Places]:
    """Inputs by name, of those statistics of `names` that a record has, and where they stand."""
    values = {name: getattr(record, field) for name, field in names.items()}
    known = {name: each for name, each in values.items() if each is not None and each != ""}
    places: Places = {}
    for name in known:
        places |= placed(name, record, names[name])
    return known, places


Places = dict[str, Source]
BUSY_PERCENTILE = 95
"""Of what was measured over time: that of a busy hour."""

BUSY_HOUR = say(
    "mean since the start × {factor}: a working hour over day and night",
    factor=number(HOUR_OVER_MEAN, 2),
)


def busy_hour_pct(mean_pct: float) -> float:
    """CPU of a working hour [%] by its mean since the start of a server (`HOUR_OVER_MEAN`)."""
    return min(mean_pct * HOUR_OVER_MEAN, 100.0)


def placed(name: str, record: DominoRecord, field: str) -> Places:
    """The same of one input."""
    place = record.places.get(field)
    return {} if place is None else {name: cell(place)}


def cell(place: Place) -> Source:
    """A cell of a file as a source, file and line as programs write them.

    >>> cell(Place("stat.txt", "", 4, "Server.Users")).text
    'stat.txt:4, Server.Users'
    """
    return Source(f"{place.file or PASTED}:{place.row}", place.column)


PASTED = "pasted"


def cluster_members(record: DominoRecord) -> int | None:
    """Servers of its Domino cluster; None where it is in none or its statistics don't say."""
    others = record.statistics.get(CLUSTER_SERVERS)
    return None if not others or others < 1 else int(others) + 1


# --- of a scenario ------------------------------------------------------------------------------


def mail_servers(scenario: Scenario) -> tuple[Vm, ...]:
    """Domino servers that run and have users, those with most users first."""
    found = (vm for vm in scenario.vms if vm.workload.kind.is_domino and vm.powered_on)
    having = (vm for vm in found if vm.workload.active_users > 0)
    return tuple(sorted(having, key=lambda vm: -vm.workload.active_users))


def origins_of(item: Vm | Host, paths: Mapping[str, str]) -> dict[str, Text]:
    """Whose the inputs of a topic are, and who gave each there: by name, of the paths of an item's
    fields."""
    return {
        name: say("{item}: {origin}", item=item.name, origin=origin_of(item, path).label)
        for name, path in paths.items()
    }


def predicted_of(item: Vm) -> Text:
    """Of an input that the model says of a VM."""
    return say("{item}: predicted", item=item.name)


def about(vm: Vm, inputs: Any, origins: Mapping[str, Text]) -> Found:
    """Inputs about one VM of the scenario."""
    return Found(inputs, origins=origins, subject=vm.id, name=vm.name)


def hosts_of_vms(scenario: Scenario) -> tuple[Host, ...]:
    """The hosts that have a hypervisor."""
    return tuple(each for each in scenario.hosts if each.hypervisor != NO_HYPERVISOR)


def derating_of(policy: Policy) -> float:
    """Benchmark users of one of its users, where nothing but users is counted."""
    return float(policy.derating.mail)


def is_physical(scenario: Scenario, vm: Vm) -> bool:
    """Whether it is the one system of a physical server."""
    return vm.host is not None and scenario.host(vm.host).hypervisor == NO_HYPERVISOR
