"""The house's rules as code: who may import whom, what the model may not call, what text may hold.

Everything works on values (`Source`, `Tree`), so that test_architecture.py can show on a few lines
of made-up code that each rule bites, before it asks the real tree.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeGuard

FOLDERS = ("app", "db", "models", "resources")
STDLIB = frozenset(sys.stdlib_module_names)
NETWORK = frozenset(
    {
        *("asyncio", "ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "socketserver"),
        *("ssl", "urllib.request", "webbrowser", "wsgiref", "xmlrpc"),
        *("PySide6.QtNetwork", "PySide6.QtNetworkAuth", "PySide6.QtWebSockets"),
    }
)
IMPURE = frozenset(
    {
        *("builtins", "ctypes", "fileinput", "getpass", "glob", "importlib", "io", "linecache"),
        *("locale", "logging", "mmap", "multiprocessing", "os", "pathlib", "platform", "random"),
        *("secrets", "shelve", "shutil", "signal", "sqlite3", "subprocess", "sys", "tempfile"),
        *("time", "tkinter", "zipfile"),
    }
)
# The whole rule of the folders: which roots each may import beside the standard library.
ALLOWED: Mapping[str, frozenset[str]] = {
    "models": frozenset({"models", "numpy"}),
    "db": frozenset({"db", "models", "msgspec", "numpy", "python_calamine"}),
    "resources": frozenset({"models", "resources"}),
    "app": frozenset(
        {
            *("app", "db", "models", "resources"),
            *("PySide6", "docx", "msgspec", "numpy", "platformdirs", "pyqtgraph", "shiboken6"),
            *("typst", "xlsxwriter"),
            # Used where they are installed, by studies alone.
            *("distributed", "pyarrow"),
        }
    ),
}
DENIED: Mapping[str, frozenset[str]] = {
    "models": NETWORK | IMPURE,
    "db": NETWORK,
    "resources": NETWORK | {"logging", "sqlite3"},
    "app": NETWORK | {"sqlite3"},
}
# One file speaks pyqtgraph; the rest of the program speaks its words.
PLOTS = "app.widgets.plots.canvas"
# Inside app, downward only; what stands on one line may know each other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("app.__main__",),
    ("app.windows",),
    ("app.widgets",),
    ("app.qtmodels",),
    ("app.session", "app.edits", "app.report", "app.cli"),
    ("app.work", "app.theme", "app.mime"),
)
# Where a bare `except Exception` is the point: the border of a job. `sys.excepthook` needs none.
LAST_RESORT = "app.work"

IMPURE_CALLS = re.compile(
    r"(print|input|open|exec|eval|compile|breakpoint|__import__"
    r"|datetime\.(date|datetime)\.(now|today|utcnow)"
    r"|uuid\.uuid[14]"
    r"|numpy\.(load|save|savez|savez_compressed|loadtxt|savetxt|genfromtxt|fromfile|memmap"
    r"|seterr|set_printoptions)"
    r"|numpy\.random\.(?!default_rng|Generator|SeedSequence|PCG64|Philox|BitGenerator)\w+)"
)
LONGEST_FUNCTION = 50


@dataclass(frozen=True)
class Violation:
    """Where a rule is broken and how, as one clickable line."""

    module: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Import:
    """One imported name, absolute: `from a.b import c` is `a.b.c`."""

    target: str
    line: int


@dataclass(frozen=True)
class Source:
    """A module's dotted name and its text; a package is named by its folder."""

    module: str
    text: str
    is_package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed text."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of the tree, which each rule looks through: to walk takes longer than to look."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """Every import, also inside functions and `if TYPE_CHECKING`, also by constant string."""
        return tuple(self._walk_imports())

    def _walk_imports(self) -> Iterator[Import]:
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (Import(alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._absolute(node)
                yield from (Import(f"{base}.{alias.name}", node.lineno) for alias in node.names)
            elif isinstance(node, ast.Call) and _is_dynamic_import(node):
                yield Import(_constant(node.args), node.lineno)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.module.split(".")
        up = node.level - 1 if self.is_package else node.level
        return ".".join([*parts[: len(parts) - up], *([node.module] if node.module else [])])


def _is_dynamic_import(node: ast.Call) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else _name(node.func)
    return name in ("import_module", "__import__") and bool(_constant(node.args))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _constant(arguments: list[ast.expr]) -> str:
    first = arguments[0] if arguments else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def is_under(name: str, roots: Iterable[str]) -> bool:
    """Whether a dotted name is one of `roots` or inside one."""
    parts = name.split(".")
    return not {".".join(parts[:end]) for end in range(1, len(parts) + 1)}.isdisjoint(roots)


# ---------------------------------------------------------------------------- who imports whom


def folder_violations(source: Source) -> Iterator[Violation]:
    """Imports that the module's folder may not make."""
    folder = source.module.split(".", maxsplit=1)[0]
    if folder not in ALLOWED:
        return
    roots = STDLIB | ALLOWED[folder]
    for imported in source.imports:
        known = is_under(imported.target, roots)
        if not known or is_under(imported.target, DENIED[folder]):
            text = f"{folder} may not import {imported.target}"
            yield Violation(source.module, imported.line, text)


def between_tests_violations(source: Source) -> Iterator[Violation]:
    """Who imports a module of tests or a conftest: what several need is a module of its own."""
    for imported in source.imports:
        parts = imported.target.split(".")
        if parts[0] == "tests" and any(p.startswith("test_") or p == "conftest" for p in parts):
            yield Violation(source.module, imported.line, f"imports {imported.target}")


def plots_violations(source: Source) -> Iterator[Violation]:
    """Imports of pyqtgraph outside the one file that speaks it."""
    for imported in source.imports:
        if is_under(imported.target, ["pyqtgraph"]) and source.module != PLOTS:
            yield Violation(source.module, imported.line, f"only {PLOTS} may import pyqtgraph")


def import_graph(sources: Collection[Source]) -> dict[str, dict[str, int]]:
    """Module -> module it imports -> line, for the modules at hand.

    A name imported from a package is the module of that name if there is one, else the package.
    """
    modules = {source.module for source in sources}
    graph: dict[str, dict[str, int]] = {module: {} for module in modules}
    for source in sources:
        for imported in source.imports:
            target = _known_module(imported.target, modules)
            if target and target != source.module:
                graph[source.module].setdefault(target, imported.line)
    return graph


def _known_module(target: str, modules: Collection[str]) -> str | None:
    while target:
        if target in modules:
            return target
        target = target.rpartition(".")[0]
    return None


def layer_of(module: str) -> int | None:
    """The floor of a module of app, 0 at the top; None for the rooms beside the stairs."""
    return next((at for at, names in enumerate(LAYERS) if is_under(module, names)), None)


def layer_violations(sources: Collection[Source]) -> Iterator[Violation]:
    """Ways, direct or through modules of no layer, from a lower layer of app to a higher one."""
    graph = import_graph(sources)
    for start in graph:
        floor = layer_of(start)
        if floor is None:
            continue
        for way in _ways_through_unlayered(graph, start):
            above = layer_of(way[-1])
            if above is not None and above < floor:
                text = f"imports upward: {' -> '.join(way)}"
                yield Violation(start, graph[start][way[1]], text)


def _ways_through_unlayered(
    graph: Mapping[str, Mapping[str, int]], start: str
) -> Iterator[list[str]]:
    """Ways from `start` to the first layered modules, each end once."""
    seen, ways = {start}, [[start]]
    while ways:
        way = ways.pop()
        for step in graph[way[-1]]:
            if step in seen:
                continue
            seen.add(step)
            yield [*way, step]
            if layer_of(step) is None:
                ways.append([*way, step])


def cycles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups of nodes that reach each other, each sorted (by repeated search; graphs are small)."""
    reach = {node: _reachable(graph, node) for node in graph}
    groups = {
        tuple(sorted(other for other in reach[node] if node in reach[other]))
        for node in graph
        if node in reach[node]
    }
    return [list(group) for group in sorted(groups)]


def _reachable(graph: Mapping[str, Iterable[str]], start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        for step in graph[todo.pop()]:
            if step not in found:
                found.add(step)
                todo.append(step)
    return found


def package_graphs(graph: Mapping[str, Iterable[str]]) -> dict[str, dict[str, set[str]]]:
    """Per package, the imports between its children, whole subpackages taken as one."""
    packages = {package for module in graph for package in _ancestors(module)}
    return {package: _between_children(graph, package) for package in sorted(packages)}


def _ancestors(module: str) -> list[str]:
    parts = module.split(".")[:-1]
    return ["", *(".".join(parts[: at + 1]) for at in range(len(parts)))]


def _between_children(graph: Mapping[str, Iterable[str]], package: str) -> dict[str, set[str]]:
    children: dict[str, set[str]] = {}
    for module, targets in graph.items():
        source = _child(module, package)
        if source is None:
            continue
        found = {_child(target, package) for target in targets} - {None, source}
        children.setdefault(source, set()).update(t for t in found if t is not None)
    for name in {t for targets in children.values() for t in targets}:
        children.setdefault(name, set())
    return children


def _child(module: str, package: str) -> str | None:
    prefix = package + "." if package else ""
    if not module.startswith(prefix):
        return None
    return prefix + module.removeprefix(prefix).split(".", maxsplit=1)[0]


def cycle_violations(sources: Collection[Source]) -> Iterator[Violation]:
    """Circles of modules, and circles of subpackages whose modules make none."""
    graph = import_graph(sources)
    for group in cycles(graph):
        yield Violation(group[0], 1, f"modules import in a circle: {', '.join(group)}")
    for package, children in package_graphs(graph).items():
        for group in cycles(children):
            text = f"parts import in a circle: {', '.join(group)}"
            yield Violation(package or "the whole", 1, text)


# ---------------------------------------------------------------------------- what is called


def purity_violations(source: Source) -> Iterator[Violation]:
    """Calls in models that touch files, screen, clock or global chance."""
    aliases = _aliases(source)
    for node in source.nodes:
        if not isinstance(node, ast.Call):
            continue
        name = _full_name(node.func, aliases)
        if IMPURE_CALLS.fullmatch(name):
            yield Violation(source.module, node.lineno, f"models may not call {name}()")
        elif name == "numpy.random.default_rng" and not (node.args or node.keywords):
            text = "a generator without seed can't be repeated"
            yield Violation(source.module, node.lineno, text)


def _aliases(source: Source) -> dict[str, str]:
    """Local name -> full name of everything that the module imports."""
    names: dict[str, str] = {}
    for node in source.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".", maxsplit=1)[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _full_name(node: ast.expr, aliases: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        owner = _full_name(node.value, aliases)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def blind_except_violations(source: Source) -> Iterator[Violation]:
    """Handlers that swallow our own bugs outside the one place made for it."""
    if source.module == LAST_RESORT:
        return
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler) and _is_blind(node.type):
            yield Violation(source.module, node.lineno, "catches every exception")


def _is_blind(caught: ast.expr | None) -> bool:
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        name is None or (isinstance(name, ast.Name) and name.id in ("Exception", "BaseException"))
        for name in names
    )


def connection_violations(source: Source) -> Iterator[Violation]:
    """Signals connected to what keeps a widget alive for ever: lambdas, partials, inner functions
    that know `self`. Bound methods don't; `sender()` and properties tell what else is to be known.
    """
    functions = source.nodes if "connect" in source.text else ()
    for function in functions:
        if not isinstance(function, ast.FunctionDef | ast.Module):
            continue
        inner = {each.name for each in function.body if _knows_self(each)}
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and _is_connect(node.func):
                for given in node.args:
                    if isinstance(given, ast.Name) and given.id in inner:
                        text = f"connects the inner function {given.id}, which holds self"
                        yield Violation(source.module, node.lineno, text)
                    elif isinstance(function, ast.Module) and _holds(given):
                        text = "connects a lambda or partial, which holds what it names"
                        yield Violation(source.module, node.lineno, text)


def _knows_self(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Name) and each.id == "self" for each in ast.walk(node)
    )


def _is_connect(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr == "connect"


def _holds(given: ast.expr) -> bool:
    if isinstance(given, ast.Lambda):
        return True
    called = given.func if isinstance(given, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name == "partial"


# ---------------------------------------------------------------------------- no test is in a hurry


def hurry_violations(source: Source) -> Iterator[Violation]:
    """What depends on how fast a machine is: clocks, sleeps, and waits with an end of their own."""
    aliases = _aliases(source)
    for node in source.nodes:
        if not isinstance(node, ast.Call | ast.Name):
            continue
        name = _full_name(node.func if isinstance(node, ast.Call) else node, aliases)
        if name in CLOCKS:
            yield Violation(source.module, node.lineno, f"looks at the clock by {name}")
        elif name.rpartition(".")[2].startswith("wait") and isinstance(node, ast.Call):
            ends = (given for given in node.keywords if given.arg == "timeout")
            for _ in ends:
                yield Violation(source.module, node.lineno, "waits shorter than patience allows")


CLOCKS = {f"time.{name}" for name in ("sleep", "time", "monotonic", "perf_counter", "process_time")}


# ---------------------------------------------------------------------------- how long it is


def length_violations(source: Source) -> Iterator[Violation]:
    """Functions of more than 50 lines of code; docstrings, comments, blank lines don't count."""
    code: set[int] = set()
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if (node.end_lineno or 0) - node.lineno < LONGEST_FUNCTION:
                continue
            code = code or _code_lines(source.text)
            lines = len(code & set(range(node.lineno, (node.end_lineno or 0) + 1)))
            lines -= len(code & _docstring_lines(node))
            if lines > LONGEST_FUNCTION:
                yield Violation(source.module, node.lineno, f"{node.name} has {lines} lines")


def _code_lines(text: str) -> set[int]:
    skipped = (
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
        *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
    )
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[int]:
    if ast.get_docstring(node, clean=False) is None:
        return set()
    first = node.body[0]
    return set(range(first.lineno, (first.end_lineno or 0) + 1))


# ---------------------------------------------------------------------------- what text may hold

# Put together here, so that this file does not hold what it looks for.
_HOSTS = (
    *("py" + "pi.org", "python" + "hosted.org", "py" + "pi.python.org"),
    *("pkg" + ".dev", "jfrog" + ".io", "anaconda" + ".org", "npm" + "js.org", "npm" + "js.com"),
)
_MACHINE_PATH = re.compile(r"(?<![\w.~>)}\]%-])/(work|root|tmp|mnt|Users|home)/[\w.-]")
_WINDOWS_PATH = re.compile(r"[A-Za-z]:\\{1,2}Users\\{1,2}\w")


def text_violations(name: str, text: str) -> Iterator[Violation]:
    """Addresses of package registries and paths of one person's machine."""
    for number, line in enumerate(text.splitlines(), start=1):
        small = line.lower()
        for host in _HOSTS:
            if host in small:
                yield Violation(name, number, f"names a package registry: {host}")
        for path in (_MACHINE_PATH, _WINDOWS_PATH):
            if found := path.search(line):
                yield Violation(name, number, f"names a path of one machine: {found[0]}…")


# ---------------------------------------------------------------------------- the real tree


@dataclass(frozen=True)
class Tree:
    """A checkout on disk."""

    root: Path

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Every module of the four folders."""
        paths = sorted(p for folder in FOLDERS for p in (self.root / folder).rglob("*.py"))
        return tuple(self._source(path) for path in paths)

    def _source(self, path: Path) -> Source:
        parts = path.relative_to(self.root).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        return Source(name, path.read_text(encoding="utf-8"), is_package)

    def tracked_files(self) -> list[Path]:
        """What git tracks here; in a copy without git, everything but what tools make."""
        try:
            listed = subprocess.run(
                ["git", "-C", str(self.root), "ls-files", "-z"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        except (OSError, subprocess.CalledProcessError):
            return [p for p in self.root.rglob("*") if p.is_file() and not self._is_made(p)]
        paths = (self.root / name for name in listed.split("\0") if name)
        return [path for path in paths if path.is_file()]

    def _is_made(self, path: Path) -> bool:
        parts = path.relative_to(self.root).parts
        return any(part in ("build", "dist", "out", "__pycache__") for part in parts) or any(
            part.startswith(".") and part.endswith(("cache", "venv", "git", "hypothesis"))
            for part in parts
        )

    def texts(self) -> Iterator[tuple[str, str]]:
        """Name and content of each tracked text file; what is not UTF-8 is no text of ours."""
        for path in self.tracked_files():
            try:
                yield path.relative_to(self.root).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
