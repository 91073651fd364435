"""How well what was typed matches a name: whole words first, then parts, then letters in order."""

from __future__ import annotations

WORD, INITIALS, PART, LETTERS = 4.0, 3.0, 2.0, 1.0
NEAR_START = 0.5


def score(typed: str, name: str) -> float | None:
    """How well every word of `typed` is found in `name`; None when one of them isn't.

    Most counts what begins a word of the name; then initials from the beginning; then what stands
    inside a word; last letters that come in this order, each at the beginning of a word or after
    the one before. Of equals, the one found nearer to the beginning wins.

    >>> score("undo", "Undo Move Mail-01") > score("undo", "Nothing to undo")
    True
    >>> score("nt", "New from totals") is not None, score("nz", "New from totals")
    (True, None)
    """
    name, total = name.casefold(), 0.0
    for word in typed.casefold().split():
        found = _best(word, name)
        if found is None:
            return None
        total += found
    return total


def _best(word: str, name: str) -> float | None:
    first = at = name.find(word)
    while at >= 0 and not _begins(name, at):
        at = name.find(word, at + 1)
    if at >= 0:
        return WORD + NEAR_START * (1 - at / len(name))
    if first >= 0:
        return PART + NEAR_START * (1 - first / len(name))
    if not _in_order(word, name):
        return None
    return INITIALS if name.startswith(word[0]) else LETTERS


def _begins(name: str, at: int) -> bool:
    return at == 0 or not name[at - 1].isalnum()


def _in_order(word: str, name: str) -> bool:
    """Each letter begins a word of the name, or follows the letter before."""
    ends = {-1}
    for letter in word:
        first = min(ends)
        ends = {
            at
            for at, each in enumerate(name)
            if each == letter and ((at - 1) in ends or (_begins(name, at) and first < at))
        }
        if not ends:
            return False
    return True
