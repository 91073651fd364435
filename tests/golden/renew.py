"""What the program says, frozen: `make golden` writes it anew, `test_golden.py` compares.

One file holds what one example (or the program itself) says in one form. A change of the code that
is to change no words leaves every file as it is; one that is, renews them, and the diff is what a
reviewer reads. Nothing in them depends on the day, the machine or the place of the files.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

from models.base.rounding import rounded

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent / "outputs"
EXAMPLES = ROOT / "resources" / "examples"
LANGUAGES = ("de", "en")
SAID = ("evaluate", "failures", "study", "network")
WITHIN = {("study", "building-block"): ("--within", "600")}
"""What takes long is asked of one example."""

REFRESHED = "site-refresh"

IN_ALL_LANGUAGES = frozenset({"wv21-migration"})
"""The worked example, and the scenario, of which what is said in German stands here too."""

COMPARED = {
    "wv21-ways": ("wv21-today", "wv21-4000-users", "wv21-6000-users", "wv21-migration"),
    "two-designs": ("building-block", "wv21-two-hosts"),
}
MOST_SUBJECTS = 3
WIDTH, MOST_NUMBERS = 100, 12
DIGITS = 6
"""Significant digits of a number: the last bits are those of the processor."""

LOOK = frozenset({"colour", "colours", "fill", "icon", "kind", "numeric", "weight", "wide"})


Made = Iterator[tuple[str, str]]
"""Names of files, and what is to stand in them."""


@dataclass(frozen=True)
class Golden:
    """Files that are made together, because what is costly about them is worked out once."""

    files: tuple[str, ...]
    make: Callable[[], Made]


def goldens() -> dict[str, Golden]:
    """Every file, by the example or the part of the program that it is about."""
    from resources.example_files import load_examples

    stems = sorted(path.stem for path in EXAMPLES.glob("*.json") if path.stem != REFRESHED)
    return {
        **{f"window {code}": _golden(_window, code, f"window-{code}.json") for code in LANGUAGES},
        **{stem: _golden(_example, stem, *_files_of(stem)) for stem in stems},
        **{
            f"compare {name}": _golden(_comparison, name, *_files_of_comparison(name))
            for name in COMPARED
        },
        **{
            f"proposal {each.id}": _golden(_proposal, each.id, *_files_of_proposal(each.id))
            for each in load_examples()
            if each.id != REFRESHED
        },
        REFRESHED: _golden(_refresh, REFRESHED, f"{REFRESHED}.txt"),
        **{name: _golden(_program, name, name) for name in PROGRAM},
    }


def _golden(make: Callable[[str], Made], about: str, *files: str) -> Golden:
    return Golden(files, partial(make, about))


def made(name: str) -> dict[str, str]:
    """What is to stand in the files of one golden."""
    return dict(goldens()[name].make())


def outputs() -> dict[str, str]:
    """Every file and what is to stand in it, made in one process a core."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return {name: text for texts in pool.map(made, goldens()) for name, text in texts.items()}


def written(texts: dict[str, str]) -> None:
    """Makes the folder hold these files and no other."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


# ---------------------------------------------------------------------------- the command line


def said(*arguments: str) -> str:
    """What a command prints.

    Raises:
        RuntimeError: it refuses.
    """
    from app.cli import main

    out, err = io.StringIO(), io.StringIO()
    if main(arguments, out, err, windows=None):  # type: ignore[arg-type]
        raise RuntimeError(f"{' '.join(arguments)}: {err.getvalue()}")
    return out.getvalue()


def _once(study: Callable[..., Any]) -> Callable[..., Any]:
    """The study of the shipped constants, made once for all forms in which it is told."""
    known: dict[tuple[Any, ...], Any] = {}

    def asked(scenario: Any, knowledge: Any, *rest: Any, **named: Any) -> Any:
        key = scenario, *rest, *sorted(named.items())
        if key not in known:
            known[key] = study(scenario, knowledge, *rest, **named)
        return known[key]

    return asked


def _files_of(stem: str) -> tuple[str, ...]:
    in_german = (f"{stem}-de.txt",) if stem in IN_ALL_LANGUAGES else ()
    return (*(f"{stem}-{command}.json" for command in SAID), f"{stem}.txt", *in_german)


def _example(stem: str) -> Made:
    from app import cli_study

    path, words = str(EXAMPLES / f"{stem}.json"), []
    storms: dict[str, Any] = {
        name: _once(getattr(cli_study, name)) for name in ("study_storm", "vcpus_to_drain")
    }
    with patch.multiple(cli_study, **storms):
        for command in SAID:
            asked = (command, path, *WITHIN.get((command, stem), ()))
            words.append(f"=== {command}\n\n{said(*asked)}")
            yield f"{stem}-{command}.json", tidy(said(*asked, "--json"))
        yield f"{stem}.txt", "\n".join(words)
        if stem in IN_ALL_LANGUAGES:
            in_german = [
                f"=== {command}\n\n{said(command, path, '--language', 'de')}" for command in SAID
            ]
            yield f"{stem}-de.txt", "\n".join(in_german)


def _refresh(stem: str) -> Made:
    """Of a whole site what to buy in the place of its hosts; it has too many VMs for the rest."""
    yield f"{stem}.txt", said("size", "--refresh", str(EXAMPLES / f"{stem}.json"))


def _files_of_comparison(name: str) -> tuple[str, ...]:
    return f"compare-{name}.txt", f"compare-{name}.json"


def _comparison(name: str) -> Made:
    asked = ("compare", *(str(EXAMPLES / f"{stem}.json") for stem in COMPARED[name]))
    ways = {"": (), " to its parent": ("--against", "parent")}
    words = [f"=== compare{way}\n\n{said(*asked, *more)}" for way, more in ways.items()]
    yield f"compare-{name}.txt", "\n".join(words)
    yield f"compare-{name}.json", tidy(said(*asked, "--json"))


def _program(name: str) -> Made:
    yield name, PROGRAM[name]()


def _help() -> str:
    from app.cli import COMMANDS

    calls = [["--help"], *([command.name, "--help"] for command in COMMANDS), ["examples"]]
    with patch.dict(os.environ, COLUMNS=str(WIDTH)):
        return "\n".join(f"=== {' '.join(call)}\n\n{said(*call)}" for call in calls)


PROGRAM: dict[str, Callable[[], str]] = {
    "validate.txt": lambda: said("validate"),
    "schema.json": lambda: tidy(said("schema")),
    "help.txt": _help,
}


def tidy(text: str) -> str:
    """JSON on lines of readable width; long rows of numbers by their ends and a digest."""
    return as_lines(_shortened(json.loads(text))) + "\n"


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(each) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > MOST_NUMBERS and all(isinstance(each, int | float) for each in value):
        value = [rounded(each, DIGITS) if isinstance(each, float) else each for each in value]
        digest = hashlib.sha256(json.dumps(value).encode()).hexdigest()[:12]
        return f"{len(value)} numbers from {value[0]} to {value[-1]}, {digest}"
    return [_shortened(each) for each in value]


def as_lines(value: Any, indent: str = "") -> str:
    """JSON whose objects and lists stand on one line where they fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent) + len(flat) <= WIDTH or not value:
        return flat
    deeper = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {as_lines(each, deeper)}" for key, each in value.items()]
        return "{\n" + ",\n".join(deeper + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + as_lines(e, deeper) for e in value) + f"\n{indent}]"


# ---------------------------------------------------------------------------- the proposal


def _files_of_proposal(id: str) -> tuple[str, ...]:
    return tuple(f"proposal-{id}{ending}.txt" for ending in _languages_of(id).values())


def _languages_of(id: str) -> dict[str, str]:
    """Codes of the languages that a worked example is told in, and the ends of its names."""
    codes = LANGUAGES if id in IN_ALL_LANGUAGES else ("en",)
    return {code: "" if code == "en" else f"-{code}" for code in codes}


def _proposal(id: str) -> Made:
    """What the template of the PDF is given about a worked example."""
    from app.cli_evaluate import predicted
    from app.cli_file import chosen
    from app.language import language_of
    from app.report.build import subject_of
    from app.report.data import spoken, template_data
    from app.report.paper import Paper
    from db.files import open_any
    from models.proposal import propose
    from resources.catalog_files import load_catalog
    from resources.example_files import load_examples

    catalog, subjects = load_catalog(), []
    example = next(each for each in load_examples() if each.id == id)
    for each in example.files[:MOST_SUBJECTS]:
        path = str(EXAMPLES / each.name)
        scenario = chosen(open_any(path, catalog), None, path).scenario
        subjects.append(subject_of(scenario, predicted(scenario, catalog, path), catalog))
    proposal = propose(subjects, date="today", program="Headroom", file=f"{id}.headroom")
    for code, ending in _languages_of(id).items():
        language = language_of(code)
        data = template_data(spoken(proposal, language), language, Paper.A4)
        yield f"proposal-{id}{ending}.txt", "\n".join(lines_of(data)) + "\n"


def lines_of(value: Any, depth: int = 0) -> Iterator[str]:
    """The words of the template's data in their order, rows of a table on one line."""
    indent = "  " * depth
    if isinstance(value, dict):
        for key, each in value.items():
            if key in LOOK or each is None or each == "":
                continue
            if isinstance(each, dict | list):
                yield f"{indent}{key}"
                yield from lines_of(each, depth + 1)
            else:
                yield f"{indent}{key}: {_word(each)}"
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        for each in value:
            yield from lines_of(each, depth)
    elif isinstance(value, list):
        row = _shortened(value)
        yield indent + (row if isinstance(row, str) else " | ".join(map(_word, row)))


def _word(value: object) -> str:
    text = f"{rounded(value, DIGITS):g}" if isinstance(value, float) else str(value)
    return text.replace("\N{ZERO WIDTH SPACE}", "").replace("\n", " / ")


# ---------------------------------------------------------------------------- the window


def _window(language: str) -> Made:
    """A language is taken once in a process, so each window is read in one of its own."""
    environ = {
        **os.environ,
        "HEADROOM_LANGUAGE": language,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": "1",
        "LC_ALL": "C.UTF-8",
    }
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.golden.window", folder]
        reading = subprocess.run(
            command, cwd=ROOT, env=environ, capture_output=True, encoding="utf-8", check=False
        )
    if reading.returncode:
        raise RuntimeError(f"the window in {language}: {reading.stderr}")
    places = json.loads(reading.stdout.splitlines()[-1])
    yield f"window-{language}.json", as_lines(places) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Writes the files; `--check` says only which would change."""
    texts = outputs()
    before = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*")}
    changed = sorted(name for name in before | texts if before.get(name) != texts.get(name))
    if "--check" not in arguments:
        written(texts)
    sys.stdout.write("".join(f"{name}\n" for name in changed) or "nothing changed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
