"""Whether a kept proposal is what was exported, as far as its hashes show."""

from __future__ import annotations

from collections.abc import Iterator

from app.stated import EXPORTED, SHOWN
from db.codec import read_scenario
from db.signed import all_signed, unreadable
from db.stated import fingerprint, known_fingerprints, stated_of
from models.base.texts import Text, say, say_many
from models.catalog.catalog import Catalog
from models.project.project import Project
from models.scenario.scenario import Scenario
from models.signing.signed import Signed, SignedScenario
from models.signing.stated import Stated
from models.version import MODEL_VERSION


def read_kept(signed: SignedScenario) -> tuple[Scenario, Catalog]:
    """The scenario as it was, and the rows of the catalog that it used."""
    return read_scenario(signed.file.encode(), name=signed.id)


def altered(signed: Signed) -> Iterator[Text]:
    """What shows that a kept proposal isn't what was exported; nothing: nothing that was compared.

    One hash is over all of it, and older programs kept none; another is over its inputs.
    """
    day = signed.at[:16].replace("T", " ")
    if signed.is_whole is False:
        yield say(
            "the proposal exported {day} was changed since: it has not the hash that was kept "
            "with it",
            day=day,
        )
    for each in signed.scenarios:
        if signed.is_whole and each.stated.model != MODEL_VERSION:
            continue  # a later program may read what is whole otherwise
        scenario, _ = read_kept(each)
        if not reads_as_then(each.stated, scenario):
            yield say(
                "the proposal exported {day} was changed since: the inputs of “{name}” have the "
                "hash {now}, exported was {then}",
                day=day,
                name=scenario.name,
                now=fingerprint(scenario)[:SHOWN],
                then=each.stated.inputs[:SHOWN],
            )


def broken_exports(project: Project, *, by_inputs: bool = True) -> Iterator[Text]:
    """A sentence for each kept proposal that isn't what was exported, or can't be read.

    Args:
        by_inputs: read the scenarios of each too, for the hash of their inputs, which takes time.
    """
    count = unreadable(project)
    if count:
        yield say_many(
            "{count} kept proposal can’t be read: what was exported is not known",
            "{count} kept proposals can’t be read: what was exported is not known",
            count,
        )
    for signed in all_signed(project):
        if by_inputs or signed.is_whole is False:
            yield from altered(signed)
        yield from _stated_otherwise(signed, project)


def _stated_otherwise(signed: Signed, project: Project) -> Iterator[Text]:
    """What is kept of the same export in two places is the same in both."""
    beside = {entry.id: list(stated_of(entry)) for entry in project.entries}
    for each in signed.scenarios:
        for stated in beside.get(each.id, ()):
            is_its = (stated.why, stated.at) == (EXPORTED, each.stated.at)
            if is_its and stated != each.stated:
                yield say(
                    "the proposal exported {day} states other numbers than are kept beside "
                    "“{name}”",
                    day=signed.at[:16].replace("T", " "),
                    name=project.entry(each.id).scenario.name,
                )


def told_of_exports(project: Project) -> Iterator[Text]:
    """A sentence for each kept proposal of which not all could be compared."""
    for signed in all_signed(project):
        yield from filter(None, [not_compared(signed), template_gone(signed)])
    kept = {each.stated.at for signed in all_signed(project) for each in signed.scenarios}
    for entry in project.entries:
        for stated in stated_of(entry):
            if stated.why == EXPORTED and stated.at not in kept:
                yield say(
                    "“{name}” was exported {day}, and that proposal is not kept here",
                    name=entry.scenario.name,
                    day=stated.at[:16].replace("T", " "),
                )


def not_compared(signed: Signed) -> Text | None:
    """That only its inputs have a hash; None: all of it has, and was compared."""
    if signed.is_whole is not None:
        return None
    return say(
        "the proposal exported {day} was kept without a hash of all of it: only the hash of its "
        "inputs was compared",
        day=signed.at[:16].replace("T", " "),
    )


def reads_as_then(stated: Stated, scenario: Scenario) -> bool:
    """Whether this program finds the inputs that the state was of, by their hash."""
    return not known_fingerprints(scenario).isdisjoint((stated.inputs, stated.core))


def template_gone(signed: Signed) -> Text | None:
    """That of its template only the path was kept; None: it was kept, or there was none."""
    if not signed.template or signed.look:
        return None
    return say(
        "the proposal exported {day} keeps only the path of its template, {template}: an older "
        "program exported it, and what the file said then is not known",
        day=signed.at[:16].replace("T", " "),
        template=signed.template,
    )
