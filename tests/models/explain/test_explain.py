"""Every number's formula, as it is displayed, comes to the number that is shown."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from models.base.errors import ModelError
from models.base.quantities import Basis
from models.explain.derivation import (
    FAILURE_TERMS,
    Derivation,
    Untraced,
    behind_dial,
    explain,
    shown_quantity,
)
from models.explain.words import (
    DIGITS,
    LEAST_DIGITS,
    digits_needed,
    figure,
    formula_words,
    is_given,
    source_words,
    term_figure,
    value_words,
    worked_words,
)
from models.formulas.terms import (
    Above,
    FromCatalog,
    FromInput,
    Operation,
    Predicted,
    Stated,
    Term,
    applied,
    leaf,
    without_host,
)
from models.judgement.gauges import gauges
from models.predict.predicted import DIALS, FAILURE, NumberRef
from models.scenario.origin import Origin
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Vm,
)
from models.scenario.wording import GERMAN, THIN, decimals_of
from models.scenario.workloads import WorkloadKind
from tests.models.explain.terms import examples, names_in, numbers, unsaid, worlds
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
)
from tests.sweeps import often


@cache
def derivations(name: str) -> list[Derivation]:
    scenario = ALL[name]
    prediction = predict(scenario)
    return [
        explain(asked, scenario, KNOWLEDGE, prediction)
        for asked in numbers(scenario, prediction)
        if shown_quantity(asked, prediction).value is not None
    ]


ALL = {scenario.name: scenario for scenario in (*examples(), *worlds())}
MANY_VMS = 20
"""So many have thousands of derivations, in the words of those of few."""

NAMES = often(ALL, [name for name, scenario in ALL.items() if len(scenario.vms) <= MANY_VMS][::3])


def read(text: str) -> float:
    """A displayed number, read back."""
    return float(text.replace(",", "").replace("\N{MINUS SIGN}", "-"))


@pytest.mark.parametrize("name", NAMES)
def test_every_formula_comes_to_the_number_shown(name: str) -> None:
    assert derivations(name)
    for derivation in derivations(name):
        root, value = derivation.root, derivation.quantity.value
        assert root is not None
        assert value is not None
        assert root.operation is not Operation.LEAF or _is_given(root), derivation.asked
        assert root.value == pytest.approx(value, rel=1e-9, abs=1e-9), derivation.asked
        assert all(term.label for term in root.walk()), derivation.asked


def test_a_number_that_its_formula_does_not_come_to_is_a_defect() -> None:
    scenario = a_scenario(vms=(a_vm(),))
    other = predict(a_scenario(vms=(a_vm(users=1.0),)))
    asked = NumberRef("vms", "m1", "iops")
    with pytest.warns(Untraced, match="iops"):
        derivation = explain(asked, scenario, KNOWLEDGE, other)
    root = derivation.root
    assert root is not None
    assert root.operation is Operation.LEAF
    assert root.value == derivation.quantity.value


def test_reads_left_by_files_in_memory_are_worked_out() -> None:
    vm = a_vm(users=900.0, ram_gib=32.0, mail_file_mb=40.0, buffer_pool_mb=2_048.0)
    scenario = a_scenario(vms=(vm,))
    derivation = explain(NumberRef("vms", "m1", "iops"), scenario, KNOWLEDGE, predict(scenario))
    paths = {each.source.path for each in derivation.inputs}
    assert {"ram_gib", "workload.mail_file_mb", "workload.buffer_pool_mb"} <= paths


def _is_given(root: Term) -> bool:
    """A leaf that says itself why there is no formula: nothing to wait for, switched off."""
    source = root.source
    return isinstance(source, Stated) and not source.why.startswith("the model’s own number")


@pytest.mark.parametrize("name", NAMES)
def test_displayed_terms_re_add_to_the_displayed_number(name: str) -> None:
    """Step by step by what is printed, and the last step to the digits that are shown."""
    for derivation in derivations(name):
        assert derivation.root is not None
        for term in derivation.root.walk():
            if term.operation is Operation.LEAF:
                continue
            digits = digits_needed(term)
            shown = [read(term_figure(each, digits)) for each in term.terms]
            again = applied(term.operation, shown)
            if digits < DIGITS:
                wanted = figure(term.value, digits=LEAST_DIGITS)
                assert figure(again, digits=LEAST_DIGITS) == wanted, term.label
                continue
            size = max([abs(each) for each in shown] if _cancels(term) else [abs(term.value)])
            assert again == pytest.approx(term.value, rel=2e-4, abs=1e-5 * size), term.label
        assert _as_shown(derivation, _again(derivation.root, decimals_of(derivation.quantity))), (
            derivation.asked
        )


def _cancels(term: Term) -> bool:
    return term.operation in (Operation.DIFFERENCE, Operation.SUM)


def _again(root: Term, decimals: int) -> float:
    """The number worked out from the displayed terms of its formula."""
    if root.operation is Operation.LEAF:
        return read(figure(root.value))
    digits = digits_needed(root, decimals)
    return applied(root.operation, [read(term_figure(each, digits)) for each in root.terms])


def _as_shown(derivation: Derivation, value: float) -> bool:
    decimals = decimals_of(derivation.quantity)
    wanted = derivation.quantity.value
    assert wanted is not None
    last_digit = 10.0**-decimals
    return abs(round(value, decimals) - round(wanted, decimals)) <= last_digit * 1.001 and (
        math.isclose(value, wanted, rel_tol=5e-3, abs_tol=1e-4)
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_more_digits_are_shown_than_re_adding_needs(name: str) -> None:
    """Most formulas do with three or four; what was worked out is shown with three."""
    needed = []
    for derivation in derivations(name):
        assert derivation.root is not None
        for term in derivation.root.walk():
            if term.operation is not Operation.LEAF:
                needed.append(digits_needed(term))
            if not is_given(term) and 0.001 < abs(term.value) < 1000:
                shown = value_words(term).split(THIN)[0].replace(",", "")
                digits = shown.lstrip("\N{MINUS SIGN}0.").replace(".", "")
                assert len(digits) <= LEAST_DIGITS, (term.label, shown)
    assert not needed or sum(each <= 4 for each in needed) >= 0.7 * len(needed)


def test_a_conversion_of_the_catalog_has_the_digits_of_what_is_worked_out() -> None:
    console = FromCatalog("hypervisors", "esx-4.0", "console_gib")
    assert value_words(leaf("service console", 272 / 1024, "GiB", source=console)) == (
        f"0.266{THIN}GiB"
    )


@pytest.mark.parametrize("name", NAMES)
def test_predicted_numbers_in_a_formula_are_the_ones_shown_elsewhere(name: str) -> None:
    scenario = ALL[name]
    prediction = predict(scenario)
    for derivation in derivations(name):
        assert derivation.root is not None
        for term in derivation.root.walk():
            source = term.source
            if not isinstance(source, Predicted) or source.gone:
                continue
            if source.field == "utilisation_pct" and term.unit == "IOPS":
                continue  # the pool's limit, which that number's own formula works out
            asked = NumberRef(source.table, source.subject, source.field)
            value = shown_quantity(asked, prediction).value
            if source.table == "failures" and value is None:
                continue
            if "added counts as over" in term.note:
                continue
            assert value == pytest.approx(term.value, rel=1e-9), (derivation.asked, term.label)


@pytest.mark.parametrize("name", NAMES)
def test_leaves_say_where_they_come_from(name: str) -> None:
    for derivation in derivations(name):
        assert derivation.root is not None
        for term in derivation.root.walk():
            if term.operation is Operation.LEAF:
                assert source_words(term.source, ALL[name], CATALOG), term.label
            else:
                assert formula_words(term)
                assert worked_words(term)
            assert term.label
            assert math.isfinite(term.value), (derivation.asked, term.label)


@pytest.mark.parametrize("name", NAMES)
def test_a_derivation_can_be_said_in_another_language(name: str) -> None:
    scenario = ALL[name]
    names = names_in(scenario)
    for derivation in derivations(name):
        assert derivation.root is not None
        told = [derivation.title, *derivation.interval, *derivation.missing]
        for term in derivation.root.walk():
            source = source_words(term.source, scenario, CATALOG)
            told += [term.label, term.unit, term.note, source, formula_words(term)]
        told += [each.origin.label for each in derivation.inputs]
        assert not [words for words in told if unsaid(words, names)], derivation.asked


def test_a_host_that_ha_leaves_out_is_no_survivor() -> None:
    """A physical server in a cluster is busier than the hosts that take VMs over."""
    base = a_cluster_of(3, vms=3, users=800.0)
    alone = a_host("h4", cluster="c1", server="ibm-x366", hypervisor="none", ram_gib=16.0)
    vm = a_vm("m4", users=3000.0, host="h4", pool=None, disk_mode=DiskMode.PHYSICAL, vcpus=4)
    scenario = replace(base, hosts=(*base.hosts, alone), vms=(*base.vms, vm))
    prediction = predict(scenario)
    for field in FAILURE_TERMS:
        asked = NumberRef("failures", "h1", field)
        derivation = explain(asked, scenario, KNOWLEDGE, prediction)
        assert derivation.root is not None
        assert derivation.root.operation is not Operation.LEAF, field
        assert derivation.root.value == pytest.approx(shown_quantity(asked, prediction).value)


def test_inputs_come_with_their_origin() -> None:
    scenario = a_scenario(name="origins")
    prediction = predict(scenario)
    asked = NumberRef("vms", "m1", "cpu_pct")
    derivation = explain(asked, scenario, KNOWLEDGE, prediction)
    inputs = {(each.source.subject, each.source.path): each for each in derivation.inputs}
    assert inputs["m1", "workload.active_users"].origin is Origin.MANUAL
    assert inputs["", "policy.benchmark_derating"].value == 1.0
    assert inputs["m1", "vcpus"].unit == "vCPUs"


def test_evidence_is_that_of_the_number_and_of_its_constants() -> None:
    scenario = a_scenario(name="evidence")
    prediction = predict(scenario)
    derivation = explain(NumberRef("vms", "m1", "iops"), scenario, KNOWLEDGE, prediction)
    assert set(derivation.quantity.evidence) <= set(derivation.evidence)
    assert any("inotes" in id for id in derivation.evidence), "the exponent of RAM"


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_number_says_what_it_leaves_out(name: str) -> None:
    for derivation in derivations(name):
        assert derivation.missing, derivation.asked


@pytest.mark.parametrize("name", NAMES)
def test_intervals_are_explained_where_there_are_any(name: str) -> None:
    for derivation in derivations(name):
        low, high = derivation.quantity.low, derivation.quantity.high
        assert derivation.interval, derivation.asked
        said = derivation.interval[0]
        alone = derivation.asked.field == "failure_cpu_pct"
        assert said.startswith("Of its parts the values alone") == alone
        assert said.startswith("Follows from the inputs") == (low == high and not alone)


def test_a_response_that_was_run_says_what_makes_it_transferred() -> None:
    """“This configuration was run” alone stood below “transferred”, and drives of another kind
    widened an interval without a word."""
    neighbours, drives = "Neighbours on its disks or cores add", "Not on drives as measured"
    migration = ALL["WV21 migration"]
    alone = replace(migration, vms=migration.vms[:1])
    few = replace(alone, pools=tuple(replace(pool, spindles=6) for pool in alone.pools))
    for scenario, why in ((migration, neighbours), (few, drives), (alone, "")):
        prediction = predict(scenario)
        asked = NumberRef("vms", scenario.vms[0].id, "response_ms")
        found = explain(asked, scenario, KNOWLEDGE, prediction)
        assert (found.quantity.basis is Basis.TRANSFERRED) is bool(why)
        told = [each for each in found.interval if each.startswith((neighbours, drives))]
        assert len(told) == bool(why)
        assert all(each.startswith(why) for each in told)


class TestDials:
    @pytest.mark.parametrize("name", ["WV21 migration", "stressed", "mixed"])
    def test_a_dial_leads_to_the_number_it_shows(self, name: str) -> None:
        scenario = ALL[name]
        prediction = predict(scenario)
        shown = {gauge.field: gauge for gauge in gauges(scenario, prediction)}
        peak = {
            "cpu_pct": scenario.policy.peak_factor_cpu,
            "iops": scenario.policy.peak_factor_iops,
        }
        for field in DIALS:
            derivation = explain(NumberRef("dials", "", field), scenario, KNOWLEDGE, prediction)
            value = derivation.quantity.value
            assert value is not None
            assert shown[field].quantity.value == pytest.approx(value * peak.get(field, 1.0))
            if field == FAILURE:
                assert shown[field].quantity == derivation.quantity

    def test_a_dial_without_a_number_says_why(self) -> None:
        scenario = a_scenario(name="alone")
        with pytest.raises(ModelError, match="down: 1,000 users"):
            behind_dial(FAILURE, scenario, predict(scenario))
        empty = a_scenario(name="empty", vms=(a_vm(powered_on=False),))
        with pytest.raises(ModelError, match="nothing runs yet"):
            behind_dial(FAILURE, empty, predict(empty))

    def test_vms_without_room_are_said_before_a_share_of_a_limit(self) -> None:
        tight = a_cluster_of(2, vms=2, ram_gib=60.0)
        prediction = predict(tight)
        asked = NumberRef("dials", "", FAILURE)
        found = explain(asked, tight, KNOWLEDGE, prediction)
        assert found.title.startswith("1 VM finds no room with H1 gone (M1); ")
        counted = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=2)
        several = replace(
            a_cluster_of(3, vms=3, ram_gib=30.0),
            clusters=(Cluster(id="c1", name="Mail", admission=counted),),
        )
        found = explain(asked, several, KNOWLEDGE, predict(several))
        assert found.title.startswith("1 VM finds no room with H1 and H2 gone (M2); ")
        assert found.root is not None
        assert found.root.value == pytest.approx(found.quantity.value)
        words = [term.label for term in found.root.walk()]
        assert "worst RAM with H1 and H2 gone" in words

    def test_of_losses_that_leave_as_much_the_one_is_explained_that_the_dial_names(self) -> None:
        """Any two hosts leave as much RAM."""
        base = a_cluster_of(4, vms=8, users=2000.0)
        busy = (a_vm("m1", 6890.0), a_vm("m2", 6890.0))
        dealt = [replace(vm, host=f"h{n // 2 + 1}") for n, vm in enumerate(base.vms)]
        counted = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=2)
        scenario = replace(
            base,
            clusters=(Cluster(id="c1", name="Mail", admission=counted),),
            hosts=tuple(replace(host, ram_gib=48.0) for host in base.hosts),
            vms=(*busy, *dealt[2:]),
        )
        prediction = predict(scenario)
        dial = gauges(scenario, prediction)[-1]
        gone = [scenario.host(id).name for id in (dial.subject, *dial.others)]
        asked = NumberRef("dials", "", FAILURE)
        root = explain(asked, scenario, KNOWLEDGE, prediction).root
        assert root is not None
        labels = [term.label for term in root.walk()]
        assert f"worst RAM with {gone[0]} and {gone[1]} gone" in labels

    def test_the_worst_after_a_failure_is_not_said_to_be_of_the_host_that_is_gone(self) -> None:
        pair = a_cluster_of(2, vms=1)
        asked = NumberRef("dials", "", FAILURE)
        root = explain(asked, pair, KNOWLEDGE, predict(pair)).root
        assert root is not None
        (term,) = (each for each in root.walk() if isinstance(each.source, Predicted))
        said = source_words(term.source, pair, CATALOG)
        assert said == "predicted: RAM of the survivors, with H1 gone"

    def test_the_vcpus_of_a_vm_on_slower_cores_are_worked_out_there(self) -> None:
        busy = a_vm(kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.6, iops=1.0)
        pair = a_cluster_of(2, vms=0)
        slower = replace(pair.hosts[1], server="intel-clovertown-whitebox", ram_gib=32.0)
        scenario = replace(pair, hosts=(pair.hosts[0], slower), vms=(busy,))
        found = explain(NumberRef("dials", "", FAILURE), scenario, KNOWLEDGE, predict(scenario))
        assert found.root is not None
        assert found.root.value == pytest.approx(found.quantity.value)
        terms = {each.label: each for each in found.root.walk()}
        worst = terms["worst CPU of M1 on H2 with H1 gone"]
        restarting = predict(scenario).headroom.restarting
        assert restarting is not None
        assert worst.value == pytest.approx(restarting.value)
        assert FromInput(Vm, "m1", "vcpus") in [each.source for each in worst.walk()]


class TestNoData:
    def test_no_data_has_a_reason_instead_of_a_formula(self) -> None:
        scenario = a_scenario(name="loose").place(["m1"], None)
        asked = NumberRef("vms", "m1", "response_ms")
        derivation = explain(asked, scenario, KNOWLEDGE, predict(scenario))
        assert derivation.root is None
        assert "stands on no host" in derivation.reason
        assert not derivation.interval
        assert not derivation.inputs

    def test_what_is_no_number_is_refused(self) -> None:
        scenario = a_scenario(name="none")
        prediction = predict(scenario)
        for asked in (
            NumberRef("vms", "m1", "colour"),
            NumberRef("tables", "m1", "cpu_pct"),
            NumberRef("vms", "m9", "cpu_pct"),
            NumberRef("failures", "h9", "cpu_pct"),
            NumberRef("dials", "", "colour"),
        ):
            with pytest.raises(ModelError):
                explain(asked, scenario, KNOWLEDGE, prediction)


class TestFailures:
    def test_who_restarts_where_is_said(self) -> None:
        scenario = a_cluster_of(2, vms=4)
        prediction = predict(scenario)
        asked = NumberRef("failures", "h1", "ram_pct")
        derivation = explain(asked, scenario, KNOWLEDGE, prediction)
        assert derivation.title == "RAM with H1 gone"
        assert derivation.root is not None
        assert derivation.root.note == "restarted: M1 on H2, M3 on H2"

    def test_numbers_after_a_failure_say_so(self) -> None:
        scenario = a_cluster_of(2, vms=4)
        asked = NumberRef("failures", "h1", "cpu_pct")
        derivation = explain(asked, scenario, KNOWLEDGE, predict(scenario))
        assert derivation.root is not None
        sources = [t.source for t in derivation.root.walk() if isinstance(t.source, Predicted)]
        assert sources
        assert {source.gone for source in sources} == {"h1"}
        said = [source_words(source, scenario, CATALOG) for source in sources]
        assert said[0].endswith("with H1 gone")


class TestWords:
    def test_formulas_by_name_and_by_value(self) -> None:
        scenario = a_scenario(name="words")
        asked = NumberRef("hosts", "h1", "vcpus_per_core")
        derivation = explain(asked, scenario, KNOWLEDGE, predict(scenario))
        root = derivation.root
        assert root is not None
        assert formula_words(root) == "vCPUs ÷ cores"
        assert worked_words(root) == "2 ÷ 8"
        assert value_words(root) == "0.25"
        assert value_words(root.terms[1]) == f"8{THIN}cores"
        assert derivation.title == "vCPUs per core of H1"

    def test_figures_follow_the_locale(self) -> None:
        assert figure(1234.5678, style=GERMAN) == "1.234,57"
        assert figure(-0.25) == "\N{MINUS SIGN}0.25"
        assert figure(0.0) == "0"

    def test_long_sums_are_cut_in_the_line_not_in_the_tree(self) -> None:
        scenario = a_cluster_of(1, vms=30)
        asked = NumberRef("pools", "p1", "iops")
        derivation = explain(asked, scenario, KNOWLEDGE, predict(scenario))
        assert derivation.root is not None
        assert worked_words(derivation.root).endswith("… 23 more")
        assert len(derivation.root.terms) == 30


@pytest.mark.parametrize("name", NAMES)
def test_a_formula_works_everything_out_once(name: str) -> None:
    for derivation in derivations(name):
        assert derivation.root is not None
        worked = [t for t in derivation.root.walk() if t.operation is not Operation.LEAF]
        assert len({(term.label, term.value) for term in worked}) == len(worked)
        above = {term.label for term in worked}
        repeated = [t for t in derivation.root.walk() if isinstance(t.source, Above)]
        assert {term.label for term in repeated} <= above


def test_operations() -> None:
    assert applied(Operation.POWER, [2.0, 3.0]) == 8.0
    assert applied(Operation.ROOT, [9.0]) == 3.0
    assert applied(Operation.EXP, [0.0]) == 1.0
    assert applied(Operation.GREATEST, [1.0, 2.0]) == 2.0
    assert np.isclose(applied(Operation.SUM, [0.1] * 10), 1.0)
    leaf = Term(label="x", value=1.0, source=Predicted("vms", "m1", "iops"))
    whole = Term(label="y", value=1.0, operation=Operation.SAME, terms=(leaf,))
    changed = without_host(whole, "h1").terms[0].source
    assert changed == Predicted("vms", "m1", "iops", gone="h1")


def test_what_the_worlds_hold() -> None:
    """The list above reaches every branch that it is there for."""
    kinds = {(vm.workload.kind, vm.disk_mode) for s in ALL.values() for vm in s.vms}
    assert {mode for _, mode in kinds} >= {DiskMode.VMFS, DiskMode.RDM, DiskMode.PHYSICAL}
    assert {kind for kind, _ in kinds} >= {WorkloadKind.GENERIC, WorkloadKind.DOMINO_INOTES}
    assert any(isinstance(item, Host) for s in ALL.values() for item in s.items())
