"""What makers have published of releases and sizes, looked up for a design; no number of the model.

The tables are entries of the catalog (`resources/catalog/`, described in docs/catalog.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise

from models.catalog.catalog import Catalog, Figure, Product, Release, Sizing, Standing, Support
from models.scenario.owners import mail_owners
from models.scenario.scenario import Workload

CHECKED = date(2026, 9, 30)
"""Day of the newest statement on support in the tables: what ends later had not ended then."""

PRODUCTION_TO_BENCHMARK = 4.0
"""Benchmark users that a production user who is active is compared with for ceilings; 2 to 12 by
the same machine's benchmark and production (docs/model.md, "Published sizes and ceilings")."""

_RELEASE = re.compile(
    r"(?:(?:hcl|ibm|lotus)\s+)*(?:(?:domino|notes|sametime)\s+)?[rv]?\s*"
    r"(?P<major>\d{1,2})(?:\.(?P<minor>\d{1,2}))?(?:\.\d{1,2}){0,2}"
    r"(?:\s*(?:fp|if|hf|ifr|mr|cf)\s*\d+)*",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def release_of(catalog: Catalog, product: Product, text: str) -> Release | None:
    """The line of releases that a text names; None where it names none that is known.

    Words of the maker, maintenance releases and fix packs may stand around the number.

    >>> from resources.catalog_files import load_catalog
    >>> found = release_of(load_catalog(), Product.DOMINO, "HCL Domino 9.0.1 FP10")
    >>> found.number, release_of(load_catalog(), Product.DOMINO, "banana")
    ('9.0', None)
    """
    named = _RELEASE.fullmatch(text.strip())
    if named is None:
        return None
    number = f"{int(named['major'])}.{int(named['minor'] or 0)}"
    lines = catalog.releases.values()
    return next((e for e in lines if e.product is product and e.number == number), None)


def statements(catalog: Catalog, release: Release) -> tuple[Support, ...]:
    """Every public statement that speaks of a release."""
    return tuple(
        each
        for each in catalog.support.values()
        if each.product is release.product and release.number in each.releases
    )


def on_hypervisor(said: Iterable[Support], hypervisor: str) -> tuple[Support, ...]:
    """Those of the statements that speak of a hypervisor, by its id."""
    return tuple(each for each in said if hypervisor in each.hypervisors)


def only_64_bit(said: Iterable[Support]) -> Support | None:
    """The statement by which a release has 64-bit guests only; None where none says so."""
    positive = (each for each in said if each.standing is not Standing.UNSUPPORTED)
    return next((each for each in positive if each.guest_bits == 64), None)


@lru_cache(maxsize=1024)
def is_64_bit_only(catalog: Catalog, product: Product, text: str) -> bool:
    """Whether the release that a text names has 64-bit guests only; no release: nobody says so."""
    release = release_of(catalog, product, text)
    return release is not None and only_64_bit(statements(catalog, release)) is not None


@lru_cache(maxsize=1024)
def most_log_ins(catalog: Catalog, text: str) -> float:
    """Log-ins that a Sametime release is made for on a community server; infinite where nobody
    says.

    >>> from resources.catalog_files import load_catalog
    >>> most_log_ins(load_catalog(), "12.0"), most_log_ins(load_catalog(), "banana")
    (10000.0, inf)
    """
    release = release_of(catalog, Product.SAMETIME, text)
    if release is None:
        return math.inf
    limits = applying(catalog, release, Figure.LIMIT)
    return min([e.users or math.inf for e in limits if "log-ins" in e.what], default=math.inf)


def largest_load(catalog: Catalog) -> Sizing | None:
    """The largest load ever published of one Domino server, in benchmark users."""
    loads = _figures(catalog, Product.DOMINO, Figure.LARGEST_LOAD)
    return max(loads, key=lambda each: each.users or 0.0, default=None)


def applying(catalog: Catalog, release: Release, figure: Figure) -> tuple[Sizing, ...]:
    """Published figures that hold for a release: it is one of theirs, or came after all of them."""
    return tuple(
        each
        for each in _figures(catalog, release.product, figure)
        if release.number in each.releases
        or all(_before(catalog, number, release) for number in each.releases)
    )


def _before(catalog: Catalog, number: str, release: Release) -> bool:
    line = catalog.releases.get(f"{release.product}-{number}")
    return (
        line is not None and line.ordinal <= release.ordinal and _key(number) < _key(release.number)
    )


def _key(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def _figures(catalog: Catalog, product: Product, figure: Figure) -> list[Sizing]:
    return [e for e in catalog.sizings.values() if (e.product, e.figure) == (product, figure)]


@dataclass(frozen=True, slots=True, kw_only=True)
class MakersSize:
    """A maker's size for a number of users.

    Attributes:
        exact: it is printed for this number, or for fewer than the least that is printed;
            otherwise it lies between two printed sizes.
        source: of the printed size, or of the larger of two.
    """

    users: float
    cores: float
    ram_gib: float
    exact: bool
    source: str


def makers_size(catalog: Catalog, release: Release, users: float) -> MakersSize | None:
    """The maker's size for users of a release; None above the largest that is printed, where the
    maker asks to be asked, and for releases that it has none for.

    Between two printed sizes: straight in the logarithms of users, cores and memory (ours, not the
    maker's). Below the least one: that one.

    >>> from resources.catalog_files import load_catalog
    >>> fourteen = load_catalog().releases["domino-14.0"]
    >>> [makers_size(load_catalog(), fourteen, users).cores for users in (5.0, 100.0, 1000.0)]
    [1.0, 2.0, 4.0]
    >>> makers_size(load_catalog(), fourteen, 1001.0) is None
    True
    """
    return size_among(printed_sizes(catalog, release), users)


Printed = tuple[float, float, float, str]


def printed_sizes(catalog: Catalog, release: Release) -> tuple[Printed, ...]:
    """What a maker prints of a release: users, cores, GiB and source, by users."""
    sizes = [
        (each.users, each.cores, each.ram_gib, each.provenance.source)
        for each in applying(catalog, release, Figure.SIZE)
        if each.users and each.cores and each.ram_gib
    ]
    return tuple(sorted(sizes))


def size_among(sizes: Sequence[Printed], users: float) -> MakersSize | None:
    """`makers_size` by what is printed."""
    for printed, cores, ram_gib, source in sizes:
        if users == printed or (users < printed and printed == sizes[0][0]):
            return MakersSize(users=users, cores=cores, ram_gib=ram_gib, exact=True, source=source)
    for (below, *less, _), (above, *more, source) in pairwise(sizes):
        if below < users < above:
            share = math.log(users / below) / math.log(above / below)
            cores, ram_gib = (a * (b / a) ** share for a, b in zip(less, more, strict=True))
            return MakersSize(users=users, cores=cores, ram_gib=ram_gib, exact=False, source=source)
    return None


def makers_size_of(
    catalog: Catalog, work: Workload, *, production: bool = False
) -> MakersSize | None:
    """The maker's size for the owners of mail files on a Domino server; None of other servers and
    where the maker has none."""
    if not work.kind.is_domino:
        return None
    release = release_of(catalog, Product.DOMINO, work.release)
    users = mail_owners(work, production=production)
    return None if release is None or not users else makers_size(catalog, release, users)


def compared_users(active_users: float, derating: float, *, production: bool) -> float:
    """Benchmark users that a server's load is compared with the largest published load in.

    In the benchmark basis active users × derating; in production active users × 4, whatever the
    derating: a ratio to compare by, never a factor of the prediction.

    >>> compared_users(2000.0, 2.0, production=False), compared_users(2000.0, 2.0, production=True)
    (4000.0, 8000.0)
    """
    return active_users * (PRODUCTION_TO_BENCHMARK if production else derating)
