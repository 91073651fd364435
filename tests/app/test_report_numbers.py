"""What stands in a proposal's files are the numbers of `evaluate`, read back from each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.calibrated import shipped_calibration
from app.language import language_of
from app.report.build import Print, report, subject_of
from app.synthetic import synthetic_scenario
from db.codec import scenario_from_json
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.proposal.results import kept
from models.scenario.scenario import Scenario, Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from resources.example_files import load_examples
from tests.app.report_numbers import TABLES, check_docx, check_guarded, check_pdf, check_xlsx
from tests.sweeps import often

HOW = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"), file="x.json")
NAMES = ("=cmd|'/c calc'!A1", "#set text(red) $x$", "<b onclick=x>&amp;</b>", "**a** [b](c:d)")


def example(name: str) -> Scenario:
    files = {file.name: file for each in load_examples() for file in each.files}
    return scenario_from_json(files[name].text.encode(), name=name)


def hostile() -> Scenario:
    """Nothing known of one VM, another placed nowhere, names that are markup and formulas."""
    given = example("wv21-migration.json")
    unknown = replace(given.vms[0], workload=Workload(kind=WorkloadKind.GENERIC))
    given = replace(given, vms=(unknown, replace(given.vms[1], host=None, pool=None)))
    for name, item in zip(NAMES, given.items(), strict=False):
        given = given.with_item(replace(item, name=name))
    return given


GIVEN = {
    "wv21": example("wv21-migration.json"),
    "production": example("production-today.json"),
    "chat": example("sametime-100000.json"),
    "empty": Scenario(name="Nothing yet"),
    "hostile": hostile(),
    "long": synthetic_scenario(7, 70),
}


def told(name: str) -> tuple[Scenario, Prediction, dict[str, Sequence[str]]]:
    scenario, catalog = GIVEN[name], load_catalog()
    prediction = evaluate(scenario, Knowledge(catalog, shipped_calibration()))
    subject = subject_of(scenario, prediction, catalog)
    return scenario, prediction, {table: kept(subject, table) for table in TABLES}


def written(scenario: Scenario, prediction: Prediction, ending: str) -> bytes:
    how = replace(HOW, sections=("numbers",)) if ending in {".pdf", ".docx"} else HOW
    return report([(scenario, prediction)], load_catalog(), ending, how).content


@pytest.mark.parametrize("name", often(GIVEN, ("wv21", "hostile")))
def test_numbers_are_those_of_evaluate_in_every_file(name: str) -> None:
    scenario, prediction, ids = told(name)
    check_pdf(written(scenario, prediction, ".pdf"), prediction, ids)
    document = written(scenario, prediction, ".docx")
    check_docx(document, prediction, ids)
    workbook = written(scenario, prediction, ".xlsx")
    check_xlsx(workbook, scenario, prediction)
    for content in (document, workbook):
        check_guarded(content)


def test_a_wrong_number_is_found() -> None:
    scenario, prediction, ids = told("wv21")
    changed = replace(prediction, hosts=replace(prediction.hosts, cpu_pct=prediction.hosts.ram_pct))
    with pytest.raises(AssertionError):
        check_xlsx(written(scenario, prediction, ".xlsx"), scenario, changed)
    with pytest.raises(AssertionError):
        check_docx(written(scenario, prediction, ".docx"), changed, ids)
    with pytest.raises(AssertionError):
        check_pdf(written(scenario, prediction, ".pdf"), changed, ids)
