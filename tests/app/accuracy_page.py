"""`docs/accuracy.md`: what `validate` says, and all that stands behind it, as a page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from app.cli_validate import SPLITS, past_limit, pooled
from models.fitting.transfers import transfer_errors
from models.fitting.validation import Accuracy, Validation
from models.scenario.wording import number

HEAD = (
    "family",
    "quantity",
    "split",
    "n",
    "median %",
    "mean %",
    "90th %",
    "log error",
    "bias",
    "in 90 % interval",
    "constants",
    "naive mean %",
    "naive log error",
)
_NOTHING = "–"


def accuracy_page(validation: Validation, *, on: date) -> str:
    """`docs/accuracy.md`: the same tables as a page, with the date on which they were made."""
    return _PAGE.format(
        date=on.isoformat(),
        accuracy=_markdown(HEAD, _accuracy_cells(validation)),
        baselines=_markdown(_BASELINE_HEAD, _baseline_cells(validation)),
        points=_markdown(_POINT_HEAD, _point_cells(validation)),
        past=past_limit(validation),
        unchecked="\n".join(f"- {line}" for line in _unchecked(validation)),
        coverage=_markdown(_COVERAGE_HEAD, _coverage_cells(validation)),
        pooled=pooled(validation),
        transfers=_markdown(_TRANSFER_HEAD, _transfer_cells(validation)),
        sums="\n".join(f"- {line}" for line in _transfers(validation)),
    )


_BASELINE_HEAD = ("quantity", "split", "baseline", "n", "mean %", "log error")
_POINT_HEAD = ("split", "point", "measured", "predicted", "90 % interval", "inside")

_COVERAGE_HEAD = ("quantity", "split", "n", "inside", "share", "exact 90 % intervals would hold")
_TRANSFER_HEAD = (
    "family",
    "by",
    "measurement",
    "measured",
    "predicted",
    "interval",
    "error",
    "holds",
)
_PAGE = """# Accuracy of the model

Made from `python -m app validate` on {date}. Every prediction here comes from a fit that did not
see the point; intervals are made without the point that they are for. `inside`: each point but the
last of its series, left out alone; `beyond`: the last point of each series, left out alone;
`series`: each whole series left out, CPU and response together. The percentages are median, mean
and 90th percentile of the absolute error; `log error` is the mean of |ln(predicted/measured)|,
`bias` the mean of ln(predicted/measured); `constants` counts every constant tuned on the family.
The law and its limits are explained in `model.md`.
`run` rows leave out each run of family B and predict it by the others: mail and members by one
another over family C's cluster factors, iNotes at 8 and 16 GB by one another with what RAM saves
from mail and members, the one response by family A's law. All runs are of 4,000 users: how the
family follows its load has not been checked by anything.
`transfer` rows hold what was fitted to other figures against what it is applied to: `A→B` family
A's law on family B's machine, hypervisor and release, `field` each of five production
servers by the others (cores, I/Os of a user, transactions a minute of a user), `vendor` HCL's sizes
at 70 % by two of them (`model.md`, "Production").

{accuracy}

{past}

## Naive baselines

Each is fitted to one series alone: a straight line through the origin, line plus square (relative
error), hyperbola r/(1 − n/N) and exponential. Where one turns negative past its pole it is taken
to say 10,000. The x366 VMFS series has two undoubted response times, too few to leave one out.
The table above compares percentages with the best of the first three, logarithms with the best of
all four.

{baselines}

## How often the intervals hold

{pooled} The last column says how many of n independent points exact 90 % intervals would hold in 95
of 100 such tables.

{coverage}

With 8 points 7 are the only number between 85 and 97 %, and with 35 one more or less is 3 %: by
chance alone exact intervals would leave that band in some row of almost every such table. The 34 of
35 CPU points of whole series are one more than 97 %, and this is where they come from: the interval
of a series is made from fits that leave out two of the eight series, that one and the residual's
own, while what it is for comes from a fit that leaves out one. Two series are more than the law can
spare, so these residuals are somewhat too large. Other honest constructions only move it about: the
exact rank between two order statistics leaves 34 of 35, one weight per series too, and CV+ gives 33
of 35 there but 8 of 8 responses beyond. One construction, chosen beforehand, serves every row.

## Families without a held-out check

{unchecked}

## Families held against each other

What cannot be held out can still be held against a figure of another family or another run. Each
prediction is made from figures and factors of which none stems from the measurement beside it.

{sums}

{transfers}

CPU ratios are those of 14.5 over 7.25 GB of the same VM under ESX 3.0.1; nobody fitted them.
Family A's law with SPEC rate and release factor errs low by a third on Nehalem although it knows
nothing of what EPT saves: a SPEC rate per core with two threads promises more than mail gets, or
"up to 38 %" is less here. So NRPC mail on vSphere 4 and later is predicted from family B itself.
Family C's CPU errs high and its disk low, as R5 with 500 users is not 8.5.1 with 4,000; members
under family B are predicted from its own clustered run. Kernel time explains what RAM saves on VMFS
before the knee and not quite half of what it saves on RDM, where the prediction fails; see
`model.md`.

## Every held-out point

CPU in % of 4 CPUs, response in ms.

{points}
"""


def _accuracy_cells(validation: Validation) -> list[tuple[str, ...]]:
    return [_cells(row) for row in (*validation.accuracy, *validation.applied)]


def _cells(row: Accuracy) -> tuple[str, ...]:
    return (
        row.family,
        row.quantity,
        SPLITS[row.split],
        str(row.n),
        f"{row.median_ape_pct:.1f}",
        f"{row.mape_pct:.1f}",
        f"{row.p90_ape_pct:.1f}",
        f"{row.log_error:.2f}",
        f"{row.bias:+.2f}",
        f"{row.coverage_pct:.0f} %",
        str(row.parameters),
        _NOTHING if row.baseline_mape_pct is None else f"{row.baseline_mape_pct:.1f}",
        _NOTHING if row.baseline_log_error is None else f"{row.baseline_log_error:.2f}",
    )


def _baseline_cells(validation: Validation) -> list[tuple[str, ...]]:
    return [
        (
            row.quantity,
            row.split,
            row.baseline,
            str(row.n),
            f"{row.mape_pct:.1f}",
            f"{row.log_error:.2f}",
        )
        for row in validation.baselines
    ]


def _point_cells(validation: Validation) -> list[tuple[str, ...]]:
    return [
        (
            point.split,
            point.evidence,
            f"{point.measured:g}",
            f"{point.predicted:.3g}",
            f"{point.low:.3g} – {point.high:.3g}",
            "yes" if point.low <= point.measured <= point.high else "no",
        )
        for point in (*validation.points, *validation.applied_points)
    ]


def _coverage_cells(validation: Validation) -> list[tuple[str, ...]]:
    return [
        (
            row.quantity,
            row.split,
            str(row.n),
            str(row.inside),
            f"{row.coverage_pct:.1f} %",
            f"{row.least} to {row.most}",
        )
        for row in validation.coverage()
    ]


def _transfers(validation: Validation) -> list[str]:
    return [
        f"Family {row.family}, {row.quantity}, by {row.by}: n = {row.n}, "
        f"mean error {number(row.mean_pct, 1)} %, {row.inside} inside."
        for row in transfer_errors(validation.transfers)
    ]


def _transfer_cells(validation: Validation) -> list[tuple[str, ...]]:
    return [
        (
            check.family,
            check.by,
            check.evidence,
            f"{check.measured:.3g}",
            f"{check.predicted:.3g}",
            f"{check.low:.3g} – {check.high:.3g}",
            f"{check.error_pct:+.1f} %",
            "yes" if check.holds else "no",
        )
        for check in validation.transfers
    ]


def _unchecked(validation: Validation) -> list[str]:
    return [f"Family {row.family}: n too small. {row.reason}." for row in validation.unchecked]


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = tuple("---" for _ in head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
