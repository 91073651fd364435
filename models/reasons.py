"""Why a row of a table is no plain fit, in a few words: which number decides, or how far its
interval reaches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from models.failure.mode import ModeKind
from models.judgement.weighing import NEAR, judged
from models.predicted import judged_of, limit_of, peak_of, title_of, unit_of
from models.prediction import FailureMode, Prediction, Verdict
from models.quantities import Quantity
from models.scenario import Policy
from models.texts import say
from models.wording import exact_text, judged_quantity, reach_text, value_text, with_unit

DISKS_JUDGED = (ModeKind.NORMAL, ModeKind.CONTROLLER, ModeKind.PARTNER)
"""Ways to fail that may load disks more than before; without a host disks carry no more."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """Reasons of the rows of one prediction, under its policy; empty where a row fits."""

    policy: Policy
    prediction: Prediction

    def of_vm(self, index: int) -> str:
        return self._of_row("vms", index)

    def of_host(self, index: int) -> str:
        own = {"ram_pct": float(self.prediction.hosts.ram_limit_pct[index])}
        return self._of_row("hosts", index, own)

    def of_pool(self, index: int) -> str:
        return self._of_row("pools", index)

    def of_worst(self) -> tuple[str, str]:
        """The first item with the worst verdict that a number is the reason of: its id and that
        reason; empty where there is none."""
        prediction = self.prediction
        tables = (
            (prediction.vms, self.of_vm),
            (prediction.hosts, self.of_host),
            (prediction.pools, self.of_pool),
        )
        most = max(int(table.verdict.max(initial=Verdict.FITS)) for table, _ in tables)
        for table, reason_of in tables if most > Verdict.FITS else ():
            for index in np.flatnonzero(table.verdict == most).tolist():
                if words := reason_of(index):
                    return table.ids[index], words
        return "", ""

    def _of_row(
        self,
        table: str,
        index: int,
        own_limits: Mapping[str, float] | None = None,
    ) -> str:
        items = getattr(self.prediction, table)
        numbers = [(field, getattr(items, field)[index]) for field in judged_of(table)]
        verdict = items.verdict_of(index) or Verdict.FITS
        return reason(self.policy, verdict, numbers, own_limits)


def mode_reason(policy: Policy, mode: FailureMode) -> str:
    """Of a way to fail; empty where nothing fails over."""
    numbers = [(field, getattr(mode, field)) for field in judged_of("failures")]
    own = {"ram_pct": mode.ram_limit_pct}
    if mode.mode.kind in DISKS_JUDGED:
        numbers.append(("utilisation_pct", mode.disk_pct))
    return "" if mode.verdict is None else reason(policy, mode.verdict, numbers, own)


def reason(
    policy: Policy,
    verdict: Verdict,
    numbers: Iterable[tuple[str, Quantity]],
    own_limits: Mapping[str, float] | None = None,
) -> str:
    """The number that decides, or the end of its interval; empty for a fit, and where none of the
    numbers is the reason.

    Args:
        numbers: quantities by the field of the prediction that shows them, as averages.
        own_limits: by field, where they are not those of the policy; NaN for none.

    >>> from models.quantities import Basis
    >>> from models.wording import THIN
    >>> disks = Quantity(47.0, 27.0, 79.0, Basis.RULE)
    >>> reason(Policy(), Verdict.AT_RISK, [("utilisation_pct", disks)]).replace(THIN, " ")
    'disk utilisation may reach 79 %, limit 70 %'
    """
    worst, text = (Verdict.FITS, 0.0), ""
    for field, quantity in numbers:
        if quantity.value is None or quantity.high_to_judge is None:
            continue
        limit = (own_limits or {}).get(field, limit_of(policy, field))
        peak = peak_of(policy, field)
        value, high = quantity.value * peak, quantity.high_to_judge * peak
        low = value if quantity.low is None else quantity.low * peak
        code = Verdict(int(judged(np.array(value), np.array(high), limit)))
        if code is not Verdict.FITS and (code, value / limit) > worst:
            at_peak = judged_quantity(value, low, high)
            worst, text = (code, value / limit), _words(field, at_peak, limit, peak)
    return text if verdict is not Verdict.FITS and min(worst[0], verdict) is verdict else ""


def _words(field: str, quantity: Quantity, limit: float, peak: float) -> str:
    """Args: quantity: as it is judged, with data."""
    unit, is_average = unit_of(field), peak == 1.0
    what, known = title_of(field), with_unit(exact_text(limit), unit)
    if (quantity.value or 0.0) <= NEAR * limit:
        reach = reach_text(quantity.high or 0.0, unit, limit=limit)
        if is_average:
            return say(
                "{what} may reach {reach}, limit {limit}", what=what, reach=reach, limit=known
            )
        return say(
            "{what} may reach {reach} at peak, limit {limit}", what=what, reach=reach, limit=known
        )
    shown = value_text(quantity, unit, limit=limit)
    if is_average:
        return say("{what} {value}, limit {limit}", what=what, value=shown, limit=known)
    return say("{what} {value} at peak, limit {limit}", what=what, value=shown, limit=known)
