"""Which host, VM or server another name means: one rule, whatever file or page asks.

Names are equal whatever their letters' case and blanks around them. Beyond that, one with a domain
and one without are the same machine, and so are names in two domains, as long as nothing else could
be meant: what two could be is nobody's. Anything else is for a person to say.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from models.base.fields import Word
from models.base.texts import say

_WITH_DOMAIN = re.compile(
    r"([\w-]+)(?:(?:\.[\w-]+)+\.[^\W\d_]{2,}|\.(?:corp|home|int|intern|internal|intra|lan|local))"
)
"""An address such as 10.1.2.3 and a second name such as web.old have no domain."""


class How(Word):
    """What says that two names are of one machine, the surest first."""

    HAND = "hand", say("by hand")
    NAME = "name", say("by its name")
    SHORT = "short", say("without its domain")
    DOMAIN = "domain", say("in another domain")


@dataclass(frozen=True, slots=True)
class Tie:
    """A name, and the name of what it is."""

    name: str
    to: str
    how: How


def plain(name: str) -> str:
    """A name without letters' case, blanks around it and the root's dot.

    >>> plain(" ESX1.Acme.local. "), plain("CN=Mail01/O=Acme")
    ('esx1.acme.local', 'mail01/acme')
    """
    words = " ".join(name.split()).casefold().rstrip(".")
    return re.sub(r"(^|/)(?:cn|ou|o|c)=", r"\1", words)


def short_name(name: str) -> str:
    """The first part of a name in the network or of a Domino server, in small letters.

    >>> short_name("CN=Mail01/O=Acme"), short_name("mail01.acme.example"), short_name("10.1.2.3")
    ('mail01', 'mail01', '10.1.2.3')
    """
    first = plain(name).split("/")[0].strip()
    found = _WITH_DOMAIN.fullmatch(first)
    return found[1] if found else first


def tied_names(
    names: Iterable[str], there: Iterable[str], same: Mapping[str, str] | None = None
) -> dict[str, Tie]:
    """What each name means; one that nothing is known by is not in it.

    Args:
        there: names of what there is, one an item: a name of two items is neither's.
        same: what somebody says: what a name means, empty for nothing that is there.

    >>> found = tied_names(["ESX1.acme.example", "esx2", "esx3"], ["esx1", "esx2"])
    >>> [(each.to, each.how.value) for each in found.values()]
    [('esx1', 'short'), ('esx2', 'name')]
    >>> tied_names(["a.x.example", "a.y.example"], ["a"])
    {}
    """
    said = {plain(name): to for name, to in (same or {}).items()}
    exact, first = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for name in there:
        exact[plain(name)].append(name)
        first[short_name(name)].append(name)
    found: dict[str, Tie] = {}
    for name in dict.fromkeys(names):
        key = plain(name)
        by_hand = said.get(key)
        own = exact.get(key if by_hand is None else plain(by_hand), ())
        if by_hand is None and not own:
            near = first.get(short_name(name), ())
            if len(near) == 1:
                is_short = short_name(name) in (key, plain(near[0]))
                found[name] = Tie(name, near[0], How.SHORT if is_short else How.DOMAIN)
        elif len(own) == 1:
            found[name] = Tie(name, own[0], How.NAME if by_hand is None else How.HAND)
    return _of_one_domain(found)


def _of_one_domain(found: Mapping[str, Tie]) -> dict[str, Tie]:
    """Without names in several domains that would be one machine."""
    loose = {each for each in found.values() if each.how in (How.SHORT, How.DOMAIN)}
    domains = Counter(
        to for to, name in {(each.to, plain(each.name)) for each in loose} if "." in name
    )
    return {name: each for name, each in found.items() if each not in loose or domains[each.to] < 2}
