"""``evaluate``: the prediction of one scenario, as JSON or as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from app.calibrated import shipped_calibration
from app.cli_file import given, json_text, refusing
from app.cli_text import indented, text_lines, text_table
from db.licences import licences_to_json
from db.prediction import headline_to_json, prediction_to_json
from models.base.lettering import set_apart
from models.base.quantities import Basis, Quantity
from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.citation import in_short
from models.evidence.knowledge import Knowledge
from models.failure.mode import ModeKind
from models.judgement.binding import Reasons, binding_text, nearest
from models.judgement.rules import grouped
from models.predict.predicted import head_with_unit, numbers_of
from models.predict.prediction import Binding, Prediction, Severity, Shown
from models.scenario.scenario import Scenario
from models.scenario.wording import NONE_TEXT, host_text, number, range_text, value_text
from models.tell.blocks import cell_text
from models.tell.failures import (
    CPU,
    RAM,
    RESPONSE,
    VERDICT,
    cell_of,
    failure_rows,
    limit_of,
)
from models.tell.headline import headline
from models.tell.transactions import transactions_table

Names = Mapping[str, str]

_MARKS: Mapping[Basis, Text] = {
    Basis.MEASURED: say("m"),
    Basis.INTERPOLATED: say("i"),
    Basis.EXTRAPOLATED: say("e"),
    Basis.TRANSFERRED: say("t"),
    Basis.RULE: say("r"),
}
"""The letters of the bases, as they stand behind numbers."""


def evaluate_file(path: str, name: str | None, *, as_json: bool) -> str:
    """What ``evaluate`` prints about the scenario called `name` in the file.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    of = given(path, name)
    prediction = predicted(of.scenario, of.catalog, path)
    if as_json:
        said = headline_to_json(headline(of.scenario, prediction))
        more = licences_to_json(of.scenario, of.catalog)
        return json_text(prediction_to_json(prediction) | said | more)
    return as_text(of.scenario, prediction)


def predicted(scenario: Scenario, catalog: Catalog, path: str) -> Prediction:
    """The prediction by the shipped calibration.

    Raises:
        StoreError: the model finds that the scenario can't exist.
    """
    with refusing(path):
        return evaluate(scenario, Knowledge(catalog, shipped_calibration()))


def as_text(scenario: Scenario, prediction: Prediction) -> str:
    """The prediction as tables, items by name."""
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    reasons = Reasons(scenario.policy, prediction)
    parts = [
        _head(scenario, names, prediction),
        _vms(scenario, names, prediction),
        _transactions(scenario, prediction),
        _hosts(scenario, prediction, reasons),
        _pools(names, prediction, reasons),
        _failures(scenario, prediction),
        _findings(names, prediction),
    ]
    return joined("\n", filter(None, parts))


def _head(scenario: Scenario, names: Names, prediction: Prediction) -> str:
    lines = [
        joined(": ", (scenario.name, prediction.shown.words)),
        *_first_words(scenario, prediction),
        *(joined(": ", (opening(chip.text), chip.detail)) for chip in prediction.caveats),
        *(_bound(word, names, binding) for word, binding in nearest(prediction)),
        say(
            "Model {version}; in brackets the 90 % interval, behind it the basis:",
            version=prediction.model_version,
        ),
        joined(", ", [joined(" ", (mark, basis.label)) for basis, mark in _MARKS.items()]) + ".",
    ]
    return text_lines(filter(None, lines))


def _first_words(scenario: Scenario, prediction: Prediction) -> Iterator[Text | str]:
    """Why the verdict is what it is, what to do, and what else there is to say of it."""
    told, why = headline(scenario, prediction), prediction.why
    if told.reason:
        names = (item.name for item in scenario.items())
        yield joined("", (opening(told.reason, names), "."))
    if told.action:
        yield say("Do: {action}", action=told.action)
    if why.besides:
        yield say("Besides: {what}.", what=why.besides)
    yield why.lacking
    if prediction.chips:
        chips = joined(", ", (chip.text for chip in prediction.chips))
        yield say("Rests on: {chips}", chips=chips)


def _bound(word: str, names: Names, binding: Binding) -> str:
    return joined(": ", (word, binding_text(binding, partial(_named, names))))


def _named(names: Names, id: str) -> str:
    """The name people gave; behind it the id where that is another word."""
    name = names.get(id, id)
    return name if name == id else f"{name} [{id}]"


def _vms(scenario: Scenario, names: Names, prediction: Prediction) -> str:
    table = prediction.vms
    columns = ("cpu_pct", "iops", "ram_gib", "ready_pct", "response_ms")
    hosts = {vm.id: vm.host for vm in scenario.vms}
    reasons = Reasons(scenario.policy, prediction)
    rows = [
        (
            names[id],
            say("not placed") if (host := hosts[id]) is None else names[host],
            *(cell(table.quantity(id, column)) for column in columns[:-1]),
            cell(table.quantity(id, columns[-1])) if table.has_response(index) else NONE_TEXT,
            _verdict(table.shown(index), reasons.of_vm(index)),
        )
        for index, id in enumerate(table.ids)
    ]
    head = ("VM", say("Host"), *map(head_with_unit, columns), say("Verdict"))
    return text_table(head, rows, "<<" + ">" * len(columns) + "<")


def _transactions(scenario: Scenario, prediction: Prediction) -> str:
    found = transactions_table(scenario, prediction, prediction.vms.ids)
    if found is None:
        return ""
    rows = [tuple(map(cell_text, row)) for row in found.rows]
    table = text_table([each.title for each in found.columns], rows, "<>>")
    return joined("", (table, text_lines((found.note,))))


def _hosts(scenario: Scenario, prediction: Prediction, reasons: Reasons) -> str:
    names = {host.id: host_text(host) for host in scenario.hosts}
    table, columns = prediction.hosts, numbers_of("hosts")
    rows = [
        (
            names[id],
            *(cell(table.quantity(id, column)) for column in columns),
            number(float(table.vcpus_per_core[index]), 2),
            _verdict(table.shown(index), reasons.of_host(index)),
        )
        for index, id in enumerate(table.ids)
    ]
    head = (say("Host"), *map(head_with_unit, columns), say("vCPU/core"), say("Verdict"))
    return text_table(head, rows, "<" + ">" * len(columns) + "><")


def _pools(names: Names, prediction: Prediction, reasons: Reasons) -> str:
    table, columns = prediction.pools, numbers_of("pools")
    rows = [
        (
            names[id],
            *(cell(table.quantity(id, column)) for column in columns),
            _verdict(table.shown(index), reasons.of_pool(index)),
        )
        for index, id in enumerate(table.ids)
    ]
    head = (say("Pool"), *map(head_with_unit, columns), say("Verdict"))
    return text_table(head, rows, "<" + ">" * len(columns) + "<")


def _failures(scenario: Scenario, prediction: Prediction) -> str:
    rows = [
        (
            row.label,
            *(
                NONE_TEXT
                if row.verdict is None
                else cell(row.numbers[column - CPU].quantity, limit_of(row.numbers[column - CPU]))
                for column in (CPU, RAM, RESPONSE)
            ),
            cell_text(cell_of(row, VERDICT)),
            row.told,
        )
        for row in failure_rows(scenario, prediction)
        if row.kind is not ModeKind.NORMAL
    ]
    head = (
        *(say("What fails"), say("Host CPU %"), say("Host RAM %"), say("Response ms")),
        *(say("Verdict"), say("Why, and what is missing")),
    )
    return text_table(head, rows, "<>>><<")


def _verdict(shown: Shown, reason: str) -> str:
    """The verdict as it is shown, with what decides it where it is no fit."""
    return joined(": ", filter(None, (shown.words, reason)))


def _findings(names: Names, prediction: Prediction) -> str:
    """Errors and warnings with what to do and where that is from; advice counted, a line each."""
    found = grouped(prediction.findings, lambda id: names.get(id, id))
    lines: list[str] = []
    for each in found:
        first = each.first
        if first.severity is Severity.ADVICE and not first.waived:
            continue
        lines.append(joined(": ", (first.severity.label, each.text)))
        lines.append(indented(joined("", (each.fix, " [", in_short(first.source), "]"))))
        if first.waived:
            reason = " ".join(first.waived.split())
            lines.append(indented(say("Waived: {reason}", reason=reason)))
    advice = [each for each in found if each.first.severity is Severity.ADVICE]
    advice = [each for each in advice if not each.first.waived]
    if advice:
        heading = say_many("{count} piece of advice:", "{count} pieces of advice:", len(advice))
        lines += [heading, *(joined("", ("- ", each.text, " ", each.fix)) for each in advice)]
    return text_lines(lines)


def cell(quantity: Quantity, limit: float | None = None) -> str:
    """Value, seen to pass its limit, interval and the letter of the basis: ``45 (41–52) i``."""
    value, ends = value_text(quantity, limit=limit), range_text(quantity)
    text = joined("", (value, " (", ends, ")")) if ends and ends != value else value
    return joined(" ", (text, _MARKS[quantity.basis])) if quantity.basis in _MARKS else text
