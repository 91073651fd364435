"""The shipped calibration and evidence, read from the resources."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from models.evidence.calibration import Calibration
from models.evidence.knowledge import Knowledge
from models.evidence.rows import EvidenceRow, rows_from_records, rows_from_rules
from resources.catalog_files import load_catalog
from resources.evidence_files import (
    accuracy_data,
    calibration_data,
    evidence_records,
    external_rule_records,
)

if TYPE_CHECKING:
    from models.fitting.validation import Accuracy, Validation


@cache
def shipped_calibration() -> Calibration:
    """The calibration that the program was shipped with."""
    return Calibration.from_data(calibration_data())


@cache
def shipped_knowledge() -> Knowledge:
    """The catalog and the calibration that the program was shipped with."""
    return Knowledge(load_catalog(), shipped_calibration())


@cache
def shipped_accuracy() -> tuple[Accuracy, ...]:
    """The accuracy of families, as it was written down with the calibration."""
    from models.fitting.validation import Accuracy

    return tuple(map(Accuracy.from_data, accuracy_data()))


@cache
def shipped_validation() -> Validation:
    """How wrong the shipped model is, found by leaving out what was measured; some seconds."""
    from models.fitting.validation import validate

    return validate(shipped_evidence(), load_catalog())


@cache
def shipped_evidence() -> tuple[EvidenceRow, ...]:
    """Every row of evidence: the five documents and the rules from other public sources."""
    return rows_from_records(evidence_records()) + rows_from_rules(external_rule_records())
