"""Numbers of the failure modes of hosts, a row a mode, from what `availability` computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.base.record import record
from models.base.texts import say
from models.failure.failover import Failover, blocks
from models.failure.lost_drives import LostDrives
from models.failure.restarted import (
    OnSlower,
    Restart,
    Restarted,
    own_pct,
)
from models.judgement.against_limits import EPSILON, NEAR, Judged, Weighed, judge_each, judged
from models.judgement.draws import CPU, IOPS, RESPONSE, Draw, with_load
from models.judgement.survivors import Passed, passed
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY, at_each, every, filled, some
from models.physics.estimates import Estimate, Sources
from models.physics.other_hosts import OtherHosts
from models.predict.prediction import Binding, Verdict
from models.scenario.scenario import Policy
from models.scenario.wording import number, vague_response


@record(kw_only=True)
class FailureInputs:
    """What the failure table needs of normal operation.

    Attributes:
        places: what VMs ask for where they may restart.
        host_cpu: load per host [core-seconds per second] with interval.
        restarted: loads of hosts after the restarts.
        responses: of the VMs in normal operation, (n,).
        worst_ms: worst response of each mode with low and high end, shape (3, m); NaN: no data.
        vague: modes of which it isn't known as its range says nothing: judged, not shown, (m,).
        response_spread: what the law's own half widths make of each response, as factors, (3, n).
        draw: errors by which numbers are judged as drawn; None: by the posture's end of each.
        drives: what the modes take of pools; None where all stand in arrays.
    """

    arrays: Arrays
    policy: Policy
    failover: Failover
    places: OtherHosts
    host_cpu: Estimate
    sources: Sources
    responses: Estimate
    worst_ms: FloatArray
    vague: BoolArray
    restarted: Restarted
    response_spread: FloatArray
    draw: Draw | None = None
    drives: LostDrives | None = None


@record
class Before:
    """How hosts and VMs stand without any failure, each with its high end as it is judged.

    Attributes:
        busy: load of hosts at peak [core-seconds per second], shape (2, h).
        ram_pct: of their memory, shape (2, h).
        response_ms: of VMs with low and high end, NaN for no data, shape (3, n).
    """

    busy: FloatArray
    ram_pct: FloatArray
    response_ms: FloatArray


@record(slots=False)
class FailureTable:
    """Single hosts of clusters gone, one row a mode: the worst survivor of each resource, (m,).

    Attributes:
        ids: of the failed hosts; `judged`: which of them had something to fail over.
        cpu_pct, cpu_low, cpu_high, ram_pct: at the policy's average, NaN without survivors; CPU
            also where nothing is known of any. The high end takes VMs without data at their vCPUs.
        judged_high: the high end that verdicts look at, as `Restarted.judged_high` has it; NaN
            without survivors.
        cpu_short_ghz: what the survivors would need on top to stay within the limit with all VMs
            restarted, at the clock of each; a survivor of unknown clock can't say.
        short_pct: memory that would have to be added, and that of VMs that find no room for another
            reason, in per cent of the failed host's.
        host_cpu_pct, host_ram_pct: per host the highest load over the failures of its neighbours,
            NaN for none, (h,).
    """

    inputs: FailureInputs
    ids: tuple[str, ...]
    judged: npt.NDArray[np.bool_]
    cpu_pct: FloatArray
    cpu_low: FloatArray
    cpu_high: FloatArray
    judged_high: FloatArray
    ram_pct: FloatArray
    cpu_short_ghz: FloatArray
    short_pct: FloatArray
    host_cpu_pct: FloatArray
    host_ram_pct: FloatArray

    @classmethod
    def of(cls, inputs: FailureInputs) -> FailureTable:
        failover, hosts = inputs.failover, inputs.arrays.hosts
        failed, per_host = failover.failed, filled((2, len(hosts) + 1), -1.0)
        parts = [_worst_of(inputs, modes, per_host) for modes in failover.blocks()]
        cpu, low, high, judged_high, ram, short_ghz = np.concatenate(parts, axis=1)
        return cls(
            inputs,
            tuple(map(hosts.ids.__getitem__, failed.tolist())),
            (inputs.arrays.vms_by_host.counts[failed] > 0) | takes_something(inputs),
            cpu,
            low,
            high,
            judged_high,
            ram,
            short_ghz,
            (failover.short_gib + failover.barred_gib) * hosts.pct_of_ram[failed],
            # The last place is nobody's.
            *_known(per_host[:, :-1]),
        )

    def _of_modes(self, function: Callable[[slice], npt.NDArray[Any]]) -> Any:
        """What comes of some modes at a time, of all, (…, m)."""
        parts = [function(modes) for modes in self.inputs.failover.blocks()]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)

    @lazy
    def unknown(self) -> FloatArray:
        """VMs on the survivors of each mode whose CPU has no data, (m,); those of what is gone
        that no list has restart somewhere."""
        left = self._of_modes(lambda modes: self.inputs.restarted.at(modes).blind.sum(axis=1))
        return np.asarray(left + unlisted_gone(self.inputs))

    @lazy
    def unlisted(self) -> FloatArray:
        """VMs that no list has in each mode, on survivors and on what is gone, (m,)."""
        failover, unlisted = self.inputs.failover, self.inputs.arrays.hosts.unlisted
        there = np.where(failover.alive, unlisted[failover.position], 0.0).sum(axis=1)
        return np.asarray(there + unlisted_gone(self.inputs))

    @lazy
    def stranded(self) -> IntArray:
        """VMs that find no room in each mode, (m,)."""
        failover = self.inputs.failover
        return np.bincount(failover.moved_mode[failover.stranded()], minlength=len(self.ids))

    @lazy
    def some_unknown(self) -> BoolArray:
        """Modes after which nothing is known of the CPU load of a survivor, (m,)."""

        def unknown(modes: slice) -> BoolArray:
            known = self.inputs.restarted.at(modes).known
            return np.asarray((self.inputs.failover.alive[modes] & ~known).any(axis=1))

        return np.asarray(self._of_modes(unknown) & self.judged)

    @lazy
    def unseen(self) -> BoolArray:
        """Modes after which nothing is known of any survivor's CPU, and what has no data could take
        such over the limit, (m,)."""
        policy = self.inputs.policy
        over = self.judged_high * policy.peak_factor_cpu > policy.cpu_limit_pct
        return np.asarray(self.judged & np.isnan(self.cpu_pct) & over)

    @lazy
    def silent(self) -> BoolArray:
        """Modes in whose cluster a server with mail users has no response time, or none that says
        anything with a host gone, (m,)."""
        arrays, known = self.inputs.arrays, self.inputs.responses.known
        without = arrays.vms.serving_users & ~known
        cluster = arrays.hosts.cluster[arrays.vms.host[without]]
        there = np.isin(arrays.hosts.cluster[self.inputs.failover.failed], cluster)
        return np.asarray(there | self.inputs.vague)

    @lazy
    def own_pct(self) -> FloatArray:
        """As `restarted.own_pct` has it, (2, m)."""
        inputs = self.inputs
        share = inputs.policy.posture.share
        return own_pct(inputs.arrays, inputs.failover, inputs.places, share)

    @lazy
    def on_slower(self) -> OnSlower:
        """VMs that restart on slower cores, in all modes, at peak."""
        inputs = self.inputs
        found = OnSlower.of(inputs.failover, inputs.places, inputs.policy.posture.share)
        return replace(found, pct=found.pct * inputs.policy.peak_factor_cpu)

    def fullest_restart(self, row: int, *, by_high: bool = False) -> Restart | None:
        """Of a mode the VM that asks for most of its vCPUs there; None for none."""
        return self.on_slower.fullest(row, by_high=by_high)

    def restarts_over(self, row: int) -> list[Restart]:
        """Of a mode the VMs that pass the policy's limit there, worst first."""
        return self.on_slower.over(row, self.inputs.policy.cpu_limit_pct * (1 + EPSILON))

    def with_restart(self, binding: Binding, row: int, *, by_high: bool = False) -> Binding:
        """The same with the VM that restarts in a mode, where, and its own numbers."""
        found, arrays = self.fullest_restart(row, by_high=by_high), self.inputs.arrays
        if found is None:
            return binding
        return replace(
            binding,
            vm=arrays.vms.ids[found.vm],
            host=arrays.hosts.ids[found.host],
            value=found.pct,
            low=found.pct,
            high=found.high,
        )

    @property
    def shown_ms(self) -> FloatArray:
        """The worst response of each mode with its ends, NaN where it isn't known, (3, m)."""
        return np.where(self.inputs.vague, np.nan, self.inputs.worst_ms)

    def over_before(
        self, rows: IntArray, response_ms: FloatArray
    ) -> Iterator[dict[str, list[int]]]:
        """Survivors that pass a limit in each of some modes as they do without any failure, by
        resource: of CPU where none is seen (`SEEN`) to pass it by more than before, of RAM, as
        nothing restarts where it doesn't fit. Of response none are named, where the slowest VM that
        runs is not seen to be slower than before.

        Args:
            response_ms: of each VM in normal operation, NaN for no data, (n,).
        """
        slowest = self.inputs.worst_ms[0, rows]
        slow = slowest > self.inputs.policy.response_limit_ms * (1 + EPSILON)
        if some(slow):
            (before,) = self.worst_before(response_ms[None])
            slow &= slowest <= before[rows] * (1 + SEEN)
        for part in blocks(len(rows), self.inputs.failover.members.shape[1]):
            at, over, full = self._survivors_over_before(rows[part])
            for row, is_slow in enumerate(slow[part].tolist()):
                named = ("cpu_pct", at[row, over[row]]), ("ram_pct", at[row, full[row]])
                found = {resource: hosts.tolist() for resource, hosts in named if len(hosts)}
                yield found | ({"response_ms": []} if is_slow else {})

    def _survivors_over_before(self, rows: IntArray) -> tuple[IntArray, BoolArray, BoolArray]:
        """Hosts of these modes, and which of them pass limits of CPU and of RAM so, (m, h)."""
        inputs, policy = self.inputs, self.inputs.policy
        failover, hosts, after = inputs.failover, inputs.arrays.hosts, inputs.restarted.at(rows)
        at, alive, busy = failover.position[rows], failover.alive[rows], after.busy[0]
        pct = busy * hosts.pct_of_cores[at] * policy.peak_factor_cpu
        over = alive & after.known & (pct > policy.cpu_limit_pct * (1 + EPSILON))
        as_before = busy <= inputs.host_cpu.value[at] * (1 + SEEN)
        over &= (as_before | ~over).all(axis=1)[:, None]
        room = hosts.ram_gib[at] * policy.memory_overcommit * (1 + EPSILON)
        return at, over, alive & (after.ram_gib > room)

    def worst_before(self, response_ms: FloatArray) -> FloatArray:
        """Worst response in normal operation of the VMs that run in each mode, (k, m); 0 where
        none of them has data.

        Args:
            response_ms: of each VM in normal operation, k ends of it, (k, n); NaN for no data.
        """
        failover, vms_by_host = self.inputs.failover, self.inputs.arrays.vms_by_host
        worst = np.maximum(failover.greatest_left(vms_by_host.greatest(response_ms)), 0.0)
        mode, vm, _ = failover.elsewhere
        at_each(np.fmax, worst, mode, response_ms.take(vm, axis=1))
        return worst

    def added(self, resources: Sequence[Judged], before: Before) -> npt.NDArray[np.int8]:
        """What failures bring about themselves, by resource and mode, (4, m): twice the `Verdict`
        code of a number that is seen to be higher than without any failure, and one more where that
        is a worse verdict than without; 0 for nothing.

        Of CPU and RAM survivor by survivor, of response by the worst of the VMs that run; a VM on
        slower cores asks for more of them in any case.

        Args:
            resources: those of `resources`, judged.
        """
        codes = np.array([np.where(np.isnan(each.value), 0, each.codes) for each in resources])
        worst = (2 * codes + (codes > 0)).astype(np.int8)
        if not some(codes > 0):
            return worst
        inputs, policy = self.inputs, self.inputs.policy
        near = NEAR if inputs.draw is None else 1.0
        cpu, ram = self._of_modes(lambda modes: self._added_to_survivors(modes, before))
        ram[self.short_pct > 0] = WORST_ADDED
        slowest = self.worst_before(before.response_ms)
        now, then = self._slow(inputs.worst_ms), self._slow(slowest)
        response = _risen(now, then, policy.response_limit_ms, near)
        worst[:3] = np.minimum(worst[:3], [cpu, ram, response])
        return worst

    def _added_to_survivors(self, modes: slice, before: Before) -> npt.NDArray[Any]:
        """The worst of that on any survivor of some modes, CPU and RAM, (2, m)."""
        inputs, policy = self.inputs, self.inputs.policy
        failover, hosts = inputs.failover, inputs.arrays.hosts
        at, alive = failover.position[modes], failover.alive[modes]
        busy, stood = self._survivors_pct(modes), (before.busy * hosts.pct_of_cores)[:, at]
        risen = _risen(busy, stood, policy.cpu_limit_pct, NEAR if inputs.draw is None else 1.0)
        pct = np.tile(inputs.restarted.at(modes).ram_gib * hosts.pct_of_ram[at], (2, 1, 1))
        fuller = _risen(pct, before.ram_pct[:, at], policy.memory_overcommit * 100.0)
        return np.array([np.max(each * alive, axis=1, initial=0) for each in (risen, fuller)])

    @lazy
    def disk_codes(self) -> npt.NDArray[np.int8]:
        """`Verdict` codes of each mode's pools that lose drives with their hosts, (m, p)."""
        lost, policy = self.inputs.drives, self.inputs.policy
        if lost is None:
            return np.zeros((len(self.ids), len(self.inputs.arrays.pools)), dtype=np.int8)
        value, low, high = lost.busy_pct * policy.peak_factor_iops
        held, near = judged_end(value, high, policy.posture.share), NEAR
        if (draw := self.inputs.draw) is not None:
            value, held = draw.ends(value, low, high, draw.each(IOPS, len(value[0])))
            near = 1.0
        codes = judged(value, held, policy.disk_limit_pct, near)
        codes = np.where(np.isnan(value), Verdict.FITS, codes)
        return np.where(lost.out_of_reach, Verdict.DOES_NOT_FIT, codes).astype(np.int8)

    def drives_words(self, row: int) -> str:
        """What becomes of the pools that lose drives in a mode, where it isn't well; else empty."""
        lost, codes = self.inputs.drives, self.disk_codes[row]
        if lost is None or not some(codes > Verdict.FITS):
            return ""
        if some(beyond := lost.out_of_reach[row]):
            pool = int(beyond.argmax())
            return say(
                "{gone} of the hosts that drives of a pool stand in are gone, and it tolerates "
                "{most}: its data is out of reach",
                gone=int(lost.hosts[row, pool]),
                most=int(self.inputs.arrays.pools.tolerates[pool]),
            )
        busiest = np.nanmax(lost.busy_pct[0, row]) * self.inputs.policy.peak_factor_iops
        return say(
            "the drives that are left of a pool would be {busy}\u202f% busy",
            busy=number(float(busiest)),
        )

    @lazy
    def passed(self) -> tuple[Passed, ...]:
        """Limits beside those of the resources that survivors pass."""
        inputs = self.inputs
        return passed(inputs.arrays, inputs.policy, inputs.failover)

    @lazy
    def passing(self) -> BoolArray:
        """Modes in which any survivor passes one of them, (m,)."""
        found = np.zeros(len(self.ids), dtype=np.bool_)
        for each in self.passed:
            found[each.mode] = True
        return found & self.judged

    def words_of(self, row: int) -> tuple[str, ...]:
        """What becomes of pools that lose drives in a mode, and which such limit is passed, as
        clauses; empty ones for nothing."""
        passed = self.passed if self.passing[row] else ()
        worst = ((each, each.worst(np.array([row]))) for each in passed)
        over = ((each, there) for each, there in worst if there is not None)
        told = next((each.words(there, say("a survivor")) for each, there in over), "")
        return self.drives_words(row), told, self._vague_words(row)

    def _vague_words(self, row: int) -> str:
        """That the response in a mode isn't known as its range says nothing; else empty."""
        if not self.inputs.vague[row]:
            return ""
        _, low, high = map(float, self.inputs.worst_ms[:, row])
        return vague_response(low, high)

    def worst_survivors(self) -> IntArray:
        """Host with most CPU and host with most RAM in each mode, −1 for none, shape (2, m)."""
        inputs, hosts = self.inputs, self.inputs.arrays.hosts
        failover = inputs.failover
        found = np.full((2, len(failover.failed)), NOBODY)
        for modes in failover.blocks() if failover.members.shape[1] else ():
            after, alive = inputs.restarted.at(modes), failover.alive[modes]
            cpu = _pct(inputs, modes, after.busy[0], hosts.pct_of_cores, alive & after.known)
            ram = _pct(inputs, modes, after.ram_gib, hosts.pct_of_ram, alive)
            for row, values in enumerate((cpu, ram)):
                column = values.argmax(axis=1)[:, None]
                host = np.take_along_axis(failover.members[modes], column, axis=1)[:, 0]
                there = np.take_along_axis(values, column, axis=1)[:, 0] >= 0
                found[row, modes] = np.where(there, host, NOBODY)
        return found

    def resources(self) -> tuple[Weighed, ...]:
        """CPU at peak, RAM (what has to be added counts as over the limit) and response;
        at last the vCPUs of VMs that restart where they may ask for more than before."""
        policy, worst = self.inputs.policy, self.inputs.worst_ms
        ram_limit, peak = policy.memory_overcommit * 100.0, policy.peak_factor_cpu
        short = np.where(self.short_pct > 0, ram_limit + self.short_pct, np.nan)
        stranded = np.fmax(short, self.ram_pct)
        ram = [stranded, stranded if self.inputs.draw is None else stranded / NEAR]
        ends = self._busiest_pct, ram, self._slow(worst), self._restarting_pct
        value, high = (np.array([each[end] for each in ends]) for end in (0, 1))
        lows = (self.cpu_low * peak, None, worst[1], None)
        lacking = (
            (self.unknown > 0) & self.judged,
            (self.unlisted > 0) & self.judged,
            self.silent & self.judged,
            None,
        )
        if not every(self.judged):
            value[:, ~self.judged] = high[:, ~self.judged] = np.nan
        limits = (
            ("cpu_pct", policy.cpu_limit_pct, False),
            ("ram_pct", ram_limit, False),
            ("response_ms", policy.response_limit_ms, False),
            ("cpu_pct", policy.cpu_limit_pct, True),
        )
        return tuple(
            Weighed(
                self.ids,
                resource,
                value[row],
                high[row],
                limit,
                failing=True,
                own=own,
                low=lows[row],
                lacking=lacking[row],
            )
            for row, (resource, limit, own) in enumerate(limits)
        )

    def judge(self) -> list[Judged]:
        """The same, judged."""
        return judge_each(self.resources(), NEAR if self.inputs.draw is None else 1.0)

    @property
    def _busiest_pct(self) -> FloatArray:
        """CPU of the busiest survivor at peak with the end that is judged, (2, m)."""
        if self.inputs.draw is None:
            return np.array([self.cpu_pct, self.judged_high]) * self.inputs.policy.peak_factor_cpu

        def busiest(modes: slice) -> FloatArray:
            alive = self.inputs.failover.alive[modes]
            there = np.where(alive, self._survivors_pct(modes), -np.inf)
            return np.asarray(np.fmax.reduce(there, axis=2, initial=-np.inf))

        worst = self._of_modes(busiest)
        return np.where(np.isnan(self.cpu_pct) & (np.arange(2) == 0)[:, None], np.nan, worst)

    def _survivors_pct(self, modes: slice) -> FloatArray:
        """CPU of each survivor at peak with the end that is judged, (2, m, h)."""
        inputs, policy, after = self.inputs, self.inputs.policy, self.inputs.restarted.at(modes)
        ends = np.array([after.busy[0], after.judged_high(policy)])
        if inputs.draw is not None:
            z = inputs.draw.of(CPU, self._copy[modes])[:, None]
            value, low = after.busy[:2]
            ends = inputs.draw.ends(value, low, after.known_high, z, ends[1])
        pct_of = inputs.arrays.hosts.pct_of_cores[inputs.failover.position[modes]]
        return np.asarray(ends * policy.peak_factor_cpu * pct_of)

    @property
    def _restarting_pct(self) -> FloatArray:
        """vCPUs of the VM that asks for most of them where it restarts and may ask for more than
        before, at peak with the end that is judged, (2, m)."""
        inputs, peak = self.inputs, self.inputs.policy.peak_factor_cpu
        if inputs.draw is None or len(inputs.places.kinds) == 1:
            return inputs.restarted.unlike_pct * peak
        found, slower = (
            filled((2, len(self.ids)), np.nan),
            OnSlower.of(inputs.failover, inputs.places, 1.0),
        )
        z = inputs.draw.of(CPU, self._copy[slower.mode])
        value, high = slower.pct
        at_each(np.fmax, found, slower.mode, inputs.draw.ends(value, value, high, z))
        return found * peak

    def _slow(self, worst_ms: FloatArray) -> FloatArray:
        """A response of each mode, (3, m), with the end that is judged, (2, m)."""
        inputs, (value, low, high) = self.inputs, worst_ms
        if inputs.draw is None:
            return np.array([value, judged_end(value, high, inputs.policy.posture.share)])
        own, load = (inputs.draw.of(name, self._copy) for name in (RESPONSE, CPU))
        (spread,) = self.worst_before(inputs.response_spread[2:])
        return inputs.draw.ends(value, low, high, with_load(own, load, spread, value, high))

    @lazy
    def _copy(self) -> IntArray:
        """Of copies side by side the one that each mode is of, (m,)."""
        inputs = self.inputs
        assert inputs.draw is not None
        of_each = len(inputs.arrays.hosts) // len(inputs.draw)
        return np.asarray(inputs.failover.failed // max(of_each, 1))

    def codes(self, resources: Sequence[Judged]) -> npt.NDArray[np.int8]:
        """Verdict codes of the modes, from their judged resources and all VMs’ own vCPUs.

        A VM that asks too much of its own vCPUs in normal operation does so in every mode; that is
        no failure's doing, so it decides the mode and not the scenario's failures.
        """
        policy = self.inputs.policy
        own = self.own_pct * policy.peak_factor_cpu
        found = judged(own[0], own[1], policy.cpu_limit_pct)
        # As drawn they are judged in normal operation.
        found[~self.judged | (self.inputs.draw is not None)] = Verdict.FITS
        disks = self.disk_codes.max(axis=1, initial=0) * self.judged
        disks = np.maximum(disks, self.passing * int(Verdict.AT_RISK))
        codes: npt.NDArray[np.int8] = np.maximum.reduce(
            [found, disks.astype(np.int8), *(e.verdicts for e in resources)]
        )
        return codes


def takes_something(inputs: FailureInputs) -> BoolArray:
    """Modes that take VMs that no list has, or drives that VMs use, (m,)."""
    found = unlisted_gone(inputs) > 0
    return np.asarray(found if inputs.drives is None else found | inputs.drives.some_taken)


def unlisted_gone(inputs: FailureInputs) -> FloatArray:
    """VMs that no list has on what is gone in each mode, (m,)."""
    failover, unlisted = inputs.failover, inputs.arrays.hosts.unlisted
    gone = (failover.members >= 0) & ~failover.alive
    return np.asarray(np.where(gone, unlisted[failover.position], 0.0).sum(axis=1))


WORST_ADDED = 2 * Verdict.DOES_NOT_FIT + 1
"""What is over its limit for the failure alone, as `FailureTable.added` has it."""

SEEN = 0.01
"""A rise by less than this share of a number isn't told of it: most often it has the same two
digits then."""


def _risen(
    now: FloatArray, before: FloatArray, limit: float, near: float = NEAR
) -> npt.NDArray[np.int8]:
    """As `FailureTable.added` has it.

    Args:
        now, before: values and high ends, (2, …); what is over its limit is so by its value.
        near: as `judged` has it.

    >>> now, before = [80.0, 80.1, 70.1, 65.0, 80.0, 80.0], [80.0, 80.0, 69.9, 50.0, 75.0, 9.0]
    >>> _risen(np.array([now, now]), np.array([before, before]), 70.0).tolist()
    [0, 0, 7, 5, 6, 7]
    """
    codes, stood = (judged(each[0], each[1], limit, near) for each in (now, before))
    value, high = now > before * np.where(codes > stood, 1 + EPSILON, 1 + SEEN)
    codes = codes * np.where(codes >= Verdict.DOES_NOT_FIT, value, value | high)
    return np.asarray(2 * codes + (codes > stood), dtype=np.int8)


def _known(pct: FloatArray) -> FloatArray:
    """Loads, NaN where −1 says that there is none; in place."""
    pct[pct < 0] = np.nan
    return pct


def _worst_of(inputs: FailureInputs, modes: slice, per_host: FloatArray) -> FloatArray:
    """Of some modes the highest CPU of the survivors with its ends and that which is judged, the
    highest RAM, and the clock that they lack, (6, m); NaN for none.

    Args:
        per_host: per host the highest CPU and RAM over the failures of its neighbours, (2, h + 1),
            −1 for none, which takes these in.
    """
    failover, hosts = inputs.failover, inputs.arrays.hosts
    after, alive = inputs.restarted.at(modes), failover.alive[modes]
    known = alive if every(after.known) else alive & after.known
    of_cores, of_ram = hosts.pct_of_cores, hosts.pct_of_ram
    cpu = _pct(inputs, modes, after.busy[0], of_cores, alive)
    ram = _pct(inputs, modes, after.ram_gib, of_ram, alive)
    members = failover.members[modes].ravel()
    for row, pct in enumerate((cpu, ram)):
        np.maximum.at(per_host[row], members, pct.ravel())
    judged_high = after.judged_high(inputs.policy)
    wanted = failover.wanted_cores(modes, after.busy[0])
    each = (
        cpu if known is alive else _pct(inputs, modes, after.busy[0], of_cores, known),
        _pct(inputs, modes, after.busy[1], of_cores, known),
        _pct(inputs, modes, after.busy[2], of_cores, alive),
        _pct(inputs, modes, judged_high, of_cores, alive),
        ram,
    )
    worst = [_known(np.maximum.reduce(pct, axis=1, initial=-1.0)) for pct in each]
    lacking = _pct(inputs, modes, wanted, of_cores, alive)
    return np.array([*worst, _short_ghz(inputs, modes, lacking)])


def _pct(
    inputs: FailureInputs, modes: slice, load: FloatArray, pct_of: FloatArray, there: BoolArray
) -> FloatArray:
    """Loads of the survivors of some modes (m, h) in per cent of what they have, of which a unit is
    `pct_of`, (hosts,); −1 of what isn't `there`."""
    pct = pct_of.take(inputs.failover.position[modes])
    pct *= load
    np.copyto(pct, -1.0, where=~there)
    return pct


def _short_ghz(inputs: FailureInputs, modes: slice, wanted: FloatArray) -> FloatArray:
    """What the survivors lack for all VMs to run within the policy's limit (m,).

    Args:
        wanted: CPU of each survivor with all VMs [% of its cores], shape (m, h).
    """
    policy, hosts = inputs.policy, inputs.arrays.hosts
    if not some(wanted * policy.peak_factor_cpu > policy.cpu_limit_pct):
        return np.zeros(len(wanted))
    over = np.maximum(wanted * policy.peak_factor_cpu - policy.cpu_limit_pct, 0.0)
    position = inputs.failover.position[modes]
    clock = np.nan_to_num(hosts.base_mhz)[position]
    ghz: FloatArray = over / 100.0 * hosts.cores[position] * clock / 1000.0
    return np.asarray(ghz.sum(axis=1))
