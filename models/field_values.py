"""What the value of a field is called: entries and items by their names, choices by their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from operator import attrgetter
from typing import Any

from models.catalog import Catalog
from models.scenario import AdmissionPolicy, Host, Pool
from models.texts import joined, say
from models.wording import AFFINITIES, DISK_MODES, RESTART_PRIORITIES
from models.workloads import WORKLOADS

NOT_SAID = say("not said")
REFERENCES = frozenset({"host", "pool", "log_pool", "cluster", "admission.failover_host"})
_CHOICES: Mapping[Any, str] = {
    **{kind: work.name for kind, work in WORKLOADS.items()},
    **DISK_MODES,
    **AFFINITIES,
    **RESTART_PRIORITIES,
    AdmissionPolicy.NONE: say("none"),
    AdmissionPolicy.HOST_FAILURES: say("host failures"),
    AdmissionPolicy.PERCENTAGE: say("percentage"),
    AdmissionPolicy.DEDICATED: say("dedicated host"),
}
_CATALOG_FIELDS: Mapping[tuple[type, str], Callable[[Catalog], Mapping[str, Any]]] = {
    (Host, "server"): attrgetter("servers"),
    (Host, "hypervisor"): attrgetter("hypervisors"),
    (Pool, "array"): attrgetter("arrays"),
    (Pool, "disk"): attrgetter("disks"),
    (Pool, "raid"): attrgetter("raid_levels"),
}


def value_words(
    kind: type, path: str, value: Any, *, catalog: Catalog, name_of: Callable[[str], str]
) -> str:
    """The value of a field that is no number, in words.

    Args:
        kind: class of the item; `path`: of the field inside it.
        name_of: the name of an item by its id; the id where there is none.
    """
    if value is None or value == "":
        return NOT_SAID
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, tuple):
        return joined(", ", map(name_of, value)) or say("none")
    if isinstance(value, StrEnum):
        return _CHOICES[value]
    of_catalog = _CATALOG_FIELDS.get((kind, path))
    if of_catalog is not None:
        entry = of_catalog(catalog).get(value)
        return entry.name if entry is not None else str(value)
    if path in REFERENCES:
        return name_of(value)
    return value if isinstance(value, str) else str(value)
