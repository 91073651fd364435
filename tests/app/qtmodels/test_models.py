"""Findings, failures and scenarios as rows."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import Any

import pytest
from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_knowledge
from app.qtmodels import cells, findings, scenarios
from app.qtmodels.failures import FailuresModel
from app.qtmodels.findings import FindingsModel, finding_rows
from app.qtmodels.scenarios import ScenariosModel, scenario_rows
from app.widgets.chart_data import host_loads
from app.widgets.gauge_text import reach_text
from models.base.quantities import NO_DATA, Basis, Quantity
from models.evaluate import evaluate
from models.failure.mode import Mode, ModeKind
from models.judgement.gauges import gauges
from models.predict.prediction import (
    NOTHING_TO_JUDGE,
    FailureMode,
    Finding,
    Severity,
    Shortfall,
    Shown,
    Verdict,
)
from models.project.project import Project
from models.resilience.mode_words import NORMAL, missing_text
from models.resilience.study import study_failures
from models.scenario.scenario import DiskMode, Scenario
from models.scenario.wording import ENGLISH, THIN
from models.scenario.workloads import WorkloadKind
from models.studies.bottleneck import resource_loads
from models.tell.failures import (
    CPU,
    IOPS,
    MISSING,
    MODE,
    RAM,
    READY,
    RESPONSE,
    VERDICT,
    failure_rows,
)
from tests.app import samples
from tests.models.explain.terms import examples
from tests.models.judgement.cases import CASES
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
    with_policy,
)

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
DISPLAY = Qt.ItemDataRole.DisplayRole


def finding(severity: Severity, rule: str = "rule", subject: str = "m1") -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        subject=subject,
        clause="Text",
        fix="Fix it.",
        source="Table 1",
    )


def mode(host: str, cpu: float | None, **changes: object) -> FailureMode:
    number = NO_DATA if cpu is None else Quantity(cpu, cpu * 0.9, cpu * 1.1, Basis.INTERPOLATED)
    plain = FailureMode(
        mode=Mode.of_hosts((host,)),
        cpu_pct=number,
        ram_pct=number,
        response_ms=number,
        shortfall=Shortfall(),
        not_restarted=(),
        verdict=None if cpu is None else Verdict.FITS,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def test_the_gravest_finding_comes_first(qtbot: QtBot) -> None:
    model = FindingsModel()
    tester = QAbstractItemModelTester(model, FATAL)
    found = [finding(Severity.ADVICE), finding(Severity.ERROR), finding(Severity.WARNING)]
    model.set_rows(finding_rows(found, {"m1": "Mail-01"}))
    shown = [model.index(n, 0).data(findings.ROW_ROLE) for n in range(3)]
    assert [row.finding.severity for row in shown] == list(findings.ORDER)
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Error. Mail-01: Text. Fix: Fix it. Source: Table 1"
    del tester


def test_a_rule_that_trips_twice_for_one_item_is_two_rows() -> None:
    rows = finding_rows([finding(Severity.ERROR), finding(Severity.ERROR)], {})
    assert len({row.key for row in rows}) == 2


def test_many_findings_of_a_rule_stand_under_one_head_that_opens() -> None:
    """Every one of them is counted; “45 loaded, 39 shown” needs no explaining."""
    found = [finding(Severity.WARNING, "ram", f"m{n}") for n in range(200)]
    found.append(finding(Severity.ERROR, "ft"))
    closed = finding_rows(found, {})
    assert [(row.count, row.key[1]) for row in closed] == [(0, "ft"), (200, "ram")]
    assert len(closed[1].subjects) == 200
    opened = finding_rows(found, {}, {closed[1].kind})
    assert len(opened) == 202
    assert opened[1].is_open
    assert all(row.is_below for row in opened[2:])
    assert len({row.key for row in opened}) == 202


def test_failures_stand_below_normal_operation(qtbot: QtBot) -> None:
    scenario = samples.scenario(2, 4)
    prediction = replace(
        samples.prediction(scenario), failures=(mode("h1", 40.0), mode("h2", None))
    )
    model = FailuresModel()
    tester = QAbstractItemModelTester(model, FATAL)
    model.set_rows(failure_rows(scenario, prediction))
    column = [model.index(n, MODE).data() for n in range(model.rowCount())]
    assert column == [NORMAL, "esx1 fails", "esx2 fails"]
    assert model.index(1, CPU).data() == f"40{THIN}%"
    assert model.index(2, VERDICT).data() == "n/a"
    assert model.index(2, MISSING).data() == "nothing to fail over"
    assert model.index(2, CPU).data() == "–"
    assert model.headerData(RAM, Qt.Orientation.Horizontal) == "Host RAM"
    del tester


@pytest.mark.parametrize("scenario", [*examples()], ids=attrgetter("name"))
def test_normal_operation_says_what_the_study_says(scenario: Scenario) -> None:
    """CPU of hosts in every row: window, command line and proposal take one meaning."""
    study = study_failures(scenario, shipped_knowledge())
    prediction = evaluate(scenario, shipped_knowledge())
    row = failure_rows(scenario, prediction)[0]
    now = study[0]
    assert now.mode.kind is ModeKind.NORMAL
    shown = [gauge.quantity.value for gauge in row.numbers]
    numbers = (now.cpu_pct, now.ram_pct, now.iops, now.response_ms, now.ready_pct)
    assert shown == pytest.approx([each.value for each in numbers], nan_ok=True)
    assert row.verdict is now.verdict


@pytest.mark.parametrize("rule", ["ft-no-secondary", "affinity-contradictory", "unknown-cpu"])
def test_an_error_of_a_rule_is_the_scenario_s_and_not_normal_operation_s(rule: str) -> None:
    """Window, command line and proposal have one verdict on normal operation, of its resources."""
    for scenario in (each for pair in CASES[rule] for each in pair):
        prediction, now = predict(scenario), study_failures(scenario, KNOWLEDGE)[0]
        row = failure_rows(scenario, prediction)[0]
        assert row.shown == now.shown
        assert row.verdict is now.verdict is prediction.normal
    tripping = CASES[rule][0][0]
    is_error = {each.severity for each in predict(tripping).findings if each.rule == rule}
    if Severity.ERROR in is_error:
        row = failure_rows(tripping, predict(tripping))[0]
        weighs = Verdict.DOES_NOT_FIT if rule == "ft-no-secondary" else Verdict.FITS
        assert (row.verdict, row.why) == (weighs, "")


def beside_chat(hosts: int, **protected: Any) -> Scenario:
    """Mail servers that fit, and Sametime as it worked: community servers behind multiplexers."""
    base = a_cluster_of(hosts, vms=hosts, system_disk_gib=20.0)
    chat = a_vm("s1", 50_000.0, kind=WorkloadKind.SAMETIME_COMMUNITY, ram_gib=4.0, **CHAT)
    mux = a_vm("x1", 50_000.0, kind=WorkloadKind.SAMETIME_MUX, vcpus=1, ram_gib=2.0, **CHAT)
    talk = (chat, replace(chat, id="s2"), mux, replace(mux, id="x2"))
    return replace(base, vms=(replace(base.vms[0], **protected), *base.vms[1:], *talk))


CHAT: dict[str, Any] = {"release": "7.5.1", "system_disk_gib": 20.0, "pool": None}


@pytest.mark.parametrize("peak", [1.0, 1.6])
@pytest.mark.parametrize("is_studied", [False, True])
def test_no_number_is_in_doubt_for_what_is_known_to_have_worked(
    is_studied: bool, peak: float
) -> None:
    """The Sametime servers’ vCPUs are in the interval, and in no verdict: dial, bar and cell are
    of the colour that the sentence has words for."""
    pair = with_policy(beside_chat(2), peak_factor_cpu=peak, cpu_limit_pct=40.0)
    prediction = predict(pair)
    study = study_failures(pair, KNOWLEDGE) if is_studied else None
    assert "4 Sametime servers are within the published design" in prediction.sentence
    for row in failure_rows(pair, prediction, study=study):
        assert row.verdict is Verdict.NOT_KNOWN
        assert {gauge.verdict for gauge in row.numbers} <= {None, Verdict.FITS, Verdict.NOT_KNOWN}
        assert row.why == "" or row.kind is ModeKind.CONTROLLER
    reach = [row.numbers[0].high for row in failure_rows(pair, prediction, study=study)]
    assert max(each for each in reach if each is not None) > 1.0
    dials = gauges(pair, prediction)
    loads = [each.gauge for each in resource_loads(pair, prediction)]
    assert {each.verdict for each in (*dials, *loads)} == {Verdict.FITS, Verdict.NOT_KNOWN}
    assert {reach_text(each, style=ENGLISH) for each in dials} == {"", "4 VMs unknown"}
    assert {each.cpu.verdict for each in host_loads(pair, prediction)} <= {
        Verdict.FITS,
        Verdict.NOT_KNOWN,
    }


def test_a_lost_primary_is_judged_without_what_is_known_to_have_worked() -> None:
    trio = beside_chat(3, fault_tolerance=True, vcpus=1, host="h2")
    trio = replace(trio, hosts=tuple(replace(h, ft_logging_gbps=10.0) for h in trio.hosts))
    trio = with_policy(trio, cpu_limit_pct=40.0)
    study = study_failures(trio, KNOWLEDGE, which=[ModeKind.FT_PRIMARY])
    (mode,) = study
    assert mode.cpu_pct.high is not None
    assert mode.cpu_pct.high > 40.0 > (mode.cpu_pct.judged_high or 100.0)
    assert mode.verdict is Verdict.NOT_KNOWN


@pytest.mark.parametrize("fields", [{"host": None}, {"powered_on": False}])
def test_where_nothing_runs_nothing_is_judged(fields: dict[str, Any]) -> None:
    scenario = a_scenario(vms=(a_vm(**fields),))
    now = study_failures(scenario, KNOWLEDGE)[0]
    row = failure_rows(scenario, predict(scenario))[0]
    assert row.shown == now.shown == Shown(None, NOTHING_TO_JUDGE)


@pytest.mark.parametrize("is_studied", [False, True])
def test_what_no_number_shows_is_said(is_studied: bool) -> None:
    """The vCPUs of a VM put every mode at risk; host CPU is far from its limit."""
    pair = a_cluster_of(2, vms=1, users=4000.0, vcpus=1)
    study = study_failures(pair, KNOWLEDGE) if is_studied else None
    rows = {row.label: row for row in failure_rows(pair, predict(pair), study=study)}
    normal, failing = rows["Normal operation"], rows["H1 fails"]
    assert {gauge.verdict for gauge in (*normal.numbers, *failing.numbers)} <= {None, Verdict.FITS}
    assert normal.verdict is failing.verdict is Verdict.AT_RISK
    assert normal.why == f"M1: CPU may reach 79{THIN}%, limit 70{THIN}%"
    assert failing.why == f"CPU of a VM may reach 79{THIN}%, limit 70{THIN}%"
    red = failure_rows(pair := with_policy(pair, response_limit_ms=1.0), predict(pair))
    assert [row.why for row in red[:2]] == ["", ""]


@pytest.mark.parametrize("is_studied", [False, True])
def test_disks_that_a_lost_host_loads_no_more_hide_no_reason(is_studied: bool) -> None:
    """Their cell is as amber as the verdict, which leaves them out: the vCPUs of a VM decide it."""
    pair = a_cluster_of(2, vms=1, users=4000.0, vcpus=1)
    pair = replace(pair, pools=(replace(pair.pools[0], spindles=6),))
    study = study_failures(pair, KNOWLEDGE) if is_studied else None
    rows = {row.label: row for row in failure_rows(pair, predict(pair), study=study)}
    normal, failing = rows["Normal operation"], rows["H1 fails"]
    disks = failing.numbers[IOPS - CPU].verdict
    assert (failing.verdict, disks) == (Verdict.AT_RISK, Verdict.AT_RISK if is_studied else None)
    assert failing.why == f"CPU of a VM may reach 79{THIN}%, limit 70{THIN}%"
    assert normal.why == ""


def test_a_row_that_does_not_fit_says_why_under_the_mouse(qtbot: QtBot) -> None:
    """Once: where the cells show it, and where a cell of its own says it."""
    quiet = a_cluster_of(2, vms=1, users=4000.0, vcpus=1)
    full = a_cluster_of(2, vms=2, users=4000.0)
    full = replace(full, hosts=tuple(replace(host, ram_gib=18.0) for host in full.hosts))
    for scenario, said in ((quiet, "CPU of a VM may reach"), (full, "RAM ")):
        study = study_failures(scenario, KNOWLEDGE)
        model = FailuresModel()
        model.set_rows(failure_rows(scenario, predict(scenario), study=study))
        row = next(at for at, each in enumerate(model.rows) if each.label == "H1 fails")
        tip = model.index(row, VERDICT).data(Qt.ItemDataRole.ToolTipRole)
        assert model.rows[row].verdict is not Verdict.FITS
        assert tip.count(said) == 1
        assert tip.count(model.rows[row].reason) == 1


def test_where_no_host_is_left_nothing_lacks_data(qtbot: QtBot) -> None:
    pair = a_cluster_of(2, vms=2)
    study = study_failures(pair, KNOWLEDGE, which=tuple(ModeKind))
    model = FailuresModel()
    model.set_rows(failure_rows(pair, predict(pair), study=study))
    row = next(n for n, row in enumerate(model.rows) if row.kind is ModeKind.TWO_HOSTS)
    texts = [model.index(row, column).data() for column in range(MISSING + 1)]
    numbers = (CPU, RAM, RESPONSE, READY)
    assert {texts[column] for column in numbers} == {"–"}
    assert texts[MISSING] == f"no host is left, +17{THIN}GiB RAM, 2 VMs find no room"
    assert sum(not row.survives for row in model.rows) == 3


def test_sorting_keeps_rows_with_their_hosts(qtbot: QtBot) -> None:
    """“New case from row” took the wrong row of a sorted table elsewhere."""
    scenario = samples.scenario(3, 6)
    modes = (mode("h1", 40.0), mode("h2", 90.0), mode("h3", 65.0))
    model = FailuresModel()
    model.set_rows(failure_rows(scenario, replace(samples.prediction(scenario), failures=modes)))
    proxy = QSortFilterProxyModel()
    proxy.setSourceModel(model)
    proxy.setSortRole(cells.SORT_ROLE)
    proxy.sort(CPU, Qt.SortOrder.DescendingOrder)
    shown = [proxy.index(n, 0).data(cells.ROW_ROLE).subject for n in range(proxy.rowCount())]
    assert [host for host in shown if host] == ["h2", "h3", "h1"]


@pytest.mark.parametrize(
    ("shortfall", "stranded", "text"),
    [
        (Shortfall(), (), ""),
        (Shortfall(ram_gib=513.2), (), f"+514{THIN}GiB RAM"),
        (Shortfall(cpu_ghz=3.21, iops=10.0), (), f"+3.3{THIN}GHz CPU, +10{THIN}IOPS"),
        (Shortfall(), ("m1",), "Mail-01 finds no room"),
        (Shortfall(ram_gib=2.0), ("m1", "m2"), f"+2{THIN}GiB RAM, 2 VMs find no room"),
    ],
)
def test_what_is_missing_is_said_in_units_and_is_enough(
    shortfall: Shortfall, stranded: tuple[str, ...], text: str
) -> None:
    assert missing_text(shortfall, stranded, {"m1": "Mail-01"}) == text


def test_scenarios_are_named_by_id_and_edited_in_place(qtbot: QtBot) -> None:
    project = Project.of(samples.scenario()).duplicated("s1").with_baseline("s1")
    model = ScenariosModel()
    tester = QAbstractItemModelTester(model, FATAL)
    fits = Shown(Verdict.FITS, "fits")
    model.set_rows(scenario_rows(project, {"s1": fits}))
    first, second = (model.index(n, 0).data(scenarios.ROW_ROLE) for n in range(2))
    assert (first.is_baseline, first.shown, first.is_shown) == (True, fits, False)
    assert (second.detail, second.shown, second.is_shown) == ("from Sample", None, True)
    with qtbot.waitSignal(model.rename_asked) as asked:
        assert model.setData(model.index(1, 0), "Plan B")
    assert asked.args == ["s2", "Plan B"]
    assert model.index(1, 0).data(DISPLAY) == "Sample 2"
    del tester


def test_rows_of_a_physical_server_are_the_same_when_nothing_changed() -> None:
    """Its memory has no limit, which is no number that differs from itself."""
    server, vm = a_host(hypervisor="none"), a_vm(disk_mode=DiskMode.PHYSICAL)
    scenario = a_scenario(hosts=(server,), vms=(vm,))
    rows, again = (
        failure_rows(
            scenario,
            predict(scenario),
            study=study_failures(scenario, KNOWLEDGE, which=tuple(ModeKind)),
        )
        for _ in range(2)
    )
    assert ModeKind.CONTROLLER in [row.kind for row in rows]
    assert rows == again


@pytest.mark.parametrize("limit", [90.0, 1000.0])
def test_a_number_over_its_limit_is_seen_to_pass_it(limit: float) -> None:
    """Whatever rounding makes of the limit, which is read off the gauge's load."""
    scenario = with_policy(samples.scenario(2, 4), response_limit_ms=limit)
    prediction, model = samples.prediction(scenario), FailuresModel()
    shown = set()
    for part in range(1, 100):
        ms = limit * (1 + part / 25_000)
        slow = mode("h1", 40.0, response_ms=Quantity(ms, ms * 0.8, ms * 1.2, Basis.INTERPOLATED))
        model.set_rows(failure_rows(scenario, replace(prediction, failures=(slow,))))
        shown.add(model.index(1, RESPONSE).data())
    assert f"{limit:,.0f}{THIN}ms" not in shown
