"""What made numbers other ones, by the model version that brought it; newest last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from models.base.texts import say

CHANGES: Mapping[str, str] = {
    "1.18": say("nothing is called measured whose path to the disks misses the measured array"),
    "1.19": say("VMs without CPU data take no more than their vCPUs after a failure either"),
    "1.20": say(
        "the two published families of measurements are united by distance, and the disks’ part "
        "of a response follows the drives"
    ),
    "1.21": say("ceilings of published loads, Sametime apart from mail, 32-bit guests with PAE"),
    "1.22": say("memory in use beyond what is installed, unknown numbers as lower bounds"),
    "1.23": say("load of production, posture of the verdict, intervals that grow with distance"),
    "1.24": say(
        "owners of mail files go where users go, findings weigh in the verdict, newer releases and "
        "hypervisors never cost more, the model’s error counts in losses too"
    ),
}


def since(version: str) -> Iterator[str]:
    """What came after a version, oldest first."""
    yield from (words for each, words in CHANGES.items() if _number(each) > _number(version))


def _number(version: str) -> tuple[int, ...]:
    """Of a version that is none, none: everything came after it."""
    parts = version.split(".")
    return tuple(map(int, parts)) if all(map(str.isdecimal, parts)) else ()
