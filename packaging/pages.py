"""Every page and dialog of the window, by name: for pictures, and for the search for cut text.

A page is brought about as a user would, on a window with settings of its own; a `Stage` hands it to
a function while it is on the screen.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtWidgets import QWidget

    from app.windows.window import MainWindow

MAIL, MIGRATION = "building-block", "wv21-migration"
SCREEN = (4096, 2400)
MOST_LOOKS, LOOK_MS, LONGEST_MS = 60, 60, 60_000
See = Callable[[str, "QWidget"], None]


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        name: file name of its picture.
        act: brings it about. example: id of the worked example it is shown on; empty for none.
        is_window: it has a window of its own, which `act` opens; else the main window shows it.
    """

    name: str
    act: Callable[[MainWindow], None]
    example: str = MAIL
    is_window: bool = False


# ---------------------------------------------------------------------- what brings pages about


def nothing(_window: MainWindow) -> None:
    """The window as it opens."""


def act(id: str) -> Callable[[MainWindow], None]:
    """Does an act of the menus."""

    def run(window: MainWindow) -> None:
        window.actions_by_id[id].trigger()

    return run


def select(kind: str, count: int = 1) -> Callable[[MainWindow], None]:
    """Selects the first items of a collection of the scenario."""

    def run(window: MainWindow) -> None:
        items = getattr(window.session.scenario, kind)[:count]
        window.selection.set([item.id for item in items])

    return run


def chart(name: str) -> Callable[[MainWindow], None]:
    """Brings a page of the charts to the front."""

    def run(window: MainWindow) -> None:
        window.charts.setCurrentWidget(getattr(window.charts, name))
        window.charts.want_room()

    return run


def what_if(window: MainWindow) -> None:
    """The line of what would be, worked out."""
    chart("whatif")(window)
    page = window.charts.whatif
    _until(lambda: page.has_chart and page.is_settled)


def storm(window: MainWindow) -> None:
    """Who waits after a network was cut, worked out."""
    chart("storm")(window)
    page = window.charts.storm
    _until(lambda: page.has_chart and page.is_settled)


def evidence(number: int) -> Callable[[MainWindow], None]:
    """Opens the evidence at one of its tabs, once the accuracy is worked out."""

    def run(window: MainWindow) -> None:
        window.evidence.run.start()
        _until(lambda: window.evidence.run.result is not None)
        window.evidence.open()
        assert window.evidence.opened is not None
        window.evidence.opened.page.tabs.setCurrentIndex(number)

    return run


def about(window: MainWindow) -> None:
    """The same on every machine."""
    from unittest.mock import patch

    with patch("platform.platform", return_value="Linux"):
        window.actions_by_id["view.about"].trigger()


def advisors(topic: str = "") -> Callable[[MainWindow], None]:
    """Opens the advisors, once each has looked at the scenario, or one topic with what its answer
    would change."""

    def run(window: MainWindow) -> None:
        window.advisors.open()
        opened = window.advisors.opened
        assert opened is not None
        if topic:
            page = opened.page(topic)
            _until(lambda: bool(page.effect.text()))
        else:
            _until(lambda: bool(opened.found.sections))

    return run


def findings(window: MainWindow) -> None:
    window.right.bring(1)


def long_names(window: MainWindow) -> None:
    """Names as people give them who were never told how long a name is."""
    from dataclasses import replace

    session, long = window.session, " of the customer with the very long name in Bad Wimpfen"
    scenario = replace(session.scenario, name=f"Scenario{long}")
    for item in scenario.items():
        scenario = scenario.with_item(replace(item, name=f"{item.name}{long}"))
    session.edit(scenario, f"Rename everything{long}")
    window.selection.set([scenario.hosts[0].id])


def why(window: MainWindow) -> None:
    select("vms")(window)
    window.why.open()


def carry(window: MainWindow) -> None:
    """Holds the first VM over the second host, as a hand would."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    board = window.board
    layout = board.board_layout
    card, host = next(iter(layout.vms.values())), list(layout.hosts.values())[1]
    above = board.verticalScrollBar().value()
    start = QPoint(round(card.x + 60), round(card.y + 20 - above))
    QTest.mousePress(board.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for x, y in ((host.x, host.y), (host.x + host.w / 2, host.y + 60)):
        QTest.mouseMove(board.viewport(), QPoint(round(x), round(y - above)))


def recovered(window: MainWindow) -> None:
    """The strip that offers work of a program that died."""
    window.recovery.bar.say("Headroom ended before this was saved: Mail estate.headroom, 06:44.")


def totals(window: MainWindow) -> None:
    """The start page with its first design worked out."""
    window.start.open_totals()


def tour_at(stop: int) -> Callable[[MainWindow], None]:
    """Takes the tour as far as this stop."""

    def run(window: MainWindow) -> None:
        window.tour.start()
        for _ in range(stop):
            if window.tour.shown is not None:
                window.tour.shown.next()

    return run


def lost(window: MainWindow) -> None:
    """The first host is gone until it is put back."""
    window.board.set_motion(False)
    select("hosts")(window)
    window.board.lose_host()


def folded(window: MainWindow) -> None:
    """Hosts by their meters alone."""
    window.board.fold_all(True)


def found(window: MainWindow) -> None:
    """A search that finds one host."""
    window.board.bar.field.setText("esx2")


def unwell(window: MainWindow) -> None:
    """Three times the users: it does not fit, and the cheapest fix is offered."""
    from dataclasses import replace

    session = window.session
    scenario = session.scenario
    for vm in scenario.vms:
        work = replace(vm.workload, active_users=3 * vm.workload.active_users)
        scenario = scenario.with_item(replace(vm, workload=work))
    session.edit(scenario, "Treble the users")
    session.flush()
    _look_ahead(window)


def meeting(act_there: str = "") -> Callable[[MainWindow], None]:
    """The meeting screen, with one of its acts."""

    def run(window: MainWindow) -> None:
        window.actions_by_id["meeting.toggle"].trigger()
        if act_there:
            getattr(window.meeting, act_there)()

    return run


def identical(window: MainWindow) -> None:
    """A copy beside what it was copied from."""
    window.actions_by_id["scenarios.duplicate"].trigger()
    window.compare.open()
    assert window.compare.opened is not None
    ids = [entry.id for entry in window.session.project.entries]
    window.compare.opened.panel.choose((ids[0], window.session.project.active))


def four(window: MainWindow) -> None:
    """As many scenarios as can stand side by side."""
    window.compare.open()
    assert window.compare.opened is not None
    window.compare.opened.panel.choose([e.id for e in window.session.project.entries][:4])


def board_menu(window: MainWindow) -> None:
    """The context menu of a VM."""
    from PySide6.QtCore import QPoint

    from app.widgets.board.layout import Hit, HitKind

    vm = window.session.scenario.vms[0]
    window.selection.select(vm.id)
    window.editing.show_menu(QPoint(200, 200), Hit(HitKind.VM, vm.id, vm.host))


def origins(window: MainWindow) -> None:
    """The origins that a value can have."""
    from app.widgets.inspector.badge import OriginBadge

    select("vms")(window)
    still(window)
    badges = window.inspector.findChildren(OriginBadge)
    next(badge for badge in badges if badge.isVisible()).open_menu()


def fault(window: MainWindow) -> None:
    """What is said after a fault of the program."""
    from app.windows.crash import FaultHook

    FaultHook(window, Path("headroom.log")).tell(Path("headroom.log"))


def palette(window: MainWindow) -> None:
    window.looks.palette()


def question(name: str) -> Callable[[MainWindow], None]:
    """Asks one of the questions of `Dialogs`."""

    def run(window: MainWindow) -> None:
        from app.windows.dialogs import Dialogs

        dialogs = Dialogs(window)
        asks: dict[str, Callable[[], object]] = {
            "save": lambda: dialogs.ask_to_save("Mail estate.headroom"),
            "text": lambda: dialogs.ask_text("Rename scenario", "Name", "Two hosts more"),
            "yes": lambda: dialogs.ask_to_delete(
                "Delete all kept copies of unsaved work?", "They can't be brought back."
            ),
            "problem": lambda: dialogs.show_problem(
                "estate.json: vms[3].workload.active_users: must be ≥ 0."
            ),
        }
        asks[name]()

    return run


def importing(text: str) -> Callable[[MainWindow], None]:
    """A table of a customer that was pasted, and what would be taken of it."""

    def run(window: MainWindow) -> None:
        window.files.take_pasted(text)
        page = window.imports.opened
        assert page is not None
        _until(lambda: page.take.isEnabled() or (bool(page.state.text()) and not page.is_busy))

    return run


def proposal(window: MainWindow) -> None:
    """The proposal beside its choices, with its pages set."""
    window.files.export_proposal()
    page = window.proposal.opened
    assert page is not None
    _until(lambda: page.is_set)


def recommended(window: MainWindow) -> None:
    """What would carry 3,000 users on one kind of server and array."""
    window.recommend.open()
    page = window.recommend.opened
    assert page is not None
    page.server.show_value("xeon6-6730p")
    page.array.show_value("aff-a800")
    page.numbers["users"].show_value(3000)
    page.numbers["registered"].show_value(7000)
    page.look()
    _until(lambda: page.option is not None)


def years(window: MainWindow) -> None:
    """The years ahead of a design that grows, two years from now."""
    from dataclasses import replace

    from models.scenario.scenario import Growth

    session, plan = window.session, Growth(years=3.0, users_pct=12.0, mail_pct=20.0)
    session.edit(replace(session.scenario, growth=plan), "Growth")
    session.look_ahead(2.0)
    session.flush()
    window.actions_by_id["journey.years"].trigger()
    page = window.years.opened
    assert page is not None
    _until(lambda: page.is_settled and bool(page.bands.bands))


def changed(window: MainWindow) -> None:
    """Half a year after a proposal was exported there are more users."""
    from dataclasses import replace
    from datetime import UTC, datetime

    from app.language import language_of
    from app.report.build import Print
    from app.signed import kept, with_kept

    session = window.session
    entry = session.project.entry(session.project.active)
    how = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"))
    pairs = [(entry.scenario, session.view.prediction)]
    session.keep_signed(with_kept(session.project, kept([entry], pairs, session.catalog, how)))
    first = session.scenario.vms[0]
    work = replace(first.workload, active_users=1.4 * first.workload.active_users)
    session.edit(session.scenario.with_item(replace(first, workload=work)), "More users")
    session.flush()
    window.changed.open()
    page = window.changed.opened
    assert page is not None
    _until(lambda: bool(page.panel.view.sections))


def measured(tab: int) -> Callable[[MainWindow], None]:
    """The customer’s measurements at one of the tabs, with a fifth more CPU than predicted."""

    def run(window: MainWindow) -> None:

        from models.customer.measured import MeasuredServer

        window.site.open()
        page = window.site.opened
        assert page is not None
        predicted = window.session.view.prediction.vms
        measured = [
            MeasuredServer(server=vm.id, values={"cpu_pct": 1.2 * cpu, "ram_gib": 0.7 * ram})
            for vm in window.session.scenario.vms
            if (cpu := predicted.cpu_pct[predicted.index(vm.id)].value)
            and (ram := predicted.ram_gib[predicted.index(vm.id)].value)
        ]
        page.take_measured(measured)
        page.tabs.setCurrentIndex(tab)
        _until(lambda: tab != 1 or page.asked is not None)

    return run


_NAMES = ("mail-01", "mail-02", "hub-01", "traveler-01", "sametime-01", "sql-01", "web-01")
_ROWS = (
    f"{name}\tpowered{'Off' if at == 5 else 'On'}\t{2 + 2 * (at < 2)}\t{8 * 2 ** (at < 2)} GB\t"
    f"{120 + 200 * (at < 2)} GB\tesx-{at % 2 + 1}\tProduction\t{1500 + 700 * (at < 2)}"
    for at, name in enumerate(_NAMES)
)
ESTATE = "\n".join(
    ("Name\tPower state\tvCPUs\tMemory\tProvisioned\tHost\tCluster\tCPU Usage MHz", *_ROWS)
)
ODD = "Server\tKerne\tHauptspeicher\tBetrieb\nmail-01\t2\t1,5\tläuft\nhub-01\t1\t2\tsteht\n"

PAGES = (
    Page("start", act("start.open"), ""),
    Page("totals", totals, ""),
    Page("empty", nothing, ""),
    Page("window", nothing),
    Page("migration", nothing, MIGRATION),
    Page("drag", carry),
    Page("lost-host", lost),
    Page("board-folded", folded),
    Page("board-found", found),
    Page("unwell", unwell),
    Page("recovery", recovered),
    Page("charts-response", chart("curve")),
    Page("charts-hosts", chart("load")),
    Page("charts-bottleneck", chart("utilisation")),
    Page("charts-what-if", what_if),
    Page("charts-failures", chart("failures")),
    Page("charts-admission", chart("admission")),
    Page("charts-storm", storm),
    Page("charts-studies", chart("studies")),
    Page("inspector-vm", select("vms")),
    Page("inspector-vms", select("vms", 3)),
    Page("inspector-host", select("hosts")),
    Page("inspector-pool", select("pools")),
    Page("inspector-cluster", select("clusters")),
    Page("long-names", long_names),
    Page("findings", findings, MIGRATION),
    Page("why", why),
    Page("tour", act("tour.start")),
    Page("tour-end", tour_at(4)),
    Page("meeting", meeting(), is_window=True),
    Page("meeting-frozen", meeting("freeze"), is_window=True),
    Page("meeting-blank", meeting("blank"), is_window=True),
    Page("compare", act("compare.open"), MIGRATION),
    Page("compare-four", four, MIGRATION),
    Page("compare-identical", identical, MIGRATION),
    Page("arrange", act("arrange.open"), MIGRATION),
    Page("years", years),
    Page("advisors", advisors()),
    Page("advisors-topic", advisors("migration"), MIGRATION),
    Page("recommend", recommended, ""),
    Page("site-calibration", measured(0), MIGRATION),
    Page("site-questions", measured(1), MIGRATION),
    Page("site-score", measured(2), MIGRATION),
    Page("evidence-accuracy", evidence(0)),
    Page("evidence-points", evidence(1)),
    Page("evidence-rows", evidence(2)),
    Page("proposal", proposal),
    Page("changed", changed),
    Page("history", act("history.open")),
    Page("keys", act("view.keys"), is_window=True),
    Page("about", about, is_window=True),
    Page("palette", palette, is_window=True),
    Page("import", importing(ESTATE), ""),
    Page("import-columns", importing(ODD), ""),
    Page("custom-server", act("own.add_server"), is_window=True),
    Page("custom-array", act("own.add_array"), is_window=True),
    Page("custom-workload", act("own.add_workload"), is_window=True),
    Page("menu-board", board_menu, is_window=True),
    Page("menu-origins", origins, is_window=True),
    Page("question-save", question("save"), is_window=True),
    Page("question-text", question("text"), is_window=True),
    Page("question-yes", question("yes"), is_window=True),
    Page("problem", question("problem"), is_window=True),
    Page("fault", fault, is_window=True),
)
FULL_SCREEN = {"meeting", "meeting-frozen", "meeting-blank"}


# ---------------------------------------------------------------------- the screen


def offscreen(folder: Path) -> str:
    """Qt's platform without a display, with a screen that is large enough for every picture."""
    screen = {"name": "large", "x": 0, "y": 0, "width": SCREEN[0], "height": SCREEN[1]}
    screen |= {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    file = folder / "screen.json"
    file.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
    return f"offscreen:configfile={file}"


class Stage:
    """A window on which pages are brought about, one after the other."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._stands: str | None = None

    def show(self, page: Page, see: See) -> None:
        """Brings a page about, lets it be seen, and takes it back.

        Raises:
            LookupError: the act of a page with a window of its own opened none.
        """
        if self._stands != page.example:
            _begin(self._window, page)
        elif not page.is_window:
            _begin_again(self._window)
        if page.is_window:
            self._show_window(page, see)
            return
        page.act(self._window)
        still(self._window)
        see(page.name, self._window)
        _take_back(self._window)
        self._note(page)

    def _note(self, page: Page) -> None:
        """What stands on the stage now: the example, unless the page changed it."""
        is_untouched = self._window.session.stack.count() == 0
        self._stands = page.example if is_untouched else None

    def _show_window(self, page: Page, see: See) -> None:
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

        before = set(QApplication.topLevelWidgets())
        seen: list[QWidget] = []

        def look() -> None:
            new = [each for each in QApplication.topLevelWidgets() if each not in before]
            opened = next((each for each in new if each.isVisible() and each.isWindow()), None)
            if opened is not None and not seen:
                seen.append(opened)
                if page.name in FULL_SCREEN:
                    _as_large(opened, self._window.size())
                still(opened)
                see(page.name, opened)
                opened.close()

        def look_at_modal() -> None:
            if QApplication.activeModalWidget() is not None:
                look()

        # A modal dialog keeps `act` waiting; the timer is heard inside it. Others are looked at
        # when `act` has returned.
        QTimer.singleShot(0, look_at_modal)
        page.act(self._window)
        look()
        if not seen:
            raise LookupError(f"{page.name}: no window was opened")
        self._note(page)


@contextmanager
def stage(theme: str, width: int, height: int) -> Iterator[Stage]:
    """A window in this theme and size; Qt's platform and scale are those of the process."""
    from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from app.settings import Settings
    from app.stylesheet import apply_theme, theme_named
    from app.windows.main import application, main_window

    app = application()
    QApplication.setCursorFlashTime(0)
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "settings.ini")
        settings.appearance = theme
        apply_theme(app, theme_named(theme))
        window = main_window(settings=settings)
        window.setWindowState(Qt.WindowState.WindowNoState)
        window.resize(width, height)
        complete = QEventLoop()
        window.completed.connect(complete.quit)
        QTimer.singleShot(LONGEST_MS, complete.quit)
        window.show()
        complete.exec()
        yield Stage(window)
        window.session.stack.setClean()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def still(widget: QWidget) -> None:
    """Waits until a widget looks the same three times in a row."""
    before, same = widget.grab().toImage(), 0
    for _ in range(MOST_LOOKS):
        _pause()
        now = widget.grab().toImage()
        same = same + 1 if now == before else 0
        before = now
        if same == 2:
            return


def _until(is_so: Callable[[], bool]) -> None:
    """Waits for something that is worked out beside the window.

    Raises:
        TimeoutError: it never was; a picture without it would show something else.
    """
    for _ in range(LONGEST_MS // LOOK_MS):
        if is_so():
            return
        _pause()
    raise TimeoutError(f"not worked out within {LONGEST_MS / 1000:.0f} s")


def _pause() -> None:
    """Lets the window and other threads go on; `QTest.qWait` would let no other thread calculate,
    for it keeps Python's lock."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(LOOK_MS, loop.quit)
    loop.exec()


def _look_ahead(window: MainWindow) -> None:
    """Waits for what stands beside the verdict: how far it holds, and what is worse."""
    window.session.flush()  # until then it is known of the example before
    outlook = window.verdict.outlook
    _until(lambda: outlook.outlook is not None)


def _as_large(widget: QWidget, size: QSize) -> None:
    from PySide6.QtCore import Qt

    widget.setWindowState(Qt.WindowState.WindowNoState)
    widget.resize(size)


def _begin(window: MainWindow, page: Page) -> None:
    """The example in the state in which it opens."""
    window.session.stack.setClean()
    if page.example:
        window.files.open_example(page.example)
        _look_ahead(window)
    else:
        window.files.new()
    _begin_again(window)
    still(window)


def _begin_again(window: MainWindow) -> None:
    """Nothing selected, everything at its top."""
    window.selection.clear()
    window.board.verticalScrollBar().setValue(0)
    window.charts.setCurrentIndex(0)
    window.right.bring(0)
    window.statusBar().clearMessage()


def _take_back(window: MainWindow) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    window.why.close()
    window.board.fold_all(False)
    window.board.bar.field.clear()
    window.recovery.bar.hide()
    window.stack.close_pages()
    window.looks.unfold(window.board)
    if window.tour.shown is not None:
        window.tour.shown.end()
    QTest.keyClick(window.board, Qt.Key.Key_Escape)
    QTest.mouseRelease(window.board.viewport(), Qt.MouseButton.LeftButton)


def named(names: Sequence[str]) -> tuple[Page, ...]:
    """The pages of these names, all where none is given."""
    return tuple(page for page in PAGES if not names or page.name in names)


def environment(scale: float, folder: Path) -> dict[str, str]:
    """What a process needs that shows pages at this scale."""
    root = str(Path(__file__).resolve().parent.parent)
    return {
        **os.environ,
        "QT_QPA_PLATFORM": offscreen(folder),
        "QT_SCALE_FACTOR": f"{scale:g}",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": root,
    }
