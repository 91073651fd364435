"""What a verdict rests on stands beside it, and what fits on assumptions has its own word."""

from __future__ import annotations

from dataclasses import replace

from app.calibrated import shipped_calibration
from app.widgets.marks import verdict_icon, verdict_ink
from models.evaluate import evaluate
from models.intake.assumed import Assumed, CpuUnit, Range, with_assumed
from models.predict.prediction import FITS_ON_ASSUMPTIONS, Prediction, Shown, Verdict
from models.scenario.scenario import DataGrade, Scenario, Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from tests.models.worlds import a_scenario, a_vm


def predicted(scenario: Scenario) -> Prediction:
    return evaluate(scenario, load_catalog(), shipped_calibration())


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
