"""What a failure leaves alone: its numbers are of the clusters that lose hosts."""

from __future__ import annotations

from collections.abc import Collection

from models.prediction import Prediction
from models.quantities import Quantity
from models.scenario import Scenario
from models.texts import say
from models.wording import ENGLISH, Style, value_text


def elsewhere_text(
    scenario: Scenario,
    prediction: Prediction,
    gone: Collection[str],
    response: Quantity,
    style: Style = ENGLISH,
) -> str:
    """``elsewhere 180 ms as before (Mail-01)``: the slowest VM that the failure leaves alone.

    Empty where none is slower than the mode's own `response`: only then could losing a host look
    like a gain.

    Args:
        gone: ids of the hosts that are gone.
    """
    clusters = {host.cluster for host in scenario.hosts if host.id in gone and host.cluster}
    touched = {host.id for host in scenario.hosts if host.id in gone or host.cluster in clusters}
    vms = prediction.vms
    found = [
        (quantity.value, vm.name, quantity)
        for vm in scenario.vms
        if vm.powered_on and vm.host is not None and vm.host not in touched and vm.id in vms
        if (quantity := vms.quantity(vm.id, "response_ms")).value is not None
    ]
    slowest, name, quantity = max(found, key=lambda each: each[0], default=(0.0, "", response))
    if not name or slowest <= (response.value or 0.0):
        return ""
    value = value_text(quantity, "ms", style=style)
    return say("elsewhere {value} as before ({vm})", value=value, vm=name)
