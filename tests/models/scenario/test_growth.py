"""A scenario in the years ahead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.base.fields import Grows, fields_of
from models.scenario.growth import busier, growing, grown
from models.scenario.scenario import Growth, LoadBasis, Policy, Scenario, Workload
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import a_scenario, a_vm, predict

PLAN = Growth(years=3.0, users_pct=10.0, mail_pct=20.0, load_pct=5.0)


def planned(plan: Growth = PLAN, **change: object) -> Scenario:
    mail = a_vm("m1", users=1000.0, registered_users=3000.0)
    own = a_vm("g1", kind=WorkloadKind.GENERIC, users=0.0, cpu_mhz=900.0, iops=100.0, disk_gib=50.0)
    return replace(a_scenario(vms=(mail, own), **change), growth=plan)


def test_rates_are_compound() -> None:
    mail, own = grown(planned(), 2.0).vms
    assert mail.workload.active_users == pytest.approx(1210.0)
    assert mail.workload.registered_users == pytest.approx(3630.0)
    assert mail.workload.mail_file_mb == pytest.approx(
        planned().vms[0].workload.mail_file_mb * 1.44
    )
    assert own.workload.cpu_mhz == pytest.approx(900.0 * 1.05**2)
    assert own.workload.iops == pytest.approx(100.0 * 1.05**2)
    assert own.workload.disk_gib == pytest.approx(50.0 * 1.44)
    after = grown(planned(), 2.0)
    assert after.policy.load_factor == pytest.approx(1.05**2)
    assert after.growth == replace(PLAN, years=1.0)


def test_years_add_up_and_none_changes_nothing() -> None:
    assert grown(planned(), 0.0) == planned()
    twice, once = grown(grown(planned(), 1.0), 0.5), grown(planned(), 1.5)
    for one, other in zip(twice.vms, once.vms, strict=True):
        assert one.workload.active_users == pytest.approx(other.workload.active_users)
    assert twice.policy.load_factor == pytest.approx(once.policy.load_factor)


def test_growth_without_years_leaves_the_numbers_of_today() -> None:
    assert predict(planned()).verdict is predict(planned(Growth())).verdict
    assert predict(planned()).vms.cpu_pct.value.tolist() == (
        predict(planned(Growth())).vms.cpu_pct.value.tolist()
    )


@pytest.mark.parametrize("basis", LoadBasis)
def test_more_work_is_as_many_more_users(basis: LoadBasis) -> None:
    """Where users have nothing but work: the same owners, and files of the same size."""
    policy = Policy(load_basis=basis)
    today = a_scenario(vms=(a_vm(users=200.0, registered_users=400.0),), policy=policy)
    people = a_vm(users=300.0, registered_users=600.0)
    busy = predict(busier(today, 1.5)).vms
    more = predict(a_scenario(vms=(people,), policy=policy)).vms
    if basis is LoadBasis.BENCHMARK:
        assert busy.cpu_pct.value == pytest.approx(more.cpu_pct.value)
    assert busy.iops.value.tolist() != predict(today).vms.iops.value.tolist()
    assert busy.cpu_pct.value[0] > predict(today).vms.cpu_pct.value[0] * 1.2


def test_numbers_stay_within_their_bounds() -> None:
    later = grown(planned(Growth(users_pct=1000.0, mail_pct=1000.0, load_pct=1000.0)), 30.0)
    assert later.vms[0].workload.active_users == 1e9
    assert later.policy.load_factor == 1000.0


def test_every_number_of_a_workload_says_how_it_grows() -> None:
    silent = [n for n, each in fields_of(Workload).items() if each.is_number and each.grows is None]
    assert not silent, f"nobody said how these grow: {silent}"


@pytest.mark.parametrize(
    ("plan", "kinds"),
    [
        (Growth(years=1.0, users_pct=10.0), {Grows.USERS, Grows.LOAD}),
        (Growth(years=1.0, mail_pct=10.0), {Grows.MAIL}),
        (Growth(years=1.0, load_pct=10.0), {Grows.LOAD}),
    ],
)
def test_a_number_grows_as_its_field_says(plan: Growth, kinds: set[Grows]) -> None:
    names = [n for n, each in fields_of(Workload).items() if each.is_number]
    vm = a_vm("m1", **dict.fromkeys(names, 10.0))
    after = grown(replace(a_scenario(vms=(vm,)), growth=plan), 1.0).vms[0].workload
    for name in names:
        expected = 11.0 if name in {each for kind in kinds for each in growing(kind)} else 10.0
        assert getattr(after, name) == pytest.approx(expected), name
