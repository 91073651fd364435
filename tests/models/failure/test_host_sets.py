"""Clusters that tolerate several host failures: by demand, against the study and played through."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.explain.derivation import explain
from models.failure.host_sets import MOST_SETS, host_sets, most_tried
from models.failure.mode import ModeKind
from models.judgement.binding import deciding
from models.judgement.gauges import gauges
from models.judgement.host_sets import Several
from models.physics.estimates import Sources
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import demands_of, vm_stage
from models.predict.predicted import FAILURE, NumberRef
from models.predict.prediction import Prediction, Verdict
from models.resilience.study import FailureStudy, study_failures
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    RestartPriority,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind
from models.stages import several_gone, undisturbed
from models.whatif import what_if
from tests.chance import dear
from tests.models.failure.designs import a_design
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    predict,
)


def tolerating(failures: int, id: str = "c1", name: str = "Mail") -> Cluster:
    counted = AdmissionPolicy.HOST_FAILURES
    return Cluster(id=id, name=name, admission=Admission(policy=counted, host_failures=failures))


def of_three(ram_gib: float, *, failures: int) -> Scenario:
    """Three hosts of 72 GiB, a VM on each."""
    base = a_cluster_of(3, vms=3, ram_gib=ram_gib, users=500.0)
    return replace(base, clusters=(tolerating(failures),))


JUDGED = (ModeKind.HOST, ModeKind.SEVERAL)


def several_of(scenario: Scenario) -> Several | None:
    vm = demands_of(scenario, KNOWLEDGE)
    return several_gone(undisturbed(vm, scenario.policy))


def test_two_dead_hosts_that_do_not_fit_are_a_risk_where_two_are_tolerated() -> None:
    one, two = (predict(of_three(30.0, failures=count)) for count in (1, 2))
    assert one.verdict is Verdict.FITS
    assert not found(one, "n-plus-k")
    assert two.verdict is Verdict.AT_RISK
    assert two.sentence.startswith("At risk: with H1 and H2 gone, 1 VM finds no room, ")
    (finding,) = found(two, "n-plus-k")
    assert finding.subject == "c1"
    assert finding.text.startswith("Mail tolerates 2 host failures by its policy, but with H1 and ")
    assert finding.text.endswith("3 of 3 sets of hosts don’t fit.")
    assert not found(two, "n-plus-one")
    assert two.binding == one.binding
    assert not one.together
    (mode,) = two.together
    assert (mode.id, mode.mode.hosts, mode.host) == ("hosts h1, h2", ("h1", "h2"), "")
    assert (mode.verdict, len(mode.not_restarted)) == (Verdict.DOES_NOT_FIT, 1)
    assert mode.ram_pct.value is not None
    studied = study_failures(of_three(30.0, failures=2), KNOWLEDGE).of("hosts h1, h2")
    assert studied is not None
    assert (studied.mode.kind, studied.mode.subject) == (ModeKind.SEVERAL, "c1")
    assert (studied.verdict, studied.ram_pct, studied.cpu_pct) == (
        mode.verdict,
        mode.ram_pct,
        mode.cpu_pct,
    )


def test_a_row_of_several_hosts_judges_the_vcpus_of_vms_as_that_of_one_host_does() -> None:
    base = of_three(8.0, failures=2)
    busy = Workload(kind=WorkloadKind.GENERIC, cpu_mhz=2800.0)
    scenario = replace(base, vms=(*base.vms[:2], replace(base.vms[2], vcpus=1, workload=busy)))
    prediction = predict(scenario)
    (mode,) = prediction.together
    assert {each.verdict for each in prediction.failures} == {Verdict.DOES_NOT_FIT}
    assert mode.verdict is Verdict.DOES_NOT_FIT
    studied = study_failures(scenario, KNOWLEDGE).of(mode.id)
    assert studied is not None
    assert studied.verdict is mode.verdict


def test_the_headroom_of_failures_is_that_of_the_worst_loss_tolerated() -> None:
    one, two = (of_three(20.0, failures=count) for count in (1, 2))
    left = [predict(each).headroom.failure_pct for each in (one, two)]
    assert left[0] is not None
    assert left[1] is not None
    assert left[1] < left[0]
    dial = gauges(two, predict(two))[-1]
    assert dial.quantity.value == left[1]
    assert (dial.subject, dial.others) == ("h1", ("h2",))
    for scenario, pct in zip((one, two), left, strict=True):
        found = what_if(scenario, KNOWLEDGE, factor=[1.0, 1.0])
        assert found.failure_headroom_pct.tolist() == pytest.approx([pct, pct])


def test_the_dial_counts_the_vms_of_the_loss_that_strands_most() -> None:
    tight = replace(a_cluster_of(3, vms=6, ram_gib=26.0, users=500.0), clusters=(tolerating(2),))
    prediction = predict(tight)
    assert len(prediction.failures[0].not_restarted) == 2
    headroom = prediction.headroom
    assert (headroom.stranded, headroom.stranding, headroom.together) == (4, "h1", ("h1", "h2"))
    dial = gauges(tight, prediction)[-1]
    assert (dial.note, dial.others) == ("hosts h1, h2", ("h2",))
    assert prediction.binding is not None
    assert prediction.binding.stranded == 2


def test_the_least_headroom_is_that_of_a_row() -> None:
    """Another loss than the worst by verdict or response may leave least: it has a row then."""
    chance, apart, together = random.Random(3), 0, 0
    for _ in range(80):
        base = a_design(chance, mixed=True)
        prediction = predict(replace(base, clusters=(tolerating(2),)))
        dial = gauges(base, prediction)[-1]
        apart += len(prediction.together) > 1
        if len(prediction.together) > 1:
            study = study_failures(
                replace(base, clusters=(tolerating(2),)), KNOWLEDGE, which=JUDGED
            )
            studied = [study.of(mode.id) for mode in prediction.together]
            assert [each and each.verdict for each in studied] == [
                mode.verdict for mode in prediction.together
            ]
        if dial.stranded or prediction.headroom.failure_pct is None:
            continue
        gone = (dial.subject, *dial.others)
        rows = (*prediction.failures, *prediction.together)
        row = next(each for each in rows if each.mode.hosts == gone)
        shares = [
            quantity.value / limit
            for quantity, limit in ((row.cpu_pct, 70.0), (row.ram_pct, 100.0))
            if quantity.value is not None
        ]
        left = 100 * (1 - max(shares))
        if prediction.headroom.restarting is None:
            assert prediction.headroom.failure_pct == pytest.approx(left)
        else:
            assert prediction.headroom.failure_pct <= left
            assert prediction.headroom.restarting.mode == row.id
            together += row.mode.kind is ModeKind.SEVERAL
            asked = min(prediction.headroom.restarting.value, 100.0)
            assert asked == pytest.approx(
                _of_restart(replace(base, clusters=(tolerating(2),)), prediction)
            )
    assert apart
    assert together


def _of_restart(scenario: Scenario, prediction: Prediction) -> float:
    """What the VM that is named runs at on the host that is named [% of its vCPUs]."""
    named = prediction.headroom.restarting
    assert named is not None
    there = predict(scenario.place([named.vm], named.host))
    row = there.vms.index(named.vm)
    return float(there.vms.cpu_pct.value[row])


def test_where_vms_find_no_room_name_and_numbers_are_of_one_loss() -> None:
    chance, apart = random.Random(3), 0
    for _ in range(80):
        base = a_design(chance, mixed=True)
        vms = tuple(replace(vm, ram_gib=2 * vm.ram_gib) for vm in base.vms)
        tight = replace(base, vms=vms, clusters=(tolerating(chance.choice([1, 2])),))
        prediction = predict(tight)
        headroom, dial = prediction.headroom, gauges(tight, prediction)[-1]
        if not headroom.stranded:
            assert headroom.stranding_pct is None
            continue
        gone = (dial.subject, *dial.others)
        rows = (*prediction.failures, *prediction.together)
        row = next(each for each in rows if each.mode.hosts == gone)
        assert len(row.not_restarted) == dial.stranded
        lost = tight.host(dial.subject).ram_gib
        assert lost is not None
        least = 100 + 100 * row.shortfall.ram_gib / lost
        shares = [least / 100, (row.ram_pct.value or 0.0) / 100, (row.cpu_pct.value or 0.0) / 70]
        assert dial.load is not None
        assert dial.load == pytest.approx(max(shares))
        assert headroom.failure_pct is not None
        apart += 100 * (1 - dial.load) > headroom.failure_pct + 1
        why = explain(NumberRef("dials", "", FAILURE), tight, KNOWLEDGE, prediction)
        names = [tight.host(id).name for id in gone]
        assert why.root is not None
        assert any(f"with {' and '.join(names)} gone" in term.label for term in why.root.walk())
    assert apart


def test_what_a_loss_of_several_passes_is_named_and_advised_on_as_of_one() -> None:
    """What is over its limit by most, and more vCPUs only where nothing else is over."""
    chance, advised = random.Random(5), 0
    for _ in range(80):
        base = a_design(chance, mixed=True)
        prediction = predict(replace(base, clusters=(tolerating(2),)))
        for finding in found(prediction, "n-plus-k"):
            worst = prediction.together[0]
            if finding.fix.startswith("Give"):
                advised += 1
                assert not worst.shortfall.cpu_ghz
                assert not worst.shortfall.ram_gib
    assert advised


def test_what_may_fail_is_said_of_no_more_than_was_looked_at() -> None:
    assert "; any 2 hosts of Mail may fail at once." in predict(of_three(8.0, failures=2)).sentence
    assert "at once" not in predict(of_three(8.0, failures=1)).sentence
    many = replace(a_cluster_of(24, vms=2, ram_gib=8.0), clusters=(tolerating(2),))
    said = "2 hosts of Mail may fail at once in 190 of 276 sets, others were not tried"
    assert said in predict(many).sentence


def test_more_failures_than_hosts_lose_all_of_them() -> None:
    prediction = predict(of_three(8.0, failures=5))
    assert "with H1, H2 and H3 gone, 3 VMs find no room" in prediction.sentence


def test_only_policies_that_count_failures_tolerate_several() -> None:
    for policy, several in ((AdmissionPolicy.PERCENTAGE, True), (AdmissionPolicy.DEDICATED, False)):
        admission = Admission(policy=policy, host_failures=2)
        scenario = replace(
            of_three(30.0, failures=2),
            clusters=(Cluster(id="c1", name="Mail", admission=admission),),
        )
        assert (several_of(scenario) is not None) is several
    assert several_of(of_three(30.0, failures=1)) is None
    assert several_of(replace(of_three(30.0, failures=2), hosts=(a_host("h1"),), vms=())) is None


def test_a_number_that_may_pass_its_limit_after_several_failures_is_said() -> None:
    base = of_three(8.0, failures=2)
    busy = tuple(a_vm(f"m{n}", 8000.0, host=f"h{n}", vcpus=8) for n in (1, 2, 3))
    prediction = predict(replace(base, vms=busy))
    sentence = prediction.sentence
    assert "; with H1 and H2 gone, CPU of the survivors is about 43" in sentence
    assert " but may reach 83" in sentence
    (finding,) = found(prediction, "n-plus-k")
    assert finding.text.startswith("Mail tolerates 2 host failures by its policy, but with H1 and ")
    assert finding.text.endswith("% but may reach 83\u202f%.")


def test_what_has_no_data_fits_after_no_failure() -> None:
    base = of_three(8.0, failures=2)
    blank = [a_vm(f"m{n}", host=f"h{n}", vcpus=2, kind=WorkloadKind.GENERIC) for n in (1, 2, 3)]
    prediction = predict(replace(base, vms=tuple(blank)))
    assert prediction.verdict is Verdict.AT_RISK
    words = "what has no data could take the CPU of the survivors over its limit"
    assert prediction.sentence.startswith(f"At risk: with H1 and H2 gone, {words}.")
    (finding,) = found(prediction, "n-plus-k")
    assert finding.text.endswith(f"but with H1 and H2 gone {words}.")
    assert finding.fix.startswith("Measure what has no data")
    assert deciding(prediction) is finding
    more = [replace(vm, vcpus=3) for vm in blank]
    of_one = "with H1 gone, what has no data could take the CPU of H2 over its limit"
    assert predict(replace(base, vms=tuple(more))).sentence.startswith(
        f"At risk: {of_one}; with H1 and H2 gone, {words}."
    )


def test_what_has_no_data_puts_at_risk_beside_what_restarts_there() -> None:
    """Half of H3 may be taken by what has no data, which alone is within the limit; with what
    restarts there it may be past it, and so it is of no single failure."""
    base = of_three(4.0, failures=2)
    blank = a_vm("m3", host="h3", vcpus=4, kind=WorkloadKind.GENERIC)
    mail = [a_vm(f"m{n}", 4500.0, host=f"h{n}", vcpus=4, ram_gib=4.0) for n in (1, 2)]
    prediction = predict(replace(base, vms=(*mail, blank)))
    assert prediction.verdict is Verdict.AT_RISK
    assert prediction.sentence.startswith("At risk: with H1 and H2 gone, CPU of the survivors is ")
    (mode, *_) = prediction.together
    assert mode.verdict is Verdict.AT_RISK


def test_vms_without_room_are_counted_where_another_host_lacks_memory_by_more() -> None:
    sizes = {"h1": 16.0, "h2": 32.0, "h3": 8.0}
    hosts = tuple(a_host(id, cluster="c1", ram_gib=gib) for id, gib in sizes.items())
    vms = [a_vm("m1", 100.0, ram_gib=1.0), a_vm("m2", 100.0, host="h2", ram_gib=16.5)]
    full = a_vm("m9", 100.0, host="h3", ram_gib=7.5, restart_priority=RestartPriority.DISABLED)
    more = replace(full, id="m8", ram_gib=7.0)
    prediction = predict(replace(a_cluster_of(3, vms=0), hosts=hosts, vms=(*vms, full, more)))
    stranded = {mode.host: len(mode.not_restarted) for mode in prediction.failures}
    assert stranded == {"h1": 0, "h2": 1, "h3": 0}
    assert (prediction.headroom.stranded, prediction.headroom.stranding) == (1, "h2")


@pytest.mark.parametrize(("size", "count"), [(20, 2), (21, 2), (64, 2), (32, 4), (32, 31), (5, 5)])
def test_as_many_hosts_are_tried_as_the_most_sets_allow(size: int, count: int) -> None:
    most = most_tried(size, count)
    assert comb(most, count) <= MOST_SETS
    assert most == size or comb(most + 1, count) > MOST_SETS


def test_of_a_large_cluster_the_largest_and_the_most_loaded_hosts_are_tried() -> None:
    """The four that stand out come last by their ids, where nothing else would have them tried."""
    base = replace(a_cluster_of(24, vms=24, users=10.0), clusters=(tolerating(2),))
    for change in (
        replace(base.host("h6"), server="r740-6148"),
        replace(base.host("h7"), ram_gib=96.0),
        a_vm("m8", 4000.0, host="h8", ram_gib=4.0),
        a_vm("m9", 10.0, host="h9", ram_gib=40.0),
    ):
        base = base.with_item(change)
    arrays = to_arrays(base, CATALOG)
    normal = undisturbed(
        vm_stage(arrays, base.policy.derating, KNOWLEDGE, Sources()),
        base.policy,
    )
    sets = host_sets(arrays, normal.host.loads)
    assert sets is not None
    assert len(sets.cluster) == comb(20, 2)
    members = [arrays.hosts.ids[host] for host in arrays.hosts.members[0].tolist()]
    assert members[20:] == ["h6", "h7", "h8", "h9"]
    lost = {members[column] for column in np.logical_or.reduce(sets.gone).nonzero()[0].tolist()}
    assert len(lost) == 20
    assert {"h6", "h7", "h8", "h9"} <= lost


@st.composite
def worlds(draw: st.DrawFn) -> Scenario:
    """A cluster of three to five unlike hosts that tolerates two, and one that tolerates one."""
    machines = [("nehalem-ept", "vsphere-4.1"), ("intel-clovertown-whitebox", "vsphere-4.0")]
    hosts = []
    for n in range(draw(st.integers(3, 6))):
        server, release = draw(st.sampled_from(machines))
        cluster = "c1" if n < 3 else draw(st.sampled_from(["c1", "c2"]))
        ram = draw(st.sampled_from([16.0, 32.0]))
        hosts.append(
            a_host(f"h{n}", server=server, hypervisor=release, ram_gib=ram, cluster=cluster,
                   ft_logging_gbps=1.0)
        )  # fmt: skip

    def vm(n: int) -> Vm:
        return a_vm(
            f"m{n}",
            draw(st.sampled_from([0.0, 1000.0, 4000.0])),
            host=draw(st.sampled_from([None, *(host.id for host in hosts)])),
            vcpus=draw(st.sampled_from([1, 2])),
            ram_gib=draw(st.sampled_from([2.0, 6.0, 12.0])),
            fault_tolerance=draw(st.booleans()),
            restart_priority=draw(st.sampled_from(list(RestartPriority))),
        )

    return a_scenario(
        clusters=(tolerating(2), tolerating(1, "c2", "Other")),
        hosts=tuple(hosts),
        pools=(a_pool(),),
        vms=tuple(vm(n) for n in range(draw(st.integers(0, 8)))),
    )


@dear()
@given(worlds())
def test_every_pair_is_what_the_study_says_of_it(scenario: Scenario) -> None:
    several = several_of(scenario)
    assert several is not None
    pairs: FailureStudy = study_failures(scenario, KNOWLEDGE, which=(ModeKind.TWO_HOSTS,))
    table, arrays = several.table, several.table.inputs.arrays
    ids = [host.id for host in scenario.hosts if host.cluster == "c1"]
    assert len(table.ids) == comb(len(ids), 2)
    seen = set()
    for row, lost in enumerate(several.sets.gone):
        gone = {arrays.hosts.ids[host] for host in arrays.hosts.members[0][lost].tolist()}
        seen.add(frozenset(gone))
        mode = next(each for each in pairs if set(each.mode.hosts) == gone)
        assert table.judged[row] == (mode.verdict is not None)
        if mode.verdict is None:
            continue
        assert table.inputs.failover.short_gib[row] == pytest.approx(mode.shortfall.ram_gib)
        assert table.cpu_short_ghz[row] == pytest.approx(mode.shortfall.cpu_ghz)
        assert several.codes[row] <= mode.verdict
        if mode.ram_pct.value is not None:
            assert table.ram_pct[row] == pytest.approx(mode.ram_pct.value)
        stranded = table.inputs.failover.moved_mode[table.inputs.failover.stranded()]
        assert (stranded == row).sum() == len(mode.not_restarted)
    assert seen == {frozenset(pair) for pair in combinations(ids, 2)}
    assert (predict(scenario).verdict >= Verdict.AT_RISK) or not several.some_doubtful
