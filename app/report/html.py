"""A proposal as one page for a browser: offline, and with sliders that answer from a table."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

import resources
from app.language import Language
from app.report.data import COLOURS, VERDICT_LOOK, WORDS, look_of, spoken
from app.report.figures import figure
from app.report.plain import plain
from app.report.typesetter import Typesetter
from models.base.quantities import IntArray
from models.base.texts import joined, opening, said, say
from models.predict.predicted import PREDICTED, title_of, unit_of
from models.predict.prediction import Verdict
from models.proposal import Proposal
from models.scenario.scenario import Scenario, active_users
from models.scenario.wording import AT_LEAST, NO_DATA_TEXT, number, with_unit
from models.studies.leave_behind import NUMBERS, YEARS, Answers, Error
from models.tell.blocks import (
    Block,
    Bullets,
    Cell,
    Definitions,
    FindingBlock,
    Paragraph,
    ResponsePlot,
    Section,
    Signature,
    Table,
    VerdictBox,
    cell_text,
)
from models.tell.subject import Subject

TEMPLATE = "leave-behind.html"


def proposal_html(
    proposal: Proposal, answers: Answers | None, of: Subject, language: Language
) -> bytes:
    """The proposal in a tongue, as HTML in UTF-8.

    Args:
        of: the scenario that the answers are about.
    """
    with Typesetter() as setter:
        page = _Page(language, setter, of.scenario)
        table = None if answers is None else page.table(answers, of.fingerprint)
        return _page(spoken(proposal, language), answers, table, page)


def _page(told: Proposal, answers: Answers | None, table: Any, page: _Page) -> bytes:
    of = told.verdicts[0][0] if told.verdicts[1:] else ""
    texts = {
        "language": escape(page.language.code),
        "title": _text(f"{told.title} – {told.subject}"),
        "kicker": _text(told.title),
        "subject": _text(told.subject),
        "cover": page.block(Definitions(told.cover))
        + "".join(page.verdict(name, box, told) for name, box in told.verdicts)
        + "".join(map(page.block, told.first)),
        "play": "" if answers is None else page.play(answers, of),
        "body": "".join(map(page.part, told.parts)),
        "imprint": _text(told.imprint),
        "made_with": _text(told.made_with),
        "date": _text(told.date),
        "colours": "".join(f"--{name}: {colour};" for name, colour in COLOURS.items()),
        "table": _script(table),
    }
    template = (files(resources) / "templates" / TEMPLATE).read_text(encoding="utf-8")
    return _filled(template, texts).encode("utf-8")


_PLACE = re.compile(r"{{(\w+)}}")


def _filled(template: str, texts: Mapping[str, str]) -> str:
    """The template with its places filled, once: what stands in a text is no place."""
    return _PLACE.sub(lambda found: texts[found[1]], template)


def _text(text: str) -> str:
    return escape(plain(text))


def _script(value: Any) -> str:
    """JSON that ends no script and opens no comment."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


class _Page:
    def __init__(self, language: Language, setter: Typesetter, scenario: Scenario) -> None:
        self.language, self._setter, self.scenario = language, setter, scenario

    def _said(self, text: str) -> str:
        return said(text, self.language)

    # ---------------------------------------------------------------- what is told

    def part(self, part: Any) -> str:
        sections = "".join(map(self._section, part.sections))
        return f"<h2>{_text(part.title)}</h2>{sections}"

    def _section(self, section: Section) -> str:
        blocks = "".join(map(self.block, section.blocks))
        message = f"<p><b>{_text(section.message)}</b></p>" if section.message else ""
        return f"<section><h3>{_text(section.title)}</h3>{message}{blocks}</section>"

    def verdict(self, name: str, box: VerdictBox, told: Proposal) -> str:
        title = f"<b>{_text(name)}</b> " if told.verdicts[1:] else ""
        return self._verdict_box(box, title)

    def _verdict_box(self, box: VerdictBox, title: str = "") -> str:
        icon, colour = look_of(box.verdict)
        chip = f'<span class="chip">{icon} {_text(opening(box.verdict.words))}</span>'
        remark = f"<p><b>{_text(box.remark)}</b></p>" if box.remark else ""
        return f'<div class="verdict {colour}">{title}{chip}{_text(box.text)}{remark}</div>'

    def block(self, block: Block) -> str:
        match block:
            case Paragraph():
                html = f"<p>{_text(block.text)}</p>"
            case Bullets():
                html = f"<ul>{''.join(f'<li>{_text(item)}</li>' for item in block.items)}</ul>"
            case VerdictBox():
                html = self._verdict_box(block)
            case Definitions():
                rows = (f"<dt>{_text(a)}</dt><dd>{_text(b)}</dd>" for a, b in block.rows)
                html = f"<dl>{''.join(rows)}</dl>"
            case Table():
                html = _table(block)
            case FindingBlock():
                html = self._finding(block)
            case Signature():
                html = ""
            case _:
                html = self._chart(block)
        return html

    def _finding(self, block: FindingBlock) -> str:
        details = ((WORDS["accepted"], block.waived), (WORDS["fix"], block.fix))
        lines = "".join(
            f"<br><b>{_text(self._said(label))}</b> {_text(text)}"
            for label, text in details
            if text
        )
        source = f'<br><span class="source">{_text(block.source)}</span>'
        head = f"<b>{_text(opening(block.word))}:</b> {_text(block.text)}"
        return f"<p>{head}{lines}{source}</p>"

    def _chart(self, block: Any) -> str:
        picture = figure(self._setter, block, self.language, "svg").decode("utf-8")
        svg = picture[picture.index("<svg") :].replace("<svg", '<svg role="img"', 1)
        note = f"<figcaption>{_text(block.note)}</figcaption>" if _has_note(block) else ""
        return f'<figure aria-label="{_text(block.alt)}">{svg}{note}</figure>'

    # ---------------------------------------------------------------- the table of answers

    def play(self, answers: Answers, of: str = "") -> str:
        """Sliders and answers; `of`: whose they are, where there are several scenarios."""
        title = f"{self._said(_TITLE)} {of}".rstrip()
        sliders = "".join(
            f'<div><label for="axis-{id}">{_text(self._said(title))}</label>'
            f'<input type="number" id="number-{id}" min="{least}" max="{most}" step="{step}" '
            f'value="{start:g}" aria-label="{_text(self._said(title))}">'
            f'<input type="range" id="axis-{id}" min="{least}" max="{most}" step="{step}" '
            f'value="{start:g}"></div>'
            for id, title, least, most, step, start in self._sliders
        )
        lost = "".join(
            f'<option value="{at}">{_text(self._lost(hosts))}</option>'
            for at, hosts in enumerate(answers.lost)
        )
        sliders += (
            f'<div><label for="axis-lost">{_text(self._said(say("Lost host")))}</label>'
            f'<select id="axis-lost">{lost}</select></div>'
        )
        numbers = "".join(
            f'<div>{_text(self._said(title))}<b id="answer-{id}"></b></div>'
            for id, title in (("users", say("Users")), *((id, _title(id)) for id in NUMBERS))
        )
        caption = _text(
            self._said(say("{what}: users across, mail files down", what=_title(NUMBERS[0])))
        )
        return (
            f'<section id="play"><h2>{_text(title)}</h2><p>{_text(self._said(_HOW))}'
            f'</p><div class="sliders">{sliders}</div><p><span id="answer-verdict" class="chip">'
            f'</span></p><div class="answers" aria-live="polite">{numbers}</div>'
            f'<div class="scroll"><table id="surface"><caption>{caption}</caption>'
            f"<thead></thead><tbody></tbody></table></div>"
            f'<p class="note">{_text(self._said(_off_text(answers)))}</p></section>'
        )

    @property
    def _sliders(self) -> tuple[tuple[str, str, float, float, float, float], ...]:
        """Id, title, least, most, step and where it stands at first."""
        plan = self.scenario.growth
        least, most = min(plan.users_pct, -10.0), max(plan.users_pct, 40.0)
        return (
            ("users", say("Users, % of today’s"), 50, 200, 1, 100.0),
            ("mail", say("Mail files, % of today’s"), 50, 300, 1, 100.0),
            ("growth", say("Growth of users a year, %"), least, most, 0.1, plan.users_pct),
            ("years", say("Years from now"), 0, YEARS, 1, 0.0),
        )

    def _lost(self, hosts: Sequence[str]) -> str:
        names = [self.scenario.host(id).name for id in hosts]
        return " + ".join(names) if names else self._said(say("none"))

    def table(self, answers: Answers, fingerprint: str) -> dict[str, Any]:
        """What the page reads, and who wants to ask it himself."""
        return {
            "format": "headroom-answer",
            "version": 1,
            "hash": fingerprint,
            "people": active_users(self.scenario.vms).first,
            "users": answers.users,
            "mail": answers.mail,
            "lost": answers.lost,
            "planes": answers.plane,
            "mail_pct": answers.mail_pct,
            "numbers": [
                {
                    "id": id,
                    "unit": unit_of(id),
                    "above_pct": above_pct(off),
                    "raised_pct": off.below,
                }
                for id, off in zip(NUMBERS, answers.errors, strict=True)
            ],
            "verdicts": [
                {
                    "word": self._said(opening(verdict.label)),
                    "icon": VERDICT_LOOK[verdict][0],
                    "colour": VERDICT_LOOK[verdict][1],
                }
                for verdict in Verdict
            ],
            "words": {
                "no_data": self._said(NO_DATA_TEXT),
                "at_least": self._said(AT_LEAST),
                "outside": self._said(say("Ask your architect")),
                "numeral": self._said(number(1234.5, 1)),
            },
            "codes": _in_a_row(answers.verdicts),
            "partial": [_in_a_row(of.astype(int)) for of in answers.partial],
            "values": [[_digits(each) for each in of.ravel().tolist()] for of in answers.values],
        }


def _in_a_row(codes: IntArray) -> str:
    return "".join(map(str, codes.ravel().tolist()))


def _digits(value: float) -> float | None:
    return float(f"{value:.5g}") if math.isfinite(value) else None


ROUNDED_PCT = 1.0
"""By which three digits, rounded up, are too high at most."""


def above_pct(error: Error) -> float:
    """By how much an answer is too high at most, as it is printed [%]."""
    return math.ceil((error.above + ROUNDED_PCT) * 10.0) / 10.0


def _off_text(answers: Answers) -> str:
    off = [
        joined(" ", (_title(id), with_unit(number(above_pct(error), 1), "%")))
        for id, error in zip(NUMBERS, answers.errors, strict=True)
    ]
    return say(
        "Between two steps of its table numbers go straight, to the worse side, and the verdict "
        "is the worst around. Held against the program at {places} places between steps: verdicts "
        "were never better, at {worse} worse. Numbers were never lower, and higher by at most: "
        "{off}; a quarter is added for other places, and rounding up to three digits.",
        places=number(answers.places),
        worse=number(answers.worse),
        off=joined(", ", off),
    )


_TITLE = say("What if?")
_HOW = say(
    "Move a slider or write a number: the answers were worked out beforehand by the program that "
    "made this document, with all its checks. Users count as they would today and then grow for so "
    "many years; mail files and other work grow as planned. Colour and word are the verdict. The "
    "verdicts of the design above stand whatever is moved here. For anything beyond ask your "
    "architect."
)


def _title(id: str) -> str:
    """What a number of the table is: that of the item nearest to its limit."""
    dial = PREDICTED[id].dial
    return opening(title_of(id)) if dial is None else dial.swept


def _table(block: Table) -> str:
    kinds = ['class="number"' if column.numeric else "" for column in block.columns]
    heads = "".join(
        f'<th scope="col" {kind}>{_text(column.title)}</th>'
        for column, kind in zip(block.columns, kinds, strict=True)
    )
    rows = "".join(f"<tr>{_cells(row, kinds)}</tr>" for row in block.rows)
    note = f'<p class="note">{_text(block.note)}</p>' if block.note else ""
    return (
        f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        f"</div>{note}"
    )


def _cells(row: tuple[Cell, ...], kinds: list[str]) -> str:
    cells = zip(row, kinds, strict=True)
    return "".join(f"<td {kind}>{_text(cell_text(cell))}</td>" for cell, kind in cells)


def _has_note(block: Any) -> bool:
    return isinstance(block, ResponsePlot) and bool(block.note)
