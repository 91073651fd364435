"""What each topic finds in a scenario, before any of them is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from models.advise.advice import Advice, CitedKnowledge, Found, Topic, advise, found_in
from models.base.errors import ModelError
from models.base.texts import Text, joined, say
from models.predict.prediction import Shown
from models.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Glance:
    """What one topic finds: an answer for the scenario, or one a server; none where the scenario
    lacks what it asks for."""

    topic: Topic
    answers: tuple[tuple[Found, Advice], ...]

    @property
    def shown(self) -> Shown:
        """The worst of its conclusions."""
        if not self.answers:
            return Shown(None, LACKS)
        worst = max((each for _, each in self.answers), key=lambda each: each.verdict or 0)
        return Shown(worst.verdict, worst.conclusion)

    @property
    def sentence(self) -> Text | str:
        """What it found in a line; without an answer what it lacks."""
        if not self.answers:
            return self.topic.lacks
        (found, first), *more = self.answers
        if not more:
            return _of_one(found, first)
        counts = Counter(each.conclusion for _, each in self.answers)
        if len(counts) == 1:
            return say(
                "{count} alike; {first}", count=len(self.answers), first=_of_one(found, first)
            )
        parts = (
            say(
                "{count} of {all}: {conclusion}",
                count=count,
                all=len(self.answers),
                conclusion=conclusion,
            )
            for conclusion, count in counts.most_common()
        )
        return joined("; ", parts)


LACKS = say("asks for more")


def _of_one(found: Found, advice: Advice) -> Text | str:
    if not found.subject or found.name in advice.sentence:
        return advice.sentence
    return joined(": ", (found.name, advice.sentence))


def glance(
    topic: Topic,
    scenario: Scenario,
    knowledge: CitedKnowledge,
    check: Callable[[], object] = lambda: None,
) -> Glance:
    """What a topic finds; servers with the same inputs have the same answer.

    Args:
        check: called between two answers; raises where nobody waits any more.
    """
    known: dict[object, Advice] = {}
    answers = []
    for found in found_in(topic, scenario, knowledge):
        check()
        try:
            if found.inputs not in known:
                known[found.inputs] = advise(topic, found.inputs, knowledge)
        except ModelError:
            continue
        answers.append((found, known[found.inputs]))
    return Glance(topic, tuple(answers))
