"""What the model worked out on its way to the numbers, for one scenario."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from models.base.fields import field_at, value_at
from models.base.lazily import with_fields
from models.catalog.catalog import Server
from models.evidence.constants import FamilyConstants
from models.evidence.family_a import FamilyALaw
from models.evidence.knowledge import Knowledge
from models.formulas.terms import FromCatalog, FromInput, Term, leaf
from models.physics.arrays import Arrays
from models.physics.estimates import NoSources
from models.physics.inputs_of_formulas import Inputs
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import demands_of, vm_stage
from models.scenario.places import as_it_runs
from models.scenario.scenario import Host, Policy, Pool, Scenario, Vm
from models.stages import Undisturbed, undisturbed


@dataclass(frozen=True, eq=False)
class Workings:
    """The stages of `evaluate`, with the scenario and catalog that they were worked out from."""

    scenario: Scenario
    knowledge: Knowledge
    normal: Undisturbed

    @classmethod
    def of(cls, scenario: Scenario, knowledge: Knowledge) -> Workings:
        """By the same functions, in the same order, as `evaluate`."""
        scenario = as_it_runs(scenario)
        vm = demands_of(scenario, knowledge)
        return cls(scenario, knowledge, undisturbed(vm, scenario.policy))

    def left_of(self, scenario: Scenario) -> Workings:
        """Of what is left after a failure, under the demands of before: partners that are down are
        still pushed to, and pools carry the I/O of what is down, both of which err high."""
        arrays, last = to_arrays(scenario, self.knowledge.catalog), self.arrays.vms
        vms = replace(arrays.vms, received=last.received_users, pushing=last.replicating)
        vm = vm_stage(
            replace(arrays, vms=vms),
            scenario.policy.derating,
            self.knowledge,
            NoSources(),
        )
        vm = with_fields(vm, on_pools=self.normal.vm.on_pools)
        normal = undisturbed(vm, scenario.policy)
        return Workings(scenario, self.knowledge, normal)

    @property
    def inputs(self) -> Inputs:
        return self.normal.vm.inputs

    @property
    def arrays(self) -> Arrays:
        return self.inputs.arrays

    @property
    def law(self) -> FamilyALaw:
        return self.knowledge.calibration.law

    @property
    def constants(self) -> FamilyConstants:
        return self.knowledge.calibration.constants

    @property
    def policy(self) -> Policy:
        return self.scenario.policy

    @cached_property
    def vm_rows(self) -> dict[str, int]:
        return {vm.id: row for row, vm in enumerate(self.scenario.vms)}

    @cached_property
    def host_rows(self) -> dict[str, int]:
        return {host.id: row for row, host in enumerate(self.scenario.hosts)}

    @cached_property
    def pool_rows(self) -> dict[str, int]:
        return {pool.id: row for row, pool in enumerate(self.scenario.pools)}

    def server_of(self, host: Host) -> Server:
        return self.knowledge.catalog.servers[host.server]

    def pushes(self, vm: Vm) -> bool:
        """Whether a VM pushes its changes to a Domino cluster partner that runs."""
        return bool(self.arrays.vms.replicating[self.vm_rows[vm.id]])

    # ------------------------------------------------------------------ leaves

    def vm_field(self, vm: Vm, path: str, value: float | None = None) -> Term:
        """A field of a VM as a leaf."""
        return self._field(Vm, vm.id, path, _read(vm, path) if value is None else value)

    def host_field(self, host: Host, path: str) -> Term:
        return self._field(Host, host.id, path, _read(host, path))

    def pool_field(self, pool: Pool, path: str) -> Term:
        return self._field(Pool, pool.id, path, _read(pool, path))

    def policy_field(self, name: str) -> Term:
        value = float(value_at(self.policy, name))
        words = field_at(Policy, name)
        source = FromInput(Scenario, "", f"policy.{name}")
        return leaf(words.label, value, words.unit, source=source)

    def catalog_field(
        self, collection: str, id: str, field: str, label: str, value: float, unit: str = ""
    ) -> Term:
        """A figure of a catalog entry as a leaf."""
        return leaf(label, value, unit, source=FromCatalog(collection, id, field))

    @staticmethod
    def _field(kind: type, subject: str, path: str, value: float) -> Term:
        words = field_at(kind, path)
        return leaf(words.label, value, words.unit, source=FromInput(kind, subject, path))


def _read(item: Vm | Host | Pool, path: str) -> float:
    value: object = item
    for name in path.split("."):
        value = getattr(value, name)
    if not isinstance(value, int | float):
        raise TypeError(f"{path} of {item.id} is no number")
    return float(value)
