"""What VM cards are coloured by: a stripe with a colour and a pattern, and the key to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple

from app.language import local, tr
from models.base.lettering import set_apart
from models.predict.prediction import FITS_ON_ASSUMPTIONS, Prediction, Verdict
from models.scenario.scenario import Scenario, Vm

COLOURS = ("nrpc", "inotes", "sametime", "mux", "generic")
NOWHERE = tr("not placed")
NO_PARTNERS = tr("no Domino cluster")


class ColourBy(Enum):
    """What can be told by the colour of a card; the words of the choice."""

    WORKLOAD = tr("Workload")
    CLUSTER = tr("Cluster")
    DOMINO = tr("Domino cluster")
    RISK = tr("Risk")


class Pattern(Enum):
    """How a stripe is drawn: what is told by colour is told by this too."""

    SOLID = "solid"
    DASHES = "dashes"
    DOTS = "dots"
    DOUBLE = "double"
    HOLLOW = "hollow"
    MIXED = "mixed"


PATTERNS = tuple(Pattern)


class Tint(NamedTuple):
    """One colour of cards: name of a colour of the theme, pattern, and what it stands for."""

    colour: str
    pattern: Pattern
    words: str


RISKS: Mapping[Verdict | None, Tint] = {
    Verdict.FITS: Tint("ok", Pattern.SOLID, local(Verdict.FITS.label)),
    Verdict.NOT_KNOWN: Tint("unknown", Pattern.HOLLOW, local(Verdict.NOT_KNOWN.label)),
    Verdict.AT_RISK: Tint("warn", Pattern.DASHES, local(Verdict.AT_RISK.label)),
    Verdict.DOES_NOT_FIT: Tint("bad", Pattern.DOUBLE, local(Verdict.DOES_NOT_FIT.label)),
    None: Tint("muted", Pattern.DOTS, tr("no data")),
}
ON_ASSUMPTIONS = Tint("accent", Pattern.SOLID, local(FITS_ON_ASSUMPTIONS))


def tints(scenario: Scenario, prediction: Prediction, by: ColourBy) -> dict[str, Tint]:
    """The colour of each VM's card, by id; none by workload, which the icons tell already."""
    if by is ColourBy.RISK:
        return {vm.id: _risk(vm, prediction) for vm in scenario.vms}
    if by is ColourBy.CLUSTER:
        return _by_cluster(scenario)
    return _by_partners(scenario) if by is ColourBy.DOMINO else {}


def key(tints: Iterable[Tint]) -> tuple[Tint, ...]:
    """Every colour in use, once; what stands for "none" comes last."""
    found = tuple(dict.fromkeys(tints))
    return tuple(sorted(found, key=lambda tint: tint.colour == "muted"))


def _numbered(number: int, words: str) -> Tint:
    """The tint of the n-th group: colours and patterns come round at different times."""
    return Tint(COLOURS[number % len(COLOURS)], PATTERNS[number % len(PATTERNS)], words)


def _risk(vm: Vm, prediction: Prediction) -> Tint:
    vms = prediction.vms
    runs = vm.powered_on and vm.id in vms
    shown = vms.shown(vms.index(vm.id)) if runs else None
    if shown is not None and shown.is_assumed:
        return ON_ASSUMPTIONS
    return RISKS[None if shown is None else shown.verdict]


def _by_cluster(scenario: Scenario) -> dict[str, Tint]:
    names = {cluster.id: set_apart(cluster.name) for cluster in scenario.clusters}
    of_cluster = {id: _numbered(n, name) for n, (id, name) in enumerate(names.items())}
    alone = Tint("muted", Pattern.DASHES, "stand-alone")
    nowhere = Tint("muted", Pattern.DOTS, NOWHERE)
    hosts = {host.id: of_cluster.get(host.cluster or "", alone) for host in scenario.hosts}
    return {vm.id: hosts.get(vm.host or "", nowhere) for vm in scenario.vms}


def _by_partners(scenario: Scenario) -> dict[str, Tint]:
    nobody = Tint("muted", Pattern.DOTS, NO_PARTNERS)
    groups = domino_clusters(scenario)
    found = {vm.id: nobody for vm in scenario.vms}
    for number, names in enumerate(groups):
        tint = _numbered(number, tr("with {vm}", vm=scenario.vm(names[0]).name))
        found.update(dict.fromkeys(names, tint))
    return found


def domino_clusters(scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """Ids of the members of each Domino cluster, in the order of the scenario.

    Who names somebody is in one cluster with him, and with whom he names.
    """
    leader = {vm.id: vm.id for vm in scenario.vms}

    def find(id: str) -> str:
        while leader[id] != id:
            id = leader[id] = leader[leader[id]]
        return id

    for vm in scenario.vms:
        for partner in vm.cluster_partners:
            if partner in leader:
                leader[find(partner)] = find(vm.id)
    groups: dict[str, list[str]] = {}
    for vm in scenario.vms:
        groups.setdefault(find(vm.id), []).append(vm.id)
    return tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)
