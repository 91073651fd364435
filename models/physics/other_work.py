"""Other work of production servers as demands: what their profiles add to the users' own.

Source: `evidence.profiles`, from field servers and makers' sizes (docs/model.md, "Production").
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from models.base.quantities import FloatArray
from models.base.record import record
from models.catalog.catalog import Catalog
from models.evidence.family_a import THOUSAND
from models.formulas.traced import labelled, plus, times
from models.physics.arrays import PROFILE_WORK, Arrays
from models.physics.columns import looked_up
from models.physics.cpu import CORES
from models.physics.estimates import Sources
from models.physics.host_columns import Machine
from models.physics.laws import (
    RELEASE_HALF_WIDTH,
    SETTING_HALF_WIDTH,
    SPEC_HALF_WIDTH,
    before_esx_4,
    esx_left,
    slower,
)
from models.physics.transfer_distance import GENERATIONS, HYPERVISORS, RELEASES, grown, steps


@record
class OtherDemand:
    """Other work of each VM with its ends, (3, n); nothing for what is no Domino server.

    Attributes:
        cores: [core-seconds per second], NaN where no SPEC rate leads to the machine.
        iops: [IO/s].
        slowness: core-seconds here per core-second where it was seen, (n,).
        evidence: codes of `Sources`, (n,).
    """

    cores: FloatArray
    iops: FloatArray
    slowness: FloatArray
    evidence: npt.NDArray[np.int32]


def other_work(
    arrays: Arrays, catalog: Catalog, esx_cpu_factor: float, sources: Sources, *, load: float = 1.0
) -> OtherDemand:
    """What a server does besides the work of a benchmark.

    (server + per user·registered users·load)·SPEC rate there/here·ESX; I/O per user·registered
    users·load.
    Half width t in ln: √(profile² + what is not known of its machine² + steps²), each step as
    `steps.grown` has it. Registered users that nobody gave count as if they had been given
    (`owners.ACTIVE_OF_REGISTERED`). A server that is down in a VM that runs does nothing. Valid for
    a working hour; source: `profiles.PROFILES`.

    Args:
        esx_cpu_factor: of ESX before vSphere 4, as family B's.
        load: work of a user over today's.

    The field servers themselves, 408 and 902 home users on cores like theirs, which took 0.62 and
    1.21 in the mean of a month, 1.33 and 1.50 in a working hour:

    >>> from tests.models.worlds import field_servers
    >>> field_servers().cores.round(2).tolist()
    [[0.91, 1.35], [0.27, 0.4], [3.06, 4.53]]
    """
    vms, machines = arrays.vms, arrays.hosts.machines
    server, user, io, cores_t, iops_t, spec = _figures(catalog)[:, vms.profile]
    apart = _apart(catalog, machines, vms.releases)
    machine = looked_up(arrays.hosts.machine, vms.host, len(machines))
    there = apart[:, vms.profile, machine, vms.release]
    slowness = slower(spec, vms.at.spec_per_core)
    release = grown(RELEASE_HALF_WIDTH, there[RELEASES]) * (there[RELEASES] > 0)
    carried = grown(SPEC_HALF_WIDTH, there[GENERATIONS]) * (there[GENERATIONS] > 0)
    setting = grown(SETTING_HALF_WIDTH, there[HYPERVISORS]) * (there[HYPERVISORS] > 0)
    cores_t = np.sqrt(cores_t**2 + carried**2 + setting**2 + release**2)
    left = esx_left(np.nan_to_num(vms.at.version, nan=4.0), vms.at.physical)
    esx = before_esx_4(esx_cpu_factor, left)
    serves = vms.domino & vms.powered_on
    if vms.stopped is not None:
        serves &= ~vms.stopped
    side, owners = np.array([[0.0], [-1.0], [1.0]]), vms.mail_owners
    cores = other_cores(server, user, owners, load, slowness, esx) * np.exp(side * cores_t)
    iops = other_iops(io, owners, load) * np.exp(side * np.hypot(iops_t, release))
    cores, iops = np.where(serves, cores, 0.0), np.where(serves, iops, 0.0)
    return OtherDemand(cores, iops, slowness, _evidence(arrays, sources))


def other_cores(
    server: FloatArray,
    user: FloatArray,
    owners: FloatArray,
    load: FloatArray | float,
    slowness: FloatArray,
    esx: FloatArray | float,
) -> FloatArray:
    """CPU of other work [core-seconds per second], (server + user·owners/1000·load)·slowness·ESX.
    Valid and from where `other_work` is.

    Args:
        server, user: cores of a server, and of 1,000 users, where it was seen.
        owners: registered users.
        esx: CPU under ESX before 4.0 over native.

    >>> one = np.ones(1)
    >>> other_cores(0.5 * one, one, 2000 * one, 1.0, 2 * one, 1.0).tolist()
    [5.0]
    """
    thousands = labelled("thousands of registered users", owners / THOUSAND)
    of_users = labelled("for its users", times(user * thousands, load), CORES)
    seen = labelled("other work where it was seen", plus(of_users, server), CORES)
    return labelled("other work of the server", times(times(seen, slowness), esx), CORES)


def other_iops(user: FloatArray, owners: FloatArray, load: FloatArray | float) -> FloatArray:
    """I/Os of other work [IO/s], user·owners·load. Valid and from where `other_work` is.

    >>> other_iops(np.array([0.3]), np.array([1000.0]), 1.0).tolist()
    [300.0]
    """
    return labelled("I/O of other work", times(owners * user, load), "IOPS")


@lru_cache(maxsize=4)
def _figures(catalog: Catalog) -> FloatArray:
    """Per profile: cores of a server, of a user [per 1,000], I/Os of a user, half widths of both,
    and SPEC rate per core of where it was seen (NaN for unknown), (6, profiles)."""
    rows = []
    for work in PROFILE_WORK:
        entry = catalog.servers.get(work.seen.server)
        spec = None if entry is None else entry.spec_rate_per_core
        cores_t = float(np.hypot(work.cores_half_width, work.machine_half_width))
        rows.append(
            (
                *(work.server_cores, work.user_cores, work.user_iops),
                *(cores_t, work.iops_half_width, np.nan if spec is None else spec),
            )
        )
    return np.array(rows).T


def _apart(
    catalog: Catalog, machines: tuple[Machine, ...], releases: tuple[str, ...]
) -> FloatArray:
    """`steps` from where each profile was seen, (3, profiles, machines + 1, releases)."""
    found = [steps(catalog, work.seen, machines, releases) for work in PROFILE_WORK]
    return np.array(found).swapaxes(0, 1)


def _evidence(arrays: Arrays, sources: Sources) -> npt.NDArray[np.int32]:
    codes = [sources.code(work.evidence) for work in PROFILE_WORK]
    return np.array(codes, dtype=np.int32)[arrays.vms.profile]
