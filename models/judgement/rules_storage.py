"""Rules about how VMs reach their disks, and what arrays take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from models.judgement import refusals
from models.judgement.rulebook import (
    WV21_LESSONS,
    Context,
    Found,
    cited,
    error,
    names,
    number,
    rule,
    some_lun,
    some_may_not_run,
    warning,
)
from models.physics.arrays import PHYSICAL_MODE
from models.prediction import Verdict
from models.texts import say

PATHS = "VMware, product documentation of vSphere Storage, not checked"
VSAN_RELEASE = (
    "vSAN Essentials, chapter 2: requirements for deployment "
    "<https://www.vsan-essentials.com/chapter-2-vsan-prerequisites-and-requirements-for-deployment>"
)


@rule("storage-path", say("Path to the disks"), when=some_may_not_run)
def storage_path(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    for row, vm in context.vms_where(refusals.impossible_path(context.numbers)):
        home = vms.host[row]
        host, hypervisor = context.scenario.hosts[home].name, context.hypervisor(home).name
        if vms.at.physical[row]:
            yield error(
                vm,
                say(
                    "{vm} is to reach its disks by {path}, but {host} is a physical server",
                    vm=vm.name,
                    path=vm.disk_mode.label,
                    host=host,
                ),
                say("Choose the path of a physical server, or place it on a host with vSphere."),
                PATHS,
            )
        elif vms.mode[row] == PHYSICAL_MODE:
            yield error(
                vm,
                say(
                    "{vm} is to reach its disks as a physical server does, but {host} runs "
                    "{hypervisor}",
                    vm=vm.name,
                    host=host,
                    hypervisor=hypervisor,
                ),
                say("Choose VMFS or raw device mappings."),
                PATHS,
            )
        else:
            yield error(
                vm,
                say(
                    "{vm} is to keep its disks on vSAN, but {host} runs {hypervisor}, which does "
                    "not have it",
                    vm=vm.name,
                    host=host,
                    hypervisor=hypervisor,
                ),
                say("Choose VMFS or raw device mappings, or take vSphere 5.5 or later."),
                VSAN_RELEASE,
            )


@rule("raid-group", say("Size of RAID groups"))
def raid_group(context: Context) -> Iterator[Found]:
    pools = context.inputs.arrays.pools
    drives, group, fewest = pools.drives, pools.largest_group, pools.fewest_in_group
    for row, pool in context.pools_where(refusals.impossible_raid_group(context.numbers)):
        raid = pools.raids[pools.raid[row]]
        if group[row] < fewest[row]:
            text = say(
                "{raid} takes at least {fewest} drives a group; those of {pool} have {drives}",
                raid=raid.name,
                fewest=number(fewest[row]),
                pool=pool.name,
                drives=number(group[row]),
            )
            fix = say(
                "Make groups of at least {fewest} drives, or choose another RAID level.",
                fewest=number(fewest[row]),
            )
        else:
            text = say(
                "{pool} is to have RAID groups of {group} drives, but has only {drives} besides "
                "its hot spares",
                pool=pool.name,
                group=number(pools.own_group[row]),
                drives=number(drives[row]),
            )
            fix = say("Make the groups smaller, or add drives.")
        source = cited(raid, "fewest_drives")
        yield error(pool, text, fix, source, at_least=Verdict.DOES_NOT_FIT)


@rule("shared-lun", say("Shared LUN"), when=some_lun)
def shared_lun(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    sharing = defaultdict(list)
    for _, vm in context.vms_where(vms.names_lun & vms.domino):
        sharing[vm.lun or ""].append(vm)
    for lun in sorted(lun for lun, users in sharing.items() if len(users) > 1):
        users = sorted(sharing[lun], key=lambda vm: vm.id)
        yield warning(
            users[0],
            say("{names} share the LUN {lun}", names=names([vm.name for vm in users]), lun=lun),
            say("Give each Domino server LUNs of its own with a single virtual disk on each."),
            WV21_LESSONS,
        )
