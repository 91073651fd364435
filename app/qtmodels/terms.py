"""A formula as a tree: every number with what it is worked out from below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.language import local
from app.wording import tip_text
from models.explain.words import formula_words, value_words, worked_words
from models.formulas.terms import Predicted, Source, Term
from models.scenario.wording import ENGLISH, Style

Index = QModelIndex | QPersistentModelIndex
NODE_ROLE = Qt.ItemDataRole.UserRole + 1
_NO_PARENT = QModelIndex()
Said = Callable[[Source | None], str]


@dataclass(slots=True, eq=False)
class Node:
    """A term in its place.

    Attributes:
        value: with its unit; `below`: the formula with values, or where a leaf comes from.
        formula: by names.
    """

    term: Term
    parent: Node | None
    row: int
    value: str
    below: str
    formula: str
    children: list[Node] = field(default_factory=list)

    @property
    def label(self) -> str:
        """In the language of the window, as all of it."""
        return local(self.term.label)

    @property
    def note(self) -> str:
        return local(self.term.note)

    @property
    def follows(self) -> Predicted | None:
        """The other number that this one is, where it has a derivation of its own here."""
        source = self.term.source
        return source if isinstance(source, Predicted) and not source.gone else None


class TermsModel(QAbstractItemModel):
    """One column; the delegate paints label and value of a `Node`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root: Node | None = None

    def show_term(
        self, root: Term | None, said: Said, style: Style = ENGLISH, decimals: int = 0
    ) -> None:
        """Shows another formula; `said` tells where leaves come from.

        `decimals`: with which the number itself is shown above it.
        """
        self.beginResetModel()
        self._root = None if root is None else _node(root, None, 0, said, style, decimals)
        self.endResetModel()

    @property
    def root(self) -> Node | None:
        return self._root

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, self._root)
        return self.createIndex(row, column, self.node(parent).children[row])

    def parent(self, index: Index = _NO_PARENT) -> Any:
        above = self.node(index).parent if index.isValid() else None
        return QModelIndex() if above is None else self.createIndex(above.row, 0, above)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        if not parent.isValid():
            return int(self._root is not None)
        return len(self.node(parent).children)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self.node(index)
        if role == NODE_ROLE:
            return node
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{node.label}: {node.value}"
        if role == Qt.ItemDataRole.ToolTipRole:
            words = (node.label, node.formula or node.below, node.note)  # the row may be too narrow
            return tip_text("\n".join(part for part in words if part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{node.label}: {node.value}, {node.below}"
        return None

    @staticmethod
    def node(index: Index) -> Node:
        found: Node = index.internalPointer()
        return found


def _node(
    term: Term, parent: Node | None, row: int, said: Said, style: Style, decimals: int = 0
) -> Node:
    shown = local(worked_words(term, decimals=decimals, style=style))
    below = f"= {shown}" if shown else local(said(term.source))
    formula = local(formula_words(term))
    value = local(value_words(term, style=style))
    node = Node(term, parent, row, value, below, formula)
    node.children = [_node(each, node, n, said, style) for n, each in enumerate(term.terms)]
    return node
