"""A sweep is the model asked again and again, and nothing else; resources find their bottleneck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import models.studies.sweep
from models.base.errors import ModelError
from models.check import check_scenario
from models.judgement.gauges import gauges
from models.predict.predicted import DIALS, FAILURE, limit_of
from models.predict.prediction import Verdict
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    Host,
    Pool,
    Scenario,
    Vm,
    active_users,
)
from models.scenario.workloads import WorkloadKind
from models.single_changes.changes import spread
from models.studies.bottleneck import bottleneck, nearest_failing, resource_loads
from models.studies.sweep import (
    ALL_CHAT,
    ALL_USERS,
    HOST_COUNT,
    STEPS,
    SweepInput,
    SweepOutput,
    read,
    sweep,
    sweep_inputs,
    sweep_outputs,
    value_range,
    varied,
)
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
    with_policy,
)

SCENARIO = a_cluster_of(2, vms=4)
SELECTED = ("m1", "h1", "p1", "c1")


def an_input(path: str, subject: str = "", scenario: Scenario = SCENARIO) -> SweepInput:
    found = [each for each in sweep_inputs(scenario, SELECTED) if each.key == (subject, path)]
    assert len(found) == 1
    return found[0]


def an_output(field: str, subject: str = "", scenario: Scenario = SCENARIO) -> SweepOutput:
    outputs = sweep_outputs(scenario, SELECTED)
    return next(each for each in outputs if (each.subject, each.field) == (subject, field))


class TestInputs:
    def test_all_numbers_of_the_selection_and_the_policy_are_offered(self) -> None:
        keys = {each.key for each in sweep_inputs(SCENARIO, SELECTED)}
        assert keys >= {
            ("", ALL_USERS),
            ("", HOST_COUNT),
            ("m1", "workload.active_users"),
            ("m1", "ram_gib"),
            ("m1", "vcpus"),
            ("h1", "ram_gib"),
            ("p1", "spindles"),
            ("", "policy.benchmark_derating"),
        }
        assert ("m2", "ram_gib") not in keys
        assert not any(path in ("host", "name", "fault_tolerance") for _, path in keys)

    def test_a_number_that_names_a_kind_is_not_offered(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", guest_bits=64),))
        assert ("m1", "guest_bits") not in {each.key for each in sweep_inputs(scenario, ["m1"])}

    def test_they_are_named_with_their_item_and_unit(self) -> None:
        assert an_input("ram_gib", "m1").label == "M1: RAM"
        assert an_input("ram_gib", "h1").unit == "GiB"
        assert an_input("policy.cpu_limit_pct").label == "CPU limit"

    @pytest.mark.parametrize(
        "each", sweep_inputs(SCENARIO, SELECTED), ids=lambda each: f"{each.subject}{each.path}"
    )
    def test_every_one_can_be_varied(self, each: SweepInput) -> None:
        other = each.value + 1 if each.is_whole else each.value * 1.01 + 0.01
        if each.limit.broken(other) is not None:
            other = each.value - (1 if each.is_whole else 0.01 * each.value)
        after = varied(SCENARIO, each, other)
        check_scenario(after, CATALOG)
        assert after != SCENARIO
        assert varied(SCENARIO, each, each.value) == SCENARIO

    def test_what_cannot_be_is_refused(self) -> None:
        for each, value in (
            (an_input("ram_gib", "m1"), 0.0),
            (an_input("policy.cpu_limit_pct"), 101.0),
            (an_input(HOST_COUNT), 1.0),
        ):
            with pytest.raises(ModelError):
                varied(SCENARIO, each, value)

    @pytest.mark.parametrize(
        ("subject", "path"), [("", ALL_USERS), ("m1", "workload.active_users")]
    )
    def test_registered_users_follow(self, subject: str, path: str) -> None:
        vm = a_vm("m1", users=1000.0, registered_users=2500.0)
        scenario = a_scenario(vms=(vm,))
        of = next(i for i in sweep_inputs(scenario, ["m1"]) if i.key == (subject, path))
        work = varied(scenario, of, 2000.0).vm("m1").workload
        assert (work.active_users, work.registered_users) == (2000.0, 5000.0)

    def test_all_users_grow_in_proportion(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", users=1000.0), a_vm("m2", users=3000.0)))
        after = varied(scenario, an_input(ALL_USERS, scenario=scenario), 8000.0)
        assert [vm.workload.active_users for vm in after.vms] == [2000.0, 6000.0]

    def test_a_long_history_of_other_edits_is_not_played_through(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Users of one VM after the other went down: no proportion leads from one to the next."""
        scenario = a_scenario(vms=tuple(a_vm(f"m{n}", users=4000.0) for n in range(20)))
        earlier = [scenario]
        for vm in scenario.vms:
            work = replace(vm.workload, active_users=3900.0)
            earlier.insert(0, earlier[0].with_item(replace(vm, workload=work)))
        tried: list[float] = []

        def counted(vms: Sequence[Vm], users: float) -> tuple[Vm, ...]:
            tried.append(users)
            return spread(vms, users)

        monkeypatch.setattr(models.studies.sweep, "spread", counted)
        of = sweep_inputs(earlier[5], (), earlier[6:])[0]
        assert (of.like, tried) == (earlier[5].vms, [])
        of = sweep_inputs(earlier[0], (), earlier[1:])[0]
        assert (of.like, tried) == (scenario.vms, [78000.0])

    def test_users_that_went_down_come_back_whole(self) -> None:
        vms = tuple(a_vm(f"m{n}", users=4000.0) for n in range(6))
        began = a_scenario(vms=vms)
        fewer = varied(began, an_input(ALL_USERS, scenario=began), 5800.0)
        of = sweep_inputs(fewer, (), (began,))[0]
        assert (of.path, of.value) == (ALL_USERS, 5800.0)
        for each in range(100, 10_000, 100):
            after = varied(fewer, of, 6.0 * each)
            assert {vm.workload.active_users for vm in after.vms} == {float(each)}

    @pytest.mark.parametrize("total", [1.0, 7.0, 1000.0, 4001.0, 7777.0])
    def test_no_user_comes_in_parts(self, total: float) -> None:
        work = {"registered_users": 2500.0}
        vms = (a_vm("m1", 1000.0, **work), a_vm("m2", 3000.0), a_vm("m3", 3.0))
        scenario = a_scenario(vms=vms)
        after = varied(scenario, an_input(ALL_USERS, scenario=scenario), total)
        found = [vm.workload.active_users for vm in after.vms]
        assert all(users.is_integer() for users in found)
        assert sum(found) == total
        shares = [vm.workload.active_users * total / 4003.0 for vm in vms]
        assert all(abs(users - share) < 1.0 for users, share in zip(found, shares, strict=True))

    def test_users_of_multiplexers_are_those_behind_them(self) -> None:
        kinds = (WorkloadKind.SAMETIME_COMMUNITY, WorkloadKind.SAMETIME_MUX)
        vms = tuple(
            a_vm(f"{kind}-{n}", 500.0, kind=kind, release="7.5.1") for kind in kinds for n in (1, 2)
        )
        scenario = a_scenario(vms=(*vms, a_vm("m1", 1000.0)))
        after = varied(scenario, an_input(ALL_CHAT, scenario=scenario), 1501.0)
        assert active_users(after.vms) == (1000.0, 1501.0)
        for kind in kinds:
            users = [vm.workload.active_users for vm in after.vms if vm.workload.kind is kind]
            assert sum(users) == 1501.0

    def test_mail_and_chat_are_varied_apart(self) -> None:
        chat = a_vm("c1", 500.0, kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1")
        both = a_scenario(vms=(a_vm("m1", 1000.0), chat))
        found = {each.path: each for each in sweep_inputs(both, [])}
        assert (found[ALL_USERS].value, found[ALL_CHAT].value) == (1000.0, 500.0)
        assert found[ALL_USERS].label == "Mail users of all VMs"
        more = varied(both, found[ALL_USERS], 2000.0)
        assert active_users(more.vms) == (2000.0, 500.0)
        for alone in (a_vm("m1", 1000.0), chat):
            paths = {each.path for each in sweep_inputs(a_scenario(vms=(alone,)), [])}
            assert ALL_USERS in paths
            assert ALL_CHAT not in paths

    def test_todays_users_stay_what_they_are(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", 1000.4), a_vm("m2", 0.0)))
        of = an_input(ALL_USERS, scenario=scenario)
        assert value_range(of)[0] == 1000.4
        assert varied(scenario, of, 1000.4) == scenario

    def test_a_vm_that_nobody_used_yet_gets_users(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", 0.0),))
        of = an_input("workload.active_users", "m1", scenario)
        assert varied(scenario, of, 70.0).vm("m1").workload.active_users == 70.0

    @pytest.mark.parametrize(
        ("subject", "path"), [("", ALL_USERS), ("m1", "workload.active_users")]
    )
    def test_users_come_back_from_nobody_as_they_were(self, subject: str, path: str) -> None:
        vms = (a_vm("m1", 1000.0, registered_users=2500.0), a_vm("m2", 3000.0))
        began = a_scenario(vms=vms if path == ALL_USERS else vms[:1])
        (of,) = [i for i in sweep_inputs(began, ["m1"]) if i.key == (subject, path)]
        nobody = varied(began, of, 0.0)
        assert (active_users(nobody.vms).mail, nobody.vm("m1").workload.registered_users) == (0, 0)
        renamed = nobody.edit(Vm, "m1", lambda vm: replace(vm, name="Mail"))
        found = {each.key: each for each in sweep_inputs(renamed, ["m1"], (nobody, began))}
        back = found[subject, path]
        assert back.value == 0.0
        assert value_range(back)[[0, -1]].tolist() == [0.0, 2 * of.value]
        assert varied(renamed, back, 0.0) == renamed
        named = began.edit(Vm, "m1", lambda vm: replace(vm, name="Mail"))
        assert varied(renamed, back, of.value) == named

    def test_of_vms_that_nobody_ever_used_no_users_are_offered(self) -> None:
        nobody = a_scenario(vms=(a_vm("m1", 0.0),))
        of_kind = a_scenario(vms=(a_vm("m1", 9.0, kind=WorkloadKind.SAMETIME_COMMUNITY),))
        for earlier in ((), (nobody,), (of_kind,)):
            keys = {each.key for each in sweep_inputs(nobody, [], earlier)}
            assert ("", ALL_USERS) not in keys

    def test_hosts_are_added_empty(self) -> None:
        after = varied(SCENARIO, an_input(HOST_COUNT), 5.0)
        assert len(after.hosts) == 5
        assert all(not after.vms_on(host.id) for host in after.hosts[2:])

    def test_hosts_that_were_added_can_be_taken_away(self) -> None:
        more = varied(SCENARIO, an_input(HOST_COUNT), 5.0)
        of = an_input(HOST_COUNT, scenario=more)
        assert of.value == 5.0
        assert varied(more, of, 3.0) == varied(SCENARIO, an_input(HOST_COUNT), 3.0)
        assert varied(more, of, 2.0) == SCENARIO
        with pytest.raises(ModelError, match="2 of these hosts carry VMs or are named"):
            varied(more, of, 1.0)

    def test_hosts_that_something_names_stay(self) -> None:
        more = varied(SCENARIO, an_input(HOST_COUNT), 5.0)
        first, second, third = (host.id for host in more.hosts[2:])
        standing_by = Admission(policy=AdmissionPolicy.DEDICATED, failover_host=first)
        rule = Affinity(id="r", kind=AffinityKind.SHOULD_RUN_ON, vms=("m1",), hosts=(second,))
        named = replace(
            more,
            clusters=(replace(more.clusters[0], admission=standing_by),),
            affinity=(rule,),
        )
        of = an_input(HOST_COUNT, scenario=named)
        assert varied(named, of, 4.0) == named.without([third])
        with pytest.raises(ModelError, match="4 of these hosts"):
            varied(named, of, 3.0)

    def test_hosts_of_another_kind_are_never_taken_for_them(self) -> None:
        """However many there are of each, it is those that more VMs stand on."""
        others = tuple(a_host(f"x{n}") for n in range(3))
        mixed = replace(SCENARIO, hosts=(*others, *SCENARIO.hosts))
        of = an_input(HOST_COUNT, scenario=mixed)
        assert of.value == 2.0
        more = varied(mixed, of, 6.0)
        assert an_input(HOST_COUNT, scenario=more).value == 6.0
        assert varied(more, an_input(HOST_COUNT, scenario=more), 2.0) == mixed


class TestRange:
    def test_from_today_to_twice_that_in_eleven_steps(self) -> None:
        values = value_range(an_input("workload.active_users", "m1"))
        assert len(values) == STEPS == 11
        assert (values[0], values[-1]) == (1000.0, 2000.0)
        assert np.allclose(np.diff(values), 100.0)

    def test_whole_ones_stay_whole_and_single(self) -> None:
        assert value_range(an_input("vcpus", "m1")).tolist() == [2.0, 3.0, 4.0]
        assert value_range(an_input(HOST_COUNT)).tolist() == [float(n) for n in range(2, 13)]

    def test_another_range(self) -> None:
        values = value_range(an_input("ram_gib", "m1"), first=4.0, last=6.0, steps=3)
        assert values.tolist() == [4.0, 5.0, 6.0]

    def test_what_can_be_no_greater_comes_up_to_today(self) -> None:
        full = with_policy(SCENARIO, cpu_limit_pct=100.0)
        values = value_range(an_input("policy.cpu_limit_pct", scenario=full))
        assert values[[0, -1]].tolist() == [50.0, 100.0]
        near = with_policy(SCENARIO, cpu_limit_pct=80.0)
        values = value_range(an_input("policy.cpu_limit_pct", scenario=near))
        assert values[[0, -1]].tolist() == [80.0, 100.0]

    def test_nothing_goes_up_to_one(self) -> None:
        zero = an_input("policy.mail_growth_pct")
        assert value_range(zero)[-1] == 1.0


class TestSweep:
    @pytest.mark.parametrize(
        ("path", "subject", "field", "of"),
        [
            ("workload.active_users", "m1", "response_ms", "m1"),
            ("ram_gib", "m1", "ram_pct", "h1"),
            ("spindles", "p1", "utilisation_pct", "p1"),
            ("policy.benchmark_derating", "", "cpu_pct", ""),
            (ALL_USERS, "", FAILURE, ""),
            (HOST_COUNT, "", FAILURE, ""),
        ],
    )
    def test_every_point_is_an_evaluation(
        self, path: str, subject: str, field: str, of: str
    ) -> None:
        each, output = an_input(path, subject), an_output(field, of)
        values = value_range(each, steps=4)
        found = sweep(SCENARIO, KNOWLEDGE, each, output, values)
        for row, value in enumerate(values.tolist()):
            there = varied(SCENARIO, each, value)
            prediction = predict(there)
            quantity = read(there, prediction, output)
            assert found.number[row] == quantity.value
            assert (found.low[row], found.high[row]) == (quantity.low, quantity.high)
            assert found.verdict[row] == int(prediction.verdict)

    def test_what_cannot_be_has_no_number(self) -> None:
        each = an_input("ram_gib", "m1")
        found = sweep(SCENARIO, KNOWLEDGE, each, an_output("cpu_pct"), [-1.0, 8.0])
        assert np.isnan(found.number[0])
        assert found.verdict.tolist()[0] == -1
        assert np.isfinite(found.number[1])

    def test_no_data_has_no_number_but_a_verdict(self) -> None:
        scenario = SCENARIO.place(["m1"], None)
        each = an_input("ram_gib", "m1", scenario)
        output = an_output("response_ms", "m1", scenario)
        found = sweep(scenario, KNOWLEDGE, each, output, [8.0])
        assert np.isnan(found.number).all()
        assert found.verdict[0] >= 0

    def test_it_can_be_given_up(self) -> None:
        class Enough(Exception):
            pass

        def stop() -> None:
            raise Enough

        with pytest.raises(Enough):
            sweep(
                SCENARIO,
                KNOWLEDGE,
                an_input(ALL_USERS),
                an_output("cpu_pct"),
                [1.0],
                check=stop,
            )


class TestOutputs:
    def test_dials_and_numbers_of_the_selection(self) -> None:
        outputs = sweep_outputs(SCENARIO, SELECTED)
        assert [each.field for each in outputs[:5]] == list(DIALS)
        assert ("vms", "m1", "response_ms") in {each.key for each in outputs}
        assert an_output("response_ms", "m1").limit == SCENARIO.policy.response_limit_ms
        assert an_output("ram_gib", "m1").limit is None

    def test_dials_are_the_dials(self) -> None:
        prediction = predict(SCENARIO)
        for gauge in gauges(SCENARIO, prediction):
            assert read(SCENARIO, prediction, an_output(gauge.field)) == gauge.quantity


class TestBottleneck:
    def test_loads_are_numbers_over_limits_at_the_worst_item(self) -> None:
        scenario = with_policy(SCENARIO, peak_factor_cpu=1.5)
        prediction = predict(scenario)
        loads = {each.label: each for each in resource_loads(scenario, prediction)}
        ram = max(float(v) for v in prediction.hosts.ram_pct.value)
        assert loads["host RAM"].load == pytest.approx(ram / 100.0)
        cpu = max(float(v) for v in prediction.hosts.cpu_pct.value)
        assert loads["host CPU"].load == pytest.approx(1.5 * cpu / 70.0)
        worst = max(mode.ram_pct.value or 0.0 for mode in prediction.failures)
        assert loads["RAM, worst failure"].load == pytest.approx(worst / 100.0)
        assert loads["RAM, worst failure"].failing

    def test_the_bottleneck_is_the_fullest_of_normal_operation(self) -> None:
        scenario = SCENARIO.edit(Pool, "p1", lambda pool: replace(pool, spindles=6))
        loads = resource_loads(scenario, predict(scenario))
        found = bottleneck(loads)
        assert found is not None
        assert found.label == "disks"
        assert found.load == max(e.load for e in loads if e.load is not None and not e.failing)

    def test_it_is_what_the_verdict_names_where_that_is_no_failure(self) -> None:
        scenario = SCENARIO.edit(Pool, "p1", lambda pool: replace(pool, spindles=4))
        prediction = predict(scenario)
        assert prediction.verdict is Verdict.DOES_NOT_FIT
        found = bottleneck(resource_loads(scenario, prediction))
        assert found is not None
        assert prediction.binding is not None
        assert found.gauge.field == prediction.binding.resource

    def test_no_data_has_no_load(self) -> None:
        scenario = SCENARIO.place([vm.id for vm in SCENARIO.vms], None)
        loads = resource_loads(scenario, predict(scenario))
        assert any(each.load is None for each in loads)
        assert resource_loads(Scenario(name="x"), predict(Scenario(name="x"))) == ()

    def test_alone_nothing_fails_over(self) -> None:
        scenario = a_scenario()
        assert not any(each.failing for each in resource_loads(scenario, predict(scenario)))

    def test_what_a_failure_brings_nearer_is_told(self) -> None:
        loads = resource_loads(SCENARIO, predict(SCENARIO))
        nearer = nearest_failing(loads)
        assert nearer is not None
        assert nearer.label == "RAM, worst failure"
        tight = SCENARIO.edit(Pool, "p1", lambda pool: replace(pool, spindles=4))
        assert nearest_failing(resource_loads(tight, predict(tight))) is None
        assert nearest_failing(()) is None

    def test_limits_are_those_of_the_policy(self) -> None:
        policy = with_policy(SCENARIO, memory_overcommit=1.2).policy
        assert limit_of(policy, "ram_pct") == pytest.approx(120.0)


def test_the_kinds_of_items_are_known() -> None:
    kinds = {type(item) for item in SCENARIO.items()}
    assert kinds == {Cluster, Host, Pool, Vm}


def test_assumptions_keep_to_their_limits() -> None:
    scenario = a_scenario()
    inputs = {each.path: each for each in sweep_inputs(scenario, ())}
    controllers = inputs["assumptions.array_controllers"]
    assert value_range(controllers).tolist() == [2.0, 3.0, 4.0]
    with pytest.raises(ModelError):
        varied(scenario, controllers, -5.0)
