"""``calibrate``: makes the calibration from the shipped evidence."""

from __future__ import annotations

import json

from app.calibrated import shipped_evidence
from models.calibration import Calibration
from models.fitting.calibrate import calibrate


def calibration_text() -> str:
    """The calibration as the file that ships: JSON, the same bytes for the same evidence."""
    return text_of(calibrate(shipped_evidence()))


def text_of(calibration: Calibration) -> str:
    """A calibration as JSON, in the order of its fields, ending in a line break."""
    return json.dumps(calibration.to_data(), indent=2, ensure_ascii=False) + "\n"
