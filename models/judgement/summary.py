"""From numbers to a judgement: verdicts of items, findings, headroom and the sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import TypeVar

import numpy as np

from models.base.lazily import with_fields
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.texts import joined, say, say_many
from models.failure.mode import mode_of
from models.failure.standalone_hosts import hosts_to_survive
from models.judgement import platform_limits as refusals
from models.judgement.against_limits import Judged, left_pct
from models.judgement.chips import chips_of
from models.judgement.failure_modes import FailureModes
from models.judgement.host_set_words import at_risk_by, may_fail, unseen
from models.judgement.host_sets import Several
from models.judgement.judging_inputs import Evaluated
from models.judgement.platform_limits import Kind, Tripped
from models.judgement.resource_verdicts import (
    by_resource,
    lacks,
    lacks_of,
    of_hosts,
    of_pools,
    of_vms,
    with_weights,
    within_design,
    worst_of,
)
from models.judgement.resources import Resources
from models.judgement.rulebook import Context
from models.judgement.rules import findings
from models.judgement.sentence import Circumstances
from models.judgement.verdict import headroom, judge
from models.physics.arrays import GIVEN, Arrays
from models.physics.columns import every, some
from models.physics.transfer import Carriage
from models.predict.predicted import RESOURCES
from models.predict.prediction import (
    Binding,
    ByResource,
    FailureMode,
    Finding,
    Headroom,
    HostPrediction,
    Outage,
    PoolPrediction,
    Prediction,
    Verdict,
    VmPrediction,
)
from models.scenario.scenario import Item, Scenario, Users
from models.scenario.wording import listed, users_text


def summarise(
    scenario: Scenario,
    evaluated: Evaluated,
    judged: Resources,
    model_version: str,
    outages: Sequence[Outage] = (),
    losses: Callable[[], tuple[Binding, ...]] = tuple,
) -> Prediction:
    """The prediction: numbers with verdicts, findings, headroom and sentence.

    Args:
        judged: the numbers.
        outages: losses beside single hosts that put the scenario at risk or aren't known.
        losses: gives what is nearest its limit after such losses.
    """
    hosts = hosts_to_survive(scenario, evaluated.inputs.arrays)
    deciding = judged.deciding(hosts[evaluated.failures.inputs.failover.failed])
    modes = FailureModes(evaluated.failures, judged.failing)
    context = Context(scenario=scenario, numbers=evaluated, judged=judged, modes=modes)
    tripped = refusals.tripped(evaluated)
    found = findings(context, tripped)
    verdicts = by_resource(evaluated, deciding, hosts, tripped, outages)
    circumstances = _circumstances(scenario, evaluated, modes, found, verdicts)
    lacking = (*circumstances.lacking, *lacks_of(outages, circumstances.name_of))
    circumstances = replace(circumstances, outages=tuple(outages), lacking=lacking)
    judgement = judge(deciding.all(), modes, found, tripped, circumstances, losses)
    assumed = _assumed(evaluated.inputs.arrays)
    weighty = [each for each in found if each.weight > Verdict.FITS]
    items = partial(_with_verdicts, weighty, tripped, assumed)
    carriage = Carriage(evaluated.inputs)
    prediction = Prediction(
        scenario=scenario.name,
        model_version=model_version,
        verdict=judgement.verdict,
        by_resource=verdicts,
        normal=Verdict(int(judged.normal_codes(evaluated, tripped)[0])),
        why=judgement.why,
        binding=judgement.binding,
        runner_up=judgement.runner_up,
        ranked=judgement.ranking,
        after_losses=losses,
        headroom=_headroom(evaluated, judged, modes),
        vms=items(evaluated.vms, of_vms(evaluated, judged), Kind.VMS, _of_vms(evaluated)),
        hosts=items(evaluated.hosts, of_hosts(evaluated, judged), Kind.HOSTS),
        pools=items(evaluated.pools, of_pools(judged), Kind.POOLS, _of_pools(evaluated)),
        failures=modes,
        together=_together(evaluated.several),
        findings=found,
        outages=tuple(outages),
        idle=judgement.verdict is Verdict.FITS and judgement.binding is None,
        carriage=carriage,
    )
    count = int(assumed[Kind.VMS].sum()) if assumed else 0
    return replace(prediction, chips=tuple(chips_of(scenario, count, prediction.badge)))


def _assumed(arrays: Arrays) -> dict[Kind, BoolArray]:
    """Items whose numbers rest on assumed loads, (n,), (h,) and (p,); empty for none at all."""
    vms = arrays.vms
    which = vms.powered_on & vms.load_assumed
    if not some(which):
        return {}
    there = which & vms.running
    pools = np.concatenate([each[there] for each in (vms.pool, vms.log_pool)])
    return {
        Kind.VMS: which,
        Kind.HOSTS: np.bincount(vms.host[there], minlength=len(arrays.hosts)) > 0,
        Kind.POOLS: np.bincount(pools[pools >= 0], minlength=len(arrays.pools)) > 0,
    }


def _headroom(e: Evaluated, judged: Resources, modes: FailureModes) -> Headroom:
    """What is left: of CPU nothing is said where nothing is known of a host's load, nor of a
    failure then unless what is known is over a limit already."""
    several = e.several
    failing = [
        each
        for each in (*judged.failing, *(several.judged if several is not None else ()))
        if each.resource != "response_ms"
    ]
    left = headroom(
        cpu=(judged.vm_cpu, judged.host_cpu),
        ram=judged.host_ram,
        iops=judged.disks,
        response=judged.response,
        failing=failing,
    )
    if not every(e.hosts_known):
        left = replace(left, cpu_pct=None)
    tables = [e.failures] if several is None else [e.failures, several.table]
    some_unknown = any(some(each.some_unknown) for each in tables)
    if left.failure_pct is not None and left.failure_pct >= 0 and some_unknown:
        left = replace(left, failure_pct=None)
    left = _stranding_one(left, judged, modes)
    if several is not None:
        left = _stranding_most(left, several)
    if left.failure_pct is None or left.stranded:
        return left
    restarting = _restarting(failing, e)
    return left if restarting is None else replace(left, restarting=restarting)


def _stranding_one(left: Headroom, judged: Resources, modes: FailureModes) -> Headroom:
    """The same, of the loss of one host that leaves VMs without room: the one that decides if it
    does, else the one that leaves most of them so."""
    memory = next(each for each in judged.failing if each.resource == "ram_pct")
    worst = None if memory.fits else memory.worst()
    if worst is None:
        return left
    host = worst.binding.subject
    count = modes.stranded_in(worst.binding.mode)
    if not count:
        host, count = max(modes.stranded.items(), key=itemgetter(1), default=("", 0))
    if not count:
        return left
    at = _left_in(judged.failing, memory.ids.index(host))
    return replace(left, stranded=count, stranding=host, stranding_pct=at)


def _stranding_most(left: Headroom, several: Several) -> Headroom:
    """The same, of the loss of several hosts that leaves most VMs without room, if that is more."""
    for row, mode in zip(several.rows, several.modes, strict=True):
        if len(mode.not_restarted) > left.stranded:
            left = replace(
                left,
                stranded=len(mode.not_restarted),
                stranding=mode.mode.hosts[0],
                together=mode.mode.hosts,
                stranding_pct=_left_in(several.judged, row),
            )
    return left


def _left_in(failing: Sequence[Judged], row: int) -> float:
    """What is left of the limits of CPU and RAM in one loss, in per cent of the limit."""
    loads = [each.load[row] for each in failing if each.resource != "response_ms"]
    return float(left_pct(np.fmax.reduce(loads)))


def _restarting(failing: Sequence[Judged], e: Evaluated) -> Binding | None:
    """The load of a VM on its own vCPUs where it restarts, if none after a failure is nearer to its
    limit: no row of a failure has that number. Of equals that with the first id."""
    first = max(failing, key=lambda each: each.greatest_load or 0.0)
    if not first.own or first.greatest_load is None:
        return None
    rows = (first.load == first.greatest_load).nonzero()[0].tolist()
    row = min(rows, key=first.ids.__getitem__)
    subject, table, several = first.ids[row], e.failures, e.several
    gone: Sequence[str] = (subject,)
    if several is not None and any(first is each for each in several.judged):
        gone, table = several.gone(row), several.table
        subject = gone[0]
    return table.with_restart(first.binding(row, subject, mode_of(gone)), row)


def _together(several: Several | None) -> tuple[FailureMode, ...]:
    """The worst loss of each cluster that tolerates several hosts."""
    return () if several is None else several.modes


Items = TypeVar("Items", VmPrediction, HostPrediction, PoolPrediction)


Others = Sequence[tuple[Verdict, BoolArray]]


def _with_verdicts(
    findings: Sequence[Finding],
    tripped: Sequence[Tripped],
    assumed: Mapping[Kind, BoolArray],
    items: Items,
    resources: ByResource,
    kind: Kind,
    others: Others = (),
) -> Items:
    """The items with the verdicts on them: the worst of their resources, of what they trip, of what
    `others` say of them, and of findings that stand on them."""
    mine = [each for each in tripped if each.weight.of is kind]
    by_resource = with_weights(resources, mine)
    codes = worst_of(by_resource)
    for verdict, which in others:
        codes[which] = np.maximum(codes[which], np.int8(verdict))
    for each in mine:
        codes[each.which] = np.maximum(codes[each.which], np.int8(each.weight.at_least))
    for finding in findings:
        if finding.subject in items:
            row = items.index(finding.subject)
            codes[row] = max(int(codes[row]), int(finding.weight))
    return with_fields(items, verdict=codes, by_resource=by_resource, assumed=assumed.get(kind))


def _of_vms(e: Evaluated) -> Others:
    """A VM that should run but has no host is at risk, one that can't be powered on does not
    fit."""
    return (Verdict.AT_RISK, e.unplaced), (Verdict.DOES_NOT_FIT, e.inputs.arrays.refused)


def _of_pools(e: Evaluated) -> Others:
    """A pool that holds nothing does not fit where VMs are to stand on it."""
    arrays, found = e.inputs.arrays, np.zeros(len(e.inputs.arrays.pools), dtype=np.bool_)
    if some(arrays.pools.hold_nothing):
        found[_refused_by_pools(arrays)] = True
    return ((Verdict.DOES_NOT_FIT, found),)


def _refusal(e: Evaluated, findings: Sequence[Finding]) -> Finding | None:
    """The finding by which a VM can't be powered on, first one that nobody answers for; any of that
    kind where the VM's own is beyond what is listed of a rule."""
    arrays = e.inputs.arrays
    if not some(arrays.refused):
        return None
    errors = [each for each in findings if each.rule in refusals.OF_POWER_ON]
    subjects = {arrays.vms.ids[row] for row in arrays.refused.nonzero()[0].tolist()}
    subjects |= {arrays.pools.ids[row] for row in _refused_by_pools(arrays).tolist()}
    found = [each for each in errors if each.subject in subjects]
    return min(found or errors, key=lambda each: bool(each.waived))


def _refused_by_pools(arrays: Arrays) -> IntArray:
    """Pools that hold nothing with VMs that would run on them."""
    vms, refused = arrays.vms, arrays.refused
    pools = np.union1d(vms.pool[refused], vms.log_pool[refused])
    pools = pools[pools >= 0]
    return np.asarray(pools[arrays.pools.hold_nothing[pools]])


def _circumstances(
    scenario: Scenario,
    e: Evaluated,
    modes: FailureModes,
    findings: Sequence[Finding],
    verdicts: Mapping[str, Verdict | None],
) -> Circumstances:
    fitting = [RESOURCES[name] for name, each in verdicts.items() if each is Verdict.FITS]
    vms = e.inputs.arrays.vms
    down, hosts = modes.down, hosts_to_survive(scenario, e.inputs.arrays)
    asked = down * hosts
    several = e.several if some(hosts) else None
    return Circumstances(
        name_of=partial(_name_of, scenario, e),
        policy=e.policy,
        lacking=lacks(e),
        known=listed(fitting),
        within=within_design(e),
        unplaced=int(np.count_nonzero(e.unplaced)),
        running=int(np.count_nonzero(vms.running)),
        counts_users=some(vms.running & _by_users(e)),
        unseen=_unseen(scenario, e, hosts),
        down=_down(scenario, e.inputs.arrays, asked if some(asked > 0) else down),
        down_risk=some(asked > 0),
        refusal=_refusal(e, findings),
        several_gone=at_risk_by(scenario, several),
        several_may_fail=may_fail(scenario, e.several),
    )


def _by_users(e: Evaluated) -> BoolArray:
    """VMs whose load follows from users, or in production from what a server does besides."""
    vms = e.inputs.arrays.vms
    has_users = (e.inputs.users > 0) & (vms.law != GIVEN)
    return np.asarray(has_users | (vms.domino & e.inputs.derating.production))


def _unseen(scenario: Scenario, e: Evaluated, hosts: BoolArray) -> str:
    """Where what has no data could take a host over its limit as it is, or a loss of one of the
    `hosts`, (h,), others; as a clause, empty for nowhere."""
    risky = (each for each in unseen(e) if hosts[each.host] or each.host in each.over)
    return next((each.words(scenario) for each in risky), "")


def _down(scenario: Scenario, arrays: Arrays, down: FloatArray) -> str:
    """What is down with the host that takes most users with it, as a clause.

    Args:
        down: VMs and users of mail and of chat that stay down with each host, shape (3, h).
    """
    rows = down[0].nonzero()[0].tolist()
    if not rows:
        return ""
    users = [Users(mail, chat) for mail, chat in down[1:].T.tolist()]
    worst = min(rows, key=lambda row: (-users[row].first, -down[0, row], scenario.hosts[row].id))
    vms, people = round(down[0, worst]), users[worst]
    if people.are_mixed:
        what = say("{users} are down", users=users_text(people))
    elif count := round(people.first):
        what = say_many("{count} user is down", "{count} users are down", count)
    else:
        what = say_many("{count} VM is down", "{count} VMs are down", vms)
    text = say("with {who} gone, {what}", who=scenario.hosts[worst].name, what=what)
    more = len(rows) - 1
    if not more:
        return text
    others = say_many("{count} more host has no HA", "{count} more hosts have no HA", more)
    if some(arrays.hosts.cluster[rows] >= 0):
        others = say_many("likewise {count} more host", "likewise {count} more hosts", more)
    return joined("", (text, " (", others, ")"))


def _name_of(scenario: Scenario, e: Evaluated, id: str) -> str:
    """Display name of the item of this id, or the id."""
    arrays = e.inputs.arrays
    tables: tuple[tuple[tuple[str, ...], Sequence[Item]], ...] = (
        (arrays.clusters, scenario.clusters),
        (arrays.hosts.ids, scenario.hosts),
        (arrays.pools.ids, scenario.pools),
        (arrays.vms.ids, scenario.vms),
    )
    return next((items[ids.index(id)].name for ids, items in tables if id in ids), id)
