"""From evidence to the calibration: pure and deterministic."""

from __future__ import annotations

from collections.abc import Sequence

from models.calibration import Calibration, outside_constants, rounded
from models.evidence.constants import family_constants
from models.evidence.rows import EvidenceRow, by_id
from models.evidence.runs import measured_runs
from models.fitting.family_a_fit import fit_law
from models.fitting.holdout import held_out


def calibrate(rows: Sequence[EvidenceRow]) -> Calibration:
    """The calibration from the evidence: the same rows always give the same value.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    constants = rounded(family_constants(by_id(rows)))
    outside = outside_constants(constants)
    law = rounded(fit_law(rows, **outside))
    return Calibration(
        law=law,
        uncertainty=rounded(held_out(rows, **outside).uncertainty()),
        constants=constants,
        runs=measured_runs(rows),
    )
