"""Memory of Domino servers in production: what evidence and makers have for so many mail files.

No model says what a production server does with less memory than those that were looked at, so a
design has as much for each owner of a mail file as Domino took there, and no less than its maker
prints for so many users.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, sqrt

import numpy as np

from models.base.quantities import FloatArray, gib_from_gb, judged_end
from models.catalog.catalog import Catalog, Product
from models.catalog.published import makers_size, release_of
from models.evidence.profiles import FIELD_MB_PER_OWNER
from models.scenario.growth import grown
from models.scenario.inputs import is_pinned, origin_of
from models.scenario.owners import mail_owners
from models.scenario.scenario import Policy, Scenario, Vm, Workload

SMALL_STEP_GIB, STEP_GIB, SMALL_GIB = 4.0, 8.0, 32.0
"""Steps of a VM's memory, up to `SMALL_GIB` and beyond."""


def owners_gib(owners: float, share: float) -> float:
    """Memory for the owners of mail files on a server [GiB].

    owners·m, with m the end of 17 to 24 MB that is judged (`quantities.judged_end` of their
    geometric mean). Valid near the two servers that it is from, of 408 and 902 owners; for more it
    is the same for each. Source: console statistics of two production Domino servers, 2018.

    Args:
        share: of the policy's posture.

    >>> [round(owners_gib(2800.0, share), 1) for share in (0.0, 0.5116, 1.0)]
    [52.7, 57.5, 62.6]
    """
    least, most = FIELD_MB_PER_OWNER
    value = sqrt(least * most)
    end = float(judged_end(np.array([value]), np.array([most]), share)[0])
    return gib_from_gb(owners * end / 1000.0)


def advised_gib(work: Workload, owners: float, policy: Policy, catalog: Catalog) -> float:
    """Memory of a server with so many mail files, in whole steps [GiB]; 0 where nothing is known of
    it: in the benchmark, and of servers without mail files."""
    if not (policy.derating.production and work.kind.is_domino and owners > 0):
        return 0.0
    release = release_of(catalog, Product.DOMINO, work.release)
    size = None if release is None else makers_size(catalog, release, owners)
    need = max(owners_gib(owners, policy.posture.share), 0.0 if size is None else size.ram_gib)
    step = SMALL_STEP_GIB if need <= SMALL_GIB else STEP_GIB
    return ceil(need / step - 1e-9) * step


def advised_each(
    work: Workload, owners: FloatArray, policy: Policy, catalog: Catalog
) -> FloatArray:
    """`advised_gib` of each of many numbers of mail files, any shape."""
    different, which = np.unique(owners, return_inverse=True)
    each = [advised_gib(work, count, policy, catalog) for count in different.tolist()]
    return np.array(each)[which].reshape(owners.shape)


def with_advised(scenario: Scenario, catalog: Catalog) -> tuple[Vm, ...]:
    """The VMs of a scenario with no less memory than that at the end of its growth, but where it is
    pinned or somebody knows it of this customer."""
    policy, end = scenario.policy, grown(scenario, scenario.growth.years)

    def raised(vm: Vm, then: Workload) -> Vm:
        if is_pinned(vm, "ram_gib") or origin_of(vm, "ram_gib").is_data:
            return vm
        owners = mail_owners(then, production=policy.derating.production)
        advised = advised_gib(then, owners, policy, catalog)
        return replace(vm, ram_gib=advised) if vm.ram_gib < advised else vm

    pairs = zip(scenario.vms, end.vms, strict=True)
    return tuple([raised(vm, there.workload) for vm, there in pairs])
