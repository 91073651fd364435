"""Tabs that are made when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.widgets.parts import in_column

WidgetT = TypeVar("WidgetT", bound=QWidget)


class Late(QWidget, Generic[WidgetT]):
    """The place of a widget, which comes into being when it is first shown or asked for."""

    def __init__(self, make: Callable[[QWidget], WidgetT], parent: QWidget | None = None) -> None:
        """`make`: given its parent."""
        super().__init__(parent)
        self._make = make
        self._widget: WidgetT | None = None

    @property
    def widget(self) -> WidgetT:
        if self._widget is None:
            self._widget = self._make(self)
            in_column(self).put(self._widget)
        return self._widget

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.widget.show()
