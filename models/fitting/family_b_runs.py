"""Family B with each of its runs left out, predicted by the others.

The vSphere 4 paper ran four times at 4,000 users: mail in two VMs at 8 GB (table 1), members of a
Domino cluster at 16 GB (table 3), iNotes at 8 and at 16 GB (tables 5 and 6). A run that is left out
gives neither its own figure nor any factor: what leads from mail to members is family C's, what RAM
saves comes from the other workload, and the response, of which there is one alone, from family A.
All runs are of one load, so that nothing of this says how the family follows the number of users.
"""

from __future__ import annotations

import math

import numpy as np

from models.base.quantities import FloatArray
from models.base.texts import say
from models.evidence.calibration import Calibration
from models.evidence.constants import USERS_PER_VM
from models.evidence.domino_cluster import Share, cluster_law, member_demand
from models.evidence.family_a import (
    DOUBLED_RAM_GIB,
    PlatformA,
    StorageA,
    base_response_ms,
    path_load,
    response_ms,
)
from models.evidence.rows import EvidenceRow, figure
from models.evidence.uncertainty import log_half_width, response_interval
from models.fitting.transfers import TransferCheck
from models.physics.demand import MAIL85_HALF_WIDTH
from models.physics.laws import SETTING_HALF_WIDTH, SPEC_HALF_WIDTH

REST = say("the other runs of its family")
MAIL = tuple(f"vsphere4/table1/dominomail-0{vm}/{{}}" for vm in (1, 2))
MEMBER_CPU, MEMBER_IO = "vsphere4/table3/cpu_avg-perfmon", "vsphere4/table3/disk_io"
MEMBER_RESPONSE = "vsphere4/table3/response_time_avg"
INOTES = ("vsphere4/table5/inotes/8gb/{}", "vsphere4/table6/inotes/16gb/{}")
Figures = dict[str, EvidenceRow]


def runs_left_out(figures: Figures, calibration: Calibration) -> tuple[TransferCheck, ...]:
    """CPU, I/Os and response of each run of family B by the others.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    law = cluster_law(calibration.constants.cluster_r5)
    cpu, io = _member(law.push_cpu, law.receive_cpu), _member(law.push_disk, law.receive_disk)
    mail_cpu, mail_io = (_mean(figures, metric) for metric in ("cpu_avg", "disk_io_avg"))
    there_cpu, there_io = figure(figures, MEMBER_CPU), figure(figures, MEMBER_IO)
    small, large = (figure(figures, id.format("disk_io_avg")) for id in INOTES)
    saved = np.full(3, large / small)
    by_mail = np.minimum(there_io / (mail_io * io), 1.0)[[0, 2, 1]]
    return (
        *(_check(figures, "cpu_pct", id.format("cpu_avg"), _over(there_cpu, cpu)) for id in MAIL),
        *(
            _check(figures, "iops", id.format("disk_io_avg"), _over(there_io, io * saved))
            for id in MAIL
        ),
        _check(figures, "cpu_pct", MEMBER_CPU, mail_cpu * cpu),
        _check(figures, "iops", MEMBER_IO, mail_io * saved * io),
        _response(figures, calibration),
        *_inotes(figures, "cpu_pct", "cpu_avg", np.ones(3)),
        *_inotes(figures, "iops", "disk_io_avg", by_mail),
    )


def _inotes(
    figures: Figures, quantity: str, metric: str, saved: FloatArray
) -> tuple[TransferCheck, TransferCheck]:
    """Either run by the other, with what doubling the RAM leaves: value, low and high end."""
    ids = [id.format(metric) for id in INOTES]
    small, large = (figure(figures, id) for id in ids)
    return (
        _check(figures, quantity, ids[0], _over(large, saved)),
        _check(figures, quantity, ids[1], small * saved),
    )


def _member(push: Share, receive: Share) -> FloatArray:
    """A member over a server alone, both of a pair active: value, low and high end."""
    return member_demand(1.0, 1.0, push=push, receive=receive)


def _over(value: float, factor: FloatArray) -> FloatArray:
    """The value over a factor: with its own ends, the other way round."""
    return value / factor[[0, 2, 1]]


def _mean(figures: Figures, metric: str) -> float:
    return sum(figure(figures, id.format(metric)) for id in MAIL) / len(MAIL)


def _check(figures: Figures, quantity: str, id: str, ends: FloatArray) -> TransferCheck:
    """The ends of a factor, with the family's own half width around them."""
    value, low, high = ends.tolist()
    return TransferCheck(
        family="B",
        quantity=quantity,
        by=REST,
        evidence=id,
        measured=figure(figures, id),
        predicted=value,
        low=low * math.exp(-MAIL85_HALF_WIDTH),
        high=high * math.exp(MAIL85_HALF_WIDTH),
    )


def _response(figures: Figures, calibration: Calibration) -> TransferCheck:
    """The one response by family A's law as it is: VMFS on the Clovertown machine, 14.5 GB."""
    law = calibration.law
    where = {"platform": PlatformA.CLOVERTOWN, "storage": StorageA.VMFS}
    at = where | {"ram_gib": DOUBLED_RAM_GIB, "users": USERS_PER_VM}
    release = math.log(calibration.constants.releases.cpu_factor_851.value)
    steps = (SPEC_HALF_WIDTH, SETTING_HALF_WIDTH, SETTING_HALF_WIDTH, release)
    half = log_half_width(calibration.uncertainty.response, transfer=math.hypot(*steps))
    base = base_response_ms(law, ram_gib=DOUBLED_RAM_GIB)
    ends = response_interval(base, path_load(law, **at), half, think_time_ms=law.think_time_ms)
    return TransferCheck(
        family="B",
        quantity="response_ms",
        by=REST,
        evidence=MEMBER_RESPONSE,
        measured=figure(figures, MEMBER_RESPONSE),
        predicted=float(response_ms(law, **at)),
        low=float(ends[0]),
        high=float(ends[1]),
    )
