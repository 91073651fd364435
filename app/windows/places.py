"""Where one can go by name: tabs, panels, scenarios and what stands on the board.

Each is found by other words as well, those that people use who have not seen the window before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from models.scenario import Cluster, Host, Pool, Vm

if TYPE_CHECKING:
    from app.windows.window import MainWindow

ALSO = {
    "files.export_proposal": "report print quote offer document",
    "files.import_json": "load read add",
    "start.open_totals": "size sizing autosize wizard requirements",
    "start.open": "home welcome examples",
    "stack.undo": "revert take back",
    "stack.redo": "repeat again",
    "history.open": "steps undo list log",
    "view.lose_host": "kill failure fail die down crash hold",
    "view.find_on_board": "search filter",
    "view.dark": "night theme appearance",
    "view.light": "day theme appearance",
    "view.contrast": "accessibility theme appearance",
    "view.keys": "keyboard shortcuts help",
    "view.reduce_motion": "animation accessibility",
    "meeting.toggle": "projector beamer present presentation customer second screen",
    "meeting.freeze": "hold pause projector",
    "meeting.blank": "black hide projector",
    "compare.open": "difference diff side by side",
    "scenarios.flip": "difference toggle before after",
    "scenarios.duplicate": "copy alternative variant case",
    "scenarios.new": "alternative variant case",
    "why.open": "explain reason formula derivation evidence",
    "evidence.open": "accuracy error validation sources documents benchmarks",
    "origins.choose": "source who said badge",
    "origins.toggle_pin": "lock fix keep",
    "own.add_server": "hardware host catalog",
    "own.add_array": "storage disks catalog",
    "own.add_workload": "profile application catalog",
    "tour.start": "help introduction tutorial",
}
"""Other words for acts, by their ids."""

CHARTS = {
    "curve": ("users", "latency response time users curve knee slow limit"),
    "load": ("server", "load by host cpu ram utilisation"),
    "utilisation": ("own-data", "utilisation resource limit constraint busiest slowest"),
    "whatif": ("move", "sweep vary range growth sensitivity trend"),
    "failures": (
        "triangle-alert",
        "failure fail ha n+1 host lost outage dead down survive resilience",
    ),
    "admission": ("ban", "admission control ha slots reserve failover capacity percentage"),
    "storm": ("history", "boot restart power cut outage site reconnect login recovery time"),
}
"""Icon and other words of each tab of the charts, by the attribute of `ChartsPanel`."""

PANELS = {
    "catalog": ("Catalog", "panel-left", "servers arrays workloads hypervisors hardware parts"),
    "scenarios": ("Scenarios", "copy-plus", "alternatives variants cases baseline"),
    "board": ("Board", "server", "hosts vms pools clusters canvas"),
    "inspector": ("Inspector", "pencil", "properties inputs settings limits thresholds policy"),
    "findings": ("Findings", "triangle-alert", "warnings errors advice problems rules risks"),
}
"""Name, icon and other words of each place of the window."""

KINDS: dict[type, tuple[str, str, str]] = {
    Host: ("Host", "server", "server esx machine"),
    Vm: ("VM", "box", "virtual machine guest"),
    Pool: ("Pool", "database", "storage array disks lun"),
    Cluster: ("Cluster", "boxes", "group"),
}
"""Word, icon and other words of each kind of item."""


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


def places(window: MainWindow) -> Iterator[Place]:
    """All there is to go to now; what is not made yet is left out."""
    yield from _charts(window)
    for name, (words, icon, also) in PANELS.items():
        yield Place(f"Show {words.lower()}", icon, also, "panel", partial(_panel, window, name))
    project = window.session.project
    for entry in project.entries:
        go = partial(window.session.show, entry.id)
        name = entry.scenario.name
        yield Place(f"Scenario {name}", "file-text", "case variant", "scenario", go, is_item=True)
    for item in window.session.scenario.items():
        kind = KINDS.get(type(item))
        if kind is not None:
            word, icon, also = kind
            go = partial(_item, window, item.id)
            yield Place(f"{word} {item.name}", icon, also, "on the board", go, is_item=True)


def _charts(window: MainWindow) -> Iterator[Place]:
    charts = getattr(window, "charts", None)
    if charts is None:
        return
    for name, (icon, also) in CHARTS.items():
        page: QWidget = getattr(charts, name)
        words = f"Show {charts.tabText(charts.indexOf(page))}"
        yield Place(words, icon, also, "chart", partial(_chart, window, page))


def _chart(window: MainWindow, page: QWidget) -> None:
    window.start.leave()
    window.looks.unfold(window.place("charts"))
    window.charts.setCurrentWidget(page)
    window.charts.setFocus()


def _panel(window: MainWindow, name: str) -> None:
    window.start.leave()
    place = window.place(name)
    window.looks.unfold(place)
    if name in ("inspector", "findings"):
        window.right.bring(("inspector", "findings").index(name))
    place.setFocus()


def _item(window: MainWindow, id: str) -> None:
    window.start.leave()
    window.selection.select(id)
    window.board.reveal(id)
    window.board.setFocus()
