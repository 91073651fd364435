"""Reads the evidence tables and the shipped calibration; what they mean is the models' business."""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from typing import Any

_EVIDENCE = files("resources").joinpath("evidence")
_CALIBRATION = files("resources").joinpath("calibration", "calibration.json")
_ACCURACY = files("resources").joinpath("calibration", "accuracy.json")
EXTERNAL_RULES = "external_rules.csv"


def evidence_records() -> list[dict[str, str]]:
    """Every row of every evidence table of the five documents, as printed, in a fixed order."""
    names = sorted(entry.name for entry in _EVIDENCE.iterdir() if entry.name.endswith(".csv"))
    return [record for name in names if name != EXTERNAL_RULES for record in _records(name)]


def external_rule_records() -> list[dict[str, str]]:
    """Rules and limits from other public sources, each with its address."""
    return _records(EXTERNAL_RULES)


def calibration_data() -> dict[str, Any]:
    """The shipped calibration as plain data, for `Calibration.from_data`."""
    data: dict[str, Any] = json.loads(_CALIBRATION.read_text(encoding="utf-8"))
    return data


def accuracy_data() -> list[dict[str, Any]]:
    """The accuracy of the shipped calibration as plain data, a row of
    `models.fitting.validation.Accuracy` each."""
    data: list[dict[str, Any]] = json.loads(_ACCURACY.read_text(encoding="utf-8"))
    return data


def _records(name: str) -> list[dict[str, str]]:
    text = _EVIDENCE.joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
