"""Where the value of an input comes from."""

from __future__ import annotations

from models.base.fields import Word
from models.base.texts import say


class Origin(Word):
    """Who or what gave a value; the words of the scenario file."""

    MEASURED = "measured", say("measured")
    IMPORTED = "imported", say("imported")
    CALIBRATED = "calibrated", say("calibrated")
    CUSTOMER = "customer-said", say("customer said")
    BENCHMARK = "benchmark", say("benchmark")
    DEFAULT = "default", say("default")
    AUTO = "auto", say("auto")
    ASSUMED = "assumed", say("assumed")
    MANUAL = "manual", say("manual")

    @property
    def is_data(self) -> bool:
        """Somebody knows it of this very customer: it was measured, exported or said."""
        return self in (Origin.MEASURED, Origin.IMPORTED, Origin.CALIBRATED, Origin.CUSTOMER)

    @property
    def is_assumed(self) -> bool:
        """The program gave it, in whatever way: nobody spoke about it."""
        return self in (Origin.DEFAULT, Origin.AUTO, Origin.ASSUMED)


Origins = tuple[tuple[str, Origin], ...]
"""Origins by path of the field, in the order of the paths: a mapping that can't change."""
