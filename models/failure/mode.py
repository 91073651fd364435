"""What fails in a failure mode, and what becomes of its VMs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class ModeKind(StrEnum):
    """Kinds of failure modes, from everyday to rare.

    *Several hosts* is the worst loss of as many hosts at once as a cluster tolerates: which these
    are is worked out, not read off the scenario.
    """

    NORMAL = "normal"
    HOST = "host"
    SEVERAL = "several hosts"
    TWO_HOSTS = "two hosts"
    GROUP = "group"
    MAINTENANCE = "maintenance"
    CONTROLLER = "controller"
    PARTNER = "partner"
    FT_PRIMARY = "ft primary"


def mode_of(hosts: Sequence[str]) -> str:
    """What the mode is called in which these hosts are gone, at least one.

    >>> mode_of(["h1"]), mode_of(["h1", "h2"])
    ('host h1', 'hosts h1, h2')
    """
    return f"host {hosts[0]}" if len(hosts) == 1 else f"hosts {', '.join(hosts)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """What fails.

    Attributes:
        id: such as ``host h1``, ``hosts h1, h2``, ``group Rack-1``, ``maintenance h1, host h2``,
            ``controller p1``, ``partner m1``, ``ft m1``.
        hosts: ids of the hosts that are gone, the one in maintenance among them.
        maintenance: id of the host whose VMs were moved away before, None for none.
        subject: what fails: a host, the name of a group, a pool, a VM; empty for normal operation.
    """

    id: str
    kind: ModeKind
    hosts: tuple[str, ...] = ()
    maintenance: str | None = None
    subject: str = ""

    @classmethod
    def of_hosts(cls, hosts: Sequence[str], kind: ModeKind = ModeKind.SEVERAL) -> Mode:
        """The loss of these hosts at once; of one it is the failure of that host."""
        id = mode_of(hosts)
        if len(hosts) == 1:
            return cls(id=id, kind=ModeKind.HOST, hosts=tuple(hosts), subject=hosts[0])
        return cls(id=id, kind=kind, hosts=tuple(hosts))


NORMAL = Mode(id="normal", kind=ModeKind.NORMAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """A VM restarts on a host; `moved_before`: it was moved there for the maintenance.

    `breaks` names the preferences that the new place doesn't keep, by the ids of the rules.
    """

    vm: str
    host: str
    moved_before: bool = False
    breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stranded:
    """A VM that finds no place, and why, where that was looked for."""

    vm: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """A VM that runs on in its Fault Tolerance secondary, on which host."""

    vm: str
    host: str
