"""Rules about clusters of unlike hosts: makers and generations of processors, and releases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.base.quantities import BoolArray
from models.base.texts import joined, say
from models.judgement import platform_limits as refusals
from models.judgement.rulebook import (
    Context,
    Found,
    advice,
    cited,
    error,
    names,
    number,
    rule,
    warning,
)
from models.physics.host_columns import MAKERS
from models.scenario.scenario import Cluster

COMPATIBILITY = (
    "VMware, vSphere 6.7, CPU compatibility and EVC <https://docs.vmware.com/en/VMware-vSphere/6.7/"
    "com.vmware.vsphere.vcenterhost.doc/GUID-03E7E5F9-06D9-463F-A64F-D4EC20DAF22E.html>"
)
EVC = (
    "VMware, vSphere 6.7, about Enhanced vMotion Compatibility <https://docs.vmware.com/en/"
    "VMware-vSphere/6.7/com.vmware.vsphere.vcenterhost.doc/"
    "GUID-9F444D9B-44A0-4967-8C07-693C6B40278A.html>"
)
HARDWARE = (
    "VMware, vSphere 6.0.1, vCenter Server and Host Management, p. 91: compatibility of VMs in a "
    "cluster with several releases"
)
# http://38.142.81.21:8001/manual/vmware/vcenter-server/4-3-2-1-6-0-1-english/page-91.html


def _clusters(context: Context, hosts: BoolArray) -> Iterator[tuple[Cluster, list[int]]]:
    """Clusters with any of these hosts, (h,), and rows of all of their hosts."""
    of_host = context.inputs.arrays.hosts.cluster
    for row in sorted(set(of_host[hosts & (of_host >= 0)].tolist())):
        yield context.scenario.clusters[row], np.flatnonzero(of_host == row).tolist()


@rule("mixed-makers", say("Processors of several makers in one cluster"))
def mixed_makers(context: Context) -> Iterator[Found]:
    hosts = context.inputs.arrays.hosts
    for cluster, rows in _clusters(context, refusals.beside_other_makers(context.numbers)):
        by_maker = {
            maker: [context.scenario.hosts[row].name for row in rows if hosts.maker[row] == code]
            for code, maker in enumerate(MAKERS)
            if code
        }
        listed = [
            say("{hosts} with {maker}", hosts=names(found), maker=maker)
            for maker, found in by_maker.items()
        ]
        yield error(
            cluster,
            say(
                "{cluster} has {hosts}: a VM that runs moves from one to the other only when it "
                "is switched off, by no vMotion, EVC or Fault Tolerance; HA restarts it there",
                cluster=cluster.name,
                hosts=joined(say(" and "), listed),
            ),
            say("Make a cluster of each."),
            f"{COMPATIBILITY}; {EVC}",
        )


@rule("mixed-releases", say("Several releases of the hypervisor in one cluster"))
def mixed_releases(context: Context) -> Iterator[Found]:
    hosts, apart = context.inputs.arrays.hosts, refusals.beside_newer(context.numbers)
    older = hosts.hypervisor != hosts.hypervisor[hosts.newest_beside]
    for cluster, rows in _clusters(context, older):
        newest = context.hypervisor(hosts.newest_beside[rows[0]])
        oldest = context.hypervisor(min(rows, key=lambda row: float(hosts.version[row])))
        told = {"cluster": cluster.name, "newest": newest.name, "oldest": oldest.name}
        if apart[rows].any():
            yield error(
                cluster,
                say(
                    "{cluster} has hosts with {newest} and with {oldest}: vCenter of the newer "
                    "release manages {least} and later, so that they can’t be one cluster",
                    least=number(float(hosts.manages_from[hosts.newest_beside[rows[0]]]), 1),
                    **told,
                ),
                say("Bring all hosts to one release, or make a cluster of each."),
                cited(newest, "manages_from"),
            )
        else:
            yield warning(
                cluster,
                say(
                    "{cluster} has hosts with {newest} and with {oldest}: fit for an upgrade, but "
                    "what is made for the newer release runs and restarts on no older host",
                    **told,
                ),
                say(
                    "Bring all hosts to one release; until then keep VMs compatible with the "
                    "oldest."
                ),
                HARDWARE,
            )


@rule(
    "mixed-generations",
    say("Several generations of processors in one cluster"),
    unweighed="EVC levels them",
)
def mixed_generations(context: Context) -> Iterator[Found]:
    """Of one maker: vMotion goes from the older to the newer ones alone, unless EVC levels them."""
    hosts = context.inputs.arrays.hosts
    generations = [server.generation for server in hosts.servers]
    generation = np.array([generations.index(each) for each in generations])[hosts.server]
    unlike = (generation != generation[hosts.newest_beside]) & ~hosts.beside_other_makers
    for cluster, rows in _clusters(context, unlike):
        there = sorted({generations[int(generation[row])] for row in rows} - {""})
        if len(there) < 2:
            continue
        yield advice(
            cluster,
            say(
                "{cluster} has processors of {generations}: without EVC a VM that runs moves to "
                "no host that has fewer instructions than its own",
                cluster=cluster.name,
                generations=joined(say(" and "), there),
            ),
            say("Set EVC of the cluster to the oldest of them before the first VM runs."),
            EVC,
        )
