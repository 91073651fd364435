"""The kinds of workload: all that tells one from another, one record a kind.

A new kind that loads its host as one of the `Law`s does is a member of `WorkloadKind` and a record
of `WORKLOADS`; the scenario file, the window, the documents and the physics read them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from models.base.texts import say


class WorkloadKind(StrEnum):
    """What a VM runs; the words of the scenario file."""

    DOMINO_NRPC = "domino-nrpc"
    DOMINO_INOTES = "domino-inotes"
    SAMETIME_COMMUNITY = "sametime-community"
    SAMETIME_MUX = "sametime-mux"
    DOMINO_TRAVELER = "domino-traveler"
    DOMINO_OTHER = "domino-other"
    SAMETIME_OTHER = "sametime-other"
    GENERIC = "generic"

    @property
    def is_domino(self) -> bool:
        """Whether its load comes from users of mail."""
        return WORKLOADS[self].law in (Law.NRPC, Law.INOTES)

    @property
    def is_chat(self) -> bool:
        """Whether its users are users of chat, who are other people's connections than mail's."""
        return WORKLOADS[self].law in (Law.COMMUNITY, Law.MUX)

    @property
    def has_users(self) -> bool:
        """Whether its load comes from users, not from figures of its own."""
        return WORKLOADS[self].law is not Law.GIVEN

    @property
    def people(self) -> str:
        """The field of a workload that says how many it serves; empty: nobody by number."""
        return next((name for name in SERVING if name in WORKLOADS[self].fields), "")


class Law(StrEnum):
    """What a workload's demands are worked out by."""

    NRPC = "nrpc"
    INOTES = "inotes"
    COMMUNITY = "community"
    MUX = "mux"
    GIVEN = "given"
    """Its own figures, measured by whoever brings it."""


SERVED = frozenset({"release", "active_users"})
INDEXES = frozenset({"buffer_pool_mb", "daos_saving_pct", "view_index_pct", "full_text_pct"})
MAIL = SERVED | INDEXES | {"mail_file_mb", "registered_users", "profile"}
FIGURES = frozenset(
    {"cpu_mhz", "iops", "memory_gib", "disk_gib", "network_mbps", "measured_on"}
    | {"cpu_spread", "iops_spread"}
)
SYNCED = frozenset({"traveler_users", "documents_per_user", "devices_per_user", "traveler_pool"})
SERVING = ("active_users", "traveler_users")
"""Fields of a workload: with users, with mail files, with figures of its own, with devices that are
kept in step; and those that say how many it serves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindOfWork:
    """One kind of workload.

    Attributes:
        name, short: in documents and the inspector; on a card of the board and in its legend.
        detail: a line for whoever chooses it from the catalog.
        described: the sentence of the JSON Schema.
        icon, colour: names, of a file of resources/icons and of a colour of the window's themes.
        fields: those of a workload that apply; `required`: those a file can't leave out.
        vm_name: what a new VM is called, before its number.
        release, users, mail_file_mb: what a new VM begins with.
    """

    law: Law
    name: str
    short: str
    detail: str
    described: str
    icon: str
    colour: str
    fields: frozenset[str]
    required: tuple[str, ...] = ()
    vm_name: str
    release: str = ""
    users: float = 0.0
    mail_file_mb: float = 0.0


WORKLOADS: Mapping[WorkloadKind, KindOfWork] = {
    WorkloadKind.DOMINO_NRPC: KindOfWork(
        law=Law.NRPC,
        name=say("Domino mail (NRPC)"),
        short=say("NRPC mail"),
        detail=say("Notes clients, by active users and mail file size"),
        described="Mail by Notes clients.",
        icon="mail",
        colour="nrpc",
        fields=MAIL,
        required=("release", "active_users", "mail_file_mb"),
        vm_name="Mail",
        release="14.0",
        users=1000.0,
        mail_file_mb=150.0,
    ),
    WorkloadKind.DOMINO_INOTES: KindOfWork(
        law=Law.INOTES,
        name="Domino iNotes (HTTP)",
        short="iNotes",
        detail=say("Browser mail over HTTP, by active users"),
        described="Mail by browser.",
        icon="globe",
        colour="inotes",
        fields=MAIL,
        required=("release", "active_users", "mail_file_mb"),
        vm_name="iNotes",
        release="14.0",
        users=1000.0,
        mail_file_mb=150.0,
    ),
    WorkloadKind.SAMETIME_COMMUNITY: KindOfWork(
        law=Law.COMMUNITY,
        name=say("Sametime community server"),
        short="Sametime",
        detail=say("Chat and awareness, by users online"),
        described="A Sametime community server.",
        icon="message-square",
        colour="sametime",
        fields=SERVED,
        vm_name="Chat",
        release="7.5.1",
        users=1000.0,
    ),
    WorkloadKind.SAMETIME_MUX: KindOfWork(
        law=Law.MUX,
        name=say("Sametime multiplexer"),
        short=say("Multiplexer"),
        detail=say("Connections in front of community servers"),
        described="A Sametime multiplexer.",
        icon="network",
        colour="mux",
        fields=SERVED,
        vm_name="Mux",
        release="7.5.1",
        users=1000.0,
    ),
    WorkloadKind.DOMINO_TRAVELER: KindOfWork(
        law=Law.GIVEN,
        name="HCL Traveler",
        short="Traveler",
        detail=say("Mail on phones and tablets, by users, documents and devices"),
        described="HCL Traveler: space by users, documents and devices, devices a server by its "
        "maker; of CPU and I/O its own measured figures, as none were published.",
        icon="smartphone",
        colour="generic",
        fields=FIGURES | SYNCED | {"release"},
        vm_name="Traveler",
        release="14.0",
    ),
    WorkloadKind.DOMINO_OTHER: KindOfWork(
        law=Law.GIVEN,
        name=say("Domino, as measured"),
        short="Domino",
        detail=say("Hub, applications or gateway, by measured CPU, IOPS and memory"),
        described="A Domino server by its own measured figures: a hub, applications, a gateway, or "
        "mail of which nobody said the users.",
        icon="database",
        colour="generic",
        fields=FIGURES | {"release"},
        vm_name="Domino",
    ),
    WorkloadKind.SAMETIME_OTHER: KindOfWork(
        law=Law.GIVEN,
        name=say("Sametime, as measured"),
        short=say("Sametime, measured"),
        detail=say("Meetings, proxy or chat, by measured CPU, IOPS and memory"),
        described="A Sametime server by its own measured figures: meetings, a proxy, or chat of "
        "which nobody said the users.",
        icon="message-square",
        colour="generic",
        fields=FIGURES | {"release"},
        vm_name="Sametime",
    ),
    WorkloadKind.GENERIC: KindOfWork(
        law=Law.GIVEN,
        name=say("Other server"),
        short=say("Other"),
        detail=say("Any other VM, by its measured CPU, IOPS and memory"),
        described="Anything else, by its own measured figures.",
        icon="box",
        colour="generic",
        fields=FIGURES,
        vm_name="VM",
    ),
}
