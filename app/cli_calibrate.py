"""``calibrate``: makes the calibration, and its accuracy, from the shipped evidence."""

from __future__ import annotations

import json

from app.calibrated import shipped_evidence, shipped_validation
from app.cli_file import json_text
from models.evidence.calibration import Calibration
from models.fitting.holdout import calibrate


def calibration_text() -> str:
    """The calibration as the file that ships: JSON, the same bytes for the same evidence."""
    return text_of(calibrate(shipped_evidence()))


def text_of(calibration: Calibration) -> str:
    """A calibration as JSON, in the order of its fields, ending in a line break."""
    return json_text(calibration.to_data(), indent=2)


def accuracy_text() -> str:
    """The accuracy table of the calibration as the file that ships, a row a line."""
    told = shipped_validation().of_families
    rows = [json.dumps(row.to_data(), ensure_ascii=False) for row in told]
    return "[\n" + ",\n".join(rows) + "\n]\n"
