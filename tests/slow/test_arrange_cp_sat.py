"""The search at half a second against CP-SAT at twenty, where that is installed."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np
import pytest

from app.synthetic import synthetic_scenario
from models.arrange.problem import CPU, Problem, problem_of
from models.arrange.search import search
from tests.models.worlds import KNOWLEDGE

SCALE, SECONDS = 100_000, 20.0


def estate(hosts: int, vms: int, low: float, high: float) -> Problem:
    """VMs of uneven size anywhere on hosts of one cluster."""
    rng = np.random.default_rng(3)
    plain = synthetic_scenario(hosts, vms, load=4.0)
    ram = np.round(rng.uniform(low, high, vms) * 4) / 4
    scenario = replace(
        plain,
        clusters=plain.clusters[:1],
        hosts=tuple(replace(host, cluster="c0", ram_gib=288.0) for host in plain.hosts),
        vms=tuple(
            replace(vm, ram_gib=float(size)) for vm, size in zip(plain.vms, ram, strict=True)
        ),
    ).place_each({f"m{row}": f"h{rng.integers(hosts)}" for row in range(vms)})
    return problem_of(scenario, KNOWLEDGE)


def peak_by_cp_sat(cp_model: Any, problem: Problem) -> float:
    model = cp_model.CpModel()
    units, hosts = problem.allowed.shape
    on = [[model.NewBoolVar("") for _ in range(hosts)] for _ in range(units)]
    peak = model.NewIntVar(0, 10 * SCALE, "")
    for row in on:
        model.AddExactlyOne(row)
    for host in range(hosts):
        shares = problem.needs_on(host)[: CPU + 1] / problem.limit[: CPU + 1, [host]]
        for share in np.round(shares * SCALE).astype(int).tolist():
            model.Add(sum(share[unit] * on[unit][host] for unit in range(units)) <= peak)
    model.Minimize(peak)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = SECONDS
    solver.Solve(model)
    return float(solver.ObjectiveValue()) / SCALE


@pytest.mark.slow
@pytest.mark.parametrize("size", [(20, 200, 8, 30), (100, 1000, 8, 30), (20, 60, 40, 80)])
def test_its_peak_is_no_higher(size: tuple[int, int, float, float]) -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    problem = estate(*size)
    found = search(problem, most_moves=None, seconds=0.5, clock=monotonic, check=lambda: None)
    rounding = len(problem.units) / 2 / SCALE / len(problem.kind)
    assert found[0][0][2] <= peak_by_cp_sat(cp_model, problem) + rounding
