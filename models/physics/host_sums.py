"""What adds up on hosts, declared once: what VMs ask of their hosts, and its sums.

A row of `ROWS` is summed wherever hosts are: in prediction, after a loss, for VMs in the hand, and
for a VM on other kinds of machines. Who needs a sum asks for it by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.physics.columns import NOBODY, every, filled, sums_by
from models.physics.estimates import Estimate, known_ends, summed, taken
from models.physics.inputs_of_formulas import Inputs
from models.physics.sametime import Vouching, chat_users, vouching


class Asking(Protocol):
    """VMs with their demands, (n,)."""

    @property
    def inputs(self) -> Inputs: ...
    @property
    def cores(self) -> Estimate: ...
    @property
    def network(self) -> Estimate: ...
    @property
    def ram_gib(self) -> FloatArray: ...


@record
class HostRow:
    """What VMs ask of their hosts that adds up there.

    Attributes:
        of: what each VM asks for, 0 for no data, (n,), or (width, n) where it has several figures.
        twice: whether a secondary of Fault Tolerance asks for it again, on its host.
        of_unknown: it says something only where demands of VMs have no data.
    """

    name: str
    of: Callable[[Asking], FloatArray | BoolArray]
    width: int = 1
    twice: bool = True
    of_unknown: bool = False


def running_cores(asking: Asking) -> FloatArray:
    """CPU within what the vCPUs can run, 0 for no data, with ends [core-seconds per second]."""
    return np.minimum(np.fmax(asking.cores.ends, 0.0), asking.inputs.arrays.vms.vcpus)


def _each_vm(asking: Asking) -> FloatArray:
    return filled(len(asking.inputs.arrays.vms), 1.0)


def _blind_vcpus(asking: Asking) -> FloatArray:
    return np.where(asking.cores.known, 0.0, asking.inputs.arrays.vms.vcpus)


def _unvouched_vcpus(asking: Asking) -> FloatArray:
    vouched = vouching(asking.inputs)
    blind = _blind_vcpus(asking)
    return blind if vouched is None else np.where(vouched.alone, 0.0, blind)


ROWS = (
    HostRow("vcpus", lambda asking: asking.inputs.arrays.vms.vcpus),
    HostRow("traffic", lambda asking: known_ends(asking.network), width=3, twice=False),
    HostRow("cpu", running_cores, width=3),
    HostRow("ram_gib", lambda asking: asking.ram_gib),
    HostRow("vms", _each_vm),
    HostRow("primaries", _each_vm, twice=False),
    HostRow("blind", lambda asking: ~asking.cores.known, of_unknown=True),
    HostRow("blind_vcpus", _blind_vcpus, of_unknown=True),
    HostRow("unvouched_vcpus", _unvouched_vcpus, of_unknown=True),
    HostRow("unheard", lambda asking: ~asking.network.known, twice=False, of_unknown=True),
    HostRow(
        "chat_users",
        lambda asking: chat_users(asking.inputs),
        width=2,
        twice=False,
        of_unknown=True,
    ),
)
"""Network load in Mb/s and CPU in core-seconds per second, as far as it is known; `blind` counts
VMs without CPU data, whose vCPUs are the most that they take, `unvouched_vcpus` those of them that
nothing vouches for wherever they stand; `unheard` counts VMs without network data."""

_ENDS = np.cumsum([row.width for row in ROWS]).tolist()
_AT: dict[str, int | slice] = {
    row.name: end - 1 if row.width == 1 else slice(end - row.width, end)
    for row, end in zip(ROWS, _ENDS, strict=True)
}
_EACH = {name: np.atleast_1d(np.arange(_ENDS[-1])[at]) for name, at in _AT.items()}
_OF_ALL = sum(row.width for row in ROWS if not row.of_unknown)
TWICE = np.repeat([row.twice for row in ROWS], [row.width for row in ROWS])
"""Which figures a secondary asks for again."""


class Sums(Protocol):
    """Sums of hosts, by the names of rows."""

    def __getitem__(self, name: str, /) -> FloatArray: ...


@record
class Asked:
    """The figures of `ROWS` (k, n), of VMs or, added up, of hosts; those of what is unknown are
    left away where nothing is."""

    figures: FloatArray

    @classmethod
    def of(cls, asking: Asking, *, whole: bool = False) -> Asked:
        """What each VM asks for; `whole`: all figures in any case."""
        whole = whole or not (every(asking.cores.known) and every(asking.network.known))
        parts = [np.atleast_2d(row.of(asking)) for row in ROWS if whole or not row.of_unknown]
        return cls(np.concatenate(parts, dtype=np.float64))

    @property
    def is_whole(self) -> bool:
        """Whether it says what is unknown."""
        return len(self.figures) > _OF_ALL

    def __getitem__(self, name: str) -> FloatArray:
        """A row by name, (n,), or (width, n)."""
        if self.has(name):
            return self.figures[_AT[name]]
        return no_sums(name, self.figures.shape[1:])

    def has(self, name: str) -> bool:
        """Whether the row is not left away."""
        return bool(_EACH[name][-1] < len(self.figures))

    def put(self, name: str, values: FloatArray) -> None:
        """Another row of this name, in place."""
        self.figures[_AT[name]] = values

    def on(self, place: IntArray, count: int) -> Asked:
        """Sums by place, −1 for nobody's, (count,)."""
        return Asked(sums_by(place, self.figures, count))

    def again(self, secondary: IntArray, count: int) -> Asked:
        """Sums of what secondaries ask for on their hosts, −1 for none, (count,)."""
        vms = (secondary != NOBODY).nonzero()[0]
        sums = sums_by(secondary[vms], self.figures.take(vms, axis=1), count)
        sums[~TWICE[: len(sums)]] = 0.0
        return Asked(sums)

    def __add__(self, other: Asked) -> Asked:
        return Asked(self.figures + other.figures)


def positions(*names: str) -> IntArray:
    """Where the figures of these rows stand, one row after the other."""
    return np.concatenate([_EACH[name] for name in names])


def no_sums(name: str, shape: tuple[int, ...]) -> FloatArray:
    """A row of nothing, for hosts in this shape."""
    width = () if isinstance(_AT[name], int) else (len(_EACH[name]),)
    return np.zeros((*width, *shape))


def named(names: Sequence[str], figures: FloatArray) -> dict[str, FloatArray]:
    """Figures that stand one row after the other, by the names of their rows."""
    found, start = dict[str, FloatArray](), 0
    for name in names:
        end = start + len(_EACH[name])
        found[name] = figures[start] if isinstance(_AT[name], int) else figures[start:end]
        start = end
    return found


def known_cores(sums: Sums) -> FloatArray:
    """CPU of hosts with its ends [core-seconds per second], (3, …); NaN where VMs run and nothing
    is known of any.

    Value and low end are those of VMs with data; high end = theirs + vCPUs of the others, the most
    that they take. Valid at any load. Source: docs/model.md, “From users to a verdict”.

    One VM at 0.5 of a core, at most 0.6, beside one of 2 vCPUs without data:

    >>> one = {"cpu": [[0.5], [0.4], [0.6]], "blind_vcpus": [2.0], "blind": [1.0], "vms": [2.0]}
    >>> known_cores({name: np.array(value) for name, value in one.items()}).round(1).tolist()
    [[0.5], [0.4], [2.6]]
    """
    ends, blind = sums["cpu"].copy(), sums["blind"]
    ends[2] += sums["blind_vcpus"]
    ends[:, (blind > 0) & (blind == sums["vms"])] = np.nan
    return ends


def unfounded_vcpus(
    sums: Sums, vouched: Vouching | None, hosts: IntArray | None = None
) -> FloatArray:
    """vCPUs without CPU data that nothing vouches for: of what is vouched for none where there is
    no more on the host than what worked.

    Args:
        hosts: which they are; None: all, one after the other.
    """
    if vouched is None:
        return sums["blind_vcpus"]
    able = vouched.able if hosts is None else vouched.able[hosts]
    carried = able & (sums["chat_users"] <= vouched.most).all(axis=0)
    return np.where(carried, sums["unvouched_vcpus"], sums["blind_vcpus"])


@record
class OnHosts:
    """Hosts under the VMs that run: sums of `ROWS`, (h,).

    Attributes:
        busy: load of the cores [core-seconds per second]; `traffic`: of the network [Mb/s].
        unfounded: `unfounded_vcpus`.
    """

    sums: Asked
    busy: Estimate
    traffic: Estimate
    unfounded: FloatArray

    def close(self) -> None:
        """Let nobody write to it any more."""
        self.busy.close()
        self.traffic.close()
        for column in (self.sums.figures, self.unfounded):
            column.flags.writeable = False


def on_hosts(asking: Asking, asked: Asked, secondary: IntArray | None = None) -> OnHosts:
    """The hosts under the VMs that run.

    Args:
        asked: what they ask for, (n,).
        secondary: host of each VM's FT secondary, −1 for none, (n,); None: nobody has one.
    """
    inputs, cores, standing = asking.inputs, asking.cores, asking.inputs.arrays.vms.place
    hosts, sources = len(inputs.arrays.hosts), inputs.sources
    sums = asked.on(standing, hosts)
    traffic = summed(sums["traffic"].copy(), asking.network, standing, sources)
    if secondary is not None:
        sums += asked.again(secondary, hosts)
        twice = (secondary != NOBODY).nonzero()[0]
        cores = taken(cores, np.concatenate([np.arange(len(standing)), twice]))
        standing = np.concatenate([standing, secondary[twice]])
    ends = sums["cpu"].copy()
    ends[2] += sums["blind_vcpus"]
    vouched = vouching(inputs) if sums.is_whole else None
    return OnHosts(
        sums,
        summed(ends, cores, standing, sources),
        traffic,
        unfounded_vcpus(sums, vouched),
    )
