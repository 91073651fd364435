"""Records of arrays: dataclasses that checkers hold to be frozen and that are quick to make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, slots: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(eq_default=False, frozen_default=True)
def record(
    cls: type[T] | None = None, /, *, slots: bool = True, kw_only: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """A dataclass for what an evaluation makes and drops by the hundred.

    No two are equal but the same one: arrays have no truth in `==`. Nothing keeps a program from
    setting a field at run time, where `frozen=True` takes three times as long to make an object;
    a type checker does, as it does of a frozen one.

    Args:
        slots: False where attributes are worked out when first read (`lazily`).

    >>> @record
    ... class Load:
    ...     busy: float
    >>> Load(0.5)
    Load(busy=0.5)
    """

    def of(cls: type[T]) -> type[T]:
        return dataclass(eq=False, slots=slots, kw_only=kw_only)(cls)

    return of if cls is None else of(cls)
