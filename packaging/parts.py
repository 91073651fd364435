"""What the bundle is made of, from one table (parts.toml): licence texts, a list of parts, a check.

`python packaging/parts.py` writes the table in THIRD_PARTY.md anew.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from contents import NAME, ROOT, version

HERE = ROOT / "packaging"
THIRD_PARTY = ROOT / "THIRD_PARTY.md"
BEGIN, END = "<!-- made by packaging/parts.py -->\n", "<!-- end -->\n"
LICENCES = "_internal/licences"
BOM = "headroom.cdx.json"
_LICENCE_FILE = re.compile(r"(LICEN[CS]E|COPYING|NOTICE)|.*\.(cdx|cyclonedx)\.json$", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """One line of the table; parts.toml says what its fields mean."""

    name: str
    what: str
    licence: str
    files: tuple[str, ...] = ()
    distribution: str = ""
    inside: str = ""
    debian: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    python: bool = False

    @property
    def folder(self) -> str:
        """Where its licence texts lie, below the bundle's."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    def holds(self, path: str) -> bool:
        """Whether a file of the bundle belongs to it."""
        return any(re.fullmatch(pattern, path) for pattern in self.files)

    def is_in(self, paths: Iterable[str]) -> bool:
        """Whether the bundle with these files holds it: in files of its own or as modules."""
        return not self.files or any(self.holds(path) for path in paths)


def load_parts(path: Path = HERE / "parts.toml") -> tuple[Part, ...]:
    """The table. Raises: TypeError: a line has a field that no part has."""
    lines: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["part"]
    for line in lines:
        line.update({name: tuple(each) for name, each in line.items() if isinstance(each, list)})
    return tuple(Part(**line) for line in lines)


def owner(parts: Sequence[Part], path: str) -> Part | None:
    """The part that a file of the bundle belongs to: the last that names it, as folders lie in
    folders."""
    return next((part for part in reversed(parts) if part.holds(path)), None)


def files_in(folder: Path) -> list[str]:
    """Paths of all files in a bundle, links too, with / in between."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in found)


# ---------------------------------------------------------------------------- licence texts


def licence_texts(part: Part) -> Iterator[tuple[Path, str]]:
    """(file, its place in the part's folder) of the licence texts that this machine has."""
    for text in part.texts:
        path = HERE / "licences" / text
        yield (path if path.exists() else ROOT / text), PurePosixPath(text).name
    if source := part.distribution or part.inside:
        for file in importlib.metadata.files(source) or ():
            if ".dist-info" in file.parts[0] and _LICENCE_FILE.match(file.name):
                inside = PurePosixPath(*file.parts[1:]).as_posix()
                yield Path(str(file.locate())), inside.removeprefix("licenses/")
    for package in part.debian:
        yield Path("/usr/share/doc") / package / "copyright", f"{package}.txt"
    if part.python:
        folder = f"python{sys.version_info.major}.{sys.version_info.minor}"
        here = Path(sys.base_prefix)
        places = [here / "lib" / folder / "LICENSE.txt", here / "LICENSE.txt"]
        places.append(Path("/usr/share/doc") / folder / "copyright")
        yield next((path for path in places if path.exists()), places[0]), "LICENSE.txt"


def lay_licences(parts: Sequence[Part], folder: Path) -> None:
    """Copy the licence texts of all parts that this machine has, each part's into its folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for part in parts:
        for source, place in licence_texts(part):
            target = folder / part.folder / place
            if source.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)


def problems(parts: Sequence[Part], folder: Path) -> list[str]:
    """What is wrong with a bundle: a file of no part, a part without its licence texts."""
    paths = files_in(folder)
    found = [
        f"{path}: belongs to no part of parts.toml" for path in paths if not owner(parts, path)
    ]
    for part in parts:
        texts = [f"{LICENCES}/{part.folder}/{place}" for _, place in licence_texts(part)]
        if part.is_in(paths):
            found += [f"{part.name}: {text} is missing" for text in texts if text not in paths]
            found += [f"{part.name}: has no licence text"] * (not texts)
    return found


# ---------------------------------------------------------------------------- the list of parts


def debian_versions(packages: Sequence[str]) -> dict[str, str]:
    """The versions of Debian packages on this machine."""
    command = ["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return dict(line.split() for line in said.splitlines())


def packages(part: Part) -> Iterator[tuple[str, dict[str, object]]]:
    """(name, version and package URL where they are known) of what a part is taken from."""
    if part.distribution:
        found = importlib.metadata.version(part.distribution)
        yield part.name, {"version": found, "purl": f"pkg:pypi/{part.distribution}@{found}"}
    elif part.debian:
        for name, found in sorted(debian_versions(part.debian).items()):
            yield name, {"version": found, "purl": f"pkg:deb/debian/{name}@{found}"}
    elif part.python:
        found = ".".join(map(str, sys.version_info[:3]))
        yield part.name, {"version": found, "purl": f"pkg:generic/python@{found}"}
    else:
        yield part.name, {}


def components(part: Part, size: int, count: int) -> Iterator[dict[str, object]]:
    """A part as CycloneDX has it: one component for each package that it is taken from."""
    about = {"part": part.name, "files-of-part": str(count), "bytes-of-part": str(size)}
    if part.inside:
        about["comes-in"] = f"{part.inside} {importlib.metadata.version(part.inside)}"
    for name, known in packages(part):
        yield {
            "type": "library",
            "bom-ref": f"{part.folder}:{name}",
            "name": name,
            **known,
            "description": part.what,
            "licenses": [{"expression": part.licence}],
            "properties": [{"name": f"headroom:{k}", "value": v} for k, v in about.items()],
        }


def bill_of_materials(parts: Sequence[Part], folder: Path, seconds: int) -> dict[str, object]:
    """The parts of a bundle in CycloneDX 1.5; the same bundle and time give the same text."""
    paths = files_in(folder)
    owned: dict[str, list[str]] = {}
    for path in paths:
        found = owner(parts, path)
        owned.setdefault(found.name if found else "", []).append(path)
    listed = []
    for part in parts:
        own = [folder / path for path in owned.get(part.name, ())]
        size = sum(path.stat().st_size for path in own if not path.is_symlink())
        if part.name != NAME and part.is_in(paths):
            listed += list(components(part, size, len(own)))
    program = {"type": "application", "bom-ref": "headroom", "name": NAME, "version": version()}
    names = "\n".join([*paths, version(), str(seconds)])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, names)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, UTC).isoformat(),
            "component": program,
        },
        "components": listed,
        "dependencies": [{"ref": "headroom", "dependsOn": [each["bom-ref"] for each in listed]}],
    }


def write_bill(parts: Sequence[Part], folder: Path, seconds: int) -> None:
    """Lay the list of parts into a bundle."""
    text = json.dumps(bill_of_materials(parts, folder, seconds), indent=2)
    (folder / BOM).write_text(text + "\n", encoding="utf-8")


# ---------------------------------------------------------------------------- THIRD_PARTY.md


def table(parts: Sequence[Part]) -> str:
    """The parts as a table of Markdown, without the program itself."""
    rows = [
        f"| {part.name} | {part.what} | {part.licence} |" for part in parts if part.name != NAME
    ]
    return "\n".join(["| part | what for | licence |", "|---|---|---|", *rows]) + "\n"


def with_table(text: str, parts: Sequence[Part]) -> str:
    """A document with the table between its two marks. Raises: ValueError: it has no marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("THIRD_PARTY.md: the marks of the table are missing")
    return f"{before}{BEGIN}\n{table(parts)}\n{END}{after}"


def main() -> int:
    """Write the table anew."""
    text = THIRD_PARTY.read_text(encoding="utf-8")
    THIRD_PARTY.write_text(with_table(text, load_parts()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
