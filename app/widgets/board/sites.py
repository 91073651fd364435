"""A site as a section of the board: its heading, and all that is said of one that is folded."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from app.language import tr
from app.widgets.board.layout import PADDING, BoardLayout, Box, SiteOnBoard, site_head
from app.widgets.board.scene import Scene
from app.widgets.board.signs import draw_fold_sign, draw_stripe
from app.widgets.board.tints import Tint
from app.widgets.board.tips import holds, sums
from app.widgets.meters import draw_text, draw_verdict, text_width, verdict_width
from app.widgets.painting import draw_box
from app.wording import locale_style
from models.base.lettering import set_apart
from models.predict.prediction import NOT_ASKED, Prediction, Shown, Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import number

ICON, LINE, SIGN = 16.0, 18.0, 24.0
BOLD = QFont.Weight.DemiBold


def paint_site(painter: QPainter, scene: Scene, id: str, box: Box) -> None:
    """The heading of a site; of one that is folded its sums and its worst verdict."""
    layout, theme, scale = scene.layout, scene.theme, scene.layout.scale
    site, is_folded = layout.in_site[id], id in layout.folded
    head = site_head(layout, id)
    ground = theme.panel if is_folded else theme.track
    draw_box(painter, QRectF(*head), 6 * scale, ground=ground, edge=theme.line)
    line = QRectF(box.x, box.y + 8 * scale, box.w, LINE * scale)
    line.adjust(PADDING * scale, 0, -(SIGN + 6) * scale, 0)
    name = tr("No site said") if site.name is None else set_apart(site.name)
    verdict = scene.verdicts.get(id)
    if verdict is not None:
        width = verdict_width(verdict, 12 * scale)
        draw_verdict(painter, line, verdict, theme, 12 * scale)
        line.setWidth(line.width() - width - 8 * scale)
    draw_text(painter, line, name, colour=theme.text, size_px=14 * scale, weight=BOLD)
    used = text_width(name, 14 * scale, BOLD) + 12 * scale
    if is_folded:
        _paint_sums(painter, scene, site, box)
    else:
        rest = line.adjusted(used, 0, 0, 0)
        draw_text(painter, rest, holds(site), colour=theme.muted, size_px=11.5 * scale)
    if scene.is_live:
        draw_fold_sign(painter, layout, id, theme)


def site_verdicts(
    layout: BoardLayout, scenario: Scenario, prediction: Prediction
) -> dict[str, Shown]:
    """The worst verdict on anything in each site, by its key, with what findings say of it and the
    losses of its hosts that are to be survived; none where nothing is judged."""
    if not layout.in_site:
        return {}
    lost = _lost(scenario, prediction)
    found = {}
    for key, site in layout.in_site.items():
        rows = [
            (table, table.index(id))
            for table, ids in (
                (prediction.hosts, site.hosts),
                (prediction.pools, site.pools),
                (prediction.vms, site.vms),
            )
            for id in ids
            if id in table
        ]
        codes = [int(table.verdict[row]) for table, row in rows]
        codes += [lost[id] for id in site.hosts if id in lost]
        here = {*site.clusters, *site.hosts, *site.pools, *site.vms}
        codes += [each.weight for each in prediction.findings if each.subject in here]
        worst = max(codes, default=NOT_ASKED)
        if worst != NOT_ASKED:
            is_assumed = any(table.is_assumed(row) for table, row in rows)
            found[key] = Shown.of(Verdict(worst), is_assumed=is_assumed)
    return found


def _lost(scenario: Scenario, prediction: Prediction) -> dict[str, Verdict]:
    """Verdicts on the losses of single hosts that are to be survived, by the host."""
    policy = scenario.policy
    asked = {each.id for each in scenario.clusters if policy.survives_hosts(each.admission)}
    hosts = {host.id for host in scenario.hosts if host.cluster in asked}
    return {
        mode.mode.subject: mode.verdict
        for mode in prediction.failures
        if mode.mode.subject in hosts and mode.verdict is not None
    }


def _paint_sums(painter: QPainter, scene: Scene, site: SiteOnBoard, box: Box) -> None:
    theme, scale = scene.theme, scene.layout.scale
    line = QRectF(box.x, box.y + 30 * scale, box.w, LINE * scale)
    line.adjust(PADDING * scale, 0, -PADDING * scale, 0)
    for words in (holds(site), sums(site)):
        draw_text(painter, line, words, colour=theme.text, size_px=11.5 * scale)
        line.translate(0, LINE * scale)
    line.translate(0, 2 * scale)
    matches = scene.state.matches
    if matches is not None:
        found = len(matches.intersection((*site.hosts, *site.vms, *site.pools)))
        words = tr("{count} found", count=found)
        ink = theme.accent if found else theme.muted
        draw_text(painter, line, words, colour=ink, size_px=11.5 * scale, weight=BOLD)
        return
    counted = Counter(tint for id in site.vms if (tint := scene.state.tints.get(id)))
    _paint_tints(painter, scene, counted, line)


def _paint_tints(painter: QPainter, scene: Scene, counted: Counter[Tint], line: QRectF) -> None:
    """How many VMs have which colour, the most first."""
    scale, size = scene.layout.scale, 11.5 * scene.layout.scale
    x = line.x()
    for tint, count in counted.most_common():
        words = number(count, style=locale_style())
        width = text_width(words, size) + 20 * scale
        if x + width > line.right():
            return
        stripe = QRectF(x, line.y() + 2 * scale, 5 * scale, line.height() - 4 * scale)
        draw_stripe(painter, stripe, tint, scene.theme, scale)
        place = QRectF(x + 9 * scale, line.y(), width, line.height())
        draw_text(painter, place, words, colour=scene.theme.text, size_px=size)
        x += width
