"""Where the value of an input comes from."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Who or what gave a value; the words of the scenario file."""

    MEASURED = "measured"
    IMPORTED = "imported"
    CUSTOMER = "customer-said"
    BENCHMARK = "benchmark"
    DEFAULT = "default"
    AUTO = "auto"
    MANUAL = "manual"

    @property
    def label(self) -> str:
        """The word that people read.

        >>> Origin.CUSTOMER.label
        'customer said'
        """
        return self.value.replace("-", " ")

    @property
    def is_data(self) -> bool:
        """Somebody knows it of this very customer: it was measured, exported or said."""
        return self in (Origin.MEASURED, Origin.IMPORTED, Origin.CUSTOMER)


Origins = tuple[tuple[str, Origin], ...]
"""Origins by path of the field, in the order of the paths: a mapping that can't change."""
