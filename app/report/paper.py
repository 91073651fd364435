"""The paper that a proposal is laid out for."""

from __future__ import annotations

from enum import Enum


class Paper(Enum):
    """A size of paper: its name on the command line and in templates, width, height [mm]."""

    A4 = "a4", "a4", 210.0, 297.0
    LETTER = "letter", "us-letter", 215.9, 279.4

    def __init__(self, code: str, in_template: str, width_mm: float, height_mm: float) -> None:
        self.code = code
        self.in_template = in_template
        self.width_mm = width_mm
        self.height_mm = height_mm

    @classmethod
    def named(cls, code: str) -> Paper:
        """The size of that name.

        Raises:
            ValueError: there is none.
        """
        for paper in cls:
            if paper.code == code:
                return paper
        raise ValueError(code)
