"""The inspector's fields, kind by kind."""

from __future__ import annotations

from collections.abc import Mapping

from app.widgets.inspector.holder_tables import CLUSTER_SECTIONS, HOST_SECTIONS, POOL_SECTIONS
from app.widgets.inspector.scenario_table import SCENARIO_SECTIONS
from app.widgets.inspector.specs import Section
from app.widgets.inspector.vm_table import VM_SECTIONS
from models.scenario import Cluster, Host, Pool, Scenario, Vm

SECTIONS: Mapping[type, tuple[Section, ...]] = {
    Vm: VM_SECTIONS,
    Host: HOST_SECTIONS,
    Pool: POOL_SECTIONS,
    Cluster: CLUSTER_SECTIONS,
    Scenario: SCENARIO_SECTIONS,
}
