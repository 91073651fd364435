"""Every rule: a scenario that trips it and one that doesn't; and what fixes promise."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.language import Language
from models.base.quantities import Basis
from models.base.texts import said
from models.judgement.judging_inputs import DENSEST
from models.judgement.rulebook import POLICY, RULES, names
from models.judgement.rules import MOST_PER_RULE, findings
from models.predict.prediction import Severity, Verdict
from models.resilience.domino_members import member_capacities
from models.scenario.scenario import (
    Affinity,
    Assumptions,
    DiskMode,
    Scenario,
)
from models.scenario.wording import GERMAN
from models.scenario.workloads import WorkloadKind
from models.whatif import what_if
from resources.translation_files import load_messages
from tests.models.judgement.cases import (
    CASES,
    FT_PAIR,
    KIND,
    ON_X366,
    SAMETIME,
    X366_64,
    busy_pool,
    ft,
    rules_of,
    vm,
)
from tests.models.judgement.more_cases import on
from tests.models.worlds import (
    CALIBRATION,
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    predict,
    with_policy,
    wv21,
)
from tests.sweeps import some

ELSEWHERE = {"no-spec-rate"}
"""Tested where a catalog of its own is needed (`test_evaluate`)."""


@pytest.mark.parametrize(
    ("rule", "tripping", "clean"),
    [(rule, *pair) for rule, pairs in CASES.items() for pair in pairs],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_rule_speaks_when_it_should_and_only_then(
    rule: str, tripping: Scenario, clean: Scenario
) -> None:
    spoken = found(predict(tripping), rule)
    assert spoken
    assert not found(predict(clean), rule)
    ids = {item.id for item in tripping.items()} | {""}
    for finding in spoken:
        assert finding.subject in ids
        assert finding.text.endswith(".")
        assert finding.fix.endswith(".")
        assert finding.source
        assert not re.search(r"\bnan\b", finding.text)


def test_every_rule_is_tested() -> None:
    assert set(CASES) | ELSEWHERE == set(RULES)
    assert all(pairs for pairs in CASES.values())
    assert len(RULES) >= 30


@pytest.mark.parametrize("rule", some(sorted(CASES)))
def test_every_rule_can_be_waived_with_a_reason(rule: str) -> None:
    """Every finding of it then carries the reason; numbers and verdict stay."""
    tripping = CASES[rule][0][0]
    before = predict(tripping)
    waived = tripping
    for subject in {finding.subject for finding in found(before, rule)}:
        waived = waived.waive(rule, subject, f"We know of {rule}")
    after = predict(waived)
    assert {finding.waived for finding in found(after, rule)} == {f"We know of {rule}"}
    assert not any(finding.waived for finding in after.findings if finding.rule != rule)
    assert [replace(finding, waived="") for finding in after.findings] == list(before.findings)
    assert (after.verdict, after.failures) == (before.verdict, before.failures)


SECTION = re.compile(
    r"https?://|“.+”|\bpp?\. \d|\bfigure \d|\btable \d|technotes? \d|KB \d|, \S.+|: \S.+"
)
"""An address, a quoted section, a page, or what follows the document's name."""


@pytest.mark.parametrize("rule", sorted(CASES))
def test_every_rule_names_document_and_section_or_an_address(rule: str) -> None:
    for tripping, _ in CASES[rule]:
        for finding in found(predict(tripping), rule):
            assert SECTION.search(finding.source), finding.source
            assert not finding.source.startswith(POLICY), finding.source
            assert len(finding.source) < 600, "the source of this rule, not of a whole entry"


def test_memory_short_of_a_limit_below_all_of_it_names_the_limit() -> None:
    scenario = vm(ram_gib=40.0)
    tight = replace(scenario, policy=replace(scenario.policy, memory_overcommit=0.5))
    (finding,) = found(predict(tight), "ram-over-limit")
    assert finding.text.endswith("of what it has, limit 50 %.")
    (short,) = re.findall(r"lacks (\d+) GiB", finding.text)
    assert f"Add {short} GiB" in finding.fix


@pytest.mark.parametrize("reconnect_s", [60.0, 600.0])
def test_logins_are_a_storm_where_they_take_all_spare_vcpus_too_long(reconnect_s: float) -> None:
    """Work of the logins over what mail leaves of the vCPUs, against 180 s or the storm itself."""
    users, login_actions = 4000.0, 5.0
    cores = (predict(vm(users=users)).vms.cpu_pct.value[0] / 100) * 2
    work = login_actions * CALIBRATION.law.think_time_ms / 1000 * cores
    most = login_actions * max(180.0, reconnect_s) * (2 - cores) / work
    for actions, is_storm in ((0.99 * most, False), (1.01 * most, True)):
        given = Assumptions(login_actions=actions, reconnect_s=reconnect_s)
        said = found(predict(replace(vm(users=users), assumptions=given)), "reconnect-storm")
        assert bool(said) == is_storm


def test_disks_are_an_error_where_they_could_not_do_it_at_all() -> None:
    """Above the limit of 70 % a warning, above all of them at peak an error."""
    said = {}
    for peak in (1.0, 1.5):
        (finding,) = found(
            predict(with_policy(busy_pool(5), peak_factor_iops=peak)), "pool-utilisation"
        )
        said[peak] = finding.severity
    assert said == {1.0: Severity.WARNING, 1.5: Severity.ERROR}


def test_findings_are_errors_first_and_sorted() -> None:
    prediction = predict(vm(vcpus=9, users=50_000.0, release="9.0.1"))
    severities = [finding.severity for finding in prediction.findings]
    assert severities == sorted(severities, key=list(Severity).index)
    assert {Severity.ERROR, Severity.WARNING, Severity.ADVICE} <= set(severities)


def test_an_error_never_stands_beside_a_clean_verdict() -> None:
    prediction = predict(ft(100.0, vcpus=2))
    assert prediction.verdict.label == "does not fit"
    (finding,) = [f for f in prediction.findings if f.severity is Severity.ERROR]
    assert prediction.sentence.startswith(f"Does not fit: {finding.text}".removesuffix("."))


def test_a_waived_finding_stays_with_its_reason_and_changes_no_verdict() -> None:
    tripping = ft(100.0, vcpus=2)
    before = predict(tripping)
    waived = predict(tripping.waive("ft-single-vcpu", "m1", "Upgraded before it goes live"))
    (finding,) = [f for f in waived.findings if f.severity is Severity.ERROR]
    assert finding.waived == "Upgraded before it goes live"
    assert [replace(f, waived="") for f in waived.findings] == list(before.findings)
    assert waived.verdict is before.verdict
    assert "at most 1 vCPU (waived)" in waived.sentence


def test_fault_tolerance_on_a_physical_server_is_one_error() -> None:
    bare = on("none", ft(9000.0, gbps=None, ram_gib=70.0, disk_mode=DiskMode.PHYSICAL))
    said = [f for f in predict(bare).findings if f.rule.startswith("ft-")]
    assert [f.text for f in said] == [
        "M1 has Fault Tolerance, which a physical server does not have."
    ]
    assert not found(predict(bare), "reserved-share")


@pytest.mark.parametrize("release", [h.id for h in CATALOG.hypervisors.values() if h.ft_max_vcpus])
def test_nothing_of_a_protected_vm_was_measured(release: str) -> None:
    """No release protects as many vCPUs as ran on its very hypervisor."""
    for vcpus in (1, 2, 4):
        if vcpus > CATALOG.hypervisors[release].ft_max_vcpus:
            continue
        vms = predict(on(release, ft(4000.0, vcpus=vcpus))).vms
        for field in ("cpu_pct", "response_ms"):
            assert vms.quantity("m1", field).basis >= Basis.TRANSFERRED


def test_a_secondary_reserves_as_much_on_its_host() -> None:
    scenario = ft(100.0, ram_gib=40.0)
    (other,) = [host.id for host in scenario.hosts if host.id != scenario.vms[0].host]
    beside = a_vm("m2", host=other, ram_gib=28.0, memory_reservation_gib=28.0)
    full = found(predict(replace(scenario, vms=(*scenario.vms, beside))), "reserved-share")
    assert [finding.subject for finding in full] == [other]


def test_users_of_a_lost_server_go_to_whomever_it_names() -> None:
    """In the partner's mode, the members' table and the rule alike."""
    one_way = replace(
        FT_PAIR,
        vms=(
            a_vm("m1", 3000.0, ram_gib=16.0, cluster_partners=("m2",)),
            a_vm("m2", 3000.0, ram_gib=16.0, host="h2"),
        ),
    )
    (finding,) = found(predict(one_way), "partner-capacity")
    assert (finding.subject, "6,000 users" in finding.text) == ("m2", True)
    (member,) = member_capacities(one_way, KNOWLEDGE)
    assert (member.vm, member.in_failover, member.lost) == ("m1", 3000.0, "")


def test_what_nobody_answers_for_leads_before_what_somebody_does() -> None:
    scenario = ft(100.0, vcpus=2).with_item(a_vm("m0", vcpus=2, fault_tolerance=True, host="h1"))
    waived = predict(scenario.waive("ft-single-vcpu", "m0", "A typing error"))
    assert waived.sentence.startswith("Does not fit: M1 has Fault Tolerance")
    assert "one more finding is an error" in waived.sentence


def test_a_waiver_of_something_else_waives_nothing() -> None:
    waived = predict(vm(vcpus=9).waive("vm-maximum", "", "Never mind"))
    assert not any(finding.waived for finding in waived.findings)


def test_a_number_over_its_limit_leads_before_an_error() -> None:
    prediction = predict(ft(50_000.0, vcpus=2))
    assert "limit 1,000" in prediction.sentence
    assert "error" in prediction.sentence


REFUSED = {
    "vCPUs of a VM": (vm(vcpus=9), "vm-maximum"),
    "RAM of a VM": (
        with_policy(vm(ram_gib=300.0), memory_overcommit=4.0),
        "vm-maximum",
    ),
    "RAM of its machine": (
        with_policy(wv21("x366", "physical", 40.0, 1000.0), memory_overcommit=4.0),
        "ram-over-host",
    ),
    "RAM of Fault Tolerance": (
        with_policy(vm(ram_gib=80.0, vcpus=1, fault_tolerance=True), memory_overcommit=2.0),
        "reservation-over-host",
    ),
    "logical processors": (X366_64.with_item(replace(ON_X366, vcpus=9)), "vcpus-over-host"),
    "64-bit guest": (X366_64.with_item(ON_X366), "guest-64-without-vt"),
    "path to its disks": (vm(disk_mode=DiskMode.VSAN), "storage-path"),
    "CPU reservation": (vm(cpu_reservation_mhz=30_000.0), "reservation-over-host"),
    "no host": (vm(host=None, vcpus=64), "no-host-can-run"),
    "no processor": (X366_64.with_item(replace(ON_X366, host=None)), "no-host-can-run"),
    "must-rules": (
        replace(
            a_cluster_of(2, vms=1),
            affinity=tuple(
                Affinity(id=f"a{n}", kind=KIND.MUST_RUN_ON, vms=("m1",), hosts=(f"h{n}",))
                for n in (1, 2)
            ),
        ),
        "affinity-contradictory",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_powered_on_does_not_fit(case: str) -> None:
    scenario, rule = REFUSED[case]
    prediction = predict(scenario)
    assert prediction.verdict.label == "does not fit"
    assert prediction.vms.verdict_of(0) is Verdict.DOES_NOT_FIT
    binding = prediction.binding
    assert binding is not None
    assert (binding.subject, binding.resource, binding.mode) == ("m1", "power_on", "normal")
    assert binding.rule in {f.rule for f in prediction.findings if f.subject == "m1"}
    assert rule in {f.rule for f in prediction.findings}
    (first, *_) = [f for f in prediction.findings if f.rule == binding.rule]
    assert prediction.sentence.startswith(f"Does not fit: {first.text}".removesuffix("."))
    assert what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict.tolist() == [3]
    off = replace(scenario, vms=(replace(scenario.vms[0], powered_on=False),))
    assert predict(off).verdict.label != "does not fit"


def test_a_vm_that_some_host_could_run_is_only_not_placed() -> None:
    prediction = predict(vm(host=None))
    assert prediction.verdict.label == "at risk"
    assert not found(prediction, "no-host-can-run")


def test_more_ram_than_the_host_has_is_swapped_where_the_policy_takes_that() -> None:
    prediction = predict(with_policy(vm(ram_gib=80.0), memory_overcommit=2.0))
    assert found(prediction, "ram-over-host")
    assert prediction.verdict.label == "at risk"


@pytest.mark.parametrize("users", [50_001.0, 50_000.0])
def test_sametime_is_known_to_work_up_to_what_was_run(users: float) -> None:
    base = vm(users=users, ram_gib=4.0, **SAMETIME)
    mux = a_vm("x1", 0.0, ram_gib=2.0, kind=WorkloadKind.SAMETIME_MUX, release="7.5.1")
    prediction = predict(base.with_item(mux))
    (finding,) = [f for f in found(prediction, "sametime-no-data") if f.subject == "m1"]
    assert finding.severity is (Severity.ADVICE if users <= 50_000 else Severity.WARNING)
    assert "at most 50,000 users with at least 2 vCPU and 4\u202fGiB" in finding.fix
    assert "measure a pilot at the login peak" in finding.fix


def test_the_fix_of_too_little_memory_does_not_trip_the_next_rule() -> None:
    tight = vm(ram_gib=80.0)
    (finding,) = found(predict(tight), "ram-over-limit")
    assert finding.fix.startswith("Add ")
    added = float(finding.fix.split()[1])
    fixed = tight.with_item(replace(tight.hosts[0], ram_gib=tight.hosts[0].ram_gib + added))
    assert not found(predict(fixed), "ram-over-limit")
    assert not found(predict(fixed), "host-maximum")
    full = tight.with_item(replace(tight.hosts[0], ram_gib=144.0)).with_item(a_vm(ram_gib=200.0))
    (finding,) = found(predict(full), "ram-over-limit")
    assert finding.fix == "Move VMs to another host."


def test_space_short_by_is_what_it_takes() -> None:
    tight = vm(registered_users=150_000.0, system_disk_gib=0.0)
    (finding,) = found(predict(tight), "pool-capacity")
    assert finding.severity is Severity.ERROR
    assert "Find room for" in finding.fix


def test_many_unplaced_vms_share_one_finding() -> None:
    scenario = a_scenario(vms=tuple(a_vm(f"m{n}", host=None) for n in range(60)))
    (finding,) = found(predict(scenario), "unplaced")
    assert finding.text == "60 VMs have no host: M0, M1, M10 and 57 more."


def test_a_rule_that_trips_everywhere_stops_somewhere() -> None:
    scenario = a_scenario(vms=tuple(a_vm(f"m{n}", memory_limit_gib=1.0) for n in range(300)))
    spoken = found(predict(scenario), "memory-limit")
    assert len(spoken) == MOST_PER_RULE + 1
    (more,) = [f.text for f in spoken if not f.subject]
    assert more == "More than 200 items trip this rule; the others are not listed."
    german = Language("de", load_messages("de"), GERMAN)
    assert said(more, german) == (
        "Die Regel trifft auf mehr als 200 Objekte zu; die übrigen sind nicht aufgeführt."
    )


def test_names_are_shortened() -> None:
    assert names(["a"]) == "a"
    assert names(["a", "b", "c"]) == "a, b and c"
    assert names([]) == ""


def test_rules_are_plain_functions() -> None:
    check: Callable[..., object] = findings
    assert callable(check)
    assert all(id == id.lower() and " " not in id for id in RULES)


@pytest.mark.parametrize("overcommit", [0.6, 1.0, 1.5])
def test_a_physical_server_has_the_memory_that_is_installed_to_spare(overcommit: float) -> None:
    for ram_gib, spare in ((35.0, True), (37.0, False)):
        server = a_scenario(
            hosts=(a_host(hypervisor="none"),),
            pools=(a_pool(spindles=4),),
            vms=(a_vm(users=8000.0, ram_gib=ram_gib, disk_mode=DiskMode.PHYSICAL),),
        )
        prediction = predict(with_policy(server, memory_overcommit=overcommit))
        assert bool(found(prediction, "ram-before-spindles")) == spare


def test_what_stands_in_a_finding_is_german_too() -> None:
    german = Language("de", load_messages("de"), GERMAN)
    broken = predict(rules_of(KIND.MUST_RUN_ON, ("h1", "h2"), ("h1",)))
    reserved = predict(a_scenario(vms=(a_vm(ram_gib=70.0, memory_reservation_gib=70.0),)))
    (rule,), (memory,) = found(broken, "affinity-broken"), found(reserved, "reserved-share")
    assert "die Regel „muss laufen auf“" in said(rule.text, german)
    assert said(memory.text, german).endswith("% Arbeitsspeicher.")


def test_the_densest_run_is_that_of_the_evidence() -> None:
    assert max(run.users / run.ram_gib for run in CALIBRATION.runs) == DENSEST
