"""The screen for a meeting: large, private, held and blanked at will, there and gone at once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QScreen
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.outlook import OutlookRun
from app.selection import Selection
from app.settings import Settings
from app.synthetic import synthetic_scenario
from app.widgets.board import paint
from app.widgets.board.face_meters import percent_meter
from app.widgets.board.faces import FaceBook, HostFace, PoolFace, brief
from app.widgets.board.scene import BoardState
from app.widgets.meters import LEFT, RIGHT, Meter, text_width
from app.windows.meeting import verdict
from app.windows.meeting.board import MeetingBoard
from app.windows.meeting.commands import other_screen
from app.windows.meeting.storage import nearest
from app.windows.meeting.window import PREVIEW_MS, MeetingWindow
from app.windows.window import MainWindow
from app.work import InlineWorker
from db.meeting import meetings_in
from models.base.quantities import Basis, Quantity
from models.predict.prediction import Shown, Verdict
from models.project.project import Project
from models.scenario.scenario import Policy, Scenario
from models.scenario.wording import ENGLISH, THIN
from models.scenario.workloads import WorkloadKind
from models.single_changes.changes import grown
from resources.example_files import load_examples
from tests.app import samples
from tests.app.gestures import at, drag_to, press, release
from tests.app.pictures import picture_of
from tests.app.sessions import session_of, two_hosts
from tests.app.windows.whole import Answers, forget_changes, made, settle, trigger, wait_for_charts
from tests.models.worlds import a_cluster_of
from tests.sweeps import some

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
POINTS_18 = 24  # pixels at 96 dots an inch
HD = QSize(1920, 1080)


def opened(qtbot: QtBot, tmp_path: Path, scenario: Scenario) -> MainWindow:
    settings = Settings(tmp_path / "settings.ini")
    window = made(Project.of(scenario), settings, Answers())
    qtbot.addWidget(window, before_close_func=forget_changes)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    return window


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    return opened(qtbot, tmp_path, samples.scenario())


def meeting(window: MainWindow, size: QSize = HD) -> MeetingWindow:
    """The window for the meeting, in this size."""
    trigger(window, "meeting.toggle")
    shown = window.meeting.opened
    assert shown is not None
    shown.setWindowState(Qt.WindowState.WindowNoState)
    shown.resize(size)
    QApplication.processEvents()
    return shown


def as_svg(widget: QWidget) -> str:
    """What a widget paints, as text and shapes."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(widget.size())
    painter = QPainter(generator)
    widget.render(painter, QPoint(0, 0))
    painter.end()
    return bytes(data.data()).decode()


def type_sizes(svg: str) -> list[float]:
    """Sizes of all type in a drawing, in its own units."""
    found = []
    for tag in re.findall(r"<text [^>]*>", svg.replace("\n", " ")):
        size = re.search(r'font-size="([\d.]+)"', tag)
        assert size is not None
        found.append(float(size[1]))
    return found


def texts(svg: str) -> str:
    return " ".join(re.findall(r">([^<]+)</text>", svg))


class TestType:
    @pytest.mark.parametrize("id", [example.id for example in load_examples()])
    @pytest.mark.slow
    def test_all_of_it_is_at_least_18_points(self, window: MainWindow, id: str) -> None:
        window.files.open_example(id)
        window.session.flush()
        sizes = type_sizes(as_svg(meeting(window)))
        assert len(sizes) > 20
        assert min(sizes) >= POINTS_18

    def test_on_a_crowded_board_too(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(20, 200))
        assert min(type_sizes(as_svg(meeting(window)))) >= POINTS_18

    def test_it_grows_with_the_screen(self, window: MainWindow) -> None:
        assert min(type_sizes(as_svg(meeting(window, QSize(3840, 2160))))) >= 2 * POINTS_18

    def test_great_numbers_are_written_whole(self, qtbot: QtBot, tmp_path: Path) -> None:
        scenario = synthetic_scenario(4, 40)
        for vm in scenario.vms[:20]:
            many = replace(vm.workload, active_users=30_000.0)
            scenario = scenario.with_item(replace(vm, workload=many))
        shown = meeting(opened(qtbot, tmp_path, scenario), QSize(1366, 768))
        assert "…" not in texts(as_svg(shown.verdict))

    def test_long_names_run_into_nothing(
        self, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        long = " of the branch office in the north of the country" * 3
        plain = two_hosts()
        named = replace(
            plain,
            clusters=tuple(replace(each, name=each.name + long) for each in plain.clusters),
            hosts=tuple(replace(each, name=each.name + long) for each in plain.hosts),
            vms=tuple(replace(each, name=each.name + long) for each in plain.vms),
        )
        written: list[tuple[QRectF, str]] = []

        def noted(painter: QPainter, rect: QRectF, text: str, **how: Any) -> None:
            """Where the words really stand: they never go beyond the room they are given."""
            weight = how.get("weight", QFont.Weight.Normal)
            width = min(text_width(text, how["size_px"], weight), rect.width())
            at = QRectF(rect.x(), rect.center().y() - 2, width, 4)
            if how.get("align", LEFT) == RIGHT:
                at.moveRight(rect.right())
            if rect.width() > 0:
                written.append((at, text))

        shown = meeting(opened(qtbot, tmp_path, named))
        for module, area in ((verdict, shown.verdict), (paint, shown.board)):
            monkeypatch.setattr(module, "draw_text", noted)
            written.clear()
            area.grab()
            assert any(long in text for _, text in written)
            assert [
                (one, other)
                for place, (first, one) in enumerate(written)
                for second, other in written[:place]
                if first.intersects(second)
            ] == []

    def test_three_hosts_stand_side_by_side(self, window: MainWindow) -> None:
        layout = meeting(window).board.layout_shown
        assert layout is not None
        assert len({box.y for box in layout.hosts.values()}) == 1


class TestRoom:
    """What has no room is counted, never cut without a word."""

    @pytest.mark.parametrize(
        ("hosts", "vms", "size"),
        some(
            [
                (6, 60, QSize(1366, 768)),
                (3, 30, HD),
                (6, 60, HD),
                (9, 40, HD),
                (20, 200, HD),
            ]
        ),
    )
    def test_every_vm_and_host_is_seen_or_counted(
        self, qtbot: QtBot, tmp_path: Path, hosts: int, vms: int, size: QSize
    ) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(hosts, vms))
        board = meeting(window, size).board
        layout = board.layout_shown
        assert layout is not None
        scenario = window.session.scenario
        for host in layout.hosts:
            counted = {*layout.cards[host], *layout.hidden.get(host, ())}
            assert counted == {vm.id for vm in scenario.vms_on(host)}
            assert all(
                layout.vms[id].bottom <= layout.hosts[host].bottom for id in layout.cards[host]
            )
        said = texts(as_svg(board.viewport()))
        for host, vms_hidden in layout.hidden.items():
            word = "more VM" if layout.cards[host] else "VM"
            is_seen = layout.hosts[host].bottom <= board.viewport().height()
            assert not is_seen or f"{len(vms_hidden)} {word}" in said
        assert (layout.height > board.viewport().height()) is bool(board.below)
        assert not board.above
        assert not board.below or f"{board.below} further down" in said
        board.verticalScrollBar().setValue(board.verticalScrollBar().maximum())
        assert not board.below
        said = texts(as_svg(board.viewport()))
        assert not board.above or f"{board.above} further up" in said

    def test_vms_that_are_not_placed_are_counted_too(self, qtbot: QtBot, tmp_path: Path) -> None:
        scenario = synthetic_scenario(6, 36)
        scenario = scenario.place([vm.id for vm in scenario.vms[:3]], None)
        board = meeting(opened(qtbot, tmp_path, scenario)).board
        assert board.layout_shown is not None
        assert board.below.endswith("3 VMs not placed")
        board.verticalScrollBar().setValue(board.verticalScrollBar().maximum())
        assert not board.below
        assert board.above == "3 hosts"

    def test_cards_become_low_before_there_are_fewer(self, window: MainWindow) -> None:
        window.files.open_example("building-block")
        window.session.flush()
        layout = meeting(window).board.layout_shown
        assert layout is not None
        assert layout.is_compact
        assert not layout.hidden
        assert not layout.is_brief

    def test_as_many_cards_as_fit_are_shown(self, qtbot: QtBot, tmp_path: Path) -> None:
        """One more on each host would not fit: but all would, if there is no line for others."""
        window = opened(qtbot, tmp_path, synthetic_scenario(3, 30))
        board = meeting(window).board
        shown = board.layout_shown
        assert shown is not None
        ranked, high = board._ranked(window.session.scenario), board.viewport().height()

        def height(count: int) -> float:
            layout = board._with(window.session.scenario, ranked, count, is_brief=shown.is_brief)
            return layout.height

        fitting = [count for count in range(max(map(len, ranked)) + 1) if height(count) <= high]
        cards = max(len(shown.cards[host.id]) for host in window.session.scenario.hosts)
        assert cards == fitting[-1] > 0

    def test_all_cards_are_shown_where_one_fewer_would_not_fit(self, qtbot: QtBot) -> None:
        """A card fewer costs a line that counts it."""
        base = two_hosts()
        first = base.vms[0]
        vms = [
            replace(first, id=f"{host.id}-{n}", name=f"{host.name}-{n}", host=host.id)
            for host in base.hosts
            for n in range(6)
        ]
        scenario = replace(base, vms=tuple(vms))
        session = session_of(scenario)
        board = MeetingBoard()
        qtbot.addWidget(board)
        board.set_unit(24.0)
        board.resize(1280, 1000)
        board.show()
        board.show_view(session.view, scenario, session.catalog, BoardState())
        ranked = board._ranked(scenario)
        heights = [board._with(scenario, ranked, count, is_brief=True).height for count in range(7)]
        assert heights[6] < heights[5]
        board.resize(1280, int(heights[6]) + 4)
        layout = board.layout_shown
        assert layout is not None
        assert not layout.hidden

    def test_the_worst_vms_stay(self, qtbot: QtBot, tmp_path: Path) -> None:
        scenario = synthetic_scenario(3, 30)
        mail = WorkloadKind.DOMINO_NRPC
        there = scenario.vms_on(scenario.hosts[0].id)
        last = [vm for vm in there if vm.workload.kind is mail][-1]
        busy = replace(last, workload=replace(last.workload, active_users=50_000.0))
        window = opened(qtbot, tmp_path, scenario.with_item(busy))
        layout = meeting(window).board.layout_shown
        assert layout is not None
        assert layout.hidden
        assert busy.id in layout.cards[scenario.hosts[0].id]

    def test_what_is_selected_stays(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(3, 30))
        board = meeting(window).board
        assert board.layout_shown is not None
        host, hidden = next(iter(board.layout_shown.hidden.items()))
        window.selection.select(hidden[-1])

        def has_card() -> bool:
            assert board.layout_shown is not None
            return hidden[-1] in board.layout_shown.cards[host]

        qtbot.waitUntil(has_card)

    def test_the_host_of_a_vm_without_a_card_comes_into_view(
        self, qtbot: QtBot, tmp_path: Path
    ) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(9, 90))
        board = meeting(window).board
        assert board.layout_shown is not None
        last = window.session.scenario.hosts[-1].id
        assert board.layout_shown.hosts[last].bottom > board.viewport().height()
        board.reveal(board.layout_shown.hidden[last][0])
        assert board.verticalScrollBar().value() > 0

    def test_of_some_it_is_said_how_many(self, qtbot: QtBot, tmp_path: Path) -> None:
        scenario = synthetic_scenario(3, 30)
        mail, host = WorkloadKind.DOMINO_NRPC, scenario.hosts[0].id
        there = [vm for vm in scenario.vms_on(host) if vm.workload.kind is mail]
        for vm in there:
            many = replace(vm.workload, active_users=50_000.0)
            scenario = scenario.with_item(replace(vm, workload=many))
        window = opened(qtbot, tmp_path, scenario)
        board = meeting(window).board
        layout, vms = board.layout_shown, window.session.view.prediction.vms
        assert layout is not None
        hidden = layout.hidden[host]
        worst = max(int(vms.verdict[vms.index(id)]) for id in hidden)
        count = sum(int(vms.verdict[vms.index(id)]) == worst for id in hidden)
        assert worst
        assert 0 < count < len(hidden)
        assert f"{count}{THIN}×" in texts(as_svg(board.viewport()))

    def test_it_stays_as_it_is_while_something_is_in_the_hand(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        shown = meeting(window)
        press(window.board, "m1")
        drag_to(window.board, at(window.board, "h2"))
        qtbot.waitUntil(lambda: shown.verdict.word.startswith("Preview: "))
        layout = shown.board.layout_shown
        drag_to(window.board, at(window.board, "h3"))
        shown.refresh()
        assert shown.board.layout_shown is layout
        release(window.board, at(window.board, "h3"))
        qtbot.waitUntil(lambda: shown.board.layout_shown is not layout)

    def test_brief_hosts_say_cpu_and_ram(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(6, 24))
        board = meeting(window).board
        assert board.layout_shown is not None
        assert board.layout_shown.is_brief
        svg = as_svg(board.viewport())
        assert min(type_sizes(svg)) >= POINTS_18
        said = texts(svg)
        assert "ESX-5" in said
        assert "RAM" in said
        assert "Network" not in said

    def test_brief_hosts_hide_no_trouble(self) -> None:
        def meter(label: str, verdict: Verdict = Verdict.FITS) -> Meter:
            return Meter(label=label, text="", share=0.5, verdict=verdict)

        face = HostFace(
            name="h",
            model="m",
            detail="d",
            is_reference=True,
            verdict=Shown.of(Verdict.FITS),
            meters=(meter("CPU"), meter("RAM"), meter("vCPUs"), meter("Network")),
        )
        assert [each.label for each in brief(face).meters] == ["CPU", "RAM"]
        busy = replace(face, meters=(*face.meters[:3], meter("Network", Verdict.AT_RISK)))
        assert [each.label for each in brief(busy).meters] == ["CPU", "Network"]
        assert brief(face).name == "h"


class TestStorage:
    def test_pools_are_always_in_sight(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(9, 40))
        shown = meeting(window)
        svg = as_svg(shown.storage)
        assert min(type_sizes(svg)) >= POINTS_18
        said = texts(svg)
        for pool in window.session.scenario.pools:
            assert pool.name in said
        assert "Disks busy" in said
        assert f"limit 90{THIN}%" in said, "space is nearer its limit"
        assert f"limit 90{THIN}%" in shown.storage.accessibleName()
        assert shown.storage.geometry().bottom() < shown.height()

    def test_the_worst_come_first_and_the_rest_are_counted(
        self, qtbot: QtBot, tmp_path: Path
    ) -> None:
        scenario = synthetic_scenario(3, 12)
        pool = scenario.pools[0]
        more = tuple(replace(pool, id=f"q{n}", name=f"Other {n}") for n in range(9))
        worst = replace(scenario.pools[0], spindles=pool.hot_spares + 2, name="Too few drives")
        scenario = replace(scenario, pools=(*scenario.pools[1:], *more, worst))
        shown = meeting(opened(qtbot, tmp_path, scenario))
        storage = shown.storage
        assert storage.shown < len(scenario.pools)
        said = texts(as_svg(storage))
        left = len(scenario.pools) - storage.shown
        assert f"{left} more pools" in said
        assert "Too few drives" in said
        assert storage.accessibleName().startswith("Storage: Too few drives")

    def test_what_is_nearest_its_limit_has_the_track(self) -> None:
        def meter(label: str, share: float) -> Meter:
            return Meter(label=label, text="", share=share, limit=0.5)

        face = PoolFace(
            name="p",
            model="",
            detail="",
            is_reference=False,
            verdict=None,
            meters=(meter("IOPS", 0.9), meter("Busy", 0.1), meter("Space", 0.3), meter("ms", 0.0)),
        )
        assert nearest(face, Policy())[0].label == "Space"
        assert nearest(face, Policy())[1] == f"limit 90{THIN}%"

    @pytest.mark.parametrize(
        ("peak", "users", "mail_mb", "said"),
        [
            (1.0, 1.1, 50.0, "Disks busy may reach"),
            (1.5, 0.7, 50.0, "Disks busy may reach"),
            (1.0, 1.0, 125.0, "Disks busy may reach"),
            (1.0, 0.3, 125.0, "Space limit"),
        ],
    )
    def test_what_puts_a_pool_at_risk_is_what_is_said(
        self, peak: float, users: float, mail_mb: float, said: str
    ) -> None:
        """By the interval alone, at the policy's peak, and where space is nearer its limit."""
        scenario = two_hosts()
        vms = [grown(vm, vm.workload.active_users * users) for vm in scenario.vms]
        scenario = replace(
            scenario,
            policy=replace(scenario.policy, peak_factor_iops=peak),
            vms=tuple(
                replace(vm, workload=replace(vm.workload, mail_file_mb=mail_mb)) for vm in vms
            ),
        )
        session = session_of(scenario)
        face = FaceBook(session.view, scenario, session.catalog, ENGLISH).face("p1")
        assert isinstance(face, PoolFace)
        meter, words = nearest(face, scenario.policy)
        assert f"{meter.label} {words}".startswith(said)
        assert ("may reach" in words) is (face.verdict == Shown.of(Verdict.AT_RISK))

    def test_an_interval_that_passes_the_limit_says_how_far(self) -> None:
        risk = Verdict.AT_RISK
        busy = Meter(label="Disks", text="", share=0.47, high=0.724, limit=0.7, verdict=risk)
        other = Meter(label="", text="", share=0.1, limit=0.9)
        face = PoolFace(
            name="p",
            model="",
            detail="",
            is_reference=False,
            verdict=Shown.of(Verdict.AT_RISK),
            meters=(other, busy, other, other),
        )
        assert nearest(face, Policy())[1] == f"may reach 72{THIN}%"
        for limited in (replace(busy, high=0.69), replace(busy, share=0.69)):
            face = replace(face, meters=(other, limited, other, other))
            assert nearest(face, Policy())[1] == f"limit 70{THIN}%"

    @pytest.mark.parametrize(
        ("high", "said"), [(inf, "may reach any value"), (nan, f"limit 70{THIN}%")]
    )
    def test_an_interval_without_an_end_is_said_to_have_none(self, high: float, said: str) -> None:
        quantity, risk = Quantity(27.0, 20.0, high, Basis.RULE), Verdict.AT_RISK
        busy = percent_meter("Disks", quantity, 70.0, ENGLISH, factor=1.5, verdict=risk)
        other = Meter(label="", text="", share=0.1, limit=0.9)
        face = PoolFace(
            name="p",
            model="",
            detail="",
            is_reference=False,
            verdict=Shown.of(risk),
            meters=(other, busy, other, other),
        )
        assert nearest(face, Policy())[1] == said

    def test_without_pools_it_takes_no_room(self, qtbot: QtBot, tmp_path: Path) -> None:
        shown = meeting(opened(qtbot, tmp_path, Scenario(name="Empty")))
        assert shown.storage.height() == 0


class TestPrivacy:
    def test_no_file_name_notes_or_other_scenarios(
        self, qtbot: QtBot, window: MainWindow, tmp_path: Path
    ) -> None:
        secret = replace(window.session.scenario, notes="Secret-note", customer="Secret-customer")
        project = Project.of(secret).added(replace(secret, name="Secret-other")).show("s1")
        window.session.edit_project(project, "Secret-step")
        window.files.save_to(tmp_path / "Secret-file.headroom")
        settle(qtbot, window)
        shown = meeting(window)
        said = texts(as_svg(shown))
        assert "esx1" in said
        assert "Secret" not in said
        assert "Secret" not in shown.windowTitle()
        assert shown.statusTip() == shown.toolTip() == ""


class TestFollowing:
    def test_edits_and_previews_are_seen(self, qtbot: QtBot, window: MainWindow) -> None:
        shown = meeting(window)
        before = shown.verdict.sentence
        press(window.board, "m1")
        drag_to(window.board, at(window.board, "h2"))
        qtbot.waitUntil(lambda: shown.verdict.word.startswith("Preview: "))
        release(window.board, at(window.board, "h2"))
        qtbot.waitUntil(lambda: not shown.verdict.word.startswith("Preview: "))
        window.session.change(lambda s: s.without(["h1", "h2"]), "Remove hosts")
        qtbot.waitUntil(lambda: shown.verdict.sentence != before)

    def test_what_is_selected_comes_into_view(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(8, 40))
        shown = meeting(window)
        last = window.session.scenario.hosts[-1].id
        window.selection.select(last)
        board = shown.board

        def is_seen() -> bool:
            assert board.layout_shown is not None
            box = board.layout_shown.hosts[last]
            top = board.verticalScrollBar().value()
            return top <= box.y < top + board.viewport().height()

        qtbot.waitUntil(is_seen)

    def test_a_large_estate_is_folded_rather_than_endless(
        self, qtbot: QtBot, tmp_path: Path
    ) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(100, 1000))
        board = meeting(window).board
        assert board.layout_shown is not None
        assert board.layout_shown.height <= 6 * board.viewport().height()
        assert set(board.layout_shown.clusters) - {""} <= board.layout_shown.folded

    def test_an_empty_project_is_no_fault(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, Scenario(name="Empty"))
        shown = meeting(window)
        assert shown.verdict.word == "Nothing to judge"
        shown.grab()


class TestFreezing:
    def test_the_picture_is_held_while_the_project_changes(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        shown = meeting(window)
        window.board.setFocus()
        before = picture_of(shown)
        trigger(window, "meeting.freeze")
        window.session.change(lambda s: s.without(["h1"]), "Remove a host")
        window.selection.select("m2")
        settle(qtbot, window)
        assert (picture_of(shown) == before).all()
        assert "frozen" in window.meeting._says.text()
        trigger(window, "meeting.freeze")
        assert not (picture_of(shown) == before).all()

    def test_what_was_about_to_be_shown_is_not(self, qtbot: QtBot, window: MainWindow) -> None:
        shown = meeting(window)
        before = picture_of(shown)
        window.session.change(lambda s: s.without(["h1"]), "Remove a host")
        window.session.flush()
        shown.freeze(True)
        QApplication.processEvents()
        qtbot.wait(2 * PREVIEW_MS)
        assert (picture_of(shown) == before).all()

    def test_its_own_key_freezes_it(self, window: MainWindow) -> None:
        shown = meeting(window)
        QTest.keyClick(shown.board, Qt.Key.Key_F)
        assert shown.is_frozen
        assert window.actions_by_id["meeting.freeze"].isChecked()

    def test_blank_shows_nothing(self, window: MainWindow) -> None:
        shown = meeting(window)
        QTest.keyClick(shown.board, Qt.Key.Key_B)
        picture = picture_of(shown)
        assert (picture == picture[0, 0]).all()
        assert "blank" in window.meeting._says.text()
        trigger(window, "meeting.blank")
        assert not shown.is_blank

    def test_they_can_not_be_used_without_it(self, window: MainWindow) -> None:
        for id in ("meeting.freeze", "meeting.blank"):
            assert not window.actions_by_id[id].isEnabled()
        meeting(window)
        for id in ("meeting.freeze", "meeting.blank"):
            assert window.actions_by_id[id].isEnabled()


class TestComingAndGoing:
    def test_at_once(self, window: MainWindow) -> None:
        trigger(window, "meeting.toggle")
        shown = window.meeting.opened
        assert shown is not None
        assert shown.isVisible()
        assert not shown.grab().isNull()
        QTest.keyClick(shown.board, Qt.Key.Key_Escape)
        assert window.meeting.opened is None
        assert not window.actions_by_id["meeting.toggle"].isChecked()

    def test_it_goes_with_the_main_window(self, window: MainWindow) -> None:
        shown = meeting(window)
        window.close()
        assert not shown.isVisible()

    def test_the_other_screen_is_taken_if_there_is_one(self, window: MainWindow) -> None:
        own = window.screen()

        class Projector(QScreen):
            def __init__(self) -> None: ...

        projector = Projector.__new__(Projector)
        assert other_screen(own, [own]) is own
        assert other_screen(own, [own, projector]) is projector

    def test_it_opens_again(self, window: MainWindow) -> None:
        first = meeting(window)
        first.close()
        second = meeting(window)
        assert second is not first
        assert isinstance(second.board, MeetingBoard)


TWO_SCREENS = """
import sys
from pathlib import Path
from app.outlook import OutlookRun
from app.selection import Selection
from app.settings import Settings
from app.windows.main import application, main_window

app = application()
window = main_window(demo=True, settings=Settings(Path(sys.argv[1])))
window.show()
window.meeting.toggle()
place = window.meeting.opened.geometry()
sys.stdout.write(f"{window.screen().name()} {place.x()} {place.width()} {place.height()}")
sys.stdout.flush()
import os
os._exit(0)
"""


def test_it_fills_the_second_screen(tmp_path: Path) -> None:
    laptop = {"name": "laptop", "x": 0, "y": 0, "width": 1366, "height": 768}
    projector = {"name": "projector", "x": 1366, "y": 0, "width": 1920, "height": 1080}
    both = [{**each, "logicalDpi": 96, "logicalBaseDpi": 96} for each in (laptop, projector)]
    file = tmp_path / "screens.json"
    file.write_text(json.dumps({"screens": both}))
    done = subprocess.run(
        [sys.executable, "-c", TWO_SCREENS, str(tmp_path / "settings.ini")],
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={file}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "laptop 1366 1920 1080", done.stderr


@pytest.mark.xvfb
def test_in_a_real_window_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(qtbot, tmp_path, synthetic_scenario(20, 200))
    trigger(window, "meeting.toggle")
    shown = window.meeting.opened
    assert shown is not None
    with qtbot.waitExposed(shown):
        pass
    qtbot.waitUntil(lambda: shown.size() == window.screen().size())
    trigger(window, "meeting.toggle")
    assert window.meeting.opened is None


def test_a_worse_failure_than_a_hosts_is_named_on_the_screen(qtbot: QtBot) -> None:
    """All hosts in one rack: nothing survives that, whatever one of them means."""
    scenario = two_hosts()
    hosts = tuple(replace(host, failure_group="Rack-1") for host in scenario.hosts)
    session = session_of(replace(scenario, hosts=hosts))
    outlook = OutlookRun(session, InlineWorker(session), session)
    shown = MeetingWindow(session, Selection(session), outlook=outlook)
    qtbot.addWidget(shown)
    assert "Rack-1" not in shown.verdict.accessibleName()
    outlook.begin()
    qtbot.waitUntil(lambda: "Group Rack-1 fails" in shown.verdict.accessibleName())


def test_the_hosts_of_the_last_number_are_named_in_full(qtbot: QtBot) -> None:
    """Neither host is cut on the smallest screen, nor how many users one of them takes down."""
    pair = a_cluster_of(2, vms=2)
    alone = replace(pair.hosts[0], id="h9", name="x366-old", cluster=None)
    vm = replace(pair.vms[0], id="m9", host="h9")
    session = session_of(replace(pair, hosts=(*pair.hosts, alone), vms=(*pair.vms, vm)))
    shown = MeetingWindow(session, Selection(session))
    qtbot.addWidget(shown)
    shown.resize(1366, 768)
    QApplication.processEvents()
    said = texts(as_svg(shown.verdict))
    assert "without x366-old:" in said
    assert "down: 1,000 users" in said
    assert "without H1" in said


def test_what_is_changed_in_a_meeting_is_kept_with_the_project(
    window: MainWindow, qtbot: QtBot
) -> None:
    session = window.session
    window.meeting.toggle()
    vm = session.scenario.vms[0]
    session.edit(session.scenario.with_item(replace(vm, vcpus=vm.vcpus + 1)), "One vCPU more")
    window.meeting.close()
    qtbot.waitUntil(lambda: window.meeting.opened is None)
    (meeting,) = meetings_in(session.project.entry(session.project.active))
    assert [step.what for step in meeting.steps] == ["One vCPU more"]
    session.stack.undo()
    assert list(meetings_in(session.project.entry(session.project.active))) == [meeting]
