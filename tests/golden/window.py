"""Everything a window shows or says, by place, as JSON: a language is taken once in a process."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, Qt

from app.settings import Settings
from app.speech import begin

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.windows.window import MainWindow
    from models.scenario.scenario import Scenario

MOST_ROWS = 40
PATIENCE_S = 120.0
NEVER_MS = 24 * 3_600_000
OTHERS = ("sametime-100000",)
"""Examples that are gone through too, for what the first has no cause to say."""

ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
TEXTS = ("text", "placeholderText", "title", "windowTitle", "currentText", "spoken_value", "words")


def texts_of(widget: QWidget) -> Iterator[str]:
    """What a widget shows, what it is called, and what its tip says."""
    from PySide6.QtWidgets import QAbstractItemView, QComboBox, QTabWidget

    yield widget.accessibleName()
    yield widget.accessibleDescription()
    yield widget.toolTip()
    for name in TEXTS:
        value = getattr(widget, name, "")
        yield value() if callable(value) else value
    for action in widget.actions():
        yield action.text()
        yield action.toolTip()
    if isinstance(widget, QTabWidget):
        yield from (widget.tabText(i) for i in range(widget.count()))
        yield from (widget.tabToolTip(i) for i in range(widget.count()))
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(i) for i in range(min(widget.count(), MOST_ROWS)))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from cells_of(widget.model())


def cells_of(model: QAbstractItemModel) -> Iterator[Any]:
    columns = model.columnCount() if isinstance(model, QAbstractTableModel) else 1
    for column in range(columns):
        for role in ROLES:
            yield model.headerData(column, Qt.Orientation.Horizontal, role)
            for row in range(min(model.rowCount(), MOST_ROWS)):
                yield model.index(row, column).data(role)


class Reader:
    """Notes every text once, with the place where it was first met."""

    def __init__(self) -> None:
        self.places: dict[str, list[str]] = {}
        self._seen: set[str] = set()

    def read(self, place: str, root: QWidget) -> None:
        from PySide6.QtWidgets import QWidget

        for widget in (root, *root.findChildren(QWidget)):
            self.note(place, *texts_of(widget))

    def note(self, place: str, *texts: object) -> None:
        for text in texts:
            if isinstance(text, str) and text and text not in self._seen:
                self._seen.add(text)
                self.places.setdefault(place, []).append(text)


def until(is_true: Callable[[], bool]) -> None:
    """Goes on with events until something holds."""
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > end:
            raise TimeoutError
        QApplication.processEvents()
        time.sleep(0.005)


def opened(folder: Path, settings: Settings) -> tuple[MainWindow, list[str]]:
    """A complete window with the first example, and what its dialogs said.

    How far the verdict holds is worked out when it is asked for, never because the window rests.
    """
    from PySide6.QtCore import Qt

    from app import outlook
    from app.calibrated import shipped_knowledge
    from app.session import Session
    from app.windows.dialogs import Dialogs
    from app.windows.files import example_project
    from app.windows.window import MainWindow
    from app.work import InlineWorker
    from models.uncertainty import verdict_map
    from resources.example_files import load_examples

    outlook.REST_MS = NEVER_MS
    verdict_map.STEPS = verdict_map.FEWER_STEPS  # its words are the same
    problems: list[str] = []

    class Silent(Dialogs):
        def show_problem(self, sentence: str) -> None:
            problems.append(sentence.replace(str(folder), ""))

    project = example_project(load_examples()[0])
    window = MainWindow(settings, worker=InlineWorker(), dialogs=Silent())
    window.furnish(Session(project, shipped_knowledge()))
    completed: list[bool] = []
    window.completed.connect(lambda: completed.append(True))
    window.setWindowState(Qt.WindowState.WindowNoState)  # the screen is a small one
    window.resize(1700, 1000)
    window.show()
    until(lambda: bool(completed))
    return window, problems


def read_all(window: MainWindow, reader: Reader) -> None:
    """Goes through the window as its user would."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QTabWidget

    from app.widgets.fields.number import NumberField
    from models.single_changes.nudge import Knob

    session = window.session
    scenario = session.scenario
    window.left.show()
    window.right.show()
    open_all(window)
    reader.read("window", window)
    outlook, nudges = window.verdict.outlook, window.verdict.nudges
    outlook.begin()
    until(lambda: not outlook.is_calculating)
    reader.read("verdict", window.verdict)
    clusters = (cluster.id for cluster in scenario.clusters[:1])
    for id in (scenario.vms[0].id, scenario.hosts[0].id, scenario.pools[0].id, *clusters):
        window.selection.select(id)
        until(lambda: session.is_settled)
        open_all(window)
        reader.read("inspector", window.inspector)
        reader.note("board", *parts_of(window.board.said(id)))
    window.selection.select(scenario.vms[0].id)
    until(lambda: session.is_settled)
    field = next(
        each
        for each in window.inspector.findChildren(NumberField)
        if each.isVisible() and each.text() and each.isEnabled()
    )
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "-5000000")
    QTest.keyClick(field, Qt.Key.Key_Return)
    reader.read("refusal", window.inspector)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    read_derivations(window, reader)
    for knob in Knob:
        nudges.nudge(knob, -1)
        nudges.finish()
        until(lambda: session.is_settled)
        reader.read(f"nudge {knob}", window.verdict)
        reader.note(f"nudge {knob}", window.verdict.note.text())
    tabs: QTabWidget = window.charts
    for index in range(tabs.count()):
        tabs.setCurrentIndex(index)
        until(lambda: session.is_settled and not window.worker.is_busy)
        reader.read(f"chart {index}", tabs)
    for place, _panel in enumerate(window.charts.studies.panels):
        window.charts.studies.show_study(place)
        until(lambda: session.is_settled and not window.worker.is_busy)
        reader.read(f"study {place}", tabs)


def read_admission(window: MainWindow, reader: Reader) -> None:
    """Every policy on vSphere, and a host alone in its cluster."""
    from app.language import local

    session, panel = window.session, window.charts.admission
    given = session.scenario
    window.charts.setCurrentWidget(panel)
    for name, scenario in guarded(given):
        session.edit(scenario, name)
        until(lambda: session.is_settled and not panel.is_calculating)
        reader.read(f"admission {name}", panel)
        notes = (local(mode.note) for mode in session.view.committed.failures)
        reader.note(f"admission {name}", *notes)
    session.edit(given, "back")
    until(lambda: session.is_settled)


def guarded(given: Scenario) -> Iterator[tuple[str, Scenario]]:
    """A scenario with its cluster on vSphere and its VMs reserving, by every policy."""
    from models.scenario.scenario import Admission, AdmissionPolicy, RestartPriority

    cluster, policies = given.clusters[0], AdmissionPolicy
    hosts = tuple(replace(host, hypervisor="vsphere-5.0") for host in given.hosts if host.cluster)
    spare = replace(hosts[0], id="spare", name="esx9")
    first, *others = given.vms
    first = replace(first, cpu_reservation_mhz=2000.0, memory_reservation_gib=1.0, host=hosts[0].id)
    others = [
        replace(vm, restart_priority=RestartPriority.DISABLED, host=hosts[-1].id) for vm in others
    ]
    scenario = replace(given, hosts=(*hosts, spare), vms=(first, *others))
    capped = Admission(policy=policies.HOST_FAILURES, slot_cpu_cap_mhz=1000.0)
    for name, admission in (
        ("slots", capped),
        ("share", Admission(policy=policies.PERCENTAGE, cpu_pct=25.0, ram_pct=33.3)),
        ("dedicated", Admission(policy=policies.DEDICATED, failover_host=spare.id)),
    ):
        yield name, scenario.with_item(replace(cluster, admission=admission))
    slots = Admission(policy=policies.HOST_FAILURES)
    alone = replace(scenario, hosts=hosts[:1], vms=())
    yield "alone", alone.with_item(replace(cluster, admission=slots))


def open_all(window: MainWindow) -> None:
    """Folded fields have words too, and none before somebody wants one."""
    if window.inspector.page is not None:
        assert window.inspector.page.rows


def read_derivations(window: MainWindow, reader: Reader) -> None:
    """Every kind of number: of a VM, a host, a pool, a failure and a storm, and a dial."""
    from models.explain.derivation import numbers_beside
    from models.explain.storm_terms import storm_numbers
    from models.predict.predicted import NumberRef
    from models.resilience.storms import StormKind, study_storm

    session, why = window.session, window.why
    scenario, prediction = session.scenario, session.view.committed
    firsts = [NumberRef("vms", vm.id, "cpu_pct") for vm in scenario.vms]
    firsts += [NumberRef("hosts", host.id, "cpu_pct") for host in scenario.hosts]
    firsts += [NumberRef("pools", pool.id, "iops") for pool in scenario.pools]
    firsts += [NumberRef("failures", mode.host, "cpu_pct") for mode in prediction.failures]
    numbers = [each for first in firsts for each in numbers_beside(first)]
    for asked in (*numbers, NumberRef("dials", "", "failure_pct")):
        why.ask(asked)
        read_why(window, reader, f"why {asked.table} {asked.field}")
    for kind in StormKind:
        study = study_storm(scenario, session.knowledge, kind)
        for number in storm_numbers(study, scenario):
            why.tell((number,))
            read_why(window, reader, f"why {kind} {number.asked.field}")
    reader.read("why", window)
    why.close()


def read_why(window: MainWindow, reader: Reader, place: str) -> None:
    """The formula down to its leaves and the text below; evidence is as printed and left out."""
    from app.language import tr

    drawer = window.why.drawer
    assert drawer is not None
    nodes = [drawer.tree.terms.root]
    while nodes:
        node = nodes.pop()
        if node is not None:
            reader.note(place, node.label, node.value, node.below, node.formula, node.note)
            nodes += node.children
    lines = drawer.text.toPlainText().splitlines()
    if tr("Evidence") in lines:
        del lines[lines.index(tr("Evidence")) : lines.index(tr("Interval and basis"))]
    reader.note(place, drawer.accessibleName(), *lines)


def parts_of(said: Any) -> Iterator[object]:
    yield from (getattr(said, name) for name in said.__slots__)


def read_start(window: MainWindow, reader: Reader) -> None:
    from PySide6.QtTest import QTest

    window.start.open_totals()
    assert window.start.page is not None
    form = window.start.page.totals
    reader.read("start", window.start.page)
    for typed in ("-5", "abc"):
        form.numbers["users"].selectAll()
        QTest.keyClicks(form.numbers["users"], typed)
        form.work_out()
        reader.note("totals", form.answer.text())
    window.start.leave()


def read_files(window: MainWindow, folder: Path) -> None:
    """Files that can't be opened."""
    contents = {
        "empty.headroom": b"",
        "text.headroom": b"words",
        "broken.json": b'{"format": "headroom-scenario", ',
        "other.json": b'{"format": "other", "version": 1}',
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    for name in (*contents, "gone.headroom"):
        window.files.open_path(folder / name)


def read_hand(window: MainWindow, reader: Reader) -> None:
    """A VM over a physical server that runs another."""
    from PySide6.QtTest import QTest

    from tests.app.gestures import at, drag_to, press, release

    board = window.board
    press(board, "m2")
    drag_to(board, at(board, "h1"))
    assert board.state.carry is not None
    reader.note("hand", board.state.carry.words)
    QTest.keyClick(board, Qt.Key.Key_Escape)
    release(board, at(board, "h1"))


def main(folder: Path) -> None:
    settings = Settings(folder / "settings.ini")
    begin(settings)
    from app.windows.main import application

    app = application()
    assert app is not None
    window, problems = opened(folder, settings)
    reader = Reader()
    read_files(window, folder)
    reader.note("dialogs", *problems)
    read_all(window, reader)
    read_admission(window, reader)
    read_hand(window, reader)
    read_start(window, reader)
    for id in OTHERS:
        window.session.stack.setClean()
        window.files.open_example(id)
        until(lambda: window.session.is_settled)
        read_all(window, reader)
    reader.note("dialogs", *problems)
    sys.stdout.write(
        json.dumps({place: sorted(reader.places[place]) for place in reader.places}) + "\n"
    )
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
