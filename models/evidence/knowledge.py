"""What the model knows before anybody asks: the catalog and the calibration, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from models.catalog.catalog import Catalog
from models.evidence.calibration import Calibration


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """The hardware and releases that a scenario may name, and the constants from evidence."""

    catalog: Catalog
    calibration: Calibration
