"""Holding a host down: how the rest would stand without it, until it is let go.

The project is not touched and neither is its history: what is shown is a preview.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from app.language import local, tr, trn
from app.session import Session
from app.widgets.board.scene import Lost
from app.widgets.gauge_text import name_of, number_text
from app.wording import locale_style
from app.work import pause
from models.evaluate import evaluate
from models.host_loss import HostLoss, as_mode, lose_host, verdict_on
from models.judgement.gauges import gauges
from models.predict.predicted import title_of
from models.predict.prediction import FailureMode, Prediction
from models.scenario.scenario import Scenario
from models.scenario.wording import Style, enough

TOLD = ("cpu_pct", "ram_pct", "response_ms")
HOLD_MS = 400
MOTION_MS = 150
LET_GO_MS = 50
"""A key that repeats is up and down again within this time: X11 does not always say so."""


class Outage(QObject):
    """One host of the session that is held down.

    Signals:
        changed: another host is lost, none, or its VMs have come further on their way.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.lost: Lost | None = None
        """The host that is lost; None while all stand."""
        self._pressed = ""
        self._holding = pause(self, HOLD_MS, self._held)
        self._letting_go = pause(self, LET_GO_MS, self.end)
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(MOTION_MS)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._moved)
        self.is_moving_allowed = True
        session.project_changed.connect(self.end)

    @property
    def is_waiting(self) -> bool:
        """A button is held on a host, not long enough yet."""
        return self._holding.isActive()

    def press(self, host: str) -> None:
        """A button went down on a host: if it stays there the host is lost."""
        self._pressed = host
        self._holding.start()

    def release(self) -> bool:
        """The button is up, or dragged away; True when a host comes back by that."""
        self._holding.stop()
        was_lost = self.lost is not None
        self.end()
        return was_lost

    def stop_waiting(self) -> None:
        """The press became something else."""
        self._holding.stop()

    def begin(self, host: str) -> None:
        """The host is gone."""
        self._letting_go.stop()
        if self.lost is not None and self.lost.host == host:
            return
        session = self._session
        if not session.is_settled:
            session.flush()
        scenario = session.scenario
        mode = next((m for m in session.view.committed.failures if m.host == host), None)
        if mode is None:
            return
        loss = lose_host(scenario, session.knowledge, host)
        prediction = evaluate(loss.scenario, session.knowledge)
        words = loss_words(scenario, loss, mode, prediction, locale_style())
        verdict = verdict_on(loss, mode)
        foreseen = as_mode(prediction, verdict, words)
        session.preview(loss.scenario, foreseen, lost=host)
        vms = [vm.id for vm in scenario.vms_on(host) if vm.powered_on]
        self.lost = Lost(
            host=host,
            words=words,
            places={vm: loss.place_of(vm) for vm in vms},
            verdict=verdict,
            progress=0.0 if self.is_moving_allowed else 1.0,
        )
        if self.is_moving_allowed:
            self._motion.start()
        self.changed.emit()

    def let_go(self) -> None:
        """The key is up: the host comes back unless the key is down again at once."""
        if self.lost is not None:
            self._letting_go.start()

    def end(self, _change: object = None) -> None:
        """All hosts are there again."""
        self._letting_go.stop()
        self._motion.stop()
        if self.lost is not None:
            self.lost = None
            self._session.clear_preview()
            self.changed.emit()

    def _held(self) -> None:
        self.begin(self._pressed)

    def _moved(self, progress: object) -> None:
        if self.lost is not None and isinstance(progress, float):
            self.lost = replace(self.lost, progress=progress)
            self.changed.emit()


def loss_words(
    scenario: Scenario, loss: HostLoss, mode: FailureMode, prediction: Prediction, style: Style
) -> str:
    """The failure mode, its verdict and where what is left stands, in one line.

    Args:
        prediction: of what is left: the numbers are those of the dials.
    """
    name = scenario.host(loss.host).name
    if mode.down is not None and mode.ram_pct.value is None:
        return tr(
            "{name} is lost and {note}; {down}", name=name, note=mode.note, down=mode.down.words
        )
    if (shown := mode.shown) is None:
        return (
            tr("{name} lost: {note}", name=name, note=mode.note)
            if not loss.down
            else tr("{name} is lost and {note}", name=name, note=mode.note)
        )
    parts = [_standing(loss.scenario, prediction, style), local(mode.note)]
    if mode.not_restarted:
        parts.insert(0, _homeless(mode, style))
    return tr("{name} lost: {label}; ", name=name, label=shown.words) + "; ".join(
        part for part in parts if part
    )


def _standing(left: Scenario, prediction: Prediction, style: Style) -> str:
    """CPU, RAM and response as the dials have them, and whose they are."""
    numbers = [
        tr(
            "{what} {value} ({who})",
            what=local(title_of(gauge.field)),
            value=number_text(gauge, style=style),
            who=name_of(left, gauge.subject),
        )
        for gauge in gauges(left, prediction)
        if gauge.field in TOLD and gauge.quantity.value is not None
    ]
    return tr("at worst {numbers}", numbers=", ".join(numbers)) if numbers else ""


def _homeless(mode: FailureMode, style: Style) -> str:
    count = len(mode.not_restarted)
    words = trn("{count} VM finds no room", "{count} VMs find no room", count)
    short = mode.shortfall.ram_gib
    return (
        tr(
            "{words}, {short}\u202fGiB of RAM short",
            words=words,
            short=enough(short, style=style),
        )
        if short
        else words
    )
