"""A `Proposal` as the plain data that the template reads."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from app.language import Language
from app.report.paper import Paper
from app.report.tables import fitted
from app.report.template import Template
from app.theme import LIGHT
from models.base.lettering import APART, TOGETHER, breakable, visible
from models.base.rounding import rounded
from models.base.texts import opening, said, say
from models.predict.prediction import Severity, Shown, Verdict
from models.proposal.response_frame import HEIGHT, WIDTH, frame_of, label_place
from models.tell.blocks import Block, FindingBlock, Proposal, ResponsePlot, Table

T = TypeVar("T")

TYPEFACE = "Inter"

COLOURS = {
    name: LIGHT.ink("line_strong" if name == "strong" else name)
    for name in (
        *("text", "muted", "line", "strong", "raised", "track", "accent"),
        *("ok", "unknown", "warn", "bad"),
    )
}

RUNNING = 72
"""Letters of the subject at the head of each page."""

VERDICT_LOOK = {
    Verdict.FITS: ("✓", "ok"),
    Verdict.NOT_KNOWN: ("?", "unknown"),
    Verdict.AT_RISK: ("!", "warn"),
    Verdict.DOES_NOT_FIT: ("×", "bad"),
}

_SEVERITIES = {
    Severity.ERROR: ("×", "bad"),
    Severity.WARNING: ("!", "warn"),
    Severity.ADVICE: ("i", "accent"),
}

_FILLS = {
    Verdict.FITS: LIGHT.ok_fill,
    Verdict.NOT_KNOWN: LIGHT.unknown_fill,
    Verdict.AT_RISK: LIGHT.warn_fill,
    Verdict.DOES_NOT_FIT: LIGHT.bad_fill,
}


WORDS = {
    "contents": say("Contents"),
    "page": say("page {page} of {pages}", page="{page}", pages="{pages}"),
    "accepted": say("Accepted:"),
    "fix": say("To do:"),
    "users": say("active users on {vm}", vm="{vm}"),
    "scale": say("ms, log scale"),
    "knee": say("knee"),
    "limit": say("limit {limit}", limit="{limit}"),
    "signature": say("{party}: name, date, signature", party="{party}"),
}
"""What the template says of its own; it fills in the places itself."""


def spoken(value: T, language: Language) -> T:
    """A record, tuple or text with every text in it said in a language, and every number rounded,
    so that a document is the same on every machine, byte for byte."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, float):
        return rounded(value)  # type: ignore[return-value]
    if isinstance(value, str):
        return said(value, language)  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(spoken(each, language) for each in value)  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type):
        given = {each.name: getattr(value, each.name) for each in fields(value)}
        return replace(value, **{name: spoken(each, language) for name, each in given.items()})
    return value


def template_data(
    proposal: Proposal, language: Language, paper: Paper, template: Template | None = None
) -> dict[str, Any]:
    """A proposal that is said as JSON-ready data, with the look of verdicts and severities filled
    in, and what the template says of its own in the same language.

    Every text of the pages goes through `_printed`; those of the document's properties, which are
    read and not set in lines, stay whole.
    """
    accent = template.accent if template is not None else ""
    typeface = template.typeface if template is not None else ""
    logo = template.logo if template is not None else None
    return {
        "colours": COLOURS | ({"accent": accent} if accent else {}),
        "typeface": typeface or TYPEFACE,
        "logo": "" if logo is None else logo.name,
        "language": language.code,
        "paper": paper.in_template,
        "group": language.style.group,
        "words": {name: said(text, language) for name, text in WORDS.items()},
        "properties": {
            "title": f"{proposal.title} – {proposal.subject}",
            "author": visible(proposal.author),
            "summary": " ".join(
                f"{opening(box.verdict.words)}: {box.text}" for _, box in proposal.verdicts
            ),
        },
        "title": proposal.title,
        "subject": _printed(proposal.subject),
        "running": _printed(in_one_line(proposal.subject, RUNNING)),
        "date": proposal.date,
        "cover": plain(proposal.cover),
        "verdicts": [{"name": _printed(name)} | plain(box) for name, box in proposal.verdicts],
        "first": plain(proposal.first),
        "made_with": proposal.made_with,
        "imprint": proposal.imprint,
        "note": _printed(proposal.note),
        "parts": [plain(part) for part in proposal.parts],
    }


def block_data(block: Block, language: Language) -> dict[str, Any]:
    """One block that is said, with what a template needs to draw it alone."""
    return {
        "colours": COLOURS,
        "language": language.code,
        "group": language.style.group,
        "words": {name: said(text, language) for name, text in WORDS.items()},
        "transparent": False,
        "block": plain(block),
    }


def _printed(text: str) -> str:
    """As it stands on a page: nothing hidden in it, and long words may be broken."""
    return breakable(visible(text))


def in_one_line(text: str, most: int) -> str:
    """The text, or its beginning where it is longer than a line has room for; what sets a name
    apart is closed again."""
    if len(text) <= most:
        return text
    end = TOGETHER if APART in text[:2] else ""
    return f"{text[:most].rstrip()}…{end}"


def plain(value: Any) -> Any:
    """Dataclasses as dictionaries (blocks with their `kind`), tuples as lists."""
    if isinstance(value, Verdict):
        return _verdict(value)
    if isinstance(value, Shown):
        return _shown(value)
    if isinstance(value, str):
        return _printed(value)
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if not is_dataclass(value):
        return value
    data = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    kind = getattr(type(value), "kind", None)
    if kind is not None:
        data["kind"] = kind
    return data | _look(value)


def _look(value: Any) -> dict[str, Any]:
    """What the template needs beyond the block's own fields."""
    if isinstance(value, FindingBlock):
        icon, colour = _SEVERITIES[value.severity]
        return {"icon": icon, "colour": colour, "severity": value.word}
    if isinstance(value, Table):
        return fitted(value)
    if isinstance(value, ResponsePlot):
        return {"current": _current(value), "frame": _frame(value)}
    return {}


def _frame(plot: ResponsePlot) -> dict[str, Any]:
    """Scale of the chart and the place of its label, as numbers."""
    frame = frame_of(plot)
    place = label_place(plot, frame)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "low": frame.low,
        "high": frame.high,
        "ticks": list(frame.ticks),
        "label": None if place is None else plain(place),
    }


def _current(plot: ResponsePlot) -> dict[str, Any] | None:
    if plot.current_users is None or plot.current_ms is None:
        return None
    return {"users": plot.current_users, "ms": plot.current_ms, "label": plot.current_label}


def _shown(shown: Shown) -> dict[str, str]:
    """As `_verdict`, with the words for people; without a verdict in the colour of no claim."""
    icon, colour = look_of(shown)
    fill = "" if shown.verdict is None else _FILLS[shown.verdict]
    if shown.is_assumed:
        fill = LIGHT.accent
    return {"icon": icon, "colour": colour, "fill": fill, "word": opening(shown.words)}


def look_of(shown: Shown) -> tuple[str, str]:
    """Sign and colour of a verdict as it is shown: what fits on assumptions only is not green."""
    if shown.verdict is None:
        return "–", "muted"
    return ("≈", "accent") if shown.is_assumed else VERDICT_LOOK[shown.verdict]


def _verdict(verdict: Verdict) -> dict[str, str]:
    icon, colour = VERDICT_LOOK[verdict]
    return {"icon": icon, "colour": colour, "fill": _FILLS[verdict]}
