"""In which encoding a text is, by all of its bytes; nothing in it is ever made alike."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain, pairwise

from models.base.texts import say

CHUNK = 2**20
STRAY = "headroom-stray"
"""How bytes are read that an encoding has not: as the western letter that each is, so that two
names never become one."""
ENCODINGS = {
    "utf-8": say("all languages"),
    "utf-16": say("all languages, two bytes a letter"),
    "cp1252": say("western Europe"),
    "cp1250": say("central Europe"),
    "cp1251": say("Cyrillic"),
    "cp1253": say("Greek"),
    "cp1254": say("Turkish"),
    "cp1257": say("Baltic"),
    "cp850": say("western Europe, DOS"),
    "shift_jis": say("Japanese"),
    "gbk": say("Chinese, simplified"),
    "big5": say("Chinese, traditional"),
    "cp949": say("Korean"),
}
"""Encodings that are offered, with whose letters they hold."""
_FEW = 0.5
"""Foreign bytes to a letter beyond ASCII, up to which a text is UTF-8: one in a code page has next
to no letter that is valid there."""
_PAGES = ("cp1252", "cp1250", "cp1251", "shift_jis", "gbk")


def _as_western(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bytes_ = error.object[error.start : error.end]
    return bytes_.decode("latin-1"), error.end


codecs.register_error(STRAY, _as_western)


def encoding_of(chunks: Iterable[bytes]) -> str:
    """The encoding of a text without a mark that names it.

    UTF-8 where all of it, or all but a few of its letters beyond ASCII, is valid; else the code
    page whose letters look most like words.

    >>> encoding_of([b"a" * 70_000, "Käln".encode("cp1252")]), encoding_of(["Köln".encode()])
    ('cp1252', 'utf-8')
    >>> encoding_of(["ÄÖÜ-01 Übung".encode("cp1252")]), encoding_of(["Łódź żółw".encode("cp1250")])
    ('cp1252', 'cp1250')
    >>> (
    ...     encoding_of(["Сервер почты".encode("cp1251")]),
    ...     encoding_of(["サーバー".encode("shift_jis")]),
    ... )
    ('cp1251', 'shift_jis')
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    beyond = strays = 0
    words = Counter[bytes]()
    for chunk in chain(chunks, (b"",)):
        text = decoder.decode(chunk, final=not chunk)
        if not text.isascii():
            foreign = len(_FOREIGN.findall(text))
            strays += foreign
            beyond += len(text) - len(text.encode("ascii", "ignore")) - foreign
            if len(words) < _MOST_WORDS:
                words.update(_words(chunk))
    if strays <= _FEW * beyond:
        return "utf-8"
    sample = b" ".join(words)
    return max(_PAGES, key=lambda page: _likeness(sample, page))


_FOREIGN = re.compile("[\udc80-\udcff]")
"""Bytes that are no UTF-8, as Python escapes them."""
_MOST_WORDS = 20_000


def _words(chunk: bytes) -> Iterable[bytes]:
    """Words of a text that hold bytes beyond ASCII."""
    for word in chunk.replace(b",", b" ").replace(b";", b" ").replace(b"\t", b" ").split():
        if not word.isascii():
            yield word[:200]


_COMMON = {
    "cp1252": "äöüßéèêëàâáãåæçíìîïñóòôõøúùûýÄÖÜÉÈÀÂÁÃÅÆÇÍÎÑÓÔÕØÚ–’“”€°²",
    "cp1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüĄĆĘŁŃÓŚŹŻČĚŘŠŽÁÉÍÚÝŐŰÖÜ–’“”",
    "cp1251": "",
    "shift_jis": "",
    "gbk": "",
}


def _likeness(sample: bytes, page: str) -> float:
    """How much a sample read by a code page looks like words of its languages, 0 to 1."""
    try:
        text = sample.decode(page)
    except UnicodeDecodeError:
        return 0.0
    beyond = [each for each in text if each > "\x7f"]
    if not beyond:
        return 0.0
    if page == "cp1251":
        runs = sum("а" <= each.casefold() <= "я" or each in "ёЁ№" for each in beyond)
        mixed = sum(1 for one, two in pairwise(text) if _is_mixed(one, two))
        small = sum("а" <= each <= "я" for each in beyond) >= 0.5 * len(beyond)
        return (runs - 2 * mixed) / len(beyond) * (0.99 if small else 0.4)
    if page == "shift_jis":
        return 0.98 * sum("\u3040" <= each <= "\u30ff" for each in beyond) / len(beyond) + (
            0.3 * sum("\u4e00" <= each <= "\u9fff" for each in beyond) / len(beyond)
        )
    if page == "gbk":
        return 0.6 * sum("\u4e00" <= each <= "\u9fff" for each in beyond) / len(beyond)
    known = sum(each in _COMMON[page] for each in beyond) / len(beyond)
    return known * (0.97 if page == "cp1250" else 1.0)


def _is_mixed(one: str, two: str) -> bool:
    """Whether a Cyrillic letter stands beside a Latin one, as no word has them."""
    cyrillic = "\u0400" <= one <= "\u04ff", "\u0400" <= two <= "\u04ff"
    return cyrillic[0] != cyrillic[1] and one.isalpha() and two.isalpha()
