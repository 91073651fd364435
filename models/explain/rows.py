"""One item as formulas take columns: its inputs as leaves, and what the formulas make of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from models.base.fields import leaves_of
from models.explain.workings import Workings
from models.formulas.terms import Term
from models.formulas.traced import traced
from models.scenario.scenario import Vm

VM_FORMULAS = {"files_mb", "mail_owners", "space_of_files"}
"""What `VmArrays` works out of its columns, to be worked out of a row of them."""

PATHS = {field.column: path for path, field in leaves_of(Vm).items() if field.is_number}


class Row:
    """A row of columns. What is no leaf is the plain number, NaN for no data.

    Attributes:
        columns: of all items; `at`: the row.
        leaves: where numbers come from, by the name of their column.
        formulas: names of what is worked out of other columns.
    """

    def __init__(
        self,
        columns: Any,
        at: int,
        leaves: Mapping[str, Callable[[], Term]],
        formulas: Collection[str] = (),
    ) -> None:
        self._columns, self._at, self._leaves, self._formulas = columns, at, leaves, formulas

    def __getattr__(self, name: str) -> Any:
        if name in self._formulas:
            return getattr(type(self._columns), name).work_out(self)
        value = getattr(self._columns, name)
        here = value[self._at] if isinstance(value, np.ndarray) else value
        known = name in self._leaves and not np.isnan(here)
        return traced(self._leaves[name]()) if known else here


def row_of_vm(w: Workings, vm: Vm) -> Any:
    """The VM as `VmArrays` has it."""

    def leaf_of(path: str) -> Callable[[], Term]:
        return lambda: w.vm_field(vm, path)

    leaves = {column: leaf_of(path) for column, path in PATHS.items()}
    return Row(w.arrays.vms, w.vm_rows[vm.id], leaves, VM_FORMULAS)
