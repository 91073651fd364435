"""A proposal as one page for a browser: offline, and with sliders that answer from a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any

import resources
from app.language import Language
from app.report.data import COLOURS, VERDICT_LOOK, WORDS, look_of, spoken
from app.report.figures import figure
from app.report.plain import plain
from app.report.typesetter import Typesetter
from models.base.texts import opening, said, say
from models.predict.predicted import PREDICTED, title_of, unit_of
from models.predict.prediction import Verdict
from models.proposal import Proposal
from models.scenario.wording import exact_text, number, value_text, with_unit
from models.studies.leave_behind import NUMBERS, Answers
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

TEMPLATE = "leave-behind.html"


def proposal_html(proposal: Proposal, answers: Answers | None, language: Language) -> bytes:
    """The proposal in a tongue, as HTML in UTF-8."""
    with Typesetter() as setter:
        return _page(spoken(proposal, language), answers, _Page(language, setter))


def _page(told: Proposal, answers: Answers | None, page: _Page) -> bytes:
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
        "table": _script(None if answers is None else page.table(answers)),
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
    def __init__(self, language: Language, setter: Typesetter) -> None:
        self.language, self._setter = language, setter

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
            f'<div><label for="axis-{id}">{_text(self._said(title))}'
            f'<output id="value-{id}"></output></label>'
            f'<input type="range" id="axis-{id}" min="0" max="{len(labels) - 1}" value="{start}"'
            f"{' disabled' if len(labels) == 1 else ''}></div>"
            for id, title, labels, start in self._axes(answers)
        )
        numbers = "".join(
            f'<div>{_text(self._said(title))}<b id="answer-{id}"></b></div>'
            for id, title in ((id, _title(id)) for id in NUMBERS)
        )
        heads = "".join(f"<th>{_text(label)}</th>" for label in self._axes(answers)[0][2])
        caption = _text(
            self._said(say("{what}: users across, mail files down", what=_title(NUMBERS[0])))
        )
        return (
            f'<section id="play"><h2>{_text(title)}</h2><p>{_text(self._said(_HOW))}'
            f'</p><div class="sliders">{sliders}</div><p><span id="answer-verdict" class="chip">'
            f'</span></p><div class="answers" aria-live="polite">{numbers}</div>'
            f'<div class="scroll"><table id="surface"><caption>{caption}</caption>'
            f"<thead><tr><th></th>{heads}</tr></thead><tbody></tbody></table></div></section>"
        )

    def _axes(self, answers: Answers) -> list[tuple[str, str, list[str], int]]:
        """Id, title, the words of each step, and the step of today."""
        percent = self._percent
        return [
            ("users", say("Users"), list(map(percent, answers.users)), answers.users.index(1.0)),
            ("mail", say("Mail files"), list(map(percent, answers.mail)), answers.mail.index(1.0)),
            ("lost", say("Hosts lost"), [self._said(number(each)) for each in answers.lost], 0),
            ("years", say("Year"), [self._said(number(each)) for each in answers.years], 0),
        ]

    def _percent(self, factor: float) -> str:
        return self._said(with_unit(exact_text(round(factor * 100.0)), "%"))

    def table(self, answers: Answers) -> dict[str, Any]:
        return {
            "axes": [{"id": id, "labels": labels} for id, _, labels, _ in self._axes(answers)],
            "numbers": [{"id": id} for id in NUMBERS],
            "verdicts": [
                {
                    "word": self._said(opening(verdict.label)),
                    "icon": VERDICT_LOOK[verdict][0],
                    "colour": VERDICT_LOOK[verdict][1],
                }
                for verdict in Verdict
            ],
            "rows": [list(row) for row in self._rows(answers)],
        }

    def _rows(self, answers: Answers) -> Iterator[tuple[int | str, ...]]:
        for verdict, numbers in zip(answers.verdicts, answers.numbers, strict=True):
            words = (
                self._said(value_text(found, unit_of(id)))
                for id, found in zip(NUMBERS, numbers, strict=True)
            )
            yield (verdict, *words)


_TITLE = say("What if?")
_HOW = say(
    "Move a slider: every answer was worked out beforehand by the program that made this document, "
    "with all its checks. Users and mail files are shares of today’s; the busiest hosts are lost "
    "first; years follow the planned growth. Colours and words are the verdict. Nothing is "
    "interpolated: each step is the program’s own answer, and the verdicts of the design above "
    "stand whatever is moved here. For anything between or beyond ask your architect."
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
