"""``size``: ranked designs for a requirement, or for the VMs of a scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from time import process_time

from app import __version__
from app.calibrated import shipped_calibration
from app.cli_file import given, json_text, refusing
from app.render.terminal import sections_text
from db.atomic import check_writable
from db.door import opened
from db.errors import StoreError
from db.files import save_whole
from db.price_book import read_price_book
from db.requirement import (
    EXAMPLE,
    MAX_BYTES,
    is_requirement,
    options_to_json,
    refresh_to_json,
    requirement_from_json,
    requirement_schema,
)
from models.base.texts import Text, say
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.options.option import Options
from models.options.refresh import hosts_of_age, refreshed
from models.options.requirement import Requirement
from models.options.search import find_options
from models.prices.lasting import lasting
from models.prices.ranking import MoneyRank
from models.project.project import Project
from models.tell.options import option_sections, requirement_of
from models.tell.refresh import found_sentence, refresh_sections
from resources.catalog_files import load_catalog

DEADLINE_S = 30.0
"""Of the processor, for one search."""


def schema_text() -> str:
    """The JSON Schema of a requirement."""
    return json_text(requirement_schema(), indent=2)


def example_text() -> str:
    """A requirement that has options, as JSON."""
    return json_text(EXAMPLE, indent=2)


def options_of_file(
    path: str,
    name: str | None,
    keep: int,
    output: str | None,
    *,
    as_json: bool,
    prices: str | None = None,
    rank: str = "units",
    years: int | None = None,
) -> str:
    """What ``size`` prints; with an `output`, the named options become scenarios of a project.

    Args:
        prices: a price book; with `rank` ``cost`` it ranks, over so many years.

    Raises:
        StoreError: the file is neither requirement nor scenario, or what it names isn't there; or
            the project can't be written.
    """
    if output is not None:
        check_writable(output)
    requirement, catalog, own = _required(path, name)
    money = _money(prices, rank, years, catalog)
    knowledge = Knowledge(catalog, shipped_calibration())
    with refusing(path):
        found = find_options(
            requirement,
            knowledge,
            keep=keep,
            check=_deadline(path),
            rank=money,
        )
    if output is not None:
        save_whole(output, project_of(found), catalog, program_version=__version__)
    lasts = {
        each.names[0]: lasting(each.scenario, each.cost, knowledge)
        for each in found.options
        if each.names and each.cost is not None
    }
    if as_json:
        return json_text(options_to_json(found, own, lasts))
    return sections_text(option_sections(found, catalog, lasts))


def _money(prices: str | None, rank: str, years: int | None, catalog: Catalog) -> MoneyRank | None:
    """The price book that is named, and whether it ranks.

    Raises:
        StoreError: it is none, or money is to rank and none is named.
    """
    if prices is None:
        if rank == "cost":
            raise StoreError(say("needs --prices PRICES"), "--rank cost")
        return None
    book = read_price_book(prices)
    return MoneyRank(book=book, catalog=catalog, by_cost=rank == "cost", years=years)


def refresh_of_file(
    path: str,
    name: str | None,
    sites: list[str],
    clusters: list[str],
    older_than: float | None,
    into: str | None,
    output: str | None,
    *,
    as_json: bool,
    prices: str | None = None,
    rank: str = "units",
    years: int | None = None,
    told: Callable[[Text], None] = lambda _: None,
    progress: Callable[[float], None] = lambda _: None,
) -> str:
    """What ``size --refresh`` prints; an `output` gets the scenario as it is and refreshed.

    Args:
        older_than: years, so that only hosts that are older today are replaced; None: all.
        prices: a price book; with `rank` ``cost`` it ranks, over so many years.
        told: hears of the design of each site as soon as it is found; `progress`: the share done.

    Raises:
        StoreError: the file is no scenario, or a site or cluster isn't there; or the project can't
            be written.
    """
    if output is not None:
        check_writable(output)
    of = given(path, name)
    money = _money(prices, rank, years, of.catalog)
    with refusing(path):
        aged = None
        if older_than is not None:
            of_year = of.scenario, of.catalog, older_than, datetime.now().astimezone().year
            aged = hosts_of_age(*of_year, sites, clusters)
        found = refreshed(
            of.scenario,
            of.knowledge,
            sites=sites,
            clusters=clusters,
            into=into,
            aged=aged,
            progress=progress,
            rank=money,
            made=lambda one: told(found_sentence(one, of.catalog)),
        )
    if output is not None:
        after = replace(found.scenario, name=say("{name}, refreshed", name=of.scenario.name))
        project = Project.of(of.scenario).added(after)
        project = project.show(project.entries[0].id).with_baseline(project.entries[0].id)
        save_whole(output, project, of.catalog, program_version=__version__)
    if as_json:
        return json_text(refresh_to_json(found, of.project.own_catalog))
    return sections_text(refresh_sections(found, of.catalog))


def _deadline(path: str) -> Callable[[], None]:
    """What raises a `StoreError` about the file once its search has taken too long."""
    end = process_time() + DEADLINE_S

    def check() -> None:
        if process_time() > end:
            seconds = f"{DEADLINE_S:.0f}"
            reason = say(
                "takes more than {seconds} seconds: name fewer workloads, servers or arrays",
                seconds=seconds,
            )
            raise StoreError(reason, path)

    return check


def _required(path: str, name: str | None) -> tuple[Requirement, Catalog, Catalog | None]:
    data = _beginning(path)
    if is_requirement(data):
        return requirement_from_json(data, name=path), load_catalog(), None
    of = given(path, name)
    return requirement_of(of.scenario, of.scenario.name), of.catalog, of.project.own_catalog


def _beginning(path: str) -> bytes:
    try:
        with opened(path, may_be_pipe=True) as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, StoreError):
        return b""


def project_of(found: Options) -> Project:
    """A scenario for each named option, else for the first few.

    Raises:
        StoreError: there is none.
    """
    named = [each for each in found.options if each.names] or list(found.options[:3])
    if not named:
        raise StoreError("no option fits: there is nothing to write", found.requirement.name)
    project = Project.of(named[0].scenario)
    for option in named[1:]:
        project = project.added(option.scenario)
    return project.show(project.entries[0].id).with_baseline(project.entries[0].id)
