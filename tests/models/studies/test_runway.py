"""The years ahead: months by hand, and steps that are predictions like any other."""

from __future__ import annotations

import json
from dataclasses import replace
from math import log

import pytest

from db.runway import runway_to_json
from models.evaluate import evaluate
from models.judgement.binding import deciding
from models.predict.prediction import Binding, Prediction, Verdict
from models.scenario.growth import busier, grown
from models.scenario.maintenance import window_of
from models.scenario.scenario import Growth, Loss, Maintenance, Scenario
from models.studies.runway import (
    NORMAL,
    Runway,
    crossed,
    first_crossing,
    runway,
    with_growth,
)
from models.tell.growth import growth_sections, outlook_text, profiles_text
from tests.models.random_site import random_site
from tests.models.worlds import CATALOG, KNOWLEDGE, a_cluster_of, predict
from tests.sweeps import some

CLUSTER = a_cluster_of(3, vms=3)


def planned(**rates: float) -> Scenario:
    return replace(CLUSTER, growth=Growth(years=5.0, **rates))


def found(scenario: Scenario, **how: float) -> Runway:
    given = {"years": 5.0, "every": 1} | how
    return runway(scenario, KNOWLEDGE, **given)  # type: ignore[arg-type]


def test_each_step_is_the_prediction_of_the_grown_scenario() -> None:
    scenario = planned(users_pct=10.0, mail_pct=20.0)
    for step in found(scenario, every=12).steps:
        there = predict(grown(scenario, step.month / 12))
        cpu = [there.hosts.quantity(id, "cpu_pct").value for id in there.hosts.ids]
        assert step.normal["cpu_pct"] == max(each for each in cpu if each is not None)
        assert step.verdict is there.verdict


def test_space_runs_out_in_the_month_that_a_calculator_says() -> None:
    """Mail files are all that fills the pool: share · 1.5^(m/12) = limit."""
    scenario = planned(mail_pct=50.0)
    today = predict(scenario).pools.capacity_pct.value.max()
    limit = scenario.policy.capacity_limit_pct
    by_hand = 12.0 * log(limit / today) / log(1.5)
    years = by_hand / 12.0 + 1.0
    (space,) = [each for each in found(scenario, years=years).crossings if each.resource == "space"]
    assert space.month == pytest.approx(by_hand, abs=1.5)
    assert space.low is not None and space.low <= by_hand + 1.5  # noqa: PT018
    assert space.mode == NORMAL


def test_without_growth_nothing_runs_out_that_does_not_today() -> None:
    there = found(planned(), years=2.0, every=6)
    assert there.first is None
    assert there.holds_until is None
    assert len({step.verdict for step in there.steps}) == 1


def test_the_first_sentence_says_what_the_rows_doubt() -> None:
    there = found(planned(), years=1.0, every=12)
    said = outlook_text(there, lambda id: id)
    assert there.first is there.doubtful is None
    assert said.startswith("nothing passes a limit")
    (cpu, *_) = [each for each in there.crossings if each.resource == "cpu"]
    unsure = replace(there, crossings=(replace(cpu, low=0.0), *there.crossings))
    said = outlook_text(unsure, lambda id: id)
    assert said == (
        "for 1 year the verdict stays “fits”: no number is expected to pass its limit, only at the "
        f"far end of its range would CPU ({cpu.subject}) do so, already today."
    )
    later = replace(cpu, month=9.0, low=6.0, high=None)
    sooner = replace(there, crossings=(later, replace(cpu, low=3.0)))
    assert "would be over its limit sooner, from month 3 on." in outlook_text(sooner, str)
    known = replace(sooner, crossings=(replace(later, month=2.0), replace(cpu, low=3.0)))
    assert known.doubtful is None


def test_what_turns_the_verdict_is_named_though_no_value_passes_its_limit() -> None:
    """Judged by its high end, CPU turns a verdict long before it is over its limit itself."""
    vms = (replace(CLUSTER.vms[0], ram_gib=24.0),)
    policy = replace(CLUSTER.policy, survive=())
    scenario = replace(planned(users_pct=30.0), vms=vms, policy=policy)
    there = found(scenario, years=8.0, every=6)
    turn = there.turns[0]
    month = next(each.month for each in there.steps if each.verdict is not there.steps[0].verdict)
    assert (turn.month, turn.before, turn.verdict) == (month, Verdict.FITS, Verdict.AT_RISK)
    cause = deciding(predict(grown(scenario, month / 12)))
    assert isinstance(cause, Binding)
    assert (turn.resource, turn.subject, turn.mode) == ("cpu", cause.subject, cause.mode)
    (told, *_) = runway_to_json(there)["turns"]
    assert (told["month"], told["verdict"], told["resource"]) == (month, "at risk", "cpu")
    assert str(turn.why) in outlook_text(there, str)


def test_a_rule_that_turns_the_verdict_is_named() -> None:
    """More users than any published load of one server."""
    policy = replace(CLUSTER.policy, survive=(), response_limit_ms=1e6)
    vms = (replace(CLUSTER.vms[0], vcpus=8, ram_gib=24.0),)
    scenario = replace(planned(users_pct=60.0), vms=vms, policy=policy)
    turn = found(scenario, years=5.0, every=6).turns[0]
    assert (turn.rule, turn.resource, turn.subject) == ("beyond-published-load", "", "m1")


def test_nothing_that_runs_has_nothing_that_runs_out() -> None:
    empty = replace(planned(users_pct=10.0), vms=())
    there = found(empty, every=12)
    assert "Nothing runs yet" in repr(growth_sections(there, empty))
    assert there.turns == ()


def test_more_growth_never_lasts_longer() -> None:
    months = []
    for rate in (20.0, 40.0, 80.0):
        first = found(planned(users_pct=rate), every=3).first
        months.append(float("inf") if first is None or first.month is None else first.month)
    assert months == sorted(months, reverse=True)


def test_a_season_comes_sooner() -> None:
    scenario = planned(users_pct=60.0)
    usual, season = found(scenario, every=3), found(scenario, every=3, season_pct=40.0)
    assert usual.first is not None
    assert season.first is not None
    assert (season.first.month or 0.0) <= (usual.first.month or 0.0)


def test_the_interval_holds_the_month() -> None:
    for each in found(planned(users_pct=40.0), every=3).crossings:
        if each.month is not None:
            assert each.low is not None
            assert each.low <= each.month + 1e-9
            assert each.high is None or each.high >= each.month - 1e-9


def test_a_number_without_data_passes_nothing() -> None:
    assert crossed([0, 6, 12], [None, 60.0, 90.0], 70.0) == 8.0
    assert crossed([0, 6, 12], [None, None, None], 70.0) is None


def test_other_rates_stand_in_place_of_the_planned_ones() -> None:
    changed = with_growth(planned(users_pct=10.0), mail_pct=7.0)
    assert (changed.growth.users_pct, changed.growth.mail_pct) == (10.0, 7.0)


def test_what_is_told_is_what_was_found() -> None:
    scenario = planned(users_pct=60.0)
    there = found(scenario, every=3)
    text = repr(growth_sections(there, scenario))
    assert there.first is not None
    assert "irst to pass its limit is" in text or "from the first day" in text
    assert Verdict.FITS.label in text
    assert json.loads(json.dumps(runway_to_json(there)))["steps"][0]["month"] == 0


PLAN = Growth(years=2.0, users_pct=5.0)
WINDOW_LOAD = Maintenance(
    users_pct=25.0, compact_mhz=600.0, compact_iops=100.0, backup_mhz=400.0, backup_iops=50.0
)


def _value(prediction: Prediction, vm: str, quantity: str) -> float:
    value = prediction.vms.quantity(vm, quantity).value
    assert value is not None
    return float(value)


def test_the_window_adds_what_runs_there_to_a_share_of_the_users() -> None:
    """By hand: CPU and I/O of a quarter of the work, and on each server 1,000 MHz and 150 IO/s."""
    scenario = a_cluster_of(2, vms=2)
    quarter = busier(scenario, 0.25)
    window = window_of(WINDOW_LOAD)
    there = evaluate(scenario, KNOWLEDGE, window=window)
    users = predict(quarter)
    for id in there.vms.ids:
        assert there.vms.quantity(id, "iops").value == pytest.approx(
            _value(users, id, "iops") + 150.0
        )
        host = scenario.host(scenario.vm(id).host or "")
        mhz = CATALOG.servers[host.server].base_mhz
        assert mhz is not None
        more = 100.0 * 1000.0 / mhz / scenario.vm(id).vcpus
        assert there.vms.quantity(id, "cpu_pct").value == pytest.approx(
            _value(users, id, "cpu_pct") + more
        )


def test_what_nobody_stated_of_a_task_has_no_data() -> None:
    window = window_of(Maintenance(compact_iops=100.0))
    assert window is not None
    assert window.unstated == ("updall", "backup", "scan")
    there = evaluate(a_cluster_of(1, vms=1), KNOWLEDGE, window=window)
    assert there.vms.quantity("m1", "cpu_pct").value is None
    assert there.vms.quantity("m1", "iops").value is not None
    assert there.verdict >= Verdict.NOT_KNOWN
    assert window_of(Maintenance(users_pct=10.0)) is None


def test_the_worst_profile_decides() -> None:
    scenario = replace(a_cluster_of(2, vms=2), growth=PLAN)
    heavy = replace(scenario, maintenance=replace(WINDOW_LOAD, compact_iops=1e5))
    season = replace(scenario, growth=replace(scenario.growth, season_pct=10.0))
    usual, at_night, in_season = (found(each, every=12) for each in (scenario, heavy, season))
    assert at_night.steps[0].profile == "maintenance"
    assert at_night.steps[0].verdict is Verdict.DOES_NOT_FIT
    first = at_night.first
    assert first is not None
    assert (first.profile, first.month) == ("maintenance", 0.0)
    assert (in_season.steps[0].normal["vm_cpu_pct"] or 0.0) > (
        usual.steps[0].normal["vm_cpu_pct"] or 0.0
    )
    told = runway_to_json(at_night)
    assert told["profiles"]["season"] is None
    assert told["profiles"]["maintenance"]["not_known"] == ["updall", "scan"]


def test_profiles_that_nobody_stated_are_named() -> None:
    scenario = replace(a_cluster_of(1, vms=1), growth=PLAN)
    assert "Neither a seasonal peak nor" in profiles_text(found(scenario, every=12))
    stated = replace(scenario, maintenance=WINDOW_LOAD)
    words = profiles_text(found(stated, every=12))
    assert "not stated and not counted: Updall, virus scan" in words
    assert "A seasonal peak isn" in words


@pytest.mark.parametrize(
    "growth",
    some(
        [
            Growth(years=3.0, load_pct=5.0),
            Growth(years=3.0, load_pct=40.0),
            Growth(years=3.0, load_pct=30.0, users_pct=-10.0),
        ]
    ),
)
def test_the_first_that_is_looked_for_alone_is_the_first_of_all(growth: Growth) -> None:
    site = replace(random_site(4, vms=60), growth=growth)
    larger = replace(site, hosts=tuple(replace(host, ram_gib=1024.0) for host in site.hosts))
    at = larger, KNOWLEDGE
    alone = first_crossing(*at, years=8.0, every=6)
    whole = next(
        (each for each in runway(*at, years=8.0, every=6).crossings if each.month is not None), None
    )
    assert (alone is None) == (whole is None)
    if alone is not None and whole is not None:
        assert alone.resource == whole.resource
        assert alone.month == pytest.approx(whole.month)


def test_a_loss_that_is_to_be_survived_runs_out_as_the_dials_say() -> None:
    """With a controller lost the drives pass their limit years before they do so without."""
    scenario = planned(load_pct=25.0)
    policy = replace(scenario.policy, survive=(Loss.CONTROLLER,))
    whole = found(replace(scenario, policy=policy), years=12.0, every=12)
    lost, alone = [
        next(each for each in whole.crossings if (each.resource, each.loss is not None) == key)
        for key in (("iops", True), ("iops", False))
    ]
    assert lost.mode == f"controller {lost.subject}"
    assert lost.month is not None
    assert alone.month is None or lost.month < alone.month
    years = int(lost.month // 12)
    for step, is_over in ((years, False), (years + 1, True)):
        there = predict(grown(replace(scenario, policy=policy), float(step)))
        (binding,) = [
            each
            for each in there.nearest
            if each.mode == lost.mode and each.resource == "utilisation_pct"
        ]
        assert (binding.value > binding.limit) is is_over
    without = replace(scenario.policy, survive=())
    assert not [
        each
        for each in found(replace(scenario, policy=without), every=12).crossings
        if each.loss is not None
    ]
