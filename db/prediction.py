"""A prediction as the JSON object that ``evaluate --json`` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from db.plain import each_told, quantity_to_json, rounded, told
from models.base.quantities import NO_DATA, FloatArray, Series
from models.base.texts import say
from models.catalog.distance import Distance
from models.judgement.against_limits import is_vague
from models.predict.predicted import numbers_of
from models.predict.prediction import (
    Binding,
    Chip,
    Down,
    FailureMode,
    HostPrediction,
    Outage,
    PoolPrediction,
    Prediction,
    Shortfall,
    Verdict,
    VmPrediction,
)
from models.tell.headline import Headline

FORMAT = "headroom-prediction"
VERSION = 1
NOT_JUDGED = say("n/a")


def prediction_to_json(prediction: Prediction) -> dict[str, Any]:
    """The prediction as plain dictionaries, lists, texts and finite numbers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": prediction.scenario,
        "model_version": prediction.model_version,
        "verdict": prediction.verdict.label,
        "carried": carried_to_json(prediction.carried),
        "chips": chips_to_json(prediction.chips),
        "by_resource": resources_to_json(prediction.by_resource),
        "sentence": prediction.sentence,
        "binding": _binding(prediction, prediction.binding),
        "runner_up": _binding(prediction, prediction.runner_up),
        "nearest": [_binding(prediction, each) for each in prediction.nearest],
        "headroom": _headroom(prediction),
        "vms": _rows(prediction, "vms"),
        "hosts": _rows(prediction, "hosts", vcpus_per_core=prediction.hosts.vcpus_per_core),
        "pools": _rows(prediction, "pools"),
        "failures": [
            *(_failure(mode) for mode in (*prediction.failures, *prediction.together)),
            *(
                _outage(prediction, each)
                for each in prediction.outages
                if (each.harms or each.unknown) and not _is_listed(prediction, each)
            ),
        ],
        "findings": [
            told(each, *_FINDING) | ({"waived": each.waived} if each.waived else {})
            for each in prediction.findings
        ],
    }


def chips_to_json(chips: Iterable[Chip]) -> list[dict[str, str]]:
    """What a verdict rests on."""
    return each_told(chips, "id", "text", "detail")


def headline_to_json(headline: Headline) -> dict[str, Any]:
    """What is said first: `headline` and `action`, null for nothing to do."""
    return {"headline": headline.sentence, "action": headline.action or None}


_FINDING = ("rule", "severity", "subject", "text", "fix", "source")


def _rows(prediction: Prediction, name: str, **more: FloatArray) -> list[dict[str, Any]]:
    """The rows of a table: its predicted numbers, what else there is of each, the verdicts."""
    table = getattr(prediction, name)
    columns = {each: _column(getattr(table, each)) for each in numbers_of(name)}
    rows = [
        {
            "id": id,
            **{each: column[index] for each, column in columns.items()},
            **{each: rounded(float(column[index])) for each, column in more.items()},
            **_judged(table, index),
        }
        for index, id in enumerate(table.ids)
    ]
    return _carried(rows, prediction, name)


FROM_ELSEWHERE = frozenset({"interpolated", "extrapolated", "transferred"})
"""Bases of numbers that may have been measured on another machine."""


def carried_to_json(far: Distance) -> dict[str, int | None]:
    """How far a number is carried; null is not known."""
    return told(far, *COUNTS)


COUNTS = ("years", "generations", "hypervisors", "releases")


def _carried(
    rows: list[dict[str, Any]], prediction: Prediction, table: str
) -> list[dict[str, Any]]:
    """The rows with `carried` beside the basis of what comes from elsewhere."""
    if prediction.carriage is None:
        return rows
    for row, far in zip(rows, getattr(prediction.carriage, table), strict=True):
        told = carried_to_json(far)
        if not any(count != 0 for count in told.values()):
            continue
        for number in row.values():
            if isinstance(number, dict) and number.get("basis") in FROM_ELSEWHERE:
                number["carried"] = told
    return rows


def _judged(table: VmPrediction | HostPrediction | PoolPrediction, index: int) -> dict[str, Any]:
    verdict = table.verdict_of(index)
    return {
        "verdict": NOT_JUDGED if verdict is None else verdict.label,
        "on_assumptions": table.is_assumed(index),
        "by_resource": resources_to_json(table.resources_of(index)),
    }


def resources_to_json(verdicts: Mapping[str, Verdict | None]) -> dict[str, str | None]:
    """The verdict on each resource; null where nothing asks for it."""
    return {name: None if each is None else each.label for name, each in verdicts.items()}


def _failure(mode: FailureMode) -> dict[str, Any]:
    return {
        **told(mode, "mode=id", "cpu_pct", "ram_pct", "response_ms"),
        "verdict": mode_verdict(mode.verdict, mode.down),
        "on_assumptions": mode.is_assumed,
        "shortfall": shortfall_to_json(mode.shortfall),
        "not_restarted": mode.stranded,
        "note": mode.note,
        **down_to_json(mode.down),
    }


def _is_listed(prediction: Prediction, outage: Outage) -> bool:
    """Whether a loss that is told by a reason alone is among the failures anyhow."""
    modes = (*prediction.failures, *prediction.together)
    return outage.binding is None and any(mode.id == outage.mode for mode in modes)


def _outage(prediction: Prediction, outage: Outage) -> dict[str, Any]:
    """The worst loss of a kind beside hosts: the one number that decides of it."""
    binding, verdict = outage.binding, outage.verdict
    if binding is not None:
        verdict = Verdict.DOES_NOT_FIT if binding.load > 1 else Verdict.AT_RISK
    return {
        "mode": outage.mode,
        **dict.fromkeys(("cpu_pct", "ram_pct", "response_ms"), quantity_to_json(NO_DATA)),
        "verdict": (Verdict.NOT_KNOWN if outage.unknown else verdict).label,
        "shortfall": shortfall_to_json(Shortfall()),
        "not_restarted": [],
        "note": outage.reason,
        "binding": _binding(prediction, binding),
    }


def mode_verdict(verdict: Verdict | None, down: Down | None) -> str:
    """The verdict on a failure mode: what is down does not fit, whatever else is judged."""
    if down is not None:
        return Verdict.DOES_NOT_FIT.label
    return NOT_JUDGED if verdict is None else verdict.label


def down_to_json(down: Down | None) -> dict[str, Any]:
    """What is down with hosts that stand alone; nothing where nothing is."""
    if down is None:
        return {}
    chat = {"chat_users": rounded(down.chat)} if down.chat else {}
    return {"down": {"vms": down.vms, "users": rounded(down.users), **chat}}


def shortfall_to_json(shortfall: Shortfall) -> dict[str, float | None]:
    """What is missing, in units."""
    return told(shortfall, "ram_gib", "cpu_ghz", "iops")


def _headroom(prediction: Prediction) -> dict[str, Any]:
    """Without a share of a limit after a failure where VMs find no room and memory is enough."""
    left = prediction.headroom
    found = told(left, "cpu_pct", "ram_pct", "iops_pct", "response_pct", "failure_pct")
    if not left.stranded:
        return found
    if not _lacks_ram(prediction, left.stranding_mode):
        found["failure_pct"] = None
    return {**found, "stranded": left.stranded, "stranding": left.stranding_mode}


def _lacks_ram(prediction: Prediction, name: str) -> bool:
    modes = (*prediction.failures, *prediction.together)
    return any(mode.id == name and mode.shortfall.ram_gib for mode in modes)


def _binding(prediction: Prediction, binding: Binding | None) -> dict[str, Any] | None:
    """Without a value where VMs find no room and memory is enough, or a VM can't be powered on."""
    if binding is None:
        return None
    is_share = not is_vague(binding)
    is_share &= not binding.stranded or _lacks_ram(prediction, binding.mode)
    return {
        **told(binding, "subject", "resource", "mode"),
        "value": rounded(binding.value) if is_share else None,
        "limit": None if binding.rule else rounded(binding.limit),
        **({"high": rounded(binding.high)} if is_share and binding.high is not None else {}),
        **({"stranded": binding.stranded} if binding.stranded else {}),
        **({"rule": binding.rule} if binding.rule else {}),
        **({"vm": binding.vm, "host": binding.host} if binding.own else {}),
    }


def _column(series: Series) -> list[dict[str, Any]]:
    return list(map(quantity_to_json, series))
