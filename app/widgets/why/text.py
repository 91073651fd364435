"""What stands below the formula: inputs with origin, evidence, interval, what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from app.language import local, tr, trn
from app.qtmodels.evidence import printed_text, run_text
from app.theme import Theme
from models.base.lettering import set_apart
from models.evidence.rows import EvidenceRow
from models.explain.derivation import Derivation, UsedInput
from models.explain.words import figure
from models.scenario.scenario import Scenario
from models.scenario.wording import THIN, Style, with_unit

MOST_ROWS = 14
INPUT, EVIDENCE, ALL = "input:", "evidence:", "all:"
"""Beginnings of links: to a field, to a row of evidence, to all of them."""


def derivation_html(
    derivation: Derivation,
    scenario: Scenario,
    rows: Mapping[str, EvidenceRow],
    theme: Theme,
    style: Style,
) -> str:
    """The parts below the formula as rich text with links."""
    parts = [
        _section(tr("Inputs"), _inputs(derivation, scenario, theme, style)),
        _section(tr("Evidence"), _evidence(derivation, rows, theme, style)),
        _section(
            tr("Interval and basis"), _sentences(_basis(derivation, style), derivation.interval)
        ),
        _section(tr("Not modelled"), _sentences((), derivation.missing)),
    ]
    return f'<div style="color:{theme.text}">' + "".join(parts) + "</div>"


def _section(title: str, body: str) -> str:
    return f"<h4 style='margin-bottom:2px'>{title}</h4>{body}" if body else ""


def _inputs(derivation: Derivation, scenario: Scenario, theme: Theme, style: Style) -> str:
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    lines = [_input_line(each, names, theme, style) for each in derivation.inputs]
    if not lines:
        return ""
    return f"<table cellspacing='0' cellpadding='1' width='100%'>{''.join(lines)}</table>"


def _input_line(each: UsedInput, names: Mapping[str, str], theme: Theme, style: Style) -> str:
    subject = each.source.subject
    who = f"{names.get(subject, subject)}: " if subject else ""
    amount = local(with_unit(figure(each.value, style=style), each.unit))
    link = f"{INPUT}{subject}/{each.source.path}"
    return (
        f"<tr><td><a style='color:{theme.accent}' href='{escape(link)}'>"
        f"{escape(who + local(each.label))}</a></td>"
        f"<td align='right'>{escape(amount)}</td>"
        f"<td style='color:{theme.muted}'>&nbsp;&nbsp;{escape(local(each.origin.label))}</td></tr>"
    )


def _evidence(
    derivation: Derivation, rows: Mapping[str, EvidenceRow], theme: Theme, style: Style
) -> str:
    """Rows by document and table; of many the first ones and how many more there are."""
    found = [rows[id] for id in derivation.evidence if id in rows]
    if not found:
        return ""
    lines = []
    place = ("", "")
    for row in found[:MOST_ROWS]:
        if (row.document, row.table) != place:
            place = (row.document, row.table)
            lines.append(
                f"<p style='margin:4px 0 0 0'>{escape(', '.join(filter(None, place)))}</p>"
            )
        lines.append(_row_line(row, theme, style))
    if len(found) > MOST_ROWS:
        more = trn("{count} more", "{count} more", len(found) - MOST_ROWS)
        link = (
            f"<a style='color:{theme.accent}' href='{ALL}{escape(found[MOST_ROWS].id)}'>{more}</a>"
        )
        lines.append(f"<p style='margin:2px 0 0 12px'>{link}</p>")
    return "".join(lines)


def _row_line(row: EvidenceRow, theme: Theme, style: Style) -> str:
    printed = printed_text(row)
    doubt = tr(", doubted by its authors") if row.doubted else ""
    link = f"{EVIDENCE}{row.id}"
    return (
        f"<p style='margin:0 0 0 12px'><a style='color:{theme.accent}' href='{escape(link)}'>"
        f"{escape(run_text(row, style))}</a>: {escape(printed + doubt)}</p>"
    )


def _basis(derivation: Derivation, style: Style) -> Iterator[str]:
    quantity = derivation.quantity
    if quantity.value is None:
        return
    yield tr("Basis: {label}.", label=quantity.basis.label)
    if quantity.measured is not None:
        unit = f"{THIN}{local(derivation.unit)}" if derivation.unit else ""
        yield tr(
            "The run of this very configuration printed {measured}{unit}; "
            "the number shown is of the line through all of its runs.",
            measured=figure(quantity.measured, style=style),
            unit=unit,
        )


def _sentences(first: Iterator[str] | tuple[str, ...], then: tuple[str, ...]) -> str:
    lines = [*first, *then]
    return "".join(f"<p style='margin:1px 0 0 0'>{escape(local(each))}</p>" for each in lines)
