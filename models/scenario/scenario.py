"""A scenario: what stands where, as frozen values; every edit returns a new value.

The types are structural: they refuse nothing but edits that name something that isn't there
(`ModelError`). Whether a whole scenario makes sense is `check_scenario`'s business. What there is
to say of a field (its name, unit, bounds, meaning) stands beside it: `base.fields` tells how.

Items and the scenario carry `origins`, who gave which of their values, and `pins`, the values that
no automatic change may touch; both by the path of the field. `scenario.inputs` reads and writes
them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from models.base.errors import ModelError, kind_words
from models.base.fields import Field, Grows, Word, described, needed, of_fields, optional
from models.base.lettering import is_seen
from models.base.limits import LEAST
from models.base.texts import Parts, Text, parts_of, say, text_of
from models.formulas.traced import labelled, times
from models.scenario.origin import Origins
from models.scenario.transactions import PER_MINUTE
from models.scenario.workloads import WORKLOADS, Law, WorkloadKind

NO_HYPERVISOR = "none"
"""Catalog id of the hypervisor of a physical server."""


class DiskMode(Word):
    """How a VM reaches its disks."""

    VMFS = "vmfs", "VMFS"
    RDM = "rdm", "RDM"
    NFS = "nfs", "NFS"
    VSAN = "vsan", "vSAN"
    LOCAL = "local", say("local disk")
    PHYSICAL = "physical", say("physical")


class AdmissionPolicy(Word):
    """How vSphere HA reserves capacity for failures."""

    NONE = "none", say("none")
    HOST_FAILURES = "host-failures", say("host failures tolerated")
    PERCENTAGE = "percentage", say("percentage reserved")
    DEDICATED = "dedicated-host", say("dedicated failover host")


class Loss(Word):
    """What may be lost that a verdict is to survive."""

    HOST = "host", say("a host")
    CONTROLLER = "controller", say("a controller of a pool")
    PARTNER = "partner", say("a Domino cluster partner")
    GROUP = "group", say("a group of hosts")


BY_CLUSTER = (Loss.CONTROLLER, Loss.PARTNER)
"""What verdicts survive unless somebody says otherwise; besides hosts, where admission control
reserves for their failure."""


class RestartPriority(Word):
    """HA restart priority of a VM."""

    HIGH = "high", say("high")
    MEDIUM = "medium", say("medium")
    LOW = "low", say("low")
    DISABLED = "disabled", say("disabled")


class LoadBasis(Word):
    """Whose load a user's is."""

    BENCHMARK = "benchmark", say("benchmark")
    PRODUCTION = "production", say("production")


class Posture(Word):
    """Which end of each number is judged."""

    CONSERVATIVE = "conservative", say("conservative")
    STANDARD = "standard", say("standard")
    AGGRESSIVE = "aggressive", say("aggressive")

    @property
    def share(self) -> float:
        """Of the way from the value to the high end, in the logarithm (`quantities.judged_end`):
        quantiles of the normal law at 80 and at 95 %."""
        return {Posture.CONSERVATIVE: 1.0, Posture.STANDARD: 0.8416 / 1.6449}.get(self, 0.0)


class Profile(Word):
    """What a server does besides serving its users' clients (`models.evidence.profiles`)."""

    BROWSER = "mail-browser", say("mail, browser, full text, cluster")
    MAIL = "mail-only", say("mail only")
    MAKER = "maker-size", say("as its maker sizes it")


_number = partial(described, ge=0, le=1e9)
_IMPORTED_FROM = Field(
    say("imported from"),
    is_input=False,
    meaning="Files and cells that imported values come from; empty: nothing was imported.",
    text="lines",
)
_limit_pct = partial(described, ge=LEAST, le=100, step=5)
_share_pct = partial(described, ge=0, le=100, step=5)
_factor = partial(described, unit="×", ge=1, le=1000, step=0.1)
_disk_gib = partial(optional, ge=0, le=1e9)
_mhz = partial(optional, ge=0, le=1e9, step=100)
_gbps = partial(optional, ge=LEAST, le=10_000)
_spread = partial(optional, unit="×", ge=1, le=100, step=0.5, empty=say("as measured"))
_count = partial(described, ge=0, le=1000)
_drives = partial(described, unit=say("drives"), le=100_000)
_seconds = partial(described, ge=0, le=1e6, step=10)
MOST_YEARS = 30.0
_per_year = partial(described, unit=say("% a year"), ge=-90, le=1000)
_of_a_day = partial(described, ge=0, le=86_400, step=10)
"""Seconds of a storm, which is worked out in steps of half a minute at most.

Bounds are far beyond any machine; they keep a slip of the keyboard from overflowing the arithmetic.
"""

_ID = Field(say("id"), meaning="Unique in the scenario.", text="name", is_input=False)
_NAME = Field(
    say("name"), meaning="What people call it; by default its id.", text="name", is_input=False
)
_site_factor = partial(optional, unit="×", ge=0.01, le=100, step=0.05, empty=say("not measured"))
_site_width = partial(described, unit="ln", ge=0, le=7, step=0.05)


@of_fields
class Site:
    """What measured servers of this customer make of the model's demands of Domino servers
    (`models.customer.site`): measured over predicted, with the half width of another server's 90 %
    interval and that of the model which it stands for, both as natural logarithms."""

    is_used: bool = described(
        True,
        say("what was measured here is used"),
        meaning="Whether predictions are shifted by it.",
        short=say("Is used"),
    )
    load_basis: LoadBasis = described(
        LoadBasis.BENCHMARK,
        say("basis of the load when calibrated"),
        meaning="policy.load_basis of the predictions that were compared: under another one "
        "the factors are not used.",
        short=say("Basis"),
    )
    benchmark_derating: float = _factor(
        1.0,
        say("derating when calibrated"),
        meaning="policy.benchmark_derating of the same, in the benchmark basis.",
        short=say("Derating"),
    )
    cpu_factor: float | None = _site_factor(
        say("CPU here over the model’s"),
        meaning="CPU of Domino servers here over the model’s; null: not measured.",
        short="CPU",
    )
    cpu_half_width: float = _site_width(
        0.0,
        say("half width of CPU here"),
        meaning="Of the 90 % interval of one more server, in ln.",
        short=say("CPU, half width"),
    )
    cpu_half_width_model: float = _site_width(
        0.0,
        say("half width of the model’s CPU"),
        meaning="Of the predictions that were compared, in ln: what a server’s own is wider "
        "than that stays on top.",
        short=say("CPU, of the model"),
    )
    iops_factor: float | None = _site_factor(
        say("I/O here over the model’s"),
        meaning="I/Os of Domino servers here over the model’s; null: not measured.",
        short=say("I/O"),
    )
    iops_half_width: float = _site_width(
        0.0, say("half width of I/O here"), meaning="As that of CPU.", short=say("I/O, half width")
    )
    iops_half_width_model: float = _site_width(
        0.0,
        say("half width of the model’s I/O"),
        meaning="As that of CPU.",
        short=say("I/O, of the model"),
    )
    ram_factor: float | None = _site_factor(
        say("RAM in use here over what is given"),
        meaning="RAM that Domino servers use here over what they are given, for whether hosts "
        "swap; null: not measured, and all of it.",
        short="RAM",
    )
    ram_half_width: float = _site_width(
        0.0, say("half width of RAM here"), meaning="As that of CPU.", short=say("RAM, half width")
    )
    servers: int = _count(
        0, say("servers measured"), meaning="Servers that were compared.", short=say("Servers")
    )
    coverage_pct: float = _share_pct(
        0.0,
        say("share of the load measured"),
        meaning="CPU of these servers over that of all Domino servers, as predicted [%].",
        short=say("Of the load"),
    )

    @property
    def is_of_others(self) -> bool:
        """Whether none of the load measured is this customer's (`models.against.registry`)."""
        return self.coverage_pct == 0.0


def users_per_user(today: float, load_factor: float) -> float:
    """Benchmark users of an active user whose work grew by a factor [1]."""
    return labelled("benchmark users per user", times(today, load_factor))


class Derating(NamedTuple):
    """How users are counted: benchmark users of an active user of mail, and of one of chat, and
    whether the other work of servers (`evidence.profiles`) is added; and what measured servers of
    the customer make of it, None for nothing. Of many variants at once mail and chat are arrays, a
    number a VM."""

    mail: Any
    chat: Any
    production: bool = False
    site: Site | None = None

    @property
    def exact(self) -> bool:
        """Whether a user of mail is a benchmark user, so that a run can count as measured."""
        plain = not self.production and self.site is None
        return plain and bool(np.all(self.mail == 1.0))


@of_fields
class Policy:
    """Limits and factors by which verdicts are made."""

    cpu_limit_pct: float = _limit_pct(
        70.0, say("CPU limit"), meaning="Average CPU limit of hosts and VMs [%].", short="CPU"
    )
    """WV21 and AS/400 practice: 70 %."""
    response_limit_ms: float = described(
        1000.0,
        say("response limit"),
        meaning="Acceptable mean response time [ms].",
        short=say("Response"),
        ge=LEAST,
        le=1e6,
        step=50,
    )
    """WV21: < 1 s."""
    load_basis: LoadBasis = described(
        LoadBasis.BENCHMARK,
        say("basis of the load"),
        meaning="benchmark: active users × benchmark_derating × benchmark user. production: "
        "active users × benchmark user, derating aside, plus the server's other work "
        "(workload.profile) per registered user and per server.",
        short=say("Basis"),
        hint=say(
            "Production adds what servers do besides: browsers, indexes, full text, "
            "replication, agents; a benchmark has none of it"
        ),
    )
    posture: Posture = described(
        Posture.CONSERVATIVE,
        say("posture"),
        meaning="Which end of each number is judged. conservative: the high end of its 90 % "
        "interval; standard: the 80th percentile, value·(high/value)^0.512; aggressive: the "
        "value.",
        hint=say("Which end of each number is judged: high end, 80th percentile, or value"),
    )
    benchmark_derating: float = _factor(
        2.0,
        say("derating: benchmark users per user"),
        meaning="Multiplies the load of each active user: 2 is the documents' “divide by 2”, "
        "1 reproduces a benchmark.",
        short=say("Derating"),
        deed=say("benchmark derating"),
        hint=say("Load of one of your users in benchmark users; the documents say 2"),
    )
    benchmark_derating_chat: float | None = _factor(
        None,
        say("derating of chat: benchmark users per chat user"),
        meaning="The same for users of Sametime; null: as benchmark_derating.",
        short=say("Derating of chat"),
        deed=say("benchmark derating of chat"),
        empty=say("as for mail"),
        hint=say("Load of one of your chat users in benchmark users"),
    )
    peak_factor_cpu: float = _factor(
        1.0,
        say("CPU peak over average"),
        meaning="Peak over average CPU load.",
        short=say("CPU peak"),
        hint=say("Peak over average"),
    )
    peak_factor_iops: float = _factor(
        1.0,
        say("IOPS peak over average"),
        meaning="Peak over average disk load.",
        short=say("IOPS peak"),
        hint=say("Peak over average"),
    )
    vcpus_per_core_limit: float = described(
        4.0,
        say("limit of vCPUs per core"),
        meaning="Tolerated vCPUs per physical core.",
        short=say("vCPUs per core"),
        ge=LEAST,
        le=1000,
        step=0.5,
    )
    memory_overcommit: float = described(
        1.0,
        say("memory overcommit"),
        unit="×",
        meaning="Tolerated configured memory over physical memory; 1 is none.",
        short=say("RAM overcommit"),
        hint=say("Configured over physical memory that is tolerated; 1 is none"),
        ge=LEAST,
        le=100,
        step=0.1,
    )
    disk_limit_pct: float = _limit_pct(
        70.0,
        say("disk utilisation limit"),
        meaning="Utilisation limit of a pool's disks [%].",
        short=say("Disks"),
    )
    network_limit_pct: float = _limit_pct(
        40.0,
        say("network limit"),
        meaning="Utilisation limit of a host's network [%].",
        short=say("Network"),
    )
    capacity_limit_pct: float = _limit_pct(
        90.0,
        say("disk space limit"),
        meaning="How full a pool may be at the planning horizon [%].",
        short=say("Disk space"),
    )
    mail_growth_pct: float = described(
        0.0,
        say("mail growth"),
        meaning="Growth of mail files in all that today’s space is judged with [%], of files "
        "that know no growth by year (growth.mail_pct).",
        hint=say("Growth of mail files until the planning horizon"),
        ge=0,
        le=10_000,
        step=5,
        slide=(1.0, 100.0),
    )
    load_factor: float = described(
        1.0,
        say("load of a user over today’s"),
        unit="×",
        meaning="Multiplies the work of each active user, and other work per registered user "
        "in production: a season, or years in which people do more.",
        short=say("Load per user"),
        deed=say("load per user"),
        hint=say("Work of a user over today’s: a season, or years in which people do more"),
        ge=0.01,
        le=1000,
        step=0.05,
    )
    survive: tuple[Loss, ...] = described(
        BY_CLUSTER,
        say("losses that the verdict survives"),
        meaning="Losses that decide the verdict; others are shown beside it. The default, "
        "controller and partner, takes hosts in where a cluster's admission control reserves "
        "for one; any other list holds as it is.",
        short=say("Survives"),
        empty=say("nothing"),
        hint=say(
            "Losses that decide the verdict; with a controller and a partner alone also "
            "hosts, where admission control reserves for one"
        ),
    )

    site: Site | None = optional(
        say("calibration to the site"),
        meaning="What measured servers of this customer make of the model’s demands, by "
        "calibrate --site; null: nothing.",
    )

    def survives_hosts(self, admission: "Admission") -> bool:
        """Whether the loss of a host decides, in a cluster of this admission control."""
        by_cluster = set(self.survive) == set(BY_CLUSTER) and admission.reserves
        return by_cluster or Loss.HOST in self.survive

    @property
    def derating(self) -> Derating:
        """Of mail and of chat, which is counted like mail unless it is said; in production that of
        mail is not used. `load_factor` multiplies either."""
        mail, chat = self.benchmark_derating, self.benchmark_derating_chat
        chat = mail if chat is None else chat
        production = self.load_basis is LoadBasis.PRODUCTION
        return Derating(
            users_per_user(1.0 if production else mail, self.load_factor),
            users_per_user(chat, self.load_factor),
            production,
            self.site if self.uses_site else None,
        )

    @property
    def uses_site(self) -> bool:
        """Whether predictions are shifted by what was measured here: not under another basis of
        the load than the one that was compared with."""
        site = self.site
        if site is None or not site.is_used or site.load_basis is not self.load_basis:
            return False
        production = self.load_basis is LoadBasis.PRODUCTION
        return production or site.benchmark_derating == self.benchmark_derating


PRODUCTION = Policy(load_basis=LoadBasis.PRODUCTION, posture=Posture.STANDARD)
"""What new scenarios begin with; files say nothing of either where they mean the benchmark's."""


@of_fields
class Growth:
    """What is planned for the years ahead, per year and compound (`scenario.growth`). The
    scenario's numbers are today's."""

    years: float = described(
        0.0,
        say("planned years"),
        unit=say("years"),
        meaning="Years ahead for which it is to last.",
        short=say("Years"),
        hint=say("Years ahead for which the design is to last"),
        ge=0,
        le=MOST_YEARS,
    )
    users_pct: float = _per_year(
        0.0,
        say("growth of users"),
        meaning="More active and registered users per year [%], compound.",
        short=say("Users"),
        hint=say("More active and registered users each year"),
    )
    mail_pct: float = _per_year(
        0.0,
        say("growth of mail files"),
        meaning="Larger mail files, and own disk figures, per year [%], compound.",
        short=say("Mail files"),
        hint=say("Larger mail files each year"),
    )
    load_pct: float = _per_year(
        0.0,
        say("growth of load per user"),
        meaning="More work of each user, and of machines with figures of their own, per year "
        "[%], compound.",
        short=say("Load per user"),
        hint=say("More work of each user each year"),
    )
    season_pct: float | None = optional(
        say("seasonal peak"),
        meaning="More work of each user in the busiest season of a year than on the days that "
        "the scenario describes [%], such as 10 from August to September (Domino 7 study); "
        "null: not known.",
        short=say("Season"),
        hint=say("More work in the busiest season, such as 10 % from August to September"),
        empty=say("not known"),
        ge=0,
        le=1000,
        step=5,
    )


def _task_cpu(task: str, label: str, short: str) -> Any:
    meaning = f"CPU that {task} takes on each Domino server [MHz of its host]; null: not known."
    return _of_task(label, meaning=meaning, short=short, le=1e6, step=100)


def _task_io(task: str, label: str, short: str) -> Any:
    meaning = f"I/O of {task} on each Domino server [IOPS]; null: not known."
    return _of_task(label, meaning=meaning, short=short, unit="IOPS", le=1e7, step=10)


_of_task = partial(described, None, empty=say("not known"), ge=0)


@of_fields
class Maintenance:
    """What runs on every Domino server in the maintenance window (`scenario.maintenance`), as it
    was measured on a server like these; all of it is taken to run at once."""

    users_pct: float | None = optional(
        say("work of users in the window"),
        meaning="Work of users in the maintenance window, of what they do by day [%]; null: "
        "not known, and taken to be all of it.",
        short=say("Users"),
        hint=say("Work of users in the window, of that by day"),
        empty=say("not known"),
        ge=0,
        le=100,
        step=5,
    )
    compact_mhz: float | None = _task_cpu("Compact", say("CPU of Compact"), say("Compact, CPU"))
    compact_iops: float | None = _task_io("Compact", say("I/O of Compact"), say("Compact, I/O"))
    updall_mhz: float | None = _task_cpu("Updall", say("CPU of Updall"), say("Updall, CPU"))
    updall_iops: float | None = _task_io("Updall", say("I/O of Updall"), say("Updall, I/O"))
    backup_mhz: float | None = _task_cpu("the backup", say("CPU of the backup"), say("Backup, CPU"))
    backup_iops: float | None = _task_io("the backup", say("I/O of the backup"), say("Backup, I/O"))
    scan_mhz: float | None = _task_cpu(
        "the virus scan", say("CPU of the virus scan"), say("Virus scan, CPU")
    )
    scan_iops: float | None = _task_io(
        "the virus scan", say("I/O of the virus scan"), say("Virus scan, I/O")
    )


@of_fields
class Admission:
    """How vSphere HA reserves capacity for failures."""

    policy: AdmissionPolicy = described(
        AdmissionPolicy.NONE,
        say("admission control"),
        meaning="Admission control policy.",
        short=say("Policy"),
        is_needed=True,
    )
    host_failures: int = _count(
        1,
        say("host failures tolerated"),
        meaning="Host failures to tolerate (host-failures, percentage).",
        short=say("Host failures"),
    )
    cpu_pct: float = _share_pct(
        25.0,
        say("CPU reserved for failures"),
        meaning="CPU kept free (percentage) [%].",
        short=say("CPU reserved"),
    )
    ram_pct: float = _share_pct(
        25.0,
        say("RAM reserved for failures"),
        meaning="Memory kept free (percentage) [%].",
        short=say("RAM reserved"),
    )
    failover_host: str | None = optional(
        say("failover host"),
        meaning="Id of the host that stands by (dedicated-host).",
        empty=say("not chosen"),
        ids="hosts",
    )
    more_failover_hosts: tuple[str, ...] = described(
        (),
        say("further failover hosts"),
        meaning="Ids of further hosts that stand by (from 5.0 on).",
        short=say("More of them"),
        empty=say("none"),
        hint=say("Hosts that stand by beside the failover host, from vSphere 5.0 on"),
        ids="hosts",
    )
    slot_cpu_cap_mhz: float | None = optional(
        say("largest CPU of a slot"),
        meaning="das.slotCpuInMHz [MHz]; null: no cap.",
        short=say("CPU at most"),
        empty=say("no cap"),
        hint=say("das.slotCpuInMHz: upper bound of a CPU slot"),
        ge=LEAST,
        le=1e9,
        step=100,
    )
    slot_ram_cap_mib: float | None = optional(
        say("largest RAM of a slot"),
        meaning="das.slotMemInMB [MiB]; null: no cap.",
        short=say("RAM at most"),
        empty=say("no cap"),
        hint=say("das.slotMemInMB: upper bound of a memory slot"),
        ge=LEAST,
        le=1e9,
        step=256,
    )
    vm_cpu_min_mhz: float | None = _number(
        None,
        say("CPU of a VM without reservation"),
        meaning="das.vmCpuMinMHz [MHz]; null: 256 on 4.x, 32 from 5.0 on.",
        short=say("CPU per VM"),
        empty=say("as the release"),
        hint=say("das.vmCpuMinMHz: what a VM without CPU reservation counts as"),
        step=32,
    )
    vm_ram_min_mib: float | None = _number(
        None,
        say("RAM of a VM without reservation"),
        meaning="das.vmMemoryMinMB [MiB]; null: 0.",
        short=say("RAM per VM"),
        empty=say("as the release"),
        hint=say("das.vmMemoryMinMB: what a VM without memory reservation counts as"),
        step=32,
    )

    @property
    def reserves(self) -> bool:
        """Whether capacity is kept for a host that fails."""
        if self.policy is AdmissionPolicy.HOST_FAILURES:
            return self.host_failures > 0
        if self.policy is AdmissionPolicy.PERCENTAGE:
            return max(self.cpu_pct, self.ram_pct) > 0
        return self.policy is AdmissionPolicy.DEDICATED

    @property
    def failover_hosts(self) -> tuple[str, ...]:
        """All hosts that stand by, in the order given."""
        first = () if self.failover_host is None else (self.failover_host,)
        return (*first, *self.more_failover_hosts)


@of_fields
class Assumptions:
    """Inputs that no document gives: assumed until somebody measures them."""

    ha_detection_s: float = _seconds(
        15.0,
        say("detection by HA"),
        meaning="Assumed: from a host's death to the order to restart [s].",
        short=say("HA detects"),
        hint=say("From a host’s death to the order to restart"),
    )
    guest_boot_s: float = _seconds(
        120.0,
        say("start of a guest"),
        meaning="Assumed: start of a guest's operating system [s].",
        short=say("Guest boots"),
        hint=say("Start of a guest’s operating system"),
    )
    domino_start_s: float = _seconds(
        60.0,
        say("start of Domino’s tasks"),
        meaning="Assumed: start of a server's tasks, checks apart [s].",
        short=say("Domino starts"),
        hint=say("Start of the tasks, checks left out"),
    )
    log_replay_s: float = _seconds(
        60.0,
        say("replay of transaction logs"),
        meaning="Assumed: replay of transaction logs [s].",
        short=say("Log replay"),
        hint=say("Replay of the transaction logs"),
    )
    consistency_check_s_per_gib: float = described(
        10.0,
        say("check of databases without logs"),
        unit="s/GiB",
        meaning="Assumed: check of databases without transaction logs [s per GiB of mail files].",
        short=say("Database check"),
        hint=say("Check of the databases where there are no transaction logs"),
        ge=0,
        le=1e6,
    )
    reconnect_s: float = _of_a_day(
        60.0,
        say("all log in again after a network cut within"),
        meaning="Assumed: within which all log in after a network cut [s].",
        short=say("Reconnect"),
        deed=say("time to log in again"),
        hint=say("Within which all log in after a network cut"),
    )
    login_actions: float = described(
        5.0,
        say("work of a login"),
        unit=say("actions"),
        meaning="Assumed: work of a login, in ordinary actions.",
        short=say("A login"),
        hint=say("Work of one login, in ordinary actions of a user"),
        ge=0,
        le=10_000,
    )
    holiday_login_s: float = _of_a_day(
        1800.0,
        say("all log in after a holiday within"),
        meaning="Assumed: within which all log in after a holiday [s].",
        short=say("First login"),
        deed=say("time to log in after a holiday"),
        hint=say("Within which all log in after a holiday"),
    )
    holiday_peak_factor: float = described(
        1.5,
        say("activity after a holiday over the usual one"),
        unit="×",
        meaning="Assumed: activity after a holiday over the usual one.",
        short=say("Holiday peak"),
        hint=say("Activity on the first day after a holiday over the usual one"),
        ge=1,
        le=100,
        step=0.1,
    )
    holiday_s: float = _of_a_day(
        7200.0,
        say("time users stay that active"),
        meaning="Assumed: how long they stay that active [s].",
        short=say("Peak lasts"),
        hint=say("How long users stay that active"),
    )
    array_controllers: int = described(
        2,
        say("controllers of an array"),
        meaning="Assumed: controllers that share an array's load.",
        short=say("Controllers"),
        hint=say("Controllers that share an array’s load"),
        ge=1,
        le=100,
    )


@of_fields
class Waiver:
    """Somebody takes responsibility for a finding; it stays listed with the reason."""

    rule: str = needed(say("rule"), meaning="Id of the rule.", text="name", is_input=False)
    reason: str = needed(
        say("reason"), meaning="Why it is accepted.", text="lines", is_needed=True, is_input=False
    )
    subject: str = described(
        "",
        say("subject"),
        meaning="Id of the item it speaks of; empty: the scenario.",
        is_input=False,
    )


@of_fields
class DataGrade:
    """How well an import knows the load of its VMs: who was measured, and for how long."""

    measured_vms_pct: float = described(
        0.0,
        say("VMs measured"),
        meaning="Running VMs of which files measure both CPU and I/O [%].",
        ge=0,
        le=100,
        is_input=False,
    )
    days: float | None = optional(
        say("days measured"),
        unit=say("days"),
        meaning="Days that half of them were measured for at least; null: no file says.",
        ge=0,
        le=100_000,
        is_input=False,
    )


@of_fields
class ImportNote:
    """What an import left out, assumed or doubted, in words that can be said in any language
    (`texts.Parts`)."""

    rule: str = needed(
        say("rule"), meaning="What it is about, for scripts.", text="name", is_input=False
    )
    text: str = needed(
        say("text"),
        meaning="What there is to say, with places for the values.",
        text="lines",
        is_input=False,
    )
    many: str = described(
        "",
        say("text for several"),
        meaning="The same of several; empty: nothing is counted.",
        text="lines",
        is_input=False,
    )
    count: int | None = described(
        None,
        say("count"),
        meaning="How many; null: nothing is counted.",
        ge=0,
        le=1_000_000_000,
        is_input=False,
    )
    values: tuple[str, ...] = described(
        (),
        say("values"),
        meaning="Values with their places, as place=value.",
        is_input=False,
    )

    @classmethod
    def of(cls, rule: str, text: str) -> "ImportNote":
        """A note as it is kept."""
        found = parts_of(text)
        kept = tuple(f"{name}={value}" for name, value in found.values.items())
        return cls(rule=rule, text=found.words, many=found.many, count=found.count, values=kept)

    @property
    def words(self) -> Text:
        """The note as people read it."""
        values = dict(each.partition("=")[::2] for each in self.values)
        return text_of(Parts(self.text, self.many, self.count, values))


_SITE = partial(
    optional,
    say("site"),
    short=say("Site"),
    empty=say("not said"),
    hint=say("Data centre where it stands"),
    text="name",
)


@of_fields
class DataCenter:
    """A site: what stands in one place, and is reached from there."""

    id: str = needed(say("id"), meaning="Unique among the sites.", text="name", is_input=False)
    name: str = needed(_NAME)


@of_fields
class Cluster:
    """A vSphere HA cluster: hosts name it, failures stay inside it."""

    id: str = needed(_ID)
    name: str = needed(_NAME)
    admission: Admission = described(
        Admission(), say("admission control"), meaning="HA admission control; by default none."
    )
    replicas_per_user: int = described(
        2,
        say("copies of each mail file"),
        meaning="Copies of each mail file of the Domino cluster members that stand here, their "
        "own one among them: n + 1 where n standbys hold everything; no more than there are "
        "members.",
        short=say("Copies"),
        hint=say(
            "Copies of each mail file in a Domino cluster: 2, or one more than standbys that "
            "hold everything"
        ),
        ge=1,
        le=100,
    )
    site: str | None = _SITE(meaning="Id of the site where its hosts stand; null: not said.")
    imported_from: str = described("", _IMPORTED_FROM)
    origins: Origins = ()
    pins: tuple[str, ...] = ()


@of_fields
class Host:
    """An ESX host, or a physical server when its hypervisor is `none`."""

    id: str = needed(_ID)
    name: str = needed(_NAME)
    server: str = needed(say("server"), meaning="Catalog id of the server model.", ids="servers")
    hypervisor: str = needed(
        say("hypervisor"),
        meaning="Catalog id of the hypervisor release, or none.",
        ids="hypervisors",
    )
    ram_gib: float = needed(
        say("RAM"), meaning="Installed memory [GiB].", step=4, slide=(1.0, 64.0), ge=LEAST, le=1e6
    )
    cluster: str | None = optional(
        say("cluster"), meaning="Id of its cluster.", empty=say("in no cluster"), ids="clusters"
    )
    ft_logging_gbps: float | None = _gbps(
        say("FT logging network"),
        meaning="Bandwidth of the Fault Tolerance logging network [Gb/s]; null: there is none.",
        short=say("FT logging"),
        empty=say("no such network"),
    )
    nics: int | None = _count(
        None,
        say("network ports"),
        meaning="Network ports for VMs; null: as in the catalog.",
        short=say("Ports"),
        empty=say("as in the catalog"),
    )
    nic_gbps: float | None = _gbps(
        say("speed of a network port"),
        meaning="Speed of a port [Gb/s]; null: as in the catalog.",
        short=say("Port speed"),
        empty=say("as in the catalog"),
    )
    bought_year: int | None = optional(
        say("year of purchase"),
        meaning="Year in which it was bought; null: not said.",
        short=say("Bought in"),
        empty=say("not said"),
        ge=1980,
        le=2100,
    )
    failure_group: str | None = optional(
        say("failure group"),
        meaning="Chassis, rack or site that fails as one.",
        short=say("Fails with"),
        empty=say("nothing else"),
        hint=say("Chassis, rack or site that fails as one"),
    )
    unlisted_vms: int = _count(
        0,
        say("VMs not listed"),
        meaning="VMs that it is known to run and that no list has: what they take is not known.",
        hint=say("Known to run here, and in no list: what they take is not known"),
        le=100_000,
    )
    in_maintenance: bool = described(
        False,
        say("in maintenance"),
        meaning="Whether it is in maintenance mode: nothing runs there, and nothing fails over to "
        "it.",
        deed=say("maintenance"),
        hint=say("Nothing runs there, and nothing fails over to it, until it is back"),
    )
    site: str | None = _SITE(meaning="Id of its site, for a host in no cluster; null: not said.")
    imported_from: str = described("", _IMPORTED_FROM)
    origins: Origins = ()
    pins: tuple[str, ...] = ()


@of_fields
class Pool:
    """Disks of one array used together, shared by every VM that names the pool."""

    id: str = needed(_ID)
    name: str = needed(_NAME)
    array: str = needed(say("array"), meaning="Catalog id of the array.", ids="arrays")
    disk: str = needed(say("drive"), meaning="Catalog id of the disk type.", ids="disks")
    spindles: int = needed(
        say("drives"),
        unit=say("drives"),
        le=100_000,
        meaning="Drives in the pool, hot spares included.",
        ge=1,
        slide=(1.0, 24.0),
    )
    raid: str = needed(
        say("RAID level"),
        meaning="RAID level: 0, 1, 10, 5, 6 or dp.",
        short="RAID",
        ids="raid_levels",
    )
    hot_spares: int = _drives(0, say("hot spares"), meaning="Drives that stand by empty.", ge=0)
    raid_group: int | None = _drives(
        None,
        say("RAID group"),
        meaning="Drives per RAID group, parity included; null: as usual for the level.",
        short=say("Group size"),
        deed=say("RAID group size"),
        empty=say("as in the catalog"),
        ge=2,
    )
    hosts: tuple[str, ...] = described(
        (),
        say("hosts of the pool"),
        meaning="Ids of the hosts that see it, of vSAN those whose drives it is made of; empty: "
        "all, of vSAN all with a hypervisor.",
        short=say("Hosts"),
        empty=say("all"),
        hint=say("Hosts that see it; of vSAN those whose drives it is made of"),
        ids="hosts",
    )
    failures_to_tolerate: int | None = optional(
        say("host failures that vSAN tolerates"),
        unit=say("hosts"),
        meaning="Failures to tolerate of the vSAN policy; null: as the RAID level has it, 1 for "
        "RAID 1 and 5, 2 for RAID 6. Of no meaning for an array.",
        short=say("Tolerates"),
        deed=say("failures to tolerate"),
        empty=say("as the RAID level"),
        ge=0,
        le=3,
    )
    reserve_pct: float | None = optional(
        say("space that vSAN keeps free"),
        meaning="Of the raw space [%]; null: as published, 30 before vSAN 7.0, from then on 5 and "
        "255 GB a host. Of no meaning for an array.",
        short=say("Kept free"),
        empty=say("as published"),
        ge=0,
        le=90,
        step=5,
    )
    read_share: float | None = optional(
        say("share of reads"),
        meaning="Share of reads in host I/O; null: the model's.",
        short=say("Reads"),
        empty=say("model’s default"),
        ge=0,
        le=1,
        step=5,
        is_share=True,
    )
    imported_from: str = described("", _IMPORTED_FROM)
    origins: Origins = ()
    pins: tuple[str, ...] = ()


@of_fields
class MeasuredOn:
    """Where a load was measured; without a server its figures are those of any."""

    server: str | None = optional(
        say("server it was measured on"),
        meaning="Server on which the load was measured: its MHz are carried by SPEC rate from "
        "there; null: plain MHz.",
        short=say("Measured on"),
        empty=say("not said: plain MHz"),
        hint=say("From there MHz are carried by SPEC rate"),
        ids="servers",
    )
    hypervisor: str | None = optional(
        say("hypervisor it was measured under"),
        meaning="Hypervisor under which the load was measured, none for a physical server: "
        "kernel CPU by I/O is added once, from physical to ESX; null: physical, assumed.",
        short=say("Measured under"),
        empty=say("not said: physical"),
        hint=say("From a physical server to ESX, I/O costs CPU on top"),
        ids="hypervisors",
    )


@of_fields
class Workload:
    """What the users of a VM do.

    Own figures of a ``generic`` workload are measured by whoever brings it; None: no data.
    """

    kind: WorkloadKind = needed(say("workload"), meaning="What it is.")
    release: str = described(
        "",
        say("release"),
        meaning="Domino or Sametime release, any text, such as 14.0.",
        empty=say("not said"),
        suggests=("14.0", "12.0.2", "8.5.1", "7.0.2"),
    )
    active_users: float = _number(
        0.0,
        say("active users"),
        unit=say("users"),
        meaning="Users at work at the same time, not registered ones.",
        hint=say("At work at the same time; not registered, not merely connected"),
        column="active_users",
        step=100,
        is_whole=True,
        slide=(1.0, 1000.0),
        grows=Grows.USERS,
    )
    mail_file_mb: float = _number(
        0.0,
        say("mail file"),
        meaning="Mean size of a mail file [MB, decimal].",
        column="mail_file_mb",
        step=10,
        grows=Grows.MAIL,
    )
    registered_users: float | None = _number(
        None,
        say("registered users"),
        unit=say("users"),
        meaning="Owners of mail files on this server; null: as many as are active, in "
        "production active/0.35 (0.23 to 0.50).",
        short=say("Registered"),
        empty=say("not said"),
        hint=say("Owners of mail files on this server: they need disk space"),
        column="registered_users",
        step=100,
        is_whole=True,
        grows=Grows.USERS,
    )
    buffer_pool_mb: float | None = optional(
        say("buffer pool"),
        meaning="Buffer pool of the server [MB]; null: 512 (256 to 1,024), the default of "
        "Domino 8 and later. More saw no gain (IBM); it counts to the memory of the programs.",
        short=say("Buffer pool"),
        empty=say("512 MB"),
        hint=say("Buffer pool of the server: 512 MB by default; IBM saw no gain in more"),
        column="buffer_pool_mb",
        ge=1,
        le=1_000_000,
        step=64,
        grows=Grows.NOTHING,
    )
    daos_saving_pct: float | None = optional(
        say("space that DAOS saves"),
        meaning="What DAOS saves of the space of mail files [%]; null: none. Published: 25 "
        "on average (HCL Domino 12.0.2 help), 25 to 50 on mail servers (consultancies, 2009).",
        short=say("DAOS saves"),
        empty=say("none"),
        hint=say(
            "Space of mail files that DAOS saves: 25 % on average by HCL, "
            "25 to 50 % on mail servers"
        ),
        column="daos_saving_pct",
        ge=0,
        le=90,
        step=5,
        grows=Grows.NOTHING,
    )
    view_index_pct: float | None = optional(
        say("view indexes beside mail files"),
        meaning="Space of view indexes on top of the mail files [%]; null: none. Published: 10,"
        " and 30 of what DAOS leaves (field experience, 2017).",
        short=say("View indexes"),
        empty=say("none"),
        hint=say("View indexes on top of the mail files: 10 %, 30 % of what DAOS leaves"),
        column="view_index_pct",
        ge=0,
        le=300,
        step=5,
        grows=Grows.NOTHING,
    )
    full_text_pct: float | None = optional(
        say("full-text indexes beside mail files"),
        meaning="Space of full-text indexes on top of the mail files [%]; null: none. Two "
        "production servers of 2018: 28 and 30.",
        short=say("Full text"),
        empty=say("none"),
        hint=say(
            "Full-text indexes on top of the mail files: "
            "28 and 30 % on two production servers of 2018"
        ),
        column="full_text_pct",
        ge=0,
        le=300,
        step=5,
        grows=Grows.NOTHING,
    )
    cpu_mhz: float | None = _mhz(
        say("own CPU figure"),
        meaning="Measured CPU of a generic workload [MHz].",
        short="CPU",
        empty=say("no data"),
        column="own_cpu_mhz",
        grows=Grows.LOAD,
    )
    iops: float | None = _number(
        None,
        say("own IOPS figure"),
        unit="IOPS",
        meaning="Measured host I/Os per second, generic.",
        short=say("Disk load"),
        empty=say("no data"),
        column="own_iops",
        step=10,
        grows=Grows.LOAD,
    )
    memory_gib: float | None = optional(
        say("own memory figure"),
        meaning="Measured memory in use, generic [GiB].",
        short=say("Memory in use"),
        empty=say("no data"),
        ge=0,
        le=1e6,
        column="own_memory_gib",
        grows=Grows.NOTHING,
    )
    disk_gib: float | None = _disk_gib(
        say("own disk figure"),
        meaning="Space in use, generic [GiB].",
        short=say("Disk space"),
        empty=say("no data"),
        column="own_disk_gib",
        step=10,
        grows=Grows.MAIL,
    )
    network_mbps: float | None = _number(
        None,
        say("own network figure"),
        meaning="Network load, generic [Mb/s].",
        short=say("Network"),
        empty=say("no data"),
        column="own_network_mbps",
        grows=Grows.LOAD,
    )
    cpu_spread: float | None = _spread(
        say("range of the assumed CPU figure"),
        meaning="How far an assumed CPU figure may be off either way, as a factor; null: it was "
        "measured.",
        short=say("CPU, either way"),
        column="own_cpu_spread",
        grows=Grows.NOTHING,
    )
    iops_spread: float | None = _spread(
        say("range of the assumed IOPS figure"),
        meaning="The same of an assumed figure of I/Os.",
        short=say("I/O, either way"),
        column="own_iops_spread",
        grows=Grows.NOTHING,
    )
    traveler_users: float | None = _number(
        None,
        say("Traveler users"),
        unit=say("users"),
        meaning="Users whose devices a Traveler server serves; null: nobody said.",
        short=say("Users"),
        empty=say("not said"),
        hint=say("Users with at least one device, whether it is in use or not"),
        column="traveler_users",
        step=100,
        is_whole=True,
        grows=Grows.USERS,
    )
    documents_per_user: float | None = _number(
        None,
        say("documents a user"),
        meaning="Documents (mail, contacts, calendar) of each Traveler user; null: nobody said, so "
        "that the space of its database isn't known. HCL's examples: 5,000 and 10,000.",
        short=say("Documents each"),
        empty=say("not said"),
        hint=say("Mail, contacts and calendar entries; HCL’s examples have 5,000 and 10,000"),
        column="documents_per_user",
        step=500,
        grows=Grows.MAIL,
    )
    devices_per_user: float | None = optional(
        say("devices a user"),
        meaning="Devices of each Traveler user; null: 1.2, as HCL plans. Four production servers "
        "of one customer: 2.0.",
        short=say("Devices each"),
        empty="1.2",
        hint=say("HCL plans 1.2; four production servers had 2.0"),
        column="devices_per_user",
        ge=0.1,
        le=100,
        step=0.1,
        grows=Grows.NOTHING,
    )
    traveler_pool: bool = described(
        False,
        say("member of a high-availability pool"),
        meaning="Whether a Traveler server belongs to a high-availability pool: its database lies "
        "on a database server then, and it takes more devices.",
        short=say("In a pool"),
        hint=say("Its database lies on a database server then, and it takes more devices"),
        column="traveler_pool",
    )
    profile: Profile = described(
        Profile.BROWSER,
        say("profile of other work"),
        meaning="What the server does besides its users' clients, in production "
        "(policy.load_basis), in cores of 2018 and I/Os a second. mail-browser: 0.55 and 0.89 "
        "per 1,000 registered users (a factor of 3 either way), 0.30 a user (3.3): two servers "
        "of 9.0.1 with browser, DAOS, full text and cluster. mail-only: 0.24 per 1,000 on "
        "cores of 2009 (3), 0.10 a user (3): one of R5, two of 6.5. maker-size: 1.24 and 1.56 "
        "per 1,000 (2): HCL's sizes at 70 %.",
        short=say("Other work"),
        hint=say("What the server does besides, in production: docs/model.md says from where"),
    )
    measured_on: MeasuredOn | None = optional(
        say("where it was measured"),
        meaning="Where a generic load was measured; null: physical and plain MHz, assumed.",
    )

    @property
    def people(self) -> float:
        """How many it serves: active users, or those with devices; 0 where nobody said."""
        return float(getattr(self, self.kind.people or "active_users") or 0.0)


_observed = partial(optional, empty=say("not measured"), ge=0)


@of_fields
class Observed:
    """What was measured of a VM after it went live; no prediction looks at it, `score` does."""

    cpu_pct: float | None = _observed(
        say("CPU after going live"),
        meaning="CPU of its vCPUs in a busy hour after going live [%].",
        short="CPU",
        le=100,
    )
    iops: float | None = _observed(
        say("I/O after going live"),
        unit="IOPS",
        meaning="Its host I/Os per second then.",
        short=say("I/O"),
        le=1e9,
    )
    ram_gib: float | None = _observed(
        say("RAM in use after going live"), meaning="Memory in use then [GiB].", short="RAM", le=1e6
    )
    response_ms: float | None = _observed(
        say("response after going live"),
        meaning="Mean response then [ms].",
        short=say("Response"),
        le=1e9,
    )
    transactions_per_min: float | None = _observed(
        say("transactions a minute after going live"),
        unit=PER_MINUTE,
        meaning="Transactions of its Domino console in a minute of a busy hour then.",
        short=say("Transactions"),
        le=1e12,
    )


@of_fields
class Calibrated:
    """What the measurement of this very VM makes of the model's demands (`models.customer.site`),
    where its customer's measurements are in use: measured over predicted, and the half width of
    that prediction as natural logarithm."""

    cpu_factor: float | None = _site_factor(
        say("its CPU over the model’s"),
        meaning="Measured CPU of this VM over the model’s; null: not measured.",
        short="CPU",
        column="calibrated_cpu",
    )
    cpu_half_width_model: float = _site_width(
        0.0,
        say("half width of the model’s CPU of it"),
        meaning="Of the prediction that was compared, in ln: what is less known since then, such "
        "as another machine, stays on top.",
        short=say("CPU, of the model"),
        column="calibrated_cpu_width",
    )
    iops_factor: float | None = _site_factor(
        say("its I/O over the model’s"),
        meaning="Measured I/Os of this VM over the model’s; null: not measured.",
        short=say("I/O"),
        column="calibrated_iops",
    )
    iops_half_width_model: float = _site_width(
        0.0,
        say("half width of the model’s I/O of it"),
        meaning="As that of CPU.",
        short=say("I/O, of the model"),
        column="calibrated_iops_width",
    )
    ram_factor: float | None = _site_factor(
        say("its RAM in use over what it is given"),
        meaning="Measured RAM in use of this VM over what it is given; null: not measured.",
        short="RAM",
        column="calibrated_ram",
    )


class _Figures:
    """Room in a frozen item for the figures that whoever reads it reads only once."""

    __slots__ = ("figures",)
    figures: bytes


@of_fields
class Vm(_Figures):
    """A virtual machine, or the one operating system of a physical server."""

    id: str = needed(_ID)
    name: str = needed(_NAME)
    host: str | None = needed(
        say("host"),
        meaning="Id of its host; null: not placed yet.",
        empty=say("not placed"),
        ids="hosts",
    )
    pool: str | None = needed(
        say("data pool"),
        meaning="Id of the pool of its data; null: no shared storage.",
        short=say("Pool"),
        empty=say("none"),
        ids="pools",
    )
    vcpus: int = needed(
        say("vCPUs"),
        unit=say("vCPUs"),
        meaning="Virtual processors.",
        short=say("vCPUs"),
        ge=1,
        le=10_000,
        column="vcpus",
        slide=(1.0, 8.0),
    )
    ram_gib: float = needed(
        say("RAM"),
        meaning="Configured memory [GiB].",
        column="ram_gib",
        step=0.5,
        slide=(0.5, 16.0),
        ge=LEAST,
        le=1e6,
    )
    disk_mode: DiskMode = needed(say("disk path"), meaning="How it reaches its disks.")
    workload: Workload = needed(say("workload"), meaning="What its users do.")
    fault_tolerance: bool = described(
        False, say("Fault Tolerance"), meaning="VMware Fault Tolerance.", column="fault_tolerance"
    )
    powered_on: bool = described(
        True,
        say("powered on"),
        meaning="Whether it is switched on.",
        deed=say("power"),
        column="powered_on",
    )
    guest_bits: int | None = optional(
        say("operating system"),
        unit=say("bits"),
        meaning="32- or 64-bit guest; null: not said.",
        short=say("Guest"),
        empty=say("not said"),
        choices=(32, 64),
        column="guest_bits",
    )
    guest_pae: bool | None = optional(
        say("PAE of a 32-bit guest"),
        meaning="Whether a 32-bit guest has PAE: without, it uses 4 GiB; null: not said, and "
        "taken to have it.",
        short=say("PAE"),
        empty=say("not said"),
        hint=say("Physical Address Extension: without it a 32-bit system uses 4 GiB"),
        column="guest_pae",
    )
    memory_limit_gib: float | None = optional(
        say("memory limit"),
        meaning="Memory limit [GiB].",
        short=say("RAM limit"),
        empty=say("none"),
        column="memory_limit_gib",
        ge=LEAST,
        le=1e6,
    )
    memory_reservation_gib: float | None = optional(
        say("memory reservation"),
        meaning="Memory reservation [GiB].",
        short=say("RAM reserved"),
        empty=say("none"),
        ge=0,
        le=1e6,
        column="reserved_gib",
    )
    cpu_reservation_mhz: float | None = _mhz(
        say("CPU reservation"),
        meaning="CPU reservation [MHz].",
        short=say("CPU reserved"),
        empty=say("none"),
        column="reserved_mhz",
    )
    restart_priority: RestartPriority = described(
        RestartPriority.MEDIUM,
        say("restart priority"),
        meaning="HA restart priority.",
        short=say("HA restart"),
    )
    lun: str | None = optional(
        say("LUN"),
        meaning="Name of its LUN; VMs that name the same one share it.",
        empty=say("its own"),
    )
    log_pool: str | None = optional(
        say("log pool"),
        meaning="Id of the pool of the transaction logs; null: with the data.",
        empty=say("with the data"),
        ids="pools",
    )
    system_disk_gib: float | None = _disk_gib(
        say("system disk"),
        meaning="Space of the system [GiB]; null: the model's.",
        empty=say("default"),
        column="system_disk_gib",
    )
    log_disk_gib: float | None = _disk_gib(
        say("log disk"),
        meaning="Space of the logs [GiB]; null: the model's.",
        empty=say("default"),
        column="log_disk_gib",
    )
    observed: Observed | None = optional(
        say("measured after going live"),
        meaning="What was measured of it after going live, for score; null: nothing.",
    )
    calibrated: Calibrated | None = optional(
        say("its own measurement, as calibrated"),
        meaning="What its own measurement makes of its demands, written by calibrate --site with "
        "policy.site and used with it; null: it was not measured.",
    )
    dedicated_nic: bool = described(
        False,
        say("dedicated network port"),
        meaning="It has a network port of its own.",
        short=say("Network port of its own"),
    )
    cluster_partners: tuple[str, ...] = described(
        (),
        say("Domino cluster partners"),
        meaning="Ids of the other members of its Domino cluster.",
        short=say("Partners"),
        empty=say("in no cluster"),
        hint=say("The other members of its Domino cluster; they name this one in turn"),
        ids="vms",
    )
    groups: tuple[str, ...] = described(
        (),
        say("groups"),
        meaning="Names of groups, such as chassis or site.",
        empty=say("in no group"),
        hint=say("Names of groups for people, with commas between them"),
        text="name",
    )
    imported_from: str = described("", _IMPORTED_FROM)
    origins: Origins = ()
    pins: tuple[str, ...] = ()


class Users(NamedTuple):
    """People by what they use. Somebody with mail and chat is one of either, so that the two are
    never added up."""

    mail: float
    chat: float

    @property
    def are_mixed(self) -> bool:
        """Whether there are users of both."""
        return self.mail > 0 and self.chat > 0

    @property
    def first(self) -> float:
        """Those of mail, of chat where there are none."""
        return self.mail or self.chat


def active_users(vms: Iterable[Vm]) -> Users:
    """Active users of these VMs; those of Sametime multiplexers are the ones of the community
    servers behind them and count once."""
    return users_of([vm.workload for vm in vms])


def users_of(workloads: Iterable[Workload]) -> Users:
    """The same of their workloads."""
    of_law: dict[Law, float] = defaultdict(float)
    for work in workloads:
        of_law[WORKLOADS[work.kind].law] += work.active_users
    served, connected = of_law.pop(Law.COMMUNITY, 0.0), of_law.pop(Law.MUX, 0.0)
    return Users(sum(of_law.values()), max(served, connected))


class AffinityKind(Word):
    """VM-VM and VM-host rules."""

    TOGETHER = "together", say("together")
    APART = "apart", say("apart")
    MUST_RUN_ON = "must-run-on", say("must run on")
    SHOULD_RUN_ON = "should-run-on", say("should run on")


@of_fields
class Affinity:
    """One rule over VMs and, for the host rules, hosts."""

    id: str = needed(say("id"), meaning="Unique among the rules.", text="name", is_input=False)
    kind: AffinityKind = needed(say("rule"), meaning="What the rule asks for.", is_input=False)
    vms: tuple[str, ...] = needed(
        say("VMs"), meaning="Ids of VMs.", ids="vms", is_needed=True, is_input=False
    )
    hosts: tuple[str, ...] = described(
        (), say("hosts"), meaning="Ids of hosts, for the host rules.", ids="hosts", is_input=False
    )


Item = Cluster | Host | Pool | Vm
ItemT = TypeVar("ItemT", Cluster, Host, Pool, Vm)


@of_fields
class Scenario:
    """One design: policy, clusters, hosts, pools and VMs, in the order people gave them."""

    name: str = needed(say("name"), meaning="Name of the scenario.", text="name", is_input=False)
    policy: Policy = field(default_factory=Policy)
    clusters: tuple[Cluster, ...] = ()
    hosts: tuple[Host, ...] = ()
    pools: tuple[Pool, ...] = ()
    vms: tuple[Vm, ...] = ()
    affinity: tuple[Affinity, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    import_notes: tuple[ImportNote, ...] = ()
    grade: DataGrade | None = optional(
        say("grade of the data"),
        meaning="What the import of its files measured; null: it was not imported.",
        is_input=False,
    )
    sites: tuple[DataCenter, ...] = ()
    assumptions: Assumptions = field(default_factory=Assumptions)
    growth: Growth = field(default_factory=Growth)
    maintenance: Maintenance = field(default_factory=Maintenance)
    customer: str = described("", say("customer"), meaning="Who the design is for.", is_input=False)
    author: str = described("", say("author"), meaning="Who made it.", is_input=False)
    notes: str = described("", say("notes"), meaning="Free text.", text="lines", is_input=False)
    origins: Origins = ()
    pins: tuple[str, ...] = ()

    def cluster(self, id: str) -> Cluster:
        return _find(self.clusters, id, "cluster")

    def host(self, id: str) -> Host:
        return _find(self.hosts, id, "host")

    def pool(self, id: str) -> Pool:
        return _find(self.pools, id, "pool")

    def vm(self, id: str) -> Vm:
        return _find(self.vms, id, "VM")

    def vms_on(self, host: str | None) -> tuple[Vm, ...]:
        """The VMs placed on a host; with None, those not placed."""
        return tuple(vm for vm in self.vms if vm.host == host)

    def place(self, vms: Iterable[str], host: str | None) -> "Scenario":
        """The scenario with these VMs on `host` (None: not placed).

        Disks go along: what leaves a physical server for a hypervisor gets VMFS, and the other
        way round.
        """
        wanted = set(vms)
        for id in wanted:
            self.vm(id)
        target = None if host is None else self.host(host)
        return replace(
            self,
            vms=tuple(
                _placed(vm, target) if vm.id in wanted and vm.host != host else vm
                for vm in self.vms
            ),
        )

    def place_each(self, places: Mapping[str, str]) -> "Scenario":
        """The scenario with every VM named in `places` on its host, in one go; else as `place`."""
        targets = {id: self.host(id) for id in set(places.values())}
        return replace(
            self,
            vms=tuple(
                _placed(vm, targets[places[vm.id]])
                if vm.id in places and vm.host != places[vm.id]
                else vm
                for vm in self.vms
            ),
        )

    def with_item(self, item: Item) -> "Scenario":
        """The scenario with `item` in place of the one of its kind and id, or added at the end."""
        name = _COLLECTIONS[type(item)]
        items: tuple[Item, ...] = getattr(self, name)
        if any(each.id == item.id for each in items):
            items = tuple(item if each.id == item.id else each for each in items)
        else:
            items = (*items, item)
        return self._with(name, items)._knowing(item)

    def _knowing(self, item: Item) -> "Scenario":
        """The scenario in which the site that an item names is one of those that are named."""
        site = item.site if isinstance(item, Cluster | Host) else None
        if site is None or not self.sites or any(each.id == site for each in self.sites):
            return self
        return replace(self, sites=(*self.sites, DataCenter(id=site, name=site)))

    def partnered(self, id: str, partners: Iterable[str]) -> "Scenario":
        """The scenario in which these VMs, and no others, are in a Domino cluster with this one.

        Membership goes both ways: what one VM says of the other, the other says of it.
        """
        wanted = tuple(partners)
        here = replace(self.vm(id), cluster_partners=wanted)
        return replace(
            self, vms=tuple(here if vm.id == id else _joined(vm, id, wanted) for vm in self.vms)
        )

    def edit(self, kind: type[ItemT], id: str, change: Callable[[ItemT], ItemT]) -> "Scenario":
        """The scenario with `change` applied to the item of this kind and id."""
        item = _find(getattr(self, _COLLECTIONS[kind]), id, kind.__name__)
        return self.with_item(change(item))

    def without(self, ids: Iterable[str]) -> "Scenario":
        """The scenario without these items, of whatever kind.

        VMs of a removed host are not placed; hosts of a removed cluster stand alone; VMs of a
        removed pool have none; partners, rules and failover hosts forget removed VMs and hosts.
        """
        gone = frozenset(ids)
        return replace(
            self,
            clusters=tuple(_unled(c, gone) for c in self.clusters if c.id not in gone),
            hosts=tuple(
                replace(h, cluster=None) if h.cluster in gone else h
                for h in self.hosts
                if h.id not in gone
            ),
            pools=tuple(_seen(p, gone) for p in self.pools if p.id not in gone),
            vms=tuple(_detached(vm, gone) for vm in self.vms if vm.id not in gone),
            affinity=tuple(kept for rule in self.affinity if (kept := _trimmed(rule, gone))),
            waivers=tuple(w for w in self.waivers if w.subject not in gone),
        )

    def waive(self, rule: str, subject: str, reason: str) -> "Scenario":
        """The scenario with this finding waived, or its reason replaced.

        Raises:
            ModelError: no reason, or nothing of that id.
        """
        if not is_seen(reason):
            raise ModelError(say("a waiver needs a reason"), field="reason")
        if subject and all(item.id != subject for item in self.items()):
            raise ModelError(
                say("there is no “{subject}” in the scenario", subject=subject),
                field="subject",
            )
        waiver = Waiver(rule=rule, subject=subject, reason=reason)
        there = [(w.rule, w.subject) for w in self.waivers]
        if (rule, subject) not in there:
            return replace(self, waivers=(*self.waivers, waiver))
        at = there.index((rule, subject))
        return replace(self, waivers=(*self.waivers[:at], waiver, *self.waivers[at + 1 :]))

    def without_waiver(self, rule: str, subject: str) -> "Scenario":
        """The scenario in which this finding is not waived."""
        kept = tuple(w for w in self.waivers if (w.rule, w.subject) != (rule, subject))
        return replace(self, waivers=kept)

    def fresh_id(self, prefix: str) -> str:
        """An id that nothing in the scenario has: ``prefix`` and the smallest free number."""
        taken = {item.id for item in self.items()}
        number = 1
        while f"{prefix}{number}" in taken:
            number += 1
        return f"{prefix}{number}"

    def items(self) -> tuple[Item, ...]:
        return (*self.clusters, *self.hosts, *self.pools, *self.vms)

    def _with(self, name: str, items: tuple[Item, ...]) -> "Scenario":
        change: dict[str, Any] = {name: items}
        return replace(self, **change)


_COLLECTIONS: dict[type, str] = {Cluster: "clusters", Host: "hosts", Pool: "pools", Vm: "vms"}


def _find(items: Iterable[ItemT], id: str, kind: str) -> ItemT:
    for item in items:
        if item.id == id:
            return item
    raise ModelError(say("there is no {kind} “{id}” in the scenario", kind=kind_words(kind), id=id))


def _placed(vm: Vm, host: Host | None) -> Vm:
    if host is None:
        return replace(vm, host=None)
    is_physical = vm.disk_mode is DiskMode.PHYSICAL
    if is_physical == (host.hypervisor == NO_HYPERVISOR):
        return replace(vm, host=host.id)
    mode = DiskMode.VMFS if is_physical else DiskMode.PHYSICAL
    return replace(vm, host=host.id, disk_mode=mode)


def _unled(cluster: Cluster, gone: frozenset[str]) -> Cluster:
    """`cluster` without failover hosts that are gone."""
    admission = cluster.admission
    if gone.isdisjoint(admission.failover_hosts):
        return cluster
    kept = tuple(id for id in admission.failover_hosts if id not in gone)
    first = kept[0] if kept else None
    left = replace(admission, failover_host=first, more_failover_hosts=kept[1:])
    return replace(cluster, admission=left)


def _joined(vm: Vm, id: str, wanted: tuple[str, ...]) -> Vm:
    """`vm` with or without the partner `id`, as that one wants it."""
    if (vm.id in wanted) == (id in vm.cluster_partners):
        return vm
    others = tuple(partner for partner in vm.cluster_partners if partner != id)
    return replace(vm, cluster_partners=(*others, id) if vm.id in wanted else others)


def _seen(pool: Pool, gone: frozenset[str]) -> Pool:
    """`pool` without hosts that are gone."""
    if gone.isdisjoint(pool.hosts):
        return pool
    return replace(pool, hosts=tuple(id for id in pool.hosts if id not in gone))


def _detached(vm: Vm, gone: frozenset[str]) -> Vm:
    """`vm` without references to what is gone; the same object when nothing changes."""
    change: dict[str, Any] = {
        name: None for name in ("host", "pool", "log_pool") if getattr(vm, name) in gone
    }
    if not gone.isdisjoint(vm.cluster_partners):
        change["cluster_partners"] = tuple(p for p in vm.cluster_partners if p not in gone)
    return replace(vm, **change) if change else vm


def _trimmed(rule: Affinity, gone: frozenset[str]) -> Affinity | None:
    """`rule` without what is gone; None when nothing is left for it to say."""
    if gone.isdisjoint(rule.vms) and gone.isdisjoint(rule.hosts):
        return rule
    vms = tuple(id for id in rule.vms if id not in gone)
    hosts = tuple(id for id in rule.hosts if id not in gone)
    if not vms or (rule.hosts and not hosts):
        return None
    return replace(rule, vms=vms, hosts=hosts)
