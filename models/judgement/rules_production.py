"""Rules about production servers, which do more than benchmarks, and about measured loads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.judgement.rulebook import Context, advice, number, rule
from models.physics.columns import some
from models.prediction import Finding
from models.profiles import (
    FIELD_MB_PER_OWNER,
    LEAST_BENCHMARK_USERS,
    MOST_BENCHMARK_USERS,
    USUAL_BENCHMARK_USERS,
)
from models.texts import say
from models.wording import exact_text

PAGE = "Headroom, docs/model.md: “Production”"
FIELD = "Console statistics of two production Domino servers, 2018: field-a, field-b"


def in_production(context: Context) -> bool:
    return context.inputs.derating.production


def some_generic(context: Context) -> bool:
    return some(context.inputs.laws.generic)


@rule("production-sum", when=in_production)
def production_sum(context: Context) -> Iterator[Finding]:
    """The known ratio as a check of the sum, by the server with the largest of them."""
    other, asked = context.inputs.other, context.numbers.asked_cores
    assert other is not None  # in production there is one
    own = asked.value - other.cores[0]
    counted = context.inputs.arrays.vms.serving_users & (own > 0)
    if not some(counted):
        return
    ratio = np.where(counted, asked.value / np.where(counted, own, 1.0), -np.inf)
    row = int(ratio.argmax())
    vm = context.scenario.vms[row]
    yield advice(
        "production-sum",
        vm,
        say(
            "{vm}: with its other work an active user comes to {ratio} benchmark users of CPU. The "
            "known ratio is {usual} ({least} to {most}), of servers without browsers and full "
            "text: it checks the sum and is no factor of it.",
            vm=vm.name,
            ratio=number(float(ratio[row]), 1),
            usual=exact_text(USUAL_BENCHMARK_USERS),
            least=exact_text(LEAST_BENCHMARK_USERS),
            most=exact_text(MOST_BENCHMARK_USERS),
        ),
        say("Measure one server of this customer: users, CPU and I/Os of a working hour."),
        PAGE,
    )


@rule("production-registered", placeless=True, when=in_production)
def production_registered(context: Context) -> Iterator[Finding]:
    vms = context.inputs.arrays.vms
    assumed = vms.registered_assumed & vms.serving_users
    if some(assumed):
        yield advice(
            "production-registered",
            None,
            say(
                "{called}: registered users aren’t given; active ones are taken for 35 % of them "
                "(23 to 50 %).",
                called=context.called(assumed),
            ),
            say("Enter how many mail files the server has."),
            PAGE,
        )


@rule("production-memory", placeless=True, when=in_production)
def production_memory(context: Context) -> Iterator[Finding]:
    """What Domino took of memory on the field servers: a check, no demand."""
    vms, (least, most) = context.inputs.arrays.vms, FIELD_MB_PER_OWNER
    wanted = vms.mail_owners * least / 1000.0
    for row, vm in context.vms_where(vms.serving_users & (vms.ram_gib < wanted)):
        yield advice(
            "production-memory",
            vm,
            say(
                "{vm} has {ram} GiB for {owners} registered users; on two field servers Domino "
                "took {least} to {most} MB for each of them, which would be {from_gb} to {to_gb} "
                "GB.",
                vm=vm.name,
                ram=exact_text(vm.ram_gib),
                owners=number(vms.mail_owners[row]),
                least=exact_text(least),
                most=exact_text(most),
                from_gb=number(wanted[row]),
                to_gb=number(vms.mail_owners[row] * most / 1000.0),
            ),
            say("Look what Domino takes on a server of this customer, or give it more memory."),
            FIELD,
        )


@rule("measured-on", when=some_generic)
def measured_on(context: Context) -> Iterator[Finding]:
    """Loads of which nobody said where they were measured."""
    own, vms = context.inputs.own, context.inputs.arrays.vms
    assert own is not None  # there are such loads
    unsaid = context.inputs.laws.generic & vms.running & np.isnan(own.slowness)
    unsaid &= vms.own_cpu_mhz > 0
    if some(unsaid):
        yield advice(
            "measured-on",
            None,
            say(
                "{called}: where their load was measured isn’t said. Plain MHz of a physical "
                "server are assumed, so the interval is wide.",
                called=context.called(unsaid),
            ),
            say("Enter the server and the hypervisor on which it was measured."),
            "Headroom, docs/model.md: “Measured loads”",
        )


@rule("io-costs-cpu", when=some_generic)
def io_costs_cpu(context: Context) -> Iterator[Finding]:
    """Kernel CPU that I/O costs under ESX over a physical server, by the VM with most of it."""
    own, vms = context.inputs.own, context.inputs.arrays.vms
    assert own is not None  # there are such loads
    most = np.where(context.inputs.laws.generic & vms.running, np.nan_to_num(own.by_io[2]), 0.0)
    if not some(most > 0):
        return
    row = int(most.argmax())
    vm, (value, low, high) = context.scenario.vms[row], own.by_io[:, row].tolist()
    yield advice(
        "io-costs-cpu",
        vm,
        say(
            "{vm}: {iops} I/Os a second cost {value} cores under ESX ({low} to {high}) on top of "
            "what was measured on a physical server.",
            vm=vm.name,
            iops=number(vms.own_iops[row]),
            value=number(value, 2),
            low=number(low, 2),
            high=number(high, 2),
        ),
        say("Measure it under ESX, and say so at the VM."),
        "IBM technote 1252786; vSphere 4 paper, tables 5 and 6",
    )
