"""The words of a proposal that its reader may not know, for its last pages."""

from __future__ import annotations

import re

from models.base.texts import Text, joined, say
from models.tell.blocks import Definitions, Section

GLOSSARY = (
    (
        say("Active user"),
        say("at work at the same time as the others; registered users own a mail file"),
    ),
    (
        say("Admission control"),
        say("what vSphere HA reserves before it powers on a VM; it says nothing about load"),
    ),
    (
        say("Basis"),
        say("where a number comes from: measured, interpolated, extrapolated, transferred, rule"),
    ),
    (
        say("Benchmark user"),
        say("a user as published measurements define him; a real one may work more or less"),
    ),
    (
        say("Carried"),
        say("from a machine, hypervisor or release that was measured to the one planned here"),
    ),
    (
        say("Disk utilisation"),
        say("share of the time in which drives are busy"),
    ),
    (say("Headroom"), say("what is left until a limit, in per cent of the limit")),
    (
        say("Interval"),
        say("90\u202f% of such predictions lie within; wide where little was measured"),
    ),
    (say("No data"), say("no document holds a figure; nothing is made up in its place")),
    (say("Pool"), say("drives of one array that are used together")),
    (say("Posture"), say("whether a number is judged at its high end, in between, or as it is")),
    (say("Ready time"), say("share of the time in which a VM could run but finds no core free")),
    (
        say("Response time"),
        say("from a request to its answer at the server, the mean of all users"),
    ),
    (
        say("Verdict"),
        say("fits, not known, at risk or does not fit: the worst of all parts decides"),
    ),
    ("VM", say("a virtual machine, a server as software on a host with others")),
)
MOST_BESIDE = 4
"""Words that a first page explains: more nobody reads there."""


def glossary() -> Section:
    """The words with what they mean here."""
    return Section(say("Words used here"), (Definitions(GLOSSARY),))


def words_beside(text: str) -> Text | None:
    """What the first of these words mean that stand in a text; None where there are none.

    Args:
        text: in English.
    """
    found = [
        joined(": ", (term, meaning))
        for term, meaning in GLOSSARY
        if re.search(rf"(?<![\w-]){re.escape(term)}s?(?![\w-])", text, re.IGNORECASE)
    ]
    return joined("", (joined(". ", found[:MOST_BESIDE]), ".")) if found else None
