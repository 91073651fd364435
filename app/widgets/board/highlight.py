"""What is looked for on the board, and what its cards are coloured by."""

from __future__ import annotations

from app.language import tr
from app.session import Session
from app.widgets.board.bar import BoardBar
from app.widgets.board.find import matching
from app.widgets.board.tints import ColourBy, Tint, key, tints
from models.scenario import Scenario


class Highlight:
    """Search and colours of one board; its bar shows what came of them.

    Attributes:
        matches: ids of what the search finds; None while nothing is searched for.
        tints: the colour of each VM's card by id; none while that is its kind of work.
    """

    def __init__(self, session: Session, bar: BoardBar) -> None:
        self._session = session
        self._bar = bar
        self._text = ""
        self._by = ColourBy.WORKLOAD
        self.matches: frozenset[str] | None = None
        self.tints: dict[str, Tint] = {}

    def search(self, text: str, scenario: Scenario) -> None:
        self._text = text
        self._find(scenario)

    def colour_by(self, by: ColourBy, scenario: Scenario) -> None:
        self._by = by
        self._bar.show_colour(by)
        self._tint(scenario)

    def look(self, scenario: Scenario) -> None:
        """Looks again: scenario or numbers are others."""
        self._find(scenario)
        self._tint(scenario)

    def _find(self, scenario: Scenario) -> None:
        session = self._session
        prediction = session.view.committed
        self.matches = matching(scenario, prediction, session.catalog, self._text)
        self._bar.show_count(
            "" if self.matches is None else tr("{count} found", count=len(self.matches))
        )

    def _tint(self, scenario: Scenario) -> None:
        self.tints = tints(scenario, self._session.view.committed, self._by)
        self._bar.show_key(scenario, key(self.tints.values()), self._by)
