"""Attributes that are worked out when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - reads as a decorator
    """As `functools.cached_property`, which until Python 3.12 takes a lock at each first reading.

    A prediction reads some forty of them for the first time. One thread works a prediction out;
    where several share hosts or pools, the same may be worked out twice, and either is right.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self.work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object, owner: type) -> Self | T:
        if instance is None:
            return self
        value: T = self.work_out(instance)
        instance.__dict__[self._name] = value
        return value


def with_fields(instance: T, *, forgotten: Sequence[str] = (), **fields: Any) -> T:
    """A copy with other `fields` that knows what was worked out before but for what is `forgotten`.

    As `dataclasses.replace` where no other lazy attribute follows from the fields that change.
    """
    there = object.__new__(type(instance))
    known = vars(there)
    known.update(vars(instance))
    for name in forgotten:
        known.pop(name, None)
    known.update(fields)
    return there
