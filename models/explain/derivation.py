"""The derivation of a predicted number: everything that the evidence drawer shows, as one value."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from models.base.errors import ModelError
from models.base.fields import field_at
from models.base.quantities import NO_DATA, Basis, Quantity
from models.base.texts import joined, opening, say, say_many
from models.evidence.knowledge import Knowledge
from models.explain import failure_terms, host_terms, pool_terms, vm_terms
from models.explain.interval import interval_words, missing
from models.explain.response_terms import ready_pct, response_ms
from models.explain.workings import Workings
from models.formulas.terms import FromEvidence, FromInput, Stated, Term, folded, leaf
from models.judgement.gauges import Gauge, gauges
from models.predict.predicted import FAILURE, NumberRef, title_of, unit_of
from models.predict.prediction import FailureMode, Prediction
from models.scenario.inputs import Subject, origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import Host, Pool, Scenario, Vm
from models.scenario.transactions import TRANSACTIONS

TOLERANCE = 1e-6


class Untraced(UserWarning):
    """A number to which its formula doesn't come: a defect of the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedInput:
    """An input that a number rests on, with who gave it."""

    source: FromInput
    label: str
    value: float
    unit: str
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """Why a number is what it is.

    Attributes:
        quantity: as predicted; `unit` of it.
        root: the formula with its values; None where there is no data.
        interval: where its ends come from, in sentences.
        inputs: what it rests on, each once.
        evidence: ids of the rows of evidence behind it.
        missing: what it does not hold.
        reason: why there is no data; empty where there is.
    """

    asked: NumberRef
    title: str
    quantity: Quantity
    unit: str
    root: Term | None
    interval: tuple[str, ...]
    inputs: tuple[UsedInput, ...]
    evidence: tuple[str, ...]
    missing: tuple[str, ...]
    reason: str = ""


VM_TERMS: dict[str, Callable[[Workings, Vm], Term]] = {
    "cpu_pct": vm_terms.cpu_pct,
    "iops": vm_terms.iops,
    "ram_gib": vm_terms.ram_gib,
    "ready_pct": ready_pct,
    "response_ms": response_ms,
    "network_mbps": vm_terms.network_mbps,
    TRANSACTIONS: vm_terms.transactions,
}
HOST_TERMS: dict[str, Callable[[Workings, Host], Term]] = {
    "cpu_pct": host_terms.cpu_pct,
    "ram_pct": host_terms.ram_pct,
    "network_pct": host_terms.network_pct,
    "vcpus_per_core": host_terms.vcpus_per_core,
}
POOL_TERMS: dict[str, Callable[[Workings, Pool], Term]] = {
    "iops": pool_terms.iops,
    "utilisation_pct": pool_terms.utilisation_pct,
    "latency_ms": pool_terms.latency_ms,
    "capacity_pct": pool_terms.capacity_pct,
    "usable_gib": pool_terms.usable_gib,
}
FAILURE_TERMS: dict[str, Callable[[Workings, str], Term]] = {
    "cpu_pct": failure_terms.cpu_pct,
    "ram_pct": failure_terms.ram_pct,
    "response_ms": failure_terms.worst_response_ms,
    "vm_cpu_pct": failure_terms.vm_cpu_pct,
}
EXTREMES = {"failure_cpu_pct": "cpu_pct", "failure_ram_pct": "ram_pct"}


def explain(
    asked: NumberRef,
    scenario: Scenario,
    knowledge: Knowledge,
    prediction: Prediction,
) -> Derivation:
    """The derivation of one number of a prediction.

    Args:
        prediction: of this very scenario, catalog and calibration.

    Raises:
        ModelError: the prediction has no such number.
    """
    if asked.table == "dials":
        asked = behind_dial(asked.field, scenario, prediction)
    quantity = shown_quantity(asked, prediction)
    if asked.field == FAILURE and quantity.value is not None:
        quantity = _dial(FAILURE, scenario, prediction).quantity
    workings = Workings.of(scenario, knowledge)
    root = (
        None
        if quantity.value is None
        else _root(asked, workings, quantity.value, gone_in_dial(scenario, prediction))
    )
    return Derivation(
        asked=asked,
        title=stranded(asked, scenario, prediction) or title(asked, scenario),
        quantity=quantity,
        unit=unit_of(asked.field),
        root=root,
        interval=interval_words(workings, asked.table, asked.subject, asked.field, quantity),
        inputs=tuple(_inputs(root, scenario)),
        evidence=_evidence(quantity, root),
        missing=missing(workings, asked.table, asked.subject, asked.field),
        reason="" if root is not None else reason(asked, scenario, prediction),
    )


def numbers_beside(asked: NumberRef) -> tuple[NumberRef, ...]:
    """The numbers of the same item, this one among them, in the order of its table.

    >>> [each.field for each in numbers_beside(NumberRef("hosts", "h1", "ram_pct"))][:2]
    ['cpu_pct', 'ram_pct']
    """
    tables: dict[str, tuple[str, ...]] = {
        "vms": tuple(VM_TERMS),
        "hosts": (*HOST_TERMS, *EXTREMES),
        "pools": tuple(POOL_TERMS),
        "failures": (*FAILURE_TERMS, FAILURE),
    }
    fields = tables.get(asked.table, (asked.field,))
    return tuple(NumberRef(asked.table, asked.subject, field) for field in fields)


def behind_dial(field: str, scenario: Scenario, prediction: Prediction) -> NumberRef:
    """The number that a dial shows: that of the item which is the worst of its kind.

    Raises:
        ModelError: the dial shows no number.
    """
    gauge = _dial(field, scenario, prediction)
    if gauge.quantity.value is None:
        raise ModelError(gauge.note or say("there is no number"))
    if field == FAILURE:
        return NumberRef("failures", gauge.subject, FAILURE)
    tables = {"vms": prediction.vms, "hosts": prediction.hosts, "pools": prediction.pools}
    table = next(name for name, each in tables.items() if gauge.subject in each)
    return NumberRef(table, gauge.subject, field)


def _dial(field: str, scenario: Scenario, prediction: Prediction) -> Gauge:
    found = (each for each in gauges(scenario, prediction) if each.field == field)
    return next(found, Gauge(field=field))


def shown_quantity(asked: NumberRef, prediction: Prediction) -> Quantity:
    """The number as the prediction has it.

    Raises:
        ModelError: it has none of the kind.
    """
    if asked.table == "failures":
        return _failing(asked, prediction)
    tables: dict[str, Any] = {
        "vms": (prediction.vms, VM_TERMS),
        "hosts": (prediction.hosts, HOST_TERMS | dict.fromkeys(EXTREMES)),
        "pools": (prediction.pools, POOL_TERMS),
    }
    table, fields = tables.get(asked.table, (None, ()))
    if table is None or asked.field not in fields:
        raise ModelError(
            say("there is no number “{field}” of {table}", field=asked.field, table=asked.table)
        )
    column = getattr(table, asked.field)[table.index(asked.subject)]
    return column if isinstance(column, Quantity) else _exact(float(column))


def _exact(value: float) -> Quantity:
    return NO_DATA if math.isnan(value) else Quantity(value, value, value, Basis.RULE)


def _failing(asked: NumberRef, prediction: Prediction) -> Quantity:
    if asked.field == FAILURE:
        left = prediction.headroom.failure_pct
        return NO_DATA if left is None else _exact(left)
    mode = next((each for each in prediction.failures if each.host == asked.subject), None)
    if mode is None or asked.field not in FAILURE_TERMS:
        raise ModelError(
            say(
                "there is no failure “{subject}” with {field}",
                subject=asked.subject,
                field=asked.field,
            )
        )
    return _quantity_of(mode, asked.field)


def _quantity_of(mode: FailureMode, field: str) -> Quantity:
    found: Quantity = getattr(mode, field)
    return found


def title(asked: NumberRef, scenario: Scenario) -> str:
    """``Response time of Mail-01``."""
    name = title_of(asked.field)
    who = next((i.name for i in scenario.items() if i.id == asked.subject), asked.subject)
    head = opening(name) if name[1:2].islower() else name
    if asked.field == FAILURE:
        return head
    if asked.table == "failures":
        return say("{what} with {who} gone", what=head, who=who)
    return say("{what} of {who}", what=head, who=who)


def stranded(asked: NumberRef, scenario: Scenario, prediction: Prediction) -> str:
    """What is to be said before the headroom in the worst failure: VMs that find no room in it;
    empty where all do, and for other numbers.

    A share of a limit says nothing of them.
    """
    left = prediction.headroom
    if asked.field != FAILURE or not left.stranded:
        return ""
    gone = _lost(prediction)
    names = {item.id: item.name for item in scenario.items()}
    modes = (*prediction.failures, *prediction.together)
    mode = next(each for each in modes if each.mode.hosts == gone)
    vms = [names[id] for id in mode.stranded[:MOST_STRANDED]]
    more = left.stranded - len(vms)
    if more > 0:
        vms.append(say_many("{count} more", "{count} more", more))
    return say_many(
        "{count} VM finds no room with {who} gone ({vms}); the headroom says how far a limit is "
        "passed",
        "{count} VMs find no room with {who} gone ({vms}); the headroom says how far a limit is "
        "passed",
        left.stranded,
        who=joined(say(" and "), [names[id] for id in gone]),
        vms=joined(", ", vms),
    )


MOST_STRANDED = 3
"""VMs without room that are named."""


def reason(asked: NumberRef, scenario: Scenario, prediction: Prediction) -> str:
    """Why there is no data."""
    if asked.field == "response_ms" and (why := prediction.why_no_response(asked.subject)):
        return joined("", (why, "."))
    vm = next((each for each in scenario.vms if each.id == asked.subject), None)
    if vm is not None and vm.host is None:
        return say("It stands on no host: which machine does the work is not said.")
    if asked.table == "failures" or asked.field in EXTREMES:
        return say("Nothing fails over, so there is nothing to work out.")
    return say("No document holds figures from which this could be worked out.")


# --- parts -------------------------------------------------------------------------------------


def _root(asked: NumberRef, w: Workings, value: float, lost: Sequence[str]) -> Term:
    """The formula; where it should not come to the number shown, which is a defect that ends every
    test, the number alone."""
    root = folded(formula(asked, w, lost))
    if math.isclose(root.value, value, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        return root
    warnings.warn(f"{asked} is {value}, by its formula {root.value}", Untraced, stacklevel=2)
    why = Stated(say("the model’s own number: its parts are not listed for a case like this"))
    return leaf(root.label, value, root.unit, source=why)


def gone_in_dial(scenario: Scenario, prediction: Prediction) -> tuple[str, ...]:
    """The hosts gone in the failure that the dial speaks of: of equal ones that very one."""
    gauge = _dial(FAILURE, scenario, prediction)
    return _lost(prediction) or (gauge.subject, *gauge.others)


def _lost(prediction: Prediction) -> tuple[str, ...]:
    """The hosts gone in the failure that the dial speaks of where VMs find no room; else none."""
    left = prediction.headroom
    return left.together or ((left.stranding,) if left.stranding else ())


def formula(asked: NumberRef, w: Workings, lost: Sequence[str]) -> Term:
    """The formula of a number with its values, whatever number is shown.

    Args:
        lost: the hosts gone in the failure that the dial speaks of.
    """
    if asked.table == "vms":
        return VM_TERMS[asked.field](w, w.scenario.vm(asked.subject))
    if asked.table == "pools":
        return POOL_TERMS[asked.field](w, w.scenario.pool(asked.subject))
    if asked.table == "failures":
        if asked.field == FAILURE:
            return failure_terms.headroom_pct(w, lost)
        return FAILURE_TERMS[asked.field](w, asked.subject)
    host = w.scenario.host(asked.subject)
    if asked.field in EXTREMES:
        return failure_terms.extreme_pct(w, host, EXTREMES[asked.field])
    return HOST_TERMS[asked.field](w, host)


def _inputs(root: Term | None, scenario: Scenario) -> Iterator[UsedInput]:
    """Every input in the formula, once, in the order in which it is met."""
    seen = set()
    for term in root.walk() if root is not None else ():
        source = term.source
        if isinstance(source, FromInput) and source not in seen:
            seen.add(source)
            item = _item(scenario, source)
            yield UsedInput(
                source=source,
                label=field_at(source.kind, source.path).label,
                value=term.value,
                unit=term.unit,
                origin=origin_of(item, source.path),
            )


def _item(scenario: Scenario, source: FromInput) -> Subject:
    if source.kind is Scenario:
        return scenario
    return next(item for item in scenario.items() if item.id == source.subject)


def _evidence(quantity: Quantity, root: Term | None) -> tuple[str, ...]:
    """The rows behind the number: those the model names, then those of the formula's constants."""
    ids = dict.fromkeys(quantity.evidence)
    for term in root.walk() if root is not None else ():
        if isinstance(term.source, FromEvidence) and not term.source.note.endswith("WV21 tables"):
            ids |= dict.fromkeys(term.source.evidence)
    return tuple(ids)
