"""Rules about vSAN: hosts, release and cluster that its policy takes, and room after a loss."""

from __future__ import annotations

from collections.abc import Iterator

from models.base.quantities import GIB_PER_GB
from models.base.texts import Text, say, say_many
from models.catalog.catalog import Vsan
from models.judgement import platform_limits as refusals
from models.judgement.rulebook import Context, Found, advice, error, number, rule, warning
from models.physics.arrays import MODES, VSAN
from models.physics.columns import looked_up
from models.physics.vsan import (
    ADAPTIVE,
    FEWEST_IN_CLUSTER,
    HOSTS,
    POLICY_HOSTS,
    RESERVED,
    layout,
)
from models.scenario.scenario import Pool

ESA_RELEASE = (
    "VMware blog, 2022: Transitioning to the vSAN 8 Express Storage Architecture <https://blogs."
    "vmware.com/cloud-foundation/2022/09/01/transitioning-to-the-vsan-8-express-storage-architecture>"
)
OSA_RELEASE = (
    "vSAN Essentials, chapter 2: requirements for deployment "
    "<https://www.vsan-essentials.com/chapter-2-vsan-prerequisites-and-requirements-for-deployment>"
)


def some_vsan(context: Context) -> bool:
    """There is a pool whose drives stand in hosts, or a VM with its disks on vSAN."""
    arrays = context.inputs.arrays
    return arrays.pools.some_in_hosts or bool((arrays.vms.mode == VSAN).any())


def _raid(context: Context, row: int) -> Text:
    pools = context.inputs.arrays.pools
    return say_many(
        "{raid} for the loss of {count} host",
        "{raid} for the loss of {count} hosts",
        round(float(pools.tolerates[row])),
        raid=pools.raids[int(pools.raid[row])].name,
    )


@rule("vsan-hosts", say("vSAN: number of hosts"), when=some_vsan)
def vsan_hosts(context: Context) -> Iterator[Found]:
    """Too few hosts for the policy; two of them need a witness."""
    pools = context.inputs.arrays.pools
    for row, pool in context.pools_where(refusals.vsan_too_few_hosts(context.numbers)):
        count = int(pools.host_count[row])
        yield error(
            pool,
            say_many(
                "{pool} is vSAN with drives of {count} host; {raid} takes {fewest}",
                "{pool} is vSAN with drives of {count} hosts; {raid} takes {fewest}",
                count,
                pool=pool.name,
                raid=_raid(context, row),
                fewest=number(pools.fewest_hosts[row]),
            ),
            say("Add hosts to it, or choose a policy that takes fewer."),
            f"{POLICY_HOSTS}; {HOSTS}; {ADAPTIVE}",
        )
    for _, pool in context.pools_where(refusals.vsan_two_hosts(context.numbers)):
        yield warning(
            pool,
            say(
                "{pool} is vSAN of two hosts, which works with a witness on a third one alone; the "
                "design doesn’t show it, and nothing is rebuilt after the loss of a host",
                pool=pool.name,
            ),
            say("Add a third host, or plan a witness on another site."),
            HOSTS,
        )


@rule("vsan-release", say("vSAN: release of the hosts"), when=some_vsan)
def vsan_release(context: Context) -> Iterator[Found]:
    arrays, pools = context.inputs.arrays, context.inputs.arrays.pools
    for row, pool in context.pools_where(refusals.vsan_before_its_time(context.numbers)):
        array, raid = context.array(row), pools.raids[int(pools.raid[row])]
        esa = array.vsan is Vsan.ESA
        yield error(
            pool,
            say(
                "{pool} is {what}, which came with vSphere {needed}; it has a host with {found}",
                pool=pool.name,
                what=say("vSAN, express architecture")
                if esa
                else say("{raid} of vSAN", raid=raid.name),
                needed=number(refusals.vsan_from(array, raid), 1),
                found=number(arrays.oldest_of_pools[row], 1),
            ),
            say("Take that release or a later one on all hosts, or the original architecture.")
            if esa
            else say("Take that release or a later one on all hosts, or RAID 1."),
            ESA_RELEASE if esa else OSA_RELEASE,
        )


@rule("vsan-cluster", say("vSAN: one cluster"), when=some_vsan)
def vsan_cluster(context: Context) -> Iterator[Found]:
    mixed = context.inputs.arrays.clusters_of_pools[1]
    for row, pool in context.pools_where(refusals.vsan_without_cluster(context.numbers)):
        yield error(
            pool,
            say("{pool} is vSAN, but its hosts are not all of one cluster", pool=pool.name)
            if mixed[row]
            else say("{pool} is vSAN, but its hosts are in no cluster", pool=pool.name),
            say("Name the hosts whose drives it is made of, and put them into one cluster."),
            OSA_RELEASE,
        )


@rule("vsan-policy", say("vSAN: failures to tolerate"), when=some_vsan)
def vsan_policy(context: Context) -> Iterator[Found]:
    pools = context.inputs.arrays.pools
    for row, pool in context.pools_where(refusals.vsan_policy_impossible(context.numbers)):
        yield error(
            pool,
            say(
                "{pool} is to tolerate the loss of {asked} of its hosts; {raid} of vSAN tolerates "
                "{own}",
                pool=pool.name,
                asked=number(pools.tolerates[row]),
                raid=pools.raids[int(pools.raid[row])].name,
                own=number(pools.raid_tolerates[row]),
            ),
            say("Choose RAID 1 for another number, or leave it to the RAID level."),
            POLICY_HOSTS,
        )


@rule("vsan-drives", say("vSAN without drives of hosts"), when=some_vsan)
def vsan_drives(context: Context) -> Iterator[Found]:
    """VMs on vSAN whose pool is an array’s, and VMs on a pool of vSAN that reach it otherwise."""
    vms, pools = context.inputs.arrays.vms, context.inputs.arrays.pools
    for row, vm in context.vms_where(refusals.vsan_without_drives(context.numbers)):
        yield error(
            vm,
            say(
                "{vm} is to keep its disks on vSAN, but {pool} is made of the drives of {array}",
                vm=vm.name,
                pool=context.scenario.pools[int(vms.pool[row])].name,
                array=context.array(int(vms.pool[row])).name,
            ),
            say("Choose another way to its disks, or a pool of vSAN."),
            OSA_RELEASE,
        )
    otherwise = looked_up(pools.in_hosts, vms.pool, False) & (vms.mode != VSAN) & vms.powered_on
    for row, vm in context.vms_where(otherwise & (vms.host >= 0)):
        yield warning(
            vm,
            say(
                "{vm} is to reach its disks by {mode}, but {pool} is vSAN",
                vm=vm.name,
                mode=MODES[int(vms.mode[row])].label,
                pool=context.scenario.pools[int(vms.pool[row])].name,
            ),
            say("Choose vSAN as the way to its disks, or another pool."),
            OSA_RELEASE,
        )


@rule(
    "vsan-rebuild",
    say("vSAN: room to rebuild"),
    when=some_vsan,
    unweighed="data stays there after one loss: it is the next one that harms",
)
def vsan_rebuild(context: Context) -> Iterator[Found]:
    """Whether what a host held finds room on the others, so that the next one may fail."""
    pools, stage = context.inputs.arrays.pools, context.numbers.pool_stage
    there = pools.in_hosts & (pools.host_count >= FEWEST_IN_CLUSTER) & (stage.used_gib > 0)
    for row, pool in context.pools_where(there & (pools.host_count >= pools.fewest_hosts)):
        left = int(pools.host_count[row]) - 1
        if left < pools.fewest_hosts[row]:
            yield advice(
                pool,
                say(
                    "{pool}: with a host gone nothing is rebuilt until it is back, as {raid} takes "
                    "all {count} hosts; another loss in that time costs data",
                    pool=pool.name,
                    raid=_raid(context, row),
                    count=left + 1,
                ),
                say("Add a host, so that data can be laid out anew."),
                HOSTS,
            )
            continue
        room = _room_gib(context, pool, row, left)
        if stage.used_gib[row] > room:
            yield warning(
                pool,
                say(
                    "{pool} holds {used} GiB; with a host gone those left have room for {room}, so "
                    "that not all can be rebuilt",
                    pool=pool.name,
                    used=number(stage.used_gib[row]),
                    room=number(room),
                ),
                say("Add drives or a host: keep as much free as a host holds."),
                RESERVED,
            )


def _room_gib(context: Context, pool: Pool, row: int, hosts: int) -> float:
    """What the drives of fewer hosts hold with nothing kept free."""
    pools = context.inputs.arrays.pools
    raid = pools.raids[int(pools.raid[row])]
    held = layout(context.array(row), raid, hosts, pool.failures_to_tolerate).held
    drives = pools.drives[row] * hosts / pools.host_count[row]
    return float(drives * pools.capacity_gb[row] * GIB_PER_GB * held)
