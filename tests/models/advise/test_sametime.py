"""Sametime sizing by the published design, and others of the kind."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli_advise import knowledge
from models.advise.advice import Advice, advise
from models.advise.sametime import TOPIC, Directory, SametimePlan
from models.base.errors import ModelError

WITHIN, BEYOND = "within the known configuration", "not within the known configuration"


def asked(**inputs: Any) -> Advice:
    """With benchmark users, as the documents have them, unless it says otherwise."""
    return advise(TOPIC, SametimePlan(**{"benchmark_derating": 1.0} | inputs), knowledge())


def values(advice: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in advice.numbers}


def test_the_published_design() -> None:
    advice = asked(people=100_000.0)
    found = values(advice)
    assert advice.conclusion == WITHIN
    assert [found[id] for id in ("community_servers", "multiplexers", "hosts")] == [2, 2, 1]
    assert [found[id] for id in ("vcpus", "ram_gb")] == [6, 12]
    assert (found["vcpus_per_core"], found["ram_pct"]) == (0.75, 50)
    assert found["cpu_pct"] is None


@pytest.mark.parametrize("multiplexers", [0, 1])
def test_without_two_multiplexers_it_is_another_design(multiplexers: int) -> None:
    assert asked(people=100_000.0, multiplexers=multiplexers).conclusion == BEYOND


def test_production_users_take_twice_as_much() -> None:
    found = values(asked(people=100_000.0, benchmark_derating=2.0))
    assert [found[id] for id in ("community_servers", "multiplexers", "hosts")] == [4, 4, 2]
    assert found["people_per_host"] == 50_000


def test_people_are_those_of_production_unless_somebody_says_otherwise() -> None:
    assert SametimePlan(people=1.0) == SametimePlan(people=1.0, benchmark_derating=2.0)
    assert TOPIC.example.benchmark_derating == 2.0


@pytest.mark.parametrize(("people", "servers"), [(1.0, 2), (100_001.0, 3), (250_000.0, 5)])
def test_more_users_take_more_servers(people: float, servers: int) -> None:
    advice = asked(people=people)
    assert values(advice)["community_servers"] == servers
    assert advice.conclusion == WITHIN


def test_every_client_is_a_connection() -> None:
    assert values(asked(people=40_000.0, clients_per_person=2.0))["connections"] == 80_000


def test_what_users_do() -> None:
    found = values(asked(people=100_000.0))
    each = [
        found[f"{name}_per_1000"]
        for name in (
            "logins", "status_changes", "status_change_notifications", "im_channels_created",
            "small_ims_sent", "large_ims_sent", "user_info_requests", "storage_reads",
            "storage_updates", "n_way_chats_started",
        )
    ]  # fmt: skip
    assert each == pytest.approx([4.19, 9, 900, 31.6, 47.14, 31.6, 9, 4, 2.67, 0.16])
    assert found["large_messages_kb_per_s"] == pytest.approx(2106.7, abs=0.1)
    assert found["large_messages_mbps"] == pytest.approx(16.85, abs=0.01)


def test_all_log_in() -> None:
    found = values(asked(people=100_000.0))
    assert found["login_all_min"] == pytest.approx(238.7, abs=0.1)
    assert found["logins_per_s"] == pytest.approx(1666.7, abs=0.1)
    assert found["login_storm_factor"] == pytest.approx(238.7, abs=0.1)


def test_what_makes_it_heavier_is_said() -> None:
    advice = asked(
        people=1000.0, directory=Directory.LOCAL, has_pictures=True, has_notes_clients=True,
        has_meetings=True,
    )  # fmt: skip
    said = " ".join(advice.reasons)
    assert all(word in said for word in ("local directory", "Pictures", "Notes client", "Meetings"))
    assert "out of scope" in advice.conclusion


@pytest.mark.parametrize(("people", "servers"), [(200.0, 1), (3500.0, 1), (30_000.0, 3)])
def test_later_releases_have_one_answer_by_the_makers_limit(people: float, servers: int) -> None:
    advice = asked(people=people, release="12.0.2")
    found = values(advice)
    assert advice.conclusion == "within the maker’s limit"
    assert (found["community_servers"], found["multiplexers"]) == (servers, 1)
    assert f"Community servers: {servers}, multiplexers: 1" in advice.sentence
    assert found["vcpus"] is None
    assert found["ram_gb"] is None
    assert not any("VMworld" in each.source for each in advice.numbers if "server" in each.id)


@pytest.mark.parametrize("plan", [{"community_servers": 2}, {"multiplexers": 0}])
def test_a_later_design_is_held_against_the_makers_limit(plan: dict[str, int]) -> None:
    advice = asked(people=30_000.0, release="12.0.2", **plan)
    assert advice.conclusion == "not within the maker’s limit"
    assert "there are to be 3 and 1" in advice.sentence


def test_a_design_without_community_servers_is_refused() -> None:
    with pytest.raises(ModelError) as refused:
        asked(people=10.0, community_servers=0)
    assert refused.value.field == "community_servers"
