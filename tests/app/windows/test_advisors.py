"""The window of the advisors: every topic answers, pasted tables count, refusals are told."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.qtbot import QtBot

from app.cli_advise import knowledge, notes_in
from app.selection import Selection
from app.session import Session
from app.widgets.fields.choice import Dropdown
from app.widgets.inspector.inspector import Inspector
from app.widgets.sections.view import CALCULATING, ParagraphWidget
from app.windows.advisor_page import AdvisorPage
from app.windows.advisors import AdvisorCommands
from app.windows.advisors_page import AdvisorsPage, looked_over
from app.windows.dialogs import Dialogs
from app.windows.places import advisor_places
from app.windows.start.totals import TotalsForm
from app.work import Cancelled, Context, InlinePool, InlineWorker, Worker
from db.files import save_whole
from db.project import load_project
from models.advise.topics import TOPICS
from models.project.project import Project
from models.scenario.scenario import DiskMode, Scenario
from models.tell.blocks import Table, VerdictBox
from tests.app.sessions import session_of, two_hosts
from tests.app.windows.whole import lone_stack

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def advisors(qtbot: QtBot, session: Session) -> AdvisorsPage:
    opened = AdvisorsPage(Dialogs(), session, InlineWorker())
    qtbot.addWidget(opened)
    session.setParent(opened)
    opened.show()
    return opened


@pytest.fixture
def window(qtbot: QtBot) -> AdvisorsPage:
    """For a design that says nothing."""
    return advisors(qtbot, session_of(Scenario(name="empty")))


def test_figures_that_went_nowhere_are_held(window: AdvisorsPage) -> None:
    page = with_example(window, "users")
    assert not window.holds_work()
    line = next(each for each in page.form.editors.values() if isinstance(each, QLineEdit))
    page.pasted.setPlainText("")
    page._again_from_scenario()
    QTest.keyClicks(line, "1234")
    page.ask()
    assert page.answer is not None
    assert page.topic.title in window.holds_work()
    page.kept.setChecked(True)
    assert not window.holds_work()
    page.kept.setChecked(False)
    page.example.click()
    assert not window.holds_work()


def with_example(window: AdvisorsPage, topic: str) -> AdvisorPage:
    page = window.page(topic)
    page.example.click()
    return page


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_asks_for_what_is_lacking_and_answers_its_example(
    window: AdvisorsPage, topic: str
) -> None:
    page = window.page(topic)
    assert page.answer is None
    assert page.lacks.isVisible()
    assert page.lacks.text == TOPICS[topic].lacks
    assert not page.view.isVisible()
    assert not page.board.isEnabled()
    page.example.click()
    assert page.lacks.isHidden()
    assert "Example" in page.whose.text()
    box = page.view.sections[0].blocks[0]
    assert isinstance(box, VerdictBox)
    assert box.remark == page.whose.text()
    assert page.answer is not None
    assert page.refusal.isHidden()
    assert all(editor.accessibleName() for editor in page.form.editors.values())


def test_what_is_entered_changes_the_answer(window: AdvisorsPage) -> None:
    page = with_example(window, "availability")
    editor = page.form.editors["mean_transaction_ms"]
    assert isinstance(editor, QLineEdit)
    editor.setText("2,5")
    page.ask()
    assert page.answer is not None
    assert "Server_TransInfo_Normalize=250" in page.answer.lines


def test_a_refusal_names_the_field_and_the_answer_stays_away(window: AdvisorsPage) -> None:
    page = with_example(window, "cluster")
    editor = page.form.editors["cpu_pct"]
    assert isinstance(editor, QLineEdit)
    editor.setText("much")
    page.ask()
    assert page.answer is None
    assert "cpu_pct" in page.refusal.text()
    editor.setText("30")
    page.ask()
    assert page.answer is not None
    assert page.refusal.isHidden()


def test_a_pasted_table_is_balanced_and_the_plan_saved(
    window: AdvisorsPage, tmp_path: Path
) -> None:
    page = window.page("rebalance")
    lines = [f"a{n},S1,{n + 1}" for n in range(30)] + [f"b{n},S2,{n + 1}" for n in range(10)]
    source, target = tmp_path / "files.csv", tmp_path / "plan.csv"
    source.write_text("\n".join(["file,server,cpu", *lines]), encoding="utf-8")
    page.open_file(source)
    assert page.answer is not None
    assert page.answer.conclusion == "can be balanced"
    page.save_to(target)
    assert target.read_text(encoding="utf-8").startswith("file,replica_id,from,to")
    page.pasted.setPlainText("nonsense")
    page.ask()
    assert page.answer is None
    assert not page.save.isEnabled()


def test_a_sheet_of_servers_keeps_the_host_of_the_form(window: AdvisorsPage) -> None:
    page = window.page("candidates")
    page.pasted.setPlainText("name;role;cpu\nA;test;3\nB;mail;\n")
    page.ask()
    assert page.answer is not None
    assert [row[0] for row in page.answer.tables[0].rows] == ["A", "B"]


def test_figures_of_a_listing_go_over_the_form(window: AdvisorsPage) -> None:
    page = window.page("io")
    page.pasted.setPlainText("cpu: 3\nkernel: 3\n")
    page.ask()
    assert page.answer is not None
    assert page.answer.conclusion == "no sign of it"


def test_the_example_comes_back(window: AdvisorsPage) -> None:
    page = with_example(window, "cluster")
    box = page.form.editors["transaction_logging"]
    assert isinstance(box, QCheckBox)
    before = page.answer
    box.toggle()
    page.ask()
    assert page.answer != before
    page.example.click()
    assert page.answer == before


def test_candidates_come_onto_the_board_in_one_step(qtbot: QtBot, tmp_path: Path) -> None:
    session = session_of(two_hosts())
    opened = advisors(qtbot, session)
    before = session.scenario
    page = opened.page("candidates")
    page.pasted.setPlainText("name;role;cpu\nA;test;3\nB;mail;\n")
    page.ask()
    assert page.effect.text().startswith("Changes: ")
    assert "VM A comes" in page.effect.text()
    page.board.click()
    assert [vm.name for vm in session.scenario.vms[len(before.vms) :]] == ["A"]
    assert not page.board.isEnabled()
    assert "verdict" in page.effect.text()
    page.pasted.appendPlainText("C;test;4")
    page.ask()
    assert page.board.isEnabled()
    session.stack.undo()
    assert session.scenario == before


def test_each_topic_is_found_by_its_words_and_opened(qtbot: QtBot, tmp_path: Path) -> None:
    stack = lone_stack(qtbot, tmp_path)
    commands = AdvisorCommands(stack, Dialogs(), session_of(two_hosts()))
    found = list(advisor_places(commands))
    assert len(found) == len(TOPICS)
    (place,) = (each for each in found if "vmstat" in each.also)
    place.go()
    assert commands.opened is not None
    assert commands.opened.topics.currentItem().text() == TOPICS["io"].title
    commands.close()


def test_an_answer_that_is_kept_stands_among_the_notes_of_its_project(
    qtbot: QtBot, tmp_path: Path
) -> None:
    stack = lone_stack(qtbot, tmp_path)
    session = session_of(two_hosts())
    commands = AdvisorCommands(stack, Dialogs(), session)
    assert notes_in(session.project.entries) == ()
    commands.open()
    assert commands.opened is not None
    page = commands.opened.page("cluster")
    page.kept.setChecked(True)
    commands.close()
    assert notes_in(session.project.entries)[0].title == TOPICS["cluster"].title
    path = tmp_path / "kept.headroom"
    save_whole(path, session.project, session.catalog, program_version="test")
    assert notes_in(load_project(path).entries)[0].title == TOPICS["cluster"].title
    session.open(Project.of(two_hosts()), None)
    assert notes_in(session.project.entries) == ()


def test_what_is_pasted_acts_without_a_button(qtbot: QtBot, window: AdvisorsPage) -> None:
    page = window.page("io")
    page.pasted.setFocus()
    QGuiApplication.clipboard().setText("cpu: 3\nkernel: 3\n")
    page.pasted.paste()
    qtbot.waitUntil(lambda: page.answer is not None and page.answer.conclusion == "no sign of it")


def test_a_long_table_is_worked_out_in_a_thread(qtbot: QtBot, window: AdvisorsPage) -> None:
    opened = AdvisorsPage(Dialogs(), window._session, parent=window)
    page = opened.page("rebalance")
    rows = [f"mail file number {n},S{n % 2},{1 + n % 7}" for n in range(1200)]
    page.pasted.setPlainText("\n".join(["file,server,cpu", *rows]))
    qtbot.waitUntil(lambda: page.refusal.text() == CALCULATING)
    qtbot.waitUntil(lambda: page.answer is not None)
    assert page.refusal.isHidden()
    assert page.lacks.isHidden()
    assert not page.view.isHidden()


def test_the_end_of_a_bar_sets_its_field_while_it_is_dragged(
    qtbot: QtBot, window: AdvisorsPage
) -> None:
    window.resize(1200, 700)
    page = with_example(window, "users")
    assert page.waterfall is not None
    row = page.waterfall.rows[0]
    qtbot.waitUntil(lambda: row.room.width() > 50)
    editor = page.form.editors["registered_users"]
    assert isinstance(editor, QLineEdit)
    start, middle = QPoint(round(row.end), 10), QPoint(round(row.end + row.room.width() / 8), 10)
    QTest.mousePress(row, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(row, middle)
    users = float(editor.text())
    assert users > 870
    assert row.bar.value == users
    QTest.mouseRelease(row, Qt.MouseButton.LeftButton, pos=middle)
    active = page.waterfall.rows[2]
    QTest.keyClick(active, Qt.Key.Key_Left)
    assert page.answer is not None
    assert isinstance(shown := page.form.editors["active_users"], QLineEdit)
    assert float(shown.text()) == active.bar.value
    assert "Domino 7 in production" not in active.bar.how  # given by hand now


def test_a_bar_stops_where_its_number_cannot_be(qtbot: QtBot, window: AdvisorsPage) -> None:
    page = with_example(window, "users")
    assert page.waterfall is not None
    active = page.waterfall.rows[2]
    active.dragged.emit(2, 1000.0)
    assert active.bar.value == pytest.approx(348)


def test_users_go_back_to_the_field_that_asked_in_one_step(qtbot: QtBot, tmp_path: Path) -> None:
    session = session_of(two_hosts())
    stack = lone_stack(qtbot, tmp_path)
    commands = AdvisorCommands(stack, Dialogs(), session)
    session.setParent(stack)
    vm, before = session.scenario.vms[0], session.scenario
    selection = Selection()
    inspector = Inspector(session, selection, stack)
    inspector.users_asked.connect(commands.ask_users)
    selection.select(vm.id)
    assert inspector.page is not None
    link = inspector.page.row("workload.active_users").link
    assert link is not None
    link.click()
    assert commands.opened is not None
    page = commands.opened.page("users")
    assert page.waterfall is not None
    page.waterfall.rows[2].dragged.emit(2, 1230.0)
    selection.clear()
    count = session.stack.count()
    page.put_back.click()
    assert stack.name == "board"
    assert page.put_back.isHidden()
    assert session.scenario.vms[0].workload.active_users == 1230
    assert session.stack.count() == count + 1
    session.stack.undo()
    assert session.scenario == before


def test_users_of_the_start_page_come_back_with_their_share(qtbot: QtBot, tmp_path: Path) -> None:
    session = session_of(two_hosts())
    stack = lone_stack(qtbot, tmp_path)
    commands = AdvisorCommands(stack, Dialogs(), session)
    form = TotalsForm(session, Worker(InlinePool()))
    qtbot.addWidget(form)
    form.users_asked.connect(commands.ask_users)
    form.numbers["users"].setText("870")
    form.link.click()
    assert commands.opened is not None
    commands.opened.page("users").put_back.click()
    assert form.numbers["users"].read() == 870
    assert form.numbers["active_pct"].read() == 40


def test_what_is_pasted_is_judged_without_the_figures_of_the_example(
    window: AdvisorsPage,
) -> None:
    page = window.page("rebalance")
    page.pasted.setPlainText("file,server,cpu\na,S1,3\nb,S1,2\nc,S2,1\n")
    page.ask()
    assert page.answer is not None
    servers = next(each for each in page.answer.tables if each.id == "servers")
    assert [row[0] for row in servers.rows] == ["S1", "S2"]
    page.example.click()
    assert page.answer is not None
    assert len(next(each for each in page.answer.tables if each.id == "servers").rows) > 2


def test_what_nobody_chose_is_said_to_be_the_documents(window: AdvisorsPage) -> None:
    page = window.page("migration")
    users = page.form.editors["users"]
    assert isinstance(users, QLineEdit)
    users.setText("500")
    assert "New server" in page.whose.text()
    new = page.form.editors["new_server"]
    assert isinstance(new, Dropdown)
    new.setCurrentIndex(new.currentIndex() + 1)
    assert "New server" not in page.whose.text()
    assert "Server today" in page.whose.text()


def test_what_was_entered_stays_when_a_sheet_is_pasted(window: AdvisorsPage) -> None:
    page = window.page("candidates")
    limit = page.form.editors["cpu_limit_pct"]
    assert isinstance(limit, QLineEdit)
    limit.setText("50")
    page.pasted.setPlainText("name;role;cpu\nA;test;3\n")
    page.ask()
    assert limit.text() == "50"


def test_an_example_says_that_it_is_one_and_goes_nowhere(qtbot: QtBot, tmp_path: Path) -> None:
    opened = advisors(qtbot, session_of(two_hosts()))
    page = with_example(opened, "candidates")
    assert "Example" in page.whose.text()
    assert not page.whose.isHidden()
    assert not page.board.isEnabled()
    assert not page.kept.isEnabled()
    limit = page.form.editors["cpu_limit_pct"]
    assert isinstance(limit, QLineEdit)
    limit.setText("50")
    page.ask()
    assert "your changes" in page.whose.text()
    page.pasted.setPlainText("name;role;cpu\nA;test;3\n")
    page.ask()
    assert page.whose.isHidden()
    assert page.board.isEnabled()
    assert page.kept.isEnabled()


def test_a_topic_opens_with_the_servers_of_the_scenario(qtbot: QtBot, tmp_path: Path) -> None:
    session = session_of(two_hosts())
    opened = advisors(qtbot, session)
    page = opened.page("cluster")
    users = page.form.editors["users"]
    assert isinstance(users, QLineEdit)
    assert float(users.text()) == 2000.0
    assert session.scenario.name in page.whose.text()
    assert page.kept.isEnabled()
    page.example.click()
    assert "Example" in page.whose.text()
    page.of_scenario.click()
    assert float(users.text()) == 2000.0
    users.setText("100")
    assert page.whose.isHidden()


def test_statistics_of_a_server_are_pasted_without_the_example(window: AdvisorsPage) -> None:
    page = window.page("users")
    lines = "Server.Users = 812\nServer.Users.Active15Min = 612\nServer.CPU.Count = 8\n"
    page.pasted.setPlainText(lines)
    page.ask()
    assert page.answer is not None
    found = {each.id: each for each in page.answer.numbers}
    assert found["active_users"].value == 612.0
    assert ":2, " in found["active_users"].source
    assert page.whose.isHidden()


def test_physical_servers_of_the_scenario_are_the_candidates(qtbot: QtBot, tmp_path: Path) -> None:
    board = two_hosts()
    bare = replace(board.hosts[0], hypervisor="none")
    old = [replace(vm, disk_mode=DiskMode.PHYSICAL) for vm in board.vms if vm.host == bare.id]
    board = board.with_item(bare)
    for vm in old:
        board = board.with_item(vm)
    session = session_of(board)
    for _ in range(2):
        opened = advisors(qtbot, session)
        page = opened.page("candidates")
        assert page.answer is not None
        assert [row[0] for row in page.answer.tables[0].rows] == [vm.name for vm in old]
        page.kept.setChecked(True)  # and what is kept has them the second time


def test_the_first_page_says_what_each_topic_finds(qtbot: QtBot) -> None:
    session = session_of(two_hosts())
    opened = advisors(qtbot, session)
    (section,) = opened.found.sections
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert table.subjects == tuple(TOPICS)
    lines = dict(zip(table.subjects, table.rows, strict=True))
    assert lines["sametime"][2] == TOPICS["sametime"].lacks
    before = lines["users"][2]
    opened.found.chosen.emit("users")
    assert opened.topics.currentItem().text() == TOPICS["users"].title
    opened.hide()
    vm = session.scenario.vms[0]
    more = replace(vm, workload=replace(vm.workload, active_users=5000.0))
    session.edit(session.scenario.with_item(more), "more")
    opened.show_overview()
    (table,) = opened.found.sections[0].blocks
    assert isinstance(table, Table)
    assert dict(zip(table.subjects, table.rows, strict=True))["users"][2] == before, "nobody looks"
    opened.show()
    (table,) = opened.found.sections[0].blocks
    assert isinstance(table, Table)
    assert dict(zip(table.subjects, table.rows, strict=True))["users"][2] != before


def test_what_nobody_waits_for_is_given_up(qtbot: QtBot) -> None:
    cancel = threading.Event()
    cancel.set()
    context = Context(cancel, lambda _share: None)
    with pytest.raises(Cancelled):
        looked_over(two_hosts(), knowledge(), context)


def test_a_page_goes_with_the_scenario_until_somebody_enters_something(qtbot: QtBot) -> None:
    session = session_of(two_hosts())
    opened = advisors(qtbot, session)
    page = opened.page("cluster")
    users = page.form.editors["users"]
    assert isinstance(users, QLineEdit)
    asked = next(vm for vm in session.scenario.vms if vm.name == page.server.currentText())
    assert "manual" in page.form.origins["users"]

    def with_users(count: float) -> None:
        vm = session.scenario.vm(asked.id)
        work = replace(vm.workload, active_users=count)
        session.edit(session.scenario.with_item(replace(vm, workload=work)), "users")
        opened.topics.setCurrentRow(0)
        opened.page("cluster")

    with_users(2500.0)
    assert float(users.text()) == 2500.0
    users.setText("300")
    assert "users" not in page.form.origins
    assert "ram_gib" in page.form.origins
    with_users(2600.0)
    assert users.text() == "300", "what somebody entered stays"
    page.of_scenario.click()
    assert float(users.text()) == 2600.0


def test_a_line_for_a_file_is_copied_by_its_button(window: AdvisorsPage) -> None:
    page = with_example(window, "cluster")
    assert page.answer is not None
    lines = [
        each
        for each in page.view.blocks
        if isinstance(each, ParagraphWidget) and not each.copy.isHidden()
    ]
    assert [each.label.text() for each in lines] == list(page.answer.lines)
    lines[0].copy.click()
    assert QGuiApplication.clipboard().text() == page.answer.lines[0]
