"""Transactions a minute, as predicted and as the consoles of the servers counted them."""

from __future__ import annotations

from collections.abc import Iterable

from models.base.texts import say
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario
from models.scenario.transactions import TRANSACTIONS
from models.scenario.wording import NO_DATA_TEXT, input_text, with_ends
from models.tell.blocks import Column, Table

NOTE = say(
    "Predicted: what so many users made on published mail servers, with the 90 % range; counted: "
    "what the console of the server said (Server.Trans.PerMinute) after going live."
)


def transactions_table(
    scenario: Scenario, prediction: Prediction, ids: Iterable[str]
) -> Table | None:
    """Of these VMs, those of whose kind any were published; None where there is none of them.

    Of what nobody counted there is no data.
    """
    rows = []
    for vm in map(scenario.vm, ids):
        found = prediction.vms.quantity(vm.id, TRANSACTIONS)
        counted = None if vm.observed is None else vm.observed.transactions_per_min
        if found.value is not None:
            told = NO_DATA_TEXT if counted is None else input_text(counted)
            rows.append((vm.name, with_ends(found, ""), told))
    columns = (
        Column("VM", wide=True),
        Column(say("Transactions a minute, predicted"), numeric=True),
        Column(say("Counted"), numeric=True),
    )
    return Table(columns, tuple(rows), NOTE) if rows else None
