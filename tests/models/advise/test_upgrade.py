"""Release upgrades: savings by share, cost per active user, and the article's traps."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli_advise import knowledge
from models.advise.advice import Advice, advise
from models.advise.upgrade import (
    TOPIC,
    TaskCpu,
    TaskSaving,
    Upgrade,
    UpgradeSample,
    UpgradeWorkload,
)
from models.base.errors import ModelError


def asked(**inputs: Any) -> Advice:
    return advise(TOPIC, Upgrade(**inputs), knowledge())


def values(advice: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in advice.numbers}


def checks(advice: Advice) -> set[object]:
    return {row[0] for table in advice.tables if table.id == "checks" for row in table.rows}


@pytest.mark.parametrize(
    ("savings", "whole"),
    [
        ([("Server and Router", 50.0, 25.0)], 12.5),
        ([("Logasio", 3.0, 85.0)], 2.55),
        ([("Server", 60.0, 30.0), ("Router", 10.0, -20.0)], 16.0),
    ],
)
def test_savings_weigh_by_the_share(savings: list[tuple[str, float, float]], whole: float) -> None:
    tasks = tuple(TaskSaving(task=t, share_pct=share, saving_pct=p) for t, share, p in savings)
    assert values(asked(savings=tasks))["weighted_saving_pct"] == pytest.approx(whole)


@pytest.mark.parametrize(
    ("registered", "active", "share", "flagged"),
    [(870.0, 348.0, 40.0, False), (3280.0, 1150.0, 35.1, True), (1000.0, 500.0, 50.0, False)],
)
def test_active_shares(registered: float, active: float, share: float, flagged: bool) -> None:
    advice = asked(after=UpgradeSample(registered_users=registered, active_users=active))
    found = next(each for each in advice.numbers if each.id == "active_share_after_pct")
    assert found.value == pytest.approx(share, abs=0.05)
    assert ("36" in found.note) is flagged


def sample(cpu: float, users: float, **more: Any) -> UpgradeSample:
    return UpgradeSample(cpu_seconds=cpu, active_users=users, **more)


@pytest.mark.parametrize(
    ("cpu", "users", "cost", "word"),
    [
        (105.0, 180.0, -41.7, "improvement"),
        (150.0, 150.0, 0.0, "workload"),
        (100.0, 80.0, 25.0, "dearer"),
        (101.0, 100.0, 1.0, "no change"),
    ],
)
def test_the_cost_per_active_user_decides(cpu: float, users: float, cost: float, word: str) -> None:
    advice = asked(before=sample(100.0, 100.0), after=sample(cpu, users))
    assert values(advice)["cost_change_pct"] == pytest.approx(cost, abs=0.05)
    assert advice.conclusion == word


def test_maintenance_is_taken_out() -> None:
    tasks = (TaskCpu(task="Updall", cpu_seconds=15.0), TaskCpu(task="tmmscan", cpu_seconds=5.0))
    advice = asked(before=sample(100.0, 100.0, tasks=tasks), after=sample(80.0, 100.0))
    assert values(advice)["cost_change_pct"] == pytest.approx(0.0)


def test_maintenance_alone_is_not_more_or_fewer_users() -> None:
    compact = (TaskCpu(task="Compact", cpu_seconds=20.0),)
    advice = asked(before=sample(100.0, 100.0, tasks=compact), after=sample(80.0, 100.0))
    assert advice.conclusion == "no change"
    assert "maintenance" in advice.sentence
    assert "fewer users" not in advice.sentence
    found = values(advice)
    assert found["total_change_pct"] == pytest.approx(-20.0)
    assert found["work_change_pct"] == pytest.approx(0.0)
    assert "samples" in checks(advice)


def test_fewer_users_are_still_told_where_maintenance_ran() -> None:
    compact = (TaskCpu(task="Compact", cpu_seconds=20.0),)
    advice = asked(before=sample(100.0, 100.0, tasks=compact), after=sample(40.0, 50.0))
    assert advice.conclusion == "workload"


@pytest.mark.parametrize(
    ("users", "pool", "line"),
    [
        (626.0, None, None),
        (100.0, None, None),
        (348.0, 172.0, None),
        (348.0, 100.0, "NSF_DbCache_MaxEntries=516"),
        (1150.0, None, "NSF_DbCache_MaxEntries=2300"),
        (1150.0, 1024.0, None),
    ],
)
def test_no_line_makes_the_database_cache_smaller(
    users: float, pool: float | None, line: str | None
) -> None:
    advice = asked(after=UpgradeSample(active_users=users, buffer_pool_mb=pool))
    found = [each for each in advice.lines if each.startswith("NSF_DbCache")]
    assert found == ([] if line is None else [line])
    assert any("50 %" in each for each in advice.reasons)


def test_nor_smaller_than_it_is_set() -> None:
    for entries, lines in ((2000.0, 1), (6000.0, 0)):
        sample = UpgradeSample(active_users=1150.0, cache_entries=entries)
        found = [each for each in asked(after=sample).lines if each.startswith("NSF_DbCache")]
        assert len(found) == lines


def test_templates_are_told_and_compared() -> None:
    before, after = "85 % Notes 6, 10 % Notes 5", "60 % Notes 7, 40 % Notes 6"
    advice = asked(
        before=sample(100.0, 100.0, templates=before), after=sample(100.0, 100.0, templates=after)
    )
    assert "templates" in checks(advice)
    assert any(before in each for each in advice.reasons)


def test_every_trap_is_told() -> None:
    router = tuple(TaskCpu(task="Router", cpu_seconds=each) for each in (10.0, 12.0))
    before = sample(
        100.0, 100.0, registered_users=300.0, session_timeout_min=120.0, transactions=1000.0,
        messages=100.0, replications=50.0, month=7, tasks=(router[0],),
    )  # fmt: skip
    after = sample(
        105.0, 180.0, registered_users=600.0, session_timeout_min=240.0, transactions=1500.0,
        messages=400.0, replications=10.0, month=9, is_beta=True,
        tasks=(router[1], TaskCpu(task="Compact", cpu_seconds=1.0)),
    )  # fmt: skip
    advice = asked(before=before, after=after)
    assert checks(advice) == {
        "timeout", "transactions", "messages", "replications", "samples", "season", "registered",
        "beta", "total",
    }  # fmt: skip
    found = values(advice)
    assert (found["router_user_change_pct"] or 0.0) < 0
    assert (found["router_message_change_pct"] or 0.0) < -60


def test_connected_users_are_no_measure() -> None:
    advice = asked(before=UpgradeSample(cpu_seconds=1.0, connected_users=10.0))
    assert checks(advice) == {"connected"}
    assert values(advice)["cost_before"] is None


@pytest.mark.parametrize(
    ("old", "new", "cpu", "iops"),
    [("7.0.2", "8.5.1", 0.62, 0.67), ("6.5", "7.0.2", 0.72, None), ("6.5", "8.5.1", 0.4464, 0.67)],
)
def test_published_factors(old: str, new: str, cpu: float, iops: float | None) -> None:
    found = values(asked(from_release=old, to_release=new))
    assert found["cpu_factor"] == pytest.approx(cpu)
    assert found["iops_factor"] == (None if iops is None else pytest.approx(iops))


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"workload": UpgradeWorkload.APPLICATION, "from_release": "6.5"}, "workload"),
        ({}, "from_release"),
        ({"before": UpgradeSample(active_users=2.0, registered_users=1.0)}, "before.active_users"),
        ({"savings": (TaskSaving(task="a", share_pct=60.0, saving_pct=1.0),) * 2}, "savings"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(inputs: dict[str, Any], field: str) -> None:
    with pytest.raises(ModelError) as refused:
        asked(**inputs)
    assert refused.value.field == field


def test_what_nobody_published_is_no_saving_of_nothing() -> None:
    advice = asked(from_release="8.5.1", to_release="12.0.2")
    assert advice.conclusion == "measure first"
    assert values(advice)["cpu_factor"] is None


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [("banana", "8.5.1", "from_release"), ("8.5.1", "6.5", "to_release")],
)
def test_releases_that_are_none_or_older_are_refused(old: str, new: str, field: str) -> None:
    with pytest.raises(ModelError) as error:
        asked(from_release=old, to_release=new)
    assert error.value.field == field
