"""Costs of the scenario in view by the user's price book."""

from __future__ import annotations

from functools import partial
from typing import Any

from app.studies import costs_told
from app.widgets.sections.view import SectionsPanel


class CostsPanel(SectionsPanel):
    """Is told again when there is another price book."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._session.prices_changed.connect(self._take_prices)
        self._take_prices()

    def _take_prices(self) -> None:
        self.take(partial(costs_told, book=self._session.prices))
