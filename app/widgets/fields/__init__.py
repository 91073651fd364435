"""Input fields that speak people's language: locale's marks, units beside, refusals in words.

A field shows a value (`show_value`) and asks for another one (`committed`); it never decides.
`said` carries what to write beside it: a refusal, or how an ambiguous number was read.
"""

from app.widgets.fields.choice import (
    Choice,
    ChoiceField,
    Dropdown,
    FlagField,
    TickBox,
    TickDelegate,
)
from app.widgets.fields.line import MIXED, LineEditor, commit_typed, is_history_key
from app.widgets.fields.number import NumberField
from app.widgets.fields.several import SeveralField
from app.widgets.fields.slider import NumberSlider, slider_top
from app.widgets.fields.text import HeadingField, NotesField, TextField

__all__ = [
    "MIXED",
    "Choice",
    "ChoiceField",
    "Dropdown",
    "FlagField",
    "HeadingField",
    "LineEditor",
    "NotesField",
    "NumberField",
    "NumberSlider",
    "SeveralField",
    "TextField",
    "TickBox",
    "TickDelegate",
    "commit_typed",
    "is_history_key",
    "slider_top",
]
