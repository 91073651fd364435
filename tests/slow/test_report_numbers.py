"""Random valid projects, in every form: nothing crashes, and numbers are those of `evaluate`."""

from __future__ import annotations

import io
import random
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from app.calibrated import shipped_calibration
from app.language import language_of
from app.report.build import FORMS, Print, report, subject_of
from app.report.paper import Paper
from app.synthetic import synthetic_scenario
from models.check import check_scenario
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.proposal.results import kept
from models.scenario.scenario import Growth, Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from tests.app.report_numbers import TABLES, check_docx, check_guarded, check_pdf, check_xlsx

NAMES = (
    *("Mail-01", "Почта Москва", "株式会社メール", "서울 메일", "שרת דואר", "خادم البريد"),
    *("Αθήνα", "मुंबई मेल", "กรุงเทพฯ", "თბილისი", "Ünïcødé ñ ß", "🚀🔥 Ltd", "a\u0301\u0302\u0303"),
    *("=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1:A9)", '=HYPERLINK("http://x.example";"y")'),
    *("#set page(fill: red)", "$ x^2 $ *a* _b_ `c` @d <e>", '"); #panic("x', "\\u{1F600} \\\\"),
    *("<script>alert(1)</script>", "<b onclick='x'>&amp;&lt;", "</title><img src=x onerror=y>"),
    *("**bold** [a](javascript:b) ![c](d)", "| a | b |\\n|---|---|", "{{body}} {{table}}"),
    *("file:///etc/passwd", r"\\server\share\x.docx", "C:\\Windows\\x", "../../../etc/passwd"),
    *("http://a.example/" + 150 * "b", 200 * "W", 66 * "a b", "\u202eevil\u202c", "x\u200by"),
)
SIZES = (0, 0, 1, 1, 2, 3, 5, 8, 13, 20, 40, 70)
LARGE = (300, 1000)
LONG_TEXT = ("word " * 2000, "W" * 10_000, "=1+1\n#let x\n<i>\n" * 600, "שלום عربي 한국 " * 600)


def random_scenario(seed: int) -> Scenario:
    """A valid scenario that anybody could have typed or imported."""
    chance = random.Random(seed)
    size = LARGE[seed // 40 % 2] if seed % 40 == 39 else chance.choice(SIZES)
    hosts = chance.choice((0, 1, 2, max(1, size // 10)))
    given = synthetic_scenario(
        hosts, size if hosts else 0, load=chance.choice((0.0, 1.0, 5.0, 60.0))
    )
    vms = tuple(_varied(vm, chance) for vm in given.vms)
    scenario = replace(
        given,
        name=chance.choice(NAMES),
        customer=chance.choice(("", *NAMES)),
        author=chance.choice(("", *NAMES)),
        notes=chance.choice(("", "", *LONG_TEXT)),
        vms=vms,
        growth=Growth(
            years=float(chance.choice((0, 0, 1, 3))), users_pct=chance.choice((0.0, 30.0))
        ),
    )
    for item in scenario.items():
        if chance.random() < 0.5:
            scenario = scenario.with_item(replace(item, name=chance.choice(NAMES)))
    return scenario


def _varied(vm: Vm, chance: random.Random) -> Vm:
    draw = chance.random()
    if draw < 0.15:
        return replace(vm, host=None)
    if draw < 0.3:
        return replace(vm, pool=None)
    if draw < 0.45:
        return replace(vm, workload=Workload(kind=WorkloadKind.GENERIC))
    if draw < 0.6:
        kind = chance.choice(list(WorkloadKind))
        return replace(vm, workload=Workload(kind=kind, release="", active_users=50.0))
    return vm


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(120))
def test_a_random_project_in_every_form(seed: int) -> None:
    scenario, catalog = random_scenario(seed), load_catalog()
    check_scenario(scenario, catalog)
    prediction = evaluate(scenario, Knowledge(catalog, shipped_calibration()))
    how = Print(
        now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC),
        language=language_of("en"),
        file=f"{scenario.name[:40]}.headroom",
        paper=list(Paper)[seed % 2],
    )
    found = {e: report([(scenario, prediction)], catalog, e, how).content for e in FORMS}
    subject = subject_of(scenario, prediction, catalog)
    ids: dict[str, Any] = {table: kept(subject, table) for table in TABLES}
    numbers = report([(scenario, prediction)], catalog, ".pdf", replace(how, sections=("numbers",)))
    check_pdf(numbers.content, prediction, ids)
    check_docx(found[".docx"], prediction, ids)
    check_xlsx(found[".xlsx"], scenario, prediction)
    check_guarded(found[".docx"])
    check_guarded(found[".xlsx"])
    check_page(found[".html"].decode())
    with zipfile.ZipFile(io.BytesIO(found[".zip"])) as archive:
        assert all(_is_plain(name) for name in archive.namelist())
        assert archive.testzip() is None


def check_page(html: str) -> None:
    """No name became markup, and nothing is fetched."""
    assert "<script>alert" not in html
    assert "onerror=y>" not in html
    assert "<b onclick" not in html
    assert html.count("<script") == 2


def _is_plain(name: str) -> bool:
    return not name.startswith(("/", "\\")) and ".." not in name.split("/") and ":" not in name
