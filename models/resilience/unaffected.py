"""What a failure leaves alone: its numbers are of the clusters that lose hosts."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from models.prediction import Prediction
from models.quantities import Quantity
from models.scenario import Scenario
from models.texts import say
from models.wording import ENGLISH, Style, value_text


class Unaffected:
    """The VMs that run, slowest first, to find those that a failure leaves alone."""

    def __init__(self, scenario: Scenario, prediction: Prediction) -> None:
        self._vms = prediction.vms
        self._cluster_of = {host.id: host.cluster for host in scenario.hosts}
        values = prediction.vms.response_ms.value
        self._slowest = [
            (float(values[row]), row, scenario.vms[row])
            for row in np.argsort(-values).tolist()
            if scenario.vms[row].powered_on and not np.isnan(values[row])
        ]

    def text(self, gone: Collection[str], response: Quantity, style: Style = ENGLISH) -> str:
        """``elsewhere 180 ms as before (Mail-01)``: the slowest VM that the failure leaves alone.

        Empty where none is slower than the mode's own `response`: only then could losing a host
        look like a gain.

        Args:
            gone: ids of the hosts that are gone.
        """
        clusters = {self._cluster_of.get(host) for host in gone} - {None}
        for value, row, vm in self._slowest:
            if value <= (response.value or 0.0):
                return ""
            if vm.host is None or vm.host in gone or self._cluster_of[vm.host] in clusters:
                continue
            shown = value_text(self._vms.response_ms[row], "ms", style=style)
            return say("elsewhere {value} as before ({vm})", value=shown, vm=vm.name)
        return ""
