"""Mail files spread evenly over servers: which are hot, and the few moves that even the load."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from models.advise.advice import (
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdviceTable,
    Cell,
    CitedKnowledge,
    Source,
    Topic,
)
from models.advise.balancing import Files, balanced, by_goals, rehomed
from models.advise.pasted import PastedTable, pasted_table
from models.base.errors import ModelError
from models.base.fields import Word, described, needed, of_fields, optional
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.texts import Text, say, say_many
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario, Vm
from models.scenario.wording import listed, number
from models.scenario.workloads import WorkloadKind

MOST_FILES = 100_000
MOST_HOT = 20
MOST_SHOWN = 40
"""Moves that people are shown of a plan; the rest is in the file that is saved."""

WITHIN = 1.0 - 1e-7
"""Of the limit: a plan is within it in spite of rounding."""

ACTIVITY_TRENDS = Source(
    "Iris Today 1999: Optimizing server performance, Domino clusters, part 2",
    "Forthcoming workload balancing and capacity planning tool",
)
GOALS = Source(
    "HCL Domino 11.0.0 help",
    "Primary and secondary goals for resource balancing",
)


class Goal(Word):
    """What servers are to be even in; Domino's own balancing asks for transactions first and for
    space then."""

    ACTIVITY = "activity", say("CPU or transactions")
    IO = "disk-io", say("disk I/O")
    SPACE = "space", say("space")
    USERS = "users", say("users")


_load = partial(optional, ge=0, le=1e15, empty=say("not known"))


@of_fields
class MailFile:
    """A mail file on a server; one that is replicated has an entry a server."""

    file: str = needed(say("mail file"), meaning="Path or name of the file.", text="name")
    server: str = needed(say("server"), meaning="Server that holds it.", text="name")
    replica_id: str = described(
        "",
        say("replica id"),
        meaning="The same for all copies of a database; empty: there is only this one.",
    )
    size_mb: float | None = _load(say("size"), meaning="Size of the file [MB].")
    cpu: float | None = _load(
        say("CPU or activity"),
        meaning="Its part of the server’s CPU, or its transactions, in any one unit.",
    )
    iops: float | None = _load(
        say("disk I/O"), meaning="Its disk I/O, in any one unit; null everywhere: goes with `cpu`."
    )
    is_pinned: bool = described(False, say("stays where it is"), meaning="The file is not moved.")


@of_fields
class MailFiles:
    """Mail files of some servers, and how even they are to be."""

    files: tuple[MailFile, ...] = needed(
        say("mail files"), meaning="Every mail file on every server."
    )
    more_servers: tuple[str, ...] = described(
        (),
        say("empty servers"),
        meaning="Servers without mail files that may take some.",
        text="name",
    )
    limit: float = described(
        1.02,
        say("busiest over mean"),
        unit="×",
        meaning="The most that a server may have of what the mean one has [1].",
        ge=1,
        le=10,
        step=0.01,
    )
    primary_goal: Goal | None = optional(
        say("primary goal"),
        meaning="What decides; null: all that is known of the files, alike.",
        empty=say("all alike"),
    )
    secondary_goal: Goal | None = optional(
        say("secondary goal"),
        meaning="What is evened as far as the primary goal allows; null: nothing.",
        empty=say("none"),
    )
    secondary_limit: float = described(
        1.1,
        say("busiest over mean, secondary goal"),
        unit="×",
        meaning="The same as `limit` for the secondary goal [1].",
        ge=1,
        le=10,
        step=0.01,
    )
    emptied: tuple[str, ...] = described(
        (),
        say("servers to empty"),
        meaning="Servers that all files are to leave, such as one that is given up.",
        text="name",
    )


# --- a pasted table -----------------------------------------------------------------------------

_HEADS = {
    "file": ("mail file", "mailfile", "database", "db", "path", "filename", "name", "Datei"),
    "server": ("mail server", "home server", "host"),
    "replica_id": ("replica", "replicaid", "Replik-ID"),
    "size_mb": ("size", "size (MB)", "MB", "Größe", "Größe (MB)", "megabytes"),
    "size_gb": ("size (GB)", "GB", "Größe (GB)", "gigabytes"),
    "size_bytes": ("size (bytes)", "bytes", "Größe (Bytes)"),
    "cpu": ("activity", "transactions", "trans", "usage", "Aktivität"),
    "iops": ("I/O", "disk io"),
    "is_pinned": ("pinned", "pin", "fixed", "stays", "locked", "fest"),
}
_MB_OF = {"size_mb": 1.0, "size_gb": 1000.0, "size_bytes": 1e-6}


def files_from_text(text: str) -> MailFiles:
    """Mail files of a pasted table or a CSV file; a row with a server and no file is an empty one.

    Raises:
        ModelError: a column is missing, or a cell is no number; names line and column.
    """
    table = pasted_table(text, _HEADS, needed=("file", "server"), most=MOST_FILES)
    files, empty = [], []
    for row in range(len(table.rows)):
        server = table.text(row, "server")
        if not server:
            raise ModelError(say("is missing"), field=table.where(row, "server"))
        if not table.text(row, "file"):
            empty.append(server)
            continue
        files.append(
            MailFile(
                file=table.text(row, "file"),
                server=server,
                replica_id=table.text(row, "replica_id"),
                size_mb=_size(table, row),
                cpu=_not_negative(table, row, "cpu"),
                iops=_not_negative(table, row, "iops"),
                is_pinned=table.flag(row, "is_pinned"),
            )
        )
    return MailFiles(files=tuple(files), more_servers=tuple(dict.fromkeys(empty)))


def _size(table: PastedTable, row: int) -> float | None:
    for name, factor in _MB_OF.items():
        found = _not_negative(table, row, name)
        if found is not None:
            return found * factor
    return None


def _not_negative(table: PastedTable, row: int, name: str) -> float | None:
    found = table.number(row, name)
    if found is not None and found < 0:
        raise ModelError(say("must be ≥ 0"), field=table.where(row, name))
    return found


# --- the answer ---------------------------------------------------------------------------------

_MEASURES = {
    "cpu": say("CPU"),
    "iops": say("disk I/O"),
    "space": say("space"),
    "users": say("users"),
}
_OF_GOAL = {Goal.ACTIVITY: "cpu", Goal.IO: "iops", Goal.SPACE: "space", Goal.USERS: "users"}
REMOVED = -1
"""Where a file stands afterwards that isn't moved but removed: copies are on all other servers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Estate:
    """The files as arrays.

    Attributes:
        servers: names, in order; `gone`: those that are emptied, (s,).
        measures: ids of what is balanced, of `_MEASURES`, the primary goal first.
        known: amounts of each file by measure, in the units given, (n,); `amount` those of
            `measures`, (n, m).
        limits: most of the mean server by measure, (m,), of those that stay.
        files: all of them as they stand; `search`: those that stay or move, on the servers that
            stay.
        after: where the files had better stand, (n,), or `REMOVED`.
    """

    inputs: MailFiles
    servers: tuple[str, ...]
    gone: BoolArray
    measures: tuple[str, ...]
    known: Mapping[str, FloatArray]
    amount: FloatArray
    limits: FloatArray
    files: Files
    search: Files
    after: IntArray

    @property
    def moved(self) -> BoolArray:
        """Files that stand elsewhere afterwards."""
        return np.asarray((self.after != self.files.server) & (self.after != REMOVED))

    @property
    def removed(self) -> BoolArray:
        return np.asarray(self.after == REMOVED)

    def loads(self, server: IntArray) -> FloatArray:
        """Load of each server, of the mean of those that stay, (s, m)."""
        there = server != REMOVED
        found = np.zeros((len(self.servers), self.amount.shape[1]))
        np.add.at(found, server[there], self.files.weight[there])
        return found

    def busiest(self, server: IntArray) -> FloatArray:
        """What the busiest server that stays has of the mean, by measure, (m,)."""
        return np.asarray(self.loads(server)[~self.gone].max(axis=0))

    def is_within(self, server: IntArray) -> bool:
        """Whether the servers are as even as was asked and those to be emptied are empty."""
        within = (self.busiest(server) <= self.limits + 1e-9).all()
        return bool(within and not self.gone[server[server != REMOVED]].any())

    @property
    def least_moves(self) -> int:
        """Files that have to move at least: what leaves, and what the others have to lose."""
        leaving = self.gone[self.files.server] & ~self.removed
        here = ~self.gone[self.files.server]
        others = replace(
            self.search,
            weight=self.files.weight[here],
            server=_positions(self.gone)[self.files.server[here]],
            replica=self.files.replica[here],
            pinned=self.files.pinned[here],
        )
        return int(leaving.sum()) + others.least_moves()


def _positions(gone: BoolArray) -> IntArray:
    """Position of each server among those that stay, (s,)."""
    return np.asarray(np.cumsum(~gone) - 1, dtype=np.int64)


def _estate(inputs: MailFiles) -> _Estate:
    servers = tuple(sorted({*(each.server for each in inputs.files), *inputs.more_servers}))
    if len(servers) < 2:
        raise ModelError(say("must stand on two servers at least"), field="files")
    _check_doubled(inputs)
    gone = _gone(inputs, servers)
    known = {
        "cpu": _amounts([each.cpu for each in inputs.files]),
        "iops": _amounts([each.iops for each in inputs.files]),
        "space": _amounts([each.size_mb for each in inputs.files]),
        "users": np.ones(len(inputs.files)),
    }
    measures = _measures(inputs, known)
    amount = np.column_stack([known[id] for id in measures])
    limits = np.full(len(measures), inputs.limit)
    if inputs.primary_goal is not None:
        limits[1:] = inputs.secondary_limit
    files = _files(inputs, servers, amount / amount.sum(axis=0), limits)
    home = rehomed(files, gone)
    kept = home != REMOVED
    files = replace(files, weight=amount / (amount[kept].sum(axis=0) / (~gone).sum()))
    search = replace(
        files,
        weight=files.weight[kept],
        server=_positions(gone)[home[kept]],
        servers=int((~gone).sum()),
        replica=files.replica[kept],
        pinned=files.pinned[kept],
    )
    least = search.least_busiest()
    search = replace(search, limit=np.where(least > limits, least * limits, limits) * WITHIN)
    two = inputs.primary_goal is not None and len(measures) == 2
    after = np.full(len(home), REMOVED, dtype=np.int64)
    after[kept] = np.flatnonzero(~gone)[(by_goals if two else balanced)(search)]
    return _Estate(
        inputs=inputs,
        servers=servers,
        gone=gone,
        measures=measures,
        known=known,
        amount=amount,
        limits=limits,
        files=files,
        search=search,
        after=after,
    )


def _files(
    inputs: MailFiles, servers: Sequence[str], weight: FloatArray, limits: FloatArray
) -> Files:
    """The files as they stand, with these weights and limits."""
    position = {name: index for index, name in enumerate(servers)}
    databases: dict[str, int] = {}
    replica = [
        databases.setdefault(each.replica_id or f"\0{index}", len(databases))
        for index, each in enumerate(inputs.files)
    ]
    return Files(
        weight=weight,
        server=np.array([position[each.server] for each in inputs.files], dtype=np.int64),
        servers=len(servers),
        replica=np.array(replica, dtype=np.int64),
        pinned=np.array([each.is_pinned for each in inputs.files], dtype=bool),
        limit=limits,
    )


def _gone(inputs: MailFiles, servers: Sequence[str]) -> BoolArray:
    """The servers that are to be emptied, (s,).

    Raises:
        ModelError: one of them isn't there, none would be left, or a file that stays is on one.
    """
    for place, name in enumerate(inputs.emptied):
        if name not in servers:
            raise ModelError(say("is no server of the files"), field=f"emptied[{place}]")
    gone = np.array([name in inputs.emptied for name in servers], dtype=np.bool_)
    if gone.all():
        raise ModelError(say("must leave a server for the files"), field="emptied")
    for index, each in enumerate(inputs.files):
        if each.is_pinned and each.server in inputs.emptied:
            reason = say(
                "“{file}” is to stay on {server}, which is to be emptied",
                file=each.file,
                server=each.server,
            )
            raise ModelError(reason, field=f"files[{index}].is_pinned")
    return gone


def _measures(inputs: MailFiles, known: Mapping[str, FloatArray]) -> tuple[str, ...]:
    """What is balanced: the goals, or all that is known alike.

    Raises:
        ModelError: a goal is of nothing that is known, or given twice, or a second without a first.
    """
    goals = {"primary_goal": inputs.primary_goal, "secondary_goal": inputs.secondary_goal}
    if inputs.secondary_goal is not None and inputs.primary_goal in (None, inputs.secondary_goal):
        reason = say("needs a primary goal, which is another one")
        raise ModelError(reason, field="secondary_goal")
    for field, goal in goals.items():
        if goal is not None and not known[_OF_GOAL[goal]].sum() > 0:
            raise ModelError(say("is not known of any file"), field=field)
    asked = tuple(_OF_GOAL[goal] for goal in goals.values() if goal is not None)
    found = asked or tuple(id for id, amount in known.items() if id != "users" and amount.sum() > 0)
    if not found:
        raise ModelError(say("have neither size nor activity"), field="files")
    return found


def _amounts(cells: list[float | None]) -> FloatArray:
    """Amounts; what isn't known counts as nothing."""
    return np.array([each or 0.0 for each in cells], dtype=np.float64)


def _check_doubled(inputs: MailFiles) -> None:
    seen: set[tuple[str, str]] = set()
    for index, each in enumerate(inputs.files):
        if (each.file, each.server) in seen:
            reason = say("“{file}” stands twice on {server}", file=each.file, server=each.server)
            raise ModelError(reason, field=f"files[{index}]")
        seen.add((each.file, each.server))


def _answer(inputs: MailFiles, knowledge: CitedKnowledge) -> Advice:
    estate = _estate(inputs)
    before, moves = estate.busiest(estate.files.server), int(estate.moved.sum())
    if estate.is_within(estate.files.server):
        conclusion, verdict = say("balanced"), Verdict.FITS
        sentence = (
            say("No server has more than {limit} times the mean.", limit=_factor(inputs.limit))
            if len(set(estate.limits.tolist())) == 1
            else say("No server is over the limit of any goal.")
        )
    elif estate.gone.any():
        is_balanced = estate.is_within(estate.after)
        conclusion = say("can be emptied") if is_balanced else say("not within the limit")
        verdict = Verdict.FITS if is_balanced else Verdict.AT_RISK
        sentence = say_many(
            "{count} move empties {names}; the busiest server left has {after} times the mean.",
            "{count} moves empty {names}; the busiest server left has {after} times the mean.",
            moves,
            names=listed(inputs.emptied),
            after=_factor(estate.busiest(estate.after).max()),
        )
    else:
        is_balanced = estate.is_within(estate.after)
        conclusion = say("can be balanced") if is_balanced else say("not within the limit")
        verdict = Verdict.FITS if is_balanced else Verdict.AT_RISK
        sentence = say_many(
            "{count} move takes the busiest server from {before} to {after} times the mean.",
            "{count} moves take the busiest server from {before} to {after} times the mean.",
            moves,
            before=_factor(before.max()),
            after=_factor(estate.busiest(estate.after).max()),
        )
    return Advice(
        conclusion=conclusion,
        verdict=verdict,
        sentence=sentence,
        numbers=tuple(_numbers(estate)),
        tables=(_distribution(estate), _hot(estate), _plan(estate)),
        reasons=tuple(_reasons(estate)),
        next=tuple(_next(moves)),
        sources=(ACTIVITY_TRENDS, GOALS),
    )


def users_after(
    scenario: Scenario, inputs: MailFiles, _: CitedKnowledge | None = None, _subject: str = ""
) -> Scenario:
    """The scenario with users where the plan has their mail files; VMs are known by their names.

    A file takes along the part of its server's active users that it is of its CPU (without CPU, of
    its space), the same of the CPU that was measured there and of the measured I/O by its I/O, and
    one registered user where these are known. Servers without a VM, and VMs without a server, stay
    out of it.

    Raises:
        ModelError: as an answer does, or no server of the files is a VM, or what moves was measured
            on one of two and not on the other, or elsewhere.
    """
    estate = _estate(inputs)
    rows = {vm.name: vm for vm in scenario.vms if _takes_files(vm)}
    vms = [rows.get(name) for name in estate.servers]
    if not any(vms):
        raise ModelError(say("stand on no mail server of the scenario"), field="files")
    _check_measured([vm for vm in vms if vm is not None])
    load = next(estate.known[id] for id in ("cpu", "space", "users") if estate.known[id].sum() > 0)
    whole = np.bincount(estate.files.server, weights=load, minlength=len(vms))
    moved = estate.moved & np.array([vm is not None for vm in vms])[estate.after]
    moved &= np.array([vm is not None for vm in vms])[estate.files.server]
    home, target = estate.files.server[moved], estate.after[moved]
    share = load[moved] / np.maximum(whole[home], np.finfo(float).tiny)
    of_io = share
    if (io := estate.known["iops"]).sum() > 0:
        all_io = np.bincount(estate.files.server, weights=io, minlength=len(vms))
        of_io = io[moved] / np.maximum(all_io[home], np.finfo(float).tiny)
    owners = np.bincount(target, minlength=len(vms)) - np.bincount(home, minlength=len(vms))
    change = {
        name: _carried(vms, name, of_io if name == "iops" else share, home, target)
        for name in ("active_users", "cpu_mhz", "iops")
    }
    for row, vm in enumerate(vms):
        if vm is not None and (owners[row] or any(each[row] for each in change.values())):
            more = {name: float(each[row]) for name, each in change.items()}
            scenario = scenario.with_item(_with_files(vm, more, int(owners[row])))
    return scenario


def _takes_files(vm: Vm) -> bool:
    """Whether it is a mail server, by its users or by what was measured of it."""
    return vm.workload.kind.is_domino or vm.workload.kind is WorkloadKind.DOMINO_OTHER


def _check_measured(vms: Sequence[Vm]) -> None:
    """Loads can be added only where all are users, or all were measured in one place."""
    measured = {
        (work.measured_on, work.cpu_mhz is None, work.iops is None)
        for work in (vm.workload for vm in vms)
        if not work.kind.is_domino
    }
    if measured and (len(measured) > 1 or any(vm.workload.kind.is_domino for vm in vms)):
        reason = say(
            "stand on servers whose loads can’t be added: some are measured and others not, or not "
            "on the same machine"
        )
        raise ModelError(reason, field="files")


def _carried(
    vms: Sequence[Vm | None], name: str, share: FloatArray, home: IntArray, target: IntArray
) -> FloatArray:
    """How much more of a number of its workload each server has then, (s,)."""
    own = np.array([0.0 if vm is None else getattr(vm.workload, name) or 0.0 for vm in vms])
    taken = own[home] * share
    came = np.bincount(target, weights=taken, minlength=len(vms))
    return np.asarray(came - np.bincount(home, weights=taken, minlength=len(vms)))


def _with_files(vm: Vm, more: Mapping[str, float], owners: int) -> Vm:
    """A server with so many more of its numbers, where it has them."""
    work = vm.workload
    active = float(round(max(work.active_users + more["active_users"], 0.0)))
    registered = work.registered_users
    if registered is not None:
        registered = max(registered + owners, active)
    own = {name: getattr(work, name) for name in ("cpu_mhz", "iops")}
    figures: dict[str, Any] = {
        name: max(value + more[name], 0.0) for name, value in own.items() if value is not None
    }
    work = replace(work, active_users=active, registered_users=registered, **figures)
    return replace(vm, workload=work)


def _factor(value: float) -> str:
    return number(float(value), 2)


def _numbers(estate: _Estate) -> Iterator[AdviceNumber]:
    files, moved = estate.files, estate.moved
    source = say("the files given")
    number_of = partial(AdviceNumber, source=source)
    yield number_of("files", say("mail files"), float(len(files.server)))
    yield number_of("servers", say("servers"), float(files.servers))
    yield number_of("moves", say("files that move"), float(moved.sum()))
    yield number_of(
        "least_moves",
        say("files that have to move at least"),
        float(estate.least_moves),
        note=say(
            "a bound: what stands on servers to be emptied, and what those over the limit have to "
            "lose, the heaviest files first"
        ),
    )
    yield number_of(
        "moved_pct", say("share of the files that move"), 100.0 * float(moved.mean()), decimals=1
    )
    if (sizes := estate.known["space"]).sum() > 0:
        yield number_of("moved_gb", say("what moves"), float(sizes[moved].sum()) / 1000.0)
    yield from _busiest(estate, source)


def _busiest(estate: _Estate, source: str) -> Iterator[AdviceNumber]:
    """What the busiest server has of the mean, by measure."""
    files = estate.files
    rows = zip(
        estate.measures,
        estate.busiest(files.server).tolist(),
        estate.busiest(estate.after).tolist(),
        estate.search.least_busiest().tolist(),
        estate.limits.tolist(),
        strict=True,
    )
    number_of = partial(AdviceNumber, source=source, unit="×", decimals=3)
    for id, before, after, least, limit in rows:
        what = _MEASURES[id]
        yield number_of(
            f"busiest_before_{id}",
            say("busiest server over the mean today: {what}", what=what),
            before,
        )
        yield number_of(
            f"busiest_after_{id}",
            say("busiest server over the mean then: {what}", what=what),
            after,
        )
        if least > limit:
            yield number_of(
                f"busiest_least_{id}",
                say("busiest server over the mean at best: {what}", what=what),
                least,
                note=say("one file, or what stays on one server, is so much"),
            )


def _distribution(estate: _Estate) -> AdviceTable:
    """Every server before and after."""
    files = estate.files
    both = files.server, estate.after
    counts = [np.bincount(each[each != REMOVED], minlength=files.servers) for each in both]
    loads = [100.0 * estate.loads(each) for each in both]
    columns = [
        AdviceColumn("server", say("server"), numeric=False),
        AdviceColumn("files_before", say("files today"), decimals=0),
        AdviceColumn("files_after", say("files then"), decimals=0),
    ]
    cells: list[list[Cell]] = [list(estate.servers), *(each.tolist() for each in counts)]
    for position, id in enumerate(estate.measures):
        columns += [
            AdviceColumn(
                f"{id}_before_pct", say("{what} today", what=_MEASURES[id]), unit="%", decimals=1
            ),
            AdviceColumn(
                f"{id}_after_pct", say("{what} then", what=_MEASURES[id]), unit="%", decimals=1
            ),
        ]
        cells += [each[:, position].tolist() for each in loads]
    return AdviceTable(
        id="servers",
        title=say("Servers before and after, in per cent of the mean server"),
        columns=tuple(columns),
        rows=tuple(zip(*cells, strict=True)),
    )


def _hot(estate: _Estate) -> AdviceTable:
    """The files that carry most of the first measure."""
    share = 100.0 * estate.amount[:, 0] / estate.amount[:, 0].sum()
    heaviest = np.argsort(-share, kind="stable")[:MOST_HOT]
    what = _MEASURES[estate.measures[0]]
    return AdviceTable(
        id="hot",
        title=say("Hot databases"),
        columns=(
            AdviceColumn("file", say("mail file"), numeric=False),
            AdviceColumn("server", say("server"), numeric=False),
            AdviceColumn("share_pct", say("share of all {what}", what=what), unit="%", decimals=2),
            AdviceColumn("of_mean_server_pct", say("of a mean server"), unit="%", decimals=1),
        ),
        rows=tuple(
            (
                estate.inputs.files[row].file,
                estate.inputs.files[row].server,
                float(share[row]),
                float(share[row]) * estate.search.servers,
            )
            for row in heaviest.tolist()
        ),
    )


def _plan(estate: _Estate) -> AdviceTable:
    """The moves, the heaviest of the first measure first."""
    moved = np.flatnonzero(estate.moved | estate.removed)
    order = moved[np.argsort(-estate.amount[moved, 0], kind="stable")]
    rows = []
    for row in order.tolist():
        each = estate.inputs.files[row]
        to = int(estate.after[row])
        target = say("removed: copies are on all others") if to == REMOVED else estate.servers[to]
        known = (each.size_mb, each.cpu, each.iops)
        rows.append((each.file, each.replica_id, each.server, target, *known))
    return AdviceTable(
        id=PLAN,
        title=say("The moves"),
        columns=(
            AdviceColumn("file", say("mail file"), numeric=False),
            AdviceColumn("replica_id", say("replica id"), numeric=False),
            AdviceColumn("from", say("from server"), numeric=False),
            AdviceColumn("to", say("to server"), numeric=False),
            AdviceColumn("size_mb", say("size"), unit="MB"),
            AdviceColumn("cpu", say("CPU or activity")),
            AdviceColumn("iops", say("disk I/O")),
        ),
        rows=tuple(rows),
        shown=MOST_SHOWN,
    )


def _reasons(estate: _Estate) -> Iterator[Text]:
    files, moves = estate.files, int(estate.moved.sum())
    if files.pinned.any():
        yield say_many(
            "{count} file stays where it is.", "{count} files stay where they are.",
            int(files.pinned.sum()),
        )  # fmt: skip
    copies = len(files.replica) - len(np.unique(files.replica))
    if copies:
        yield say_many(
            "Copies of a database don’t meet on a server: {count} file is a further copy.",
            "Copies of a database don’t meet on a server: {count} files are further copies.",
            copies,
        )
    leasts = estate.search.least_busiest().tolist()
    for id, least, limit in zip(estate.measures, leasts, estate.limits.tolist(), strict=True):
        if least > limit:
            yield say(
                "{what}: no plan comes below {least} times the mean, as one file or what stays on "
                "one server is so much.",
                what=_MEASURES[id],
                least=_factor(least),
            )
    if moves:
        yield say(
            "No plan within the limit moves fewer than {least} of the {count} files.",
            least=number(estate.least_moves),
            count=number(len(files.server)),
        )
    yield from _goals(estate)
    if removed := int(estate.removed.sum()):
        yield say_many(
            "{count} file of a server to be emptied has copies on all others: it is removed.",
            "{count} files of servers to be emptied have copies on all others: they are removed.",
            removed,
        )
    unknown = sum(each.cpu is None or each.size_mb is None for each in estate.inputs.files)
    if unknown and unknown < len(files.server):
        yield say_many(
            "Of {count} file CPU or size isn’t known; it counts as nothing.",
            "Of {count} files CPU or size isn’t known; they count as nothing.",
            unknown,
        )


def _goals(estate: _Estate) -> Iterator[Text]:
    """What was balanced, and whether the secondary goal came as far as was asked."""
    if estate.inputs.primary_goal is None:
        yield say("Balanced: {what}.", what=listed([_MEASURES[id] for id in estate.measures]))
        return
    yield say("Primary goal: {what}; it decides.", what=_MEASURES[estate.measures[0]])
    if len(estate.measures) > 1:
        reached, asked = float(estate.busiest(estate.after)[1]), float(estate.limits[1])
        what = _MEASURES[estate.measures[1]]
        if reached <= asked + 1e-9:
            yield say(
                "Secondary goal: {what}; it is within {asked} times the mean.",
                what=what,
                asked=_factor(asked),
            )
        else:
            yield say(
                "Secondary goal: {what}; the primary goal leaves it at {reached} times the mean, "
                "where {asked} was asked.",
                what=what,
                reached=_factor(reached),
                asked=_factor(asked),
            )


def _next(moves: int) -> Iterator[Text]:
    if moves:
        yield say(
            "Move the heaviest first, off the prime shift and a part each night: make the replica "
            "on the new server, let it fill, change the mail server in the Person document, and "
            "then remove the old one (Administration Process)."
        )
    yield say(
        "Measure a week of activity again afterwards: users’ habits move too. Activity logging and "
        "catalog.nsf have size and activity of every file."
    )


PLAN = "plan"
_EXAMPLE = tuple(
    MailFile(
        file=f"mail/user{index:02}.nsf",
        server="Example-01" if index < 14 else "Example-02",
        replica_id=f"C1257A{index:010d}",
        size_mb=400.0 + 150.0 * (index % 5),
        cpu=float(10 + 7 * (index * 5 % 11)),
        is_pinned=index == 0,
    )
    for index in range(20)
)

TOPIC = Topic(
    id="rebalance",
    title=say("Mail files over servers"),
    about=say("Hot databases, and the few moves that even the load of mail servers"),
    inputs=MailFiles,
    example=MailFiles(files=_EXAMPLE, more_servers=("Example-03",), limit=1.1),
    answer=_answer,
    words=(
        *("rebalance", "mail files", "hot databases", "Activity Trends", "move", "CSV"),
        *("decommission", "empty a server", "primary goal", "secondary goal"),
    ),
    read=files_from_text,
    paste=say(
        "A table with the columns file, server, size (MB), CPU or activity, I/O, replica id and "
        "pinned; CSV or from a spreadsheet"
    ),
    saved=PLAN,
    most=MOST_FILES,
    of_scenario=lambda _scenario, _knowledge: (),
    lacks=say(
        "A design doesn’t say which mail file is on which server: paste or open a table of mail "
        "files."
    ),
    board=users_after,
    board_text=say("Move the users on the board"),
)
