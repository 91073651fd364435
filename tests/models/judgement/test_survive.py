"""Losses that the policy wants survived decide the verdict, others stand beside it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from db.prediction import prediction_to_json
from models.failure.mode import ModeKind
from models.outages import Losses, codes_of_copies
from models.predict.demands import demands_of
from models.predict.prediction import Verdict
from models.resilience.mode_words import worst_beyond_verdict
from models.resilience.modes import decides
from models.resilience.study import FailureStudy, study_failures
from models.scenario.scenario import (
    BY_CLUSTER,
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Assumptions,
    Cluster,
    LoadBasis,
    Loss,
    Posture,
    Profile,
    Scenario,
)
from models.scenario.workloads import WorkloadKind
from models.stages import undisturbed, with_failures
from models.whatif import what_if
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_pool,
    a_vm,
    found,
    members,
    predict,
    with_policy,
)

COUNTED = Admission(policy=AdmissionPolicy.HOST_FAILURES)
PAIR = members(2, 2700.0, vcpus=1, ram_gib=16.0)
"""Each stays below its limit; with the other lost it has 5,400 users on one vCPU."""


def roomy(hosts: int, admission: Admission) -> Scenario:
    """Each host is half full of memory: none takes two others' VMs, or any where it is tight."""
    return replace(
        a_cluster_of(hosts, vms=hosts, users=100.0, ram_gib=40.0),
        clusters=(Cluster(id="c1", name="Mail", admission=admission),),
    )


def study(scenario: Scenario, *kinds: ModeKind) -> FailureStudy:
    return study_failures(scenario, KNOWLEDGE, which=kinds)


class TestPartners:
    def test_a_pair_that_can_not_lose_a_member_does_not_fit(self) -> None:
        prediction = predict(PAIR)
        assert prediction.verdict is Verdict.AT_RISK
        assert prediction.by_resource["cpu"] is Verdict.AT_RISK
        assert prediction.binding is not None
        assert (prediction.binding.subject, prediction.binding.mode) == ("m2", "partner m1")
        assert prediction.binding.value == pytest.approx(2 * 2700 * 0.01437, rel=0.02)
        assert prediction.sentence.startswith("At risk: with M1 gone, CPU of M2 would reach")

    def test_it_fits_where_nobody_asks_for_that(self) -> None:
        for survive in ((), (Loss.CONTROLLER,), (Loss.GROUP,)):
            assert predict(with_policy(PAIR, survive=survive)).verdict is Verdict.FITS

    def test_a_pair_with_twice_the_room_fits(self) -> None:
        assert predict(members(2, 1000.0, vcpus=2, ram_gib=16.0)).verdict is Verdict.FITS

    def test_a_server_without_a_partner_that_runs_leaves_its_users(self) -> None:
        lonely = PAIR.with_item(replace(PAIR.vms[1], powered_on=False))
        prediction = predict(lonely)
        assert prediction.verdict is Verdict.AT_RISK
        assert "with M1 gone, its 2,700 users have no server" in prediction.sentence

    @pytest.mark.parametrize(("count", "users"), list(product((2, 3, 5), (900.0, 2300.0, 4100.0))))
    def test_the_study_of_failures_says_the_same(self, count: int, users: float) -> None:
        """The screening of all losses at once leaves none out that the study has."""
        scenario = with_policy(
            members(count, users, vcpus=1, ram_gib=16.0), survive=(Loss.PARTNER,)
        )
        normal = undisturbed(demands_of(scenario, KNOWLEDGE), scenario.policy)
        numbers = with_failures(normal)
        codes = study(scenario, ModeKind.PARTNER, ModeKind.NORMAL).columns.codes
        worse = max(codes) > codes[-1] or max(codes) > predict(scenario).normal
        assert bool(Losses(scenario, normal, numbers).outages()) is bool(worse)
        codes = codes_of_copies(scenario, normal, numbers, 1)
        assert bool(codes[0]) is bool(worse)


WEIGHTY = {
    "largest published load": (
        members(2, 4000.0, vcpus=8, ram_gib=24.0),
        "with M1 gone, M2 is to carry 8,000 benchmark users; the largest load ever published",
        {"cpu", "response"},
    ),
    "largest published load, in production": (
        with_policy(
            members(2, 900.0, vcpus=8, ram_gib=30.0, profile=Profile.MAIL, registered_users=900.0),
            load_basis=LoadBasis.PRODUCTION,
            posture=Posture.AGGRESSIVE,
            cpu_limit_pct=95.0,
            response_limit_ms=1e5,
        ),
        "with M1 gone, M2 is to carry 7,200 benchmark users; the largest load ever published",
        {"cpu", "response"},
    ),
    "what was tested in failover": (
        with_policy(members(2, 2400.0, vcpus=2, ram_gib=16.0), cpu_limit_pct=95.0),
        "with M1 gone, M2 would have 4,800 benchmark users; 4,000 in failover were tested",
        {"cpu"},
    ),
}
"""Pairs of which a member alone is well and can't be vouched for with the users of both."""


class TestWeights:
    @pytest.mark.parametrize("case", WEIGHTY)
    def test_what_the_survivor_trips_puts_at_risk(self, case: str) -> None:
        scenario, said, resources = WEIGHTY[case]
        prediction = predict(scenario)
        assert prediction.normal is Verdict.FITS
        assert prediction.verdict is Verdict.AT_RISK
        assert prediction.sentence.startswith(f"At risk: {said}")
        assert {k for k, v in prediction.by_resource.items() if v} == resources
        (outage,) = prediction.outages
        assert (outage.loss, set(outage.resources)) == (Loss.PARTNER, resources)
        assert predict(with_policy(scenario, survive=())).verdict is Verdict.FITS
        codes = what_if(scenario, KNOWLEDGE, factor=[1.0, 0.5]).verdict.tolist()
        assert codes == [Verdict.AT_RISK, Verdict.FITS]
        if case != "what was tested in failover":
            of_partners = study(scenario, ModeKind.PARTNER)
            assert {mode.verdict for mode in of_partners} == {Verdict.AT_RISK}

    def test_what_nobody_saw_of_the_survivor_is_not_known(self) -> None:
        """4,800 users in 6 GiB: more to a gigabyte than in any run, where 2,400 are not."""
        scenario = members(2, 2400.0, vcpus=4, ram_gib=6.0)
        prediction = predict(scenario)
        assert prediction.normal is Verdict.FITS
        assert prediction.verdict is Verdict.NOT_KNOWN
        assert "loss of a cluster partner not known for M1" in prediction.sentence
        resources = {k for k, v in prediction.by_resource.items() if v is Verdict.NOT_KNOWN}
        assert resources == {"cpu", "response"}
        assert what_if(scenario, KNOWLEDGE, factor=[1.0, 0.5]).verdict.tolist() == [1, 0]
        assert predict(with_policy(scenario, survive=())).verdict is Verdict.FITS


class TestControllers:
    TIGHT = replace(
        a_cluster_of(3, vms=6, kind=WorkloadKind.GENERIC, cpu_mhz=500.0, iops=1300.0),
        pools=(a_pool(spindles=168),),
    )
    """7,800 IO/s on an array that carries 15,000 with both controllers."""

    def test_a_pool_that_can_not_lose_one_is_at_risk(self) -> None:
        alone = predict(with_policy(self.TIGHT, survive=()))
        prediction = predict(with_policy(self.TIGHT, survive=(Loss.CONTROLLER,)))
        assert (alone.verdict, prediction.verdict) == (Verdict.FITS, Verdict.AT_RISK)
        assert "a controller of P1 gone" in prediction.sentence
        assert [mode["mode"] for mode in prediction_to_json(prediction)["failures"]][-1] == (
            "controller p1"
        )
        assert worst_beyond_verdict(study(self.TIGHT, ModeKind.NORMAL, ModeKind.CONTROLLER)) is None

    def test_an_array_with_one_controller_can_not_lose_it(self) -> None:
        small = replace(a_cluster_of(2, vms=2), assumptions=Assumptions(array_controllers=1))
        assert predict(small).verdict is Verdict.AT_RISK
        assert predict(with_policy(small, survive=())).verdict is Verdict.FITS

    def test_without_a_figure_of_the_controllers_it_is_not_known(self) -> None:
        silent = next(id for id, array in CATALOG.arrays.items() if array.ceiling_iops is None)
        scenario = replace(
            a_cluster_of(2, vms=2), pools=(a_pool(array=silent), a_pool("p2", array=silent))
        )
        prediction = predict(scenario)
        assert prediction.verdict is prediction.by_resource["iops"] is Verdict.NOT_KNOWN
        assert prediction.normal is Verdict.FITS
        assert "loss of a controller not known for P1;" in prediction.sentence
        last = prediction_to_json(prediction)["failures"][-1]
        assert (last["mode"], last["verdict"]) == ("controller p1", "not known")
        ram = np.full((1, 2), scenario.vms[0].ram_gib)
        varied = what_if(scenario, KNOWLEDGE, ram_gib=ram)
        assert varied.verdict.tolist() == [Verdict.NOT_KNOWN]
        for other in (
            with_policy(scenario, survive=(Loss.PARTNER,)),
            replace(scenario, pools=(a_pool(), a_pool("p2", array=silent))),
        ):
            assert predict(other).verdict is Verdict.FITS


class TestHosts:
    FULL = a_cluster_of(2, vms=2, users=100.0, ram_gib=40.0)

    @pytest.mark.parametrize(
        ("admission", "survive", "verdict"),
        [
            (Admission(), BY_CLUSTER, Verdict.FITS),
            (COUNTED, BY_CLUSTER, Verdict.AT_RISK),
            (replace(COUNTED, host_failures=0), BY_CLUSTER, Verdict.FITS),
            (Admission(), (Loss.HOST,), Verdict.AT_RISK),
            (COUNTED, (Loss.PARTNER,), Verdict.FITS),
            (COUNTED, (), Verdict.FITS),
        ],
    )
    def test_hosts_decide_where_the_policy_or_admission_control_says_so(
        self, admission: Admission, survive: tuple[Loss, ...], verdict: Verdict
    ) -> None:
        cluster = Cluster(id="c1", name="Mail", admission=admission)
        scenario = with_policy(replace(self.FULL, clusters=(cluster,)), survive=survive)
        prediction = predict(scenario)
        assert prediction.verdict is verdict
        assert "any one host may fail" not in prediction.sentence
        modes = study(scenario, ModeKind.HOST)
        assert [decides(mode, scenario) for mode in modes.modes] == [verdict is Verdict.AT_RISK] * 2
        beside = worst_beyond_verdict(study(scenario, ModeKind.NORMAL, ModeKind.HOST))
        assert (beside is None) is (verdict is Verdict.AT_RISK)

    @pytest.mark.parametrize("ram_gib", [8.0, 40.0])
    def test_of_groups_a_batch_says_the_same(self, ram_gib: float) -> None:
        base = a_cluster_of(4, vms=4, users=100.0, ram_gib=ram_gib)
        hosts = tuple(
            replace(host, failure_group=f"rack {row // 2}") for row, host in enumerate(base.hosts)
        )
        scenario = with_policy(replace(base, hosts=hosts), survive=(Loss.GROUP,))
        prediction = predict(scenario)
        assert prediction.verdict is (Verdict.AT_RISK if ram_gib > 30.0 else Verdict.FITS)
        assert (prediction.by_resource["ram"] is Verdict.AT_RISK) is (ram_gib > 30.0)
        codes = what_if(scenario, KNOWLEDGE, factor=[1.0, 1.0]).verdict.tolist()
        assert codes == [prediction.verdict] * 2

    def test_a_group_decides_where_it_is_asked_for(self) -> None:
        hosts = tuple(
            replace(host, failure_group="Rack" if host.id != "h3" else None)
            for host in roomy(3, COUNTED).hosts
        )
        scenario = replace(roomy(3, Admission()), hosts=hosts)
        assert predict(scenario).verdict is Verdict.FITS
        asked = predict(with_policy(scenario, survive=(Loss.GROUP,)))
        assert asked.verdict is Verdict.AT_RISK
        assert "with group Rack gone" in asked.sentence


class TestAdmission:
    def test_what_it_refuses_puts_at_risk_and_says_so(self) -> None:
        """Two hosts of 23,464 MHz take seven slots of 3,000 each; nine VMs run."""
        scenario = replace(
            a_cluster_of(2, vms=9, users=10.0, ram_gib=4.0),
            clusters=(Cluster(id="c1", name="Mail", admission=COUNTED),),
        )
        assert predict(scenario).verdict is Verdict.FITS
        tight = scenario.with_item(replace(scenario.vms[0], cpu_reservation_mhz=3000.0))
        prediction = predict(tight)
        assert prediction.verdict is Verdict.AT_RISK
        assert "any one host may fail" not in prediction.sentence
        assert "admission control refuses more VMs: " in prediction.sentence


class TestSets:
    @pytest.mark.parametrize(("size", "failures", "rule"), [(26, 3, 3), (22, 4, 2), (30, 2, 2)])
    def test_the_hosts_of_a_must_rule_are_among_those_tried(
        self, size: int, failures: int, rule: int
    ) -> None:
        """The hosts of the rule are the smallest and least loaded: nothing else has them tried."""
        base = a_cluster_of(size, vms=size, users=10.0, ram_gib=4.0)
        admission = replace(COUNTED, host_failures=failures)
        named = tuple(f"h{n}" for n in range(size - rule + 1, size + 1))
        hosts = [replace(host, ram_gib=40.0) if host.id in named else host for host in base.hosts]
        last = a_vm("licensed", 10.0, host=named[0], ram_gib=4.0)
        must = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("licensed",), hosts=named)
        scenario = replace(
            base,
            clusters=(Cluster(id="c1", name="Mail", admission=admission),),
            hosts=tuple(hosts),
            vms=(*base.vms, last),
        )
        free = predict(scenario)
        assert free.verdict is Verdict.FITS
        assert f"{failures} hosts of Mail may fail at once in" in free.sentence
        prediction = predict(replace(scenario, affinity=(must,)))
        assert prediction.verdict is Verdict.AT_RISK
        (finding,) = found(prediction, "n-plus-k")
        assert "1 VM finds no room" in finding.text
        worst = prediction.together[0]
        assert set(named) <= set(worst.mode.hosts)
        assert worst.stranded == ["licensed"]
