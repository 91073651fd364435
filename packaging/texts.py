"""Brings the catalogues of resources/translations up to date: `python packaging/texts.py`.

Texts are marked where they stand: the first argument of `tr` (in app), of `say`, `labelled` and
`renamed` (in models), the first two of `trn` and `say_many`; titles and stories of the worked
examples too. The catalogues keep the translations they have, in the order of the source; new texts
are added without one, texts that are gone go. Standard library alone.
"""

from __future__ import annotations

import ast
import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from resources.translation_files import Messages

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
SOURCES = ("app", "models", "db")
BESIDE = ("resources/catalog_text.py",)
EXAMPLES = "resources/examples/examples.toml"
SINGLE, COUNTED = (
    frozenset({"tr", "say", "labelled", "renamed", "opaque"}),
    frozenset({"trn", "say_many"}),
)
WIDTH = 92


@dataclass(frozen=True)
class Marked:
    """A marked text, or two of them for one and many; `place` is file and line."""

    one: str
    many: str
    place: str


def marked(root: Path = ROOT) -> dict[str, Marked]:
    """Every marked text of the program by its English words, the first place that marks it.

    Raises:
        ValueError: a text is marked with and without a plural: the catalogue has room for one.
    """
    found: dict[str, Marked] = {}
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        for text in marked_in(path.read_text(encoding="utf-8"), name):
            first = found.setdefault(text.one, text)
            if first.many != text.many:
                raise ValueError(f"{text.place}: {first.place} marks it with another plural")
    for words in _example_texts(root):
        found.setdefault(words, Marked(words, "", f"{EXAMPLES}:1"))
    return found


def _example_texts(root: Path) -> Iterator[str]:
    """Titles and stories of the worked examples, and what their files say in words."""
    path = root / EXAMPLES
    index = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for entry in index.get("examples", ()):
        yield from (entry["title"], entry["story"])
        for name in entry["files"]:
            said = json.loads((path.parent / name).read_text(encoding="utf-8"))
            yield from (said[field] for field in ("customer", "notes"))


def marked_in(source: str, name: str) -> Iterator[Marked]:
    """The marked texts of a module in their order; raises `ValueError` for what is no literal."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        marker = call.func.id if isinstance(call.func, ast.Name) else ""
        if marker not in SINGLE | COUNTED or (marker in SINGLE and name.endswith("language.py")):
            continue
        texts = [
            argument.value
            for argument in call.args[: 2 if marker in COUNTED else 1]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        ]
        if len(texts) < (2 if marker in COUNTED else 1):
            if "(english" in ast.unparse(call) or "(one" in ast.unparse(call):
                continue  # the markers themselves
            raise ValueError(f"{name}:{call.lineno}: {marker} of something that is no literal")
        yield Marked(texts[0], texts[1] if marker in COUNTED else "", f"{name}:{call.lineno}")


def _files(root: Path) -> Iterator[Path]:
    for folder in SOURCES:
        yield from sorted((root / folder).rglob("*.py"))
    yield from filter(Path.is_file, (root / name for name in BESIDE))


# ---------------------------------------------------------------------------- catalogues


def catalogue(texts: dict[str, Marked], head: str, has: Messages) -> str:
    """A ``.po`` file of these texts, with the translations that there are."""
    entries = [head.strip()]
    for one, text in texts.items():
        lines = [f"#: {text.place.rpartition(':')[0]}", *_field("msgid", one)]
        if text.many:
            forms = has.counted.get(one, ("",) * has.forms)
            lines += _field("msgid_plural", text.many)
            lines += [line for n, form in enumerate(forms) for line in _field(f"msgstr[{n}]", form)]
        else:
            lines += _field("msgstr", has.words.get(one, ""))
        entries.append("\n".join(lines))
    return "\n\n".join(entries) + "\n"


def _field(keyword: str, text: str) -> list[str]:
    if len(text) + len(keyword) <= WIDTH and "\n" not in text:
        return [f"{keyword} {_quoted(text)}"]
    lines, line = [], ""
    for word in text.replace(" ", " \0").replace("\n", "\n\0").split("\0"):
        if line and (len(line) + len(word) > WIDTH or line.endswith("\n")):
            lines.append(line)
            line = ""
        line += word
    return [f'{keyword} ""', *(_quoted(each) for each in [*lines, line] if each)]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def main() -> int:
    """Rewrite every catalogue; say how many texts have no translation yet."""
    sys.path.insert(0, str(ROOT))
    from resources.translation_files import read_messages

    texts = marked()
    for path in sorted(FOLDER.glob("*.po")):
        before = path.read_text(encoding="utf-8")
        has = read_messages(before)
        head = before.partition("\n\n")[0]
        after = catalogue(texts, head, has)
        path.write_text(after, encoding="utf-8")
        missing = [one for one in texts if one not in has.words and one not in has.counted]
        print(f"{path.name}: {len(texts)} texts, {len(missing)} of them without translation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
