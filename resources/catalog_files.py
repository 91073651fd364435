"""The shipped catalog: hardware and hypervisors, releases, what supports what, published sizes.

`docs/catalog.md` says how the files are read and extended.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from models.catalog.catalog import Catalog, MemoryOverhead, Processor
from resources import catalog_text
from resources.catalog_text import MOST_LETTERS, CatalogError, dump_catalog

__all__ = [
    "MOST_LETTERS",
    "CatalogError",
    "dump_catalog",
    "load_catalog",
    "load_memory_overheads",
    "load_processors",
    "parse_catalog",
]

TOML_FILES = (
    *("servers.toml", "arrays.toml", "disks.toml", "raid_levels.toml", "hypervisors.toml"),
    *("generations.toml", "releases.toml", "support.toml", "sizings.toml"),
    "licences.toml",
)


@cache
def load_catalog() -> Catalog:
    """All shipped entries but the processors, which `load_processors` brings when they are needed.

    Raises:
        CatalogError: a file was changed into something that can't be read.
    """
    catalog = Catalog()
    for name in TOML_FILES:
        catalog = catalog.merged(parse_catalog(_text(name), name))
    return catalog


@cache
def load_processors() -> Mapping[str, Processor]:
    """The processors by id, for entering a server that the catalog does not have."""
    name = "processors.csv"
    return Catalog(processors=catalog_text.parse_processors(_text(name), name)).processors


@cache
def load_memory_overheads() -> Mapping[str, MemoryOverhead]:
    """The memory overhead tables by the name that hypervisor entries use."""
    name = "memory_overhead.csv"
    return catalog_text.parse_overheads(_text(name), name)


def parse_catalog(text: str, name: str) -> Catalog:
    """The entries of a TOML text in the form of the shipped files, such as the user's own.

    Raises:
        CatalogError: names file, entry, field and reason.
    """
    return catalog_text.parse_catalog(text, name, load_memory_overheads())


def _text(name: str) -> str:
    return (files("resources") / "catalog" / name).read_text(encoding="utf-8")
