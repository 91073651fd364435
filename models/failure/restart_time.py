"""How long a Domino VM is away when HA restarts it: from inputs that are all *assumed*.

The one published statement is a word: "downtime is usually measured in minutes while the guest OS
restarts and Domino services come back online" (Virtualizing IBM Lotus Domino 8.5.1 on VMware
vSphere 4, "VMware HA Test"; its figure 14 is a chart without numbers). So the parts below are
inputs of the scenario, never a measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from models.base.quantities import gib_from_gb
from models.base.texts import Text, say
from models.scenario.inputs import origin_of
from models.scenario.owners import mail_owners
from models.scenario.scenario import Assumptions, Scenario, Vm

HA_SOURCE = (
    "Virtualizing IBM Lotus Domino 8.5.1 on VMware vSphere 4, “VMware HA Test”: usually measured "
    "in minutes"
)
ASSUMED = say("assumed")


class Downtime(StrEnum):
    """How long users are without a server when a host dies, as the documents have it; *until
    repaired* where nothing takes over."""

    MINUTES = "minutes"
    SECONDS = "seconds"
    NONE = "none"
    REPAIR = "until repaired"

    @property
    def label(self) -> Text:
        return _DOWNTIMES[self]


_DOWNTIMES = {
    Downtime.MINUTES: say("minutes"),
    Downtime.SECONDS: say("seconds"),
    Downtime.NONE: say("none"),
    Downtime.REPAIR: say("until repaired"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartPart:
    """A part of the time away [s]: which input of the scenario it comes from, and its origin."""

    what: str
    field: str
    seconds: float
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartTime:
    """Time until a Domino server answers again after HA restarted its VM [s].

    Attributes:
        logged: with transaction logs, which are replayed; `unlogged`: without, when databases that
            were open are checked before they open again.
    """

    vm: str
    logged: tuple[RestartPart, ...]
    unlogged: tuple[RestartPart, ...]
    evidence: str = HA_SOURCE

    @property
    def logged_s(self) -> float:
        return sum(part.seconds for part in self.logged)

    @property
    def unlogged_s(self) -> float:
        return sum(part.seconds for part in self.unlogged)


def restart_time(
    vm: Vm,
    assumptions: Assumptions,
    origin_of: Callable[[str], str] = lambda field: ASSUMED,
    *,
    production: bool = False,
) -> RestartTime:
    """The parts of a Domino VM's time away; a VM without mail files has nothing to check.

    The check is of all its mail files: more than were open when the host died, so it errs high.

    Args:
        origin_of: word for the origin of an input by its field.
        production: users do what people do in production (`profiles.mail_owners`).

    >>> from models.scenario.scenario import DiskMode, Workload, WorkloadKind
    >>> mail = Workload(kind=WorkloadKind.DOMINO_NRPC, active_users=100.0, mail_file_mb=107.3741824)
    >>> vm = Vm(
    ...     id="m1",
    ...     name="Mail-01",
    ...     host=None,
    ...     pool=None,
    ...     vcpus=2,
    ...     ram_gib=8.0,
    ...     disk_mode=DiskMode.VMFS,
    ...     workload=mail,
    ... )
    >>> time = restart_time(vm, Assumptions())
    >>> time.logged_s, round(time.unlogged_s)
    (255.0, 295)
    """
    work = vm.workload
    owners = mail_owners(work, production=production)
    gib = gib_from_gb(owners * work.mail_file_mb / 1000.0)

    def part(what: str, field: str, times: float = 1.0) -> RestartPart:
        seconds = float(getattr(assumptions, field)) * times
        return RestartPart(what=what, field=field, seconds=seconds, origin=origin_of(field))

    start = (
        part(say("HA notices and orders the restart"), "ha_detection_s"),
        part(say("the guest starts"), "guest_boot_s"),
        part(say("the server’s tasks start"), "domino_start_s"),
    )
    replay = part(say("transaction logs are replayed"), "log_replay_s")
    check = part(
        say("databases are checked, without transaction logs"), "consistency_check_s_per_gib", gib
    )
    return RestartTime(vm=vm.id, logged=(*start, replay), unlogged=(*start, check))


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumedInput:
    """An input of `Scenario.assumptions` as it stands; `origin`: *assumed*, or who gave it."""

    field: str
    value: float
    origin: str


def origin_word(scenario: Scenario, field: str) -> str:
    """*assumed* where nobody gave the value of this field of the assumptions, else who did."""
    origin = origin_of(scenario, f"assumptions.{field}")
    return ASSUMED if origin.is_assumed else origin.label


def assumed_inputs(scenario: Scenario, names: Sequence[str]) -> tuple[AssumedInput, ...]:
    """These fields of the assumptions."""
    return tuple(
        AssumedInput(
            field=name,
            value=float(getattr(scenario.assumptions, name)),
            origin=origin_word(scenario, name),
        )
        for name in names
    )
