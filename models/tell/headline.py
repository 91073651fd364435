"""The verdict as it can be projected: one sentence, and what to do.

The whole account, with all that decides beside, is `Prediction.sentence`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from models.base.texts import Text, joined, opening, say, say_many
from models.judgement.against_limits import NEAR, NORMAL, is_vague
from models.judgement.binding import amounts_text, binding_text, bound_words, deciding, presses
from models.judgement.rules import rule_title
from models.predict.predicted import RESOURCES, title_of, unit_of
from models.predict.prediction import Binding, Finding, Prediction, Verdict
from models.scenario.scenario import Loss, Scenario
from models.scenario.wording import exact_text, listed, reach_text, with_unit

MOST_WORDS, MOST_ACTION_WORDS = 20, 12


@dataclass(frozen=True, slots=True)
class Headline:
    """What is said first of a scenario.

    Attributes:
        reason: what decides and by how much, of so few words that it and the verdict make a
            sentence of at most 20; empty where nothing as short is true.
        action: the nearest thing to do about it, of at most 12 words; empty for nothing to do.
    """

    verdict: str
    reason: Text | str
    action: Text | str

    @property
    def sentence(self) -> Text:
        """Verdict and reason."""
        reason = joined("", (": ", self.reason)) if self.reason else ""
        return joined("", (opening(self.verdict), reason, "."))


def headline(
    scenario: Scenario,
    prediction: Prediction,
    *,
    fix: Callable[[Finding], Text | str] = attrgetter("fix"),
    most: int = MOST_ACTION_WORDS,
) -> Headline:
    """What decides a verdict, and what to do.

    Args:
        fix: what is to be done about a finding, in the words of whom it is told to.
        most: words of what to do.
    """
    told, verdict = _Told(scenario, prediction, fix), prediction.shown.words
    left = MOST_WORDS - len(verdict.split())
    return Headline(verdict, _first_of(told.reasons(), left), _first_of(told.actions(), most))


def _first_of(candidates: Iterator[Text | str], most: int) -> Text | str:
    """The first that has so few words; empty for none."""
    return next((each for each in candidates if each and len(each.split()) <= most), "")


@dataclass(frozen=True, slots=True)
class _Told:
    scenario: Scenario
    prediction: Prediction
    fix: Callable[[Finding], Text | str]

    def reasons(self) -> Iterator[Text | str]:
        """Ever shorter ones."""
        prediction = self.prediction
        cause = deciding(prediction)
        if prediction.idle:
            yield say("nothing runs yet")
        elif prediction.verdict is Verdict.FITS:
            yield from self._fits()
        elif prediction.verdict is Verdict.NOT_KNOWN:
            yield from self._not_known()
        elif isinstance(cause, Finding):
            yield cause.clause
            yield joined(": ", (self.name_of(cause.subject), rule_title(cause.rule)))
            yield rule_title(cause.rule)
        elif cause is not None and presses(cause):
            yield from self._bound(cause)
        else:
            yield from (prediction.why.first, prediction.why.brief)

    def _fits(self) -> Iterator[Text]:
        """With what is nearest its limit."""
        if (binding := self.prediction.binding) is None:
            return
        amounts, loss = amounts_text(binding), self.prediction.why.host_loss
        what = bound_words(binding, self.name_of)
        near = say("{what} is nearest its limit, {amounts}", what=what, amounts=amounts)
        if loss:
            yield joined("; ", (loss, near))
        if loss and binding.mode != NORMAL and not binding.own:
            then = title_of(binding.resource)
            yield say("{loss}; {what} then at {amounts}", loss=loss, what=then, amounts=amounts)
        yield near

    def _not_known(self) -> Iterator[Text | str]:
        found = self.prediction.by_resource.items()
        lacking = [RESOURCES[each] for each, verdict in found if verdict is Verdict.NOT_KNOWN]
        fitting = [RESOURCES[each] for each, verdict in found if verdict is Verdict.FITS]
        what = listed(lacking) if lacking else say("what decides")
        if fitting:
            yield say("no data on {what}; fits in {fitting}", what=what, fitting=listed(fitting))
        yield say("no data on {what}", what=what)

    def _bound(self, binding: Binding) -> Iterator[Text | str]:
        """The number that decides, then its end alone, then whose it is."""
        if binding.stranded:
            yield say_many(
                "with {host} lost, {count} VM finds no room",
                "with {host} lost, {count} VMs find no room",
                binding.stranded,
                host=self.name_of(binding.subject),
            )
        what, high = bound_words(binding, self.name_of), binding.high or 0.0
        if is_vague(binding) or binding.rule:
            yield binding_text(binding, self.name_of)
        yield say("{what} at {amounts}", what=what, amounts=amounts_text(binding))
        if high > binding.limit and binding.load <= NEAR and not is_vague(binding):
            unit = unit_of(binding.resource)
            own = "" if unit == "%" else unit
            reach = reach_text(high, own, limit=binding.limit)
            limit = with_unit(exact_text(binding.limit), unit)
            yield say("{what} may reach {reach} of {limit}", what=what, reach=reach, limit=limit)
        yield what

    def actions(self) -> Iterator[Text | str]:
        """The fix of what decides, else one by resource."""
        prediction, cause = self.prediction, deciding(self.prediction)
        if prediction.idle or prediction.verdict is Verdict.FITS:
            return
        if prediction.verdict is Verdict.NOT_KNOWN:
            yield from self._measure()
        elif isinstance(cause, Finding):
            yield self.fix(cause)
        elif cause is not None and presses(cause):
            yield from self._relieve(cause)
        elif outage := next((each for each in prediction.outages if each.harms), None):
            yield _AFTER[outage.loss]
        elif any(mode.down for mode in prediction.failures):
            yield say("Add hosts of a cluster with HA, or Domino cluster partners.")

    def _measure(self) -> Iterator[Text | str]:
        unknown = np.isnan(self.prediction.vms.cpu_pct.value)
        on = [vm.powered_on for vm in self.scenario.vms]
        if count := int(np.count_nonzero(unknown & on)):
            yield say_many(
                "Measure CPU and I/O of {count} VM for a week.",
                "Measure CPU and I/O of {count} VMs for a week.",
                count,
            )
        for finding in self.prediction.findings:
            if finding.weight is Verdict.NOT_KNOWN:
                yield self.fix(finding)
        yield say("Measure response times once, under load.")

    def _relieve(self, binding: Binding) -> Iterator[Text | str]:
        prefix = binding.resource.partition("_")[0]
        for finding in self.prediction.findings:
            is_of = finding.subject == binding.subject and finding.rule.startswith(f"{prefix}-")
            if is_of and binding.mode == NORMAL and binding.load > NEAR:
                yield self.fix(finding)
        who = self.name_of(binding.subject)
        is_doubt = binding.load <= NEAR
        if binding.stranded or (binding.mode != NORMAL and binding.resource == "ram_pct"):
            yield say("Add memory to the hosts, or one host more.")
        elif is_doubt and binding.resource in _MEASURE:
            yield _MEASURE[binding.resource](who)
        elif binding.mode != NORMAL and binding.resource == "cpu_pct":
            yield say("Add a host, or take users away.")
        elif binding.resource in _RELIEVE:
            yield _RELIEVE[binding.resource](who)

    def name_of(self, id: str) -> str:
        """The name people gave, the id where there is none."""
        return next((item.name for item in self.scenario.items() if item.id == id), id)


_AFTER: Mapping[Loss, Text] = {
    Loss.HOST: say("Add a host to the cluster."),
    Loss.CONTROLLER: say("Choose an array with a second controller."),
    Loss.PARTNER: say("Add a Domino cluster partner, or larger ones."),
    Loss.GROUP: say("Spread the cluster over more groups, or add hosts."),
}
"""Where a loss is told by its reason, not by a number."""

_MEASURE: Mapping[str, Callable[[str], Text]] = {
    "cpu_pct": lambda _: say("Measure the CPU of one server for a week."),
    "utilisation_pct": lambda who: say("Measure the I/O of {who} for a week.", who=who),
    "response_ms": lambda _: say("Measure response times once, under load."),
}
"""Where the end of an interval alone passes a limit, by resource."""

_RELIEVE: Mapping[str, Callable[[str], Text]] = {
    "cpu_pct": lambda who: say("Take load off {who}, or give it faster processors.", who=who),
    "ram_pct": lambda who: say("Add memory to {who}, or move a VM away.", who=who),
    "utilisation_pct": lambda who: say(
        "Add drives to {who}, or move VMs to another pool.", who=who
    ),
    "capacity_pct": lambda who: say("Add drives to {who}, or keep less mail.", who=who),
    "response_ms": lambda who: say("Move users of {who} to another server.", who=who),
    "network_pct": lambda who: say("Give {who} faster network ports.", who=who),
}
"""Where a number itself is near its limit or past it."""
