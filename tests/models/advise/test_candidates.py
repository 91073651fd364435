"""Candidate screening: by the load after the move, with the documents' exceptions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.cli_advise import knowledge
from models.advise.advice import Advice, advise
from models.advise.candidates import (
    TOPIC,
    Candidate,
    Role,
    Screening,
    on_board,
    servers_from_text,
)
from models.base.errors import ModelError
from models.evaluate import evaluate
from models.predict.prediction import Shown, Verdict
from models.scenario.inputs import origin_of
from models.scenario.scenario import PRODUCTION, DiskMode, Policy, Posture, Scenario
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import AS_BENCHMARKED, a_host, a_scenario

X366: dict[str, Any] = {"name": "a", "server": "ibm-x366", "ram_gib": 6.0}
FOUR = Candidate(**X366, users=4000.0, cpu_pct=27.7, response_ms=696.0)
THREE = Candidate(**X366, users=3000.0, cpu_pct=19.5, response_ms=155.0)
LIKE = {"host": "ibm-x366", "hypervisor": "esx-3.0.1"}


def asked(*servers: Candidate, **inputs: Any) -> Advice:
    return advise(TOPIC, Screening(servers=servers, **{**LIKE, **inputs}), knowledge())


def values(advice: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in advice.numbers}


def test_a_busy_server_is_a_poor_candidate_for_like_hardware() -> None:
    advice = asked(FOUR)
    assert 66.0 <= (values(advice)["cpu_after_pct_1"] or 0.0) <= 75.0
    assert advice.conclusion == "poor"
    unsaid = asked(Candidate(**X366, cpu_pct=27.7))
    assert values(unsaid)["cpu_after_pct_1"] == pytest.approx(69.25)
    assert unsaid.conclusion == "poor"


def test_it_is_a_good_one_for_much_faster_hardware() -> None:
    advice = asked(FOUR, host="intel-clovertown-whitebox", ram_gib=14.5)
    assert values(advice)["response_change_pct_1"] == pytest.approx(-90.7, abs=0.05)
    assert advice.conclusion == "good"
    assert "exception" in advice.sentence


@pytest.mark.parametrize(
    ("mode", "cpu", "change"), [(DiskMode.RDM, 49.2, 16.1), (DiskMode.VMFS, 52.4, 5.8)]
)
def test_a_slower_answer_needs_care(mode: DiskMode, cpu: float, change: float) -> None:
    advice = asked(THREE, disk_mode=mode)
    found = values(advice)
    assert found["cpu_after_pct_1"] == pytest.approx(cpu)
    assert found["response_change_pct_1"] == pytest.approx(change, abs=0.05)
    assert advice.conclusion == "with care"


@pytest.mark.parametrize("role", [Role.TEST, Role.DEVELOPMENT, Role.BRANCH])
def test_quiet_servers_are_good_candidates(role: Role) -> None:
    for cpu in (3.0, None):
        assert asked(Candidate(name="t", role=role, cpu_pct=cpu)).conclusion == "good"
    assert asked(Candidate(name="t", role=role, cpu_pct=100.0)).conclusion == "poor"


@pytest.mark.parametrize(
    ("hypervisor", "word"), [("esx-3.0.1", "poor"), ("vsphere-6.7", "measure first")]
)
def test_kernel_time_is_the_question(hypervisor: str, word: str) -> None:
    advice = asked(Candidate(name="r", kernel_pct=90.0, cpu_pct=40.0), hypervisor=hypervisor)
    assert advice.conclusion == word
    assert "1252786" in advice.sentence


def test_nothing_known_is_to_be_measured_first() -> None:
    assert asked(Candidate(name="x")).conclusion == "measure first"


def test_a_sheet_of_servers() -> None:
    screening = servers_from_text(
        "Server name;Rolle;Machine;CPUs;CPU avg;CPU peak;Kernel;IOPS;RAM;Users;Response time\n"
        "M1;mail;ibm-x366;4;27,7;60;;;6;4000;696\nT1;Test;ibm-x366;4;3;9;;;4;;\nA1;app;;8;40;95;20;800;16;;\n"
    )
    assert [each.role for each in screening.servers] == [Role.MAIL, Role.TEST, Role.APPLICATION]
    advice = advise(TOPIC, screening, knowledge())
    (table,) = advice.tables
    assert [row[0] for row in table.rows] == ["M1", "T1", "A1"]
    assert table.rows[1][1] == Shown(Verdict.FITS, "good")
    assert "of 3 servers" in advice.sentence


def test_a_sheet_calls_servers_and_machines_as_people_do() -> None:
    (one,) = servers_from_text("Server;Modell;Alter;CPU Mittel\nM1;x3650 M2;4;20\n").servers
    assert (one.name, one.machine, one.age_years) == ("M1", "x3650 M2", 4.0)
    (two,) = servers_from_text("name,server,CPU\nM1,ibm-x366,20\n").servers
    assert (two.name, two.machine) == ("M1", "ibm-x366")
    known, unknown = asked(one), asked(Candidate(name="o", machine="old box", cpu_pct=20.0))
    assert "taken as IBM System x3650 M2" in known.sentence
    assert "isn’t in the catalog" in unknown.sentence


@pytest.mark.parametrize(
    ("head", "row", "field", "value"),
    [
        ("Server,Memory (GB)", "A,6 GB", "ram_gib", 6.0),
        ("Server;RAM (MB)", "A;6144", "ram_gib", 6.0),
        ("Server;RAM", "A;6.144 MB", "ram_gib", 6.0),
        ("Server\tAvg CPU (%)", "A\t27.7 %", "cpu_pct", 27.7),
        ("Server\tMax. CPU", "A\t60", "cpu_peak_pct", 60.0),
        ("Server;Anzahl Benutzer", "A;4.000", "users", 4000.0),
        ("Server;Response (s)", "A;0,696", "response_ms", 696.0),
        ("Server;CPU", "A;0.125", "cpu_pct", 0.125),
        ("Server,Users", 'A,"4,000"', "users", 4000.0),
    ],
)
def test_heads_and_units_as_people_write_them(
    head: str, row: str, field: str, value: float
) -> None:
    (one,) = servers_from_text(f"{head}\n{row}\n").servers
    assert getattr(one, field) == pytest.approx(value)


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("Zweigstelle", Role.BRANCH),
        ("Außenstelle", Role.BRANCH),
        ("branch office", Role.BRANCH),
        ("Testsystem (Mail)", Role.TEST),
        ("Mail-Routing", Role.MAIL),
        ("Sametime", Role.OTHER),
        ("", Role.MAIL),
    ],
)
def test_roles_as_people_write_them(words: str, role: Role) -> None:
    (one,) = servers_from_text(f"Server;Rolle\nA;{words}\n").servers
    assert one.role is role


def test_users_of_another_server_are_no_mail_users() -> None:
    advice = asked(Candidate(name="chat", role=Role.OTHER, users=2000.0))
    assert advice.conclusion == "measure first"
    assert all(each.value is None for each in advice.numbers)


def test_a_machine_of_several_is_the_one_that_asks_for_most() -> None:
    """Too much is asked of the new host rather than too little."""
    servers = knowledge().catalog.servers
    advice = asked(Candidate(name="m", machine="System x366", cpu_pct=20.0, iops=0.0))
    like = [
        asked(Candidate(name="m", server=id, cpu_pct=20.0, iops=0.0))
        for id in servers
        if id.endswith(("x366", "x366-dc"))
    ]
    most = max(values(each)["cpu_after_pct_1"] or 0.0 for each in like)
    assert values(advice)["cpu_after_pct_1"] == pytest.approx(most)


def test_ends_lie_around_the_value() -> None:
    for candidate in (FOUR, THREE, Candidate(**X366, cpu_pct=27.7)):
        (found,) = (each for each in asked(candidate).numbers if each.id == "cpu_after_pct_1")
        assert (found.low or 0.0) <= (found.value or 0.0) <= (found.high or 0.0)


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"servers": ()}, "servers"),
        ({"servers": (FOUR,), "hypervisor": "none"}, "hypervisor"),
        ({"servers": (Candidate(name="a", server="nowhere"),)}, "servers[0].server"),
        (
            {"servers": (Candidate(name="a", cpu_pct=50.0, cpu_peak_pct=40.0),)},
            "servers[0].cpu_peak_pct",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(inputs: dict[str, Any], field: str) -> None:
    with pytest.raises(ModelError) as refused:
        advise(TOPIC, Screening(**inputs), knowledge())
    assert refused.value.field == field


R710 = Candidate(name="Old", machine="R710", cpus=8, iops=1200.0, ram_gib=48.0, users=1500.0)
POLICIES = (AS_BENCHMARKED, PRODUCTION, Policy())


def boarded(screening: Screening, policy: Policy) -> Scenario:
    """What the board says of the first candidate, placed on the proposed host."""
    after = on_board(Scenario(name="x", policy=policy), screening, knowledge())
    (host,) = after.hosts
    assert (host.server, host.hypervisor) == (screening.host, screening.hypervisor)
    return after.place([after.vms[0].id], host.id)


def cpu_on(board: Scenario) -> float:
    found = evaluate(board, knowledge())
    return found.vms.cpu_pct[0].value or 0.0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("cpu", [10.0, 20.0, 45.0])
@pytest.mark.parametrize("users", [None, 1500.0])
def test_the_board_says_what_the_advisor_says(
    policy: Policy, cpu: float, users: float | None
) -> None:
    screening = Screening(servers=(replace(R710, cpu_pct=cpu, users=users),))
    then = values(advise(TOPIC, screening, knowledge()))["cpu_after_pct_1"]
    assert cpu_on(boarded(screening, policy)) == pytest.approx(then)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("iops", [None, 300.0])
def test_the_board_says_so_under_early_hypervisors_too(policy: Policy, iops: float | None) -> None:
    one = Candidate(**X366, users=1500.0, cpu_pct=15.0, iops=iops)
    for each in (one, replace(one, users=None)):
        screening = Screening(servers=(each,), host=LIKE["host"], hypervisor=LIKE["hypervisor"])
        then = values(advise(TOPIC, screening, knowledge()))["cpu_after_pct_1"]
        assert cpu_on(boarded(screening, policy)) == pytest.approx(then)


def test_what_was_measured_travels_with_who_said_it() -> None:
    screening = Screening(servers=(replace(R710, cpu_pct=20.0),))
    (vm,) = boarded(screening, PRODUCTION).vms
    work = vm.workload
    assert work.kind is WorkloadKind.DOMINO_OTHER
    assert (work.iops, work.memory_gib, work.active_users) == (1200.0, 48.0, 1500.0)
    assert work.measured_on is not None
    server = knowledge().catalog.servers[work.measured_on.server or ""]
    assert "R710" in server.name
    assert work.measured_on.hypervisor == "none"
    assert work.cpu_mhz == pytest.approx(0.2 * 8 * (server.base_mhz or 0.0))
    for path in ("workload.cpu_mhz", "workload.iops", "workload.measured_on.server", "ram_gib"):
        assert origin_of(vm, path).is_data, path


def test_a_server_with_users_alone_keeps_them() -> None:
    screening = Screening(servers=(replace(R710, iops=None),))
    (vm,) = boarded(screening, PRODUCTION).vms
    assert (vm.workload.kind, vm.workload.active_users) == (WorkloadKind.DOMINO_NRPC, 1500.0)
    assert origin_of(vm, "workload.active_users").is_data


def test_a_host_like_the_proposed_one_is_not_put_twice() -> None:
    screening = Screening(servers=(replace(R710, cpu_pct=20.0),))
    board = a_scenario(hosts=(a_host(server="r740-6148", hypervisor="vsphere-6.7"),))
    assert on_board(board, screening, knowledge()).hosts == board.hosts


@pytest.mark.parametrize(
    ("hypervisor", "said"), [("esx-3.0.1", True), ("vsphere-6.7", False), ("vsphere-8.0", False)]
)
def test_pairs_of_esx_3_are_told_of_esx_3(hypervisor: str, said: bool) -> None:
    advice = asked(THREE, hypervisor=hypervisor)
    assert any("3.0.1" in each for each in advice.reasons) is said


def test_pairs_are_those_of_the_host() -> None:
    old = Candidate(name="o", server="ibm-x366", cpu_pct=10.0)
    (x366,) = (n for n in asked(old).numbers if n.id == "cpu_after_pct_1")
    other = asked(replace(old, server=None), host="intel-clovertown-whitebox")
    (clovertown,) = (n for n in other.numbers if n.id == "cpu_after_pct_1")
    assert (clovertown.high or 0.0) / (clovertown.value or 1.0) > 1.5
    assert (x366.high or 0.0) / (x366.value or 1.0) < 1.1


def test_a_test_server_costs_more_under_early_hypervisors_too() -> None:
    found = values(asked(Candidate(**X366, role=Role.TEST, cpu_pct=3.0)))
    assert (found["cpu_after_pct_1"] or 0.0) > 7.0


@pytest.mark.parametrize(
    ("cpu", "words"), [(26.0, "above 90 %"), (30.0, "limit of 70 %"), (92.0, "2.3 times what")]
)
def test_how_far_above_is_said_as_it_is(cpu: float, words: str) -> None:
    assert words in asked(Candidate(**X366, cpu_pct=cpu)).sentence


def after(servers: list[Candidate], **inputs: Any) -> list[tuple[float, float, float]]:
    advice = advise(TOPIC, Screening(servers=tuple(servers), **inputs), knowledge())
    found = [each for each in advice.numbers if each.id.startswith("cpu_after")]
    return [(each.low or 0.0, each.value or 0.0, each.high or 0.0) for each in found]


@pytest.mark.parametrize(
    ("server", "hypervisor"),
    [
        ("r720", "vsphere-6.7"),
        ("r740-6148", "vsphere-8.0"),
        ("nehalem-ept", "vsphere-4.0"),
        ("r760-8592", "vsphere-8.0"),
    ],
)
def test_a_server_on_itself_is_near_native_whatever_is_known_of_it(
    server: str, hypervisor: str
) -> None:
    plain = Candidate(name="a", server=server, cpu_pct=30.0, ram_gib=16.0)
    servers = [plain, replace(plain, users=1500.0), replace(plain, iops=300.0, users=1500.0)]
    unknown_io, with_users, with_io = after(servers, host=server, hypervisor=hypervisor)
    assert unknown_io == with_users
    for low, value, high in (unknown_io, with_io):
        assert 29.99 < low <= value < 33.0
        assert value < high < 40.0


def test_an_end_is_judged_as_the_posture_has_it() -> None:
    """Users alone: a few per cent by the value, and up to twice of it."""
    one = Candidate(name="a", server="r720", users=9000.0, cpus=4)
    words = {
        posture: advise(
            TOPIC,
            Screening(servers=(one,), host="r720", hypervisor="vsphere-6.7", posture=posture),
            knowledge(),
        )
        for posture in Posture
    }
    assert words[Posture.AGGRESSIVE].conclusion == "with care"
    assert words[Posture.CONSERVATIVE].conclusion == "poor"
    assert "may take" in words[Posture.CONSERVATIVE].sentence
    (table,) = words[Posture.CONSERVATIVE].tables
    assert "\N{EN DASH}" in str(table.rows[0][4])


def test_a_change_within_the_ranges_is_none_that_can_be_told() -> None:
    one = Candidate(name="a", server="r720", users=1500.0, cpu_pct=30.0)
    advice = asked(one, host="r720", hypervisor="vsphere-6.7")
    assert values(advice)["response_change_pct_1"] is None
    assert "can’t be told" in advice.sentence
