"""Rules about how VMs reach their disks, and how drives form groups."""

from __future__ import annotations

from collections.abc import Iterator

from models.judgement import refusals
from models.judgement.rulebook import Context, cited, error, number, rule, some_may_not_run
from models.physics.arrays import PHYSICAL_MODE
from models.prediction import Finding
from models.texts import say
from models.wording import DISK_MODES

PATHS = "VMware, product documentation of vSphere Storage, not checked"
VSAN_RELEASE = (
    "vSAN Essentials, chapter 2: requirements for deployment "
    "<https://www.vsan-essentials.com/chapter-2-vsan-prerequisites-and-requirements-for-deployment>"
)


@rule("storage-path", when=some_may_not_run)
def storage_path(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    for row, vm in context.vms_where(refusals.impossible_path(context.numbers)):
        home = vms.host[row]
        host, hypervisor = context.scenario.hosts[home].name, context.hypervisor(home).name
        if vms.at.physical[row]:
            yield error(
                "storage-path",
                vm,
                say(
                    "{vm} is to reach its disks by {path}, but {host} is a physical server.",
                    vm=vm.name,
                    path=DISK_MODES[vm.disk_mode],
                    host=host,
                ),
                say("Choose the path of a physical server, or place it on a host with vSphere."),
                PATHS,
            )
        elif vms.mode[row] == PHYSICAL_MODE:
            yield error(
                "storage-path",
                vm,
                say(
                    "{vm} is to reach its disks as a physical server does, but {host} runs "
                    "{hypervisor}.",
                    vm=vm.name,
                    host=host,
                    hypervisor=hypervisor,
                ),
                say("Choose VMFS or raw device mappings."),
                PATHS,
            )
        else:
            yield error(
                "storage-path",
                vm,
                say(
                    "{vm} is to keep its disks on vSAN, but {host} runs {hypervisor}, which does "
                    "not have it.",
                    vm=vm.name,
                    host=host,
                    hypervisor=hypervisor,
                ),
                say("Choose VMFS or raw device mappings, or take vSphere 5.5 or later."),
                VSAN_RELEASE,
            )


@rule("raid-group", placeless=True)
def raid_group(context: Context) -> Iterator[Finding]:
    pools = context.inputs.arrays.pools
    drives, group, fewest = pools.drives, pools.largest_group, pools.fewest_in_group
    for row, pool in context.pools_where(refusals.impossible_raid_group(context.numbers)):
        raid = pools.raids[pools.raid[row]]
        if group[row] < fewest[row]:
            text = say(
                "{raid} takes at least {fewest} drives a group; those of {pool} have {drives}.",
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
                "its hot spares.",
                pool=pool.name,
                group=number(pools.own_group[row]),
                drives=number(drives[row]),
            )
            fix = say("Make the groups smaller, or add drives.")
        yield error("raid-group", pool, text, fix, cited(raid, "fewest_drives"))
