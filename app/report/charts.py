"""Every chart of a proposal as a picture and as data: SVG and CSV, in one ZIP file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.language import Language
from app.report.archive import archived
from app.report.data import spoken
from app.report.figures import figure, is_chart
from app.report.plain import plain
from app.report.typesetter import Typesetter
from models.base.spreadsheets import inert
from models.proposal import Proposal
from models.tell.blocks import Bars, ResponsePlot, TimePlot, VerdictGrid

_NAME = re.compile(r"[^\w]+")
MOST_LETTERS = 60


def proposal_charts(proposal: Proposal, language: Language, now: datetime) -> bytes:
    """The charts in their order, each named by its section, with their numbers beside."""
    with Typesetter() as setter:
        return archived(_members(setter, spoken(proposal, language), language), now)


def _members(setter: Typesetter, told: Proposal, language: Language) -> Iterator[tuple[str, bytes]]:
    for number, (title, block) in enumerate(_charts(told), start=1):
        stem = f"{number:02}-{_NAME.sub('-', plain(title)).strip('-')[:MOST_LETTERS]}"
        yield f"{stem}.svg", figure(setter, block, language, "svg")
        yield f"{stem}.csv", _data(block)


def _charts(proposal: Proposal) -> Iterator[tuple[str, Any]]:
    for part in proposal.parts:
        for section in part.sections:
            for block in section.blocks:
                if is_chart(block):
                    yield section.title, block


def _data(block: Any) -> bytes:
    """The numbers behind a chart; of a drawing what stands where."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in _rows(block):
        writer.writerow([inert(each) if isinstance(each, str) else each for each in row])
    return text.getvalue().encode("utf-8-sig")


def _rows(block: Any) -> Iterator[tuple[Any, ...]]:
    match block:
        case ResponsePlot():
            yield "users", "ms", "low", "high", "covered"
            yield from zip(
                *(block.users, block.value, block.low, block.high, block.covered), strict=True
            )
        case TimePlot():
            yield (block.x_label, *(curve.label for curve in block.curves))
            yield from zip(block.x, *(curve.values for curve in block.curves), strict=True)
        case Bars():
            yield "name", "value", "limit", "text"
            yield from ((bar.label, bar.value, bar.limit, plain(bar.text)) for bar in block.rows)
        case VerdictGrid():
            yield (f"{plain(block.y_label)} \\ {plain(block.x_label)}", *map(plain, block.x))
            for of_y, row in zip(block.y, block.verdicts, strict=True):
                yield (plain(of_y), *(each.name for each in row))
        case _:
            yield "site", "cluster", "host", "vm", "detail"
            for cluster in block.clusters:
                place = plain(cluster.site), plain(cluster.name)
                for host in cluster.hosts:
                    yield *place, plain(host.name), "", plain(host.detail)
                    for vm in host.vms:
                        yield *place, plain(host.name), plain(vm.name), plain(vm.detail)
