"""Builds the handbook as a site: `python packaging/handbook.py`, as `make docs` does.

The sources are docs/, the files beside README.md, and reference pages that are made from the code.
The site needs no network: neither fonts nor scripts come from elsewhere.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "packaging" / "site"
SOURCES, SITE = ROOT / "out" / "docs", ROOT / "out" / "site"
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "THIRD_PARTY.md")
"""Documents beside README.md that are pages of the site, where they are there."""

LAST_PAGES = (
    ("packaging", "Packages"),
    ("reliability", "Reliability"),
    ("accessibility", "Accessibility"),
)
SHIM = "https://unpkg.com/iframe-worker/shim"
UNUSED = ("assets/javascripts/lunr", "search/search_index.json", "sitemap.xml", "sitemap.xml.gz")
_LINK = re.compile(r"(\[[^\]]*\])\((?!\w+:|#)([^)\s]+)\)")
_OUTSIDE = re.compile(r"""(?:src|href)=["']?(https?://[^"'\s>]+\.(?:js|css|woff2?))""")


def main() -> int:
    sys.path.insert(0, str(ROOT))
    lay_out(SOURCES)
    settings = SOURCES.with_name("mkdocs.yml")
    settings.write_text(with_last_pages((HERE / "mkdocs.yml").read_text(encoding="utf-8")))
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(settings))
    environ = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0"}
    if subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode:
        return 1
    finish(SITE)
    outside = sorted(set(fetched(SITE)))
    if outside:
        print(f"handbook: comes from elsewhere: {', '.join(outside)}", file=sys.stderr)
        return 1
    size = sum(each.stat().st_size for each in SITE.rglob("*") if each.is_file())
    print(f"handbook: {SITE / 'index.html'}, {size / 1e6:.1f} MB")
    return 0


def lay_out(target: Path) -> None:
    """All sources of the site in one folder, with links that lead to each other."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target)
    shutil.copy(ROOT / "resources" / "icons" / "headroom.svg", target / "headroom.svg")
    shutil.copy(ROOT / "README.md", target / "index.md")
    for name in BESIDE:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, target / name.lower())
    write_reference(target / "reference")
    for page in target.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_LINK.sub(partial(_led, page, target), text), encoding="utf-8")


def _led(page: Path, target: Path, link: re.Match[str]) -> str:
    """A link within the site; what leads to a file of the code is a word, and what leads nowhere
    stays for mkdocs to find."""
    words, place = link[1], link[2]
    path, _, anchor = place.partition("#")
    inside = page.parent / path.removeprefix("docs/")
    for found in (inside, target / Path(path).name.lower()):
        if found.is_file():
            led = Path(os.path.relpath(found, page.parent)).as_posix()
            return f"{words}({led}{'#' + anchor if anchor else ''})"
    if not any(
        (folder / path).exists() for folder in (ROOT, ROOT / "docs", ROOT / "docs" / "decisions")
    ):
        return link[0]
    return f"`{words[1:-1]}`" if "`" not in words else words[1:-1]


def with_last_pages(settings: str) -> str:
    """The settings with the pages that are there: those beside README.md, decisions, and others."""
    rows = [f"      - {title}: {name}.md" for name, title in LAST_PAGES if _is_there(f"{name}.md")]
    decisions = sorted((SOURCES / "decisions").glob("*.md"))
    rows += ["      - Decisions:"]
    rows += [f"          - decisions/{each.name}" for each in decisions]
    titles = {name: name.removesuffix(".md").replace("_", " ").capitalize() for name in BESIDE}
    rows += [
        f"      - {titles[name]}: {name.lower()}" for name in BESIDE if _is_there(name.lower())
    ]
    paths = settings.replace("../../out/", "")
    return paths + "\n".join(rows) + "\n"


def _is_there(name: str) -> bool:
    return (SOURCES / name).exists()


def finish(site: Path) -> None:
    """What the site needs of elsewhere is in it; what no page asks for is not."""
    shutil.copy(HERE / "iframe-worker.js", site / "assets" / "javascripts")
    shutil.copy(HERE / "iframe-worker.LICENSE", site / "assets" / "javascripts")
    for name in UNUSED:
        path = site / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for path in site.rglob("*.map"):
        path.unlink()
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        shim = os.path.relpath(site / "assets" / "javascripts" / "iframe-worker.js", page.parent)
        page.write_text(text.replace(SHIM, Path(shim).as_posix()), encoding="utf-8")


def fetched(site: Path) -> Iterator[str]:
    """What a page would fetch from elsewhere."""
    for page in site.rglob("*.html"):
        yield from _OUTSIDE.findall(page.read_text(encoding="utf-8"))


# ------------------------------------------------------------------ made from the code


def write_reference(folder: Path) -> None:
    """The pages of what the code knows better than anybody."""
    folder.mkdir()
    for name, title, lines in (
        ("commands", "Commands", commands()),
        ("formats", "Formats that are read", formats()),
        ("quantities", "Quantities", quantities()),
        ("rules", "Rules", rules()),
        ("evidence", "Evidence", evidence()),
    ):
        text = "\n".join((f"# {title}", "", *lines))
        (folder / f"{name}.md").write_text(f"{text}\n", encoding="utf-8")


def commands() -> Iterator[str]:
    """What each command says with ``--help``."""
    from app.cli import COMMANDS

    for each in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"headroom {each.name}", description=each.about)
        each.declare(parser)
        yield from (f"## {each.name}", "", "```", *parser.format_help().splitlines(), "```", "")


def formats() -> Iterator[str]:
    from db.importers.registry import importers

    yield "Each file is known by its content; `--as KIND` says it where that isn't enough.\n"
    rows = ((f"`{e.kind}`", e.title, e.looks_for) for e in importers().values())
    yield from _table(("Kind", "What it is", "Known by"), rows)


def quantities() -> Iterator[str]:
    from models.predict.predicted import PREDICTED

    yield "Every number that is predicted; each has a 90 % interval and a basis.\n"
    rows = (
        (f"`{id}`", str(e.title), str(e.unit), ", ".join(e.of), e.resource)
        for id, e in PREDICTED.items()
    )
    yield from _table(("Id", "Name", "Unit", "Of", "Judged as"), rows)


def rules() -> Iterator[str]:
    from models.judgement.rulebook import RULES

    yield "A finding names its rule; one can be waived by its id, with a reason.\n"
    rows = ((f"`{id}`", str(rule.title)) for id, rule in sorted(RULES.items()))
    yield from _table(("Id", "It says"), rows)


def evidence() -> Iterator[str]:
    """Every measured figure, by the document that it stands in."""
    from app.calibrated import shipped_evidence

    by_document: dict[str, list[tuple[str, ...]]] = {}
    for row in shipped_evidence():
        value = f"{row.printed} {row.unit}".strip()
        by_document.setdefault(row.document, []).append((f"`{row.id}`", row.metric, value))
    for document, rows in by_document.items():
        yield from (f"## {document}", "")
        yield from _table(("Id", "What", "Printed"), rows)
        yield ""


def _table(
    head: Sequence[str], rows: Iterator[tuple[str, ...]] | list[tuple[str, ...]]
) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    cells = ((cell.replace("|", "\\|").replace("\n", " ") for cell in row) for row in rows)
    return lines + [f"| {' | '.join(row)} |" for row in cells]


if __name__ == "__main__":
    sys.exit(main())
