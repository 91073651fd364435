"""``--same``: which VM or host goes by another name, and which name is of none."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from db.errors import StoreError
from models.base.texts import say
from models.customer.measured import MeasuredServer
from models.intake.domino import names_of
from models.intake.records import Records
from models.scenario.names import plain
from models.scenario.scenario import Scenario

OPTION = "--same"


def same_in_files(told: Sequence[str], records: Sequence[Records]) -> dict[str, str]:
    """Names of VMs and hosts by other names that they go by in files, empty for none of them.

    Raises:
        StoreError: one of that is none.
    """
    if not told:
        return {}
    hosts = {one.name for each in records for one in each.hosts}
    listed = {one.name for each in records for one in each.vms} | hosts
    others = {one.name for each in records for one in each.series} | hosts
    others |= {name for each in records for one in each.domino for name in names_of(one)}
    others |= {one.host for each in records for one in each.vms}
    return _pairs(told, listed, others)


def measured_names(told: Sequence[str], records: Sequence[Records]) -> frozenset[str]:
    """Names of measured servers that are to be VMs.

    Raises:
        StoreError: nothing was measured under one of them.
    """
    there = {plain(one.name) for each in records for one in each.series}
    there |= {name for each in records for one in each.domino for name in names_of(one)}
    for name in told:
        if plain(name) not in there:
            raise StoreError(say("names nothing that was measured"), name, field="--as-vm")
    return frozenset(told)


def same_of_servers(
    told: Sequence[str], measured: Sequence[MeasuredServer], scenario: Scenario
) -> dict[str, str]:
    """Ids or names of VMs by names of measured servers, empty for none of them.

    Raises:
        StoreError: one of that is none.
    """
    listed = {name for vm in scenario.vms for name in (vm.id, vm.name)}
    return _pairs(told, listed, {each.server for each in measured})


def _pairs(told: Sequence[str], listed: Collection[str], others: Collection[str]) -> dict[str, str]:
    listed, others = set(map(plain, listed)), set(map(plain, others))
    return {name: own for own, name in (_pair(each, listed, others) for each in told)}


def _pair(told: str, listed: Collection[str], others: Collection[str]) -> tuple[str, str]:
    """A name of what there is, or none, and another that it goes by, in either order.

    Args:
        listed: names of what there is, as `plain` has them; `others` in the same way.

    Raises:
        StoreError: it is none.
    """
    parts = told.split("=")
    pairs = [("=".join(parts[:at]), "=".join(parts[at:])) for at in range(1, len(parts))]
    ways = [*pairs, *((name, own) for own, name in pairs)]
    for own, name in ways:
        if plain(name) in others and (not own or plain(own) in listed) and own != name:
            return own, name
    if not any(plain(own) in listed for own, _ in ways):
        raise StoreError(say("names no VM and no host that is listed"), told, field=OPTION)
    raise StoreError(say("names nothing that goes by another name"), told, field=OPTION)
