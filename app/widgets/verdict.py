"""The verdict at the top of the window: one sentence and five dials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QWidget,
)

from app.language import local, tr
from app.outlook import OutlookRun
from app.selection import Selection
from app.session import Session, View
from app.widgets import gauge_text
from app.widgets.beyond_verdict import BesidesLine
from app.widgets.dials import Dial
from app.widgets.gauge_text import BETWEEN, changes_text, fewer_changes, preview_text
from app.widgets.labels import AskLabel, AskParagraph, OneLine, ShorterLine, Sign, tint
from app.widgets.marks import scaled_font, verdict_icon, verdict_ink
from app.widgets.nudges import NudgeStrip
from app.widgets.outlook_bar import FixButton, OutlookLines
from app.widgets.parts import STRETCH, Line, in_column, in_row, styled
from app.wording import locale_style, tip_text, with_short_words
from app.work import Worker
from models.base.lettering import breakable, set_apart
from models.base.texts import opening
from models.judgement.against_limits import NORMAL
from models.judgement.gauges import REASON, Gauge, gauges, nearest_gauges
from models.judgement.rules import is_of_pools
from models.predict.predicted import DIALS, FAILURE, NumberRef
from models.predict.prediction import ASSUMED, Binding, Prediction, Shown, Verdict
from models.scenario.scenario import Scenario
from models.tell.headline import headline

HEIGHT_LINES, LOW_LINES = 7.6, 7.1
STRIP_LINES = 2.8
LOW_SENTENCE = 3
"""Lines of the sentence in a low window; all of it stays readable as the tool tip."""

OWN_ROW_LINES = 1.3
"""What a row of its own takes for the lines of the outlook."""
LEAST_WORDS, LEAST_OUTLOOK = 11.5, 15.0
"""Widths, in lines: of the verdict's sentence, and of the outlook beside the nudges."""


NEAREST = tr("Nearest their limits, in normal operation and in losses to be survived")
"""What the dials speak of."""
WIDEST = max((local(dial.widest) for dial in DIALS.values()), key=len)
QUIET = ("basis", "load", "posture")
"""Chips that nearly every verdict has: they stand in one muted line."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """What was shown at one step of the history."""

    entry: str
    step: int
    scenario: Scenario
    shown: Shown
    gauges: Mapping[str, Gauge]


class VerdictBar(QFrame):
    """Says whether the scenario in view fits, why, and how near every limit is.

    Signals:
        subject_activated: id of the item that a dial is the worst of.
        why_requested: the number that is to be explained, as `NumberRef`.
    """

    subject_activated = Signal(str)
    why_requested = Signal(object)

    def __init__(
        self,
        session: Session,
        selection: Selection,
        worker: Worker,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._nudged = ""
        self._said = ""
        self._is_roomy = True
        self._latest: _Standing | None = None
        self._start: _Standing | None = None
        self._recommended: dict[str, _Standing] = {}
        self.setProperty("role", "panel")
        self.setAccessibleName(tr("Verdict"))
        self._emblem = Sign(parent=self, lines=2.9)
        self.word, self.badge = QLabel(self), QLabel(self)
        self.chips = {id: styled(QLabel(self), "badge") for id in (ASSUMED, "grade")}
        self.sentence = AskParagraph(self)
        self.note = ShorterLine(self)
        self.rests = ShorterLine(self, is_dispensable=True)
        self._nearest = OneLine(NEAREST, self)
        self._gauges: tuple[Gauge, ...] = ()
        self.dials = tuple(Dial("", self, widest=WIDEST) for _ in DIALS)
        self.nudges = NudgeStrip(session, selection, self)
        self.outlook = OutlookRun(session, worker, self)
        self.fix = FixButton(session, self.outlook, self)
        self.lines = OutlookLines(session, self.outlook, self)
        self.besides = BesidesLine(session, self.outlook, self)
        self._strip = in_row()
        self._lay_out()
        for dial in self.dials:
            dial.activated.connect(self.subject_activated)
            dial.asked.connect(self._dial_asked)
        self.sentence.asked.connect(self._verdict_asked)
        self.nudges.nudged.connect(self._tell_act)
        session.view_changed.connect(self.show_view)
        session.waiting_changed.connect(self._show_waiting)
        self.show_view(session.view)

    @property
    def is_calculating(self) -> bool:
        """How far the verdict holds is being worked out, or about to be."""
        return self.outlook.is_calculating

    def forget(self) -> None:
        """Another project is open: nothing is kept of the one before."""
        self._recommended.clear()
        self.outlook.forget()

    def give_up(self) -> None:
        """Nobody looks at it any more: what is still calculated can stop."""
        self.outlook.cancel()

    def show_view(self, view: View) -> None:
        """Shows a view; what looks the same is not painted again."""
        now = _by_field(view.scenario, view.prediction)
        stored = now
        if view.is_preview:
            stored = _by_field(self._session.scenario, view.committed)
        if view.lost:
            now[FAILURE] = stored[FAILURE]
        self._show_words(view)
        self._show_note(view, stored, now)
        self._gauges = nearest_gauges(view.scenario, view.prediction)
        readings = gauge_text.readings(view, self._session.scenario, self._gauges)
        for dial, (shown, text) in zip(self.dials, readings, strict=True):
            dial.show_reading(shown, text)
        self._even_out()

    def set_roomy(self, is_roomy: bool) -> None:
        """Whether the window is high enough for all the words."""
        if is_roomy != self._is_roomy:
            self._is_roomy = is_roomy
            self.sentence.keep_to(None if is_roomy else LOW_SENTENCE)
            self._place_outlook()

    def _even_out(self) -> None:
        """All five dials speak in one size: that of the one with the least room."""
        fitting = [dial.fitting_sizes() for dial in self.dials]
        sizes = (min(value for value, _ in fitting), min(small for _, small in fitting))
        for dial in self.dials:
            dial.set_sizes(sizes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_outlook()
        self._layout_now()
        self._even_out()

    def _place_outlook(self) -> None:
        """The outlook stands beside the nudges; where these leave it no room, below them."""
        line, flows = QFontMetricsF(self.font()).height(), QBoxLayout.Direction
        left = self.contentsRect().width() - self.nudges.sizeHint().width()
        is_below = left < LEAST_OUTLOOK * line
        self._strip.setDirection(flows.TopToBottom if is_below else flows.LeftToRight)
        self.lines.set_direction(flows.LeftToRight if is_below else flows.TopToBottom)
        high = HEIGHT_LINES if self._is_roomy else LOW_LINES
        lines = high + STRIP_LINES + OWN_ROW_LINES * is_below
        self.setMinimumHeight(round(line * lines))

    def _layout_now(self) -> None:
        """The dials have their new widths at once, not when they are next painted."""
        layout = self.layout()
        if layout is not None:
            layout.activate()

    def _show_words(self, view: View) -> None:
        prediction = view.prediction
        shown = prediction.shown
        self._emblem.show_sign(verdict_icon(shown), verdict_ink(shown))
        known = shown.verdict
        self._emblem.setAccessibleName("" if known is None else local(shown.words))
        word = local(opening(shown.words))
        self._said = word
        if view.is_preview:
            self._said = tr("{what}: {word}", what=preview_text(view), word=word.lower())
        self.word.setText(self._said)
        tint(self.word, verdict_ink(shown))
        self.badge.setText(local(opening(prediction.badge)))
        self.badge.setVisible(bool(prediction.badge))
        self._show_chips(prediction)
        self._show_rest(prediction)
        self._nearest.setText(
            tr("{what}: nearest to the limit", what=preview_text(view)) if view.lost else NEAREST
        )
        self.sentence.setText(with_short_words(answer_text(prediction, view.scenario)))
        self.sentence.setToolTip(tip_text(breakable(local(prediction.answer))))

    def _show_chips(self, prediction: Prediction) -> None:
        """What the verdict rests on; where the word says already that it fits on assumptions only,
        it says the rest as well."""
        there = {chip.id: chip for chip in prediction.caveats}
        is_said = prediction.shown.is_assumed
        told = [chip for chip in prediction.chips if chip.id in QUIET]
        told += [there[ASSUMED]] if is_said else []
        self.word.setToolTip(tip_text("\n".join(local(chip.detail) for chip in told)))
        for id, label in self.chips.items():
            chip = None if is_said and id == ASSUMED else there.get(id)
            label.setText("" if chip is None else local(chip.text))
            label.setToolTip("" if chip is None else tip_text(local(chip.detail)))
            label.setVisible(chip is not None)

    def _show_rest(self, prediction: Prediction) -> None:
        """What every verdict rests on, in a word each."""
        quiet = [chip for chip in prediction.chips if chip.id in QUIET and not prediction.idle]
        words = [local(chip.text) for chip in quiet]
        shorter = (BETWEEN.join(words[:count]) for count in range(len(words), -1, -1))
        self.rests.say(*shorter)
        self.rests.setToolTip(tip_text("\n".join(local(chip.detail) for chip in quiet)))

    def _show_waiting(self, is_waiting: bool) -> None:
        """Says of what is shown that it is about to be replaced."""
        self.word.setText(tr("{said}, calculating…", said=self._said) if is_waiting else self._said)

    def _show_note(self, view: View, stored: Mapping[str, Gauge], now: Mapping[str, Gauge]) -> None:
        """Says what the last act did; an act without effect is acknowledged as well."""
        tint(self.note, "ghost" if view.is_preview else "muted")
        if view.is_preview:
            changes = changes_text(stored, now, style=locale_style())
            self.note.say(changes, *fewer_changes(changes))
            return
        self._remember(view, now)
        words, tip = self._last_act()
        self.note.say(*words)
        self.note.setToolTip(tip_text(tip))

    def _dial_asked(self) -> None:
        """The dial that was asked says which number it is."""
        asked_by = self.sender()
        for gauge, dial in zip(self._gauges, self.dials, strict=True):
            if dial is asked_by:
                self._ask(gauge)

    def _ask(self, gauge: Gauge) -> None:
        if gauge.binding is not None:
            self.why_requested.emit(asked_of(gauge.binding, self._session.scenario))
        elif gauge.field == REASON:
            self._verdict_asked()
        else:
            self.why_requested.emit(NumberRef("dials", "", gauge.field))

    def _verdict_asked(self) -> None:
        binding = self._session.studied_view.prediction.binding
        if binding is not None:
            self.why_requested.emit(asked_of(binding, self._session.scenario))

    def _tell_act(self, act: str) -> None:
        """The words of a nudge stand before what it changed."""
        self._nudged = act

    def _remember(self, view: View, now: Mapping[str, Gauge]) -> None:
        """Keeps what stood before the latest step; merged edits are one step."""
        session = self._session
        standing = _Standing(
            session.project.active,
            session.stack.index(),
            view.scenario,
            view.prediction.shown,
            now,
        )
        if view.scenario is session.recommended:
            self._recommended[standing.entry] = standing
        latest = self._latest
        is_begun = session.stack.count() > 0
        if latest is None or latest.entry != standing.entry or not is_begun:
            self._start = None
        elif latest.step != standing.step:
            self._start = latest
        self._latest = standing

    def _last_act(self) -> tuple[tuple[str, ...], str]:
        """What the latest act changed, in ever fewer words, and all of it with the act: that is in
        the menu too, so it gives way."""
        start, latest = self._start, self._latest
        if start is None or latest is None or start.scenario is latest.scenario:
            return ("",), ""
        stack = self._session.stack
        act = (
            stack.undoText()
            if latest.step > start.step
            else tr("Undone: {redoText}", redoText=stack.redoText())
        )
        is_nudge = act == self._nudged and latest.step > start.step
        recommended = self._recommended.get(latest.entry)
        if is_nudge and recommended is not None:
            return self._against(recommended, latest, act)
        changes = changes_text(start.gauges, latest.gauges, style=locale_style())
        said = (changes, *fewer_changes(changes))
        if is_nudge or (not changes and start.shown.words != latest.shown.words):
            words = tuple(nudge_text(act, start.shown, latest.shown, each) for each in said)
        elif changes:
            return said, f"{act}: {changes}"
        else:
            words = (tr("{act}: no number here changes", act=act),)
        return words, words[0]

    def _against(
        self, recommended: _Standing, latest: _Standing, act: str
    ) -> tuple[tuple[str, ...], str]:
        """What a nudge makes of a design that was recommended, against that and not against the
        step before."""
        changes = changes_text(recommended.gauges, latest.gauges, style=locale_style())
        if not changes:
            words = tr("{act}: no number differs from the recommendation", act=act)
            return (words,), words
        told = [
            nudge_text(
                act,
                recommended.shown,
                latest.shown,
                tr("against the recommendation: {changes}", changes=each),
            )
            for each in (changes, *fewer_changes(changes))
        ]
        brief = [
            tr("Against the recommendation: {changes}", changes=each)
            for each in (changes, *fewer_changes(changes))
        ]
        return (*told, *brief), told[0]

    def _lay_out(self) -> None:
        self.sentence.setMinimumWidth(round(QFontMetricsF(self.font()).height() * LEAST_WORDS))
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for quiet in (self.note, self.rests):
            quiet.setProperty("role", "muted")
        self.word.setContentsMargins(AskLabel.AROUND, 0, 0, 0)
        self.note.setContentsMargins(AskLabel.AROUND, 0, 0, 0)
        self.word.setFont(scaled_font(self.font(), 1.55, QFont.Weight.DemiBold))
        self.sentence.setFont(scaled_font(self.font(), 1.08, QFont.Weight.Medium))
        words = in_column(gap=1).put(
            STRETCH, self._first_line(), self.sentence, self.besides, self.note, STRETCH
        )
        row = in_row(gap=2, around=(6, 0, 0, 0)).put(
            self._emblem, 8 - AskLabel.AROUND, (words, 4), (self._dial_rows(), 7)
        )
        self._strip.put(self.nudges, (self.lines, 1))
        in_column(self, gap=4, around=(8, 6, 6, 6)).put((row, 1), self._strip)
        line = QFontMetricsF(self.font()).height()
        self.setMinimumHeight(round(line * (HEIGHT_LINES + STRIP_LINES)))

    def _dial_rows(self) -> QGridLayout:
        """The dials under what they speak of: the verdict speaks of all of it."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(2)
        grid.setVerticalSpacing(0)
        self._nearest.setProperty("role", "muted")
        self._nearest.setFont(scaled_font(self.font(), 0.86))
        self._nearest.setContentsMargins(8, 0, 0, 0)
        grid.addWidget(self._nearest, 0, 0, 1, len(self.dials))
        for column, dial in enumerate(self.dials):
            grid.addWidget(dial, 1, column)
            grid.setColumnStretch(column, 1)
        return grid

    def _first_line(self) -> Line:
        """The verdict in a word, and beside it what would mend it."""
        self.badge.setProperty("role", "badge")
        self.badge.setToolTip(
            tip_text(
                tr(
                    "Nothing as recent was measured: the numbers are carried over machines, "
                    "hypervisors and releases, and their intervals grow with each of them"
                )
            )
        )
        return in_row(gap=10).put(
            self.word, self.badge, *self.chips.values(), self.fix, (self.rests, 1)
        )


def asked_of(binding: Binding, scenario: Scenario) -> NumberRef:
    """The number that decides a verdict; of a VM that can't be powered on its memory, of a pool
    that holds nothing its space."""
    if is_of_pools(binding.rule):
        return NumberRef("pools", binding.subject, "usable_gib")
    if binding.rule:
        return NumberRef("vms", binding.subject, "ram_gib")
    if binding.own:
        return NumberRef("failures", binding.subject, "vm_cpu_pct")
    if binding.mode != NORMAL and binding.lost is None:
        return NumberRef("failures", binding.subject, binding.resource)
    kinds = (("hosts", scenario.hosts), ("pools", scenario.pools))
    for table, items in kinds:
        if any(item.id == binding.subject for item in items):
            return NumberRef(table, binding.subject, binding.resource)
    return NumberRef("vms", binding.subject, binding.resource)


def nudge_text(act: str, before: Shown, after: Shown, changes: str) -> str:
    """What a nudge did to the verdict: ``+1 host, esx3 → fits; CPU 45 → 38 %``."""
    if before.words != after.words:
        head = f"{act} → {local(after.words)}"
    else:
        head = (
            tr("{act}: still {after}", act=act, after=after.words)
            if after.verdict is not Verdict.FITS
            else act
        )
    return f"{head}; {changes}" if changes else tr("{head}; no number here changes", head=head)


def answer_text(prediction: Prediction, scenario: Scenario) -> str:
    """What decides, without the verdict that stands above it already; and what to do, unless that
    is for the button beside it to say, which has tried what helps."""
    has_button = prediction.verdict > Verdict.NOT_KNOWN
    return reason_text(prediction, scenario, with_action=not has_button)


def reason_text(prediction: Prediction, scenario: Scenario, *, with_action: bool = True) -> str:
    """What decides and what to do, without the verdict that stands above it already.

    It may begin with a name, which keeps the case that people gave it.
    """
    told = headline(scenario, prediction)
    reason = local(told.reason or prediction.why.clause)
    if not any(reason.startswith(set_apart(item.name)) for item in scenario.items() if item.name):
        reason = reason[:1].upper() + reason[1:]
    return " ".join(filter(None, (f"{reason}.", local(told.action) if with_action else "")))


def _by_field(scenario: Scenario, prediction: Prediction) -> dict[str, Gauge]:
    return {gauge.field: gauge for gauge in gauges(scenario, prediction)}
