"""Widgets and layouts beside or below each other."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int] | None
"""A number is a distance [px], a pair takes a share of the room, None takes what room there is."""

BoxT = TypeVar("BoxT", bound=QBoxLayout)


def across(
    *parts: Part,
    on: QWidget | None = None,
    gap: int | None = None,
    edge: int | tuple[int, int, int, int] | None = None,
) -> QHBoxLayout:
    """Parts beside each other.

    Args:
        on: the widget that they fill; None: the layout is put into another.
        gap: between them [px]; None: as the style has it.
        edge: around them [px], or left, top, right and bottom; None: as the style has it.
    """
    return _filled(QHBoxLayout(on) if on is not None else QHBoxLayout(), parts, gap, edge)


def down(
    *parts: Part,
    on: QWidget | None = None,
    gap: int | None = None,
    edge: int | tuple[int, int, int, int] | None = None,
) -> QVBoxLayout:
    """Parts below each other; the rest as `across`."""
    return _filled(QVBoxLayout(on) if on is not None else QVBoxLayout(), parts, gap, edge)


def _filled(
    box: BoxT,
    parts: tuple[Part, ...],
    gap: int | None,
    edge: int | tuple[int, int, int, int] | None,
) -> BoxT:
    if gap is not None:
        box.setSpacing(gap)
    if edge is not None:
        box.setContentsMargins(*((edge,) * 4 if isinstance(edge, int) else edge))
    for each in parts:
        part, share = each if isinstance(each, tuple) else (each, 0)
        if part is None:
            box.addStretch(1)
        elif isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, QWidget):
            box.addWidget(part, share)
        else:
            box.addLayout(part, share)
    return box
