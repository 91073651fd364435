"""Transactions a minute of a console: by published servers, and of what nothing was published."""

from __future__ import annotations

import math

import pytest

from app.calibrated import shipped_evidence
from models.base.quantities import Basis
from models.customer.measured import MeasuredServer
from models.customer.score import score_of, with_observed
from models.scenario.scenario import LoadBasis
from models.scenario.transactions import PER_ACTIVE, PER_CONNECTED, TRANSACTIONS, Rate
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import a_scenario, a_vm, predict, with_policy

T_90 = {3: 2.920, 4: 2.353}
"""Student's t of a two-sided 90 % interval, by the number of servers."""
SHIFT_MINUTES = 480.0
PRODUCTION = {"load_basis": LoadBasis.PRODUCTION}


def published() -> dict[str, float]:
    return {row.id: row.value for row in shipped_evidence() if row.value is not None}


def per_active(value: dict[str, float]) -> list[float]:
    a, b = (
        value[f"field/{each}/transactions-now"] / value[f"field/{each}/active-15-min"]
        for each in "ab"
    )
    active = value["field/e/registered-users"] * value["field/e/active-share"] / 100
    return [a, b, value["field/e/transactions-shift"] / SHIFT_MINUTES / active]


def per_connected(value: dict[str, float]) -> list[float]:
    now = [value[f"field/{each}/transactions-now"] for each in "ab"]
    mean = [60 * value[f"field/{each}/transactions-mean"] for each in "cd"]
    users = [value[f"field/{each}/connected"] for each in "abcd"]
    return [rate / of for rate, of in zip((*now, *mean), users, strict=True)]


@pytest.mark.parametrize(
    ("rate", "servers"), [(PER_ACTIVE, per_active), (PER_CONNECTED, per_connected)]
)
def test_rates_are_those_of_the_published_servers(rate: Rate, servers: object) -> None:
    assert callable(servers)
    logs = [math.log(each) for each in servers(published())]
    count, mean = len(logs), sum(logs) / len(logs)
    scatter = math.sqrt(sum((each - mean) ** 2 for each in logs) / (count - 1))
    assert rate.per_user == pytest.approx(math.exp(mean), rel=0.005)
    assert rate.half_width == pytest.approx(
        T_90[count] * scatter * math.sqrt(1 + 1 / count), rel=0.01
    )
    assert set(rate.evidence) <= set(published())


def test_mail_in_production_has_them_and_nothing_else() -> None:
    kinds = (WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES, WorkloadKind.GENERIC)
    plain = a_scenario(
        vms=tuple(a_vm(f"m{n}", kind=kind, users=100.0) for n, kind in enumerate(kinds))
    )
    found = predict(with_policy(plain, **PRODUCTION)).vms.transactions_per_min
    assert [each.basis for each in found] == [Basis.TRANSFERRED, Basis.NO_DATA, Basis.NO_DATA]
    assert found[0].value == pytest.approx(815.0)
    assert found[0].evidence == PER_ACTIVE.evidence
    busier = predict(with_policy(plain, **PRODUCTION, load_factor=2.0))
    assert busier.vms.transactions_per_min[0].value == pytest.approx(1630.0)
    benchmark = predict(plain).vms.transactions_per_min
    assert [each.basis for each in benchmark] == [Basis.NO_DATA] * 3


def test_a_server_that_is_off_makes_none() -> None:
    off = with_policy(a_scenario(vms=(a_vm(users=100.0, powered_on=False),)), **PRODUCTION)
    assert predict(off).vms.transactions_per_min[0].value == 0.0


@pytest.mark.parametrize(("counted", "inside"), [(852.0, True), (20_000.0, False)])
def test_they_are_scored(counted: float, inside: bool) -> None:
    scenario = with_policy(a_scenario(vms=(a_vm(users=92.0),)), **PRODUCTION)
    told = MeasuredServer(server="m1", values={TRANSACTIONS: counted})
    kept, _ = with_observed(scenario, [told])
    (figure,) = score_of(kept, predict(kept)).figures
    assert (figure.quantity, figure.measured, figure.is_inside) == (TRANSACTIONS, counted, inside)
