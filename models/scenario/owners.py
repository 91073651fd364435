"""Owners of mail files: users registered with a server, of whom some are at work."""

from __future__ import annotations

from models.base.texts import say
from models.formulas.traced import Figure
from models.scenario.scenario import Workload

ACTIVE_OF_REGISTERED = Figure(
    0.35,
    say("active of registered"),
    why=say("nobody gave registered users: 0.23 to 0.50 of them are at work (docs/model.md)"),
)
LEAST_ACTIVE, MOST_ACTIVE = 0.23, 0.50
"""Users at work of those who are registered, with ends: 40 and 35 % (zSeries article), about a
third and 50 % (R5 guide for AIX, p. 53, p. 13), 23 % of Notes clients alone (field-a, field-b)."""


def mail_owners(work: Workload, *, production: bool) -> float:
    """Users with a mail file on a server, as `VmArrays.mail_owners` has it.

    >>> from models.scenario.workloads import WorkloadKind
    >>> work = Workload(kind=WorkloadKind.DOMINO_NRPC, active_users=700.0)
    >>> mail_owners(work, production=False), round(mail_owners(work, production=True))
    (700.0, 2000)
    """
    owners = work.registered_users
    if owners is None:
        assumed = production and work.kind.is_domino
        owners = work.active_users / (ACTIVE_OF_REGISTERED if assumed else 1.0)
    return max(owners, work.active_users)
