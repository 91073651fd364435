"""A proposal as it was exported: everything that it takes to make the same one again."""

from __future__ import annotations

from dataclasses import dataclass

from models.project import Record
from models.signing.stated import Stated


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedScenario:
    """A scenario of such a proposal.

    Attributes:
        id: of its entry in the project.
        file: the scenario file, with the rows of the catalog that it used.
        records: answers of advisors and meetings as they were beside it.
        stated: its numbers then, the hash of its inputs and the versions that worked them out.
    """

    id: str
    file: str
    records: tuple[Record, ...]
    stated: Stated


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """An exported proposal.

    Attributes:
        at: the date that it bears, ISO 8601 with its zone.
        language: code; `paper`: code; `sections`: ids, none for those by default.
        name: of the project file that stands on the cover; empty for none.
        template: path of the partner's look; empty for the program's own.
        scenarios: at least one, in the order of the document.
    """

    at: str
    language: str
    paper: str
    sections: tuple[str, ...]
    name: str
    template: str
    scenarios: tuple[SignedScenario, ...]
