"""``import``: what a customer hands over, as a scenario or project, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from app import __version__
from app.cli_file import json_text, percentile_of, refusing
from app.cli_same import measured_names, same_in_files
from app.cli_text import text_lines
from app.render.terminal import sections_text
from app.uncollected import uncollected
from db.atomic import check_writable, write_atomically
from db.errors import StoreError, refused
from db.files import ending_of, save_as
from db.import_result import import_to_json, names_to_json
from db.importers.name_list import names_in
from db.importers.profile import read_profile
from db.importers.registry import read_readable
from db.importers.watch import Watch
from models.base.errors import ModelError
from models.base.texts import joined, say
from models.intake.assumed import Assumed, CpuUnit, Group, GroupBy, IoUnit, Range, with_assumed
from models.intake.chosen import Chosen
from models.intake.confirmed import OFFERED, Confirmed, with_confirmed
from models.intake.mapping import imported
from models.intake.notes import nothing_taken, unread_notes
from models.intake.options import DiskBasis, MemoryBasis, Options, Reason
from models.intake.records import Note, Power, Records
from models.intake.result import ImportResult
from models.intake.right_size import Sizes, chosen, with_right_sizes
from models.intake.stated_totals import records_of, totals_of
from models.project.project import Project
from models.scenario.scenario import Scenario
from models.tell.imports import import_sections
from resources.catalog_files import load_catalog, load_processors

TOTALS = "totals"
NAMES_ENDING = ".names.json"
LIST = "list:"


def import_files(
    files: Sequence[str],
    output: str | None,
    *,
    totals: str | None,
    kind: str | None,
    columns: Sequence[str],
    powered_off: str,
    disk: str | None,
    memory: str | None,
    percentile: str,
    pseudonyms: bool,
    same: Sequence[str],
    as_vms: Sequence[str],
    groups: Sequence[str],
    vcenters: Sequence[str],
    sites: Sequence[str],
    clusters: Sequence[str],
    power: Sequence[str],
    encoding: str | None,
    right_size: str,
    assume_cpu: Sequence[str],
    assume_iops: Sequence[str],
    confirm: Sequence[str],
    as_json: bool,
    unread: list[StoreError],
) -> str:
    """Read the files, write the scenario or project if one is asked for, and say what was found.

    Args:
        unread: is given what of folders and archives could not be read; the rest was.

    Raises:
        StoreError: a file can't be read or is of no known kind, or the output can't be written.
    """
    _check_output(output)
    profiles = list(map(read_profile, columns))
    watch = Watch()
    with uncollected():
        reading = read_readable(files, watch, kind=kind, profiles=profiles, encoding=encoding)
    unread += [problem.error for problem in reading.problems]
    records, files = _with_totals(reading.records, files, totals)
    options = Options(
        taken=frozenset({Reason.OFF} if powered_off == "take" else ()),
        disk=None if disk is None else DiskBasis(disk),
        memory=None if memory is None else MemoryBasis(memory),
        sizes=Sizes(right_size),
        percentile=percentile_of(percentile),
        has_pseudonyms=pseudonyms,
        same=same_in_files(same, records),
        power=_powers(power),
        chosen=_chosen(groups, vcenters, sites, clusters),
        as_vms=measured_names(as_vms, records),
    )
    rules = [*map(_assumed_cpu, assume_cpu), *map(_assumed_io, assume_iops)]
    result = _told(_imported(files, records, options, watch), confirm, rules)
    written = [] if output is None else _write(result, output)
    return json_text(import_to_json(result)) if as_json else _text(result, confirm, written)


def _check_output(output: str | None) -> None:
    """Before anything is read.

    Raises:
        StoreError: it can't be written, or is of no kind that is.
    """
    if output is not None:
        ending_of(output)
        check_writable(output)


def _with_totals(
    records: Sequence[Records], files: Sequence[str], totals: str | None
) -> tuple[Sequence[Records], Sequence[str]]:
    """The records with those of stated totals, and what they come from.

    Raises:
        StoreError: totals can't be, or there is nothing to read.
    """
    if totals is None:
        if not files:
            raise StoreError(say("name a file to read, or --totals"), "import")
        return records, files
    try:
        made = records_of(totals_of(totals), TOTALS, TOTALS)
    except ModelError as error:
        raise refused(error, "--totals") from error
    return [*records, made], [*files, TOTALS]


def _text(result: ImportResult, confirm: Sequence[str], written: Sequence[str]) -> str:
    """For people, who are not asked again what they have told."""
    told = {each.rpartition("=")[0] for each in confirm}
    left = tuple(guess for guess in result.guesses if guess.name not in told)
    result = replace(result, guesses=left)
    lines = [*_hints(result), *(say("wrote {file}", file=name) for name in written)]
    return joined("\n", filter(None, (sections_text(import_sections(result)), text_lines(lines))))


def _told(result: ImportResult, confirm: Sequence[str], rules: Sequence[Assumed]) -> ImportResult:
    """The result with what its servers are, the sizes that are chosen, and what is assumed."""
    servers = {**load_catalog().servers, **result.own_catalog.servers}
    confirmed = _confirmed(result, confirm)
    sized = with_right_sizes(confirmed, chosen(result.right_sizes, result.options.sizes))
    scenario = with_assumed(sized, rules, servers, result.traits)
    assumed = scenario.import_notes[len(sized.import_notes) :]
    notes = (*result.notes, *(Note(each.rule, each.words) for each in assumed))
    return replace(result, scenario=scenario, notes=notes)


def _imported(
    files: Sequence[str], records: Sequence[Records], options: Options, watch: Watch
) -> ImportResult:
    """The result of the records.

    Raises:
        StoreError: there is no VM and no host to take.
    """
    with uncollected(), refusing(files[0]):
        result = imported(
            records,
            options,
            load_catalog(),
            load_processors().values(),
            name="Import" if options.has_pseudonyms else Path(files[0]).stem,
            check=lambda: watch.check(files[0]),
        )
    if not (result.scenario.vms or result.scenario.hosts):
        seen = [*unread_notes(result.not_read), *result.notes]
        raise StoreError(nothing_taken(result.left_out, seen), files[0])
    return result


def _chosen(
    groups: Sequence[str], vcenters: Sequence[str], sites: Sequence[str], clusters: Sequence[str]
) -> Chosen:
    """The part of an inventory that is taken.

    Raises:
        StoreError: a group is none, or its list can't be read.
    """
    lists = [each.removeprefix(LIST) for each in groups if each.startswith(LIST)]
    names = frozenset[str]().union(*map(names_in, lists))
    patterns = (_group(each, each, "--group") for each in groups if not each.startswith(LIST))
    return Chosen(
        vcenters=frozenset(vcenters),
        sites=frozenset(sites),
        clusters=frozenset(clusters),
        groups=tuple(patterns),
        names=names,
    )


def _assumed_cpu(told: str) -> Assumed:
    """A rule for the CPU of VMs that nobody measured.

    Raises:
        StoreError: it is none.
    """
    group, figure = _grouped(told, "--assume-cpu")
    unit = CpuUnit.PCT if figure.endswith("%") else CpuUnit.MHZ
    most = 100.0 if unit is CpuUnit.PCT else 100_000.0
    cpu = _range(figure.removesuffix("%"), told, "--assume-cpu", most)
    return Assumed(cpu=cpu, cpu_unit=unit, group=group)


def _assumed_io(told: str) -> Assumed:
    """A rule for their I/O.

    Raises:
        StoreError: it is none.
    """
    group, figure = _grouped(told, "--assume-iops")
    figure, mark, unit = figure.partition("/")
    if mark and unit != "GiB":
        raise StoreError(say("must be N or N/GiB"), told, field="--assume-iops")
    io = _range(figure, told, "--assume-iops", 1e6)
    return Assumed(io=io, io_unit=IoUnit.GIB if mark else IoUnit.VM, group=group)


def _grouped(told: str, field: str) -> tuple[Group, str]:
    """The VMs that a rule is for, such as ``guest:*Windows*``, and its figure.

    Raises:
        StoreError: there are no such groups.
    """
    whose, mark, figure = told.rpartition("=")
    return (_group(whose, told, field), figure) if mark else (Group(), told)


def _group(whose: str, told: str, field: str) -> Group:
    by, _, pattern = whose.partition(":")
    kinds = {each.value: each for each in GroupBy if each is not GroupBy.ALL}
    if by not in kinds or not pattern:
        wanted = joined(", ", (f"{each}:…" for each in kinds))
        raise StoreError(say("must be of one of {kinds}", kinds=wanted), told, field=field)
    return Group(kinds[by], pattern)


def _range(figure: str, told: str, field: str, most: float) -> Range:
    """A figure, or two with a dash between.

    Raises:
        StoreError: it is none.
    """
    low, mark, high = figure.partition("-")
    try:
        ends = float(low), float(high if mark else low)
    except ValueError:
        ends = -1.0, -1.0
    if not 0.0 < ends[0] <= ends[1] <= most:
        reason = say("must be above 0 and at most {most}", most=f"{most:g}")
        raise StoreError(reason, told, field=field)
    return Range(*ends) if mark else Range.around(ends[0], most)


def _powers(told: Sequence[str]) -> dict[str, Power]:
    """Whether a VM runs, by words of the files.

    Raises:
        StoreError: one of that is none.
    """
    found = {}
    for each in told:
        word, mark, power = each.rpartition("=")
        if not mark or power not in ("on", "off"):
            raise StoreError(say("must be WORD=on or WORD=off"), each, field="--power")
        found[word.casefold()] = Power(power)
    return found


def _hints(result: ImportResult) -> Iterator[str]:
    """How to say whose measurements are of no VM, with a pair that is called alike if there is."""
    if not (result.unmatched and result.scenario.vms):
        return
    vms = {vm.name.casefold(): vm.name for vm in result.scenario.vms}
    for name in result.unmatched:
        if alike := get_close_matches(name.casefold(), vms, n=1):
            yield say(
                "--same VM=NAME says which VM was measured under another name, such as --same "
                '"{vm}={name}"; --confirm then what it is.',
                vm=vms[alike[0]],
                name=name,
            )
            return
    yield say(
        "--same VM=NAME says which VM was measured under another name; --confirm then what it is."
    )


def _confirmed(result: ImportResult, told: Sequence[str]) -> Scenario:
    """The scenario with what somebody says of its VMs: by name, kind and active users.

    Raises:
        StoreError: one of that is none.
    """
    kinds = {kind.value: kind for kind in OFFERED}
    names = {guess.name: guess for guess in result.guesses}
    said = {}
    for each in told:
        name, _, what = each.rpartition("=")
        kind, _, users = what.partition(":")
        if name not in names:
            raise StoreError(
                say("is no VM that may be Domino or Sametime"), each, field="--confirm"
            )
        if kind not in kinds:
            wanted = joined(", ", kinds)
            raise StoreError(say("must be one of {kinds}", kinds=wanted), each, field="--confirm")
        if users and not users.isdecimal():
            raise StoreError(say("must be a number of users"), each, field="--confirm")
        guess = names[name]
        said[guess.vm] = Confirmed(kinds[kind], float(users) if users else guess.users)
    return with_confirmed(result.scenario, result.guesses, said)


def _write(result: ImportResult, output: str) -> list[str]:
    """The files written: the result, and beside it the real names behind invented ones."""
    project = replace(Project.of(result.scenario), own_catalog=result.own_catalog)
    names = str(Path(output).with_suffix(NAMES_ENDING))
    if result.aliases:
        check_writable(names)
    save_as(output, project, load_catalog(), program_version=__version__)
    if not result.aliases:
        return [output]
    write_atomically(names, names_to_json(result), is_secret=True)
    return [output, names]
