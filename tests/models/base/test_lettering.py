"""Names show what they hold, and turn nothing around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.errors import ModelError
from models.base.lettering import (
    BREAK,
    PIECE,
    breakable,
    is_seen,
    mark_of,
    set_apart,
    visible,
)
from models.base.limits import LINE_LENGTH, check_line
from models.base.texts import joined, say
from models.judgement.rulebook import names

ARABIC = "مضيف 1"
APART_ARABIC = "\u200e\u2068مضيف 1\u2069"
TURNING = ("\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069")
WITHOUT_WIDTH = ("\u00ad", "\u061c", "\u200b", "\u200e", "\u200f", "\u2060", "\u2064", "\ufeff")


@pytest.mark.parametrize("hidden", [*TURNING, *WITHOUT_WIDTH])
def test_what_hides_in_a_name_is_written_out(hidden: str) -> None:
    written = f"abc{mark_of(hidden)}gnp.exe"
    assert visible(f"abc{hidden}gnp.exe") == written
    assert say("{who} fails", who=f"abc{hidden}gnp.exe") == f"{written} fails"
    assert joined(": ", (f"abc{hidden}gnp.exe", "45")) == f"{written}: 45"


@pytest.mark.parametrize(
    "name", ["نمی\u200cخواهم", "क्\u200dष", "👩\u200d💻", "❤\ufe0f", "Büro-Ost"]
)
def test_joiners_stay_where_a_script_needs_them(name: str) -> None:
    assert visible(name) == name


def test_a_joiner_between_latin_letters_is_written_out() -> None:
    assert visible("es\u200dx1\u200c") == "es⟨U+200D⟩x1⟨U+200C⟩"


def test_a_name_from_right_to_left_is_set_apart_once() -> None:
    sentence = say("Disk utilisation of {who}: 26–76 %", who=ARABIC)
    assert sentence == f"Disk utilisation of {APART_ARABIC}: 26–76 %"
    assert say("Besides: {what}", what=str(sentence)) == f"Besides: {sentence}"
    assert names([ARABIC, "esx1"]) == f"esx1 and {APART_ARABIC}"


@given(st.text(alphabet="a1 مש\u200b\u200e\u202e\u2066\u2068\u2069", max_size=12))
def test_what_is_set_apart_turns_nothing_around(name: str) -> None:
    shown = set_apart(name)
    assert set_apart(shown) == shown
    depth = 0
    for letter in shown:
        assert letter not in "\u200b\u202e\u2066"
        depth += {"\u2068": 1, "\u2069": -1}.get(letter, 0)
        assert depth >= 0
        assert depth or not "\u0590" <= letter <= "\u08ff"
    assert depth == 0


@pytest.mark.parametrize(
    "name", ["\u200b", "\u202e\u202c", " \u2060 ", "\u3164", "\u2800", "\ufe0f", "\U000e0041"]
)
def test_a_name_that_nobody_sees_is_none(name: str) -> None:
    assert not is_seen(name)
    with pytest.raises(ModelError) as refused:
        check_line(name, field="hosts[0].name", required=True)
    assert str(refused.value) == "hosts[0].name: must have a character that can be seen"
    check_line(name + "x", field="hosts[0].name", required=True)


@pytest.mark.parametrize("letter", ["x", "W", "漢", "_", "7"])
def test_a_long_name_may_be_broken_and_loses_nothing(letter: str) -> None:
    name = LINE_LENGTH * letter
    pieces = breakable(f"{name} fails").split(BREAK)
    assert "".join(pieces) == f"{name} fails"
    assert max(map(len, pieces)) <= PIECE + len(" fails")


def test_accents_stay_with_their_letters() -> None:
    pieces = breakable(60 * "e\N{COMBINING ACUTE ACCENT}").split(BREAK)
    assert len(pieces) > 1
    assert all(piece.startswith("e") for piece in pieces)
