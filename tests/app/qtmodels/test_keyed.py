"""Lists keep their rows: views hear of what changed and of nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.qtmodels.keyed import Index, KeyedRows

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


@dataclass(frozen=True)
class Row:
    key: int
    text: str = ""


class Rows(KeyedRows):
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        is_text = index.isValid() and role == Qt.ItemDataRole.DisplayRole
        return self.rows[index.row()].text if is_text else None


class Heard:
    """What a view hears."""

    def __init__(self, model: KeyedRows) -> None:
        self.changed: list[tuple[int, int]] = []
        self.inserted: list[tuple[int, int]] = []
        self.removed: list[tuple[int, int]] = []
        self.resets = 0
        model.dataChanged.connect(self._changed)
        model.rowsInserted.connect(self._inserted)
        model.rowsRemoved.connect(self._removed)
        model.modelReset.connect(self._reset)

    def _changed(self, top: QModelIndex, bottom: QModelIndex) -> None:
        self.changed.append((top.row(), bottom.row()))

    def _inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.inserted.append((first, last))

    def _removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.removed.append((first, last))

    def _reset(self) -> None:
        self.resets += 1


keys = st.lists(st.integers(0, 12), unique=True, max_size=10)


@given(keys, keys, st.sampled_from(["", "new"]))
def test_any_list_becomes_any_other(before: list[int], after: list[int], text: str) -> None:
    model = Rows()
    tester = QAbstractItemModelTester(model, FATAL)
    model.set_rows([Row(key) for key in before])
    model.set_rows([Row(key, text) for key in after])
    assert [row.key for row in model.rows] == after
    assert {row.text for row in model.rows} <= {text}
    assert model.rowCount() == len(after)
    del tester


def test_only_what_changed_is_told(qtbot: QtBot) -> None:
    model = Rows()
    model.set_rows([Row(n) for n in range(100)])
    heard = Heard(model)
    model.set_rows([Row(n, "x" if n in (7, 9) else "") for n in range(100)])
    assert heard.changed == [(7, 9)]
    model.set_rows(model.rows)
    assert (len(heard.changed), heard.inserted, heard.removed, heard.resets) == (1, [], [], 0)


def test_a_row_in_the_middle_comes_and_goes(qtbot: QtBot) -> None:
    model = Rows()
    model.set_rows([Row(1), Row(3)])
    heard = Heard(model)
    model.set_rows([Row(1), Row(2), Row(3)])
    model.set_rows([Row(1), Row(2)])
    assert (heard.inserted, heard.removed, heard.resets) == ([(1, 1)], [(2, 2)], 0)
    assert model.row_of(2) == 1
    assert model.row_of(3) == -1
