"""Reads the evidence tables and the shipped calibration; what they mean is the models' business."""

from __future__ import annotations

import csv
import hashlib
import json
from importlib.resources import files
from typing import Any

_EVIDENCE = files("resources").joinpath("evidence")
_CALIBRATION = files("resources").joinpath("calibration", "calibration.json")
_ACCURACY = files("resources").joinpath("calibration", "accuracy.json")
EXTERNAL_RULES = "external_rules.csv"
EVIDENCE_STATE = "state.json"


def evidence_records() -> list[dict[str, str]]:
    """Every row of every evidence table of the five documents, as printed, in a fixed order."""
    names = sorted(entry.name for entry in _EVIDENCE.iterdir() if entry.name.endswith(".csv"))
    return [record for name in names if name != EXTERNAL_RULES for record in _records(name)]


def external_rule_records() -> list[dict[str, str]]:
    """Rules and limits from other public sources, each with its address."""
    return _records(EXTERNAL_RULES)


def evidence_digest() -> str:
    """SHA-256 over names and contents of all evidence tables, whatever ends their lines."""
    digest = hashlib.sha256()
    for entry in sorted(_EVIDENCE.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".csv"):
            lines = entry.read_text(encoding="utf-8").splitlines()
            digest.update("\n".join([entry.name, *lines, ""]).encode())
    return digest.hexdigest()


def evidence_date() -> str | None:
    """The day on which the evidence became what it is; None where somebody changed it since."""
    text = _EVIDENCE.joinpath(EVIDENCE_STATE).read_text(encoding="utf-8")
    state: dict[str, str] = json.loads(text)
    return state["date"] if state["sha256"] == evidence_digest() else None


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
