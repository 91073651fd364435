"""Full predictions of many variants of one scenario at once: users, RAM, hosts that are down.

A variant is a copy of the scenario beside the others, with hosts, pools and clusters of its own.
Disjoint copies don't touch each other, so the stages of `evaluate` run once over all of them; there
is no second way of calculating. Sentences, evidence and findings are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from models import outages
from models.base.errors import ModelError
from models.base.quantities import BoolArray, FloatArray, IntArray, Series
from models.evidence.knowledge import Knowledge
from models.failure.admission_unmet import unmet
from models.failure.availability import fail_together
from models.failure.failover import HostLoads
from models.failure.host_sets import sets_at_most
from models.failure.lost_drives import hosts_of_pools
from models.failure.standalone_hosts import (
    down_by_design,
    down_with_hosts,
    hosts_to_survive,
)
from models.judgement import platform_limits as refusals
from models.judgement.against_limits import Judged
from models.judgement.draws import DRAWN, Draw
from models.judgement.host_sets import copies_at_risk
from models.judgement.judging_inputs import Evaluated
from models.judgement.resources import Resources
from models.physics.arrays import Arrays, side_by_side
from models.physics.columns import some
from models.physics.estimates import NoSources
from models.physics.people import owners_with
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import demands_of, vm_stage
from models.predict.prediction import Verdict
from models.scenario.affinity import broken, contradictions
from models.scenario.scenario import Derating, Policy, Scenario
from models.stages import host_stage, undisturbed, with_failures, without_failures

CHUNK_ROWS = 4096
"""VMs, hosts, pools or sets of hosts of the copies that are worked out together: what fits a
processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Values with the ends of their intervals, a row a variant; NaN for no data."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class WhatIf:
    """Predictions of s variants with n VMs, h hosts and p pools each, in the scenario's order.

    Attributes:
        host: where each VM stands, as a position in the scenario's hosts, −1 for nowhere (s, n).
        vm_cpu_pct, vm_iops, vm_ram_gib, vm_response_ms: (s, n).
        host_cpu_pct, host_ram_pct: (s, h); a host that is down stands empty.
        pool_utilisation_pct, pool_latency_ms: (s, p).
        verdict: `Verdict` codes (s,).
        cpu_headroom_pct … failure_headroom_pct: as in `Headroom`, NaN for None (s,).
    """

    host: IntArray
    vm_cpu_pct: Ends
    vm_iops: Ends
    vm_ram_gib: Ends
    vm_response_ms: Ends
    host_cpu_pct: Ends
    host_ram_pct: Ends
    pool_utilisation_pct: Ends
    pool_latency_ms: Ends
    verdict: npt.NDArray[np.int8]
    cpu_headroom_pct: FloatArray
    ram_headroom_pct: FloatArray
    iops_headroom_pct: FloatArray
    response_headroom_pct: FloatArray
    failure_headroom_pct: FloatArray

    def __len__(self) -> int:
        return len(self.verdict)


def what_if(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    users: npt.ArrayLike | None = None,
    factor: npt.ArrayLike | None = None,
    registered: npt.ArrayLike | None = None,
    ram_gib: npt.ArrayLike | None = None,
    mail_file_mb: npt.ArrayLike | None = None,
    work: npt.ArrayLike | None = None,
    hosts_down: npt.ArrayLike | None = None,
    others_fail: bool = True,
    errors: Mapping[str, FloatArray] | None = None,
) -> WhatIf:
    """What `evaluate` says of the scenario with other users, other RAM, or hosts that are down.

    A host that is down stands empty and outside its cluster. Its VMs restart as in a failure mode,
    those with a Fault Tolerance secondary where that runs; they are protected no longer, nor are
    those whose secondary stood on it. What finds no room has no host, which puts at risk; what may
    stay down (`down_by_design`) is switched off.

    Args:
        users: active users, shape (s, n); or `factor` on the scenario's own, shape (s,).
        registered: owners of mail files (s, n), NaN where none are stated; None: in proportion to
            the active ones (`people.owners_with`).
        ram_gib: RAM of the VMs (s, n).
        mail_file_mb: size of a mail file (s, n).
        work: factor on the work of each user, shape (s,); own figures of machines keep theirs.
        hosts_down: which hosts are down (s, h).
        others_fail: whether single hosts may fail besides, as in `evaluate`; else failures are left
            out of verdicts and headroom.
        errors: of the model, by the resources of `draws.DRAWN`, of the standard normal law, (s,)
            each: verdicts and headroom are then those of numbers so drawn in their intervals.

    Raises:
        ModelError: an array of another shape, both `users` and `factor`, none of all, or an id
            that leads nowhere.
    """
    base = to_arrays(scenario, knowledge.catalog)
    edits = _Edits.of(
        base, users, factor, registered, ram_gib, hosts_down, mail_file_mb, work, errors
    )
    largest = max(len(base.vms), len(base.hosts), len(base.pools), sets_at_most(base), 1)
    size = max(CHUNK_ROWS // largest, 1)
    rules = _Rules(
        scenario,
        hosts_to_survive(scenario, base),
        bool(contradictions(scenario) or broken(scenario))
        or (others_fail and _refuses(scenario, base, knowledge)),
        others_fail=others_fail,
    )
    parts = [
        _predicted(base, chunk, scenario.policy, knowledge, rules) for chunk in edits.chunks(size)
    ]
    return parts[0] if len(parts) == 1 else _joined(parts)


def _refuses(scenario: Scenario, base: Arrays, knowledge: Knowledge) -> bool:
    """Whether admission control of a cluster refuses more VMs, by reservations as they are."""
    vm = demands_of(scenario, knowledge)
    secondary = host_stage(vm, scenario.policy).secondary
    return bool(unmet(scenario, base, secondary, ram_gib=vm.ram_gib))


@dataclass(frozen=True, slots=True, eq=False)
class _Edits:
    """Users, mail files and RAM of every VM (s, n), the hosts that are down (s, h), work (s,), and
    errors, a column each of `DRAWN` or none."""

    users: FloatArray
    registered: FloatArray
    ram_gib: FloatArray
    down: BoolArray
    mail: FloatArray
    work: FloatArray
    errors: FloatArray

    def __len__(self) -> int:
        return len(self.users)

    @classmethod
    def of(
        cls,
        base: Arrays,
        users: npt.ArrayLike | None,
        factor: npt.ArrayLike | None,
        registered: npt.ArrayLike | None,
        ram_gib: npt.ArrayLike | None,
        hosts_down: npt.ArrayLike | None,
        mail_file_mb: npt.ArrayLike | None,
        work: npt.ArrayLike | None,
        errors: Mapping[str, FloatArray] | None,
    ) -> _Edits:
        if users is not None and factor is not None:
            raise ModelError("give users or a factor, not both", field="users")
        given = {
            "users": users,
            "factor": factor,
            "registered": registered,
            "ram_gib": ram_gib,
            "hosts_down": hosts_down,
            "mail_file_mb": mail_file_mb,
            "work": work,
        }
        sizes = {name: len(np.asarray(array)) for name, array in given.items() if array is not None}
        if not sizes:
            raise ModelError("nothing is varied", field="users")
        count = next(iter(sizes.values()))
        if factor is not None:
            of_own = _shaped(np.asarray(factor, dtype=np.float64), (count,), "factor")
            users = of_own[:, None] * base.vms.active_users
        n, h = len(base.vms), len(base.hosts)
        users = base.vms.active_users if users is None else users
        active = _table(np.asarray(users, dtype=np.float64), (count, n), "users")
        registered = owners_with(base.vms, active) if registered is None else registered
        ram_gib = base.vms.ram_gib if ram_gib is None else ram_gib
        hosts_down = np.zeros(h, dtype=np.bool_) if hosts_down is None else hosts_down
        mail = base.vms.mail_file_mb if mail_file_mb is None else mail_file_mb
        work = np.ones(count) if work is None else work
        return cls(
            active,
            _table(np.asarray(registered, dtype=np.float64), (count, n), "registered"),
            _table(np.asarray(ram_gib, dtype=np.float64), (count, n), "ram_gib"),
            _table(np.asarray(hosts_down, dtype=np.bool_), (count, h), "hosts_down"),
            _table(np.asarray(mail, dtype=np.float64), (count, n), "mail_file_mb"),
            _shaped(np.asarray(work, dtype=np.float64), (count,), "work"),
            np.empty((count, 0))
            if errors is None
            else np.array([_shaped(errors[name], (count,), "errors") for name in DRAWN]).T,
        )

    def draw(self, share: float) -> Draw | None:
        """The errors that are drawn; None for none."""
        if not self.errors.shape[1]:
            return None
        return Draw(dict(zip(DRAWN, self.errors.T, strict=True)), share)

    def chunks(self, size: int) -> Iterator[_Edits]:
        """At most `size` variants at a time; one chunk of none where there are none."""
        for start in range(0, max(len(self), 1), size):
            part = slice(start, start + size)
            yield _Edits(*(getattr(self, each.name)[part] for each in fields(self)))


def _table(array: npt.NDArray[np.generic], shape: tuple[int, int], field: str) -> np.ndarray:
    """The array as a row a variant; one row serves all."""
    if array.ndim == 1:
        array = np.broadcast_to(array, (shape[0], len(array)))
    return _shaped(array, shape, field)


def _shaped(array: np.ndarray, shape: tuple[int, ...], field: str) -> np.ndarray:
    if array.shape != shape:
        raise ModelError(f"has the shape {array.shape} instead of {shape}", field=field)
    return array


def _predicted(
    base: Arrays,
    edits: _Edits,
    policy: Policy,
    knowledge: Knowledge,
    rules: _Rules,
) -> WhatIf:
    arrays = side_by_side(
        base,
        len(edits),
        active_users=edits.users.ravel(),
        registered_users=edits.registered.ravel(),
        ram_gib=edits.ram_gib.ravel(),
        mail_file_mb=edits.mail.ravel(),
    )
    sources = NoSources()
    derating = _worked(policy.derating, edits, len(base.vms))
    vm = vm_stage(arrays, derating, knowledge, sources)
    if edits.down.any():
        down = edits.down.ravel()
        loads = host_stage(vm, policy)
        host = _moved(arrays, down, loads.secondary, loads.loads)
        off = down_by_design(arrays, down) & (host < 0)
        arrays = _without(arrays, down, host, _unprotected(arrays, down, loads.secondary), off)
        vm = vm_stage(arrays, derating, knowledge, sources)
    normal = undisturbed(vm, policy, edits.draw(policy.posture.share))
    if not rules.others_fail:
        return _of_copies(without_failures(normal), base, len(edits), rules)
    e = with_failures(normal)
    lost = outages.codes_of_copies(rules.scenario, normal, e, len(edits))
    return _of_copies(e, base, len(edits), rules, lost)


def _worked(derating: Derating, edits: _Edits, vms: int) -> Derating:
    """How users are counted in each copy, (s·n,); the scenario's own where all work as today."""
    if np.all(edits.work == 1.0):
        return derating
    work = np.repeat(edits.work, vms)
    return derating._replace(mail=derating.mail * work, chat=derating.chat * work)


def _moved(arrays: Arrays, down: BoolArray, secondary: IntArray, loads: HostLoads) -> IntArray:
    """Host of each VM after the hosts `down` are gone, −1 where nothing takes it."""
    vms = arrays.vms
    host = vms.host.copy()
    lost = vms.running & down[vms.host]
    host[lost] = -1
    safe = lost & (secondary >= 0) & ~down[secondary]
    host[safe] = secondary[safe]
    failover = fail_together(arrays, loads, down)
    landed = ~failover.stranded()
    mode, column = failover.moved_mode[landed], failover.moved_to[landed]
    host[failover.moved_vm[landed]] = failover.members[mode, column]
    return host


def _unprotected(arrays: Arrays, down: BoolArray, secondary: IntArray) -> BoolArray:
    """VMs whose Fault Tolerance secondary took over or was on a host that is down, (n,)."""
    gone = down[secondary] | (arrays.vms.running & down[arrays.vms.host])
    return np.asarray((secondary >= 0) & gone)


def _without(
    arrays: Arrays, down: BoolArray, host: IntArray, unprotected: BoolArray, off: BoolArray
) -> Arrays:
    """The hosts `down` stand outside clusters, the VMs on `host`, and those that are `off`."""
    hosts = replace(arrays.hosts, cluster=np.where(down, -1, arrays.hosts.cluster))
    protected = arrays.vms.fault_tolerance & ~unprotected
    vms = replace(
        arrays.vms,
        host=host,
        at=hosts.of_vms(host),
        fault_tolerance=protected,
        powered_on=arrays.vms.powered_on & ~off,
    )
    pools = arrays.pools
    if arrays.drives_in is not None:
        pools = pools.without_hosts(hosts_of_pools(arrays, down[None])[0])
    return replace(arrays, vms=vms, hosts=hosts, pools=pools)


def _of_copies(
    e: Evaluated,
    base: Arrays,
    count: int,
    rules: _Rules,
    lost: npt.NDArray[np.int8] | None = None,
) -> WhatIf:
    """The numbers copy by copy, and what they come to in each.

    Args:
        lost: what losses beside hosts make of the copies, as codes, (s,); None for nothing.
    """
    n, h, p = len(base.vms), len(base.hosts), len(base.pools)
    host = e.inputs.arrays.vms.host.reshape(count, n)

    def ends(series: Series, items: int) -> Ends:
        return Ends(*[end.reshape(count, items) for end in (series.value, series.low, series.high)])

    judged = _Copies.of(e, base, count, rules.hosts)
    return WhatIf(
        host=np.where(host < 0, -1, host - np.arange(count)[:, None] * h),
        vm_cpu_pct=ends(e.vms.cpu_pct, n),
        vm_iops=ends(e.vms.iops, n),
        vm_ram_gib=ends(e.vms.ram_gib, n),
        vm_response_ms=ends(e.vms.response_ms, n),
        host_cpu_pct=ends(e.hosts.cpu_pct, h),
        host_ram_pct=ends(e.hosts.ram_pct, h),
        pool_utilisation_pct=ends(e.pools.utilisation_pct, p),
        pool_latency_ms=ends(e.pools.latency_ms, p),
        verdict=judged.verdict(rules, lost),
        cpu_headroom_pct=judged.cpu_headroom_pct(),
        ram_headroom_pct=judged.headroom_pct("host_ram"),
        iops_headroom_pct=judged.headroom_pct("disks"),
        response_headroom_pct=judged.headroom_pct("response"),
        failure_headroom_pct=judged.failure_headroom_pct(),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Rules:
    """What holds in every variant: hosts whose loss is to be survived, (h,), whether affinity rules
    contradict each other or aren't kept, or admission control refuses VMs, as the scenario is, and
    whether anything fails."""

    scenario: Scenario
    hosts: BoolArray
    weigh: bool
    others_fail: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Copies:
    """Greatest load and worst verdict of each resource, copy by copy, shape (s,).

    `load` is −∞ where nothing is known.
    """

    e: Evaluated
    count: int
    sizes: tuple[int, int, int]
    load: dict[str, FloatArray]
    code: dict[str, FloatArray]

    @classmethod
    def of(cls, e: Evaluated, base: Arrays, count: int, hosts: BoolArray) -> _Copies:
        found = cls(e, count, (len(base.vms), len(base.hosts), len(base.pools)), {}, {})
        resources = Resources.of(e)
        for name, items in _ITEMS_OF.items():
            copies = np.arange(count).repeat(found.sizes[items])
            found.add(name, getattr(resources, name), copies)
        copies, host = np.divmod(e.failures.inputs.failover.failed, max(len(base.hosts), 1))
        for judged in resources.failing:
            found.add(f"failing {judged.resource}", judged, copies, hosts[host])
        return found

    def add(
        self, name: str, judged: Judged, copies: IntArray, deciding: BoolArray | bool = True
    ) -> None:
        load = self.load.setdefault(name, np.full(self.count, -np.inf))
        np.fmax.at(load, copies, judged.load)
        code = self.code.setdefault(name, np.zeros(self.count))
        codes = np.where(np.isnan(judged.value), int(Verdict.FITS), judged.codes)
        if judged.lacking is not None:
            codes = np.maximum(codes, judged.lacking * int(Verdict.NOT_KNOWN))
        worst = Verdict.AT_RISK if judged.failing else Verdict.DOES_NOT_FIT
        np.maximum.at(code, copies, np.minimum(codes, int(worst)) * deciding)

    def headroom_pct(self, *names: str) -> FloatArray:
        """What is left until the limit at the worst item, NaN where nothing is known."""
        load = np.maximum.reduce([self.load[name] for name in names])
        return np.where(load == -np.inf, np.nan, 100 * (1 - load))

    def cpu_headroom_pct(self) -> FloatArray:
        """That of VMs and hosts; NaN where nothing is known of a host."""
        left = self.headroom_pct("vm_cpu", "host_cpu")
        left[self._any(~self.e.hosts_known, self.sizes[_HOSTS])] = np.nan
        return left

    def failure_headroom_pct(self) -> FloatArray:
        """Of CPU and RAM; NaN where nothing is known of a survivor and no limit passed."""
        left = self.headroom_pct("failing cpu_pct", "failing ram_pct")
        unseen = np.zeros(self.count, dtype=np.bool_)
        failed = self.e.failures.inputs.failover.failed[self.e.failures.some_unknown]
        unseen[failed // max(self.sizes[_HOSTS], 1)] = True
        if (several := self.e.several) is not None:
            copies = several.sets.cluster // (len(self.e.inputs.arrays.clusters) // self.count)
            load = np.full(self.count, -np.inf)
            for each in several.judged:
                if each.resource != "response_ms":
                    np.fmax.at(load, copies, each.load)
            left = np.fmin(left, np.where(load == -np.inf, np.nan, 100 * (1 - load)))
            unseen[copies[several.table.some_unknown]] = True
        left[unseen & (left >= 0)] = np.nan
        return left

    def verdict(self, rules: _Rules, lost: npt.NDArray[np.int8] | None) -> npt.NDArray[np.int8]:
        """The worst of the resources and of what weighs; at risk where data is missing, no fit
        where a VM can't be powered on.

        Args:
            rules: what the scenario asks for, whatever is varied.
            lost: as `_of_copies` has it.
        """
        e = self.e
        vms, hosts, _ = self.sizes
        doubtful = self._any(e.unplaced, vms) | self._any(self._unseen(rules), hosts)
        if some(rules.hosts):
            doubtful |= copies_at_risk(e.several, self.count)
        doubtful |= rules.weigh
        if rules.others_fail and some(rules.hosts):
            down = down_with_hosts(e.inputs.arrays)[0] > 0
            doubtful |= self._any(down & np.tile(rules.hosts, self.count), hosts)
        refused = self._any(e.inputs.arrays.refused, vms)
        silent = self._any(e.vms_without_io, vms)
        worst = np.maximum.reduce(list(self.code.values()))
        codes = np.maximum(worst, refusals.codes_of(refusals.tripped(e), self.count))
        codes = np.maximum(codes, silent * int(Verdict.NOT_KNOWN))
        codes = codes if lost is None else np.maximum(codes, lost)
        codes = np.maximum(codes, doubtful * int(Verdict.AT_RISK))
        codes = np.maximum(codes, refused * int(Verdict.DOES_NOT_FIT))
        return np.asarray(codes, dtype=np.int8)

    def _unseen(self, rules: _Rules) -> BoolArray:
        """Hosts that could pass a limit by what isn't known, or whose loss could take others over
        it and is to be survived, (s·h,)."""
        hosts = np.tile(rules.hosts, self.count)
        return np.asarray(self.e.hosts_at_risk & (self.e.hosts_unseen | hosts))

    def _any(self, which: BoolArray, items: int) -> BoolArray:
        return np.asarray(which.reshape(self.count, items).any(axis=1))


_VMS, _HOSTS, _POOLS = range(3)
_ITEMS_OF = {
    "vm_cpu": _VMS,
    "response": _VMS,
    "host_cpu": _HOSTS,
    "host_ram": _HOSTS,
    "net": _HOSTS,
    "disks": _POOLS,
    "space": _POOLS,
}
"""Resources in normal operation, and what they are resources of."""


def _joined(parts: list[WhatIf]) -> WhatIf:
    """The variants of all parts, one after the other."""

    def joined(name: str) -> Ends | np.ndarray:
        columns = [getattr(part, name) for part in parts]
        if isinstance(columns[0], Ends):
            return Ends(
                *[np.concatenate([getattr(c, f.name) for c in columns]) for f in fields(Ends)]
            )
        return np.concatenate(columns)

    return WhatIf(**{f.name: joined(f.name) for f in fields(WhatIf)})  # type: ignore[arg-type]
