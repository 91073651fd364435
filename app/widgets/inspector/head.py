"""The head of the inspector: what is selected, its verdict, and how much of the input is known."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import local, tr, trn
from app.look import LOOK
from app.session import Session, View
from app.widgets.fields.text import HeadingField
from app.widgets.inspector.facts import summary, verdict_of
from app.widgets.inspector.rows import Remark
from app.widgets.inspector.specs import Subject
from app.widgets.labels import OneLine, Sign
from app.widgets.marks import (
    Judged,
    chip_size,
    draw_chip,
    scaled_font,
    verdict_colour,
    verdict_icon,
)
from app.widgets.painting import draw_box, draw_line
from app.widgets.parts import in_column, in_row, styled
from app.wording import locale_style
from models.base.lettering import set_apart
from models.predict.prediction import Shown, Verdict
from models.scenario.data_coverage import DataCoverage, coverage_text, data_coverage, origin_counts
from models.scenario.scenario import Cluster, Host, Pool, Scenario, Vm
from models.scenario.wording import counted, number
from models.scenario.workloads import WORKLOADS

KIND_ICONS: dict[type, str] = {
    Vm: "box",
    Host: "server",
    Pool: "database",
    Cluster: "boxes",
    Scenario: "file-text",
}


class VerdictChip(QWidget):
    """A verdict as icon and word, or that the item is lost; takes no room without either."""

    spoken_role = QAccessible.Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict: Judged = None
        self.word = ""
        """What it says; nothing while it takes no room."""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_verdict(self, verdict: Judged) -> None:
        words: str = verdict.words if isinstance(verdict, Shown) else ""
        if isinstance(verdict, Verdict):
            words = verdict.label
        self._say(verdict, local(words))

    def show_gone(self, word: str) -> None:
        """Says that the item does not run: it is lost with its host, or is that host."""
        self._say(Verdict.DOES_NOT_FIT, word)

    def _say(self, verdict: Judged, word: str) -> None:
        if (verdict, word) != (self._verdict, self.word):
            self._verdict, self.word = verdict, word
            self.setAccessibleName(word)
            self.updateGeometry()
            self.update()
        self.setVisible(verdict is not None)

    def _font(self) -> QFont:
        return scaled_font(self.font(), 0.92, QFont.Weight.Medium)

    def sizeHint(self) -> QSize:
        return chip_size(self._font(), self.word).toSize()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._verdict is None:
            return
        painter = QPainter(self)
        painter.setFont(self._font())
        colour = verdict_colour(self._verdict, LOOK.theme)
        box = QRectF(self.rect())
        draw_chip(painter, box, verdict_icon(self._verdict), self.word, colour)
        painter.end()


class CoverageLine(QWidget):
    """How much of what describes the load is known of this customer, in words and as a bar."""

    spoken_role = QAccessible.Role.ProgressBar

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario: Scenario | None = None
        self._coverage: DataCoverage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """The words over the bar."""
        coverage = self._coverage
        if coverage is None or coverage.share is None:
            return ""
        if not coverage.known:
            return tr("No load figure is from the customer yet")
        style = locale_style()
        return tr(
            "{known} of {data} load figures are from the customer",
            known=number(coverage.known, style=style),
            data=number(coverage.data, style=style),
        )

    @property
    def spoken_value(self) -> str:
        return self.text

    def show_scenario(self, scenario: Scenario | None) -> None:
        """Shows the coverage of a scenario; takes no room without one."""
        self._scenario = scenario
        self._coverage = None if scenario is None else data_coverage(scenario)
        self.setVisible(self._coverage is not None and self._coverage.share is not None)
        if self._coverage is not None:
            self.setAccessibleName(local(coverage_text(self._coverage, style=locale_style())))
        self.update()

    def event(self, event: QEvent) -> bool:
        """The tool tip counts all inputs: too much for every frame of a drag."""
        if event.type() is QEvent.Type.ToolTip and self._scenario is not None:
            self.setToolTip(coverage_tip(self._scenario))
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(160, round(QFontMetricsF(self.font()).height()) + 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        share = None if self._coverage is None else self._coverage.share
        if share is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box, font = QRectF(self.rect()), scaled_font(self.font(), 0.92)
        draw_line(painter, box, self.text, font, LOOK.theme.muted, Qt.AlignmentFlag.AlignTop)
        bar = QRectF(box.left(), box.bottom() - 5, box.width() - 2, 4)
        draw_box(painter, bar, 2, ground=LOOK.theme.track)
        bar.setWidth(bar.width() * share)
        draw_box(painter, bar, 2, ground=LOOK.theme.accent)
        painter.end()


def coverage_tip(scenario: Scenario) -> str:
    """The coverage in words, what it is not, and all inputs by who gave them."""
    style = locale_style()
    counts = "\n".join(
        f"{number(count, style=style)} {local(origin.label)}"
        for origin, count in origin_counts(scenario)
    )
    return tr(
        "{coverage}\nIt says how well this customer is known; how wrong the model is, is "
        "another matter.\n\nAll inputs by origin:\n{counts}",
        coverage=coverage_text(data_coverage(scenario), style=style),
        counts=counts,
    )


class Head(QWidget):
    """Sign, name, verdict and a line below; of the scenario how much of its input is known."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._sign = Sign(parent=self, lines=1.4)
        self.name = HeadingField(parent=self)
        self.chip = VerdictChip(self)
        """The verdict, or that it is lost."""
        self._remark = Remark(self)
        self._subtitle = styled(OneLine("", self), "muted")
        self.coverage = CoverageLine(self)
        self.name.setAccessibleName(tr("Name"))
        self.name.said.connect(self._remark.say)
        self._lay_out()

    @property
    def subtitle(self) -> str:
        return self._subtitle.text()

    def forget(self) -> None:
        """Drops the name that is being typed: another item is shown now."""
        self.name.forget()
        self._remark.say("", False)

    def show_items(self, items: tuple[Subject, ...], view: View) -> None:
        """Shows what the items are; their names only where it is one."""
        single = items[0] if len(items) == 1 else None
        self._sign.show_sign(KIND_ICONS[type(items[-1])], "muted")
        self.name.setReadOnly(single is None)
        self.name.show_value(items[0].name if single else _count_text(items))
        self._subtitle.setText(subtitle_text(items, view, self._session))
        is_scenario = isinstance(single, Scenario)
        shown = view.prediction.shown
        verdict: Judged = shown if is_scenario and shown.verdict is not None else None
        if single is not None and verdict is None:
            verdict = verdict_of(view.prediction, single)
        if single is not None and is_gone(single, view):
            self.chip.show_gone(tr("lost") if isinstance(single, Host) else tr("down"))
        else:
            self.chip.show_verdict(verdict)
        self.coverage.show_scenario(view.scenario if is_scenario and view.scenario.vms else None)

    def _lay_out(self) -> None:
        self.name.setFont(scaled_font(self.font(), 1.3, QFont.Weight.DemiBold))
        line = in_row(gap=6).put(self._sign, (self.name, 1), self.chip)
        in_column(self, gap=6).put(line, self._remark, self._subtitle, self.coverage)


def subtitle_text(items: tuple[Subject, ...], view: View, session: Session) -> str:
    """Under the name: what the item is and where it stands."""
    if len(items) > 1:
        return summary(items, session.catalog, locale_style())
    item, scenario = items[0], session.scenario if view.lost else view.scenario
    if isinstance(item, Vm):
        return f"{local(WORKLOADS[item.workload.kind].name)} · {_place_text(item, view, scenario)}"
    if isinstance(item, Host):
        server = session.catalog.servers.get(item.server)
        where = set_apart(scenario.cluster(item.cluster).name) if item.cluster else tr("no cluster")
        cores = tr(" · {cores} cores", cores=server.cores) if server else ""
        return f"{where}{cores} · {_vms_text(item, view, scenario)}"
    if isinstance(item, Pool):
        vms = sum(item.id in (vm.pool, vm.log_pool) for vm in scenario.vms)
        return f"{trn('{count} drive', '{count} drives', item.spindles)} · {_counted(Vm, vms)}"
    if isinstance(item, Cluster):
        hosts = [host.id for host in scenario.hosts if host.cluster == item.id]
        vms = sum(vm.host in hosts for vm in scenario.vms)
        return f"{_counted(Host, len(hosts))} · {_counted(Vm, vms)}"
    return f"{_counted(Host, len(item.hosts))} · {_counted(Vm, len(item.vms))}"


def is_gone(item: Subject, view: View) -> bool:
    """It does not run any more: the host that is held down, or a VM that found no room."""
    if isinstance(item, Vm) and view.lost:
        return item.powered_on and not view.scenario.vm(item.id).powered_on
    return isinstance(item, Host) and bool(view.lost) and item.id == view.lost


def _place_text(vm: Vm, view: View, stored: Scenario) -> str:
    """Its host; of a VM whose host is held down where it goes on."""
    if vm.host is None:
        return tr("not placed")
    before = set_apart(stored.host(vm.host).name)
    if is_gone(vm, view):
        return tr("{host} is lost, no room elsewhere", host=before)
    now = view.scenario.vm(vm.id).host
    is_moved = bool(view.lost) and now not in (None, vm.host)
    return f"{before} → {set_apart(stored.host(now or '').name)}" if is_moved else before


def _vms_text(host: Host, view: View, stored: Scenario) -> str:
    """How many VMs stand on it; while a host is held down, how many it takes over."""
    before = len(stored.vms_on(host.id))
    if not view.lost:
        return _counted(Vm, before)
    if is_gone(host, view):
        return _leaving_text(stored.vms_on(host.id), view.scenario)
    now = len(view.scenario.vms_on(host.id))
    taken = tr(", {count} taken over", count=now - before) if now > before else ""
    return f"{_counted(Vm, now)}{taken}"


def _leaving_text(vms: tuple[Vm, ...], left: Scenario) -> str:
    """What becomes of the VMs of a lost host: a secondary that runs on is no restart."""
    now = [(vm, left.vm(vm.id)) for vm in vms if vm.powered_on]
    moved = [pair for pair in now if pair[1].powered_on and pair[1].host != pair[0].host]
    run_on = sum(vm.fault_tolerance and not there.fault_tolerance for vm, there in moved)
    down = len(now) - len(moved)
    parts = (
        [tr("{vms} to restart", vms=_counted(Vm, len(moved) - run_on))]
        if len(moved) > run_on
        else []
    )
    if run_on:
        parts.append(trn("{count} runs on in FT", "{count} run on in FT", run_on))
    if down:
        parts.append(tr("{count} down", count=down))
    return ", ".join(parts) or _counted(Vm, len(vms))


def _count_text(items: tuple[Subject, ...]) -> str:
    """``2 hosts, 3 VMs``."""
    counts = Counter(map(type, items))
    return ", ".join(_counted(kind, count) for kind, count in counts.items())


def _counted(kind: type, count: int) -> str:
    return local(counted(kind, count))
