"""The second opinion in sentences: the same in the window, on the terminal and in JSON."""

from __future__ import annotations

import math

from models.base.texts import joined, say, say_many
from models.queueing.solve import EXACT_ERROR
from models.scenario.scenario import Scenario
from models.scenario.wording import THIN, listed, number
from models.second_opinion.opinion import Agreement, Beside, Cause, Opinion

AGREEMENTS = {
    Agreement.SAME: say("the same"),
    Agreement.WITHIN: say("within its range"),
    Agreement.EXPLAINED: say("apart, explained"),
    Agreement.OPEN: say("not reconciled"),
}


def milliseconds(value: float) -> str:
    """Three digits at most, as the network is no more certain than its demands.

    >>> milliseconds(43.74), milliseconds(6084.8), milliseconds(0.02)
    ('43.7\\u202fms', '6,080\\u202fms', '0.0\\u202fms')
    """
    digits = 1 if abs(value) < 100 else 2 - math.floor(math.log10(abs(value)))
    return joined(THIN, (number(value, min(digits, 1)), say("ms")))


def headline(opinion: Opinion) -> str:
    """What came of it, in one sentence."""
    if not opinion.servers:
        return say("No server has a response time to set a network of queues beside.")
    counted = dict.fromkeys(Agreement, 0)
    for server in opinion.servers:
        counted[server.agreement] += 1 + len(server.like)
    near = counted[Agreement.SAME] + counted[Agreement.WITHIN]
    total = sum(counted.values())
    if counted[Agreement.SAME] == total:
        return say_many(
            "The network of queues comes to the same response for {count} server.",
            "The network of queues comes to the same responses for all {count} servers.",
            total,
        )
    if near == total:
        return say_many(
            "The network of queues lies within the 90 % range of {count} response.",
            "The network of queues lies within the 90 % ranges of all {count} responses.",
            total,
        )
    if counted[Agreement.OPEN]:
        return say_many(
            "{count} response can’t be reconciled with a network of queues.",
            "{count} responses can’t be reconciled with a network of queues.",
            counted[Agreement.OPEN],
        )
    return say_many(
        "{count} response is another than that of a network of queues, for a reason that is known.",
        "{count} responses are others than those of a network of queues, for reasons that are "
        "known.",
        counted[Agreement.EXPLAINED],
    )


def how_solved(opinion: Opinion) -> str:
    """Which network, which method, how exact."""
    if opinion.solved is None:
        return ""
    network = opinion.solved.network
    closed = sum(not each.is_open for each in network.classes)
    size = say(
        "{classes} and {stations}",
        classes=say_many("{count} class of users", "{count} classes of users", closed),
        stations=say_many("{count} station", "{count} stations", len(network.stations)),
    )
    if opinion.error <= EXACT_ERROR:
        return say("Solved exactly ({method}): {size}.", method=opinion.method, size=size)
    return say(
        "Solved approximately ({method}), with an error of about {error}{thin}% of a response: "
        "{size}.",
        method=opinion.method,
        error=number(100.0 * opinion.error, 1),
        thin=THIN,
        size=size,
    )


def notes(opinion: Opinion, scenario: Scenario) -> list[str]:
    """What the network leaves out or takes together, a sentence each."""
    found: list[str] = []
    if opinion.plan is not None and opinion.plan.stands_for.max() > 1:
        found.append(_taken_together(opinion))
    if opinion.silent:
        found.append(
            say_many(
                "{count} running VM has no response: what is known of its CPU and I/O keeps "
                "stations busy as open load.",
                "{count} running VMs have no response: what is known of their CPU and I/O keeps "
                "stations busy as open load.",
                len(opinion.silent),
            )
        )
    if opinion.crowded:
        names = {vm.id: vm.name for vm in scenario.vms}
        shown = [names[id] for id in opinion.crowded[:3]]
        more = len(opinion.crowded) - len(shown)
        if more:
            shown.append(say_many("{count} more", "{count} more", more))
        found.append(
            say(
                "Not in the network, as VMs without a response alone fill their host or pool: "
                "{names}.",
                names=listed(shown),
            )
        )
    if opinion.shared:
        found.append(
            say("Several drives are one queue, which waits less: {pools}.",
                pools=listed(opinion.shared))
        )  # fmt: skip
    return found


def _taken_together(opinion: Opinion) -> str:
    assert opinion.plan is not None
    total, width = int(opinion.plan.stands_for.sum()), opinion.plan.width
    if width == 0.0:
        return say(
            "Servers that ask for the same stand for each other: {total} servers are "
            "{classes} classes.",
            total=number(total),
            classes=number(len(opinion.servers)),
        )
    if math.isinf(width):
        return say(
            "Servers of many kinds are taken together: {total} servers are {classes} classes, of "
            "which the last stands for unlike ones.",
            total=number(total),
            classes=number(len(opinion.servers)),
        )
    return say(
        "Servers whose users, demands and hosts differ by no more than about {width}{thin}% stand "
        "for each other: {total} servers are {classes} classes.",
        width=number(100.0 * width),
        thin=THIN,
        total=number(total),
        classes=number(len(opinion.servers)),
    )


def in_short(server: Beside) -> str:
    """One clause to stand beside the shown response."""
    return say(
        "network of queues: {network}, {agreement}",
        network=milliseconds(server.network_ms),
        agreement=AGREEMENTS[server.agreement],
    )


def reason(server: Beside) -> str:
    """Why the two differ, or that they don't, in a sentence or three."""
    sentences = [_why(server)]
    measured = server.shown.measured
    if measured is not None and server.cause is not Cause.NONE:
        sentences.append(
            say(
                "This very configuration was measured: {measured}.",
                measured=milliseconds(measured),
            )
        )
    if server.agreement is Agreement.WITHIN:
        sentences.append(say("That is within the 90 % range of the shown response."))
    if server.agreement is Agreement.OPEN:
        sentences.append(
            say("The two can’t be reconciled: no document says what the server waits for there.")
        )
    if server.rest_ms >= 0.1 * server.closed.idle:
        sentences.append(
            say(
                "Of the idle response of {idle} {rest} belong to no station; they are a delay.",
                idle=milliseconds(server.closed.idle),
                rest=milliseconds(server.rest_ms),
            )
        )
    return joined(" ", sentences)


def _why(server: Beside) -> str:
    closed, solved = server.closed, server.solved

    def ms(value: float) -> str:
        return milliseconds(value)

    if server.cause is Cause.NONE:
        return say("Both come to the same, within 5{thin}%.", thin=THIN)
    if server.cause is Cause.KNEE:
        return say(
            "The knee at {users} users is fitted to measured responses and its cause is not "
            "known, so the network has no station for it: it makes {own} here, where the network "
            "waits {waits} for virtual CPUs.",
            users=number(server.knee_users or 0.0, -1),
            own=ms(closed.own),
            waits=ms(solved.own),
        )
    if server.cause is Cause.STRETCH:
        return say(
            "The law stretches the whole idle response of {idle} with the load of the server, as "
            "measured responses did: by {own}. In the network only {cpu} of CPU wait for virtual "
            "CPUs: {waits}.",
            idle=ms(closed.idle),
            own=ms(closed.own),
            cpu=ms(server.cpu_ms),
            waits=ms(solved.own),
        )
    if server.cause is Cause.IDLE:
        return say(
            "CPU and drives of an action take {solved}, more than the idle response of the law, "
            "{closed}.",
            solved=ms(solved.idle),
            closed=ms(closed.idle),
        )
    return _shared(server)


def _shared(server: Beside) -> str:
    """Why, where they differ in what a server shares with others."""
    closed, solved = server.closed, server.solved
    if server.cause is Cause.OPEN_LOAD:
        return say(
            "Host or pool are asked for more than they can do. VMs without a response take their "
            "share in the network whatever the others wait; by the closed form all fall behind "
            "alike."
        )
    if server.cause is Cause.DRIVES:
        return say(
            "Waiting for drives is {solved} in the network and {closed} by the closed form, which "
            "adds only what neighbours make of it: a server’s own is in its law.",
            solved=milliseconds(solved.drives),
            closed=milliseconds(closed.drives),
        )
    return say(
        "Waiting for the cores of the host is {solved} in the network and {closed} by the closed "
        "form, which adds only what neighbours make of it, and a moment beside each.",
        solved=milliseconds(solved.cores),
        closed=milliseconds(closed.cores),
    )
