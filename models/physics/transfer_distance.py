"""How many steps lie between a measurement and where VMs stand, as widths count them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from models.base.quantities import FloatArray
from models.catalog.catalog import Catalog, Product
from models.catalog.distance import Distance, Standpoint, distance
from models.physics.host_columns import PHYSICAL, Machine

YEARS_PER_GENERATION = 2.5
"""Of processors in the catalog, 2005 to 2025: for machines whose generation has no number."""

GENERATIONS, HYPERVISORS, RELEASES = range(3)
"""Rows of `steps`."""


@lru_cache(maxsize=64)
def steps(
    catalog: Catalog,
    seen: Standpoint,
    machines: tuple[Machine, ...],
    releases: tuple[str, ...],
) -> FloatArray:
    """Generations of processors, of hypervisors and releases [1] between `seen` and each machine
    (the last is none) and release, (3, machines + 1, releases).

    |number there − number here| of each. What the tables don't know is taken by years, else as far
    as it can be: two generations of processors, all releases of Domino. From a physical server to a
    hypervisor is one step. Valid for machines and releases of the catalog. Source: its tables of
    generations and releases (`distance.distance`).

    >>> from models.catalog.catalog import Platform
    >>> from models.catalog.distance import MEASURED_ON
    >>> from tests.models.worlds import CATALOG
    >>> today = (("xeon6-6767p", "vsphere-8.0"),)
    >>> steps(CATALOG, MEASURED_ON[Platform.NEHALEM], today, ("14.5",))[:, 0, 0].tolist()
    [6.0, 4.0, 5.0]
    """
    found = np.zeros((3, len(machines) + 1, len(releases)))
    farthest = _most_releases(catalog, seen)
    for row, (server, hypervisor) in enumerate(machines):
        for column, release in enumerate(releases):
            there = Standpoint(server=server, hypervisor=hypervisor, release=release)
            found[:, row, column] = _counted(distance(catalog, seen, there), farthest)
    return found


def _counted(far: Distance, farthest: float) -> tuple[float, float, float]:
    generations = far.generations
    if generations is None:
        generations = 2 if far.years is None else round(far.years / YEARS_PER_GENERATION)
    hypervisors = 1 if far.hypervisors is None else far.hypervisors
    return generations, hypervisors, farthest if far.releases is None else far.releases


def _most_releases(catalog: Catalog, seen: Standpoint) -> float:
    here = distance(catalog, seen, seen)
    lines = [each for each in catalog.releases.values() if each.product is Product.DOMINO]
    if here.releases is None or not lines:
        return 1.0
    apart = (
        distance(catalog, seen, Standpoint(server="", hypervisor=PHYSICAL, release=each.number))
        for each in lines
    )
    return max((each.releases or 0.0) for each in apart)


def grown(half_width: float, count: npt.ArrayLike) -> FloatArray:
    """Half width [ln] after so many steps, each with its own error: t·√(the most of them and 1).

    Errors of steps are taken as independent, so that their squares add up. The one transfer that
    could be checked, one generation of processors, of hypervisors and of releases, erred by 0.48;
    √(0.30² + 0.25² + 0.30²) is 0.49. Valid for that one, stated beyond. Source:
    docs/model.md, "Intervals".

    >>> grown(0.30, np.array([0.0, 1.0, 4.0])).tolist()
    [0.3, 0.3, 0.6]
    """
    return np.asarray(half_width * np.sqrt(np.maximum(count, 1.0)))
