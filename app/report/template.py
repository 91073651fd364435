"""The look of a proposal that a partner gives it: a TOML file, a logo, a Typst file of his own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import resources
from app.report.logo import check_logo
from db.atomic import write_atomically
from db.door import content
from db.errors import StoreError, refused
from models.base.errors import ModelError
from models.base.lettering import set_apart
from models.base.limits import check_text, shortened
from models.base.texts import joined, say
from models.base.toml import tree_of
from models.proposal import Proposal
from models.signing.signed import KeptFile
from models.tell.blocks import Block, Paragraph, Section, Signature

MOST_TOML, MOST_LAYOUT, MOST_LOGO = 64 * 2**10, 512 * 2**10, 5 * 2**20
MOST_LETTERS = 4000
LOGOS = (".svg", ".png", ".jpg", ".jpeg")
NO_PACKAGES = say("packages are not loaded: a layout is one file")
_PACKAGE = re.compile(rb"[\"']@[\w-]+/[\w-]+")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """What differs from the program's own look; empty: nothing.

    Attributes:
        path: of the TOML file.
        logo: path of a picture; `layout`: of a Typst file that is set in place of the own one.
        files: these, the TOML file first, as they were read; what is typeset is this.
    """

    path: Path
    files: tuple[KeptFile, ...] = ()
    logo: Path | None = None
    accent: str = ""
    typeface: str = ""
    layout: Path | None = None
    title: str = ""
    supplier: str = ""
    validity: str = ""
    imprint: str = ""
    agreement: str = ""

    def content(self, name: str) -> bytes:
        """Of one of the files, by its name."""
        return next(each.content for each in self.files if each.name == name)

    def applied(self, proposal: Proposal) -> Proposal:
        """The proposal with the texts of the template."""
        lines = (
            (say("Supplier"), set_apart(self.supplier)),
            (say("Validity"), self.validity),
        )
        cover = (*proposal.cover, *(line for line in lines if line[1]))
        parts = proposal.parts
        if self.agreement:
            parts = (*parts[:-1], replace(parts[-1], sections=tuple(self._terms(parts[-1]))))
        return replace(
            proposal,
            title=self.title or proposal.title,
            imprint=self.imprint or proposal.imprint,
            cover=cover,
            parts=parts,
        )

    def _terms(self, part: Any) -> list[Section]:
        """The sections of the agreement, its terms in the words of the template."""
        return [
            replace(
                section,
                blocks=(*section.blocks[:-2], Paragraph(self.agreement), section.blocks[-1]),
            )
            if isinstance(section.blocks[-1], Signature)
            else section
            for section in part.sections
        ]


def _with_terms(blocks: Sequence[Block], agreement: str) -> tuple[Block, ...]:
    """The blocks of the signatures with other terms right above these."""
    return (*blocks[:-2], Paragraph(agreement), blocks[-1])


_PLACES: Mapping[str, tuple[str, ...]] = {
    "look": ("logo", "accent", "typeface", "layout"),
    "cover": ("title", "supplier", "validity"),
    "texts": ("imprint", "agreement"),
}


def load_template(path: str | Path) -> Template:
    """The template of a TOML file.

    Raises:
        StoreError: it, or a file it names, can't be read, is too large, or says what there isn't;
            with the line, where TOML knows it, or the entry.
    """
    return _template(Path(path), content)


def template_of(look: Sequence[KeptFile]) -> Template:
    """The template of files that were kept, whatever lies in the folder that they came from.

    Raises:
        StoreError: this program can't use it any more.
    """
    kept = {each.name: each.content for each in look}

    def read(file: str | Path, most: int, too_large: str) -> bytes:
        found = kept.get(Path(file).name)
        if found is None or len(found) > most:
            raise StoreError(say("was not kept with the proposal"), file)
        return found

    return _template(Path(look[0].name), read)


Reader = Callable[[str | Path, int, str], bytes]


def _template(file: Path, read: Reader) -> Template:
    files: dict[str, bytes] = {}

    def reading(path: Path, most: int) -> bytes:
        too_large = say("is larger than {most} KB", most=str(most // 2**10))
        files[path.name] = read(path, most, too_large)
        return files[path.name]

    text = reading(file, MOST_TOML).decode("utf-8", errors="replace")
    try:
        given = tree_of(text)
    except ModelError as error:
        raise refused(error, file) from error
    values: dict[str, Any] = {}
    for table, entries in given.items():
        if table not in _PLACES or not isinstance(entries, dict):
            raise StoreError(_at(text, table, say("there is no such table")), file)
        for name, value in entries.items():
            if name not in _PLACES[table]:
                raise StoreError(_at(text, name, say("there is no such entry")), file)
            values[name] = _value(file, text, name, value, reading)
    kept = tuple(KeptFile(name=name, content=data) for name, data in files.items())
    return Template(path=file, files=kept, **values)


def _at(text: str, name: str, problem: str) -> str:
    """The problem with the line that the entry stands in."""
    pattern = re.compile(rf"^\s*\[?\s*\"?{re.escape(name)}\b", re.MULTILINE)
    found = pattern.search(text)
    line = text.count("\n", 0, found.end()) + 1 if found else 1
    name = shortened(name)
    return say("line {line}, {name}: {problem}", line=str(line), name=name, problem=problem)


def _value(
    file: Path, text: str, name: str, value: Any, reading: Callable[[Path, int], bytes]
) -> Any:
    if not isinstance(value, str) or len(value) > MOST_LETTERS:
        raise StoreError(_at(text, name, say("must be a text")), file)
    if name == "accent" and not _COLOUR.fullmatch(value):
        raise StoreError(_at(text, name, say("must be a colour such as #0a5aa8")), file)
    try:
        check_text(value, field="")
    except ModelError as error:
        raise StoreError(_at(text, name, error.reason), file) from error
    if name not in ("logo", "layout"):
        return value
    beside = file.parent / value
    endings = LOGOS if name == "logo" else (".typ",)
    if beside.suffix.lower() not in endings:
        listed = joined(", ", endings)
        raise StoreError(_at(text, name, say("must end in {endings}", endings=listed)), file)
    if beside.resolve().parent != file.resolve().parent:
        raise StoreError(_at(text, name, say("must lie beside the template")), file)
    data = reading(beside, MOST_LOGO if name == "logo" else MOST_LAYOUT)
    try:
        if name == "logo":
            check_logo(data, beside.suffix.lower())
        else:
            _check_layout(data)
    except ModelError as error:
        raise refused(error, beside) from error
    return beside


def _check_layout(data: bytes) -> None:
    """What asks for a package says so in one sentence; others Typst itself can't reach."""
    found = _PACKAGE.search(data)
    if found is not None:
        line = str(data.count(b"\n", 0, found.start()) + 1)
        raise ModelError(say("line {line}: {reason}", line=line, reason=NO_PACKAGES))


COPIED = ("template.toml", "proposal.typ", "chart.typ")


def copy_template(folder: str | Path) -> list[str]:
    """Puts the program's own look into a folder, to be changed; returns the files.

    Raises:
        StoreError: one of them is there already or can't be written; nothing is overwritten.
    """
    target = Path(folder)
    for name in COPIED:
        if (target / name).exists():
            raise StoreError(say("is there already"), target / name)
    for name in COPIED:
        data = (files(resources) / "templates" / name).read_bytes()
        target.mkdir(parents=True, exist_ok=True)
        write_atomically(target / name, data)
    return [str(target / name) for name in COPIED]
