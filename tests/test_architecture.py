"""The dependency rule and its like hold, and the checker sees it when they don't."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests import architecture
from tests.architecture import Source, Tree, Violation

TREE = Tree(Path(__file__).resolve().parent.parent)


def source(module: str, text: str) -> Source:
    """A made-up module; `a.b.__init__` is the package a.b."""
    name = module.removesuffix(".__init__")
    return Source(name, text, is_package=name != module)


def tree(**texts: str) -> list[Source]:
    """Made-up modules by name, with `__` for the dot."""
    return [source(name.replace("__", "."), text) for name, text in texts.items()]


def show(violations: Iterable[Violation]) -> str:
    return "\n".join(map(str, violations))


# ---------------------------------------------------------------------------- the real tree

PER_MODULE: tuple[Callable[[Source], Iterator[Violation]], ...] = (
    architecture.folder_violations,
    architecture.plots_violations,
    architecture.blind_except_violations,
    architecture.connection_violations,
    architecture.length_violations,
)


@pytest.mark.parametrize("rule", PER_MODULE, ids=lambda rule: rule.__name__)
def test_every_module_keeps(rule: Callable[[Source], Iterator[Violation]]) -> None:
    assert not show(found for one in TREE.sources for found in rule(one))


def test_models_are_pure() -> None:
    models = [one for one in TREE.sources if architecture.is_under(one.module, ["models"])]
    assert models
    assert not show(v for one in models for v in architecture.purity_violations(one))


def test_app_imports_downward() -> None:
    assert not show(architecture.layer_violations(TREE.sources))


def test_no_circles() -> None:
    assert not show(architecture.cycle_violations(TREE.sources))


SOLVER = ("models.queueing", "models.second_opinion")
ASKS_IT = {
    *("models.tell.second_opinion", "db.jmt", "db.opinion", "db.importers.network"),
    *("app.cli_solve", "app.cli_network", "app.opinion", "app.bench_queueing"),
    *("app.widgets.evidence.opinion_tab", "app.widgets.chart_pages.curve"),
}
"""Who asks the solver of queueing networks: the second opinion, its surfaces, files of networks."""


def test_the_solver_is_asked_by_nothing_that_predicts() -> None:
    """Predictions are closed forms; the network stands beside them."""
    asking = {
        one.module
        for one in TREE.sources
        if not architecture.is_under(one.module, SOLVER)
        and any(architecture.is_under(each.target, SOLVER) for each in one.imports)
    }
    assert asking == ASKS_IT


def test_packaging_does_not_shadow_its_namesake() -> None:
    """`packaging` is also a distribution that the tools import: the folder must be no package."""
    assert not (TREE.root / "packaging" / "__init__.py").exists()


def test_every_docstring_can_be_written_as_utf_8() -> None:
    """From Python 3.13 on a module with half a surrogate pair in a docstring can't be compiled."""
    assert not [
        f"{one.module}:{node.lineno}"
        for one in TREE.sources
        if "\\ud" in one.text
        for node in one.nodes
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        if any("\ud800" <= letter <= "\udfff" for letter in ast.get_docstring(node) or "")
    ]


def test_tests_are_imported_by_nobody() -> None:
    assert not [
        f"{one.module}:{imported.line}"
        for one in TREE.sources
        for imported in one.imports
        if architecture.is_under(imported.target, ["tests"])
    ]


@cache
def modules_of_tests() -> list[Source]:
    files = sorted((TREE.root / "tests").rglob("*.py"))
    names = [".".join(file.relative_to(TREE.root).with_suffix("").parts) for file in files]
    assert len(files) > 100
    return [
        source(name, file.read_text(encoding="utf-8"))
        for name, file in zip(names, files, strict=True)
    ]


def test_modules_of_tests_do_not_import_each_other() -> None:
    found = map(architecture.between_tests_violations, modules_of_tests())
    assert not show(violation for each in found for violation in each)


def test_no_test_is_in_a_hurry() -> None:
    """Those of `tests/slow` measure; the window of the goldens is read in a process of its own;
    reliability counts seconds of the processor, a hundred times what a file takes."""
    free = ["tests.slow", "tests.golden", "tests.conftest", "tests.db.reliability"]
    found = [
        violation
        for each in modules_of_tests()
        if not architecture.is_under(each.module, free)
        for violation in architecture.hurry_violations(each)
    ]
    assert not show(found)


@pytest.mark.parametrize(
    "text",
    [
        "import time\ntime.sleep(1)",
        "from time import perf_counter as now\nstart = now()",
        "from time import monotonic\nf(clock=monotonic)",
        "def test(qtbot):\n    qtbot.waitUntil(is_there, timeout=15_000)",
        "with qtbot.waitSignal(a.b, timeout=1):\n    pass",
    ],
)
def test_hurry_is_seen(text: str) -> None:
    assert list(architecture.hurry_violations(source("tests.app.test_facts", text)))


def test_patience_is_let_through() -> None:
    text = "import time\ntime.strptime(a, b)\nqtbot.waitUntil(is_there)\nnever.wait(60)\n"
    assert not list(architecture.hurry_violations(source("tests.app.test_facts", text)))


@pytest.mark.parametrize(
    "text",
    [
        "from tests.app.test_cli import call",
        "from tests.app import test_cli as cli",
        "import tests.app.widgets.conftest",
        "def f():\n    from tests.conftest import PATIENCE_MS",
    ],
)
def test_an_imported_module_of_tests_is_seen(text: str) -> None:
    assert list(architecture.between_tests_violations(source("tests.app.test_facts", text)))
    assert not list(
        architecture.between_tests_violations(
            source("tests.app.test_facts", "from tests.app.terminal import call")
        )
    )


def test_no_tracked_file_names_registry_or_machine() -> None:
    found = [v for name, text in TREE.texts() for v in architecture.text_violations(name, text)]
    assert not show(found)


def test_the_tree_was_really_read() -> None:
    modules = {one.module for one in TREE.sources}
    assert {
        "app",
        "db",
        "models",
        "resources",
        "models.scenario.scenario",
        "app.session",
    } <= modules
    names = {path.relative_to(TREE.root).as_posix() for path in TREE.tracked_files()}
    assert {"pyproject.toml", "LICENSE", "requirements.lock"} <= names
    assert not any(name.startswith((".venv/", ".git/")) for name in names)


# ---------------------------------------------------------------------------- the checker itself


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("models.cpu", "import PySide6.QtCore"),
        ("models.cpu", "from PySide6 import QtCore"),
        ("models.cpu", "import sqlite3"),
        ("models.cpu", "import logging"),
        ("models.cpu", "import msgspec"),
        ("models.cpu", "import random"),
        ("models.cpu", "import scipy"),
        ("models.cpu", "from pathlib import Path"),
        ("models.cpu", "from db import codec"),
        ("models.cpu", "from resources import load"),
        ("models.cpu", "import app.session"),
        ("models.cpu", "def late() -> None:\n    import os"),
        ("models.cpu", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app"),
        ("models.cpu", "from ..app import session"),
        ("models.formulas.__init__", "from ... import db"),
        ("db.project", "from PySide6.QtCore import QObject"),
        ("db.project", "import app.session"),
        ("db.project", "import resources"),
        ("db.project", "import importlib\nimportlib.import_module('app.session')"),
        ("db.project", "import urllib.request"),
        ("resources", "import db.project"),
        ("resources", "import numpy"),
        ("app.session", "import scipy.stats"),
        ("app.session", "import tests.tools"),
        ("app.session", "import sqlite3"),
        ("app.session", "from PySide6.QtNetwork import QLocalServer"),
        ("app.session", "import urllib.request"),
    ],
)
def test_folder_rule_bites(module: str, text: str) -> None:
    found = list(architecture.folder_violations(source(module, text)))
    assert found, "not seen"
    assert all(violation.module == module.removesuffix(".__init__") for violation in found)


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (
            "models.cpu",
            "import math\nimport numpy as np\nfrom models.base.errors import ModelError",
        ),
        ("models.cpu", "from numpy.typing import NDArray\nfrom datetime import date"),
        ("models.formulas.__init__", "from . import cpu\nfrom .. import errors"),
        ("db.project", "import sqlite3, logging\nimport msgspec\nfrom models import scenario"),
        ("resources.__init__", "from importlib.resources import files"),
        ("app.session", "from PySide6.QtCore import QObject\nfrom db import project"),
        ("app.report.pdf", "import typst\nimport urllib.parse"),
    ],
)
def test_folder_rule_lets_through(module: str, text: str) -> None:
    assert not show(architecture.folder_violations(source(module, text)))


@pytest.mark.parametrize("text", ["import pyqtgraph as pg", "from pyqtgraph import PlotItem"])
def test_pyqtgraph_belongs_to_one_file(text: str) -> None:
    assert list(architecture.plots_violations(source("app.widgets.charts", text)))
    assert list(architecture.plots_violations(source("app.widgets.plots.response", text)))
    assert list(architecture.plots_violations(source("app.widgets.__init__", text)))
    assert not list(architecture.plots_violations(source("app.widgets.plots.canvas", text)))


@pytest.mark.parametrize(
    "modules",
    [
        tree(app__widgets__board="from app.windows import main", app__windows__main=""),
        tree(app__work="import app.session", app__session=""),
        tree(app__session="import app.widgets.dial", app__widgets__dial=""),
        tree(app__report__pdf="import app.widgets.dial", app__widgets__dial=""),
        [source("app.cli", "import app.__main__"), source("app.__main__", "")],
        tree(
            app__widgets__board="import app.helper",
            app__helper="import app.other",
            app__other="import app.windows.main",
            app__windows__main="",
        ),
    ],
    ids=["up", "to session", "past two floors", "report", "to main", "through unlayered rooms"],
)
def test_upward_import_is_seen(modules: list[Source]) -> None:
    assert len(list(architecture.layer_violations(modules))) == 1


def test_downward_and_sideways_imports_are_free() -> None:
    modules = tree(
        app__windows__main="import app.widgets.board, app.session, app.report.pdf, app.theme",
        app__widgets__board="import app.work, app.helper",
        app__helper="import app.session",
        app__report__pdf="import app.session",
        app__cli="import app.report.pdf",
        app__session="import app.edits, app.work",
        app__edits="",
        app__work="",
        app__theme="",
    )
    assert not show(architecture.layer_violations(modules))
    assert not show(architecture.cycle_violations(modules))


@pytest.mark.parametrize(
    "modules",
    [
        tree(models__a="import models.b", models__b="from models import a"),
        tree(models__a="def f():\n    import models.b", models__b="from models.a import f"),
        tree(
            models__a="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import models.b",
            models__b="import models.a",
        ),
        tree(models__a="from . import b", models__b="from . import c", models__c="from . import a"),
        [source("db.__init__", "from db import a"), source("db.a", "from db import VERSION")],
        # No two of these modules import each other, but the two packages do.
        tree(
            app__widgets__a="import app.dialogs.b",
            app__dialogs__b="",
            app__dialogs__c="import app.widgets.d",
            app__widgets__d="",
        ),
        tree(models__a="import db.b", db__b="", db__c="import models.d", models__d=""),
    ],
    ids=["two", "in a function", "for types", "three", "package", "subpackages", "folders"],
)
def test_circle_is_seen(modules: list[Source]) -> None:
    assert list(architecture.cycle_violations(modules))


def test_importing_a_module_does_not_count_as_importing_its_package() -> None:
    modules = [
        source("models.__init__", "from models import a"),
        source("models.a", "from models import b"),
        source("models.b", ""),
    ]
    assert not show(architecture.cycle_violations(modules))


@pytest.mark.parametrize(
    "text",
    [
        "open('x')",
        "print(1)",
        "import numpy as np\nnp.random.seed(1)",
        "import numpy as np\nnp.random.normal()",
        "import numpy as np\nnp.random.default_rng()",
        "from numpy import random as r\nr.random()",
        "from numpy.random import rand\nrand()",
        "import numpy\nnumpy.random.shuffle([])",
        "import numpy as np\nnp.loadtxt('x')",
        "import numpy as np\nnp.seterr(all='ignore')",
        "from datetime import datetime\ndatetime.now()",
        "import datetime as d\nd.date.today()",
        "import uuid\nuuid.uuid4()",
        "def f():\n    return [eval(x) for x in y]",
    ],
)
def test_impure_call_is_seen(text: str) -> None:
    assert len(list(architecture.purity_violations(source("models.a", text)))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\nrng = np.random.default_rng(1)\nrng.normal()",
        "import numpy as np\nnp.random.default_rng(seed=s)\nnp.errstate(all='ignore')",
        "class Door:\n    def open(self): ...\nDoor().open()",
        "'print(1)'  # open('x')",
        "from datetime import date\ndate(2007, 9, 11)",
    ],
)
def test_pure_call_is_let_through(text: str) -> None:
    assert not show(architecture.purity_violations(source("models.a", text)))


@pytest.mark.parametrize(
    "handler", ["except:", "except Exception:", "except (OSError, Exception) as e:"]
)
def test_blind_except_is_seen(handler: str) -> None:
    text = f"try:\n    f()\n{handler}\n    pass"
    for module in ("app.session", "app.crash", "app.__main__"):
        assert list(architecture.blind_except_violations(source(module, text)))
    assert not list(architecture.blind_except_violations(source("app.work", text)))


def test_exact_except_is_let_through() -> None:
    text = "try:\n    f()\nexcept (OSError, ValueError):\n    pass"
    assert not list(architecture.blind_except_violations(source("app.session", text)))


@pytest.mark.parametrize(
    "given",
    ["lambda: self.go()", "partial(self.go, 1)", "functools.partial(self.go, 1)", "inner"],
)
def test_a_connection_that_holds_a_widget_is_seen(given: str) -> None:
    text = (
        "class A:\n    def f(self):\n        def inner():\n            self.go()\n"
        f"        self.b.clicked.connect({given})\n"
    )
    assert len(list(architecture.connection_violations(source("app.a", text)))) == 1


def test_a_bound_method_may_be_connected() -> None:
    text = "class A:\n    def f(self):\n        self.b.clicked.connect(self.go)\n"
    text += "        sqlite3.connect(path)\n"
    assert not list(architecture.connection_violations(source("app.a", text)))


def test_length_counts_code_alone() -> None:
    body = "\n".join(f"    x = {n}\n\n    # why\n" for n in range(49))
    short = f'def f():\n    """One.\n\n    Two.\n    """\n{body}'
    assert not show(architecture.length_violations(source("app.a", short)))
    longer = short + "    x = 50\n"
    assert [v.text for v in architecture.length_violations(source("app.a", longer))] == [
        "f has 51 lines"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "index = https://files.python" + "hosted.org/simple",
        "see PY" + "PI.org",
        "cd /wo" + "rk/main",
        "cat '/tm" + "p/x'",
        'open("/ro' + 'ot/.config")',
        "/ho" + "me/jane/x",
        "C:\\Us" + "ers\\jane",
    ],
)
def test_text_of_one_machine_is_seen(text: str) -> None:
    assert len(list(architecture.text_violations("README.md", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "app/work.py and app/work/x",
        "https://example.com/home/page",
        "$HOME/tmp/x, {root}/tmp/x",
        "/usr/share/fonts, /etc/debian_version",
        "200 reads/work/day",
    ],
)
def test_ordinary_text_is_let_through(text: str) -> None:
    assert not show(architecture.text_violations("README.md", text))


def test_imports_are_absolute() -> None:
    text = "import a.b\nfrom c import d\nfrom . import e\nfrom ..f import g\nfrom .h import i"
    found = [one.target for one in source("x.y.z", text).imports]
    assert found == ["a.b", "c.d", "x.y.e", "x.f.g", "x.y.h.i"]
    inside = [one.target for one in source("x.y.__init__", "from . import e").imports]
    assert inside == ["x.y.e"]


def test_checker_is_not_fooled_by_unparsable_code() -> None:
    with pytest.raises(SyntaxError):
        ast.parse("def")
    with pytest.raises(SyntaxError):
        _ = source("models.a", "def").imports
