"""Sections as a terminal shows them."""

from __future__ import annotations

from app.render.terminal import sections_text
from models.predict.prediction import Shown, Verdict
from models.tell.blocks import (
    Bullets,
    Column,
    Definitions,
    Paragraph,
    Section,
    Table,
    VerdictBox,
)


def test_every_block_has_its_lines() -> None:
    sections = (
        Section(
            "Hosts",
            (
                VerdictBox(Shown.of(Verdict.FITS), "Fits with room to spare.", "Remark."),
                Table((Column("Host"), Column("CPU %", numeric=True)), (("esx1", "45"),), "Note."),
                Definitions((("CPU", "45 %"), ("Memory", "12 GiB"))),
            ),
        ),
        Section("Next", (Paragraph("Measure."), Bullets(("one", "two")))),
    )
    assert sections_text(sections) == (
        "Hosts\nFits: Fits with room to spare.\nRemark.\n"
        "Host  CPU %\nesx1     45\nNote.\n"
        "CPU     45 %\nMemory  12 GiB\n"
        "\nNext\nMeasure.\n- one\n- two\n"
    )


def test_nothing_in_a_table_is_its_note() -> None:
    section = Section("Hosts", (Table((Column("Host"),), (), "None."),))
    assert sections_text([section]) == "Hosts\nNone.\n"
