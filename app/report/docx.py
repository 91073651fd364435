"""A proposal as a Word document: real styles, tables and a table of contents, to be edited."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Emu, Mm, Pt, RGBColor
from docx.table import _Cell
from docx.text.paragraph import Paragraph as Line

from app.language import Language
from app.report.archive import archived, members_of
from app.report.data import COLOURS, WORDS, look_of, spoken
from app.report.figures import figure, is_chart
from app.report.paper import Paper
from app.report.plain import plain
from app.report.tables import shares
from app.report.typesetter import Typesetter
from models.base.texts import opening, said
from models.proposal import Proposal
from models.tell.blocks import (
    Block,
    Bullets,
    Definitions,
    FindingBlock,
    Paragraph,
    ResponsePlot,
    Signature,
    Table,
    VerdictBox,
    cell_text,
)

TYPEFACE = "Arial"
"""One that office programs everywhere have, or have a twin of."""

MARGIN_MM = 22.0
TABLE, SMALL = "Sizing Table", "Small Print"
TEXT, HEAD, NARROW_TEXT, NARROW_HEAD = "Table Text", "Table Head", "Narrow Text", "Narrow Head"
"""Styles of the document's own, so that whoever edits it changes them once."""

MANY_COLUMNS = 9
"""A table with more has smaller letters, so that no word of its head breaks."""


def proposal_docx(proposal: Proposal, language: Language, paper: Paper, now: datetime) -> bytes:
    """The proposal in a tongue, as DOCX."""
    with Typesetter() as setter:
        return _Writer(language, paper, setter).written(spoken(proposal, language), now)


class _Writer:
    def __init__(self, language: Language, paper: Paper, setter: Typesetter) -> None:
        self._language, self._setter = language, setter
        self._width = Mm(paper.width_mm - 2 * MARGIN_MM)
        self._document: Document = docx.Document()
        self._style(paper)

    def written(self, proposal: Proposal, now: datetime) -> bytes:
        document = self._document
        properties = document.core_properties
        properties.title = plain(f"{proposal.title} – {proposal.subject}")[:255]
        properties.author = plain(proposal.author)[:255]
        properties.comments, properties.language = "", self._language.code
        properties.created = properties.modified = now.replace(tzinfo=None)
        self._running(proposal)
        self._cover(proposal)
        for part in proposal.parts:
            document.add_paragraph().paragraph_format.page_break_before = True
            document.add_heading(plain(part.title), 1)
            for section in part.sections:
                document.add_heading(plain(section.title), 2)
                if section.message:
                    document.add_paragraph().add_run(plain(section.message)).bold = True
                for block in section.blocks:
                    self._block(block)
        stream = io.BytesIO()
        document.save(stream)
        return archived(members_of(stream.getvalue()), now)

    # ---------------------------------------------------------------- styles

    def _style(self, paper: Paper) -> None:
        page = self._document.sections[0]
        page.page_width, page.page_height = Mm(paper.width_mm), Mm(paper.height_mm)
        page.left_margin = page.right_margin = Mm(MARGIN_MM)
        page.top_margin = page.bottom_margin = Mm(22)
        page.different_first_page_header_footer = True
        styles = self._document.styles
        sizes = {"Normal": 9.5, "Title": 26, "Heading 1": 17, "Heading 2": 12, "List Bullet": 9.5}
        for name, points in sizes.items():
            font = styles[name].font
            font.name, font.size = TYPEFACE, Pt(points)
            font.color.rgb = _colour("text")
            fonts = styles[name].element.get_or_add_rPr().get_or_add_rFonts()
            for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
                fonts.attrib.pop(qn(f"w:{theme}"), None)
            for script in ("w:ascii", "w:hAnsi", "w:cs", "w:eastAsia"):
                fonts.set(qn(script), TYPEFACE)
        self._own_styles()
        tongue = OxmlElement("w:lang")
        tongue.set(qn("w:val"), self._language.code)
        styles["Normal"].element.get_or_add_rPr().append(tongue)

    def _own_styles(self) -> None:
        styles = self._document.styles
        for name, based_on, points, bold in (
            (SMALL, "Normal", 8.0, None),
            (TEXT, "Normal", 8.5, None),
            (HEAD, TEXT, 8.5, True),
            (NARROW_TEXT, TEXT, 6.5, None),
            (NARROW_HEAD, NARROW_TEXT, 6.5, True),
        ):
            style = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
            style.base_style, style.quick_style = styles[based_on], True
            style.font.size, style.font.bold = Pt(points), bold
            if name != SMALL:
                style.paragraph_format.space_after = Pt(1)
        styles[SMALL].font.color.rgb = _colour("muted")
        table = styles.add_style(TABLE, WD_STYLE_TYPE.TABLE)
        table.base_style = styles["Normal Table"]
        table.element.append(_ruled())

    def _running(self, proposal: Proposal) -> None:
        """Head and foot of each page but the first."""
        page = self._document.sections[0]
        for name in ("Header", "Footer"):  # they come with a stop in the middle
            style = self._document.styles[name]
            style.font.size, style.font.color.rgb = Pt(8), _colour("muted")
            style.paragraph_format.tab_stops.clear_all()
            style.paragraph_format.tab_stops.add_tab_stop(self._width, WD_TAB_ALIGNMENT.RIGHT)
        head = page.header.paragraphs[0]
        self._small(head, f"{proposal.title} · {proposal.subject}\t{proposal.date}")
        template = said(WORDS["page"], self._language)
        before, _, rest = template.partition("{page}")
        between, _, after = rest.partition("{pages}")
        for foot in (page.footer.paragraphs[0], page.first_page_footer.paragraphs[0]):
            self._small(foot, f"{proposal.made_with}\t{before}")
            _field(foot, "PAGE")
            self._small(foot, between)
            _field(foot, "NUMPAGES")
            self._small(foot, after)

    def _small(self, line: Line, text: str) -> None:
        run = line.add_run(plain(text))
        run.font.size, run.font.color.rgb = Pt(8), _colour("muted")

    def _small_line(self, text: str) -> None:
        self._document.add_paragraph(plain(text), style=SMALL)

    # ---------------------------------------------------------------- the cover

    def _cover(self, proposal: Proposal) -> None:
        document = self._document
        self._small_line(proposal.title.upper())
        document.add_paragraph(plain(proposal.subject), style="Title")
        self._definitions(proposal.cover)
        for name, box in proposal.verdicts:
            if proposal.verdicts[1:]:
                document.add_paragraph().add_run(plain(name)).bold = True
            self._verdict(box)
        for block in proposal.first:
            self._block(block)
        if proposal.note:
            document.add_paragraph(plain(proposal.note))
        heading = document.add_paragraph()
        heading.add_run(said(WORDS["contents"], self._language)).bold = True
        _contents(document.add_paragraph(), proposal)
        self._small_line(proposal.imprint)

    # ---------------------------------------------------------------- blocks

    def _block(self, block: Block) -> None:
        match block:
            case Paragraph():
                self._document.add_paragraph(plain(block.text))
            case Bullets():
                for item in block.items:
                    self._document.add_paragraph(plain(item), style="List Bullet")
            case VerdictBox():
                self._verdict(block)
            case Definitions():
                self._definitions(block.rows)
            case FindingBlock():
                self._finding(block)
            case Table():
                self._table(block)
            case Signature():
                for party in block.parties:
                    self._signature(party)
            case _ if is_chart(block):
                self._chart(block)

    def _verdict(self, box: VerdictBox) -> None:
        line = self._document.add_paragraph()
        icon, colour = look_of(box.verdict)
        word = line.add_run(f"{icon} {plain(opening(box.verdict.words))}  ")
        word.bold, word.font.size, word.font.color.rgb = True, Pt(11), _colour(colour)
        line.add_run(plain(box.text)).font.size = Pt(10.5)
        if box.remark:
            remark = self._document.add_paragraph().add_run(plain(box.remark))
            remark.bold, remark.font.color.rgb = True, _colour("warn")

    def _finding(self, block: FindingBlock) -> None:
        line = self._document.add_paragraph()
        line.add_run(f"{plain(opening(block.word))}: ").bold = True
        line.add_run(plain(block.text))
        details = ((WORDS["accepted"], block.waived), (WORDS["fix"], block.fix))
        for label, text in details:
            if text:
                line.add_run().add_break()
                line.add_run(f"{said(label, self._language)} ").bold = True
                line.add_run(plain(text))
        line.add_run().add_break()
        self._small(line, block.source)

    def _chart(self, block: Any) -> None:
        picture = figure(self._setter, block, self._language, "png")
        shape = self._document.add_picture(io.BytesIO(picture), width=self._width)
        shape._inline.docPr.set("descr", plain(block.alt))
        if isinstance(block, ResponsePlot):
            self._small_line(block.note)

    def _signature(self, party: str) -> None:
        line = self._document.add_paragraph()
        line.paragraph_format.space_before = Pt(30)
        line.add_run("_" * 48).add_break()
        self._small(line, said(WORDS["signature"], self._language).replace("{party}", party))

    def _definitions(self, rows: Sequence[tuple[str, str]]) -> None:
        if not rows:
            return
        table = self._document.add_table(rows=0, cols=2)
        table.autofit = False
        widths = Mm(46), self._width - Mm(46)
        for column, width in zip(table.columns, widths, strict=True):
            column.width = width
        for name, value in rows:
            cells = table.add_row().cells
            self._cell(cells[0], name, HEAD)
            self._cell(cells[1], value, TEXT)
            cells[0].width, cells[1].width = widths
        self._apart()

    def _table(self, block: Table) -> None:
        if not block.columns:
            return
        table = self._document.add_table(rows=1, cols=len(block.columns))
        table.alignment, table.autofit = WD_TABLE_ALIGNMENT.CENTER, False
        table.style = self._document.styles[TABLE]
        for column, share in zip(table.columns, shares(block), strict=True):
            column.width = Emu(int(self._width * share))
        is_narrow = len(block.columns) > MANY_COLUMNS
        head, body = (NARROW_HEAD, NARROW_TEXT) if is_narrow else (HEAD, TEXT)
        for cell, column in zip(table.rows[0].cells, block.columns, strict=True):
            self._cell(cell, column.title, head, numeric=column.numeric)
        _repeated(table.rows[0]._tr)
        for row in block.rows:
            line = table.add_row()
            _together(line._tr)
            for cell, text, column in zip(line.cells, row, block.columns, strict=True):
                self._cell(cell, cell_text(text), body, numeric=column.numeric)
        if block.note:
            self._small_line(block.note)
        else:
            self._apart()

    def _apart(self) -> None:
        """Word joins tables that nothing stands between."""
        between = self._document.add_paragraph().paragraph_format
        between.line_spacing, between.space_after = Pt(4), Pt(4)

    def _cell(self, cell: _Cell, text: str, style: str, *, numeric: bool = False) -> None:
        line = cell.paragraphs[0]
        line.style = self._document.styles[style]
        if numeric:
            line.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        line.add_run(plain(text))


def _contents(line: Line, proposal: Proposal) -> None:
    """A field that the office program fills in; until then it lists the headings."""
    _mark(line, "begin")
    _instruction(line, r'TOC \o "1-2" \h \z \u')
    _mark(line, "separate")
    for part in proposal.parts:
        line.add_run(plain(part.title)).add_break()
        for section in part.sections:
            line.add_run(f"    {plain(section.title)}").add_break()
    _mark(line, "end")


def _field(line: Line, name: str) -> None:
    _mark(line, "begin")
    _instruction(line, name)
    _mark(line, "separate")
    line.add_run("1")
    _mark(line, "end")


def _mark(line: Line, kind: str) -> None:
    mark = OxmlElement("w:fldChar")
    mark.set(qn("w:fldCharType"), kind)
    if kind == "begin" and "TOC" in line.text:
        mark.set(qn("w:dirty"), "true")
    line.add_run()._r.append(mark)


def _instruction(line: Line, text: str) -> None:
    instruction = OxmlElement("w:instrText")
    instruction.set(qn("xml:space"), "preserve")
    instruction.text = text
    line.add_run()._r.append(instruction)


def _ruled() -> Any:
    """Of a table's style: thin lines between rows, none between columns."""
    properties, borders = OxmlElement("w:tblPr"), OxmlElement("w:tblBorders")
    for side, name in (("top", "strong"), ("bottom", "strong"), ("insideH", "line")):
        line = OxmlElement(f"w:{side}")
        for key, value in (("val", "single"), ("sz", "4"), ("color", COLOURS[name].lstrip("#"))):
            line.set(qn(f"w:{key}"), value)
        borders.append(line)
    properties.append(borders)
    return properties


def _repeated(row: Any) -> None:
    """The head of a table stands on each of its pages."""
    row.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _together(row: Any) -> None:
    row.get_or_add_trPr().append(OxmlElement("w:cantSplit"))


def _colour(name: str) -> RGBColor:
    return RGBColor.from_string(COLOURS[name].removeprefix("#").upper())
