"""The cluster planner: what Iris Today and the vSphere 4 paper have, and others of the kind."""

from __future__ import annotations

import pytest

from app.cli_advise import knowledge
from models.advise.advice import Advice, advise
from models.advise.cluster import TOPIC, ClusterPlan
from models.base.errors import ModelError
from models.base.quantities import Basis
from models.predict.prediction import Verdict


def asked(**inputs: object) -> Advice:
    return advise(TOPIC, ClusterPlan(**inputs), knowledge())  # type: ignore[arg-type]


def values(advice: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in advice.numbers}


def test_the_tested_pair() -> None:
    found = values(asked(users=500.0, cpu_pct=25.0))
    assert found["active_cpu_increase_pct"] == pytest.approx(32.0)
    assert found["active_cpu_pct"] == pytest.approx(33.0)
    assert found["standby_cpu_pct"] == pytest.approx(8.0)
    assert found["standby_disk_pct"] == pytest.approx(35.0)
    assert found["both_active_cpu_pct"] == pytest.approx(41.0)
    assert found["failover_cpu_pct"] == pytest.approx(50.0)


def test_disks_are_shown_over_capacity_with_and_without_a_log() -> None:
    advice = asked(disk_in_cluster_pct=74.0)
    found = values(advice)
    assert advice.conclusion == "over capacity"
    assert found["both_active_disk_pct"] == pytest.approx(109.0)
    assert found["both_active_disk_logged_pct"] == pytest.approx(96.0)
    assert found["logging_change_pct"] == pytest.approx(-17.57, abs=0.01)
    logged = values(asked(disk_in_cluster_pct=61.0, transaction_logging=True))
    assert logged["both_active_disk_logged_pct"] == pytest.approx(96.0)


def test_replicators_one_more_than_members_replicated_to() -> None:
    for others in (1, 2, 3):
        advice = asked(members=others + 1)
        assert values(advice)["replicators"] == others + 1
        assert advice.lines[-1].count("CLREPL") == others + 1
    assert values(asked(has_spare_cpu=True))["replicators"] == 3
    assert values(asked(members=3, has_spare_cpu=True))["replicators"] == 3


def test_queues_as_measured_or_marked() -> None:
    found = {each.id: each for each in asked().numbers}
    assert [found[f"queue_s_{count}"].value for count in (1, 3)] == pytest.approx([45.0, 14.0])
    assert found["queue_s_2"].value == pytest.approx(21.5, abs=0.05)
    assert found["queue_s_2"].basis is Basis.INTERPOLATED
    assert (found["queue_s_4"].value, found["queue_s_4"].basis) == (None, Basis.NO_DATA)


@pytest.mark.parametrize(("users", "word"), [(2000.0, "fits"), (2001.0, "at risk")])
def test_the_tested_failover(users: float, word: str) -> None:
    advice = asked(release="8.5.1", users=users, vcpus=2, ram_gib=16.0)
    assert advice.conclusion == word
    assert values(advice)["tested_failover_users"] == 4000.0


def test_more_than_a_server_has_is_not_clipped() -> None:
    advice = asked(cpu_pct=90.0)
    assert values(advice)["both_active_cpu_pct"] == pytest.approx(147.6)
    assert advice.conclusion == "over capacity"


def test_more_writes_cost_more_and_none_the_least() -> None:
    extra = [
        values(asked(cpu_pct=25.0, writes_per_user_day=writes))["both_active_cpu_pct"]
        for writes in (0.0, 133.0, 266.0)
    ]
    assert extra == pytest.approx([26.875, 41.0, 57.0])


def test_more_members_leave_less_to_each_when_one_is_lost() -> None:
    lost = [values(asked(members=n, cpu_pct=30.0))["failover_cpu_pct"] for n in (2, 3, 4, 6)]
    assert lost[0] == pytest.approx(60.0)
    assert sorted(lost, key=float, reverse=True) == lost  # type: ignore[arg-type]


def test_memory_of_clients() -> None:
    assert values(asked(clients=1024.0))["clients_memory_mb"] == pytest.approx(200.0)


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"replicas_per_user": 3}, "replicas_per_user"),
        ({"disk_pct": 10.0, "disk_in_cluster_pct": 10.0}, "disk_in_cluster_pct"),
        ({"members": 1}, "members"),
        ({"cpu_pct": 101.0}, "cpu_pct"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(inputs: dict[str, object], field: str) -> None:
    with pytest.raises(ModelError) as refused:
        asked(**inputs)
    assert refused.value.field == field


def test_who_writes_nothing_still_takes_five_per_cent_more() -> None:
    found = {each.id: each for each in asked(cpu_pct=20.0, writes_per_user_day=0.0).numbers}
    assert (found["active_cpu_increase_pct"].value or 0.0) == pytest.approx(5.0)
    assert (found["both_active_cpu_pct"].value or 0.0) >= 21.0
    assert (found["both_active_cpu_pct"].low or 0.0) >= 21.0


def test_who_writes_much_more_may_take_more_than_three_times() -> None:
    advice = asked(cpu_pct=20.0, writes_per_user_day=800.0)
    both = next(each for each in advice.numbers if each.id == "both_active_cpu_pct")
    assert (both.value or 0.0) > 3 * 20.0
    assert (both.high or 0.0) > 1.5 * (both.value or 0.0)
    assert any("more than three times" in each for each in advice.reasons)


@pytest.mark.parametrize(
    ("load", "word"), [(20.0, "fits"), (30.0, "at risk"), (39.0, "at risk"), (73.0, "at risk")]
)
def test_a_network_near_its_limit_or_led_there_is_no_fit(load: float, word: str) -> None:
    advice = asked(cpu_pct=25.0, network_pct=load)
    assert advice.conclusion == word
    assert any("private network" in each for each in advice.next) is (word != "fits")


def test_where_nothing_is_known_nothing_fits() -> None:
    advice = asked(users=4000.0)
    assert (advice.conclusion, advice.verdict) == ("measure first", Verdict.NOT_KNOWN)
