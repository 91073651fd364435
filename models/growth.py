"""A scenario in the years ahead: more users, larger mail files, more work of each user.

Rates are per year and compound, so that half a year is the square root of one. Numbers stay as
they come out, parts of a user included: what is rounded in between reads 101 % of what it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from models.fields import bounds_of
from models.rounding import rounded
from models.scenario import Policy, Scenario, Vm, Workload


def grown(scenario: Scenario, years: float) -> Scenario:
    """The scenario after so many years of its growth, the plan for the years left with it.

    value·(1 + rate/100)^years for active and registered users, mail files, and the work of a
    user; loads that somebody measured grow with the work, and with the users where their machine
    has some; their space grows as mail files do. Numbers stay within the bounds of their fields.

    Three years of 10 % more users are a third more:

    >>> from models.scenario import Growth
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
    vms = tuple(_grown(vm, users, mail) for vm in scenario.vms)
    return busier(replace(scenario, growth=left, vms=vms), load)


def busier(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with `factor` times the work of every user, and of what was measured."""
    if factor == 1.0:
        return scenario
    load = bounds_of(Policy, "load_factor").held(scenario.policy.load_factor * factor)
    policy = replace(scenario.policy, load_factor=load)
    return with_more(replace(scenario, policy=policy), factor, *_LOADS)


_LOADS = ("cpu_mhz", "iops", "network_mbps")
"""Figures of their own that some workloads have."""

PEOPLE = ("active_users", "registered_users")


def with_more(scenario: Scenario, factor: float, *names: str) -> Scenario:
    """The scenario with these numbers of every workload times `factor`, where it has them; within
    the bounds of their fields."""
    return replace(scenario, vms=tuple(_scaled(vm, names, factor) for vm in scenario.vms))


def _grown(vm: Vm, users: float, mail: float) -> Vm:
    vm = _scaled(vm, (*PEOPLE, *_LOADS) if vm.workload.active_users else PEOPLE, users)
    return _scaled(vm, ("mail_file_mb", "disk_gib"), mail)


def _scaled(vm: Vm, names: tuple[str, ...], factor: float) -> Vm:
    """The VM with these numbers of its workload times `factor`, where it has them."""
    if factor == 1.0:
        return vm
    own = {name: getattr(vm.workload, name) for name in names}
    more: dict[str, Any] = {
        name: bounds_of(Workload, name).held(value * factor) for name, value in own.items() if value
    }
    return replace(vm, workload=replace(vm.workload, **more)) if more else vm
