"""HA alone, a Domino cluster, or both, in words: what each costs and what decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.language import local, tr, trn
from app.qtmodels.cells import CellRow, Column
from models.citation import in_short
from models.failure.restart_time import Downtime
from models.resilience.designs import SOURCE, Design, DesignRow
from models.scenario import Scenario
from models.wording import ENGLISH, RESOURCES, THIN, UNITS, Style, about_text, number

DESIGN, NORMAL, WORST, DIES, PATCHED, REPLICAS, DECIDES = range(7)
COLUMNS = (
    Column(tr("Design")),
    Column(tr("Normal"), tr("Verdict in normal operation")),
    Column(tr("Worst host lost"), tr("Verdict with the host gone that is worst for the design")),
    Column(tr("Host dies"), tr("How long users are without a server when a host dies")),
    Column(tr("Patching"), tr("How long when guest or Domino are patched")),
    Column(tr("Replicas"), tr("Mail files held a second time"), is_number=True),
    Column(tr("What decides")),
)
DESIGNS: Mapping[Design, str] = {
    Design.HA: tr("HA alone"),
    Design.CLUSTER: tr("Domino cluster"),
    Design.BOTH: tr("Both"),
}
DOWNTIMES: Mapping[Downtime, str] = {
    Downtime.MINUTES: tr("minutes"),
    Downtime.SECONDS: tr("seconds"),
    Downtime.NONE: tr("none"),
    Downtime.REPAIR: tr("until repaired"),
}
MOST_NAMED = 4


def design_rows(
    rows: Sequence[DesignRow], scenario: Scenario, style: Style = ENGLISH
) -> list[CellRow]:
    """A row a design, in the order of `rows`; `value` is its `DesignRow`."""
    names = {item.id: item.name for item in scenario.items()}
    return [CellRow(key=row.design, cells=_cells(row, names, style), value=row) for row in rows]


def _cells(row: DesignRow, names: Mapping[str, str], style: Style) -> tuple[str, ...]:
    replicas = f"{number(row.replica_gib, style=style)}{THIN}GiB" if row.replica_gib else "–"
    return (
        DESIGNS[row.design],
        local(row.normal.shown.words),
        local(row.worst.shown.words),
        DOWNTIMES[row.downtime],
        DOWNTIMES[row.patching],
        replicas,
        _deciding_text(row, names, style),
    )


def _deciding_text(row: DesignRow, names: Mapping[str, str], style: Style) -> str:
    """``esx1 gone: disk utilisation about 77 %, limit 70 %``."""
    host = names.get(row.worst_host, row.worst_host)
    if row.without_server > 0:
        users = round(row.without_server)
        return trn(
            "{host} gone: {count} user without a server",
            "{host} gone: {count} users without a server",
            users,
            host=host,
        )
    standing = row.deciding
    found = standing.deciding
    if found is None:
        return tr("no data")
    unit = UNITS[found.resource]
    parts = {
        "what": RESOURCES[found.resource],
        "value": about_text(found.quantity, unit, style=style),
        "limit": f"{number(found.limit, style=style)}{THIN}{unit}",
    }
    if standing is row.normal:
        return tr("normal: {what} {value}, limit {limit}", **parts)
    return tr("{host} gone: {what} {value}, limit {limit}", host=host, **parts)


def source_text() -> str:
    """Where the downtimes come from."""
    source = local(in_short(SOURCE))
    return tr("Downtime in the words of the documents. Source: {source}.", source=source)


def pairing_text(rows: Sequence[DesignRow], scenario: Scenario) -> str:
    """What a Domino cluster would be here: partners assumed, and servers left without one."""
    clustered = next((row.scenario for row in rows if row.design is Design.BOTH), scenario)
    before = {vm.id: vm.cluster_partners for vm in scenario.vms}
    running = [
        vm for vm in clustered.vms if vm.workload.kind.is_domino and vm.powered_on and vm.host
    ]
    groups = {
        tuple(vm.name for vm in running if vm.id in (each.id, *each.cluster_partners))
        for each in running
        if each.cluster_partners and not before[each.id]
    }
    single = [vm.name for vm in running if not vm.cluster_partners]
    parts = [tr("Both cluster designs pair all Domino servers")]
    if groups:
        named = _some(sorted(" + ".join(group) for group in groups))
        parts.append(tr("assumed: {groups}", groups=named))
    if single:
        parts.append(tr("no partner on another host for {names}", names=_some(single)))
    return "; ".join(parts)


def _some(names: Sequence[str]) -> str:
    rest, first = len(names) - MOST_NAMED, ", ".join(names[:MOST_NAMED])
    if rest <= 0:
        return first
    return trn("{first} and {count} more", "{first} and {count} more", rest, first=first)
