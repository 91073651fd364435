"""HA alone, a Domino cluster, or both, in words: what each costs and what decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.language import local, tr, trn
from app.qtmodels.cells import CellRow, Column
from models.citation import in_short
from models.judgement.weighing import NEAR
from models.lettering import set_apart
from models.predicted import title_of, unit_of
from models.prediction import Verdict
from models.resilience.designs import SOURCE, DesignRow
from models.scenario import Scenario
from models.texts import opening
from models.wording import ENGLISH, THIN, Style, about_text, number, reach_text

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


def design_rows(
    rows: Sequence[DesignRow], scenario: Scenario, style: Style = ENGLISH
) -> list[CellRow]:
    """A row a design, in the order of `rows`; `value` is its `DesignRow`."""
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    return [
        CellRow(
            key=row.design,
            cells=_cells(row, names, style),
            tips=((DECIDES, _deciding_text(row, names, style, is_full=True)),),
            value=row,
        )
        for row in rows
    ]


def _cells(row: DesignRow, names: Mapping[str, str], style: Style) -> tuple[str, ...]:
    replicas = f"{number(row.replica_gib, style=style)}{THIN}GiB" if row.replica_gib else "–"
    return (
        local(opening(row.design.label)),
        local(row.normal.shown.words),
        local(row.worst.shown.words),
        local(row.downtime.label),
        local(row.patching.label),
        replicas,
        _deciding_text(row, names, style),
    )


def _deciding_text(
    row: DesignRow, names: Mapping[str, str], style: Style, *, is_full: bool = False
) -> str:
    """``esx1 gone: disk utilisation about 77 %, limit 70 %``, or how far it may reach where that
    alone passes it; in full also whose it is."""
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
    found, when = standing.deciding, tr("{host} gone", host=host)
    if standing is row.normal:
        when = tr("normal operation")
    if standing.refused:
        vm = names.get(standing.refused, standing.refused)
        return tr("{when}: {vm} can’t be powered on", when=when, vm=vm)
    if found is None:
        return tr("no data")
    unit = unit_of(found.resource)
    what = local(title_of(found.resource))
    if is_full:
        what = tr("{what} of {who}", what=what, who=names.get(found.subject, found.subject))
    limit = f"{number(found.limit, style=style)}{THIN}{unit}"
    high = found.quantity.high
    if found.verdict is Verdict.AT_RISK and found.load <= NEAR and high is not None:
        reach = reach_text(high, unit, limit=found.limit, style=style)
        return tr(
            "{when}: {what} may reach {reach}, limit {limit}",
            when=when,
            what=what,
            reach=reach,
            limit=limit,
        )
    value = about_text(found.quantity, unit, style=style)
    return tr(
        "{when}: {what} {value}, limit {limit}", when=when, what=what, value=value, limit=limit
    )


def source_text() -> str:
    """Where the downtimes come from."""
    source = local(in_short(SOURCE))
    return tr("Downtime in the words of the documents. Source: {source}.", source=source)
