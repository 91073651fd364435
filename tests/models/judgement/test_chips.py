"""What a verdict rests on stands beside it, and what fits on assumptions has its own word."""

from __future__ import annotations

from dataclasses import replace

from app.calibrated import shipped_knowledge
from app.cli_compare import comparison_to_json
from app.cli_evaluate import as_text
from app.widgets.marks import verdict_icon, verdict_ink
from db.placement import plan_to_json
from db.prediction import prediction_to_json
from db.runway import runway_to_json
from models.arrange.plan import arrange
from models.comparison.compare import Side, against_first, compare
from models.evaluate import evaluate
from models.failure.mode import ModeKind
from models.intake.assumed import Assumed, CpuUnit, Range, with_assumed
from models.predict.prediction import FITS_ON_ASSUMPTIONS, Prediction, Shown, Verdict
from models.scenario.scenario import Cluster, DataGrade, Scenario, Workload
from models.scenario.workloads import WorkloadKind
from models.single_changes.move_preview import move_preview
from models.studies.runway import runway
from models.tell.failures import FailureRow, failure_rows
from resources.catalog_files import load_catalog
from tests.models.worlds import a_scenario, a_vm


def predicted(scenario: Scenario) -> Prediction:
    return evaluate(scenario, shipped_knowledge())


def measured() -> Scenario:
    work = Workload(kind=WorkloadKind.GENERIC, cpu_mhz=200.0, iops=20.0, disk_gib=10.0)
    vm = replace(a_vm(), vcpus=2, ram_gib=8.0, workload=work)
    return a_scenario(vms=(vm,))


def assumed() -> Scenario:
    (vm,) = measured().vms
    bare = replace(vm, workload=replace(vm.workload, cpu_mhz=None, iops=None))
    rule = Assumed(cpu=Range(50.0, 200.0), cpu_unit=CpuUnit.MHZ, io=Range(10.0, 20.0))
    return with_assumed(a_scenario(vms=(bare,)), [rule], load_catalog().servers)


def test_what_fits_on_assumptions_is_never_plainly_so() -> None:
    plain, shown = predicted(measured()).shown, predicted(assumed()).shown
    assert plain == Shown.of(Verdict.FITS)
    assert (shown.verdict, shown.words) == (Verdict.FITS, FITS_ON_ASSUMPTIONS)
    assert verdict_icon(shown) != verdict_icon(plain)
    assert verdict_ink(shown) != verdict_ink(plain)


def test_the_chips_count_who_is_assumed_and_how_well_it_is_known() -> None:
    chips = {chip.id: chip for chip in predicted(assumed()).chips}
    assert "1 VM of 1" in chips["assumed"].detail
    assert "grade" not in chips
    graded = replace(measured(), grade=DataGrade(measured_vms_pct=40.0, days=6.5))
    chips = {chip.id: chip for chip in predicted(graded).chips}
    assert "assumed" not in chips
    assert (chips["grade"].text, "6.5 days" in chips["grade"].detail) == ("40 % measured", True)


def beside_measured() -> Scenario:
    """A VM whose load is assumed on one host and pool, one that was measured on others."""
    (vm,), (own,) = assumed().vms, measured().vms
    other = replace(own, id="m2", name="M2", host="h2", pool="p2")
    base = assumed()
    hosts = (*base.hosts, replace(base.hosts[0], id="h2", name="H2"))
    pools = (*base.pools, replace(base.pools[0], id="p2", name="P2"))
    return replace(base, hosts=hosts, pools=pools, vms=(vm, other))


def test_items_say_it_of_themselves() -> None:
    prediction = predicted(beside_measured())
    for table in (prediction.vms, prediction.hosts, prediction.pools):
        first, second = table.shown(0), table.shown(1)
        assert (first.verdict, first.words) == (Verdict.FITS, FITS_ON_ASSUMPTIONS)
        assert second == Shown.of(Verdict.FITS)


def test_a_loss_says_it_of_what_runs_on() -> None:
    base = beside_measured()
    hosts = tuple(replace(host, cluster="c1") for host in base.hosts)
    other = (Cluster(id="c1", name="C1"), Cluster(id="c2", name="C2"))
    both = replace(base, clusters=other, hosts=hosts)
    apart = (replace(hosts[1], cluster="c2"), replace(hosts[1], id="h3", name="H3", cluster="c2"))
    shown = [each.shown for each in predicted(both).failures]
    assert [each and each.words for each in shown] == [FITS_ON_ASSUMPTIONS] * 2
    assert {row.shown for row in host_rows(both)} == {Shown.of(Verdict.FITS, is_assumed=True)}
    shown = [
        each.shown for each in predicted(replace(both, hosts=(hosts[0], *apart))).failures[1:2]
    ]
    assert shown == [Shown.of(Verdict.FITS)]


def host_rows(scenario: Scenario) -> list[FailureRow]:
    prediction = predicted(scenario)
    return [row for row in failure_rows(scenario, prediction) if row.kind is ModeKind.HOST]


def test_risk_is_no_better_for_an_assumption() -> None:
    assert Shown.of(Verdict.AT_RISK, is_assumed=True) == Shown.of(Verdict.AT_RISK)


def test_json_tells_of_each_item_and_of_each_answer() -> None:
    scenario = beside_measured()
    prediction = predicted(scenario)
    told = prediction_to_json(prediction)
    assert [row["on_assumptions"] for row in told["vms"]] == [True, False]
    assert [row["on_assumptions"] for row in told["hosts"]] == [True, False]
    sides = [Side(id, scenario, prediction) for id in ("a", "b")]
    compared = comparison_to_json(compare(sides, against_first(2)))
    grown = runway_to_json(runway(scenario, shipped_knowledge(), years=1))
    placed = plan_to_json(arrange(scenario, shipped_knowledge(), clock=lambda: 0.0))
    for answer in (told, compared["scenarios"][0], grown, placed["before"], placed["after"]):
        assert "assumed" in [chip["id"] for chip in answer["chips"]]


def test_text_tells_of_each_item() -> None:
    scenario = beside_measured()
    text = str(as_text(scenario, predicted(scenario)))
    assert text.count(str(FITS_ON_ASSUMPTIONS)) == 1 + 3


def test_what_is_dragged_brings_its_assumptions_along() -> None:
    for scenario, is_assumed in ((assumed(), True), (measured(), False)):
        (vm,), (host,) = scenario.vms, scenario.hosts
        two = replace(scenario, hosts=(host, replace(host, id="h2", name="esx2")))
        assert move_preview(two, shipped_knowledge(), [vm.id]).is_assumed is is_assumed
