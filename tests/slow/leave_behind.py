"""What the page of a leave-behind reads, and the same numbers of a prediction."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from models.predict.prediction import Prediction
from models.studies.leave_behind import NUMBERS

_TABLE = re.compile(
    r'<script type="application/json" id="headroom-answer">(.*?)</script>', re.DOTALL
)


def table_of(page: bytes) -> dict[str, Any]:
    """What the script of a page reads."""
    found = _TABLE.search(page.decode("utf-8"))
    assert found is not None
    told: dict[str, Any] = json.loads(found[1])
    return told


def numbers_of(answer: Prediction) -> list[float]:
    """`NUMBERS` of a prediction, of the item nearest to its limit; NaN for no data."""
    tables = {"response_ms": "vms", "utilisation_pct": "pools"}
    found = (getattr(getattr(answer, tables.get(name, "hosts")), name).value for name in NUMBERS)
    return [float(np.nanmax(each)) if np.isfinite(each).any() else np.nan for each in found]
