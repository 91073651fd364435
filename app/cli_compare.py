"""``compare``: what differs between two to four scenarios, as JSON or as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from app.cli_evaluate import predicted
from app.cli_file import Given, chosen, given, json_text
from app.render.terminal import sections_text
from db.errors import StoreError
from db.files import open_any
from db.prediction import chips_to_json
from db.price_book import cost_to_json, lasting_to_json, read_price_book
from models.base.quantities import Quantity
from models.base.texts import say
from models.comparison.compare import (
    ABSENT,
    MOST_SIDES,
    Comparison,
    Difference,
    Side,
    against_first,
    against_parents,
    compare,
)
from models.comparison.compare_text import Words
from models.prices.book import PriceBook
from models.prices.cost import cost_of, years_of
from models.prices.lasting import lasting
from models.project.catalog_use import catalog_for
from models.project.project import Entry, Project
from models.tell.comparison import comparison_sections
from models.tell.costs import Costed, costs_section
from resources.catalog_files import load_catalog

FORMAT, VERSION = "headroom-comparison", 1
DIGITS = 6


def compare_files(
    paths: Sequence[str],
    names: Sequence[str],
    *,
    against: str,
    as_json: bool,
    prices: str | None = None,
    years: int | None = None,
) -> str:
    """What ``compare`` prints about these scenarios.

    Of several files each gives the scenario that `names` calls in this order, else its baseline or
    first. Of one file these are the scenarios called `names`, else the baseline and the others.

    Args:
        against: what each is compared with: the ``first``, or the ``parent`` it was copied from.
        prices: a price book: what each costs stands beside, over so many `years`.

    Raises:
        StoreError: a file can't be read, there is no such scenario, or there are too few or many.
    """
    found = _found(paths, names)
    if not 2 <= len(found) <= MOST_SIDES:
        raise StoreError(
            say(
                "2 to {most} scenarios can be compared, here are {count}",
                most=MOST_SIDES,
                count=len(found),
            ),
            paths[0],
        )
    sides = [
        Side(each.entry.id, each.entry.scenario, predicted(each.entry.scenario, each.catalog, path))
        for path, each in ((each.path, each) for each in found)
    ]
    references = _references(found, parents=against == "parent" and len(paths) == 1)
    comparison = compare(sides, references)
    catalog = load_catalog()
    for each in found:
        catalog = catalog.merged(each.catalog)
    words = Words(comparison, catalog)
    costed = [] if prices is None else _costed(found, read_price_book(prices), years)
    if as_json:
        told = comparison_to_json(comparison)
        if costed:
            told["costs"] = [
                {"scenario": each.name, **cost_to_json(each.cost)}
                | {"lasts": lasting_to_json(each.lasts)}
                for each in costed
            ]
        return json_text(told)
    sections = comparison_sections(words)
    return sections_text((*sections, costs_section(costed)) if costed else sections)


def _costed(found: Sequence[Given], book: PriceBook, years: int | None) -> list[Costed]:
    """What each costs, all over as many years: as asked, else the longest plan."""
    span = years or max(years_of(each.scenario.growth) for each in found)
    sides = []
    for each in found:
        scenario = each.scenario
        cost = cost_of(scenario, each.catalog, book, span)
        lasts = lasting(scenario, cost, each.knowledge)
        sides.append(Costed(scenario.name, cost, lasts))
    return sides


def _references(found: Sequence[Given], *, parents: bool) -> tuple[int | None, ...]:
    if not parents:
        return against_first(len(found))
    ids = [each.entry.id for each in found]
    return against_parents(ids, {each.entry.id: each.entry.parent for each in found})


def _found(paths: Sequence[str], names: Sequence[str]) -> list[Given]:
    if len(paths) == 1:
        project = open_any(paths[0], load_catalog())
        catalog = catalog_for(project, load_catalog())
        entries = [chosen(project, name, paths[0]) for name in names] or _all(project)
        return [Given(paths[0], project, entry, catalog) for entry in entries]
    if names and len(names) != len(paths):
        raise StoreError(
            say("{names} scenario names for {files} files", names=len(names), files=len(paths)),
            paths[0],
        )
    wanted: Sequence[str | None] = names or [None] * len(paths)
    return [given(path, name) for path, name in zip(paths, wanted, strict=True)]


def _all(project: Project) -> list[Entry]:
    """The baseline, then the others in their order."""
    first = project.default_entry()
    return [first, *(entry for entry in project.entries if entry is not first)]


# --- JSON -------------------------------------------------------------------------------------


def comparison_to_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain dictionaries, lists, texts and finite numbers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "identical": comparison.is_identical,
        "scenarios": [
            {
                "name": side.scenario.name,
                "verdict": side.prediction.verdict.label,
                "chips": chips_to_json(side.prediction.chips),
                "against": None if to is None else comparison.sides[to].scenario.name,
            }
            for side, to in zip(comparison.sides, comparison.references, strict=True)
        ],
        "inputs": [_difference(row, comparison) for row in comparison.inputs],
        "outcomes": [_difference(row, comparison) for row in comparison.outcomes],
    }


def _difference(row: Difference, comparison: Comparison) -> dict[str, Any]:
    return {
        "group": str(row.group),
        "subject": row.subject,
        "field": row.field,
        "label": row.label,
        "unit": row.unit,
        "values": [_plain(value) for value in row.values],
        "changes": [
            None if to is None else row.change(column, to)
            for column, to in enumerate(comparison.references)
        ],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Quantity):
        return None if value.value is None else float(f"{value.value:.{DIGITS}g}")
    if value is ABSENT:
        return "absent"
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, str | bool | int | float | None) else "present"
