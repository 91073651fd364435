"""What the stated factors between families say of figures that none of them was taken from.

Families B to F hold one load each: nothing of them can be left out and predicted by the rest. But a
factor of one family can be held against a measurement of another. Every prediction here comes from
figures and factors of which none stems from the measurement that it is compared with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.base.texts import say
from models.catalog.catalog import Catalog, Platform
from models.evidence.calibration import Calibration, rounded
from models.evidence.constants import USERS_PER_VM, VCPUS_PER_VM
from models.evidence.domino_cluster import Share, cluster_law, member_demand
from models.evidence.family_a import (
    DOUBLED_RAM_GIB,
    REFERENCE_RAM_GIB,
    PlatformA,
    StorageA,
    cpu_pct,
)
from models.evidence.kernel_io import cpu_over_ram, virtual_kernel_share
from models.evidence.knowledge import Knowledge
from models.evidence.rows import EvidenceRow, by_id, figure
from models.physics.demand import B_RAM_GIB, MAIL85_HALF_WIDTH
from models.physics.laws import A_VCPUS, SETTING_HALF_WIDTH, SPEC_HALF_WIDTH

TWIN = say("the other VM on its host")
SPEC = say("SPEC rate per core")
RELEASE = say("family A, SPEC rate per core and release")
CLUSTER = say("family C's cluster factors")
KERNEL = say("family F's kernel time and iNotes' fall of I/O")


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferCheck:
    """One measurement against what a transfer says of it.

    Attributes:
        family: of the measurement.
        quantity: ``cpu_pct``, ``iops`` or ``cpu_ratio``.
        by: what leads there.
        evidence: id of the measurement, or of both whose ratio it is.
        measured, predicted, low, high: in the quantity's unit; low and high as a prediction would
            show them, equal to `predicted` where the step is shown without an interval of its own.
    """

    family: str
    quantity: str
    by: str
    evidence: str
    measured: float
    predicted: float
    low: float
    high: float

    @property
    def error_pct(self) -> float:
        """Predicted over measured less one [%]."""
        return 100.0 * (self.predicted / self.measured - 1.0)

    @property
    def holds(self) -> bool:
        """Whether the measurement is within the interval."""
        return self.low <= self.measured <= self.high


def transfer_checks(rows: Sequence[EvidenceRow], knowledge: Knowledge) -> tuple[TransferCheck, ...]:
    """Every transfer that a measurement of another family can be held against.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    figures = by_id(rows)
    checks = (
        *_twins(figures),
        *_by_spec(figures, knowledge.catalog),
        *_by_release(figures, knowledge),
        *_by_cluster(figures, knowledge.calibration),
        *_by_kernel(figures, knowledge.calibration),
    )
    return tuple(rounded(check) for check in checks)


Figures = dict[str, EvidenceRow]


def _check(
    family: str,
    quantity: str,
    by: str,
    evidence: str,
    measured: float,
    predicted: float,
    half: float,
) -> TransferCheck:
    return TransferCheck(
        family=family,
        quantity=quantity,
        by=by,
        evidence=evidence,
        measured=measured,
        predicted=predicted,
        low=predicted * math.exp(-half),
        high=predicted * math.exp(half),
    )


def _twins(figures: Figures) -> list[TransferCheck]:
    """The two VMs of table 1 ran the same load: how well a run repeats."""
    ids = "vsphere4/table1/dominomail-0{}/{}"
    return [
        _check(
            "B",
            quantity,
            TWIN,
            ids.format(vm, metric),
            figure(figures, ids.format(vm, metric)),
            figure(figures, ids.format(other, metric)),
            MAIL85_HALF_WIDTH,
        )
        for quantity, metric in (("cpu_pct", "cpu_avg"), ("iops", "disk_io_avg"))
        for vm, other in ((1, 2), (2, 1))
    ]


def _by_spec(figures: Figures, catalog: Catalog) -> list[TransferCheck]:
    """CPU of the x366 from the Clovertown machine, both physical."""
    slowness = _spec(catalog, Platform.CLOVERTOWN) / _spec(catalog, Platform.X366)
    there, here = "wv21/clovertown/physical/7.25gb/{}/cpu_pct", "wv21/x366/physical/6gb/{}/cpu_pct"
    return [
        _check(
            "A",
            "cpu_pct",
            SPEC,
            here.format(users),
            figure(figures, here.format(users)),
            slowness * figure(figures, there.format(users)),
            SPEC_HALF_WIDTH,
        )
        for users in (1000, 2000, 3000, 4000)
    ]


def _by_release(figures: Figures, knowledge: Knowledge) -> list[TransferCheck]:
    """CPU of family B's building block from family A's law on the Clovertown machine."""
    where = {"platform": PlatformA.CLOVERTOWN, "storage": StorageA.VMFS, "ram_gib": B_RAM_GIB}
    there = float(cpu_pct(knowledge.calibration.law, **where, users=USERS_PER_VM))
    release = knowledge.calibration.constants.releases.cpu_factor_851.value
    slowness = _spec(knowledge.catalog, Platform.CLOVERTOWN) / _spec(
        knowledge.catalog, Platform.NEHALEM
    )
    steps = (knowledge.calibration.uncertainty.cpu.known, SPEC_HALF_WIDTH, math.log(release))
    half = math.hypot(*steps, SETTING_HALF_WIDTH, SETTING_HALF_WIDTH)
    predicted = there * A_VCPUS / VCPUS_PER_VM * slowness * release
    ids = [f"vsphere4/table1/dominomail-0{vm}/cpu_avg" for vm in (1, 2)]
    return [_check("B", "cpu_pct", RELEASE, id, figure(figures, id), predicted, half) for id in ids]


def _by_cluster(figures: Figures, calibration: Calibration) -> list[TransferCheck]:
    """Family B's clustered run, both members active, from its run without a cluster."""
    constants, law = calibration.constants, cluster_law(calibration.constants.cluster_r5)
    cpu = constants.mail85.cpu_core_pct_per_user.value * USERS_PER_VM / VCPUS_PER_VM
    exponent = constants.inotes85.ram_exponent_iops.value
    iops = constants.mail85.iops_per_user.value * USERS_PER_VM * 2.0**-exponent
    return [
        _member(
            "cpu_pct",
            "vsphere4/table3/cpu_avg-perfmon",
            figures,
            cpu,
            law.push_cpu,
            law.receive_cpu,
        ),
        _member("iops", "vsphere4/table3/disk_io", figures, iops, law.push_disk, law.receive_disk),
    ]


def _member(
    quantity: str, id: str, figures: Figures, own: float, push: Share, receive: Share
) -> TransferCheck:
    value, low, high = member_demand(own, own, push=push, receive=receive).tolist()
    return TransferCheck(
        family="B",
        quantity=quantity,
        by=CLUSTER,
        evidence=id,
        measured=figure(figures, id),
        predicted=value,
        low=low,
        high=high,
    )


def _by_kernel(figures: Figures, calibration: Calibration) -> list[TransferCheck]:
    """CPU at 14.5 GB over CPU at 7.25 GB of the same VM, before any knee (to 2,000 users)."""
    law, kernel = calibration.law, calibration.constants.kernel
    share = virtual_kernel_share(law.esx_cpu_factor, kernel.kernel_multiplier.value)
    more = DOUBLED_RAM_GIB / REFERENCE_RAM_GIB
    predicted = float(cpu_over_ram(more, kernel_share=share, miss_exponent=law.miss_exponent))
    half = math.sqrt(2.0) * calibration.uncertainty.cpu.known
    checks = []
    for path in ("vmfs", "rdm"):
        for users in (1000, 2000):
            ids = [f"wv21/clovertown/{path}/{ram}gb/{users}/cpu_pct" for ram in ("14.5", "7.25")]
            with_more, with_less = (figure(figures, id) for id in ids)
            checks.append(
                _check(
                    "A",
                    "cpu_ratio",
                    KERNEL,
                    " / ".join(ids),
                    with_more / with_less,
                    predicted,
                    half,
                )
            )
    return checks


def _spec(catalog: Catalog, platform: Platform) -> float:
    """SPEC rate per core of a measured machine; NaN when the catalog doesn't have it."""
    rates = (s.spec_rate_per_core for s in catalog.servers.values() if s.platform is platform)
    return next((rate for rate in rates if rate is not None), math.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferError:
    """Errors of one transfer over the measurements that it is held against.

    Attributes:
        family, quantity, by: as in `TransferCheck`.
        n, inside: measurements, and those within the interval.
        mean_pct: mean of the absolute errors.
    """

    family: str
    quantity: str
    by: str
    n: int
    inside: int
    mean_pct: float


def transfer_errors(checks: Sequence[TransferCheck]) -> tuple[TransferError, ...]:
    """The checks summed up, one line for each transfer and quantity."""
    keys = dict.fromkeys((check.family, check.quantity, check.by) for check in checks)
    return tuple(
        _summed(key, [c for c in checks if (c.family, c.quantity, c.by) == key]) for key in keys
    )


def _summed(key: tuple[str, str, str], checks: Sequence[TransferCheck]) -> TransferError:
    family, quantity, by = key
    return TransferError(
        family=family,
        quantity=quantity,
        by=by,
        n=len(checks),
        inside=sum(check.holds for check in checks),
        mean_pct=float(np.mean([abs(check.error_pct) for check in checks])),
    )
