"""Many samples: they are predictions, spread as stated, and the same from the same seed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from db.chance import chance_to_json, sensitivity_to_json
from models.base.errors import ModelError
from models.base.fields import Grows
from models.base.quantities import Z_90, Quantity, Series
from models.judgement.against_limits import NEAR
from models.judgement.draws import DRAWN, with_load
from models.predict.prediction import (
    HostPrediction,
    PoolPrediction,
    Verdict,
    VmPrediction,
)
from models.scenario.growth import busier, growing, with_more
from models.scenario.origin import Origin
from models.scenario.scenario import LoadBasis, Loss, MeasuredOn, Posture, Profile, Scenario
from models.scenario.workloads import WorkloadKind
from models.tell.chance import chance_sections, sensitivity_sections
from models.uncertainty.chance import (
    PERCENTILES,
    drawn,
    drivers,
    latin_hypercube,
    simulate,
    uncertain_inputs,
)
from models.uncertainty.sensitivity import OF, number, sensitivity, swings
from models.whatif import Ends, what_if
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    members,
    predict,
    with_policy,
)

SCENARIO = a_cluster_of(2, vms=2)
AT = (SCENARIO, KNOWLEDGE)
FLASH = a_pool(array="gen-afa-mid", disk="nvme", spindles=24, raid="6")


def test_work_and_mail_of_a_batch_are_those_of_a_prediction() -> None:
    mail = [[vm.workload.mail_file_mb * 2.0 for vm in SCENARIO.vms]]
    found = what_if(*AT, work=[1.3], mail_file_mb=mail)
    vms = tuple(
        replace(vm, workload=replace(vm.workload, mail_file_mb=vm.workload.mail_file_mb * 2.0))
        for vm in SCENARIO.vms
    )
    alone = predict(busier(replace(SCENARIO, vms=vms), 1.3))
    assert found.host_cpu_pct.value[0].tolist() == alone.hosts.cpu_pct.value.tolist()
    assert (
        found.pool_utilisation_pct.value[0].tolist() == alone.pools.utilisation_pct.value.tolist()
    )
    assert found.vm_response_ms.value[0].tolist() == alone.vms.response_ms.value.tolist()


def test_every_column_of_the_cube_has_one_share_in_each_stripe() -> None:
    shares = latin_hypercube(50, 4, seed=3)
    stripes = np.sort(np.floor(shares * 50).astype(int), axis=0)
    assert (stripes == np.arange(50)[:, None]).all()


def test_an_input_has_its_range_for_its_percentiles() -> None:
    users = uncertain_inputs(SCENARIO)[0]
    low, middle, high = users.at(np.array([0.05, 0.5, 0.95]))
    assert (low, middle, high) == pytest.approx((users.low, 1.0, users.high))


def test_what_was_measured_is_known_more_narrowly() -> None:
    paths = (("workload.active_users", Origin.MEASURED),)
    vms = tuple(replace(vm, origins=paths) for vm in SCENARIO.vms)
    measured, said = (uncertain_inputs(each)[0] for each in (replace(SCENARIO, vms=vms), SCENARIO))
    assert measured.high < said.high


def test_a_number_drawn_many_times_has_its_own_interval() -> None:
    """Closed form: of a split log-normal law the ends are the 5th and the 95th percentile."""
    z = np.random.default_rng(1).standard_normal(40_000)
    one = np.ones((len(z), 1))
    values = drawn(Ends(one * 100.0, one * 60.0, one * 190.0), z)[:, 0]
    assert np.percentile(values, [5, 50, 95]) == pytest.approx([60.0, 100.0, 190.0], rel=0.02)


def test_of_a_linear_case_percentiles_are_in_closed_form() -> None:
    """These VMs' CPU and I/O are in proportion to users and to their work, and their intervals are
    even: logarithms add up, and so do their variances; the middle is the prediction itself. Of the
    size of mail files, whose distance from what was measured widens an interval, there is none."""
    samples = 4000
    vms = tuple(replace(vm, workload=replace(vm.workload, mail_file_mb=0.0)) for vm in SCENARIO.vms)
    plain = replace(SCENARIO, vms=vms)
    found = simulate(plain, KNOWLEDGE, samples=samples, seed=1)
    today = predict(plain)
    inputs = [math.log(each.high) for each in uncertain_inputs(SCENARIO)[:2]]
    for table, subject, quantity in (
        (today.hosts, "h1", "cpu_pct"),
        (today.vms, "m1", "cpu_pct"),
        (today.vms, "m1", "iops"),
    ):
        number = table.quantity(subject, quantity)
        assert number.value
        assert number.high
        assert number.low
        own = math.log(number.high / number.value)
        assert own == pytest.approx(math.log(number.value / number.low))
        sigma = math.hypot(*inputs, own) / Z_90
        z = [NormalDist().inv_cdf(share / 100) for share in PERCENTILES]
        expected = [number.value * math.exp(sigma * each) for each in z]
        (spread,) = [s for s in found.spreads if (s.subject, s.quantity) == (subject, quantity)]
        # Three standard errors of a quantile, √(p(1 − p)/n)/φ(z), of the logarithm.
        density = [NormalDist().pdf(each) for each in z]
        errors = [
            3.0 * sigma * math.sqrt(p / 100 * (1 - p / 100) / samples) / d
            for p, d in zip(PERCENTILES, density, strict=True)
        ]
        for there, here, error in zip(spread.percentiles, expected, errors, strict=True):
            assert abs(math.log(there / here)) < error


def one_by_one(
    scenario: Scenario, factors: dict[str, np.ndarray], errors: np.ndarray
) -> tuple[np.ndarray, list[Verdict]]:
    """Host CPU and verdict of each sample by a prediction of its own: scenario by scenario.

    Args:
        factors: of the inputs, (s,) each; `errors`: z of each of `DRAWN`, (s, 4).
    """
    cpu, verdicts = [], []
    for row, z in enumerate(errors):
        users, work, mail = (float(factors[each.id][row]) for each in uncertain_inputs(scenario))
        vms = tuple(
            replace(
                vm,
                workload=replace(
                    vm.workload,
                    active_users=vm.workload.active_users * users,
                    mail_file_mb=vm.workload.mail_file_mb * mail,
                ),
            )
            for vm in scenario.vms
        )
        found = predict(busier(replace(scenario, vms=vms), work))
        error = dict(zip(DRAWN, z, strict=True))
        disk_limit = scenario.policy.disk_limit_pct
        normal = [
            *[(each, error["cpu"], 70.0) for each in quantities(found.vms, "cpu_pct")],
            *[(each, error["cpu"], 70.0) for each in quantities(found.hosts, "cpu_pct")],
            *[(each, error["network"], 70.0) for each in quantities(found.hosts, "network_pct")],
            *[
                (each, error["iops"], disk_limit)
                for each in quantities(found.pools, "utilisation_pct")
            ],
        ]
        lost = [(mode.cpu_pct, error["cpu"], 70.0) for mode in found.failures]
        codes = [judged_alone(*each) for each in normal]
        codes += [min(judged_alone(*each), 2) for each in lost]
        codes += [each.weight for each in found.findings]
        cpu.append(shifted(found.hosts.cpu_pct, error["cpu"])[0])
        verdicts.append(Verdict(max(codes)))
    return np.array(cpu), verdicts


def quantities(table: HostPrediction | VmPrediction | PoolPrediction, name: str) -> list[Quantity]:
    return [table.quantity(id, name) for id in table.ids]


def judged_alone(number: Quantity, z: float, limit: float) -> int:
    """The code of one number as drawn, of a policy that judges high ends."""
    assert number.value
    assert number.low
    assert number.high
    end = number.high if z >= 0 else number.low
    there = number.value * (end / number.value) ** (abs(z) / Z_90)
    if there > limit:
        return 3
    return 2 if there > limit * min(1.0, NEAR * number.high / number.value) else 0


def shifted(series: Series, z: float) -> np.ndarray:
    """A number with an error of so many standard deviations: the interval's ends at ±1.645."""
    end = series.high if z >= 0 else series.low
    return np.asarray(series.value * (end / series.value) ** (abs(z) / Z_90))


HOSTS_ALONE = with_policy(
    replace(a_cluster_of(2, vms=8, vcpus=8, ram_gib=4.0), pools=(FLASH,)),
    survive=(Loss.HOST,),
    response_limit_ms=1e6,
)


def test_samples_are_those_of_a_loop_over_predictions() -> None:
    """The very same draws, each as a scenario of its own: the same percentiles and chances."""
    laden, samples, seed = busier(HOSTS_ALONE, 6.0), 80, 3
    found = simulate(laden, KNOWLEDGE, samples=samples, seed=seed)
    inputs = uncertain_inputs(laden)
    shares = latin_hypercube(samples, len(inputs) + len(DRAWN), seed)
    factors = {each.id: each.at(shares[:, row]) for row, each in enumerate(inputs)}
    z = np.vectorize(NormalDist().inv_cdf)(shares[:, len(inputs) :])
    cpu, verdicts = one_by_one(laden, factors, z)
    (host,) = [s for s in found.spreads if (s.subject, s.quantity) == ("h1", "cpu_pct")]
    assert host.percentiles == pytest.approx(np.percentile(cpu, PERCENTILES))
    counted = {each: 100.0 * verdicts.count(each) / samples for each in Verdict}
    assert found.verdicts == pytest.approx(counted)
    assert 0.0 < found.verdicts[Verdict.DOES_NOT_FIT] < 100.0


def test_quantiles_are_those_of_plain_random_draws_within_sampling_error() -> None:
    """A loop with draws of its own, without stripes: as many apart as its size explains."""
    laden, samples = busier(HOSTS_ALONE, 6.0), 150
    rng = np.random.default_rng(11)
    inputs = uncertain_inputs(laden)
    factors = {each.id: each.at(rng.uniform(size=samples)) for each in inputs}
    cpu, verdicts = one_by_one(laden, factors, rng.standard_normal((samples, len(DRAWN))))
    found = simulate(laden, KNOWLEDGE, samples=2000, seed=0)
    (host,) = [s for s in found.spreads if (s.subject, s.quantity) == ("h1", "cpu_pct")]
    for share, quantile in zip(PERCENTILES, host.percentiles, strict=True):
        below = float(np.mean(cpu <= quantile))
        p = share / 100.0
        assert abs(below - p) < 3.5 * math.sqrt(p * (1 - p) / samples)
    p = found.verdicts[Verdict.DOES_NOT_FIT] / 100.0
    mine = verdicts.count(Verdict.DOES_NOT_FIT) / samples
    assert abs(mine - p) < 3.5 * math.sqrt(p * (1 - p) / samples)


MODERN = tuple(
    a_host(f"h{row}", server="r760-6530", hypervisor="vsphere-8.0", ram_gib=512.0) for row in (1, 2)
)
PRODUCTION = {"load_basis": LoadBasis.PRODUCTION}
LADEN = a_vm(vcpus=4, ram_gib=16.0, release="12.0.2")
SMALL_FILES = a_vm(vcpus=8, ram_gib=16.0, mail_file_mb=30.0)
CLUSTER = a_cluster_of(2, vms=24, vcpus=32, ram_gib=16.0, release="12.0.2")
MAIL_ONLY = a_cluster_of(2, vms=24, vcpus=32, ram_gib=16.0, release="12.0.2", profile=Profile.MAIL)
KNOWN = tuple(
    a_vm(
        f"g{row}",
        0.0,
        host=f"h{row % 2 + 1}",
        kind=WorkloadKind.GENERIC,
        vcpus=32,
        cpu_mhz=33_000.0,
        iops=10.0,
        measured_on=MeasuredOn(server="r760-6530", hypervisor="vsphere-8.0"),
    )
    for row in range(2)
)
"""Half of a host's CPU, so that all of it may not be busy where a number of the rest is wrong."""
BEDS = {
    "normal operation": with_policy(
        a_scenario(vms=(LADEN,), hosts=MODERN[:1]), survive=(), **PRODUCTION
    ),
    "disks": with_policy(
        a_scenario(vms=(SMALL_FILES,), pools=(a_pool(spindles=4),)),
        survive=(),
    ),
    "loss of a host": with_policy(
        replace(
            MAIL_ONLY,
            hosts=tuple(replace(each, cluster="c1") for each in MODERN),
            pools=(FLASH,),
            vms=(*MAIL_ONLY.vms, *KNOWN),
        ),
        survive=(Loss.HOST,),
        response_limit_ms=1e5,
        vcpus_per_core_limit=100.0,
        **PRODUCTION,
    ),
    "loss of a partner": with_policy(
        replace(members(2, 300.0, vcpus=4, release="12.0.2"), clusters=(), hosts=MODERN),
        survive=(Loss.PARTNER,),
        **PRODUCTION,
    ),
    "loss of a controller": with_policy(
        replace(a_cluster_of(3, vms=9, vcpus=8, ram_gib=6.0), pools=(a_pool(spindles=160),)),
        survive=(Loss.CONTROLLER,),
    ),
}
"""Designs in which one number turns the verdict, each in another mode."""


def at_the_border(bed: Scenario) -> Scenario:
    """The bed with just so many people as fit."""
    fit, too_many = 0.02, 60.0
    for _ in range(30):
        factor = math.sqrt(fit * too_many)
        if predict(with_more(bed, factor, *growing(Grows.USERS))).verdict is Verdict.FITS:
            fit = factor
        else:
            too_many = factor
    return with_more(bed, fit, *growing(Grows.USERS))


@pytest.mark.parametrize("mode", BEDS)
@pytest.mark.parametrize(
    ("posture", "expected"),
    [(Posture.AGGRESSIVE, 50.0), (Posture.STANDARD, 80.0), (Posture.CONSERVATIVE, 95.0)],
)
@pytest.mark.slow
def test_at_the_border_of_its_verdict_a_design_fits_as_often_as_the_posture_says(
    posture: Posture, expected: float, mode: str
) -> None:
    """What is drawn of the inputs widens it by a little, as do numbers that are next in line."""
    border = at_the_border(with_policy(BEDS[mode], posture=posture))
    found = simulate(border, KNOWLEDGE, samples=600)
    assert found.verdicts[Verdict.FITS] == pytest.approx(expected, abs=8.0)


def test_a_pair_is_less_sure_than_one_of_its_servers_alone() -> None:
    pair = with_policy(BEDS["loss of a partner"], posture=Posture.STANDARD)
    alone = with_policy(pair, survive=())
    fits = [
        simulate(each, KNOWLEDGE, samples=300).verdicts[Verdict.FITS]
        for each in (busier(alone, 4.0), busier(pair, 4.0))
    ]
    assert fits[1] < fits[0] - 5.0


def test_far_from_its_limits_a_design_is_sure_in_every_posture() -> None:
    fits = [
        simulate(with_policy(SCENARIO, posture=each), KNOWLEDGE, samples=200) for each in Posture
    ]
    assert {each.verdicts[Verdict.FITS] for each in fits} == {100.0}


def test_what_leans_on_load_has_the_error_of_the_load() -> None:
    """Of a sum of independent errors with these weights the variance is one."""
    rng = np.random.default_rng(5)
    own, load = rng.standard_normal((2, 20_000))
    value, high = np.ones(20_000), np.full(20_000, 8.0)
    z = with_load(own, load, np.full(20_000, 2.0), value, high)
    assert np.std(z) == pytest.approx(1.0, abs=0.02)
    assert np.corrcoef(z, load)[0, 1] == pytest.approx(math.sqrt(1 - 1 / 9), abs=0.01)


def test_chances_are_of_all_verdicts_and_add_up() -> None:
    found = simulate(*AT, samples=200, seed=2)
    assert set(found.verdicts) == set(Verdict)
    assert sum(found.verdicts.values()) == pytest.approx(100.0)
    assert sum(share for _, share in found.drivers) == pytest.approx(100.0)


def test_twice_the_load_is_less_likely_to_fit() -> None:
    light = simulate(*AT, samples=200).verdicts[Verdict.DOES_NOT_FIT]
    heavy = simulate(busier(SCENARIO, 6.0), KNOWLEDGE, samples=200)
    assert heavy.verdicts[Verdict.DOES_NOT_FIT] > light


def test_the_same_seed_gives_the_same_bytes() -> None:
    one, two = (json.dumps(chance_to_json(simulate(*AT, samples=100, seed=7))) for _ in range(2))
    assert one == two
    assert one != json.dumps(chance_to_json(simulate(*AT, samples=100, seed=8)))


def test_a_cancelled_simulation_ends() -> None:
    def check() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        simulate(*AT, samples=50, check=check)


def test_a_driver_that_alone_moves_the_result_has_all_of_it() -> None:
    x = np.linspace(0.0, 1.0, 50)
    assert drivers({"a": x, "b": np.zeros(50)}, 3.0 * x) == [("a", 100.0), ("b", 0.0)]


def test_bars_are_predictions_at_the_ends_widest_first() -> None:
    found = sensitivity(*AT)
    widths = [bar.width for bar in found.bars]
    assert widths == sorted(widths, reverse=True)
    for bar in found.bars:
        there = bar.swing.change(SCENARIO, bar.swing.high)
        assert bar.at_high == number(predict(there), there.policy, found.of)


def test_the_verdict_turns_where_it_is_said_to() -> None:
    for bar in sensitivity(*AT).bars:
        if bar.turns_at is not None:
            turned = predict(bar.swing.change(SCENARIO, bar.turns_at)).verdict
            assert turned is not predict(SCENARIO).verdict


@pytest.mark.parametrize("of", OF)
def test_every_number_can_be_asked_about(of: str) -> None:
    found = sensitivity(*AT, of=of)
    assert json.loads(json.dumps(sensitivity_to_json(found)))["of"] == of
    assert sensitivity_sections(found, SCENARIO)


def test_a_number_there_is_not_is_refused() -> None:
    with pytest.raises(ModelError, match="there is no number"):
        sensitivity(*AT, of="luck")


def test_production_does_not_move_what_it_does_not_use() -> None:
    policy = replace(SCENARIO.policy, load_basis=LoadBasis.PRODUCTION)
    moved = [
        {each.input for each in swings(replace(SCENARIO, policy=p))}
        for p in (SCENARIO.policy, policy)
    ]
    assert moved[0] - moved[1] == {"policy.benchmark_derating"}


def test_what_is_told_has_every_verdict() -> None:
    found = simulate(*AT, samples=50)
    text = repr(chance_sections(found, SCENARIO)).lower()
    assert all(str(verdict.label) in text for verdict in Verdict)


GROUPS = replace(
    BEDS["loss of a host"],
    hosts=tuple(
        replace(
            MODERN[0], id=f"h{row}", name=f"H{row}", cluster="c1", failure_group=f"rack {row % 2}"
        )
        for row in range(1, 5)
    ),
    vms=tuple(
        replace(vm, id=f"{vm.id}-{half}", name=f"{vm.name}-{half}", host=f"h{place % 2 + half}")
        for half in (1, 3)
        for place, vm in enumerate(CLUSTER.vms)
    ),
)
"""Four hosts in two racks, either of which may be lost."""


@pytest.mark.parametrize("posture", [Posture.STANDARD, Posture.CONSERVATIVE])
def test_the_loss_of_a_group_counts_as_often_as_the_posture_says(posture: Posture) -> None:
    racks = with_policy(GROUPS, survive=(Loss.GROUP,), posture=posture)
    border = at_the_border(racks)
    assert predict(with_policy(border, survive=())).verdict is Verdict.FITS
    found = simulate(border, KNOWLEDGE, samples=200)
    expected = {Posture.STANDARD: 80.0, Posture.CONSERVATIVE: 95.0}[posture]
    assert found.verdicts[Verdict.FITS] == pytest.approx(expected, abs=8.0)


def test_a_batch_knows_the_loss_of_a_group() -> None:
    laden = with_policy(at_the_border(with_policy(GROUPS, survive=(Loss.GROUP,))), survive=())
    racks = with_policy(laden, survive=(Loss.GROUP,))
    batches = [what_if(each, KNOWLEDGE, factor=[1.0, 1.3]) for each in (laden, racks)]
    assert [each.verdict.tolist() for each in batches] == [[0, 0], [0, int(Verdict.AT_RISK)]]
