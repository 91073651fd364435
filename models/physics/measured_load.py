"""A load that somebody measured, carried to where its VM stands: clock, SPEC rate and cost of I/O.

Where it was measured is `workload.measured_on`. Without a server its MHz are those of any machine,
without a hypervisor it was a physical server: both are assumed, and wider for it.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.record import record
from models.catalog.catalog import Catalog, Platform
from models.catalog.distance import Standpoint
from models.evidence.constants import FamilyConstants, INotes85
from models.evidence.kernel_io import KernelCpu, cpu_ms_per_io
from models.formulas.traced import MS_IN_S, labelled, times
from models.physics.arrays import Arrays
from models.physics.columns import looked_up
from models.physics.cpu import CORES
from models.physics.host_columns import PHYSICAL
from models.physics.laws import SETTING_HALF_WIDTH, SPEC_HALF_WIDTH, slower, spec_of
from models.physics.scenario_to_arrays import places_measured
from models.physics.transfer_distance import GENERATIONS, HYPERVISORS, grown, steps

PLAIN_MHZ_HALF_WIDTH = 0.50
"""Half width in ln of a load in MHz of a machine that nobody named: two generations of processors,
each of which brought 1.2 to 1.4 times the SPEC rate per core and GHz in the catalog. Stated."""

SMALL_IO_KIB, LARGE_IO_KIB = 8.0, 64.0
"""A database page, and the I/Os of a copy at which its cost comes near that of WV21."""

MOST_MS_PER_IO = 1.1
"""CPU that VMFS took for each I/O which less RAM cost in WV21, Clovertown under ESX 3.0.1 [ms]."""

COSTLY_BEFORE = 3.5
"""Release of ESX before which the technote's figures hold (ESX 2.5 and 3.0)."""


@record
class MeasuredLoad:
    """CPU of each VM by its own figure, (n,), NaN without one.

    Attributes:
        cores: carried here, without what I/O costs on top [core-seconds per second].
        slowness: cores here per core of the same clock there, NaN where MHz are plain.
        by_io: kernel CPU that I/O costs under ESX on top, with its ends, (3, n).
        io_ms: the same of an I/O, with its ends, (3, n) [CPU ms].
        half_width: of `cores`, in ln; 0 where the load was measured on this very machine, and not
            assumed.
        exact: it is of this very machine.
    """

    cores: FloatArray
    slowness: FloatArray
    by_io: FloatArray
    io_ms: FloatArray
    half_width: FloatArray
    exact: BoolArray

    @property
    def ends(self) -> FloatArray:
        """Value, low and high end, (3, n)."""
        side = np.array([[0.0], [-1.0], [1.0]])
        return np.asarray(self.cores * np.exp(side * self.half_width) + self.by_io)


def measured_load(arrays: Arrays, catalog: Catalog, constants: FamilyConstants) -> MeasuredLoad:
    """What loads of generic VMs come to where they stand.

    MHz/clock there·(SPEC rate per core there/here), plain MHz/clock here where nobody says where;
    and I/Os·`io_ms` where a load of a physical server stands under ESX. Valid for averages of an
    hour or more. Sources: IBM technote 1252786 (I/O before ESX 3.5), vSphere 4 paper, tables 5 and
    6 (later); of SPEC rate the catalog.

    2,000 MHz with 2,000 I/Os on the Clovertown machine, measured there, physical and under ESX:

    >>> from tests.models.worlds import measured_loads
    >>> load = measured_loads("none", "esx-3.0.1", "vsphere-4.0")
    >>> load.ends.round(2).tolist()
    [[0.86, 1.27, 1.27], [0.86, 1.0, 0.86], [0.86, 2.98, 1.87]]
    """
    vms, places = arrays.vms, places_measured()
    at = vms.measured_on
    clock, spec, unsaid, virtual = np.array([_figures(catalog, place) for place in places]).T
    carried = clock[at] > 0
    slowness = slower(spec[at], vms.at.spec_per_core)
    rated = carried & ~np.isnan(slowness)
    mhz = np.where(rated, clock[at], vms.at.base_mhz)
    cores = cores_of_mhz(vms.own_cpu_mhz, mhz, np.where(rated, slowness, 1.0))
    slowness = np.where(rated, slowness, np.nan)
    same, half_width = _widths(arrays, catalog)
    half_width = np.where(rated, half_width, PLAIN_MHZ_HALF_WIDTH)
    moved = (virtual[at] == 0) & ~vms.at.physical
    io_ms = np.where(moved, _io_ms(arrays, catalog, constants), 0.0)
    by_io = cores_of_io(np.nan_to_num(vms.own_iops), io_ms)
    exact = same & rated & (unsaid[at] == 0)
    half_width = np.hypot(np.where(exact, 0.0, half_width), spread_of(vms.own_cpu_spread))
    return MeasuredLoad(cores, slowness, by_io, io_ms, half_width, exact)


def cores_of_mhz(mhz: FloatArray, clock_mhz: FloatArray, slowness: FloatArray) -> FloatArray:
    """A load in MHz [core-seconds per second]: MHz/clock·slowness. Valid and from where
    `measured_load` is.

    >>> cores_of_mhz(np.array([2000.0]), np.array([4000.0]), np.array([3.0])).tolist()
    [1.5]
    """
    cores = labelled("CPU load", mhz / clock_mhz, CORES)
    return labelled("CPU load carried here", times(cores, slowness), CORES)


def cores_of_io(iops: FloatArray, io_ms: FloatArray) -> FloatArray:
    """CPU of so many I/Os a second, each of so many ms [core-seconds per second]. Valid for any.
    Source: the utilisation law, U = X·D.

    >>> cores_of_io(np.array([2000.0]), np.array([0.25])).tolist()
    [0.5]
    """
    each_second = labelled("CPU by I/O a second", iops * io_ms, "ms")
    return labelled("CPU by I/O", each_second / MS_IN_S, CORES)


def spread_of(factor: FloatArray) -> FloatArray:
    """Half width in ln [1] of figures that are assumed within a factor either way, NaN for measured
    ones: w = ln(factor), 0 for those. Valid as whoever assumed it says. Source: who assumed it.

    >>> spread_of(np.array([2.0, np.nan])).round(2).tolist()
    [0.69, 0.0]
    """
    return np.log(np.fmax(factor, 1.0))


def _figures(catalog: Catalog, place: object) -> tuple[float, ...]:
    """Clock [MHz] and SPEC rate per core of where a load was measured, NaN for unknown; whether
    its hypervisor is not said, and whether there was one."""
    server = getattr(place, "server", None)
    hypervisor = getattr(place, "hypervisor", None)
    entry = None if server is None else catalog.servers.get(server)
    clock = None if entry is None else entry.base_mhz
    spec = None if entry is None else entry.spec_rate_per_core
    numbers = (np.nan if each is None else each for each in (clock, spec))
    return (*numbers, hypervisor is None, hypervisor not in (None, PHYSICAL))


def _widths(arrays: Arrays, catalog: Catalog) -> tuple[BoolArray, FloatArray]:
    """Whether loads stand where they were measured, and what steps from there add [ln], (n,)."""
    vms, machines = arrays.vms, arrays.hosts.machines
    machine = looked_up(arrays.hosts.machine, vms.host, len(machines))
    same, width = np.zeros(len(vms), dtype=np.bool_), np.zeros(len(vms))
    places = places_measured()
    for code in np.unique(vms.measured_on).tolist():
        place, rows = places[code], vms.measured_on == code
        if place is None or place.server is None:
            continue
        there = Standpoint(server=place.server, hypervisor=place.hypervisor or PHYSICAL, release="")
        apart = steps(catalog, there, machines, ("",))[:, machine[rows], 0]
        like = np.array([*(server == place.server for server, _ in machines), False])
        under = np.array([*(id == there.hypervisor for _, id in machines), False])
        by_spec = grown(SPEC_HALF_WIDTH, apart[GENERATIONS]) * ~like[machine[rows]]
        setting = grown(SETTING_HALF_WIDTH, apart[HYPERVISORS]) * ~under[machine[rows]]
        if there.hypervisor == PHYSICAL:
            setting = setting * 0.0  # What a hypervisor adds is the cost of I/O.
        same[rows] = (like & under)[machine[rows]]
        width[rows] = np.hypot(by_spec, setting)
    return same, width


def _io_ms(arrays: Arrays, catalog: Catalog, constants: FamilyConstants) -> FloatArray:
    """CPU that an I/O costs in a VM over what it costs natively [ms], with ends, (3, n).

    Before ESX 3.5 by the technote: what a copy costs for I/Os of 8 and of 64 KiB, in the geometric
    mean, and up to what WV21 shows, less the native share; on Clovertown cores. Later it is within
    the CPU that went with the I/Os which more RAM saved iNotes, of which nobody says what part is
    the hypervisor's: none to all of it, half of it as a value, on Nehalem cores, but on no core
    more than before: an order of which neither source speaks, so that the intervals hold the
    figures of both.
    """
    at = arrays.vms.at
    of_a, of_b = spec_of(catalog, Platform.CLOVERTOWN), spec_of(catalog, Platform.NEHALEM)
    here = np.where(np.isnan(at.spec_per_core), of_b, at.spec_per_core)
    early = early_ms_per_io(constants.kernel)[:, None] * of_a / here
    half = later_ms_per_io(constants.inotes85) * np.array([0.5, 0.0, 1.0])
    alone = half[:, None] * of_b / here
    early[2] = np.fmax(early[2], alone[0])
    later = np.array([np.fmin(alone[0], early[0]), alone[1], alone[2]])
    is_early = np.nan_to_num(at.version, nan=4.0) < COSTLY_BEFORE
    return np.where(is_early, early, later)


def early_ms_per_io(kernel: KernelCpu) -> FloatArray:
    """CPU of an I/O in a VM before ESX 3.5 over what it costs natively [CPU ms], ends beside
    it, (3,): √(small·large)·(1 − 1/k), k the kernel's CPU in a VM over that of a native copy.

    Valid for ESX before 3.5, requests of 4 to 64 KiB. Source: technote 1252786, listings.

    >>> from app.calibrated import shipped_calibration
    >>> early_ms_per_io(shipped_calibration().constants.kernel).round(2).tolist()
    [0.21, 0.07, 1.06]
    """
    small, large = cpu_ms_per_io([SMALL_IO_KIB, LARGE_IO_KIB], kernel.copy_cpu_s_per_mib.value)
    early = np.array([np.sqrt(small * large), small, MOST_MS_PER_IO])
    return np.asarray(early * (1.0 - 1.0 / kernel.kernel_multiplier.value))


def later_ms_per_io(inotes: INotes85) -> float:
    """CPU of iNotes at 8 GB less that at 16 GB over the I/Os that fell [CPU ms], ΔCPU/ΔI/O.

    Valid as an upper bound of the order, no more: the CPU of the two runs differs by less than
    their peaks do. Source: vSphere 4 paper, tables 5 and 6.

    >>> from app.calibrated import shipped_calibration
    >>> round(later_ms_per_io(shipped_calibration().constants.inotes85), 3)
    0.174
    """
    cpu = inotes.cpu_core_pct_per_user_8gb.value - inotes.cpu_core_pct_per_user_16gb.value
    io = inotes.iops_per_user_8gb.value - inotes.iops_per_user_16gb.value
    return float(max(cpu, 0.0) / 100.0 / io * 1000.0)


def evidence_of(constants: FamilyConstants) -> tuple[str, ...]:
    """Ids behind what an I/O costs under ESX."""
    inotes, kernel = constants.inotes85, constants.kernel
    figures = (
        *(kernel.copy_cpu_s_per_mib, kernel.kernel_multiplier),
        *(inotes.cpu_core_pct_per_user_8gb, inotes.cpu_core_pct_per_user_16gb),
        *(inotes.iops_per_user_8gb, inotes.iops_per_user_16gb),
    )
    return tuple(dict.fromkeys(id for each in figures for id in each.evidence))
