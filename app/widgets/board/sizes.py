"""How large a VM's card stands: by what it asks of its host."""

from __future__ import annotations

import numpy as np

from models.base.quantities import FloatArray, IntArray
from models.catalog.catalog import Catalog
from models.predict.prediction import Prediction
from models.scenario.scenario import Host, Scenario

STEPS = (0.08, 0.16, 0.32)
"""Shares of a host from which on a card is a size larger."""


def card_sizes(scenario: Scenario, prediction: Prediction, catalog: Catalog) -> dict[str, int]:
    """Size class of each VM's card, those of size 0 left out.

    A VM's share is that of its host's cores or memory, whichever is larger; one that has no host
    is measured by the first. Without data of CPU its memory decides.

    Args:
        prediction: of this scenario; where it is of another one all cards are of size 0.
    """
    rows = prediction.vms
    if not scenario.hosts or rows.ids != tuple([vm.id for vm in scenario.vms]):
        return {}
    rooms = {host.id: _room(host, catalog) for host in scenario.hosts}
    first = next(iter(rooms.values()))
    room = np.array([rooms.get(vm.host or "", first) for vm in scenario.vms]).reshape(-1, 2).T
    vcpus = np.array([vm.vcpus for vm in scenario.vms])
    sizes = size_classes(rows.cpu_pct.value / 100 * vcpus, room[0], rows.ram_gib.value, room[1])
    return {rows.ids[row]: int(sizes[row]) for row in np.flatnonzero(sizes).tolist()}


def size_classes(
    cores: FloatArray, of_cores: FloatArray, ram_gib: FloatArray, of_ram_gib: FloatArray
) -> IntArray:
    """The sizes of cards; what has no data, and hosts without a figure, have no say.

    >>> eight, sixty_four = np.full(3, 8.0), np.full(3, 64.0)
    >>> size_classes(np.array([0.4, 2.0, np.nan]), eight, np.array([4.0, 4.0, 8.0]), sixty_four)
    array([0, 2, 1])
    """
    shares = [
        np.nan_to_num(used / np.where(total > 0, total, np.inf))
        for used, total in ((cores, of_cores), (ram_gib, of_ram_gib))
    ]
    return np.searchsorted(STEPS, np.maximum(*shares), side="right")


def _room(host: Host, catalog: Catalog) -> tuple[float, float]:
    server = catalog.servers.get(host.server)
    return (float(server.cores) if server else 0.0, host.ram_gib)
