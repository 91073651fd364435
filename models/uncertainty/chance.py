"""How likely a design is to hold: many samples of what is not known, each a full prediction.

Inputs are drawn by Latin hypercube from stated ranges and go through the model as batches
(`models.whatif`). The model's own error is drawn beside them: what comes from one calibration is
wrong by one common factor, so that of a quantity all items share one draw z, in normal operation
and in every loss, and a number is drawn in its own interval (`quantities.drawn_at`). A quantity's
error is taken to be independent of the others', and of the inputs; what load stretches a response
by is the load's error (`judgement.draws`). Sampling: McKay, Beckman, Conover, Technometrics 21
(1979).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from models.base.quantities import Z_90, FloatArray, drawn_at
from models.base.rounding import ranked, rounded, steady
from models.base.texts import Text, say
from models.evidence.knowledge import Knowledge
from models.judgement.draws import CPU, DRAWN, IOPS, RESPONSE
from models.predict.predicted import RESOURCES
from models.predict.prediction import Verdict
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario
from models.whatif import Ends, WhatIf, what_if

CHUNK = 250
PERCENTILES = (5.0, 50.0, 90.0, 95.0)
_KNOWN = frozenset({Origin.MEASURED, Origin.IMPORTED})
Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Uncertain:
    """An input that is not known exactly: a factor on what stands in the scenario.

    Attributes:
        low, high: the 5th and the 95th percentile of the factor, between which its logarithm is
            normal.
        source: what the range rests on.
    """

    id: str
    label: Text | str
    low: float
    high: float
    source: Text | str

    def at(self, share: FloatArray) -> FloatArray:
        """The factor at these shares of the probability, in (0, 1)."""
        z = np.array([NormalDist().inv_cdf(float(each)) for each in share])
        end = np.where(z < 0, 1.0 / self.low, self.high)
        return steady(np.exp(np.sign(z) * np.log(end) * np.abs(z) / Z_90))


def uncertain_inputs(scenario: Scenario) -> tuple[Uncertain, ...]:
    """What is drawn of a scenario; what was measured at the customer is known more narrowly."""
    known = [
        all(origin_of(vm, path) in _KNOWN for vm in scenario.vms)
        for path in ("workload.active_users", "workload.mail_file_mb")
    ]
    users, mail = [1.05 if each else 1.10 for each in known]
    return (
        Uncertain(
            "active_users",
            say("active users"),
            1.0 / users,
            users,
            say("the year’s swing in the Domino 7 study: 10 % from August to September")
            if users > 1.05
            else say("measured; half of the year’s swing in the Domino 7 study"),
        ),
        Uncertain(
            "work",
            say("work of each user"),
            1.0 / 1.15,
            1.15,
            say("assumed: 15 %; nobody published how users differ from site to site"),
        ),
        Uncertain(
            "mail_file_mb",
            say("size of mail files"),
            1.0 / (mail + 0.10),
            mail + 0.10,
            say("assumed: 20 % where nobody measured, 15 % where somebody did"),
        ),
    )


def error_of(resource: str) -> Text:
    """What a drawn error of the model is called."""
    return say("the model’s error of {what}", what=RESOURCES[resource])


@dataclass(frozen=True, slots=True)
class Spread:
    """Percentiles of one number of one item, NaN where it has no data."""

    subject: str
    quantity: str
    percentiles: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """What many samples come to.

    Attributes:
        verdicts: share of the samples with each verdict [%], all four.
        drivers: what moves the greatest load, by its share of the squared rank correlations [%].
        inputs: what was drawn.
    """

    samples: int
    seed: int
    verdicts: Mapping[Verdict, float]
    spreads: tuple[Spread, ...]
    drivers: tuple[tuple[Text | str, float], ...]
    inputs: tuple[Uncertain, ...]


def simulate(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    samples: int = 2000,
    seed: int = 0,
    check: Check = lambda: None,
    progress: Callable[[float], None] = lambda share: None,
) -> Chance:
    """The spread of all numbers, and the chance of each verdict. The same seed, the same numbers.

    A sample has the verdict of a prediction with the drawn inputs whose numbers are drawn as well,
    in normal operation and in every loss that the policy wants survived: it does not fit where such
    a number passes its limit, and is at risk where one does so in a loss. So a design at the border
    of its verdict fits in as many samples as the posture's percentile says, where one number
    decides; several that may each pass come to more.
    """
    inputs = uncertain_inputs(scenario)
    shares = latin_hypercube(samples, len(inputs) + len(DRAWN), seed)
    factors = {each.id: each.at(shares[:, i]) for i, each in enumerate(inputs)}
    draws = steady(np.vectorize(NormalDist().inv_cdf)(shares[:, len(inputs) :]))
    errors = dict(zip(DRAWN, draws.T, strict=True))
    parts = []
    for start in range(0, samples, CHUNK):
        check()
        part = slice(start, min(start + CHUNK, samples))
        parts.append(_sampled(scenario, knowledge, factors, errors, part))
        progress(part.stop / samples)
    verdict = np.concatenate([each.verdict for each in parts])
    load = np.concatenate([each.load for each in parts])
    drawn = {each.label: shares[:, i] for i, each in enumerate(inputs)}
    drawn |= {error_of(name): errors[name] for name in DRAWN}
    return Chance(
        samples=samples,
        seed=seed,
        verdicts={each: 100.0 * float(np.mean(verdict == each)) for each in Verdict},
        spreads=tuple(_spreads(scenario, parts)),
        drivers=tuple(drivers(drawn, load)),
        inputs=inputs,
    )


def latin_hypercube(samples: int, columns: int, seed: int) -> FloatArray:
    """Shares in (0, 1), each column with one in every 1/samples of the range, (samples, columns).

    >>> shares = latin_hypercube(10, 3, seed=1)
    >>> sorted(np.floor(shares[:, 0] * 10).astype(int).tolist())
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(samples)[:, None], (1, columns)), axis=0)
    return np.asarray((order + rng.uniform(1e-9, 1.0 - 1e-9, order.shape)) / samples)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some samples: verdicts (s,), greatest load over its limit (s,), numbers by table."""

    verdict: np.ndarray
    load: FloatArray
    numbers: Mapping[str, FloatArray]


_TABLES = {
    "vms.cpu_pct": ("vm_cpu_pct", CPU),
    "vms.iops": ("vm_iops", IOPS),
    "vms.response_ms": ("vm_response_ms", RESPONSE),
    "hosts.cpu_pct": ("host_cpu_pct", CPU),
    "hosts.ram_pct": ("host_ram_pct", ""),
    "pools.utilisation_pct": ("pool_utilisation_pct", IOPS),
}
"""Numbers whose spread is told: where the batch has them, and whose error they share."""


def _sampled(
    scenario: Scenario,
    knowledge: Knowledge,
    factors: Mapping[str, FloatArray],
    errors: Mapping[str, FloatArray],
    part: slice,
) -> _Part:
    users = np.array([vm.workload.active_users for vm in scenario.vms])
    mail = np.array([vm.workload.mail_file_mb or 0.0 for vm in scenario.vms])
    more = factors["active_users"][part, None]
    found = what_if(
        scenario,
        knowledge,
        users=more * users,
        mail_file_mb=factors["mail_file_mb"][part, None] * mail,
        work=factors["work"][part],
        errors={name: z[part] for name, z in errors.items()},
    )
    none = np.zeros(len(found))
    numbers = {
        name: drawn(getattr(found, field), errors[error][part] if error else none)
        for name, (field, error) in _TABLES.items()
    }
    return _Part(found.verdict, _greatest(found), numbers)


def drawn(ends: Ends, z: FloatArray) -> FloatArray:
    """Numbers with an error drawn, (s, n): `z` of the standard normal law, (s,)."""
    return drawn_at(ends.value, ends.low, ends.high, z[:, None])


def _greatest(found: WhatIf) -> FloatArray:
    """The greatest load over its limit, in normal operation or with a host lost, (s,); 0 where
    nothing is known."""
    left = np.array(
        [
            found.cpu_headroom_pct,
            found.ram_headroom_pct,
            found.iops_headroom_pct,
            found.response_headroom_pct,
            found.failure_headroom_pct,
        ]
    )
    return np.asarray(np.nan_to_num(1.0 - np.fmin.reduce(left) / 100.0))


def _spreads(scenario: Scenario, parts: Sequence[_Part]) -> list[Spread]:
    ids = {
        "vms": [each.id for each in scenario.vms],
        "hosts": [each.id for each in scenario.hosts],
        "pools": [each.id for each in scenario.pools],
    }
    found = []
    for name in _TABLES:
        table, _, quantity = name.partition(".")
        values = np.concatenate([part.numbers[name] for part in parts])
        for column, id in enumerate(ids[table]):
            ends = np.percentile(values[:, column], PERCENTILES)
            found.append(Spread(id, quantity, tuple(map(float, ends))))
    return found


def drivers(
    drawn: Mapping[Text | str, FloatArray], result: FloatArray
) -> list[tuple[Text | str, float]]:
    """What moves a result, by its share of the squared rank correlations [%], most first."""
    squared = {name: rank_correlation(values, result) ** 2 for name, values in drawn.items()}
    whole = sum(squared.values())
    shares = [(name, 100.0 * each / whole if whole else 0.0) for name, each in squared.items()]
    return sorted(shares, key=lambda each: -ranked(each[1]))


def rank_correlation(x: FloatArray, y: FloatArray) -> float:
    """Spearman's coefficient; 0 where one of them doesn't vary."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    ranks = [np.argsort(np.argsort(each, kind="stable"), kind="stable") for each in (x, y)]
    return rounded(float(np.corrcoef(ranks[0], ranks[1])[0, 1]))
