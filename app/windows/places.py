"""Where one can go by name: tabs, panels, scenarios and what stands on the board.

Each is found by other words as well, those that people use who have not seen the window before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QWidget

from app.language import local, lowered, tr
from app.studies import STUDIES
from db.importers import formats
from models.base.lettering import set_apart
from models.scenario.scenario import Cluster, Host, Pool, Vm

if TYPE_CHECKING:
    from app.selection import Selection
    from app.session import Session
    from app.widgets.board.view import BoardView
    from app.widgets.charts_panel import ChartsPanel
    from app.widgets.inspector.inspector import Inspector
    from app.widgets.stack_or_tabs import SidePanels
    from app.widgets.verdict import VerdictBar
    from app.widgets.years_ahead import YearsAhead
    from app.windows.advisors import AdvisorCommands
    from app.windows.pages import PageStack

ALSO = {
    "files.export_proposal": tr(
        "report print quote offer document Word docx HTML Excel xlsx PDF CSV logo letterhead "
        "bill of materials parts list signed"
    ),
    "files.import_files": " ".join(
        (
            *(name.replace("_", " ") for name in formats.names()),
            tr("Excel PowerCLI show stat JSON scenario load read add customer files"),
        )
    ),
    "start.open_totals": tr("size sizing autosize wizard requirements"),
    "start.open": tr("home welcome examples"),
    "stack.undo": tr("revert take back"),
    "stack.redo": tr("repeat again"),
    "history.open": tr("steps undo list log changes"),
    "view.lose_host": tr("kill failure fail die down crash hold"),
    "view.find_on_board": tr("search filter"),
    "view.dark": tr("night theme appearance"),
    "view.light": tr("day theme appearance"),
    "view.contrast": tr("accessibility theme appearance"),
    "view.keys": tr("keyboard shortcuts help manual"),
    "view.reduce_motion": tr("animation accessibility"),
    "meeting.toggle": tr("projector beamer present presentation customer second screen"),
    "meeting.freeze": tr("hold pause projector"),
    "meeting.blank": tr("black hide projector"),
    "recommend.open": tr(
        "cheapest price cost buy options sizing what to buy hardware pareto size suggest design "
        "bill of materials"
    ),
    "arrange.open": tr("balance DRS place placement rebalance vMotion moves consolidate"),
    "site.open": tr(
        "calibrate calibration measured score actual go live ask next question data request"
    ),
    "compare.open": tr("difference diff side by side changes"),
    "changed.open": tr("signature agreed second meeting difference then and now"),
    "journey.years": tr(
        "runway forecast capacity plan year 3 year 5 growth rates trend season maintenance window "
        "slider later future chance"
    ),
    "scenarios.flip": tr("difference toggle before after"),
    "scenarios.duplicate": tr("copy alternative variant case"),
    "scenarios.new": tr("alternative variant case"),
    "why.open": tr("explain reason formula derivation evidence"),
    "evidence.open": tr(
        "accuracy error validation sources documents benchmarks second opinion simulation"
    ),
    "advisors.open": tr(
        "candidates candidate screening sametime cluster upgrade migration documents"
    ),
    "origins.choose": tr("source who said badge"),
    "origins.toggle_pin": tr("lock fix keep"),
    "own.add_server": tr("hardware host catalog"),
    "own.add_prices": tr("money cost euro dollar price list quote tco"),
    "own.add_array": tr("storage disks catalog"),
    "own.add_workload": tr("profile application catalog"),
    "files.report_problem": tr("bug error crash support feedback log help"),
    "view.manual": tr("manual documentation docs help tutorials guide reference"),
    "view.about": tr("licence license version copyright third party"),
    "tour.start": tr("help introduction tutorial manual guide"),
}
"""Other words for acts, by their ids."""

CHARTS = {
    "curve": (
        "users",
        tr("latency response time users curve knee slow limit second opinion network"),
    ),
    "load": ("server", tr("load by host cpu ram utilisation")),
    "utilisation": ("own-data", tr("utilisation resource limit constraint busiest slowest")),
    "whatif": ("move", tr("sweep vary range sensitivity trend")),
    "failures": (
        "triangle-alert",
        tr("failure fail ha n+1 host lost outage dead down survive resilience"),
    ),
    "admission": ("ban", tr("admission control ha slots reserve failover capacity percentage")),
    "storm": (
        "history",
        tr("boot restart power cut site reconnect login recovery time holiday first day vacation"),
    ),
}
"""Icon and other words of each tab of the charts, by the attribute of `ChartsPanel`."""

PANELS = {
    "catalog": (
        tr("Catalog"),
        "panel-left",
        tr("servers arrays workloads hypervisors hardware parts"),
    ),
    "scenarios": (tr("Scenarios"), "copy-plus", tr("alternatives variants cases baseline")),
    "board": (tr("Board"), "server", tr("hosts vms pools clusters canvas")),
    "inspector": (
        tr("Inspector"),
        "pencil",
        tr("properties inputs settings limits thresholds policy"),
    ),
    "findings": (
        tr("Findings"),
        "triangle-alert",
        tr("warnings errors advice problems rules risks"),
    ),
}
"""Name, icon and other words of each place of the window."""

RIGHT = ("inspector", "findings")

KINDS: dict[type, tuple[str, str, str]] = {
    Host: (tr("Host"), "server", tr("server esx machine")),
    Vm: ("VM", "box", tr("virtual machine guest")),
    Pool: (tr("Pool"), "database", tr("storage array disks lun")),
    Cluster: (tr("Cluster"), "boxes", tr("group")),
}
"""Word, icon and other words of each kind of item."""


class Window(Protocol):
    """What of the window is gone to."""

    session: Session
    selection: Selection
    verdict: VerdictBar
    board: BoardView
    charts: ChartsPanel
    ahead: YearsAhead
    inspector: Inspector
    left: SidePanels
    right: SidePanels
    stack: PageStack

    def place(self, name: str) -> QWidget: ...

    def go_to(self, place: QWidget) -> None: ...


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere to go.

    Attributes:
        words: its name; also: other words by which it is found; where: what it is.
        go: brings it into sight. is_item: one of the design's own things, of which there are many.
    """

    words: str
    icon: str
    also: str
    where: str
    go: Callable[[], None]
    is_item: bool = False


def places(window: Window) -> Iterator[Place]:
    """All there is to go to now; what is not made yet is left out."""
    yield from _charts(window)
    nudges = window.verdict.nudges
    if nudges.can_restore:
        yield Place(
            tr("Restore the design before its nudges"),
            "own-restore",
            tr("revert take back knobs"),
            tr("verdict"),
            nudges.restore,
        )
    for name, (words, icon, also) in PANELS.items():
        yield Place(
            tr("Show {what}", what=lowered(words)),
            icon,
            also,
            tr("panel"),
            partial(_panel, window, name),
        )
    if (advisors := getattr(window, "advisors", None)) is not None:
        yield from advisor_places(advisors)
    project = window.session.project
    for entry in project.entries:
        go = partial(window.session.show, entry.id)
        name = entry.scenario.name
        words, also = tr("Scenario {name}", name=name), tr("case variant")
        yield Place(words, "file-text", also, tr("scenario"), go, is_item=True)
    for item in window.session.scenario.items():
        kind = KINDS.get(type(item))
        if kind is not None:
            word, icon, also = kind
            go = partial(_item, window, item.id)
            yield Place(
                f"{word} {set_apart(item.name)}", icon, also, tr("on the board"), go, is_item=True
            )


def _charts(window: Window) -> Iterator[Place]:
    charts = getattr(window, "charts", None)
    if charts is None:
        return
    for name, (icon, also) in CHARTS.items():
        page: QWidget = getattr(charts, name)
        words = tr("Show {what}", what=charts.tabText(charts.indexOf(page)))
        yield Place(words, icon, also, tr("chart"), partial(_chart, window, page))
    for place, row in enumerate(STUDIES):
        words = tr("Show {what}", what=row.title)
        also = f"{row.name} {row.also}"
        yield Place(words, row.icon, also, tr("chart"), partial(_study, window, place))


def advisor_places(advisors: AdvisorCommands) -> Iterator[Place]:
    """The topics of the advisors."""
    from models.advise.topics import TOPICS

    for id, topic in TOPICS.items():
        words = tr("Ask: {what}", what=local(topic.title))
        also = f"{id} {local(topic.about)} {' '.join(topic.words)}"
        yield Place(words, "book-open", also, tr("advisor"), partial(advisors.open_topic, id))


def _chart(window: Window, page: QWidget) -> None:
    window.go_to(window.place("charts"))
    window.charts.setCurrentWidget(page)
    window.charts.want_room()
    window.charts.setFocus()


def _study(window: Window, place: int) -> None:
    window.charts.studies.show_study(place)
    _chart(window, window.charts.studies)


def _panel(window: Window, name: str) -> None:
    place = window.place(name)
    window.go_to(place)
    for side, parts in ((window.left, ("catalog", "scenarios")), (window.right, RIGHT)):
        if name in parts:
            side.bring(parts.index(name))
    place.setFocus()


def _item(window: Window, id: str) -> None:
    window.go_to(window.place("board"))
    window.selection.select(id)
    window.board.reveal(id)
    window.board.setFocus()
