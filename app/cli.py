"""The command line: what each command takes, and who does its work.

Exit status: 0 done, 2 bad input or usage with one line on `err` and nothing written, 1 likewise
where the machine fails. A failure of the program is not caught here: `app.crash` turns it into one
sentence and status 1. Commands import what they need when they run; none needs Qt but those that
`Windows` does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, TextIO

from app import __version__
from app.cli_text import text_lines
from app.language import ENGLISH, Language, language_of, names
from db.errors import MachineProblem, StoreError
from models.errors import ModelError
from models.lettering import MARKS, visible
from models.texts import SpokenError, joined, said, say, say_many

if TYPE_CHECKING:
    from models.tell.blocks import Section

PROGRAM = "headroom"
LANGUAGE = "--language"
DONE, FAILED, REFUSED = 0, 1, 2


class Windows(Protocol):
    """What needs Qt, given by the entry point: the command line knows no window."""

    def open(self, path: str | None) -> int:
        """Show the window, with this file in it; return when it is closed."""

    def demo(self, out: TextIO) -> int:
        """Show the worked example, as pictures where there is no display."""

    def self_test(self, out: TextIO) -> int:
        """Try every part of the program once and say how each fared."""

    def paint_once(self, kind: str, out: TextIO) -> int:
        """Show the window, or a bare one, and say when it is painted."""


class Usage(SpokenError):
    """The command line asks for something that isn't offered."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


class _Help(Exception):
    """The help was printed; nothing else is to be done."""


class _Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of leaving the process, and says one line."""

    def error(self, message: str) -> NoReturn:
        raise Usage(
            say(
                "{program}: {problem} (`{program} --help` lists what is offered)",
                program=self.prog,
                problem=message,
            )
        )

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise _Help(message or str(status))


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the program: its arguments, where its words go, and their language."""

    arguments: argparse.Namespace
    out: TextIO
    err: TextIO
    windows: Windows
    language: Language

    def tell(self, text: str) -> None:
        """To people at a terminal, which direction marks would turn around."""
        self.out.write(visible(said(text, self.language)))

    def tell_line(self, text: str) -> None:
        self.tell(text_lines([text]))

    def printed(self, text: str) -> int:
        """For people, or as JSON, which has names as they are and one language; it is done."""
        if self.arguments.json:
            self.out.write(text)
        else:
            self.tell(text)
        return DONE


@dataclass(frozen=True, slots=True)
class Command:
    """A command: one line about it, its arguments, and the function that runs it."""

    name: str
    about: str
    declare: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Call], int]


def main(argv: Sequence[str], out: TextIO, err: TextIO, windows: Windows) -> int:
    """Run one command line and return its exit status."""
    language = language_of(_language_asked(argv))
    try:
        return _run(argv, out, err, windows, language)
    except (Usage, StoreError, ModelError) as problem:
        err.write(_one_line(said(problem, language)) + "\n")
        return FAILED if isinstance(problem, MachineProblem) else REFUSED


def _language_asked(argv: Sequence[str]) -> str:
    """Sought before the arguments are understood: what is wrong with them is said in it too."""
    for word, after in pairwise((*argv, "")):
        option, _, value = word.partition("=")
        if option == LANGUAGE:
            return value or after
    return ENGLISH


def _run(
    argv: Sequence[str], out: TextIO, err: TextIO, windows: Windows, language: Language
) -> int:
    commands = {command.name: command for command in COMMANDS}
    named = commands.get(argv[0]) if argv else None
    if named is None:
        return _run_unnamed(argv, out, err, windows, language)
    parser = _Parser(prog=f"{PROGRAM} {named.name}", description=named.about, allow_abbrev=False)
    named.declare(parser)
    parser.add_argument(
        LANGUAGE, choices=tuple(names()), default=ENGLISH, help="of what people read; JSON has none"
    )
    arguments = _parsed(parser, argv[1:], out)
    return DONE if arguments is None else named.run(Call(arguments, out, err, windows, language))


def _run_unnamed(
    argv: Sequence[str], out: TextIO, err: TextIO, windows: Windows, language: Language
) -> int:
    """No command: the window, or one of the options that stand alone."""
    parser = _main_parser()
    arguments = _parsed(parser, argv, out)
    if arguments is None:
        return DONE
    call = Call(arguments, out, err, windows, language)
    if arguments.version:
        return _version(call)
    if arguments.self_test:
        return windows.self_test(out)
    if arguments.demo:
        return windows.demo(out)
    if arguments.paint_once:
        return windows.paint_once(arguments.paint_once, out)
    if arguments.file is not None and not _is_there(arguments.file):
        raise Usage(
            say("{name}: there is neither a file nor a command of this name", name=arguments.file)
        )
    return windows.open(arguments.file)


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # no file has so long a name, or its folder may not be looked into
        return False


def _main_parser() -> _Parser:
    width = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name:{width}}  {command.about}" for command in COMMANDS]
    parser = _Parser(
        prog=PROGRAM,
        description="Sizing and what-if studies of Domino and Sametime on VMware ESX.",
        epilog="\n".join(["commands:", *lines]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    one = parser.add_mutually_exclusive_group()
    one.add_argument("file", nargs="?", metavar="FILE", help="project or scenario to open")
    one.add_argument("--demo", action="store_true", help="open the worked WV21 example")
    one.add_argument("--self-test", action="store_true", help="try every part once")
    one.add_argument("--version", action="store_true", help="program and model version")
    kinds = ("bare", "first", "full", "gestures")
    one.add_argument("--paint-once", choices=kinds, help=argparse.SUPPRESS)
    return parser


def _parsed(
    parser: argparse.ArgumentParser, argv: Sequence[str], out: TextIO
) -> argparse.Namespace | None:
    """The arguments; None when they asked for help, which is printed."""
    if any(word in {"-h", "--help"} for word in argv):
        out.write(parser.format_help())
        return None
    return parser.parse_args(argv)


def _one_line(text: str) -> str:
    """What hides in a name is written out; what sets a name apart stays."""
    return "".join(each if each.isprintable() or each in MARKS else " " for each in visible(text))


# --- evaluate, report -------------------------------------------------------------------------


def _declare_scenario(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="project or scenario file")
    parser.add_argument("--scenario", metavar="NAME", help="by default the baseline or the first")
    _declare_json(parser)


def _declare_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object")


def _whole(low: int, high: int, text: str) -> int:
    value = int(text)
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"must be from {low} to {high}")
    return value


def _bounded(low: float, high: float, text: str) -> float:
    value = float(text)
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"must be from {low:g} to {high:g}")
    return value


def _evaluate(call: Call) -> int:
    from app.cli_evaluate import evaluate_file

    arguments = call.arguments
    return call.printed(evaluate_file(arguments.file, arguments.scenario, as_json=arguments.json))


def _declare_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="project or scenario files")
    parser.add_argument(
        "--scenario",
        metavar="NAME",
        action="append",
        help="may be given again; by default the baselines, or all scenarios of one project",
    )
    parser.add_argument(
        "--against",
        choices=("first", "parent"),
        default="first",
        help="what each scenario is compared with",
    )
    _declare_json(parser)


def _compare(call: Call) -> int:
    from app.cli_compare import compare_files

    arguments = call.arguments
    names = tuple(arguments.scenario or ())
    parents = arguments.against == "parent"
    text = compare_files(arguments.files, names, parents=parents, as_json=arguments.json)
    return call.printed(text)


def _declare_failures(parser: argparse.ArgumentParser) -> None:
    from app.cli_failures import MODE_WORDS

    _declare_scenario(parser)
    parser.add_argument(
        "--modes",
        metavar="KIND",
        action="append",
        choices=MODE_WORDS,
        help=f"may be given again: {', '.join(MODE_WORDS)}",
    )


def _failures(call: Call) -> int:
    from app.cli_failures import failures_of_file, kinds_named

    arguments = call.arguments
    which = kinds_named(arguments.modes or ())
    text = failures_of_file(arguments.file, arguments.scenario, which=which, as_json=arguments.json)
    return call.printed(text)


def _declare_study(parser: argparse.ArgumentParser) -> None:
    _declare_scenario(parser)
    parser.add_argument(
        "--within",
        metavar="SECONDS",
        type=_seconds,
        help="also the vCPUs with which each server is through its storm in this time",
    )


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (value := float(text)) < float("inf"):
            return value
    raise argparse.ArgumentTypeError("must be a time above 0 in seconds")


def _study(call: Call) -> int:
    from app.cli_study import study_of_file

    arguments = call.arguments
    text = study_of_file(
        arguments.file, arguments.scenario, within_s=arguments.within, as_json=arguments.json
    )
    return call.printed(text)


def _declare_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="project or scenario file")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        required=True,
        help="ending in .pdf, .docx, .xlsx, .html or .zip (charts)",
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4")
    parser.add_argument("--template", metavar="FILE.toml", help="logo, colours and texts of cover")
    parser.add_argument(
        "--sections", metavar="ID,…", default="", help="which and in which order; default: all"
    )
    parser.add_argument(
        "--advice",
        metavar="TOPIC=FILE",
        action="append",
        default=[],
        help="an appendix of migration notes by advisors; may be given again",
    )
    parser.add_argument(
        "--scenario",
        metavar="NAME",
        action="append",
        help="may be given again; by default the baseline or the first",
    )
    parser.add_argument(
        "--signed",
        metavar="DAY",
        nargs="?",
        const="",
        help="once more what the window exported, the last time or on a day",
    )


def _report(call: Call) -> int:
    from app.cli_report import chosen_sections, write_report, write_signed
    from app.report import Paper, Print, ReportError, load_template

    arguments = call.arguments
    template = load_template(arguments.template) if arguments.template else None
    given = arguments.file, arguments.output
    names = tuple(arguments.scenario or ())
    is_same = True
    try:
        if arguments.signed is not None:
            notice, is_same = write_signed(*given, arguments.signed, names, template)
        else:
            how = Print(
                now=datetime.now().astimezone(),
                language=call.language,
                paper=Paper.named(arguments.paper),
                sections=chosen_sections(arguments.sections),
                template=template,
                notes=_notes(arguments.advice),
            )
            notice = write_report(*given, names, how)
    except ReportError as failure:
        problem = joined(": ", (arguments.file, failure.text))
        call.err.write(_one_line(said(problem, call.language)) + "\n")
        return FAILED
    call.tell_line(say("wrote {file}", file=arguments.output))
    others = "" if is_same else say("some numbers are others than then: see the appendix")
    for told in filter(None, (notice, others)):
        call.err.write(_one_line(said(told, call.language)) + "\n")
    return DONE


def _notes(asked: Sequence[str]) -> tuple[Section, ...]:
    """What advisors say for a proposal; nothing is imported where nobody asks."""
    if not asked:
        return ()
    from app.cli_advise import notes_of

    return notes_of(asked)


def _declare_advise(parser: argparse.ArgumentParser) -> None:
    from models.advise.topics import TOPICS

    parser.add_argument("topic", metavar="TOPIC", choices=tuple(TOPICS), help=", ".join(TOPICS))
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="inputs as JSON or as text; - reads them from a pipe",
    )
    _declare_json(parser)
    parser.add_argument("-o", "--output", metavar="OUT.csv", help="save the plan as CSV")
    _declare_shape(parser, "the inputs", "inputs that have an answer")


def _advise(call: Call) -> int:
    from app.cli_advise import advice_on, example_of, schema_of

    arguments = call.arguments
    if arguments.schema or arguments.example:
        call.out.write((schema_of if arguments.schema else example_of)(arguments.topic))
        return DONE
    text = advice_on(
        arguments.topic, arguments.file, as_json=arguments.json, output=arguments.output
    )
    return call.printed(text)


# --- grow -------------------------------------------------------------------------------------


def _declare_grow(parser: argparse.ArgumentParser) -> None:
    _declare_scenario(parser)
    years = partial(_bounded, 0.0, 30.0)
    rate = partial(_bounded, -90.0, 1000.0)
    parser.add_argument("--years", type=years, help="to look ahead; default: those planned, or 5")
    for name, help in (
        ("--users-pct", "more users a year"),
        ("--mail-pct", "larger mail files a year"),
        ("--load-pct", "more work of each user a year"),
    ):
        parser.add_argument(name, type=rate, metavar="P", help=help)
    parser.add_argument(
        "--season-pct", type=partial(_bounded, 0.0, 1000.0), metavar="P", help="more in the season"
    )
    months = partial(_bounded, 1.0, 120.0)
    parser.add_argument("--every", type=months, default=3.0, metavar="MONTHS")


def _grow(call: Call) -> int:
    from app.cli_grow import YearsAsked, growth_of_file

    given = call.arguments
    asked = YearsAsked(
        years=given.years,
        users_pct=given.users_pct,
        mail_pct=given.mail_pct,
        load_pct=given.load_pct,
        season_pct=given.season_pct,
        every=round(given.every),
    )
    return call.printed(growth_of_file(given.file, given.scenario, asked, as_json=given.json))


# --- size -------------------------------------------------------------------------------------


def _declare_size(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="REQUIREMENT|FILE", nargs="?", help="requirement, project, scenario"
    )
    parser.add_argument("--scenario", metavar="NAME", help="by default the baseline or the first")
    keep = partial(_whole, 1, 500)
    parser.add_argument("--keep", type=keep, default=50, metavar="N", help="options to print")
    parser.add_argument("-o", dest="output", metavar="PROJECT", help="the named ones as scenarios")
    _declare_json(parser)
    _declare_shape(parser, "a requirement", "a requirement that has options")


def _declare_shape(parser: argparse.ArgumentParser, what: str, example: str) -> None:
    """What a file looks like, instead of an answer to one."""
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--schema", action="store_true", help=f"print the JSON Schema of {what}")
    one.add_argument("--example", action="store_true", help=f"print {example}")


def _size(call: Call) -> int:
    from app.cli_size import example_text, options_of_file, schema_text

    given = call.arguments
    if given.schema or given.example:
        call.out.write(schema_text() if given.schema else example_text())
        return DONE
    if given.file is None:
        raise StoreError(say("is missing: --example prints a requirement"), "REQUIREMENT")
    text = options_of_file(given.file, given.scenario, given.keep, given.output, as_json=given.json)
    return call.printed(text)


# --- place ------------------------------------------------------------------------------------


def _declare_place(parser: argparse.ArgumentParser) -> None:
    _declare_scenario(parser)
    most = partial(_whole, 0, 1_000_000)
    parser.add_argument("--max-moves", type=most, metavar="N", help="VMs that may move at most")
    parser.add_argument(
        "--seconds", type=_search_time, default=0.5, metavar="S", help="time for the search"
    )
    parser.add_argument("-o", dest="output", metavar="OUT", help="project or scenario, moves made")


def _place(call: Call) -> int:
    from app.cli_place import placement_of_file

    given = call.arguments
    text = placement_of_file(
        given.file,
        given.scenario,
        most_moves=given.max_moves,
        seconds=given.seconds,
        output=given.output,
        as_json=given.json,
    )
    return call.printed(text)


def _search_time(text: str) -> float:
    value = float(text)
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError("must be over 0 and up to 3600")
    return value


# --- simulate, sensitivity ----------------------------------------------------------------------


def _declare_simulate(parser: argparse.ArgumentParser) -> None:
    _declare_scenario(parser)
    parser.add_argument("--samples", type=partial(_whole, 10, 100_000), default=2000, metavar="N")
    parser.add_argument("--seed", type=partial(_whole, 0, 2**31), default=0, metavar="N")


def _simulate(call: Call) -> int:
    from app.cli_chance import chance_of_file

    given = call.arguments
    text = chance_of_file(given.file, given.scenario, given.samples, given.seed, as_json=given.json)
    return call.printed(text)


def _declare_sensitivity(parser: argparse.ArgumentParser) -> None:
    _declare_scenario(parser)
    parser.add_argument("--of", metavar="QUANTITY", default="load_pct", help="such as response_ms")
    parser.add_argument(
        "--map",
        nargs=2,
        metavar="INPUT",
        help="the verdict over two inputs, such as active_users mail_file_mb",
    )


def _sensitivity(call: Call) -> int:
    from app.cli_chance import map_of_file, sensitivity_of_file

    given = call.arguments
    if given.map:
        return call.printed(map_of_file(given.file, given.scenario, *given.map, as_json=given.json))
    text = sensitivity_of_file(given.file, given.scenario, given.of, as_json=given.json)
    return call.printed(text)


# --- sweep ------------------------------------------------------------------------------------


def _declare_sweep(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC.json", help="scenario, inputs and outputs")
    parser.add_argument("-o", dest="output", metavar="OUT", required=True, help=".csv or .parquet")
    parser.add_argument("--workers", type=partial(_whole, 1, 1024), metavar="N")
    parser.add_argument("--dask", default="", metavar="ADDRESS", help="of a Dask scheduler")
    parser.add_argument("--resume", action="store_true", help="go on where it was broken off")


def _sweep(call: Call) -> int:
    from app.cli_sweep import sweep_to_file

    given = call.arguments

    def progress(done: int, whole: int) -> None:
        call.err.write(f"\r{done:,} / {whole:,}")
        if done == whole:
            call.err.write("\n")

    count = sweep_to_file(
        given.spec,
        given.output,
        workers=given.workers,
        dask=given.dask,
        resume=given.resume,
        progress=progress,
    )
    call.tell_line(
        say(
            "wrote {file}: {rows}",
            file=given.output,
            rows=say_many("{count} row", "{count} rows", count),
        )
    )
    return DONE


# --- template ---------------------------------------------------------------------------------


def _declare_template(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="where the files are put")


def _template(call: Call) -> int:
    from app.report.template import copy_template

    for name in copy_template(call.arguments.folder):
        call.tell_line(say("wrote {file}", file=name))
    return DONE


# --- check ------------------------------------------------------------------------------------


def _declare_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="project or scenario file")
    _declare_json(parser)


def _check(call: Call) -> int:
    from app.cli_check import check_of_file

    return call.printed(check_of_file(call.arguments.file, as_json=call.arguments.json))


# --- convert, schema, examples ----------------------------------------------------------------


def _declare_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="project or scenario file")
    parser.add_argument("target", metavar="OUT", help="ending in .headroom or .json")
    parser.add_argument("--scenario", metavar="NAME", help="by default the baseline or the first")


def _convert(call: Call) -> int:
    from db.files import convert
    from resources.catalog_files import load_catalog

    arguments = call.arguments
    done = convert(
        arguments.source,
        arguments.target,
        load_catalog(),
        program_version=__version__,
        scenario=arguments.scenario,
    )
    written = _listed(done.written)
    call.tell_line(say("wrote {file}: {scenarios}", file=arguments.target, scenarios=written))
    if done.left_out:
        others = _listed(done.left_out)
        call.tell_line(say("left out, a scenario file holds one: {scenarios}", scenarios=others))
    if done.entries_left_out:
        entries = _listed(done.entries_left_out)
        call.tell_line(
            say("left out, a scenario file holds no catalog entries: {entries}", entries=entries)
        )
    if done.waivers_left_out:
        rules = _listed(done.waivers_left_out)
        call.tell_line(say("left out, waivers of rules that there aren’t: {rules}", rules=rules))
    return DONE


def _listed(names: Sequence[str]) -> str:
    return joined(", ", [say("“{name}”", name=name) for name in names])


def _declare_nothing(_parser: argparse.ArgumentParser) -> None:
    pass


def _schema(call: Call) -> int:
    import json

    from db.codec import json_schema

    call.out.write(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
    return DONE


def _declare_examples(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--copy-to", metavar="DIR", help="write the example files there")


def _examples(call: Call) -> int:
    from app.cli_examples import copied, listed

    folder = call.arguments.copy_to
    call.tell(listed() if folder is None else copied(folder))
    return DONE


# --- solve, validate, calibrate, bench --------------------------------------------------------


def _declare_solve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="NETWORK.json", nargs="+")
    parser.add_argument("--method", choices=("exact", "approximate", "auto"), default="auto")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _solve(call: Call) -> int:
    from app.cli_solve import run

    arguments = call.arguments
    return run(arguments.files, arguments.method, arguments.json, call.out, call.err, call.language)


def _declare_network(parser: argparse.ArgumentParser) -> None:
    _declare_scenario(parser)
    parser.add_argument(
        "-o", dest="output", metavar="OUT", help="the network: .json for solve, .jsimg or .jmva"
    )


def _network(call: Call) -> int:
    from app.cli_network import network_of_file

    arguments = call.arguments
    text = network_of_file(
        arguments.file, arguments.scenario, arguments.output, as_json=arguments.json
    )
    return call.printed(text)


def _declare_import(parser: argparse.ArgumentParser) -> None:
    from db.importers.registry import importers

    kinds = tuple(importers())
    parser.add_argument("files", metavar="FILE", nargs="+", help="files, folders or archives")
    parser.add_argument("-o", dest="output", metavar="OUT", help="scenario (.json) or project")
    parser.add_argument("--as", dest="kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="PROFILE.toml",
        help="what the columns of a table are; may be repeated, for several tables",
    )
    parser.add_argument("--powered-off", choices=("leave", "take"), default="leave")
    parser.add_argument(
        "--disk",
        choices=("provisioned", "disks", "used", "consumed"),
        default="provisioned",
        help="which figure is a VM's space",
    )
    parser.add_argument(
        "--percentile",
        choices=("mean", "50", "90", "95", "99", "100"),
        default="95",
        help="of what was measured over time",
    )
    parser.add_argument(
        "--pseudonyms", action="store_true", help="invented names, the real ones in a file beside"
    )
    parser.add_argument(
        "--confirm",
        action="append",
        default=[],
        metavar="VM=KIND[:USERS]",
        help="what a VM that may be Domino or Sametime is, and its active users; may be repeated",
    )
    _declare_json(parser)


def _import(call: Call) -> int:
    from app.cli_import import import_files

    return call.printed(import_files(call.arguments))


def _validate(call: Call) -> int:
    from app.calibrated import shipped_validation
    from app.cli_validate import validation_json, validation_text
    from models.version import MODEL_VERSION

    validation = shipped_validation()
    if call.arguments.json:
        call.out.write(validation_json(validation, model_version=MODEL_VERSION) + "\n")
    else:
        call.tell_line(validation_text(validation))
    return DONE


def _declare_calibrate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", dest="output", metavar="OUT.json", help="by default to stdout")
    parser.add_argument(
        "--accuracy", action="store_true", help="the accuracy of its fit instead, by refits"
    )
    parser.add_argument(
        "--site", metavar="FILE", help="shift this scenario’s demands by what was measured of it"
    )
    _declare_measured(parser)


def _declare_measured(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--measured", metavar="MEASURED", help="JSON of servers, or a file that import reads"
    )
    parser.add_argument("--scenario", metavar="NAME", help="by default the baseline or the first")
    parser.add_argument(
        "--percentile",
        choices=("mean", "50", "90", "95", "99", "100"),
        default="95",
        help="of measured series",
    )
    _declare_json(parser)


def _percentile(call: Call) -> int:
    word = call.arguments.percentile
    return 0 if word == "mean" else int(word)


def _calibrate(call: Call) -> int:
    from app.cli_calibrate import accuracy_text, calibration_text
    from db.atomic import write_atomically

    output = call.arguments.output
    if call.arguments.site is not None or call.arguments.measured is not None:
        return _calibrate_site(call)
    text = accuracy_text() if call.arguments.accuracy else calibration_text()
    if output is None:
        call.out.write(text)
        return DONE
    write_atomically(output, text.encode())
    call.tell_line(say("wrote {file}", file=output))
    return DONE


def _calibrate_site(call: Call) -> int:
    from app.cli_site import calibrate_site

    arguments = call.arguments
    for option in ("site", "measured", "output"):
        if getattr(arguments, option) is None:
            name = "-o" if option == "output" else f"--{option}"
            raise Usage(say("{option} is missing", option=name))
    text = calibrate_site(
        arguments.site,
        arguments.measured,
        arguments.output,
        name=arguments.scenario,
        percentile=_percentile(call),
        as_json=arguments.json,
    )
    return call.printed(text)


def _declare_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="project or scenario file")
    _declare_measured(parser)
    parser.add_argument(
        "-o", dest="output", metavar="OUT", help="the same with what was measured, to be kept"
    )


def _score(call: Call) -> int:
    from app.cli_score import score_file

    arguments = call.arguments
    text = score_file(
        arguments.file,
        arguments.measured,
        arguments.output,
        name=arguments.scenario,
        percentile=_percentile(call),
        as_json=arguments.json,
    )
    return call.printed(text)


def _declare_ask(parser: argparse.ArgumentParser) -> None:
    _declare_scenario(parser)
    parser.add_argument("-o", dest="output", metavar="OUT", help="a request to send, .pdf or .txt")


def _ask(call: Call) -> int:
    from app.cli_ask import ask_about

    arguments = call.arguments
    text = ask_about(
        arguments.file,
        arguments.scenario,
        arguments.output,
        as_json=arguments.json,
        language=call.language,
    )
    return call.printed(text)


def _bench(call: Call) -> int:
    from app.bench import run

    return run(call.arguments.json, call.out)


def _version(call: Call) -> int:
    from models.version import MODEL_VERSION

    call.out.write(f"{PROGRAM} {__version__}, model {MODEL_VERSION}\n")
    return DONE


COMMANDS = (
    Command("evaluate", "predict one scenario", _declare_scenario, _evaluate),
    Command("import", "read what a customer hands over", _declare_import, _import),
    Command("failures", "show what each failure does", _declare_failures, _failures),
    Command("study", "show Domino clusters, designs and storms", _declare_study, _study),
    Command("compare", "show what differs between scenarios", _declare_compare, _compare),
    Command("advise", "ask the tools of the published documents", _declare_advise, _advise),
    Command("report", "write the sizing proposal", _declare_report, _report),
    Command("size", "what to buy, and what else would do", _declare_size, _size),
    Command("place", "where the VMs had better stand", _declare_place, _place),
    Command("grow", "the years ahead: what runs out when", _declare_grow, _grow),
    Command("sensitivity", "what moves a number most", _declare_sensitivity, _sensitivity),
    Command("simulate", "the chance that a design holds", _declare_simulate, _simulate),
    Command("sweep", "a parameter study, on all cores or a cluster", _declare_sweep, _sweep),
    Command("template", "copy the look of a proposal", _declare_template, _template),
    Command("check", "is a file sound, and do its numbers still follow", _declare_check, _check),
    Command("validate", "refit with points held out: the accuracy table", _declare_json, _validate),
    Command("solve", "solve queueing networks", _declare_solve, _solve),
    Command("network", "a scenario as a queueing network", _declare_network, _network),
    Command(
        "convert", "scenario file to project and back, by the endings", _declare_convert, _convert
    ),
    Command("schema", "print the JSON Schema of a scenario file", _declare_nothing, _schema),
    Command("examples", "list or copy the worked examples", _declare_examples, _examples),
    Command("calibrate", "fit the model to the shipped evidence", _declare_calibrate, _calibrate),
    Command("ask", "what to find out next, with the commands", _declare_ask, _ask),
    Command("score", "predicted against measured", _declare_score, _score),
    Command("bench", "time the core", _declare_json, _bench),
)
