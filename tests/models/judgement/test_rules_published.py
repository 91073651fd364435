"""What findings about published statements say: which pair, which day, both sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.base.quantities import Basis
from models.judgement.platform_limits import beyond_published_load
from models.predict.demands import demands_of
from models.predict.prediction import Severity, Verdict
from models.scenario.scenario import Scenario
from models.stages import evaluated
from models.whatif import what_if
from tests.models.judgement.more_cases import on, one
from tests.models.worlds import KNOWLEDGE, found, predict, with_policy


@pytest.mark.parametrize(
    ("scenario", "severity", "words"),
    [
        (on("esx-3.0.1", one(release="7.0.2")), Severity.ADVICE, "statement of 2007"),
        (on("vsphere-4.0", one(release="8.5.1")), Severity.ADVICE, "a test of 2011"),
        (on("vsphere-8.0", one(release="8.5.1")), Severity.ADVICE, "no public statement"),
        (on("vsphere-8.0", one(release="14.5")), Severity.ADVICE, "no public statement"),
        (on("vsphere-8.0", one(release="7.0.2")), Severity.WARNING, "ended on 2011-04-30"),
    ],
)
def test_a_pair_is_said_with_what_is_known_of_it(
    scenario: Scenario, severity: Severity, words: str
) -> None:
    (finding,) = found(predict(scenario), "support-statement")
    assert finding.severity is severity
    assert words in finding.text


def test_several_servers_of_one_release_are_one_finding() -> None:
    base = one(release="8.5.1")
    like = replace(base.vms[0], id="m2", name="M2")
    other = replace(like, id="m3", name="M3", workload=replace(like.workload, release="8.5.3 FP6"))
    both = replace(base, vms=(*base.vms, like, other))
    (finding,) = found(predict(both), "support-statement")
    assert "M1, M2 and M3" in finding.text


def test_a_last_day_that_has_passed_is_said_otherwise_than_one_to_come() -> None:
    (past,) = found(predict(on("vsphere-7.0", one(release="8.5.1"))), "support-end")
    (future,) = found(predict(on("vsphere-8.0", one(release="8.5.1"))), "support-end")
    assert "ended on 2025-10-02" in past.text
    assert "ends on 2027-10-11" in future.text


def test_an_unknown_release_is_spoken_of_once() -> None:
    prediction = predict(one(release="newest"))
    assert found(prediction, "release-unknown")
    assert not found(prediction, "release-without-evidence")


def test_derated_users_are_compared_with_the_largest_load() -> None:
    scenario = with_policy(one(users=3505.0), benchmark_derating=2.0)
    (finding,) = found(predict(scenario), "beyond-published-load")
    assert "7,010 benchmark users" in finding.text
    numbers = evaluated(demands_of(scenario, KNOWLEDGE), scenario.policy)
    assert beyond_published_load(numbers).tolist() == [True]
    assert not found(predict(with_policy(scenario, benchmark_derating=1.9)), finding.rule)


def test_a_size_between_two_printed_ones_is_said_to_be_that() -> None:
    (printed,) = found(predict(one(users=1000.0, release="14.5")), "published-size")
    (between,) = found(predict(one(users=300.0, release="14.5")), "published-size")
    assert "its maker’s size for 1,000 users is 4 cores and 16 GB" in printed.text
    assert "300 users lie between its maker’s sizes, at 2.8 cores" in between.text


@pytest.mark.parametrize("rule", ["support-statement", "support-end"])
@pytest.mark.parametrize("release", ["6.5", "7.0.2", "8.5.1", "11.0.1"])
def test_sources_name_documents_not_fields(rule: str, release: str) -> None:
    for hypervisor in ("esx-3.0.1", "vsphere-4.0", "vsphere-8.0"):
        for finding in found(predict(on(hypervisor, one(release=release))), rule):
            assert "(end_of_support" not in finding.source
            assert "(hypervisors" not in finding.source


@pytest.mark.parametrize(("users", "beyond"), [(7008.0, False), (7009.0, True), (46_000.0, True)])
def test_beyond_every_published_load_nothing_fits(users: float, beyond: bool) -> None:
    scenario = one(users=users, vcpus=8, ram_gib=32.0)
    prediction = predict(scenario)
    bases = {
        prediction.vms.quantity("m1", name).basis for name in ("cpu_pct", "iops", "response_ms")
    }
    assert (bases == {Basis.EXTRAPOLATED}) is beyond
    assert bool(found(prediction, "beyond-published-load")) is beyond
    verdict = prediction.vms.verdict_of(0)
    assert verdict is not None
    assert (verdict >= Verdict.AT_RISK) is beyond
    if beyond:
        assert prediction.verdict >= Verdict.AT_RISK
    many = what_if(scenario, KNOWLEDGE, factor=[1.0])
    assert Verdict(many.verdict[0]) is prediction.verdict


@pytest.mark.parametrize(
    ("release", "known"), [("4.6", False), ("R5", False), ("6.5", True), ("14.5", True)]
)
def test_io_of_releases_that_nobody_counted_has_no_data(release: str, known: bool) -> None:
    prediction = predict(one(users=500.0, release=release))
    assert (prediction.vms.quantity("m1", "iops").value is not None) is known
    assert prediction.vms.quantity("m1", "cpu_pct").value is not None
