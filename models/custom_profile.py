"""A kind of VM that the program does not offer: a workload with figures of its own."""

from __future__ import annotations

from collections.abc import Container

from models.catalog import Profile, Provenance
from models.catalog_check import check_entry
from models.own_entry import OWN, checked_name, own_id
from models.scenario import Workload
from models.texts import say


def custom_profile(
    *, name: str, workload: Workload, vcpus: int, ram_gib: float, taken: Container[str] = ()
) -> Profile:
    """A profile: VMs made from it begin with these values and can be changed one by one.

    Args:
        taken: ids in use; the new one is ``own-`` and the name, numbered where it must be.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.
    """
    name = checked_name(name, say("a workload needs a name"))
    profile = Profile(
        id=own_id(name, taken, "workload"),
        name=name,
        vcpus=vcpus,
        ram_gib=ram_gib,
        workload=workload,
        provenance=Provenance(source="own entry", confidence=OWN),
    )
    check_entry(profile)
    return profile
