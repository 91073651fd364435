"""Failure modes as terms: the failure is played through, and what is left explained like any other.

`lose_host` says where each VM of the failed host restarts; the scenario that is left goes through
the same formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from models.base.texts import joined, say
from models.explain import host_terms, vm_terms
from models.explain.response_terms import response_ms
from models.explain.workings import Workings
from models.failure.availability import fail_each_host
from models.failure.restarted import Restart
from models.formulas.terms import (
    HUNDRED,
    Predicted,
    Stated,
    Term,
    folded,
    greatest,
    leaf,
    product,
    without_host,
)
from models.formulas.traced import entitled, term_of, traced
from models.host_loss import HostLoss, lose_host
from models.judgement.against_limits import Judged, left_pct, over_limit
from models.physics.cpu import of_vcpus_pct
from models.scenario.scenario import Host, Vm
from models.stages import with_failures


@dataclass(frozen=True, slots=True)
class Played:
    """A failure played through: who went where, and the workings of what is left."""

    loss: HostLoss
    left: Workings

    @classmethod
    def of(cls, w: Workings, host: str) -> Played:
        loss = lose_host(w.scenario, w.knowledge, host)
        return cls(loss, w.left_of(loss.scenario))

    def survivors(self, w: Workings) -> list[Host]:
        """The other hosts of its cluster, without those that HA leaves out."""
        cluster, row = w.arrays.hosts.cluster, w.host_rows[self.loss.host]
        there = ((cluster == cluster[row]) & (cluster >= 0)).nonzero()[0].tolist()
        return [self.loss.scenario.hosts[each] for each in there if each != row]

    def words(self, w: Workings) -> str:
        """Who restarts where, in one clause."""
        name = {item.id: item.name for item in w.scenario.items()}
        moves = [
            say("{vm} on {host}", vm=name[vm], host=name[to])
            for vm, to in self.loss.restarted.items()
        ]
        moves += [
            say("{vm} goes on on {host}", vm=name[vm], host=name[to])
            for vm, to in self.loss.taken_over.items()
        ]
        restarted = say("restarted: {moves}", moves=joined(", ", moves) or say("none"))
        down = [say("{name} finds no room", name=name[vm]) for vm in self.loss.down]
        return joined("; ", (restarted, *down))


def cpu_pct(w: Workings, host: str) -> Term:
    """Of the survivor with the highest CPU."""
    played = Played.of(w, host)
    known = [h for h in played.survivors(w) if host_terms.is_known(played.left, h)]
    each = [host_terms.cpu_pct(played.left, survivor) for survivor in known]
    worst = _worst(each, _worst_of("CPU", _name(w, host)), played.words(w))
    return without_host(folded(worst), host)


def ram_pct(w: Workings, host: str) -> Term:
    """Of the survivor with the highest fill."""
    played = Played.of(w, host)
    each = [host_terms.ram_pct(played.left, survivor) for survivor in played.survivors(w)]
    worst = _worst(each, _worst_of("RAM", _name(w, host)), played.words(w))
    return without_host(folded(worst), host)


def worst_response_ms(w: Workings, host: str) -> Term:
    """Of the VM of the cluster that then responds slowest."""
    played = Played.of(w, host)
    left, hosts = played.left, {each.id for each in played.survivors(w)}
    unlike = len(w.normal.vm.places.kinds) > 1 or w.inputs.laws.some_a
    known = w.normal.responses.estimate.known
    there = np.array(
        [
            vm.host in hosts and bool(known[row] or (unlike and played.loss.place_of(vm.id)))
            for row, vm in enumerate(left.scenario.vms)
        ]
    )
    cores, think = left.normal.sharing.cores, left.law.think_time_ms
    ends = left.normal.responses.off_host.standing.among(cores.cores, cores.busy, think)
    times = np.where(there, ends[0], np.nan)
    slowest = response_ms(left, left.scenario.vms[int(np.nanargmax(times))])
    note = played.words(w)
    label = say("worst response with {host} gone", host=_name(w, host))
    worst = product(label, slowest, unit="ms", note=note)
    return without_host(folded(worst), host)


def vm_cpu_pct(w: Workings, host: str) -> Term:
    """Of the VM of the cluster whose own vCPUs are the fullest then."""
    played = Played.of(w, host)
    left, survivors = played.left, {each.id: each.name for each in played.survivors(w)}
    vms = left.scenario.vms
    there = np.array([vm.host in survivors for vm in vms])
    vcpus = left.arrays.vms.vcpus
    fullest = vms[int(np.nanargmax(np.where(there, left.normal.vm.cores.value / vcpus, np.nan)))]
    what = say("CPU of {vm} on {host}", vm=fullest.name, host=survivors[fullest.host or ""])
    return _own_cpu_pct(w, played, fullest, _worst_of(what, _name(w, host)))


def _worst(each: list[Term], label: str, note: str) -> Term:
    if len(each) == 1:
        return product(label, each[0], unit="%", note=note)
    return greatest(label, *each, unit="%", note=note)


def _worst_of(what: str, gone: str) -> str:
    return say("worst {what} with {host} gone", what=what, host=gone)


def _name(w: Workings, host: str) -> str:
    return w.scenario.host(host).name


def extreme_pct(w: Workings, host: Host, field: str) -> Term:
    """Where a host stands with the worst other host of its cluster gone."""
    failover = fail_each_host(w.arrays, w.normal.host.loads)
    row = w.host_rows[host.id]
    figures = failover.sums("cpu")["cpu"][0] if field == "cpu_pct" else failover.ram_gib()
    here = (failover.members == row) & failover.alive
    mode = int(np.where(here, figures, -1.0).max(axis=1).argmax())
    gone = w.scenario.hosts[int(failover.failed[mode])]
    played = Played.of(w, gone.id)
    survivor = played.loss.scenario.host(host.id)
    term = host_terms.cpu_pct if field == "cpu_pct" else host_terms.ram_pct
    words = "CPU" if field == "cpu_pct" else "RAM"
    label = say("{what} of {who} with {gone} gone", what=words, who=host.name, gone=gone.name)
    whole = product(label, term(played.left, survivor), unit="%", note=played.words(w))
    return without_host(folded(whole), gone.id)


# --- headroom in the worst failure ---------------------------------------------------------------


def headroom_pct(w: Workings, lost: Sequence[str] = ()) -> Term:
    """100 × (1 − load) of the worst of CPU and RAM over all failures, of one host or of as many at
    once as a cluster tolerates.

    Args:
        lost: the hosts gone in the only failure to look at; empty for all failures.
    """
    found = with_failures(w.normal)
    alone: list[tuple[str, ...]] = [(id,) for id in found.failures.ids]
    tables = [(found.failures, alone)]
    if (several := found.several) is not None:
        tables.append((several.table, list(map(several.gone, range(len(several.table.ids))))))
    loads = [
        (load, table, each, row, gone[row])
        for table, gone in tables
        for each in table.judge()
        if each.resource != "response_ms"
        for row, load in enumerate(each.load.tolist())
        if not math.isnan(load) and (not lost or gone[row] == tuple(lost))
    ]
    _, table, worst, row, hosts = max(loads, key=itemgetter(0))
    restart = table.fullest_restart(row) if worst.own else None
    load = _load_term(w, worst, row, hosts, restart)
    return entitled(say("headroom in the worst failure"), left_pct(traced(load)), "%")


def _own_cpu_pct(w: Workings, played: Played, vm: Vm, label: str) -> Term:
    """CPU that a VM asks for where it then runs [% of its vCPUs]."""
    cores, vcpus = vm_terms.cores(played.left, vm), played.left.vm_field(vm, "vcpus")
    pct = of_vcpus_pct(traced(cores), traced(vcpus))
    whole = entitled(label, pct, "%", note=played.words(w))
    return without_host(folded(whole), played.loss.host)


def _load_term(
    w: Workings,
    weighed: Judged,
    row: int,
    gone: tuple[str, ...],
    restart: Restart | None,
) -> Term:
    """Args: restart: where a VM's own vCPUs decide."""
    host, value = gone[0], float(weighed.value[row])
    name = joined(say(" and "), [_name(w, each) for each in gone])
    limit = (
        w.policy_field("cpu_limit_pct")
        if weighed.resource == "cpu_pct"
        else product(say("limit of RAM"), w.policy_field("memory_overcommit"), HUNDRED, unit="%")
    )
    what: str = "CPU" if weighed.resource == "cpu_pct" else "RAM"
    source: Predicted | Stated = Predicted("failures", host, weighed.resource)
    if len(gone) > 1:
        source = Stated(say("the loss of several hosts at once, worked out as that of one"))
    if restart is not None:
        vm, there = w.scenario.vms[restart.vm], w.scenario.hosts[restart.host]
        what = say("CPU of {vm} on {host}", vm=vm.name, host=there.name)
    shown = leaf(
        _worst_of(what, name),
        value / (w.policy.peak_factor_cpu if weighed.resource == "cpu_pct" else 1.0),
        "%",
        source=source,
        note=say("RAM that would have to be added counts as over the limit")
        if weighed.resource == "ram_pct" and value > limit.value
        else "",
    )
    if restart is not None and len(gone) == 1:
        played = Played.of(w, host)
        shown = _own_cpu_pct(w, played, played.left.scenario.vms[restart.vm], shown.label)
    if weighed.resource == "cpu_pct" and w.policy.peak_factor_cpu != 1.0:
        shown = product(say("at peak"), shown, w.policy_field("peak_factor_cpu"), unit="%")
    return term_of(over_limit(traced(shown), traced(limit)))
