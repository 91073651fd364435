"""Keys for what is worked out once for a value: hashing a large frozen value takes too long."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Itself(Generic[T]):
    """A value as a key that is equal to the very same value only, and keeps it alive."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.value is self.value
