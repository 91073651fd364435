"""Where the numbers of formulas come from: constants, parameters of the law, catalog, profiles."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from models.base.quantities import Basis
from models.base.texts import say
from models.catalog.catalog import Server
from models.evidence.family_a import THOUSANDS
from models.evidence.profiles import OtherWork
from models.evidence.rows import Constant
from models.explain.words import known
from models.explain.workings import Workings
from models.formulas.terms import FromCatalog, FromEvidence, Stated, Term, leaf
from models.formulas.traced import traced
from models.physics.demand import MemberCosts, member_costs
from models.physics.laws import NEWEST, OLDER

LAW = {
    "x366_cpu_pct": (say("CPU of the first 1,000 users, {machine}", machine="x366"), "%"),
    "clovertown_cpu_pct": (
        say("CPU of the first 1,000 users, {machine}", machine="Clovertown"),
        "%",
    ),
    "esx_cpu_factor": (say("CPU under ESX over native"), ""),
    "cpu_growth": (say("growth of CPU per user per 1,000 users"), ""),
    "path_cpu_excess": (say("extra CPU of a lossy path"), ""),
    "path_cpu_fall": (say("fall per 1,000 users"), ""),
    "base_response_ms": (say("response of an idle Clovertown at 7.25 GiB"), "ms"),
    "vmfs_users": (say("users that saturate VMFS at 7.25 GiB"), THOUSANDS),
    "x366_users": (say("users that saturate the x366"), THOUSANDS),
    "x366_stretch": (say("power of the stretch on the x366"), ""),
    "rdm_users": (say("users that saturate RDM"), THOUSANDS),
    "native_factor": (say("native over VMFS"), ""),
    "ram_exponent": (say("exponent of RAM"), ""),
    "think_time_ms": (say("think time"), "ms"),
    "miss_exponent": (say("fall of I/O with RAM, exponent"), ""),
}
"""The parameters of the law: what they are called, and their unit."""

RELEASES = {"newest": NEWEST, "older": OLDER}
CONSTANTS = {
    "mail85.cpu_core_pct_per_user": say("CPU of a mail user"),
    "mail85.iops_per_user": say("I/O of a mail user at 8 GB"),
    "mail85.packets_received_per_user": say("packets received"),
    "mail85.packets_sent_per_user": say("packets sent"),
    "inotes85.cpu_core_pct_per_user_8gb": say("CPU of an iNotes user at 8 GB"),
    "inotes85.iops_per_user_8gb": say("I/O of an iNotes user at 8 GB"),
    "inotes85.packets_received_per_user": say("packets received"),
    "inotes85.packets_sent_per_user": say("packets sent"),
    "inotes85.ram_exponent_cpu": say("exponent of RAM"),
    "inotes85.ram_exponent_iops": say("fall of I/O with RAM, exponent"),
    "cluster85.network_mb_per_s": say("network of a clustered server"),
    "cluster_r5.cpu_factor": say("CPU of a Domino cluster member"),
    "cluster_r5.disk_factor": say("I/O of a Domino cluster member"),
    "cluster_r5.receive_cpu_share": say("CPU for a partner’s users"),
    "cluster_r5.receive_disk_share": say("I/O for a partner’s users, on ESX 3"),
    "releases.cpu_factor_851": say(
        "CPU of {newest} over {older} and 8.0", newest=NEWEST, older=OLDER
    ),
    "releases.cpu_factor_7": say("CPU of 7 over 6.5"),
    "releases.iops_factor_851": say(
        "I/O of {newest} over {older} and 8.0", newest=NEWEST, older=OLDER
    ),
}
"""The constants of families B to F that formulas of VMs read: what they are called."""

RECEIVED, PUSHED = say("what they push"), say("pushing to partners")


def law_of(w: Workings) -> Any:
    """The law with where its parameters come from, fitted to family A or of another document."""
    leaves = {name: traced(_fitted(w, name, *words)) for name, words in LAW.items()}
    return SimpleNamespace(**leaves)


def _fitted(w: Workings, name: str, label: str, unit: str) -> Term:
    others = {
        "think_time_ms": w.constants.workload.think_time_ms,
        "miss_exponent": w.constants.inotes85.ram_exponent_iops,
    }
    if figure := others.get(name):
        source = FromEvidence(figure.evidence, figure.basis, known(figure.note))
    else:
        ids = tuple(run.id for run in w.knowledge.calibration.runs)
        words = say("{name}, fitted to the WV21 tables", name=name)
        source = FromEvidence(ids, Basis.INTERPOLATED, words)
    return leaf(label, getattr(w.law, name), unit, source=source)


def constants_of(w: Workings) -> Any:
    """The constants with where they come from."""
    found: dict[str, dict[str, Any]] = {}
    for path, label in CONSTANTS.items():
        family, name = path.split(".")
        figure: Constant = getattr(getattr(w.constants, family), name)
        source = FromEvidence(figure.evidence, figure.basis, known(figure.note))
        unit = "" if figure.unit == "1" else known(figure.unit)
        value = traced(leaf(label, figure.value, unit, source=source))
        found.setdefault(family, {})[name] = SimpleNamespace(value=value)
    return SimpleNamespace(**{name: SimpleNamespace(**each) for name, each in found.items()})


def costs_of(w: Workings) -> Any:
    """`MemberCosts` with where they come from: what the clustered run of family B took more,
    divided as family C divides it, and under family A family C's own."""
    costs, shares = member_costs(w.constants), constants_of(w).cluster_r5
    return SimpleNamespace(
        cpu_push=_divided("CPU", costs, "cpu_push", PUSHED),
        cpu_received=_divided("CPU", costs, "cpu_received", RECEIVED),
        io_push=_divided(say("I/O"), costs, "io_push", PUSHED),
        io_received=_divided(say("I/O"), costs, "io_received", RECEIVED),
        cpu_received_a=shares.receive_cpu_share.value,
        io_received_a=shares.receive_disk_share.value,
    )


def _divided(what: str, costs: MemberCosts, name: str, part: str) -> Any:
    why = say(
        "vSphere 4 paper, table 3: {what} of the clustered run over that of a server alone, less "
        "one; {part} of it",
        what=what,
        part=part,
    )
    label = say("{what} for {part}", what=what, part=part)
    return traced(leaf(label, getattr(costs, name), source=Stated(why)))


def spec_rate(server: Server | None) -> Any:
    """SPEC rate per core of a server; NaN for none."""
    if server is None or server.spec_rate_per_core is None:
        return math.nan
    source = FromCatalog("servers", server.id, "spec_rate_per_core")
    label = say("SPEC rate per core of {name}", name=server.name)
    return traced(leaf(label, server.spec_rate_per_core, source=source))


def seen(profile: OtherWork, label: str, value: float) -> Any:
    """A figure of other work where it was seen."""
    note = say("a published figure or arithmetic on a few: docs/model.md, “Production”")
    return traced(
        leaf(label, value, source=FromEvidence(profile.evidence, Basis.TRANSFERRED, note))
    )
