"""How a name stands in words: letters nobody sees are written out, and a name that is read from
right to left keeps to itself.

Names come from people and from their files. A direction mark inside one would turn around the
figures after it, a zero-width letter makes two names look like one, and a name in Arabic or Hebrew
takes the numbers beside it along (Unicode Standard Annex 9, rules X5a to X6a and W1 to N2).

>>> visible("exe\\u202egpj"), visible("esx-1")
('exe⟨U+202E⟩gpj', 'esx-1')
>>> ascii(set_apart("\\u05d0 1")), set_apart("esx-1")
("'\\\\u200e\\\\u2068\\\\u05d0 1\\\\u2069'", 'esx-1')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category, east_asian_width

APART, TOGETHER = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
AHEAD = "\N{LEFT-TO-RIGHT MARK}"
"""Stands before a name that is set apart: labels that take their direction from the first letter,
and look into isolates for it, take that of the sentence."""
MARKS = frozenset({APART, TOGETHER, AHEAD})

UNSEEN = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
"""Characters without ink that are no spaces, as they stand in a pattern: direction marks,
zero-width ones, fillers, variation selectors."""

_LOOSE = r"\u0000-\u058f\u2000-\u218f"
"""Scripts and signs in which no letter is joined to, or kept from, another one."""
_HIDDEN = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
    rf"|(?<![^{_LOOSE}])[\u200c\u200d]|[\u200c\u200d](?![^{_LOOSE}])"
)
_RIGHT_TO_LEFT = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ALONE = re.compile(f"{AHEAD}?{APART}[^{APART}{TOGETHER}]*{TOGETHER}")

LONG = 24
"""Letters that a word may have before it is broken anywhere."""

PIECE = 12
"""Letters of such a word that stay together in a line."""

BREAK = "\N{ZERO WIDTH SPACE}"
_WORD = re.compile(rf"[^\s{BREAK}]{{{LONG // 2},}}")
_PLACES = re.compile(r"(?<=[-._/@:])(?=\w)")


def mark_of(character: str) -> str:
    """A character written out.

    >>> mark_of(" ")
    '⟨U+0020⟩'
    """
    return f"⟨U+{ord(character):04X}⟩"


def is_seen(text: str) -> bool:
    """Whether there is any ink in it.

    >>> is_seen("a"), is_seen("\\u200b \\u202e"), is_seen("")
    (True, False, False)
    """
    return _PLAIN_INK.search(text) is not None or any(map(_has_ink, text))


_PLAIN_INK = re.compile("[!-~]")


def _has_ink(character: str) -> bool:
    if character.isspace() or category(character) in {"Cc", "Cf", "Cs"}:
        return False
    return re.match(rf"[{UNSEEN}\U000e0100-\U000e01ef]", character) is None


def visible(text: str) -> str:
    """The text with every character written out that hides, or that turns others around.

    What `set_apart` put there stays, and so does what joins letters where a script needs it.
    """
    if text.isascii() or not _HIDDEN.search(text):
        return text
    own = _own_marks(text)
    return _HIDDEN.sub(lambda found: found[0] if found.start() in own else mark_of(found[0]), text)


def set_apart(text: str) -> str:
    """A name as it stands in a sentence of another direction, or on its own; again: the same."""
    if text.isascii():
        return text
    shown = visible(text)
    outside, count = _ALONE.subn("", shown)
    while count:
        outside, count = _ALONE.subn("", outside)
    return f"{AHEAD}{APART}{shown}{TOGETHER}" if _RIGHT_TO_LEFT.search(outside) else shown


def _own_marks(text: str) -> set[int]:
    """Where the pairs are that set a name from right to left apart."""
    begun, own = list[int](), set[int]()
    for place, letter in enumerate(text):
        if letter == APART:
            begun.append(place)
        elif letter == TOGETHER and begun:
            start = begun.pop()
            if _RIGHT_TO_LEFT.search(text, start, place):
                own |= {start, place}
                if text[start - 1 : start] == AHEAD:
                    own.add(start - 1)
    return own


def breakable(text: str, piece: int = PIECE) -> str:
    """The text with places where its long words may be broken: after marks, else anywhere.

    Args:
        piece: most letters that stay together; what is joined to a letter never leaves it.

    >>> breakable("esx1.example.com stays").count(BREAK), breakable(30 * "x").count(BREAK)
    (0, 2)
    >>> breakable(breakable(30 * "x_y-")) == breakable(30 * "x_y-")
    True
    """

    def broken(found: re.Match[str]) -> str:
        if letters_of(found[0]) < LONG:
            return found[0]
        return BREAK.join(each for part in _PLACES.split(found[0]) for each in _pieces(part, piece))

    return _WORD.sub(broken, text)


def letters_of(line: str) -> float:
    """How many letters of mean width a line is as wide as."""
    if line.isascii() and line.islower():
        return len(line)
    return sum(
        2.0 if each in "WM@" or east_asian_width(each) in "WF" else 1.3 if each.isupper() else 1.0
        for each in line
    )


def _pieces(part: str, most: int) -> Iterator[str]:
    start = 0
    while start < len(part):
        end = start + most
        while end < len(part) and _is_joined(part[end - 1], part[end]):
            end += 1
        yield part[start:end]
        start = end


def _is_joined(before: str, letter: str) -> bool:
    """Whether a letter belongs to the one before it: accents, joiners, marks of direction."""
    kinds = {"Mn", "Mc", "Me", "Cf", "Sk"}
    return category(letter) in kinds or category(before) == "Cf"
