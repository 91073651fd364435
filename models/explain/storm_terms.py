"""Why the numbers of a storm are what they are.

A storm is worked out step by step in time, so its numbers have no formula of one line: what is
added to the undisturbed system is the model's own number, and the rest adds up to what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from models.base.quantities import Basis, Quantity
from models.base.texts import Numeral, joined, say, say_many
from models.explain.derivation import Derivation, UsedInput
from models.formulas.terms import FromInput, Predicted, Stated, Term, greatest, leaf, total
from models.predict.predicted import NumberRef
from models.resilience.storms import ServerStorm, StormStudy
from models.scenario.inputs import origin_of
from models.scenario.scenario import Scenario

TABLE = "storms"
WAITING, RESPONSE, DRAINED, VCPUS = "waiting", "response_ms", "drained_s", "vcpus"
FLUID = say(
    "worked out step by step in time: users think, log in and act; jobs share the vCPUs and the "
    "drives that other load leaves"
)
WITHIN = say(
    "Peaks and times agree with a simulation user by user within 10 %. What a login costs was "
    "never published: the inputs decide, and no interval is known."
)
USERS = say("users")
MOST_NAMED = 8
"""Servers that are named; the others count together."""

LABELS = {
    "reconnect_s": (say("all log in within"), "s"),
    "holiday_login_s": (say("all log in within"), "s"),
    "login_actions": (say("work of a login"), say("actions")),
    "holiday_peak_factor": (say("activity over the usual one"), "×"),
    "holiday_s": (say("time users stay that active"), "s"),
}
"""Words and unit of each input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enough:
    """vCPUs with which a server is through in time; None: no number of them."""

    vm: str
    vcpus: int | None
    within_s: float


def storm_numbers(
    study: StormStudy, scenario: Scenario, enough: Enough | None = None
) -> tuple[Derivation, ...]:
    """The derivations of what a storm comes to: users that wait, the worst response, when it is
    over, and the vCPUs that would end it in time, as far as they are known.

    Args:
        enough: what was found for the server that is worst off; None while it isn't known.
    """
    worst = study.worst
    if worst is None:
        return ()
    names = {vm.id: vm.name for vm in scenario.vms}
    found = [
        (WAITING, _waiting(study, names)),
        (RESPONSE, _response(worst, names[worst.vm])),
    ]
    if study.drained_s is not None:
        found.append((DRAINED, _drained(study, names)))
    if enough is not None and enough.vcpus is not None:
        found.append((VCPUS, _vcpus(enough, names[enough.vm])))
    return tuple(_derivation(field, root, study, scenario, names) for field, root in found)


def _derivation(
    field: str, root: Term, study: StormStudy, scenario: Scenario, names: dict[str, str]
) -> Derivation:
    return Derivation(
        asked=NumberRef(TABLE, study.kind.value, field),
        title=root.label,
        quantity=Quantity(root.value, None, None, Basis.RULE),
        unit=root.unit,
        root=root,
        interval=(WITHIN,),
        inputs=tuple(_inputs(study, scenario)),
        evidence=(),
        missing=tuple(_left_out(study, names)),
    )


def _left_out(study: StormStudy, names: dict[str, str]) -> Iterator[str]:
    """The servers that are in no storm, by what they lack."""
    silent, refused = (
        joined(", ", [names[id] for id in ids]) for ids in (study.silent, study.refused)
    )
    if silent:
        yield say("Servers without CPU data are left out: {names}.", names=silent)
    if refused:
        yield say("Servers that can’t be powered on are left out: {names}.", names=refused)


def _waiting(study: StormStudy, names: dict[str, str]) -> Term:
    at = int(study.waiting.argmax())
    by_users = sorted(((float(s.waiting[at]), names[s.vm]) for s in study.servers), reverse=True)
    named, others = by_users[:MOST_NAMED], by_users[MOST_NAMED:]
    terms = [leaf(name, users, USERS, source=Stated(FLUID)) for users, name in named]
    if others:
        rest = say_many("{count} server more", "{count} servers more", len(others))
        users = sum(users for users, _ in others)
        terms.append(leaf(rest, users, USERS, source=Stated(FLUID)))
    return total(say("Users that wait at the worst moment"), *terms, unit=USERS)


def _response(worst: ServerStorm, name: str) -> Term:
    added = leaf(say("what the storm adds"), worst.peak_extra_ms, "ms", source=Stated(FLUID))
    if worst.peak_response_ms is None:
        label = say("What a storm adds to the response time of {name}", name=name)
        return total(label, added, unit="ms")
    usual = leaf(
        say("response time without it"),
        worst.peak_response_ms - worst.peak_extra_ms,
        "ms",
        source=Predicted("vms", worst.vm, "response_ms"),
    )
    label = say("Worst response time of {name} in the storm", name=name)
    return total(label, usual, added, unit="ms")


def _drained(study: StormStudy, names: dict[str, str]) -> Term:
    """Of the servers that take longest."""
    ends = sorted(((each.drained_s or 0.0, names[each.vm]) for each in study.servers), reverse=True)
    terms = [leaf(name, end, "s", source=Stated(FLUID)) for end, name in ends[:MOST_NAMED]]
    note = say("from its start until 95 % of the worst wait is gone, on every server")
    return greatest(say("How long the storm lasts"), *terms, unit="s", note=note)


def _vcpus(enough: Enough, name: str) -> Term:
    seconds = Numeral(f"{enough.within_s:g}")
    why = say("the fewest with which the same storm is over within {seconds} s", seconds=seconds)
    vcpus = leaf(say("fewest that are enough"), float(enough.vcpus or 0), source=Stated(why))
    return total(say("vCPUs of {name} that end the storm in time", name=name), vcpus)


def _inputs(study: StormStudy, scenario: Scenario) -> Iterator[UsedInput]:
    for each in study.inputs:
        label, unit = LABELS[each.field]
        path = f"assumptions.{each.field}"
        yield UsedInput(
            source=FromInput(Scenario, "", path),
            label=label,
            value=each.value,
            unit=unit,
            origin=origin_of(scenario, path),
        )
