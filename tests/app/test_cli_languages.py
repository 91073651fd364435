"""Every command that prints for people does so in the language that is asked for."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from app.cli import COMMANDS, main
from resources.translation_files import languages, load_messages
from tests.app.tongues import FOLDER, english_in, names_of, subject

ONE, OTHER = "wv21-migration", "building-block"
FILE = str(FOLDER / f"{ONE}.json")


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = main(arguments, out, err, windows=None)  # type: ignore[arg-type]
    return status, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", FILE),
        ("failures", FILE),
        ("study", FILE),
        ("network", FILE),
        ("compare", FILE, str(FOLDER / f"{OTHER}.json")),
    ],
)
def test_tables_are_german(arguments: tuple[str, ...]) -> None:
    status, said, _ = run(*arguments, "--language", "de")
    assert status == 0
    names = sorted({*names_of(subject(ONE)), *names_of(subject(OTHER))}, key=len, reverse=True)
    lines = [line for line in said.splitlines() if not line.strip().startswith("[")]
    found = {line: english_in(line.partition(" [")[0], names) for line in lines}
    assert not {line: words for line, words in found.items() if words}


def test_columns_are_as_wide_as_their_german_words() -> None:
    _, said, _ = run("evaluate", FILE, "--language", "de")
    head = next(line for line in said.splitlines() if line.startswith("VM "))
    row = next(line for line in said.splitlines() if line.startswith("Mail-01 "))
    assert head.index("Urteil") == row.index("passt")


@pytest.mark.parametrize("command", ["evaluate", "failures", "study"])
def test_json_is_the_same_in_every_language(command: str) -> None:
    english = run(command, FILE, "--json")
    assert run(command, FILE, "--json", "--language", "de") == english
    json.loads(english[1])


def test_refusals_are_german(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.json")
    for language in (("--language", "de"), ("--language=de",)):
        status, _, said = run("evaluate", missing, *language)
        assert (status, said) == (2, f"{missing}: diese Datei gibt es nicht\n")
    data = json.loads(Path(FILE).read_text(encoding="utf-8"))
    data["hosts"][0]["ram_gib"] = -1
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(data), encoding="utf-8")
    _, _, said = run("evaluate", str(bad), "--language", "de")
    assert said.startswith(f"{bad}: hosts[0].ram_gib: muss ")


def test_a_language_that_there_is_not_is_refused() -> None:
    status, out, said = run("evaluate", FILE, "--language", "xx")
    assert (status, out) == (2, "")
    assert "'xx'" in said


def test_every_command_takes_a_language() -> None:
    offered = ",".join(("en", *languages()))
    for command in COMMANDS:
        _, said, _ = run(command.name, "--help")
        assert f"--language {{{offered}}}" in said


THIRD = """msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);\\n"
"X-Language-Name: Ixisch\\n"
"X-Decimal-Mark: ,\\n"
"X-Group-Mark: '\\n"

msgid "{count} user"
msgid_plural "{count} users"
msgstr[0] "{count} ixo"
msgstr[1] "{count} ixa"
msgstr[2] "{count} ixov"

msgid "Verdict"
msgstr "Ixdikt"
"""


def test_a_third_language_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xx.po").write_text(THIRD, encoding="utf-8")
    monkeypatch.setattr("resources.translation_files._FOLDER", tmp_path)
    load_messages.cache_clear()
    try:
        status, said, err = run("evaluate", FILE, "--language", "xx")
    finally:
        load_messages.cache_clear()
    assert (status, err) == (0, "")
    assert "Ixdikt" in said
    assert "580–1'400" in said
    assert "1,4 (<" in said
