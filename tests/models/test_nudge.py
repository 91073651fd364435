"""Nudges turn what is meant, by steps that make sense, and never out of bounds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.errors import ModelError
from models.base.texts import Text
from models.check import check_scenario
from models.predict.prediction import Verdict
from models.scenario.origin import Origin
from models.scenario.scenario import Affinity, AffinityKind, Host, Scenario
from models.scenario.wording import THIN
from models.scenario.workloads import WorkloadKind
from models.single_changes.changes import MINUS, one_step, users
from models.single_changes.nudge import HOST_STEP_GIB, VM_STEP_GIB, Knob, _ram_moved, aim, turned
from tests.models.worlds import (
    CATALOG,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    with_policy,
)


def turn(scenario: Scenario, knob: Knob, ids: tuple[str, ...], steps: int) -> Scenario:
    return turned(scenario, CATALOG, knob, ids, steps).scenario


class TestAim:
    def test_the_selection_comes_first(self) -> None:
        scenario = a_cluster_of(2, vms=4)
        found = aim(scenario, predict(scenario), ["m2", "m3"], Knob.USERS)
        assert (found.ids, found.who, found.value) == (("m2", "m3"), "2 VMs", "1,000")
        hosts = aim(scenario, None, ["h1", "h2"], Knob.HOST_RAM)
        assert hosts.who == "2 hosts"
        assert isinstance(hosts.who, Text), "said in the language of the window"

    def test_from_a_vm_to_its_host_and_pool(self) -> None:
        scenario = a_cluster_of(2, vms=4)
        assert aim(scenario, None, ["m2"], Knob.HOST_RAM).ids == ("h2",)
        assert aim(scenario, None, ["m2"], Knob.DRIVES).ids == ("p1",)
        assert aim(scenario, None, ["m2"], Knob.HOSTS).who == "Mail"

    def test_from_holders_to_their_vms(self) -> None:
        scenario = a_cluster_of(2, vms=4)
        assert aim(scenario, None, ["h1"], Knob.VM_RAM).ids == ("m1", "m3")
        assert aim(scenario, None, ["p1"], Knob.VCPUS).ids == ("m1", "m2", "m3", "m4")
        assert aim(scenario, None, ["c1"], Knob.HOST_RAM).ids == ("h1", "h2")
        assert aim(scenario, None, ["c1"], Knob.USERS).ids == ("m1", "m2", "m3", "m4")

    def test_without_a_selection_what_binds(self) -> None:
        scenario = with_policy(a_cluster_of(2, vms=4), cpu_limit_pct=5.0)
        prediction = predict(scenario)
        assert prediction.binding is not None
        assert prediction.verdict is Verdict.DOES_NOT_FIT
        found = aim(scenario, prediction, [], Knob.VCPUS)
        assert found.ids == (prediction.binding.subject,)

    def test_else_all_there_is(self) -> None:
        scenario = a_cluster_of(2, vms=4)
        assert aim(scenario, None, [], Knob.HOST_RAM).ids == ("h1", "h2")
        empty = aim(Scenario(name="x"), None, [], Knob.DRIVES)
        assert (empty.ids, empty.who, empty.value) == ((), "", "")

    def test_generic_servers_have_no_users(self) -> None:
        scenario = a_scenario(vms=(a_vm(kind=WorkloadKind.GENERIC, users=0.0, cpu_mhz=500.0),))
        assert aim(scenario, None, ["m1"], Knob.USERS).ids == ()
        assert aim(scenario, None, ["m1"], Knob.VM_RAM).ids == ("m1",)

    def test_a_span_of_values_shows_its_ends(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", ram_gib=7.25), a_vm("m2", ram_gib=16.0)))
        assert aim(scenario, None, [], Knob.VM_RAM).value == f"7.2–16.0{THIN}GiB"


class TestHosts:
    def test_one_more_is_like_the_last_and_empty(self) -> None:
        scenario = a_cluster_of(2, vms=4)
        change = turned(scenario, CATALOG, Knob.HOSTS, ("h1", "h2"), 1)
        new = change.scenario.host("h3")
        assert (new.name, new.server, new.cluster) == ("H3", "nehalem-ept", "c1")
        assert change.scenario.vms_on("h3") == ()
        assert change.text == "+1 host, H3"
        check_scenario(change.scenario, CATALOG)

    def test_one_less_is_the_emptiest_and_its_vms_find_room(self) -> None:
        scenario = a_cluster_of(3, vms=7)
        change = turned(scenario, CATALOG, Knob.HOSTS, ("h1", "h2", "h3"), -1)
        assert [host.id for host in change.scenario.hosts] == ["h1", "h2"]
        assert all(vm.host in ("h1", "h2") for vm in change.scenario.vms)
        assert change.text == f"{MINUS}1 host, H3"

    def test_several_are_one_change(self) -> None:
        scenario = a_cluster_of(1, vms=1)
        change = turned(scenario, CATALOG, Knob.HOSTS, ("h1",), 3)
        assert len(change.scenario.hosts) == 4
        assert change.text == "+3 hosts"
        back = turned(change.scenario, CATALOG, Knob.HOSTS, ("h1",), -3)
        assert back.scenario.hosts == scenario.hosts

    def test_a_host_that_was_taken_away_comes_back_with_its_vms(self) -> None:
        began = a_cluster_of(3, vms=7)
        rule = Affinity(id="r1", kind=AffinityKind.SHOULD_RUN_ON, vms=("m3",), hosts=("h3",))
        began = replace(began, affinity=(rule,)).waive("host_ram_full", "h3", "known")
        left = turned(began, CATALOG, Knob.HOSTS, ("h1", "h2", "h3"), -1).scenario
        assert left.vms_on("h3") == ()
        change = turned(left, CATALOG, Knob.HOSTS, ("h1", "h2"), 1, earlier=[began])
        assert change.scenario == began
        assert change.text == "+1 host, H3"

    def test_hosts_come_back_one_after_the_other_the_last_one_first(self) -> None:
        began = a_cluster_of(4, vms=8)
        ids = ("h1",)
        designs = [began]
        for _ in range(3):
            after = turned(designs[-1], CATALOG, Knob.HOSTS, ids, -1, earlier=designs[:-1])
            designs.append(after.scenario)
        for count in (2, 1, 0):
            last = designs[-1]
            back = turned(last, CATALOG, Knob.HOSTS, ids, 1, earlier=designs[:-1]).scenario
            assert back == designs[count]
            designs.append(back)
        more = turned(began, CATALOG, Knob.HOSTS, ids, 1, earlier=designs[:-1])
        assert more.scenario.vms_on(more.subjects[0]) == ()

    def test_several_at_once_come_back_at_once(self) -> None:
        began = a_cluster_of(4, vms=8)
        left = turn(began, Knob.HOSTS, ("h1",), -2)
        change = turned(left, CATALOG, Knob.HOSTS, ("h1",), 3, earlier=[began])
        assert change.scenario.without(change.subjects[-1:]) == began
        assert change.text == "+3 hosts"

    def test_what_was_nudged_in_between_stays_nudged(self) -> None:
        began = a_cluster_of(2, vms=4)
        bigger = turn(began, Knob.HOST_RAM, ("h1", "h2"), 1)
        left = turn(bigger, Knob.HOSTS, ("h1",), -1)
        busier = turn(left, Knob.USERS, ("m1", "m2"), 1)
        back = turned(
            busier, CATALOG, Knob.HOSTS, ("h1",), 1, earlier=[began, bigger, left]
        ).scenario
        assert back == turn(bigger, Knob.USERS, ("m1", "m2"), 1)

    def test_a_host_comes_back_with_the_memory_that_its_like_have_by_now(self) -> None:
        began = a_cluster_of(3, vms=4)
        left = turn(began, Knob.HOSTS, ("h1",), -1)
        bigger = turn(left, Knob.HOST_RAM, ("h1", "h2"), 1)
        back = turned(bigger, CATALOG, Knob.HOSTS, ("h1",), 1, earlier=[began, left])
        (ram_gib,) = {host.ram_gib for host in back.scenario.hosts}
        assert back.text == f"+1 host, H3 with {ram_gib:g}{THIN}GiB RAM"
        with_half = replace(left, hosts=tuple(replace(h, ram_gib=100.5) for h in left.hosts))
        half = turned(with_half, CATALOG, Knob.HOSTS, ("h1",), 1, earlier=[began, left])
        assert half.text == f"+1 host, H3 with 100.5{THIN}GiB RAM"
        one = turn(left, Knob.HOST_RAM, ("h1",), 1)
        back = turned(one, CATALOG, Knob.HOSTS, ("h1",), 1, earlier=[began, left])
        assert back.scenario.host("h3") == began.host("h3")
        assert back.text == "+1 host, H3"

    def test_its_memory_is_then_said_to_come_from_where_theirs_does(self) -> None:
        said = (("name", Origin.MANUAL), ("ram_gib", Origin.IMPORTED))
        base = a_cluster_of(3, vms=4)
        began = replace(base, hosts=tuple(replace(host, origins=said) for host in base.hosts))
        left = turn(began, Knob.HOSTS, ("h1",), -1)
        bigger = turn(left, Knob.HOST_RAM, ("h1", "h2"), 1)
        by_hand = (("name", Origin.MANUAL), ("ram_gib", Origin.MANUAL))
        bigger = replace(
            bigger, hosts=tuple(replace(host, origins=by_hand) for host in bigger.hosts)
        )
        back = turned(bigger, CATALOG, Knob.HOSTS, ("h1",), 1, earlier=[began, left]).scenario
        assert back.host("h3").origins == by_hand

    def test_what_has_nowhere_to_go_refuses(self) -> None:
        full = a_scenario(
            hosts=(a_host("h1"), a_host("h2", hypervisor="none")),
            vms=(a_vm("m1"), a_vm("m2", host="h2")),
        )
        with pytest.raises(ModelError, match="nowhere to go"):
            turn(full, Knob.HOSTS, ("h1",), -1)
        with pytest.raises(ModelError, match="at least one host"):
            turn(a_cluster_of(1, vms=0), Knob.HOSTS, ("h1",), -1)


class TestSteps:
    def test_each_knob_says_what_it_did(self) -> None:
        scenario = a_cluster_of(1, vms=2)
        scenario = scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=48.0))
        words = {
            Knob.VCPUS: ("m1", "+1 vCPU for M1"),
            Knob.VM_RAM: ("m1", f"+1{THIN}GiB RAM for M1"),
            Knob.USERS: ("m1", "+50 users on M1"),
            Knob.HOST_RAM: ("h1", f"+8{THIN}GiB RAM in H1"),
            Knob.DRIVES: ("p1", "+1 drive in P1"),
        }
        for knob, (id, text) in words.items():
            change = turned(scenario, CATALOG, knob, (id,), 1)
            assert change.text == text
            assert change.scenario != scenario
            back = turned(change.scenario, CATALOG, knob, (id,), -1)
            assert back.scenario == scenario

    def test_registered_users_follow_the_active_ones(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", users=4000.0, registered_users=10_000.0),))
        change = turned(scenario, CATALOG, Knob.USERS, ("m1",), 1)
        work = change.scenario.vm("m1").workload
        assert (work.active_users, work.registered_users) == (4200.0, 10_500.0)
        assert change.text == "+200 users on M1, +500 registered"
        assert turn(change.scenario, Knob.USERS, ("m1",), -1) == scenario

    def test_growth_warns_of_nothing_that_it_did_itself(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", users=1000.0, registered_users=1000.0),))
        after = turn(scenario, Knob.USERS, ("m1",), 5)
        assert not [each for each in predict(after).findings if "but only" in each.text]

    def test_those_that_nobody_counted_or_that_are_pinned_stay(self) -> None:
        pinned = replace(a_vm("m2", registered_users=3000.0), pins=("workload.registered_users",))
        scenario = a_scenario(vms=(a_vm("m1"), pinned))
        change = turned(scenario, CATALOG, Knob.USERS, ("m1", "m2"), 1)
        owners = [vm.workload.registered_users for vm in change.scenario.vms]
        assert (owners, change.text) == ([None, 3000.0], "+50 users on 2 VMs")

    def test_of_several_the_proportion_is_said(self) -> None:
        vms = (a_vm("m1", registered_users=2000.0), a_vm("m2", registered_users=9000.0))
        change = turned(a_scenario(vms=vms), CATALOG, Knob.USERS, ("m1", "m2"), 1)
        assert change.text == "+50 users on 2 VMs, registered in proportion"

    def test_the_mail_files_of_the_last_users_stay(self) -> None:
        scenario = a_scenario(vms=(a_vm("m1", users=400.0, registered_users=1000.0),))
        nobody = users(scenario, ("m1",), -400.0).scenario
        work = nobody.vm("m1").workload
        assert (work.active_users, work.registered_users) == (0.0, 1000.0)
        work = turn(nobody, Knob.USERS, ("m1",), 1).vm("m1").workload
        assert work.active_users > 0
        assert work.registered_users == 1000.0

    def test_mirrored_pools_grow_by_pairs(self) -> None:
        scenario = a_scenario(pools=(a_pool(raid="10", spindles=10),))
        assert turn(scenario, Knob.DRIVES, ("p1",), 3).pool("p1").spindles == 16

    def test_several_items_turn_together(self) -> None:
        scenario = a_cluster_of(1, vms=3)
        change = turned(scenario, CATALOG, Knob.VM_RAM, ("m1", "m2", "m3"), 2)
        assert {vm.ram_gib for vm in change.scenario.vms} == {10.0}
        assert change.text == f"+2{THIN}GiB RAM for 3 VMs"

    @pytest.mark.parametrize(
        ("knob", "id"), [(Knob.VCPUS, "m1"), (Knob.DRIVES, "p1"), (Knob.VM_RAM, "m1")]
    )
    def test_nothing_turns_out_of_bounds(self, knob: Knob, id: str) -> None:
        scenario = a_cluster_of(1, vms=1)
        with pytest.raises(ModelError):
            turn(scenario, knob, (id,), -500)

    def test_spares_are_no_data_drives(self) -> None:
        scenario = a_scenario(pools=(a_pool(spindles=5, hot_spares=4),))
        with pytest.raises(ModelError, match="no hot spare"):
            turn(scenario, Knob.DRIVES, ("p1",), -1)

    @pytest.mark.parametrize(("ram", "steps"), [(8.0, -1), (9.5, -3)])
    def test_what_is_reserved_is_not_taken_away(self, ram: float, steps: int) -> None:
        scenario = a_scenario(vms=(a_vm(ram_gib=ram, memory_reservation_gib=8.0), a_vm("m2")))
        with pytest.raises(ModelError, match="M1 has 8\u202fGiB of memory reserved"):
            turn(scenario, Knob.VM_RAM, ("m1", "m2"), steps)

    def test_up_to_what_is_reserved_it_goes(self) -> None:
        scenario = a_scenario(vms=(a_vm(ram_gib=10.0, memory_reservation_gib=8.0),))
        less = turn(scenario, Knob.VM_RAM, ("m1",), -2)
        check_scenario(less, CATALOG)
        assert less.vm("m1").ram_gib == 8.0

    def test_nothing_to_turn_is_said(self) -> None:
        with pytest.raises(ModelError, match="drives"):
            turn(Scenario(name="x"), Knob.DRIVES, (), 1)

    @given(st.floats(0.5, 4096.0), st.integers(1, 6))
    def test_memory_moves_along_sizes_and_back(self, gib: float, steps: int) -> None:
        for sizes, largest in ((HOST_STEP_GIB, 64.0), (VM_STEP_GIB, 8.0)):
            start = gib + _ram_moved(gib, 1, sizes, largest)
            up = start + _ram_moved(start, steps, sizes, largest)
            assert up > start
            assert up + _ram_moved(up, -steps, sizes, largest) == pytest.approx(start)

    @given(st.floats(1.0, 1e6))
    def test_steps_are_round_and_about_a_twentieth(self, value: float) -> None:
        step = one_step(value)
        assert value / 60 <= step <= value / 15
        assert f"{step:.1e}".partition("e")[0] in {"1.0", "2.0", "2.5", "5.0"}
