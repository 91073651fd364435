"""Rules about production servers, which do more than benchmarks, and about measured loads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.judgement.rulebook import (
    OWN,
    Context,
    Found,
    advice,
    in_production,
    number,
    rule,
    some_generic,
)
from models.physics.columns import some
from models.profiles import (
    LEAST_BENCHMARK_USERS,
    MOST_BENCHMARK_USERS,
    USUAL_BENCHMARK_USERS,
)
from models.texts import say
from models.wording import exact_text

PAGE = f"{OWN}, “Production”"


@rule("production-sum", say("Sum of a production load"), when=in_production)
def production_sum(context: Context) -> Iterator[Found]:
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
        vm,
        say(
            "{vm}: with its other work an active user comes to {ratio} benchmark users of CPU. The "
            "known ratio is {usual} ({least} to {most}), of servers without browsers and full "
            "text: it checks the sum and is no factor of it",
            vm=vm.name,
            ratio=number(float(ratio[row]), 1),
            usual=exact_text(USUAL_BENCHMARK_USERS),
            least=exact_text(LEAST_BENCHMARK_USERS),
            most=exact_text(MOST_BENCHMARK_USERS),
        ),
        say("Measure one server of this customer: users, CPU and I/Os of a working hour."),
        PAGE,
    )


@rule("io-costs-cpu", say("I/O costs CPU under ESX"), when=some_generic)
def io_costs_cpu(context: Context) -> Iterator[Found]:
    """Kernel CPU that I/O costs under ESX over a physical server, by the VM with most of it."""
    own, vms = context.inputs.own, context.inputs.arrays.vms
    assert own is not None  # there are such loads
    most = np.where(context.inputs.laws.generic & vms.running, np.nan_to_num(own.by_io[2]), 0.0)
    if not some(most > 0):
        return
    row = int(most.argmax())
    vm, (value, low, high) = context.scenario.vms[row], own.by_io[:, row].tolist()
    yield advice(
        vm,
        say(
            "{vm}: {iops} I/Os a second cost {value} cores under ESX ({low} to {high}) on top of "
            "what was measured on a physical server",
            vm=vm.name,
            iops=number(vms.own_iops[row]),
            value=number(value, 2),
            low=number(low, 2),
            high=number(high, 2),
        ),
        say("Measure it under ESX, and say so at the VM."),
        "IBM technote 1252786; vSphere 4 paper, tables 5 and 6",
    )
