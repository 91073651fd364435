"""What holds of every scenario, whatever it is: twenty properties of predictions at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from db.codec import scenario_from_json, scenario_to_json
from models.base.fields import Grows
from models.base.quantities import FloatArray, Series, says_nothing
from models.physics.columns import every
from models.predict.prediction import Prediction, Verdict
from models.resilience.modes import decides
from models.scenario.growth import growing, grown, with_more
from models.scenario.scenario import Host, Pool, Scenario, Vm
from tests.models.any_scenario import any_scenario
from tests.models.worlds import CATALOG, predict, with_policy

ALIKE = 1e-9
SERIES = (
    ("vms", "cpu_pct"),
    ("vms", "iops"),
    ("vms", "response_ms"),
    ("vms", "ready_pct"),
    ("hosts", "cpu_pct"),
    ("hosts", "ram_pct"),
    ("pools", "iops"),
    ("pools", "utilisation_pct"),
)
Pair = tuple[Scenario, Prediction]


pytestmark = pytest.mark.seeds(plain=6, slow=1000)


@pytest.fixture
def today(seed: int) -> Pair:
    scenario = any_scenario(seed)
    return scenario, predict(scenario)


def series(prediction: Prediction) -> Iterator[tuple[str, Series]]:
    for table, field in SERIES:
        yield f"{table}.{field}", getattr(getattr(prediction, table), field)


def no_less(more: FloatArray, less: FloatArray) -> bool:
    """Of numbers that are known on both sides."""
    known = ~np.isnan(more) & ~np.isnan(less)
    return every(more[known] >= less[known] * (1 - ALIKE))


def test_a_number_lies_between_its_ends(today: Pair) -> None:
    for name, each in series(today[1]):
        known = ~np.isnan(each.value)
        assert every(each.low[known] <= each.value[known] * (1 + ALIKE)), name
        assert every(each.high[known] >= each.value[known] * (1 - ALIKE)), name
        assert every(each.value[known] >= 0), name


def test_a_response_that_is_shown_says_something(today: Pair) -> None:
    found = today[1].vms.response_ms
    ends = np.array([found.value, found.low, found.high])
    assert not says_nothing(ends[:, ~np.isnan(found.value)]).any()
    for mode in today[1].failures:
        told = mode.response_ms
        if told.value is not None:
            assert not says_nothing(np.array([[told.value], [told.low], [told.high]]))[0]


def test_a_verdict_is_no_better_than_what_it_rests_on(today: Pair) -> None:
    scenario, found = today
    assert found.verdict >= max((each.weight for each in found.findings), default=Verdict.FITS)
    assert found.verdict >= found.normal
    for table in (found.vms, found.hosts, found.pools):
        assert found.verdict >= table.verdict.max(initial=0)
    for mode in found.failures:
        if (
            mode.verdict is not None
            and mode.verdict > Verdict.FITS
            and decides(mode.mode, scenario)
        ):
            assert found.verdict > Verdict.FITS


def test_what_fits_leaves_nobody_down(today: Pair) -> None:
    for mode in today[1].failures:
        if mode.verdict is Verdict.FITS:
            assert not mode.stranded
            assert mode.down is None
            assert not mode.shortfall.ram_gib


def test_a_file_that_is_read_again_says_the_same(today: Pair) -> None:
    again = scenario_from_json(scenario_to_json(today[0]), name="again")
    assert again == today[0]
    assert predict(again).sentence == today[1].sentence


def test_the_order_of_vms_and_hosts_says_nothing(today: Pair) -> None:
    scenario, before = today
    turned = replace(scenario, vms=scenario.vms[::-1], pools=scenario.pools[::-1])
    after = predict(turned)
    assert after.verdict is before.verdict
    for (name, one), (_, other) in zip(series(before), series(after), strict=True):
        back = other.value if name.startswith("hosts") else other.value[::-1]
        np.testing.assert_allclose(one.value, back, rtol=1e-7, err_msg=name)


def test_names_say_nothing(today: Pair) -> None:
    scenario, before = today
    renamed = replace(
        scenario,
        vms=tuple(replace(vm, name=f"z{row}") for row, vm in enumerate(scenario.vms)),
        hosts=tuple(replace(host, name=f"a{row}") for row, host in enumerate(scenario.hosts)),
    )
    assert predict(renamed).verdict is before.verdict


def test_no_years_change_nothing(today: Pair) -> None:
    assert predict(grown(today[0], 0.0)).sentence == today[1].sentence


def test_more_users_ask_for_no_less(today: Pair) -> None:
    more = predict(with_more(today[0], 1.2, *growing(Grows.USERS)))
    for (name, one), (_, other) in zip(series(more), series(today[1]), strict=True):
        if not name.endswith("ram_pct"):
            assert no_less(one.value, other.value), name
    assert more.verdict >= today[1].verdict or more.verdict is Verdict.NOT_KNOWN


def test_larger_mail_files_ask_for_no_less(today: Pair) -> None:
    def larger(vm: Vm) -> Vm:
        work = vm.workload
        return replace(vm, workload=replace(work, mail_file_mb=work.mail_file_mb * 1.5))

    more = predict(replace(today[0], vms=tuple(map(larger, today[0].vms))))
    assert no_less(more.pools.iops.value, today[1].pools.iops.value)
    assert no_less(more.pools.utilisation_pct.value, today[1].pools.utilisation_pct.value)


def test_more_memory_in_hosts_is_no_worse(today: Pair) -> None:
    def larger(host: Host) -> Host:
        most = CATALOG.servers[host.server].max_ram_gib or np.inf
        return replace(host, ram_gib=min(host.ram_gib * 1.5, most))

    more = predict(replace(today[0], hosts=tuple(map(larger, today[0].hosts))))
    assert more.verdict <= today[1].verdict
    assert no_less(today[1].hosts.ram_pct.value, more.hosts.ram_pct.value)


def test_more_drives_are_no_slower(today: Pair) -> None:
    def larger(pool: Pool) -> Pool:
        return replace(pool, spindles=pool.spindles * 2)

    more = predict(replace(today[0], pools=tuple(map(larger, today[0].pools))))
    if not any(each.rule.startswith("array") for each in more.findings):
        assert no_less(today[1].pools.utilisation_pct.value, more.pools.utilisation_pct.value)


def test_a_lower_limit_is_no_better(today: Pair) -> None:
    policy = today[0].policy
    strict = with_policy(
        today[0],
        cpu_limit_pct=policy.cpu_limit_pct * 0.7,
        disk_limit_pct=policy.disk_limit_pct * 0.7,
        response_limit_ms=policy.response_limit_ms * 0.7,
    )
    assert predict(strict).verdict >= today[1].verdict


def test_a_higher_peak_is_no_better(today: Pair) -> None:
    policy = today[0].policy
    peak = with_policy(
        today[0],
        peak_factor_cpu=policy.peak_factor_cpu * 1.3,
        peak_factor_iops=policy.peak_factor_iops * 1.3,
    )
    assert predict(peak).verdict >= today[1].verdict


def test_a_vm_that_is_off_takes_nothing(today: Pair) -> None:
    scenario, before = today
    first, *others = scenario.vms
    after = predict(replace(scenario, vms=(replace(first, powered_on=False), *others)))
    assert no_less(before.hosts.cpu_pct.value, after.hosts.cpu_pct.value)
    assert no_less(before.pools.iops.value, after.pools.iops.value)


def test_an_empty_host_more_takes_no_load(today: Pair) -> None:
    scenario, before = today
    if scenario.hosts[0].cluster is None:
        return
    more = replace(scenario.hosts[0], id="spare", name="spare")
    after = predict(replace(scenario, hosts=(*scenario.hosts, more)))
    np.testing.assert_allclose(after.hosts.cpu_pct.value[:-1], before.hosts.cpu_pct.value)
    assert after.normal <= before.normal


def test_hosts_carry_what_their_vms_ask_for(today: Pair) -> None:
    scenario, found = today
    for row, host in enumerate(scenario.hosts):
        asked = [
            found.vms.cpu_pct.value[i] for i, vm in enumerate(scenario.vms) if vm.host == host.id
        ]
        assert (found.hosts.cpu_pct.value[row] > 0) == any(each > 0 for each in asked)


def test_pools_carry_what_their_vms_ask_for(today: Pair) -> None:
    scenario, found = today
    for row, pool in enumerate(scenario.pools):
        there = [i for i, vm in enumerate(scenario.vms) if vm.pool == pool.id and vm.host]
        asked = float(np.nansum(found.vms.iops.value[there]))
        carried = found.pools.iops.value[row]
        if not np.isnan(carried):
            assert carried == pytest.approx(asked, rel=1e-6)


def test_what_isnt_known_is_not_green(today: Pair) -> None:
    found = today[1]
    serving = np.array(
        [vm.workload.active_users > 0 and vm.host is not None for vm in today[0].vms]
    )
    unknown = np.isnan(found.vms.cpu_pct.value) & serving
    assert not (unknown & (found.vms.verdict == Verdict.FITS)).any()
    if unknown.any():
        assert found.verdict is not Verdict.FITS


def test_every_word_is_said_once(today: Pair) -> None:
    said = [(each.rule, each.subject, each.clause) for each in today[1].findings]
    assert len(said) == len(set(said))
    assert today[1].sentence.count(today[1].shown.words.capitalize()) <= 1
