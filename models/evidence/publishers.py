"""Who published a document, so that a customer sees whose word a figure is: makers, standards
bodies and the press by name. Anything else is a private page, whose author's name is no
customer's business."""

from __future__ import annotations

import re

from models.base.texts import Text, given, joined, say
from models.evidence.citation import documents

UNPUBLISHED = say("unpublished measurement")
_PRIVATE = re.compile(r"(?<!VMware )\bblog\b|\bV blog\b|\.blog\b|vmwaretips|thephuck|eknori", re.I)
_PUBLISHERS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("VMware", r"^VMworld|^VMware\b|^vSphere|^Virtualizing IBM|^service console|^ESX Server"),
        ("VMware", r"^KB \d|(?:docs|pubs|core|blogs)\.vmware\.com|broadcom\.com"),
        ("IBM", r"^IBM|^Lotus|^Iris Today|^LDD Today|^developerWorks|^technote|^Domino|^Notes"),
        ("HCL", r"^HCL"),
        ("NetApp", r"^NetApp(?! community|.*Wikipedia)"),
        ("NetApp community", r"^NetApp community"),
        ("Wikipedia", r"Wikipedia"),
        ("Dell", r"^Dell"),
        ("HPE", r"^HPE?\b"),
        ("Intel", r"^Intel\b"),
        ("AMD", r"^AMD\b"),
        ("Lenovo", r"^Lenovo"),
        ("Microsoft", r"^Microsoft"),
        ("SPEC", r"^SPEC"),
        ("Storage Performance Council", r"^SPC\b"),
        ("Pure Storage", r"^Pure Storage"),
        ("QNAP", r"^QNAP"),
        ("BMC", r"^BMC"),
        ("Wiley", r"^Wiley|Complete VMware vSphere Guide"),
        ("Headroom", r"^Headroom"),
        ("InformIT", r"^InformIT"),
        ("Techworld", r"^Techworld"),
        ("Tom’s Hardware", r"^Tom’s Hardware"),
        ("The SSD Review", r"^The SSD Review"),
        ("Storage-Insider", r"^Storage-Insider"),
        ("connect professional", r"^connect professional"),
        ("TechTarget", r"^Search\w+:"),
        ("endoflife.date", r"endoflife\.date"),
    )
)
_MEASURED = "Console statistics"
"""What a server said of itself, kept on a page that is nobody's in particular."""
_SITE = re.compile(r"\b[\w-]+\.(?:[a-z]{2,3}|blog|info|city)\b", re.I)
_COLLECTED = re.compile(r", collected by [^(]+?(?= \(|$)")
_WHOLE = ("VMworld 2007 WV21", "Virtualizing IBM Lotus Domino 8.5.1 on VMware vSphere 4")
"""Documents of which many chapters are cited."""
_PAGES = re.compile(r", pp?\. ?\d[^,(]*?(?=,| \(|$)")


def publisher_of(document: str) -> str:
    """Who published a document; empty for private pages and what nobody published.

    >>> publisher_of("IBM DS4800 manual, p. 33 (easymanua.ls)"), publisher_of("Noah.org: IOPS")
    ('IBM', '')
    """
    if _PRIVATE.search(document):
        return ""
    return next((name for name, pattern in _PUBLISHERS if pattern.search(document)), "")


def titled(document: str) -> str:
    """A document without pages and chapters, and without the name of whoever collected it.

    >>> titled("IBM DS4800 manual, p. 33 (easymanua.ls)")
    'IBM DS4800 manual (easymanua.ls)'
    """
    whole = next((each for each in _WHOLE if document.startswith(each)), "")
    return whole or _PAGES.sub("", _COLLECTED.sub("", document))


def is_private(document: str) -> bool:
    """Whether it is somebody's page that no publisher answers for.

    >>> is_private("Noah.org: IOPS (noah.org)"), is_private("The scenario’s policy")
    (True, False)
    """
    if publisher_of(document) or document.startswith(_MEASURED):
        return False
    return bool(_PRIVATE.search(document) or _SITE.search(document))


def for_customers(source: str) -> Text | str:
    """The documents of a source without private pages; where there are no others, that it is an
    unpublished measurement.

    >>> for_customers("Noah.org: IOPS or TPS <http://noah.org/x>; IBM DS4800 manual, p. 3")
    'IBM DS4800 manual, p. 3'
    >>> for_customers("Noah.org: IOPS or TPS <http://noah.org/x>")
    'unpublished measurement'
    """
    named = [_named(_COLLECTED.sub("", each)) for each in documents(source) if not is_private(each)]
    return joined("; ", named) if named else UNPUBLISHED


_OURS = {
    "Headroom, description of the model": say("Headroom, description of the model"),
    "Headroom, description of the catalog": say("Headroom, description of the catalog"),
}


def _named(document: str) -> Text:
    """A document by its title; the program's own by what it is called in any language."""
    ours = next((each for each in _OURS if document.startswith(each)), "")
    return (
        joined("", (_OURS[ours], given(document.removeprefix(ours)))) if ours else given(document)
    )
