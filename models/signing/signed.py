"""A proposal as it was exported: everything that it takes to make the same one again."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.prices.book import PriceBook
from models.project.project import Record
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
class KeptFile:
    """A file of a partner's look: its name without a folder, and all of its bytes."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """An exported proposal.

    Attributes:
        at: the date that it bears, ISO 8601 with its zone.
        language: code; `paper`: code; `sections`: ids, none for those by default.
        name: of the project file that stands on the cover; empty for none.
        template: path of the partner's look; empty for the program's own.
        scenarios: at least one, in the order of the document.
        look: the files of that template, its TOML first; older programs kept only the path.
        earlier: scenarios as the proposal before it had them, which it says the changes since.
        book: prices by which its costs were told; None: none were.
        is_whole: whether what was read has the hash that was kept with it; None where none was,
            as by older programs, and of what was not read.
    """

    at: str
    language: str
    paper: str
    sections: tuple[str, ...]
    name: str
    template: str
    scenarios: tuple[SignedScenario, ...]
    look: tuple[KeptFile, ...] = ()
    earlier: tuple[SignedScenario, ...] = ()
    book: PriceBook | None = None
    is_whole: bool | None = field(default=None, compare=False)
