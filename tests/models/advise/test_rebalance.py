"""Mail files over servers, from pasted tables to the plan."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cli import main
from app.cli_advise import knowledge
from models.advise.advice import Advice, advise
from models.advise.rebalance import TOPIC, Goal, files_from_text, users_after
from models.base.errors import ModelError
from models.scenario.scenario import MeasuredOn, Vm
from models.scenario.workloads import WorkloadKind
from tests.app.terminal import NoWindows
from tests.models.worlds import a_scenario, a_vm


def test_a_pasted_table_in_german_is_read() -> None:
    found = files_from_text(
        "Datei;Server;Größe (GB);Aktivität;Replik-ID;fest\n"
        "mail/a.nsf;S1;1,5;1.200,5;R1;ja\n"
        "mail/a.nsf;S2;1,5;10;R1;\n"
        ";S3;;;;\n"
    )
    first = found.files[0]
    assert (first.size_mb, first.cpu, first.is_pinned, first.replica_id) == (
        1500,
        1200.5,
        True,
        "R1",
    )
    assert [each.server for each in found.files] == ["S1", "S2"]
    assert found.more_servers == ("S3",)


def test_columns_are_found_by_what_their_heads_begin_with() -> None:
    found = files_from_text(
        "Mail file name\tServer name\tCPU seconds a day\tI/O per day\tSize in MB\tPinned?\n"
        "a.nsf\tS1\t12.5\t7\t100\tx\n"
    )
    (only,) = found.files
    assert (only.cpu, only.iops, only.size_mb, only.is_pinned) == (12.5, 7.0, 100.0, True)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("file,size\na,1\n", "server"),
        ("file,server,cpu\na,s,many\n", "line 2, cpu"),
        ("file,server,cpu\na,s,1\nb,s,-1\n", "line 3, cpu"),
        ("file,server,pinned\na,s,maybe\n", "line 2, is_pinned"),
        ("file,server\na,\n", "line 2, server"),
        ("file,server\na,s,1\n", "line 2"),
        ("", ""),
    ],
)
def test_what_is_no_table_of_files_is_refused(text: str, field: str) -> None:
    with pytest.raises(ModelError) as refused:
        files_from_text(text)
    assert refused.value.field == field


def table(seed: int, files: int = 600, servers: int = 6) -> str:
    """A table of mail files with two copies each, unevenly placed."""
    chance = np.random.default_rng(seed)
    share = np.linspace(1.0, 2.0, servers)
    lines = ["file,server,replica_id,size_mb,cpu,pinned"]
    for index in range(files):
        for server in chance.choice(servers, 2, replace=False, p=share / share.sum()):
            size, cpu = np.exp(chance.normal(size=2))
            pinned = "yes" if chance.random() < 0.02 else ""
            lines.append(f"mail/{index}.nsf,S{server},R{index},{size:.3f},{cpu:.3f},{pinned}")
    return "\n".join(lines) + "\n"


def planned(text: str, folder: Path) -> tuple[dict[str, Any], str]:
    """What the command says of a table, and the plan that it saves."""
    source, target = folder / "files.csv", folder / "plan.csv"
    source.write_text(text, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    argv = ["advise", "rebalance", str(source), "--json", "-o", str(target)]
    assert main(argv, out, err, NoWindows()) == 0, err.getvalue()
    return json.loads(out.getvalue()), target.read_text(encoding="utf-8")


def test_a_plan_follows_from_the_table_and_is_saved(tmp_path: Path) -> None:
    found, saved = planned(table(1), tmp_path)
    assert found["conclusion"] == "can be balanced"
    plan = list(csv.DictReader(io.StringIO(saved)))
    assert [each["file"] for each in plan] == [each["file"] for each in found["tables"]["plan"]]
    places = {(row["file"], row["server"]): row for row in csv.DictReader(io.StringIO(table(1)))}
    for move in plan:
        row = places.pop((move["file"], move["from"]))
        assert not row["pinned"]
        assert (move["file"], move["to"]) not in places
        places[move["file"], move["to"]] = row
    for column in ("cpu", "size_mb"):
        loads: dict[str, float] = {}
        for (_, server), row in places.items():
            loads[server] = loads.get(server, 0.0) + float(row[column])
        assert max(loads.values()) <= 1.02 * sum(loads.values()) / len(loads)


def test_formulas_of_a_spreadsheet_do_not_get_into_the_plan(tmp_path: Path) -> None:
    _, saved = planned("file,server,cpu\n=cmd(),S1,5\nb,S1,5\nc,S2,0\n", tmp_path)
    assert saved.count("\n") == 2
    assert not any(cell.startswith("=") for line in saved.splitlines() for cell in line.split(","))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("file,server,cpu\na,s,1\nb,s,1\n", "two servers"),
        ("file,server,cpu\na,s,1\na,s,1\nb,t,1\n", "stands twice"),
        ("file,server,cpu\na,s,0\nb,t,0\n", "neither size nor activity"),
    ],
)
def test_what_cannot_be_balanced_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        advise(TOPIC, files_from_text(text), knowledge())


def test_users_follow_their_files_onto_the_board() -> None:
    board = a_scenario(
        vms=(a_vm("m1", 3000.0, registered_users=6000.0), a_vm("m2", 1000.0), a_vm("m3", 50.0))
    )
    lines = ["file,server,cpu"]
    lines += [f"a{n},M1,1" for n in range(30)] + [f"b{n},M2,1" for n in range(10)]
    after = users_after(board, files_from_text("\n".join(lines)))
    one, two, three = (vm.workload for vm in after.vms)
    assert one.active_users + two.active_users == pytest.approx(4000.0, abs=1)
    assert one.active_users == pytest.approx(2000.0)
    assert one.registered_users == 5990.0
    assert three == board.vms[2].workload
    with pytest.raises(ModelError):
        users_after(a_scenario(vms=(a_vm("x"),)), files_from_text("\n".join(lines)))


def measured(id: str, cpu_mhz: float | None, iops: float, on: str = "r710") -> Vm:
    """A mail server by its own figures, with 1,000 users."""
    at = MeasuredOn(server=on, hypervisor="none")
    kind = WorkloadKind.DOMINO_OTHER
    return a_vm(id, 1000.0, kind=kind, cpu_mhz=cpu_mhz, iops=iops, measured_on=at)


def test_what_was_measured_moves_with_the_files() -> None:
    board = a_scenario(vms=(measured("m1", 6000.0, 900.0), measured("m2", 2000.0, 100.0)))
    lines = ["file,server,cpu"]
    lines += [f"a{n},M1,3" for n in range(20)] + [f"b{n},M2,1" for n in range(20)]
    after = users_after(board, files_from_text("\n".join(lines)))
    one, two = (vm.workload for vm in after.vms)
    for name, whole in (("cpu_mhz", 8000.0), ("iops", 1000.0), ("active_users", 2000.0)):
        both = getattr(one, name), getattr(two, name)
        assert sum(both) == pytest.approx(whole, abs=1), name
        assert both[0] < getattr(board.vms[0].workload, name), name


@pytest.mark.parametrize(
    "other",
    [
        a_vm("m2", 1000.0),
        measured("m2", 1.0, 1.0, on="ibm-x366"),
        measured("m2", None, 1.0),
    ],
    ids=["users", "place", "unknown"],
)
def test_loads_that_cannot_be_added_are_refused(other: Vm) -> None:
    board = a_scenario(vms=(measured("m1", 6000.0, 900.0), other))
    lines = ["file,server,cpu", *(f"a{n},M1,1" for n in range(9)), "b,M2,1"]
    with pytest.raises(ModelError, match="can’t be added"):
        users_after(board, files_from_text("\n".join(lines)))


def test_what_nobody_measured_stays_unknown() -> None:
    board = a_scenario(vms=(measured("m1", None, 900.0), measured("m2", None, 100.0)))
    lines = ["file,server,cpu", *(f"a{n},M1,1" for n in range(9)), "b,M2,1"]
    after = users_after(board, files_from_text("\n".join(lines)))
    assert [vm.workload.cpu_mhz for vm in after.vms] == [None, None]


def of_goals(text: str, **asked: Any) -> Advice:
    return advise(TOPIC, replace(files_from_text(text), **asked), knowledge())


def figures(found: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in found.numbers}


def loose(seed: int) -> str:
    """The same table with nothing that stays where it is."""
    return table(seed).replace(",yes", ",")


def test_the_primary_goal_decides_and_needs_fewer_moves_than_all_alike() -> None:
    alike = figures(of_goals(table(1)))
    cpu = figures(of_goals(table(1), primary_goal=Goal.ACTIVITY))
    both = figures(of_goals(table(1), primary_goal=Goal.ACTIVITY, secondary_goal=Goal.SPACE))
    assert "busiest_after_space" not in cpu
    for each in (cpu, both):
        assert (each["busiest_after_cpu"] or 9.0) <= 1.02
    assert (both["busiest_after_space"] or 9.0) <= 1.1
    assert (cpu["moves"] or 0) < (both["moves"] or 0) < (alike["moves"] or 0)


def test_what_the_primary_goal_costs_the_secondary_is_said() -> None:
    """Two large files of little activity on one server, which the even server takes none of."""
    text = "file,server,cpu,size\na,S1,10,900\nb,S1,0,10\nc,S2,10,10\n"
    found = of_goals(text, primary_goal=Goal.ACTIVITY, secondary_goal=Goal.SPACE)
    assert (figures(found)["busiest_after_cpu"] or 9.0) <= 1.02
    assert any("leaves it at" in str(each) for each in found.reasons)


def test_users_are_counted_by_their_files() -> None:
    found = figures(of_goals(loose(2), primary_goal=Goal.USERS, limit=1.01))
    assert (found["busiest_after_users"] or 9.0) <= 1.01


@pytest.mark.parametrize("goals", [{}, {"primary_goal": Goal.SPACE, "secondary_goal": Goal.USERS}])
def test_a_server_is_emptied_and_the_others_stay_even(goals: dict[str, Goal]) -> None:
    found = of_goals(loose(1), emptied=("S0", "S1"), limit=1.05, **goals)
    assert found.conclusion == "can be emptied"
    rows = {row[0]: row for row in found.tables[0].rows}
    assert rows["S0"][2] == rows["S1"][2] == 0
    numbers = figures(found)
    assert (numbers["least_moves"] or 0) <= (numbers["moves"] or 0)
    assert numbers["moves"] >= rows["S0"][1] + rows["S1"][1]  # type: ignore[operator]
    plan = next(each for each in found.tables if each.id == "plan")
    assert not {row[3] for row in plan.rows} & {"S0", "S1"}
    homes = {(row["replica_id"], row["server"]) for row in csv.DictReader(io.StringIO(loose(1)))}
    for row in plan.rows:
        homes.remove((row[1], row[2]))
    for row in plan.rows:
        assert (row[1], row[3]) not in homes
        homes.add((row[1], row[3]))


def test_a_copy_that_finds_no_other_server_is_removed() -> None:
    text = "file,server,replica,size,cpu\na,S1,R1,10,1\na,S2,R1,10,1\nb,S1,R2,10,5\n"
    found = of_goals(text, emptied=("S1",))
    plan = next(each for each in found.tables if each.id == "plan")
    assert {row[0]: str(row[3]) for row in plan.rows} == {
        "a": "removed: copies are on all others",
        "b": "S2",
    }
    assert figures(found)["moves"] == 1.0
    assert figures(found)["busiest_after_cpu"] == pytest.approx(1.0)


def test_users_leave_the_emptied_server_on_the_board() -> None:
    vms = tuple(a_vm(name.lower(), 300.0, name=name) for name in ("S1", "S2", "S3"))
    text = "file,server,cpu\n" + "".join(
        f"{server}{n}.nsf,{server},1\n" for server in ("S1", "S2", "S3") for n in range(4)
    )
    inputs = replace(files_from_text(text), emptied=("S1",))
    after = {
        vm.name: vm.workload.active_users for vm in users_after(a_scenario(vms=vms), inputs).vms
    }
    assert after == {"S1": 0.0, "S2": 450.0, "S3": 450.0}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"emptied": ("S9",)}, "emptied[0]"),
        ({"emptied": ("S1", "S2")}, "emptied"),
        ({"secondary_goal": Goal.SPACE}, "secondary_goal"),
        ({"primary_goal": Goal.SPACE, "secondary_goal": Goal.SPACE}, "secondary_goal"),
        ({"primary_goal": Goal.IO}, "primary_goal"),
        ({"primary_goal": Goal.SPACE, "secondary_goal": Goal.IO}, "secondary_goal"),
        ({"emptied": ("S2",)}, "files[1].is_pinned"),
    ],
)
def test_goals_that_cannot_be_are_refused(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(ModelError) as refused:
        of_goals("file,server,cpu,size,pinned\na,S1,1,5,\nb,S2,1,5,yes\n", **asked)
    assert refused.value.field == field
