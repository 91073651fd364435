"""The calibration: every constant that the model takes from evidence, as one frozen value.

`models.fitting.holdout` makes it from the evidence; `to_data` and `from_data` turn it into plain
data and back, so that the shipped file can be checked against a fresh fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from models.base import rounding
from models.base.errors import ModelError
from models.base.quantities import Basis
from models.evidence.constants import FamilyConstants
from models.evidence.family_a import FamilyALaw, MeasuredRun
from models.evidence.uncertainty import TUNED_CONSTANTS, Uncertainty

T = TypeVar("T")

FORMAT = "headroom-calibration"
VERSION = 1
DIGITS = 7
"""Significant digits that are kept, so that every machine gets the same calibration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What the model knows from evidence.

    Attributes:
        law: family A.
        uncertainty: half widths of the intervals of family A.
        constants: families B to F.
        runs: family A as it was measured, for predictions of the same configuration.
        tuned_constants: number of constants tuned on family A.
    """

    law: FamilyALaw
    uncertainty: Uncertainty
    constants: FamilyConstants
    runs: tuple[MeasuredRun, ...] = ()
    tuned_constants: int = TUNED_CONSTANTS

    def to_data(self) -> dict[str, Any]:
        """The calibration as numbers, texts, lists and dictionaries."""
        head = {"format": FORMAT, "version": VERSION}
        return head | {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Calibration:
        """The calibration from what `to_data` gave.

        Raises:
            ModelError: another format or version, or a field that is missing or of another kind.
        """
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ModelError(f"is not a {FORMAT} of version {VERSION}", field="calibration")
        built: Calibration = _built(cls, data, "calibration")
        return built


def outside_constants(constants: FamilyConstants) -> dict[str, float]:
    """The two constants of family A's law that other documents give."""
    return {
        "think_time_ms": constants.workload.think_time_ms.value,
        "miss_exponent": constants.inotes85.ram_exponent_iops.value,
    }


def rounded(value: T) -> T:
    """A frozen value with every float in it at `DIGITS` significant digits."""
    return rounding.rounded_in(value, DIGITS)


def _plain(value: Any) -> Any:
    if isinstance(value, Basis):
        return value.label
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _built(kind: Any, data: Any, path: str) -> Any:
    """A value of a dataclass, or a leaf, from plain data."""
    if get_origin(kind) is tuple:
        return _listed(get_args(kind)[0], data, path)
    if not is_dataclass(kind):
        return _leaf(kind, data, path)
    if not isinstance(data, Mapping):
        raise ModelError("must be an object", field=path)
    hints = get_type_hints(kind)
    missing = [f.name for f in fields(kind) if f.name not in data]
    if missing:
        raise ModelError("is missing", field=f"{path}.{missing[0]}")
    make = cast(Callable[..., Any], kind)
    return make(
        **{f.name: _built(hints[f.name], data[f.name], f"{path}.{f.name}") for f in fields(kind)}
    )


def _listed(kind: Any, data: Any, path: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ModelError("must be a list", field=path)
    return tuple(_built(kind, item, f"{path}[{index}]") for index, item in enumerate(data))


def _leaf(kind: Any, data: Any, path: str) -> Any:
    if kind is float and _is_number(data):
        return float(data)
    if kind is int and isinstance(data, int) and not isinstance(data, bool):
        return data
    if kind is bool and isinstance(data, bool):
        return data
    if kind is str and isinstance(data, str):
        return data
    if kind is Basis and data in _BASES:
        return _BASES[data]
    raise ModelError(f"{data!r} is not of the expected kind", field=path)


def _is_number(data: Any) -> bool:
    return isinstance(data, int | float) and not isinstance(data, bool) and math.isfinite(data)


_BASES = {basis.label: basis for basis in Basis}
