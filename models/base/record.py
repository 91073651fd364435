"""Records of arrays."""

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
    """A frozen dataclass of arrays: no two are equal but the same one, as arrays have no truth in
    `==`.

    Args:
        slots: False where attributes are worked out when first read (`lazily`).

    >>> @record
    ... class Load:
    ...     busy: float
    >>> Load(0.5)
    Load(busy=0.5)
    """

    def of(cls: type[T]) -> type[T]:
        return dataclass(frozen=True, eq=False, slots=slots, kw_only=kw_only)(cls)

    return of if cls is None else of(cls)
