"""``examples``: the worked examples, listed or copied into a folder."""

from __future__ import annotations

from pathlib import Path

from app.cli_text import indented, text_lines
from db.atomic import write_atomically, write_sentence
from db.errors import StoreError
from models.base.texts import say
from resources.example_files import ExampleFile, load_examples


def listed() -> str:
    """The examples with their stories and files."""
    lines: list[str] = []
    for example in load_examples():
        lines += [example.title, *(indented(file.name) for file in example.files)]
        lines += [indented(example.story), ""]
    return text_lines([*lines, say("`examples --copy-to DIR` writes the files.")])


def copied(folder: str) -> str:
    """Write the example files into the folder, which is made when it is missing.

    Raises:
        StoreError: none is named, it can't be written, or it holds other files of these names; then
            none is written.
    """
    if not folder:
        raise StoreError(say("no folder is named"), folder)
    target = Path(folder)
    files = {file.name: file for example in load_examples() for file in example.files}
    for file in files.values():
        _check_free(target / file.name, file)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(say("can’t be made a folder"), folder) from error
    for file in files.values():
        write_atomically(target / file.name, file.text.encode())
    return text_lines(say("wrote {file}", file=str(target / name)) for name in files)


def _check_free(path: Path, file: ExampleFile) -> None:
    """Whoever changed an example keeps it."""
    try:
        is_there = path.exists()
        is_same = path.is_file() and path.read_bytes() == file.text.encode()
    except OSError as error:
        raise StoreError(write_sentence(error), path) from error
    if is_there and not is_same:
        raise StoreError(say("is there already and differs; give another folder"), path)
