"""Sources as people read them: documents by title, each with the site that holds it.

A source is one or more documents, a semicolon between them, each
``Title <address> (fields, that, it, is, for)``; address and fields may be missing. The whole of it
stays in JSON and in the catalog; pages and lists for people leave out what only a machine needs.
"""

from __future__ import annotations

import re

from models.base.texts import Text, joined, say

_BETWEEN = re.compile(r"\s*;\s+")
_FIELDS = re.compile(r" \([a-z0-9]+(?:_[a-z0-9]+)+(?:, [a-z0-9_]+)*\)")
_WEIGHT = re.compile(r" \((?:verbatim|derived|assumed|mixed|low authority|no data|definition)\)")
_COMMIT = re.compile(r",? @?(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b")
_NO_DOCUMENT = re.compile(r"(?:no|own entry|figures)\b.*|.*(?:, not checked| by hand)")
_SITE = r"(?:www\.)?(?P<{name}>(?:[\w-]+\.)+[a-z]{{2,}}|[\d.]+)(?::\d+)?"
_BRACKETED = re.compile(r" <(?:https?://)?" + _SITE.format(name="site") + r"[^>]*>")
_BARE = re.compile(
    r"(?:https?://" + _SITE.format(name="site") + r"(?:/[^\s,)]*)?)"
    r"|(?:\b(?:www\.)?(?P<bare>(?:[\w-]+\.)+[a-z]{2,})/[^\s,)]+)"
)


def in_short(source: str) -> str:
    """Title and site of each document of a source, once; no addresses, fields or commits.

    >>> in_short("RAID penalties <https://www.example.org/raid/x?p=1>; KB 10 (slot_cpu_mhz)")
    'RAID penalties (example.org); KB 10'
    >>> in_short("https://www.example.org/a_page.html (max_vms_per_host); a list, 3e6cb063 (mixed)")
    'example.org; a list'
    """
    return "; ".join(documents(source))


def documents(source: str) -> tuple[str, ...]:
    """The documents of a source, each by title and site, without repetition."""
    found = (_document(part) for part in _BETWEEN.split(source))
    return tuple(dict.fromkeys(each for each in found if each))


def is_document(name: str) -> bool:
    """Whether a part of a source names a document that was read, not what there was instead.

    >>> is_document("IBM DS4800 manual, p. 33"), is_document("no data sheet found")
    (True, False)
    >>> is_document("VMware, product documentation of vSphere 8.0, not checked")
    False
    """
    return _NO_DOCUMENT.fullmatch(name) is None


_UNCHECKED = re.compile(r"(?P<maker>.+?), product documentation(?: of (?P<of>.+))?, not checked")
_INSTEAD = {
    "own entry": say("own entry"),
    "own entry: data stores as imported": say("own entry: data stores as imported"),
    "no maker’s document for the chassis, figures assumed": say(
        "no maker’s document for the chassis, figures assumed"
    ),
    "no data sheet found": say("no data sheet found"),
    "figures of its class assumed": say("figures of its class assumed"),
    "two drives of parity and one of data, not checked": say(
        "two drives of parity and one of data, not checked"
    ),
}


def instead_of_document(name: str) -> Text:
    """What there was instead of a document, in words that can be said otherwise.

    >>> instead_of_document("VMware, product documentation of vSphere 8.0, not checked")
    'VMware, product documentation of vSphere 8.0, not checked'
    """
    found = _UNCHECKED.fullmatch(name)
    if found is None:
        return _INSTEAD.get(name) or joined("", (name,))
    if found["of"] is None:
        return say("{maker}, product documentation, not checked", maker=found["maker"])
    return say(
        "{maker}, product documentation of {product}, not checked",
        maker=found["maker"],
        product=found["of"],
    )


def _document(part: str) -> str:
    plain = _WEIGHT.sub("", _FIELDS.sub("", part))
    plain = _BRACKETED.sub(r" (\g<site>)", plain)
    plain = _BARE.sub(lambda found: found["site"] or found["bare"], plain)
    return _COMMIT.sub("", plain).strip()
