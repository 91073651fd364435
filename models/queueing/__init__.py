"""Queueing networks: exact and approximate solutions, single queues, Erlang's formulas.

`solve` takes a `Network` value and chooses the method. The functions on arrays solve many
scenarios at once, with the batch axis last: `solve_single_class` (exact) and
`solve_approximate` (any number of classes). docs/queueing.md holds equations and errors.
"""

from __future__ import annotations

from models.queueing.approximate import ClosedBatchAnswer, solve_approximate
from models.queueing.batch import ClosedBatch
from models.queueing.erlang import erlang_b, erlang_c
from models.queueing.network import CustomerClass, Network, Station
from models.queueing.one_class import SingleClassBatch
from models.queueing.single import QueueMeasures, mg1, mmc, mmck
from models.queueing.single_class import solve_single_class
from models.queueing.solve import Method, Solution, solve

__all__ = [
    "ClosedBatch",
    "ClosedBatchAnswer",
    "CustomerClass",
    "Method",
    "Network",
    "QueueMeasures",
    "SingleClassBatch",
    "Solution",
    "Station",
    "erlang_b",
    "erlang_c",
    "mg1",
    "mmc",
    "mmck",
    "solve",
    "solve_approximate",
    "solve_single_class",
]
