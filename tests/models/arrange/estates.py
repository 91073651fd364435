"""Problems of placement with a known answer: one host stands empty and the others hold all VMs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.synthetic import synthetic_scenario
from models.arrange.problem import CPU, RAM, Problem, problem_of
from models.base.quantities import IntArray
from models.scenario.scenario import Loss
from tests.models.worlds import KNOWLEDGE


def with_spare_host(
    hosts: int,
    per_host: int,
    fill: float,
    seed: int,
    *,
    mixed: bool = False,
    ruled: bool = False,
) -> tuple[Problem, IntArray]:
    """A shuffled estate of one cluster, and a placement of it that survives each lost host.

    All hosts but the first are `fill` full of `per_host` VMs of uneven size; `mixed`: hosts have
    1, 0.75 or 0.5 of the first's memory and cores; `ruled`: pairs are kept apart and VMs are bound
    to some hosts, as the known placement has them.
    """
    rng = np.random.default_rng(seed)
    units = (hosts - 1) * per_host
    plain = synthetic_scenario(hosts, units)
    plain = replace(
        plain,
        clusters=plain.clusters[:1],
        hosts=tuple(replace(host, cluster=plain.clusters[0].id) for host in plain.hosts),
        policy=replace(plain.policy, survive=(Loss.HOST,)),
    )
    problem = problem_of(plain, KNOWLEDGE)
    known = np.repeat(np.arange(1, hosts), per_host)
    size = np.ones(hosts)
    if mixed:
        size[1:] = rng.choice([1.0, 0.75, 0.5], hosts - 1)
    limit = problem.limit.copy()
    limit[: CPU + 1] = limit[: CPU + 1, [0]] * size
    need = problem.need.copy()
    parts = rng.uniform(0.5, 1.5, (2, hosts - 1, per_host))
    parts = (parts / parts.sum(axis=2, keepdims=True)).reshape(2, -1)
    need[RAM : CPU + 1] = (parts * fill * limit[: CPU + 1, known])[:, None, :]
    need[CPU] *= 0.8
    allowed = np.ones_like(problem.allowed)
    apart = np.zeros((0, 2), dtype=np.int64)
    if ruled:
        pairs = rng.permutation(units)[: units // 4 * 2].reshape(-1, 2)
        apart = pairs[known[pairs[:, 0]] != known[pairs[:, 1]]]
        bound = rng.permutation(units)[: units // 6]
        allowed[bound] = rng.random((len(bound), hosts)) < 0.5
        allowed[bound, known[bound]] = allowed[bound, 0] = True
    home = np.array([rng.choice(np.flatnonzero(row)) for row in allowed])
    return replace(problem, need=need, limit=limit, allowed=allowed, apart=apart, home=home), known
