"""Rules about Sametime: multiplexers, clusters, meetings, and who counts as a user."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.judgement.rulebook import WV21, Context, advice, names, number, rule, some_sametime
from models.physics.arrays import COMMUNITY, MUX
from models.physics.columns import some
from models.prediction import Finding
from models.quantities import BoolArray
from models.texts import say

LESSONS = f"{WV21}, “Lesson Learned from Lotus Sametime Benchmark and Support Incidents”"
COMMENTS = f"{WV21}, “Comments on IBM Lotus Sametime benchmark”"


@rule("sametime-no-mux", placeless=True, when=some_sametime)
def sametime_no_mux(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    if some((vms.law == MUX) & vms.powered_on):
        return
    if called := _community(context):
        yield advice(
            "sametime-no-mux",
            None,
            say(
                "{names}: no multiplexer of its own takes the connections of the clients.",
                names=names(called),
            ),
            say(
                "Put separate multiplexers before the community servers: one vCPU and 2 GB "
                "each were "
                "enough for 50,000 chat users."
            ),
            LESSONS,
        )


@rule("sametime-mux-size", placeless=True, when=some_sametime)
def sametime_mux_size(context: Context) -> Iterator[Finding]:
    """Multiplexers as large as the community servers behind them."""
    vms = context.inputs.arrays.vms
    servers = (vms.law == COMMUNITY) & vms.running
    if not some(servers):
        return
    large = (vms.law == MUX) & vms.running
    large &= (vms.vcpus > 1) & (vms.vcpus >= vms.vcpus[servers].max())
    large &= vms.ram_gib >= vms.ram_gib[servers].max()
    if called := context.vm_names(large):
        yield advice(
            "sametime-mux-size",
            None,
            say(
                "{names}: multiplexers with the vCPUs and the memory of a community server, "
                "which they typically don’t need.",
                names=names(called),
            ),
            say("Try one vCPU and 2 GB."),
            LESSONS,
        )


@rule("sametime-meetings", placeless=True, when=some_sametime)
def sametime_meetings(context: Context) -> Iterator[Finding]:
    if called := _community(context):
        yield advice(
            "sametime-meetings",
            None,
            say(
                "{names}: only chat was ever measured; meetings take more network and CPU.",
                names=names(called),
            ),
            say("Give meetings servers of their own, apart from chat."),
            LESSONS,
        )


@rule("sametime-clients", placeless=True, when=some_sametime)
def sametime_clients(context: Context) -> Iterator[Finding]:
    """Community servers whose users are not counted by client: no more of them than people."""
    vms = context.inputs.arrays.vms
    by_head = _servers(context) & ~(vms.active_users > vms.registered_users)
    if called := context.vm_names(by_head & (vms.active_users > 0)):
        users = float(vms.active_users[by_head].sum())
        yield advice(
            "sametime-clients",
            None,
            say(
                "{names}: {users} users are taken to have one client each; somebody with a "
                "Sametime client, Notes and a web page with chat has three.",
                names=names(called),
                users=number(users),
            ),
            say("Count each client connection as a user of its own."),
            COMMENTS,
        )


@rule("sametime-ip-sprayer", placeless=True, when=some_sametime)
def sametime_ip_sprayer(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    if called := context.vm_names(_servers(context) & vms.clustered):
        yield advice(
            "sametime-ip-sprayer",
            None,
            say(
                "{names}: a Sametime cluster needs something before it that hands its users out.",
                names=names(called),
            ),
            say("Plan an IP sprayer; DNS round robin is cheaper and less robust."),
            LESSONS,
        )


def _servers(context: Context) -> BoolArray:
    vms = context.inputs.arrays.vms
    return np.asarray((vms.law == COMMUNITY) & vms.running)


def _community(context: Context) -> list[str]:
    """Names of the community servers that run."""
    return context.vm_names(_servers(context))
