"""Every text of the window is marked, and every marked text has its German."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.language import language_of, names
from models.base.marks import Style
from models.base.texts import say_many
from resources.translation_files import language_name, languages, load_messages, read_messages
from tests.packaging.loading import ROOT, load

TEXTS = load("texts")
GERMAN = load_messages("de")
UPDATE = "`python packaging/texts.py` adds what is missing to the catalogues; translate it there"


@cache
def marked() -> dict[str, Any]:
    """Every marked text of the program."""
    found: dict[str, Any] = TEXTS.marked(ROOT)
    return found


def german(text: str) -> tuple[str, ...]:
    return GERMAN.counted.get(text) or tuple(filter(None, [GERMAN.words.get(text)]))


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_marked_text_has_a_german_one() -> None:
    missing = [f"{each.place}: {one}" for one, each in marked().items() if not german(one)]
    assert not missing, f"{UPDATE}\n" + "\n".join(missing)


def test_a_translation_has_the_placeholders_of_its_text() -> None:
    wrong = [
        f"{one} | {form}"
        for one, each in marked().items()
        for form in german(one)
        if "{" in one + each.many + form
        if (places(form) != places(one) if not each.many else places(form) - places(each.many))
    ]
    assert not wrong


def test_a_translation_begins_and_ends_as_its_text_does() -> None:
    """Texts that are joined bring their spaces along; a key of a menu stays one."""
    wrong = [
        f"{one!r} | {form!r}"
        for one in marked()
        for form in german(one)
        if one.startswith(" ") != form.startswith(" ")
        or one.endswith(" ") != form.endswith(" ")
        or one.endswith("…") != form.endswith("…")
        or ("&" in one) != ("&" in form)
    ]
    assert not wrong


def test_counted_texts_have_two_forms() -> None:
    assert not [one for one, each in marked().items() if each.many and len(german(one)) != 2]


def test_apostrophes_are_printed_ones() -> None:
    """In what stands in the window and on paper; errors of files, and what was held against what,
    are read at a console too."""
    console = ("db/", "models/fitting/")
    plain = [
        f"{each.place}: {one}"
        for one, each in marked().items()
        if re.search(r"\w'\w", one + each.many) and not str(each.place).startswith(console)
    ]
    assert not plain


def test_a_menu_gives_hardly_a_key_twice() -> None:
    """Not more often in German than in English; Qt then goes from one to the next."""
    from app import actions

    for menu in (*actions.MENUS, None):
        entries = menu.entries if menu else actions.MENUS
        texts = [entry.text for entry in entries if entry is not None]
        assert _shared([german(text)[0] for text in texts]) <= _shared(texts), texts


def _shared(texts: list[str]) -> int:
    """How many entries have the key of another one before them."""
    keys = Counter(re.findall(r"&(\w)", " ".join(texts).lower()))
    return sum(count - 1 for count in keys.values())


# ---------------------------------------------------------------------------- the catalogue


def test_there_is_german() -> None:
    assert "de" in languages()
    assert language_name("de") == "Deutsch"
    assert GERMAN.style == Style(",", ".")


def test_a_catalogue_is_written_as_it_is_read() -> None:
    texts = {
        "one": TEXTS.Marked("one", "", "app/a.py:1"),
        'a "b"\n': TEXTS.Marked('a "b"\n', "", "app/a.py:2"),
        "{count} host": TEXTS.Marked("{count} host", "{count} hosts", "app/b.py:3"),
        "w" * 60 + " " + "x" * 60: TEXTS.Marked("w" * 60 + " " + "x" * 60, "", "app/b.py:4"),
    }
    words = {one: f"{one}!" for one in texts if one != "{count} host"}
    counted = {"{count} host": ("{count} Host", "{count} Hosts")}
    has = replace(read_messages(""), words=words, counted=counted)
    text = TEXTS.catalogue(texts, 'msgid ""\nmsgstr ""', has)
    found = read_messages(text)
    assert dict(found.words) == words
    assert dict(found.counted) == counted
    assert max(map(len, text.splitlines())) <= 100


SLAVIC = """msgid ""
msgstr ""
"Language: xx\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
"(n%100<10 || n%100>=20) ? 1 : 2);\\n"
"X-Language-Name: Ixisch\\n"
"X-Decimal-Mark: ,\\n"
"X-Group-Mark: ·\\n"

msgid "{count} VM finds no room"
msgid_plural "{count} VMs find no room"
msgstr[0] "{count} ixa"
msgstr[1] "{count} ixy"
msgstr[2] "{count} ixov"

msgid "{count} host may fail"
msgid_plural "{count} hosts may fail"
msgstr[0] "{count} of two forms"
msgstr[1] "{count} of two forms"
"""


def test_a_language_is_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xx.po").write_text(SLAVIC, encoding="utf-8")
    monkeypatch.setattr("resources.translation_files._FOLDER", tmp_path)
    load_messages.cache_clear()
    try:
        assert names() == {"en": "English", "xx": "Ixisch"}
        spoken = language_of("xx")
    finally:
        load_messages.cache_clear()
    said = [
        say_many("{count} VM finds no room", "{count} VMs find no room", count).said(spoken)
        for count in (0, 1, 2, 4, 5, 11, 12, 21, 22, 1104)
    ]
    assert said == [
        *("0 ixov", "1 ixa", "2 ixy", "4 ixy", "5 ixov", "11 ixov", "12 ixov"),
        *("21 ixa", "22 ixy", "1·104 ixy"),
    ]
    lacking = say_many("{count} host may fail", "{count} hosts may fail", 3)
    assert lacking.said(spoken) == "3 hosts may fail"


def test_texts_that_are_new_have_as_many_forms_as_the_language() -> None:
    texts = {"{count} pool": TEXTS.Marked("{count} pool", "{count} pools", "app/b.py:3")}
    text = TEXTS.catalogue(texts, SLAVIC.partition("\n\n")[0], read_messages(SLAVIC))
    assert text.endswith('msgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""\n')


@pytest.mark.parametrize(
    "rule", ["", "nplurals=2; plural=__import__('os');", "nplurals=2; plural=n.n;", "nplurals=0"]
)
def test_a_rule_of_plurals_that_is_none_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match=r"Plural-Forms|plural"):
        read_messages(f'msgid ""\nmsgstr "Plural-Forms: {rule}\\n"\n')


def test_what_is_not_translated_is_left_out() -> None:
    text = 'msgid "a"\nmsgstr ""\n\n#, fuzzy\nmsgid "b"\nmsgstr "B"\n\nmsgid "c"\nmsgstr "C"\n'
    assert dict(read_messages(text).words) == {"c": "C"}


def test_a_marker_wants_a_literal() -> None:
    with pytest.raises(ValueError, match=r"x\.py:1"):
        list(TEXTS.marked_in("tr(name)", "x.py"))


def test_a_text_is_marked_in_one_way(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "x.py").write_text('tr("host")\ntrn("host", "{count} hosts", 2)\n')
    with pytest.raises(ValueError, match=r"x\.py:2: app/x\.py:1"):
        TEXTS.marked(tmp_path)


# ---------------------------------------------------------------------------- unmarked texts

SHOWN = ("app/widgets", "app/windows", "app/qtmodels", "app/actions.py")
NAMES = {
    *("Headroom", "CPU", "RAM", "IOPS", "MHz", "GHz", "GiB", "MiB", "MB", "Gb/s", "Mb/s"),
    *("VM", "VMs", "FT", "RAID", "RAID-DP", "LUN", "RDM", "VMFS", "Sametime", "Domino", "Id"),
    *("Qt", "NumPy", "Python", "System", "Clovertown", "CPU %", "RAM %", "PDF (*.pdf)"),
    *("GiB RAM", " GiB RAM", "GHz CPU", "CPU 100.0\N{NARROW NO-BREAK SPACE}%", "CPU 100.0 %"),
}
"""Names and units, which every language writes alike."""

DATA = {"Scenario 1", "vmstat column", "Esc", "Backspace", "Home", "Del"}
"""What goes into the project, or is matched against data or keys, but is not shown."""

KEYS = re.compile(r"(Ctrl|Shift|Alt)[+](\w+|.)")
"""Shortcuts, in Qt's words."""


def unmarked(source: str) -> Iterator[tuple[int, str]]:
    """Literals that look like words for people and stand in no marker."""
    tree = ast.parse(source)
    inside = {id(child) for node in ast.walk(tree) if _excuses(node) for child in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            words = re.search(r"[A-Za-z]{2,} +[A-Za-z]{2,}", text)
            begins = re.match(r"[A-Z&][a-z]", text) and not re.search(r"[A-Z]", text[1:])
            looks = bool(words) or (bool(begins) and len(text) > 2)
            if (
                looks
                and id(node) not in inside
                and text not in NAMES | DATA
                and not KEYS.fullmatch(text)
            ):
                yield node.lineno, text


def _excuses(node: ast.AST) -> bool:
    """Calls that mark, and places where no text for people can stand."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        return name in {
            *("tr", "trn", "say", "say_many", "TypeVar", "setProperty", "property"),
            *("setObjectName", "getattr"),
            *("import_module", "setStyleSheet", "startswith", "removeprefix", "compile", "cast"),
        }
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)  # docstrings
    if isinstance(node, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id == "__all__" for each in node.targets)
    return isinstance(node, ast.Compare | ast.Subscript | ast.arg) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_markup(node.value)
    )


def _is_markup(text: str) -> bool:
    return bool(re.search(r"[{}<>]|;\s*$|:\s*[a-z0-9#]+;", text))


def test_no_text_of_the_window_is_unmarked() -> None:
    found = []
    for name in SHOWN:
        path = ROOT / name
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            place = file.relative_to(ROOT).as_posix()
            source = file.read_text(encoding="utf-8")
            found += [f"{place}:{line}: {text!r}" for line, text in unmarked(source)]
    assert not found, "put them into `tr`:\n" + "\n".join(found)


def test_an_unmarked_text_is_seen() -> None:
    source = 'label.setText("Two words")\nlabel.setText(tr("Two words"))\nx = f"{n} open files"\n'
    assert [line for line, _ in unmarked(source)] == [1, 3]


def test_the_catalogue_is_beside_the_other_resources() -> None:
    assert Path(TEXTS.FOLDER) == ROOT / "resources" / "translations"
