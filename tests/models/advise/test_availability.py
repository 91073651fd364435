"""Availability settings: starting values, what too late and too eager are, and directions."""

from __future__ import annotations

import pytest

from app.cli_advise import knowledge
from models.advise.advice import Advice, advise
from models.advise.availability import TOPIC, AvailabilitySettings, PublishedServer, index_of
from models.base.errors import ModelError


def asked(**inputs: object) -> Advice:
    return advise(TOPIC, AvailabilitySettings(**inputs), knowledge())  # type: ignore[arg-type]


def values(advice: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in advice.numbers}


@pytest.mark.parametrize("ms", [30.0, 10.0, 6.0, 2.0, 0.5, 4.2])
def test_the_normalising_time_is_a_hundred_times_the_mean(ms: float) -> None:
    assert values(asked(mean_transaction_ms=ms))["stn"] == round(100 * ms)


@pytest.mark.parametrize(
    ("server", "sat", "stn", "ms"),
    [(PublishedServer.COMPAQ, 95, 600, 6), (PublishedServer.NETFINITY, 97, 200, 2)],
)
def test_published_servers(server: PublishedServer, sat: float, stn: float, ms: float) -> None:
    found = values(asked(server=server))
    assert (found["sat"], found["stn"], found["mean_transaction_ms"]) == (sat, stn, ms)


@pytest.mark.parametrize(
    ("sat", "stn", "word"),
    [
        (90.0, 600.0, "too late"),
        (99.0, 600.0, "too eager"),
        (95.0, 600.0, "balanced"),
        (97.0, 600.0, "balanced"),
        (96.0, 3000.0, "too late"),
        (96.0, None, "too late"),
        (96.0, 100.0, "too eager"),
        (None, None, "starting values"),
    ],
)
def test_settings_are_judged(sat: float | None, stn: float | None, word: str) -> None:
    assert asked(mean_transaction_ms=6.0, threshold=sat, normalize=stn).conclusion == word


def test_lines_to_copy() -> None:
    lines = asked(mean_transaction_ms=6.0).lines
    assert "Server_TransInfo_Normalize=600" in lines
    assert "Server_Availability_Threshold=95" in lines
    assert "MailClusterFailover=0" in lines
    tasks = next(each for each in lines if each.startswith("ServerTasks="))
    assert tasks.count("CLREPL") == 2


@pytest.mark.parametrize("ms", [2.0, 6.0, 30.0])
def test_the_simulation_shows_the_directions(ms: float) -> None:
    advice = asked(mean_transaction_ms=ms)
    found = {id: value or 0.0 for id, value in values(advice).items()}
    assert found["steepest_fall_too_large"] > 1.3 * found["steepest_fall_start"]
    assert found["lowest_index_start"] < 20
    assert found["lowest_index_failover"] > 90
    (plot,) = advice.plots
    failover = plot.curves[-1][1]
    low = next(step for step, index in enumerate(failover) if index < 95)
    assert max(failover[low:]) > 95


def test_later_releases_have_a_range_and_no_normalising_time() -> None:
    advice = asked(release="12.0.2", expansion_factor=300.0)
    assert values(advice)["server_transinfo_range"] == 9
    assert "Server_TransInfo_Range=9" in advice.lines
    assert not any("Normalize" in each for each in advice.lines)
    assert (index_of(1.0, 6.0), index_of(64.0, 6.0), index_of(1000.0, 6.0)) == (100.0, 0.0, 0.0)
    with pytest.raises(ModelError) as refused:
        asked(release="8.5", normalize=600.0)
    assert refused.value.field == "normalize"
