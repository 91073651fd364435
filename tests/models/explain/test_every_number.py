"""Every number of any scenario has a derivation that comes to it, and every input is in one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest

from models.base.fields import Field, Grows, leaves_of, value_at, with_value
from models.explain.derivation import explain, formula, gone_in_dial, shown_quantity
from models.explain.workings import Workings
from models.formulas.terms import FromInput
from models.physics.arrays import VmArrays
from models.predict.predicted import FAILURE, NumberRef
from models.scenario.scenario import Cluster, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from models.single_changes.move_preview import move_preview
from tests.models.any_scenario import any_scenario
from tests.models.explain.terms import numbers
from tests.models.worlds import KNOWLEDGE, a_host, a_scenario, a_vm, predict
from tests.sweeps import some

CLOSE = 1e-8
"""Responses are shown with ten digits (`rounding.steady`)."""


def strayed(scenario: Scenario) -> Iterator[tuple[NumberRef, float, float]]:
    """Numbers whose formula comes to another than is shown: both."""
    prediction = predict(scenario)
    workings = Workings.of(scenario, KNOWLEDGE)
    lost = gone_in_dial(scenario, prediction)
    for asked in numbers(scenario, prediction):
        shown = shown_quantity(asked, prediction).value
        if asked.field == FAILURE:  # the dial speaks of the failure in which VMs find no room
            shown = explain(asked, scenario, KNOWLEDGE, prediction).quantity.value
        if shown is not None:
            value = formula(asked, workings, lost).value
            if not math.isclose(value, shown, rel_tol=CLOSE, abs_tol=CLOSE):
                yield asked, value, shown


@pytest.mark.seeds(plain=8, slow=1_200)
def test_the_formula_of_every_number_comes_to_it(seed: int) -> None:
    assert not list(strayed(any_scenario(seed)))


@pytest.mark.seeds(plain=4, slow=300)
def test_so_does_that_of_a_site_with_a_host_in_maintenance(seed: int) -> None:
    scenario = any_scenario(seed)
    away = seed % max(len(scenario.hosts), 1)
    hosts = (replace(host, in_maintenance=row == away) for row, host in enumerate(scenario.hosts))
    assert not list(strayed(replace(scenario, hosts=tuple(hosts))))


READ = {path: field for path, field in leaves_of(Vm).items() if field.is_number and field.column}
"""Numbers of a VM that formulas read."""

DECIDES = {"guest_bits", "memory_reservation_gib", "cpu_reservation_mhz"}
"""What decides which formula holds or where a VM may restart, which words say: no part of a sum."""

TRIED = (0.5, 32.0, 5_000.0)


def a_world() -> Scenario:
    """Two hosts with one of each law that numbers of a VM can go into."""
    own = {"cpu_mhz": 900.0, "iops": 70.0, "disk_gib": 40.0, "network_mbps": 12.0}
    vms = (
        a_vm("m1", 900.0, registered_users=2_000.0, ram_gib=6.0, guest_pae=True),
        a_vm("m2", 600.0, kind=WorkloadKind.DOMINO_INOTES),
        a_vm("m3", 0.0, kind=WorkloadKind.GENERIC, **own),
    )
    hosts = tuple(a_host(id, cluster="c1") for id in ("h1", "h2"))
    scenario = a_scenario(clusters=(Cluster(id="c1", name="Mail"),), hosts=hosts, vms=vms)
    assert scenario.pools
    return scenario


def given(scenario: Scenario, path: str, field: Field) -> Iterator[tuple[str, Scenario]]:
    """The scenario with another number there, of each VM in turn, by its id."""
    allowed = [
        value
        for value in TRIED
        if (not field.choices or value in field.choices)
        and (field.ge is None or value >= field.ge)
        and (field.le is None or value <= field.le)
    ]
    whole = isinstance(value_at(scenario.vms[0], path), int) or field.choices
    for vm in scenario.vms:
        for value in dict.fromkeys(round(each) if whole else each for each in allowed):
            if value_at(vm, path) != value:
                yield vm.id, scenario.with_item(with_value(vm, path, value))


def shown(scenario: Scenario) -> dict[NumberRef, float]:
    prediction = predict(scenario)
    found = {a: shown_quantity(a, prediction).value for a in numbers(scenario, prediction)}
    return {asked: value for asked, value in found.items() if value is not None}


@pytest.mark.parametrize("path", some(sorted(READ.keys() - DECIDES)))
def test_what_a_formula_reads_of_a_vm_is_in_the_derivation(path: str) -> None:
    """Where a number changes with an input, the derivation of some number names that input."""
    before, changed, named = shown(a_world()), False, False
    for id, scenario in given(a_world(), path, READ[path]):
        assert not list(strayed(scenario))
        found, prediction = shown(scenario), predict(scenario)
        for asked, value in found.items():
            if not math.isclose(value, before.get(asked, math.inf), rel_tol=CLOSE):
                changed = True
                derivation = explain(asked, scenario, KNOWLEDGE, prediction)
                named |= FromInput(Vm, id, path) in [each.source for each in derivation.inputs]
        if named:
            break
    assert named or not changed


@pytest.mark.parametrize("path", some(READ))
def test_what_a_formula_reads_of_a_vm_is_in_the_hand(path: str) -> None:
    for id, scenario in given(a_world(), path, READ[path]):
        there = move_preview(scenario, KNOWLEDGE, [id]).there
        hosts = predict(scenario.place([id], "h2")).hosts
        row = hosts.ids.index("h2")
        expected = {
            "cpu_pct": hosts.cpu_pct.value[row],
            "ram_pct": hosts.ram_pct.value[row],
            "network_pct": hosts.network_pct.value[row],
            "vcpus_per_core": hosts.vcpus_per_core[row],
        }
        got = {name: getattr(there, name)[..., row].flat[0] for name in expected}
        assert got == pytest.approx(expected, rel=CLOSE, nan_ok=True)


@pytest.mark.parametrize("path", [path for path in READ if path.startswith("workload.")])
def test_what_a_formula_reads_of_a_workload_says_what_it_grows_with(path: str) -> None:
    assert isinstance(READ[path].grows, Grows)


def test_every_number_that_formulas_have_as_a_column_is_looked_at() -> None:
    columns = {field.column for field in READ.values()}
    assert len(columns) == len(READ) > 20
    assert columns <= set(VmArrays.__dataclass_fields__)
