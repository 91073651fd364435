"""The numbers nearest their limits, over normal operation and every loss that is to be survived.

They are put in order when somebody reads them: most predictions are asked for their verdict alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from models.base.lazily import lazy
from models.base.record import record
from models.judgement.against_limits import NORMAL, Judged, is_vague, judged
from models.judgement.failure_modes import FailureModes
from models.predict.prediction import Binding, Verdict

MOST_NEAREST = 5
"""How many numbers are told of."""


@record(slots=False)
class Ranking:
    """What may be nearest its limit.

    Attributes:
        resources: of normal operation and of the losses of hosts that decide.
        deciding: what decides already, the first of all.
        losses: gives what is nearest its limit after other losses, once it is asked for.
    """

    resources: Sequence[Judged]
    failures: FailureModes
    deciding: tuple[Binding, ...]
    losses: Callable[[], tuple[Binding, ...]]

    def __call__(self) -> tuple[Binding, ...]:
        return self._nearest

    @lazy
    def _nearest(self) -> tuple[Binding, ...]:
        if not self.deciding:
            return ()
        found = [*self.deciding[1:], *self._of_resources(), *self.losses()]
        found.sort(key=_nearness, reverse=True)
        first = self.deciding[0]
        told = {_what(each): each for each in reversed((first, *found))}
        others = [
            each
            for each in found
            if told[_what(each)] is each and each is not first and not is_vague(each)
        ]
        return (first, *others)[:MOST_NEAREST]

    def _of_resources(self) -> list[Binding]:
        found: list[Binding] = []
        seen: list[Judged] = []
        for each in sorted(self.resources, key=lambda each: each.rank, reverse=True):
            worst = each.worst()
            if worst is None or any(each.alike(other) for other in seen):
                continue
            seen.append(each)
            binding = self.failures.with_restart(worst.binding) if each.own else worst.binding
            found.append(with_stranded(binding, self.failures))
        return found


def with_stranded(binding: Binding, failures: FailureModes) -> Binding:
    """The same with the number of VMs that find no room in its mode."""
    found = failures.stranded_in(binding.mode) if binding.resource == "ram_pct" else 0
    return replace(binding, stranded=found) if found else binding


def _what(binding: Binding) -> tuple[str, str, str, bool]:
    """What a number is of: one resource is told once of each kind of mode."""
    kind = binding.mode.partition(" ")[0]
    return binding.resource, "host" if kind == "hosts" else kind, binding.rule, binding.own


def _nearness(binding: Binding) -> tuple[int, float]:
    """By verdict, that of a loss no worse than at risk, then by how near the limit is."""
    if binding.rule or binding.stranded:
        return Verdict.DOES_NOT_FIT if binding.mode == NORMAL else Verdict.AT_RISK, np.inf
    high = binding.value if binding.high is None else binding.high
    code = int(judged(np.array(binding.value), np.array(high), binding.limit))
    most = Verdict.DOES_NOT_FIT if binding.mode == NORMAL else Verdict.AT_RISK
    return min(code, most), binding.load
