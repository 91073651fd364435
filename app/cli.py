"""The command line: what each command takes, and who does its work.

Exit status: 0 done, 2 bad input or usage with one line on `err` and nothing written, 1 likewise
where the machine fails. A failure of the program is not caught here: `app.crash` turns it into one
sentence and status 1. Commands import what they need when they run; none needs Qt but those that
`Windows` does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TextIO

from app import __version__
from app.cli_text import text_lines
from app.language import ENGLISH, Language, language_of, names
from db.errors import MachineProblem, StoreError
from models.base.errors import ModelError
from models.base.lettering import MARKS, visible
from models.base.texts import SpokenError, joined, said, say, say_many

if TYPE_CHECKING:
    from models.prices.book import PriceBook
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
    language: Language

    def tell(self, text: str) -> None:
        """To people at a terminal, which direction marks would turn around."""
        self.out.write(visible(said(text, self.language)))

    def tell_line(self, text: str) -> None:
        self.tell(text_lines([text]))

    def hears(self, text: str) -> None:
        """What is found before the answer is whole."""
        self.err.write(_one_line(said(text, self.language)) + "\n")
        self.err.flush()

    def hears_of(self, share: float) -> None:
        """How much is done, for who looks on."""
        if self.err.isatty():
            self.err.write(f"\r{share:.0%} \r")
            self.err.flush()

    def wrote(self, file: str) -> None:
        self.tell_line(say("wrote {file}", file=file))

    def prints(self, work: Callable[..., str], *without: str, **more: Any) -> int:
        """What `work` makes of the arguments, which are called as its parameters are: for people,
        or as JSON, which has names as they are and one language.

        Args:
            without: arguments that it does not take; `more`: what it takes besides.
        """
        apart = {"language", *without}
        given = {name: each for name, each in vars(self.arguments).items() if name not in apart}
        text = work(**given, **more)
        if self.arguments.as_json:
            self.out.write(text)
        else:
            self.tell(text)
        return DONE


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as `argparse` declares it.

    Attributes:
        offers: words that can be chosen, where they have to be imported; help lists them.
    """

    names: tuple[str, ...]
    options: Mapping[str, Any]
    offers: Callable[[], tuple[str, ...]] | None = None

    def declare(self, parser: argparse.ArgumentParser) -> None:
        options = dict(self.options)
        if self.offers is not None:
            choices = self.offers()
            options |= {"choices": choices, "help": options["help"] + ", ".join(choices)}
        parser.add_argument(*self.names, **options)


def arg(
    *names: str, offers: Callable[[], tuple[str, ...]] | None = None, **options: Any
) -> Argument:
    return Argument(names, options, offers)


@dataclass(frozen=True, slots=True)
class Command:
    """A command: one line about it, its arguments, and the function that runs it.

    Attributes:
        shape: what a file for it is called, and an example of one, where it prints these too.
    """

    name: str
    about: str
    arguments: tuple[Argument, ...]
    shape: tuple[str, str] | None
    run: Callable[[Call], int]

    def declare(self, parser: argparse.ArgumentParser) -> None:
        for each in self.arguments:
            each.declare(parser)
        if self.shape is not None:
            what, example = self.shape
            one = parser.add_mutually_exclusive_group()
            schema = f"print the JSON Schema of {what}"
            one.add_argument("--schema", action="store_true", help=schema)
            one.add_argument("--example", action="store_true", help=f"print {example}")


COMMANDS: list[Command] = []
"""In the order in which help lists them."""

Run = Callable[[Call], int]


def command(
    name: str, about: str, *arguments: Argument, shape: tuple[str, str] | None = None
) -> Callable[[Run], Run]:
    """Makes a function a command; it imports what does the work."""

    def enter(run: Run) -> Run:
        COMMANDS.append(Command(name, about, arguments, shape, run))
        return run

    return enter


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
        return _run_unnamed(argv, out, windows)
    parser = _Parser(prog=f"{PROGRAM} {named.name}", description=named.about, allow_abbrev=False)
    named.declare(parser)
    parser.add_argument(LANGUAGE, choices=tuple(names()), help="of what people read; JSON has none")
    arguments = _parsed(parser, argv[1:], out)
    return DONE if arguments is None else named.run(Call(arguments, out, err, language))


def _run_unnamed(argv: Sequence[str], out: TextIO, windows: Windows) -> int:
    """No command: the window, or one of the options that stand alone."""
    parser = _main_parser()
    arguments = _parsed(parser, argv, out)
    if arguments is None:
        return DONE
    if arguments.version:
        from models.version import MODEL_VERSION

        out.write(f"{PROGRAM} {__version__}, model {MODEL_VERSION}\n")
        return DONE
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


# --- arguments that several commands have -----------------------------------------------------


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


def _above_zero(text: str, most: float, wrong: str) -> float:
    with suppress(ValueError):
        if 0 < (value := float(text)) <= most:
            return value
    raise argparse.ArgumentTypeError(wrong)


_FILE = arg("path", metavar="FILE", help="project or scenario file")
_NAME = arg("--scenario", dest="name", metavar="NAME", help="by default the baseline or the first")
_JSON = arg("--json", dest="as_json", action="store_true", help="one JSON object")
_SCENARIO = (_FILE, _NAME, _JSON)
_PERCENTILES = ("mean", "50", "90", "95", "99", "100")


def _several(*names: str, metavar: str, help: str, **options: Any) -> Argument:
    return arg(*names, metavar=metavar, help=help, action="append", default=[], **options)


_MEASURED = (
    arg("--measured", metavar="MEASURED", help="JSON of servers, or a file that import reads"),
    _NAME,
    arg("--percentile", choices=_PERCENTILES, default="95", help="of measured series"),
    _several(
        "--same",
        metavar="VM=NAME",
        help="which VM was measured under another name, =NAME none; may be repeated",
    ),
    _JSON,
)


def _output(metavar: str, help: str, **options: Any) -> Argument:
    return arg("-o", dest="output", metavar=metavar, help=help, **options)


_PRICES = arg("--prices", metavar="PRICES", help="price book (.xlsx, .csv), as `prices` reads it")
_YEARS = arg(
    "--years",
    type=partial(_whole, 1, 30),
    metavar="N",
    help="over which costs are summed; by default as planned, else 5",
)


# --- one scenario, and several ----------------------------------------------------------------


@command("evaluate", "predict one scenario", *_SCENARIO)
def _evaluate(call: Call) -> int:
    from app.cli_evaluate import evaluate_file

    return call.prints(evaluate_file)


def _kinds() -> tuple[str, ...]:
    from db.importers.registry import importers

    return tuple(importers())


@command(
    "import",
    "read what a customer hands over",
    arg("files", metavar="FILE", nargs="*", help="files, folders or archives"),
    _output("OUT", "scenario (.json) or project"),
    arg(
        "--totals",
        metavar="TOTALS",
        help="totals of VMs of which there is no list, such as "
        "vms=412,vcpus=1640,ram_gib=6349,disk_gib=92160,iops=18000,cpu_mhz=700000",
    ),
    arg("--as", dest="kind", metavar="KIND", help="", offers=_kinds),
    _several(
        "--columns",
        metavar="PROFILE.toml",
        help="what the columns of a table are; may be repeated, for several tables",
    ),
    arg("--powered-off", choices=("leave", "take"), default="leave"),
    arg(
        "--disk",
        choices=("provisioned", "disks", "used", "consumed"),
        help="which figure is a VM's space; without it what is provisioned, but what is used where "
        "the data stores hold less",
    ),
    arg(
        "--memory",
        choices=("configured", "consumed", "active"),
        help="the same of memory, on hosts; without it what is configured, but what is consumed "
        "where they have less",
    ),
    arg("--percentile", choices=_PERCENTILES, default="95", help="of what was measured over time"),
    arg("--pseudonyms", action="store_true", help="invented names, the real ones in a file beside"),
    _several(
        "--same",
        metavar="VM=NAME",
        help="which VM or host goes by another name, =NAME none; may be repeated",
    ),
    _several(
        "--power",
        metavar="WORD=on|off",
        help="what a word of the files says of a VM's power; may be repeated, =off an empty cell",
    ),
    arg(
        "--right-size",
        choices=("as-they-are", "measured", "active"),
        default="as-they-are",
        help="make VMs smaller that use less than they have: as was measured over time, or memory "
        "by what was active at the export, too",
    ),
    _several(
        "--assume-cpu",
        metavar="[GROUP=]MHZ|PCT%",
        help="CPU of each vCPU of VMs that nobody measured, in MHz or per cent of a core, such as "
        "15%% or 10-30%%; of a group, such as guest:*Windows*=10-30%%; may be repeated",
    ),
    _several(
        "--assume-iops",
        metavar="[GROUP=]N|N/GiB",
        help="the same of I/O, a VM or a GiB of its disks",
    ),
    _several(
        "--as-vm",
        dest="as_vms",
        metavar="NAME",
        help="a measured server that becomes a VM of its own; may be repeated",
    ),
    _several(
        "--group",
        dest="groups",
        metavar="KIND:PATTERN|list:FILE",
        help="only VMs of this guest, folder, tag, cluster, power or name, or of a list; may be "
        "repeated",
    ),
    _several("--vcenter", dest="vcenters", metavar="V", help="only this vCenter (repeatable)"),
    _several("--site", dest="sites", metavar="SITE", help="only this data center (repeatable)"),
    _several("--cluster", dest="clusters", metavar="C", help="only this cluster (repeatable)"),
    arg("--encoding", metavar="NAME", help="letters of texts, such as cp1250; else guessed"),
    _several(
        "--confirm",
        metavar="VM=KIND[:USERS]",
        help="what a VM that may be Domino or Sametime is, and its active users; may be repeated",
    ),
    _JSON,
)
def _import(call: Call) -> int:
    from app.cli_import import import_files

    unread: list[StoreError] = []
    call.prints(import_files, unread=unread)
    for problem in unread:
        call.err.write(_one_line(said(problem, call.language)) + "\n")
    return REFUSED if unread else DONE


def _modes() -> tuple[str, ...]:
    from app.cli_failures import MODE_WORDS

    return MODE_WORDS


@command(
    "failures",
    "show what each failure does",
    *_SCENARIO,
    _several("--modes", metavar="KIND", help="may be given again: ", offers=_modes),
)
def _failures(call: Call) -> int:
    from app.cli_failures import failures_of_file

    return call.prints(failures_of_file)


_SECONDS = partial(_above_zero, most=sys.float_info.max, wrong="must be a time above 0 in seconds")


@command(
    "study",
    "show Domino clusters, designs and storms",
    *_SCENARIO,
    arg(
        "--within",
        dest="within_s",
        metavar="SECONDS",
        type=_SECONDS,
        help="also the vCPUs with which each server is through its storm in this time",
    ),
)
def _study(call: Call) -> int:
    from app.cli_study import study_of_file

    return call.prints(study_of_file)


@command(
    "compare",
    "show what differs between scenarios",
    arg("paths", metavar="FILE", nargs="+", help="project or scenario files"),
    _several(
        "--scenario",
        dest="names",
        metavar="NAME",
        help="may be given again; by default the baselines, or all scenarios of one project",
    ),
    arg(
        "--against",
        choices=("first", "parent"),
        default="first",
        help="what each scenario is compared with",
    ),
    _PRICES,
    _YEARS,
    _JSON,
)
def _compare(call: Call) -> int:
    from app.cli_compare import compare_files

    return call.prints(compare_files)


# --- advice and proposal ----------------------------------------------------------------------


def _topics() -> tuple[str, ...]:
    from models.advise.topics import TOPICS

    return (*TOPICS, "overview")


@command(
    "advise",
    "ask the tools of the published documents",
    arg("topic", metavar="TOPIC", help="", offers=_topics),
    arg(
        "path",
        metavar="FILE",
        nargs="?",
        help="inputs as JSON or as text, a project or a scenario; - reads inputs from a pipe",
    ),
    _NAME,
    arg("--server", metavar="NAME", help="which server of the scenario it is about"),
    arg("--put", metavar="OUT", help="write the project with the answer put onto the board"),
    _JSON,
    arg("-o", "--output", metavar="OUT.csv", help="save the plan as CSV"),
    shape=("the inputs", "inputs that have an answer"),
)
def _advise(call: Call) -> int:
    from app.cli_advise import advice_on, example_of, schema_of

    given = call.arguments
    if given.schema or given.example:
        call.out.write((schema_of if given.schema else example_of)(given.topic))
        return DONE
    return call.prints(advice_on, "schema", "example")


@command(
    "report",
    "write the sizing proposal",
    _FILE,
    _output("OUT", "ending in .pdf, .docx, .xlsx, .html or .zip (charts)", required=True),
    arg("--paper", choices=("a4", "letter"), help="default: a4"),
    arg("--template", metavar="FILE.toml", help="logo, colours and texts of cover"),
    arg("--sections", metavar="ID,…", default="", help="which and in which order; default: all"),
    _PRICES,
    _several(
        "--advice",
        metavar="TOPIC=FILE",
        help="an appendix of migration notes by advisors; may be given again",
    ),
    _several(
        "--scenario",
        dest="names",
        metavar="NAME",
        help="may be given again; by default the baseline or the first",
    ),
    arg(
        "--cap-sheets",
        metavar="OUT.zip",
        help="beside it a page for the engineer of each server, and files for `score`",
    ),
    arg(
        "--signed",
        metavar="DAY",
        nargs="?",
        const="",
        help="once more what the window exported, the last time or on a day",
    ),
    arg(
        "--changes",
        metavar="DAY",
        nargs="?",
        const="",
        help="say what was changed since what was exported, the last time or on a day",
    ),
)
def _report(call: Call) -> int:
    from app.cli_report import (
        chosen_sections,
        write_cap_sheets,
        write_report,
        write_signed,
    )
    from app.report.build import Print
    from app.report.paper import Paper
    from app.report.template import load_template
    from app.report.typesetter import ReportError

    arguments = call.arguments
    if arguments.signed is not None:
        _refuse_beside_signed(arguments)
    template = load_template(arguments.template) if arguments.template else None
    given, names = (arguments.path, arguments.output), tuple(arguments.names)
    is_same = True
    try:
        if arguments.signed is not None:
            notice, is_same = write_signed(*given, arguments.signed, names)
        else:
            how = Print(
                now=datetime.now().astimezone(),
                language=call.language,
                paper=Paper.named(arguments.paper or Paper.A4.code),
                sections=chosen_sections(arguments.sections, priced=arguments.prices is not None),
                template=template,
                notes=_notes(arguments.advice),
                book=_book(arguments.prices),
            )
            notice = write_report(*given, names, how, arguments.changes)
            if arguments.cap_sheets is not None:
                write_cap_sheets(arguments.path, arguments.cap_sheets, names, how)
    except ReportError as failure:
        problem = joined(": ", (arguments.path, failure.text))
        call.err.write(_one_line(said(problem, call.language)) + "\n")
        return FAILED
    for each in filter(None, (arguments.output, arguments.cap_sheets)):
        call.wrote(each)
    others = "" if is_same else say("some numbers are others than then: see the appendix")
    for told in filter(None, (notice, others)):
        call.err.write(_one_line(said(told, call.language)) + "\n")
    return DONE


def _refuse_beside_signed(arguments: argparse.Namespace) -> None:
    """What was signed keeps its language, paper, look, sections and notes.

    Raises:
        StoreError: one of them is asked for.
    """
    other = {
        LANGUAGE: arguments.language,
        "--paper": arguments.paper,
        "--template": arguments.template,
        "--sections": arguments.sections,
        "--advice": arguments.advice,
        "--changes": arguments.changes is not None,
        "--prices": arguments.prices,
        "--cap-sheets": arguments.cap_sheets,
    }
    for name, given in other.items():
        if given:
            reason = say("stays as it was exported: leave this out, or leave out --signed")
            raise StoreError(reason, name)


def _book(path: str | None) -> PriceBook | None:
    """The price book that is named."""
    if path is None:
        return None
    from db.price_book import read_price_book

    return read_price_book(path)


def _notes(asked: Sequence[str]) -> tuple[Section, ...]:
    """What advisors say for a proposal; nothing is imported where nobody asks."""
    if not asked:
        return ()
    from app.cli_advise import notes_of

    return notes_of(asked)


# --- what to buy, where to place, what is ahead -------------------------------------------------


@command(
    "size",
    "what to buy, and what else would do",
    arg("path", metavar="REQUIREMENT|FILE", nargs="?", help="requirement, project, scenario"),
    _NAME,
    arg("--keep", type=partial(_whole, 1, 500), default=50, metavar="N", help="options to print"),
    _output("PROJECT", "the named ones as scenarios"),
    arg("--refresh", action="store_true", help="replace hosts, by one design a site"),
    _several("--site", dest="sites", metavar="SITE", help="of this site only (repeatable)"),
    _several("--cluster", dest="clusters", metavar="C", help="of this cluster only (repeatable)"),
    arg(
        "--older-than",
        type=partial(_above_zero, most=100, wrong="must be over 0 and up to 100"),
        metavar="YEARS",
        help="replace only hosts older than this",
    ),
    arg("--into", metavar="SITE", help="one design for all of them, at this site or cluster"),
    _PRICES,
    arg("--rank", choices=("units", "cost"), default="units", help="what the list is ordered by"),
    _YEARS,
    _JSON,
    shape=("a requirement", "a requirement that has options"),
)
def _size(call: Call) -> int:
    from app.cli_size import example_text, options_of_file, refresh_of_file, schema_text

    given = call.arguments
    if given.schema or given.example:
        call.out.write(schema_text() if given.schema else example_text())
        return DONE
    if given.path is None:
        raise StoreError(say("is missing: --example prints a requirement"), "REQUIREMENT")
    if given.refresh:
        hears = {"told": call.hears, "progress": call.hears_of}
        without = "schema", "example", "refresh", "keep"
        return call.prints(refresh_of_file, *without, **hears)
    of_refresh = given.sites, given.clusters, given.into, given.older_than
    if any(of_refresh):
        names = "--site, --cluster, --into, --older-than"
        raise StoreError(say("goes with --refresh alone"), names)
    asked = "schema", "example", "refresh", "sites", "clusters", "into", "older_than"
    return call.prints(options_of_file, *asked)


@command(
    "prices",
    "a price book, and what a design costs by it",
    arg("path", metavar="PRICES", nargs="?", help="price book (.xlsx, .csv)"),
    arg("of", metavar="FILE", nargs="?", help="project or scenario whose cost is told"),
    _NAME,
    _YEARS,
    arg("--columns", metavar="PROFILE.toml", help="what the columns of the price book are"),
    arg("--template", action="store_true", help="an empty price book, as CSV or into OUT"),
    _output("OUT", "of the template (.xlsx, .csv), or of the cost sheet (.xlsx)"),
    _JSON,
)
def _prices(call: Call) -> int:
    from app.cli_prices import prices_of_file, template_text, write_template

    given = call.arguments
    if given.template:
        if given.output is None:
            call.out.write(template_text())
        else:
            write_template(given.output)
            call.wrote(given.output)
        return DONE
    if given.path is None:
        raise StoreError(say("is missing: --template prints an empty one"), "PRICES")
    return call.prints(prices_of_file, "template")


@command(
    "place",
    "where the VMs had better stand",
    *_SCENARIO,
    arg(
        "--max-moves",
        dest="most_moves",
        type=partial(_whole, 0, 1_000_000),
        metavar="N",
        help="VMs that may move at most",
    ),
    arg(
        "--seconds",
        type=partial(_above_zero, most=3600, wrong="must be over 0 and up to 3600"),
        default=0.5,
        metavar="S",
        help="time for the search",
    ),
    arg(
        "--across",
        choices=("nothing", "clusters", "sites"),
        default="nothing",
        help="how far VMs may move: within their cluster, or further",
    ),
    _output("OUT", "project or scenario, moves made"),
)
def _place(call: Call) -> int:
    from app.cli_place import placement_of_file

    return call.prints(placement_of_file)


def _rate(name: str, help: str, low: float = -90.0) -> Argument:
    return arg(name, type=partial(_bounded, low, 1000.0), metavar="P", help=help)


@command(
    "grow",
    "the years ahead: what runs out when",
    *_SCENARIO,
    arg(
        "--years",
        type=partial(_bounded, 0.0, 30.0),
        help="to look ahead; default: those planned, or 5",
    ),
    _rate("--users-pct", "more users a year"),
    _rate("--mail-pct", "larger mail files a year"),
    _rate("--load-pct", "more work of each user a year"),
    _rate("--season-pct", "more in the season", 0.0),
    arg("--every", type=partial(_bounded, 1.0, 120.0), default=3.0, metavar="MONTHS"),
)
def _grow(call: Call) -> int:
    from app.cli_grow import growth_of_file

    return call.prints(growth_of_file)


@command(
    "sensitivity",
    "what moves a number most",
    *_SCENARIO,
    arg("--of", metavar="QUANTITY", default="load_pct", help="such as response_ms"),
    arg(
        "--map",
        nargs=2,
        metavar="INPUT",
        help="the verdict over two inputs, such as active_users mail_file_mb",
    ),
)
def _sensitivity(call: Call) -> int:
    from app.cli_chance import map_of_file, sensitivity_of_file

    if call.arguments.map:
        return call.prints(map_of_file, "of")
    return call.prints(sensitivity_of_file, "map")


@command(
    "simulate",
    "the chance that a design holds",
    *_SCENARIO,
    arg("--samples", type=partial(_whole, 10, 100_000), default=2000, metavar="N"),
    arg("--seed", type=partial(_whole, 0, 2**31), default=0, metavar="N"),
)
def _simulate(call: Call) -> int:
    from app.cli_chance import chance_of_file

    return call.prints(chance_of_file)


@command(
    "sweep",
    "a parameter study, on all cores or a cluster",
    arg("spec", metavar="SPEC.json", help="scenario, inputs and outputs"),
    _output("OUT", ".csv or .parquet", required=True),
    arg("--workers", type=partial(_whole, 1, 1024), metavar="N"),
    arg("--dask", default="", metavar="ADDRESS", help="of a Dask scheduler"),
    arg("--resume", action="store_true", help="go on where it was broken off"),
)
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


# --- files ------------------------------------------------------------------------------------


@command(
    "template",
    "copy the look of a proposal",
    arg("folder", metavar="DIR", help="where the files are put"),
)
def _template(call: Call) -> int:
    from app.report.template import copy_template

    for name in copy_template(call.arguments.folder):
        call.wrote(name)
    return DONE


@command(
    "check",
    "is a file sound, and do its numbers still follow",
    _FILE,
    _JSON,
    arg(
        "--signed",
        metavar="DAY",
        nargs="?",
        const="",
        help="and what was changed since its scenarios were exported, the last time or on a day",
    ),
)
def _check(call: Call) -> int:
    from app.cli_check import checked, checked_json, checked_text

    found = checked(call.arguments.path, call.arguments.signed)
    if call.arguments.as_json:
        call.out.write(checked_json(found))
    else:
        call.tell(checked_text(found))
    for each in found.broken:
        problem = said(joined(": ", (found.path, each)), call.language)
        call.err.write(_one_line(problem) + "\n")
    return REFUSED if found.broken else DONE


@command(
    "validate",
    "refit with points held out: the accuracy table; or that of one’s own servers",
    arg("--against", metavar="TABLE", help="CSV, XLSX or JSON of servers with what was measured"),
    arg(
        "--basis",
        choices=("production", "benchmark"),
        default="production",
        help="of the servers’ load; benchmark users count as they are",
    ),
    arg("--schema", action="store_true", help="print the JSON Schema of such a table"),
    arg("--template", metavar="OUT.csv", help="write such a table to fill in"),
    _JSON,
)
def _validate(call: Call) -> int:
    from app.cli_against import against_file, schema_text, write_template

    given = call.arguments
    if given.schema:
        call.out.write(schema_text())
        return DONE
    if given.template is not None:
        write_template(given.template)
        call.wrote(given.template)
        return DONE
    if given.against is not None:
        found = against_file(given.against, basis=given.basis, as_json=given.as_json)
        call.out.write(found) if given.as_json else call.tell(found)
        return DONE
    return _validate_shipped(call)


def _validate_shipped(call: Call) -> int:
    from app.calibrated import shipped_validation
    from app.cli_validate import validation_json, validation_text
    from models.version import MODEL_VERSION

    validation = shipped_validation()
    if call.arguments.as_json:
        call.out.write(validation_json(validation, model_version=MODEL_VERSION) + "\n")
    else:
        call.tell_line(validation_text(validation))
    return DONE


@command(
    "solve",
    "solve queueing networks",
    arg("files", metavar="NETWORK.json", nargs="+"),
    arg("--method", choices=("exact", "approximate", "auto"), default="auto"),
    arg("--json", action="store_true", help="one JSON object a line"),
)
def _solve(call: Call) -> int:
    from app.cli_solve import run

    arguments = call.arguments
    return run(arguments.files, arguments.method, arguments.json, call.out, call.err, call.language)


@command(
    "network",
    "a scenario as a queueing network",
    *_SCENARIO,
    _output("OUT", "the network: .json for solve, .jsimg or .jmva"),
)
def _network(call: Call) -> int:
    from app.cli_network import network_of_file

    return call.prints(network_of_file)


@command(
    "convert",
    "scenario file to project and back, by the endings",
    arg("source", metavar="IN", help="project or scenario file"),
    arg("target", metavar="OUT", help="ending in .headroom or .json"),
    _NAME,
)
def _convert(call: Call) -> int:
    from db.files import convert
    from resources.catalog_files import load_catalog

    arguments = call.arguments
    done = convert(
        arguments.source,
        arguments.target,
        load_catalog(),
        program_version=__version__,
        scenario=arguments.name,
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


@command("schema", "print the JSON Schema of a scenario file")
def _schema(call: Call) -> int:
    import json

    from db.codec import json_schema

    call.out.write(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
    return DONE


@command(
    "examples",
    "list or copy the worked examples",
    arg("--copy-to", metavar="DIR", help="write the example files there"),
)
def _examples(call: Call) -> int:
    from app.cli_examples import copied, listed

    folder = call.arguments.copy_to
    call.tell(listed() if folder is None else copied(folder))
    return DONE


@command(
    "projects",
    "the projects of this machine: customer, verdict, proposal",
    arg("folders", metavar="FOLDER", nargs="*", help="look there instead, and in their folders"),
    arg("--search", metavar="TEXT", help="those with these words: customer, server, VM, notes"),
    _JSON,
)
def _projects(call: Call) -> int:
    from app.cli_projects import projects_of

    return call.prints(projects_of)


# --- fits, and what was measured ----------------------------------------------------------------


@command(
    "calibrate",
    "fit the model to the shipped evidence",
    _output("OUT.json", "by default to stdout"),
    arg("--accuracy", action="store_true", help="the accuracy of its fit instead, by refits"),
    arg("--site", metavar="FILE", help="shift this scenario’s demands by what was measured of it"),
    *_MEASURED,
)
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
    call.wrote(output)
    return DONE


def _calibrate_site(call: Call) -> int:
    from app.cli_site import calibrate_site

    for option in ("site", "measured", "output"):
        if getattr(call.arguments, option) is None:
            name = "-o" if option == "output" else f"--{option}"
            raise Usage(say("{option} is missing", option=name))
    return call.prints(calibrate_site, "accuracy")


@command(
    "ask",
    "what to find out next, with the commands",
    *_SCENARIO,
    _output("OUT", "a request to send, .pdf or .txt"),
)
def _ask(call: Call) -> int:
    from app.cli_ask import ask_about

    return call.prints(ask_about, tongue=call.language)


@command(
    "score",
    "predicted against measured",
    _FILE,
    *_MEASURED,
    _output("OUT", "the same with what was measured, to be kept"),
)
def _score(call: Call) -> int:
    from app.cli_score import score_file

    return call.prints(score_file)


@command(
    "registry",
    "scores of several projects, added up without names",
    arg("files", metavar="SCORE.json", nargs="+", help="of score --json, or a registry"),
    _output("REGISTRY.json", "the registry, to be kept and added to"),
    arg("--site", metavar="FILE", help="a scenario to take the change into"),
    arg("--take", metavar="OUT", help="that scenario with its demands shifted"),
    _JSON,
)
def _registry(call: Call) -> int:
    from app.cli_registry import registry_of_files

    return call.prints(registry_of_files)


@command("bench", "time the core", _JSON)
def _bench(call: Call) -> int:
    from app.bench import run

    return run(call.arguments.as_json, call.out)
