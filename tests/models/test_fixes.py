"""A fix mends what it says, trips no rule of its own, and is the smallest of its kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from models.check import check_scenario
from models.judgement.against_limits import NORMAL
from models.judgement.binding import distance_pct
from models.predict.prediction import Prediction, Severity, Verdict
from models.scenario.inputs import with_pin
from models.scenario.scenario import Host, Pool, Scenario, Vm
from models.scenario.wording import THIN
from models.scenario.workloads import WorkloadKind
from models.single_changes import changes
from models.single_changes.fixes import (
    ORDER_WORDS,
    RAM_STEPS_GIB,
    Fixes,
    Rank,
    fixes,
    troubles,
)
from tests.models.explain.terms import examples, worlds
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
    wv21,
)
from tests.sweeps import often


@cache
def found(scenario: Scenario) -> Fixes:
    return fixes(scenario, KNOWLEDGE, predict(scenario))


def tight_hosts() -> Scenario:
    """Two hosts that fit only as long as both are there."""
    scenario = a_cluster_of(2, vms=4, ram_gib=8.0, users=400.0)
    for id in ("h1", "h2"):
        scenario = scenario.edit(Host, id, lambda host: replace(host, ram_gib=24.0))
    return scenario


def few_drives() -> Scenario:
    scenario = a_cluster_of(2, vms=2, users=1500.0)
    return scenario.edit(Pool, "p1", lambda pool: replace(pool, spindles=4))


def reserved() -> Scenario:
    """The same with the memory of a VM reserved, which can't be less then."""
    scenario = tight_hosts()
    return scenario.edit(Vm, "m1", lambda vm: replace(vm, memory_reservation_gib=vm.ram_gib))


ALL = {
    scenario.name: scenario
    for scenario in (
        *examples(),
        *worlds(),
        replace(tight_hosts(), name="tight hosts"),
        replace(reserved(), name="reserved memory"),
        replace(few_drives(), name="few drives"),
    )
}
WRONG = [name for name, each in ALL.items() if predict(each).verdict is not Verdict.FITS]
SOME = (
    *(scenario.name for scenario in examples()),
    *("tight hosts", "reserved memory", "few drives", "mixed", "standby", "stressed"),
)


def objections(prediction: Prediction) -> set[tuple[str, str]]:
    return {
        (each.rule, each.subject)
        for each in prediction.findings
        if each.severity is not Severity.ADVICE
    }


@pytest.mark.parametrize("name", often(WRONG, SOME[::3]))
def test_every_fix_holds_when_it_is_made(name: str) -> None:
    before = predict(ALL[name])
    for fix in found(ALL[name]).found:
        check_scenario(fix.change.scenario, CATALOG)
        after = predict(fix.change.scenario)
        assert after.verdict is fix.verdict <= before.verdict
        assert objections(after) <= objections(before)
        worse = {k for k, code in troubles(after).items() if code > troubles(before).get(k, 0)}
        assert not worse
        assert fix.left == sum(troubles(after).values()) < sum(troubles(before).values())


@pytest.mark.parametrize("name", often(WRONG, SOME))
def test_fixes_stand_in_their_order(name: str) -> None:
    keys = [fix.key for fix in found(ALL[name]).found]
    assert keys == sorted(keys)


def test_a_vm_with_too_many_vcpus_to_be_powered_on_gets_fewer() -> None:
    best = found(a_scenario(vms=(a_vm(vcpus=12),))).best
    assert best is not None
    assert best.change.scenario.vm("m1").vcpus == 8
    assert best.verdict is Verdict.FITS


def test_some_of_these_can_be_mended() -> None:
    assert any(found(ALL[name]).best is not None for name in SOME[::3] if name in WRONG)


def test_the_smallest_amount_that_helps() -> None:
    """No smaller step of the same kind does as much."""
    scenario = tight_hosts()
    best = next(fix for fix in found(scenario).found if fix.rank is Rank.HOST_RAM)
    smaller = [step for step in RAM_STEPS_GIB if step < best.amount]
    for step in smaller:
        change = changes.host_ram(scenario, best.change.subjects, step)
        assert predict(change.scenario).verdict > best.verdict
    assert best.verdict is Verdict.FITS


def test_a_restart_on_slower_cores_is_mended_at_its_own_vm() -> None:
    """Less memory in another VM would make room on the other fast host, and is not offered."""
    base = a_cluster_of(3, vms=0)
    slow = a_host("h3", cluster="c1", server="intel-clovertown-whitebox", ram_gib=32.0)
    others = (a_vm(f"m{n}", 500.0, host=f"h{2 - n % 2}") for n in range(1, 6))
    narrow = a_vm("m6", 2000.0, host="h2", vcpus=1)
    fast = (replace(host, ram_gib=30.0) for host in base.hosts[:2])
    scenario = replace(base, hosts=(*fast, slow), vms=(*others, narrow))
    binding = predict(scenario).binding
    assert binding is not None
    assert binding.vm == "m6"
    fix = found(scenario).found[0]
    assert (fix.change.text, fix.verdict) == ("+1 vCPU for M6", Verdict.FITS)
    assert {each.rank for each in found(scenario).found} == {Rank.VCPUS}


def test_several_restarts_on_slower_cores_are_mended_together() -> None:
    base = a_cluster_of(2, vms=0)
    slow = a_host("h2", cluster="c1", server="intel-clovertown-whitebox", ram_gib=32.0)
    busy = a_vm("m1", kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.6, iops=1.0)
    pair = replace(base.with_item(slow), vms=(busy, replace(busy, id="m2", name="M2")))
    fix = found(pair).found[0]
    assert (fix.change.text, fix.verdict) == ("+1 vCPU for 2 VMs", Verdict.FITS)


def test_vcpus_that_are_nearest_their_limit_and_within_it_leave_other_changes_to_be_tried() -> None:
    """After a restart M1 is nearest to a limit, 42 of 70 % and 68 % at most; wrong is the number
    of drives."""
    base = a_cluster_of(2, vms=0)
    slow = a_host("h2", cluster="c1", server="intel-clovertown-whitebox", ram_gib=32.0)
    busy = a_vm("m1", kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.33, iops=1.0)
    few = replace(base.pools[0], array="ibm-ds4800", disk="sas-15k", raid="5", spindles=2)
    pair = replace(base.with_item(slow), pools=(few,), vms=(replace(busy, system_disk_gib=20.0),))
    prediction = predict(pair)
    assert prediction.verdict is Verdict.DOES_NOT_FIT
    assert prediction.binding is not None
    assert prediction.binding.own
    assert prediction.by_resource["cpu"] is Verdict.FITS
    assert any(each.rule == "raid-group" for each in prediction.findings)
    best = found(pair).best
    assert best is not None
    assert (best.rank, best.verdict) == (Rank.DRIVES, Verdict.FITS)


def test_drives_mend_a_busy_pool() -> None:
    fix = next(each for each in found(few_drives()).found if each.rank is Rank.DRIVES)
    assert fix.change.text.startswith("+")
    assert fix.change.text.endswith("drives in P1")
    assert fix.verdict is Verdict.FITS


def test_a_move_is_cheaper_than_anything_bought() -> None:
    scenario = a_scenario(
        hosts=(a_host("h1", ram_gib=16.0), a_host("h2", ram_gib=64.0)),
        vms=(a_vm("m1", users=300.0), a_vm("m2", users=300.0)),
    )
    best = found(scenario).best
    assert best is not None
    assert (best.rank, best.verdict) == (Rank.MOVE, Verdict.FITS)
    assert best.change.text == "Move M1 to H2"


def test_pinned_values_are_left_alone() -> None:
    scenario = wv21("clovertown", "vmfs", 14.5, 4000.0)
    free = found(scenario).best
    assert free is not None
    assert free.change.text == f"−1{THIN}GiB RAM for M1"
    pinned = scenario.edit(Vm, "m1", lambda vm: with_pin(vm, "ram_gib", pinned=True))
    best = found(pinned).best
    assert best is not None
    assert best.rank is Rank.HOST_RAM
    both = pinned.edit(Host, "h1", lambda host: with_pin(host, "ram_gib", pinned=True))
    assert all(fix.rank not in (Rank.VM_RAM, Rank.HOST_RAM) for fix in found(both).found)


def test_what_fits_needs_no_fix() -> None:
    assert found(a_scenario()) == Fixes((), 0)
    assert found(Scenario(name="empty")) == Fixes((), 0)


def test_it_can_be_given_up() -> None:
    class Enough(Exception):
        pass

    def stop() -> None:
        raise Enough

    scenario = tight_hosts()
    with pytest.raises(Enough):
        fixes(scenario, KNOWLEDGE, predict(scenario), check=stop)


def test_distances_are_per_cents_of_the_limit() -> None:
    prediction = predict(tight_hosts())
    binding = prediction.binding
    assert binding is not None
    assert binding.mode != NORMAL
    left = prediction.headroom.failure_pct
    assert left is not None
    assert distance_pct(binding) == pytest.approx(left)


def test_the_order_is_said() -> None:
    assert ORDER_WORDS.startswith("Smallest change first")
    assert [rank.name for rank in Rank] == [
        "MOVE",
        "VM_RAM",
        "VCPUS",
        "DRIVES",
        "HOST_RAM",
        "HOSTS",
    ]
