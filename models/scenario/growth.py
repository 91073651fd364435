"""A scenario in the years ahead: more users, larger mail files, more work of each user.

Rates are per year and compound, so that half a year is the square root of one. Numbers stay as
they come out, parts of a user included: what is rounded in between reads 101 % of what it was.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from models.base.fields import Grows, bounds_of, fields_of
from models.base.limits import Limit
from models.base.rounding import rounded
from models.scenario.scenario import Policy, Scenario, Vm, Workload


def grown(scenario: Scenario, years: float) -> Scenario:
    """The scenario after so many years of its growth, the plan for the years left with it.

    value·(1 + rate/100)^years for active and registered users, mail files, and the work of a
    user; loads that somebody measured grow with the work, and with the users where their machine
    has some; their space grows as mail files do. Numbers stay within the bounds of their fields.

    Three years of 10 % more users are a third more:

    >>> from models.scenario.scenario import Growth
    >>> from tests.models.worlds import a_scenario, a_vm
    >>> plan = Growth(years=3.0, users_pct=10.0)
    >>> today = replace(a_scenario(vms=(a_vm(users=1000.0),)), growth=plan)
    >>> round(grown(today, 3.0).vms[0].workload.active_users, 6)
    1331.0
    """
    plan = scenario.growth
    users, mail, load = [
        rounded((1.0 + rate / 100.0) ** years)
        for rate in (plan.users_pct, plan.mail_pct, plan.load_pct)
    ]
    left = replace(plan, years=max(plan.years - years, 0.0))
    there = with_users(_with_factor(scenario, load), users)
    there = with_more(there, mail, *growing(Grows.MAIL))
    return replace(with_more(there, load, *growing(Grows.LOAD)), growth=left)


def with_users(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with `factor` times its users, and the loads measured on their machines."""
    people, loads = growing(Grows.USERS), growing(Grows.LOAD)
    vms = tuple(
        _scaled(
            vm,
            (people, factor),
            (loads if any(getattr(vm.workload, name) for name in people) else (), factor),
        )
        for vm in scenario.vms
    )
    return replace(scenario, vms=vms)


def busier(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with `factor` times the work of every user, and of what was measured."""
    if factor == 1.0:
        return scenario
    return with_more(_with_factor(scenario, factor), factor, *growing(Grows.LOAD))


def _with_factor(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with its factor of load multiplied."""
    load = bounds_of(Policy, "load_factor").held(scenario.policy.load_factor * factor)
    return replace(scenario, policy=replace(scenario.policy, load_factor=load))


@cache
def growing(kind: Grows) -> tuple[str, ...]:
    """The numbers of a workload that grow so, by name.

    >>> growing(Grows.USERS)
    ('active_users', 'registered_users', 'traveler_users')
    """
    return tuple(name for name, each in fields_of(Workload).items() if each.grows is kind)


def with_more(scenario: Scenario, factor: float, *names: str) -> Scenario:
    """The scenario with these numbers of every workload times `factor`, where it has them; within
    the bounds of their fields."""
    return replace(scenario, vms=tuple(_scaled(vm, (names, factor)) for vm in scenario.vms))


def _scaled(vm: Vm, *steps: tuple[tuple[str, ...], float]) -> Vm:
    """The VM with numbers of its workload times the factor of each step, one step after another,
    where it has them."""
    work, more = vm.workload, dict[str, Any]()
    for names, factor in steps:
        for name in names if factor != 1.0 else ():
            value = more.get(name, getattr(work, name))
            if value:
                more[name] = _bounds(name).held(value * factor)
    return replace(vm, workload=replace(work, **more)) if more else vm


@cache
def _bounds(name: str) -> Limit:
    return bounds_of(Workload, name)
