"""Where the value of an input comes from."""

from __future__ import annotations

from enum import StrEnum

from models.texts import Text, say


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
    def label(self) -> Text:
        """The word that people read.

        >>> Origin.CUSTOMER.label
        'customer said'
        """
        return _LABELS[self]

    @property
    def is_data(self) -> bool:
        """Somebody knows it of this very customer: it was measured, exported or said."""
        return self in (Origin.MEASURED, Origin.IMPORTED, Origin.CUSTOMER)


_LABELS = {
    Origin.MEASURED: say("measured"),
    Origin.IMPORTED: say("imported"),
    Origin.CUSTOMER: say("customer said"),
    Origin.BENCHMARK: say("benchmark"),
    Origin.DEFAULT: say("default"),
    Origin.AUTO: say("auto"),
    Origin.MANUAL: say("manual"),
}


Origins = tuple[tuple[str, Origin], ...]
"""Origins by path of the field, in the order of the paths: a mapping that can't change."""
