"""Units that people type beside a number, and what they are in the unit of a field.

Binary and decimal prefixes are different units here: 16 GB are 14.9 GiB, and never silently 16.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from models.base.errors import ModelError
from models.base.texts import joined, say

_FAMILIES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "bytes": {
            **{f"{prefix}iB": 1024.0**n for n, prefix in enumerate("KMGT", start=1)},
            **{f"{prefix}B": 1000.0**n for n, prefix in enumerate("kMGT", start=1)},
        },
        "rate": {
            "kb/s": 1e3,
            "Mb/s": 1e6,
            "Gb/s": 1e9,
            "kbit/s": 1e3,
            "Mbit/s": 1e6,
            "Gbit/s": 1e9,
            "MB/s": 8e6,
            "GB/s": 8e9,
        },
        "frequency": {"MHz": 1e6, "GHz": 1e9},
        "time": {"ms": 1e-3, "s": 1.0, "min": 60.0},
        "share": {"%": 1.0},
        "factor": {"×": 1.0, "x": 1.0},
        "users": {"users": 1.0, "user": 1.0},
        "drives": {"drives": 1.0, "drive": 1.0},
        "vCPU": {"vCPU": 1.0, "vCPUs": 1.0},
        "hosts": {"hosts": 1.0, "host": 1.0},
        "ports": {"ports": 1.0, "port": 1.0},
        "IOPS": {"IOPS": 1.0, "IO/s": 1.0},
        "cores": {"cores": 1.0, "core": 1.0},
        "sockets": {"sockets": 1.0, "socket": 1.0},
    }
)


def converted(value: float, typed: str, unit: str) -> float:
    """A value typed with a unit, in the unit of the field, to five digits.

    Raises:
        ModelError: the field is not in such a unit, or the unit could be two of them.

    >>> converted(16.0, "GB", "GiB"), converted(2.0, "ghz", "MHz"), converted(5.0, "%", "%")
    (14.901, 2000.0, 5.0)
    """
    family = _family(unit)
    if typed == unit:
        return value
    factor = family[_known(typed, family, unit)] / family[unit]
    return value if factor == 1.0 else float(f"{value * factor:.5g}")


def _family(unit: str) -> Mapping[str, float]:
    return next((family for family in _FAMILIES.values() if unit in family), {unit: 1.0})


def _known(typed: str, family: Mapping[str, float], unit: str) -> str:
    """The unit that was meant; the case of its letters counts only where it must."""
    if typed in family:
        return typed
    alike = [name for name in family if name.casefold() == typed.casefold()]
    if len(alike) == 1:
        return alike[0]
    close = alike or [name for name in family if name[:1].casefold() == typed.casefold()]
    if len(close) > 1:
        meant = joined(say(" or "), sorted(close)[:3])
        raise ModelError(say("“{typed}” could be {units}", typed=typed, units=meant))
    if not unit:
        raise ModelError(say("“{typed}” is no unit here; type the number alone", typed=typed))
    raise ModelError(
        say("“{typed}” is no unit here; type the number alone or in {unit}", typed=typed, unit=unit)
    )
