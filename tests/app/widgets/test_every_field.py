"""Every field of a scenario can be edited somewhere: a table of places, and none is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from app.widgets.fields.choice import ChoiceField
from app.widgets.fields.several import SeveralField
from app.widgets.fields.text import TextField
from app.widgets.inspector.inspector import Inspector
from app.widgets.inspector.rules import RuleEntry
from app.widgets.inspector.tables import SECTIONS
from app.widgets.inspector.waivers import WaiverEntry
from models.base.errors import ModelError
from models.base.fields import fields_of, leaves_of
from models.judgement.rules import rule_title
from models.scenario.affinity import as_kind, new_rule
from models.scenario.scenario import (
    Affinity,
    AffinityKind,
    Cluster,
    DataCenter,
    Host,
    Pool,
    Scenario,
    Vm,
    Waiver,
)
from tests.app.sessions import Place

IDENTITY = "by the program: what other things name it by"
HEADING = "inspector, heading"
BADGE = "inspector, badge beside the field"
PAGE = "inspector, page"
BOARD = "board and catalog"
RULES = "inspector of the scenario, Affinity rules"
WHY = "the why drawer, beside what was imported"
FINDINGS = "findings, and the proposal beside what is assumed"
WHERE = "clusters and hosts, which name theirs"
CHIP = "chip beside the verdict"
WAIVERS = "inspector of the scenario, Waived findings"

PLACES: Mapping[type, Mapping[str, str]] = {
    Scenario: {
        **dict.fromkeys(fields_of(Scenario), PAGE),
        "name": HEADING,
        **dict.fromkeys(("clusters", "hosts", "pools", "vms"), BOARD),
        "affinity": RULES,
        "waivers": WAIVERS,
        "import_notes": FINDINGS,
        "sites": WHERE,
        "grade": CHIP,
        **dict.fromkeys(("origins", "pins"), BADGE),
    },
    Cluster: {
        "id": IDENTITY,
        "name": HEADING,
        **dict.fromkeys(("admission", "replicas_per_user", "site"), PAGE),
        **dict.fromkeys(("origins", "pins"), BADGE),
        "imported_from": WHY,
    },
    **{
        kind: {
            "id": IDENTITY,
            "name": HEADING,
            **dict.fromkeys(("origins", "pins"), BADGE),
            **{
                each.name: PAGE
                for each in fields(kind)
                if each.name not in ("id", "name", "origins", "pins")
            },
            "imported_from": WHY,
        }
        for kind in (Host, Pool, Vm)
    },
    Affinity: {"id": IDENTITY, **dict.fromkeys(("kind", "vms", "hosts"), RULES)},
    Waiver: dict.fromkeys(("rule", "subject", "reason"), WAIVERS),
}


@pytest.mark.parametrize("kind", PLACES)
def test_every_field_has_a_place(kind: type) -> None:
    assert set(PLACES[kind]) == {each.name for each in fields(kind)}


@pytest.mark.parametrize("kind", [Scenario, Cluster, Host, Pool, Vm])
def test_every_field_of_a_page_is_on_it(kind: type) -> None:
    """Down to the fields of nested values."""
    leaves = leaves_of(kind)
    wanted = {path for path in leaves if PLACES[kind][path.partition(".")[0]] == PAGE}
    found = [spec.at for section in SECTIONS[kind] for spec in section.specs]
    assert set(found) == wanted
    assert len(found) == len(wanted)


@pytest.fixture
def inspector(place: Place, mail_session: Session, selection: Selection) -> Inspector:
    inspector = Inspector(mail_session, selection)
    place(inspector, 300, 700)
    return inspector


def field(inspector: Inspector, name: str) -> object:
    assert inspector.page is not None
    return inspector.page.row(name).editor


# --- several of a list ------------------------------------------------------------------------


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_partners_are_ticked_in_a_list_and_name_each_other(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    partners = field(inspector, "cluster_partners")
    assert isinstance(partners, SeveralField)
    opened = partners.open_list()
    names = [opened.list.item(row).text() for row in range(opened.list.count())]
    assert names == ["Mail-02", "Mail-03"]
    opened.list.setCurrentRow(1)
    QTest.keyClick(opened.list, Qt.Key.Key_Space)
    QTest.keyClick(opened.list, Qt.Key.Key_Return)
    scenario = mail_session.scenario
    assert scenario.vm("m1").cluster_partners == ("m3",)
    assert scenario.vm("m3").cluster_partners == ("m1",)
    assert mail_session.stack.undoText() == "Set Mail-01 Domino cluster partners to Mail-03"
    mail_session.flush()
    assert partners.text() == "Mail-03"
    opened = partners.open_list()
    opened.close()
    assert mail_session.stack.count() == 1


def test_a_site_is_typed_by_its_name(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    north = DataCenter(id="dc-1", name="North")
    mail_session.edit(replace(mail_session.scenario, sites=(north,)), "Sites")
    selection.select("c1")
    for typed, id in (("north", "dc-1"), ("South", "South"), ("", None)):
        line = field(inspector, "site")
        assert isinstance(line, TextField)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, typed) if typed else QTest.keyClick(line, Qt.Key.Key_Delete)
        QTest.keyClick(line, Qt.Key.Key_Return)
        mail_session.flush()
        scenario = mail_session.scenario
        assert scenario.cluster("c1").site == id
        names = {site.id: site.name for site in scenario.sites}
        assert line.text() == ("" if id is None else names[id])
    assert [site.name for site in mail_session.scenario.sites] == ["North", "South"]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_hosts_that_see_a_pool_are_ticked(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("p1")
    hosts = field(inspector, "hosts")
    assert isinstance(hosts, SeveralField)
    opened = hosts.open_list()
    for row in range(opened.list.count()):
        opened.list.setCurrentRow(row)
        QTest.keyClick(opened.list, Qt.Key.Key_Space)
    QTest.keyClick(opened.list, Qt.Key.Key_Return)
    assert mail_session.scenario.pool("p1").hosts == ("h1", "h2")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_long_list_is_searched(qtbot: QtBot, inspector: Inspector, selection: Selection) -> None:
    from app.widgets.fields.choice import Choice

    several = SeveralField()
    qtbot.addWidget(several)
    several.offer([Choice(n, f"VM {n}") for n in range(30)])
    opened = several.open_list()
    opened.search.setText("vm 12")
    shown = [i for i in range(30) if not opened.list.item(i).isHidden()]
    assert shown == [12]
    QTest.keyClick(opened.search, Qt.Key.Key_Down)
    opened.list.item(12).setCheckState(Qt.CheckState.Checked)
    with qtbot.waitSignal(several.committed) as committed:
        QTest.keyClick(opened.list, Qt.Key.Key_Escape)
    assert committed.args == [(12,)]


def test_groups_are_names_with_commas(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    selection.select("m1")
    groups = field(inspector, "groups")
    assert isinstance(groups, TextField)
    groups.committed.emit("rack 1,  site A, rack 1,")
    assert mail_session.scenario.vm("m1").groups == ("rack 1", "site A")
    mail_session.flush()
    assert groups.text() == "rack 1, site A"


# --- rules and waivers ------------------------------------------------------------------------


def test_a_rule_is_added_changed_and_removed(inspector: Inspector, mail_session: Session) -> None:
    rules = inspector.lists[0]
    rules.fold.setChecked(True)
    rules.add.committed.emit(("m1", "m2"))
    (rule,) = mail_session.scenario.affinity
    assert (rule.kind, rule.vms, rule.hosts) == (AffinityKind.APART, ("m1", "m2"), ())
    assert mail_session.stack.undoText() == "Add rule: Keep apart: Mail-01, Mail-02"
    mail_session.flush()
    (entry,) = rules.entries
    assert isinstance(entry, RuleEntry)
    assert entry.vms.text() == "Mail-01, Mail-02"
    assert entry.hosts.isHidden()
    entry.kind.committed.emit(AffinityKind.MUST_RUN_ON)
    mail_session.flush()
    assert mail_session.scenario.affinity[0].hosts == ("h1", "h2")
    assert not entry.hosts.isHidden()
    entry.hosts.committed.emit(("h2",))
    mail_session.flush()
    assert mail_session.stack.undoText() == ("Change rule to: Must run on esx2: Mail-01, Mail-02")
    entry.vms.committed.emit(())
    assert rules.remark.text == "must name at least one VM"
    assert mail_session.scenario.affinity[0].vms == ("m1", "m2")
    entry.remove.click()
    mail_session.flush()
    assert mail_session.scenario.affinity == ()
    assert rules.entries == ()
    mail_session.stack.undo()
    mail_session.flush()
    assert rules.fold.text() == "Affinity rules (1)"


def test_a_host_rule_needs_a_host() -> None:
    scenario = Scenario(name="empty")
    with pytest.raises(ModelError, match="no host"):
        as_kind(scenario, new_rule(scenario, ("m1",)), AffinityKind.SHOULD_RUN_ON)


def test_a_finding_is_waived_with_a_reason(inspector: Inspector, mail_session: Session) -> None:
    waivers = inspector.lists[1]
    waivers.fold.setChecked(True)
    finding = mail_session.view.prediction.findings[0]
    assert isinstance(waivers.finding, ChoiceField)
    assert waivers.reason.isHidden()
    waivers.finding.committed.emit((finding.rule, finding.subject))
    assert not waivers.reason.isHidden()
    waivers.reason.committed.emit("agreed with the customer")
    (waiver,) = mail_session.scenario.waivers
    assert (waiver.rule, waiver.subject) == (finding.rule, finding.subject)
    assert mail_session.stack.undoText().startswith(f"Waive {rule_title(finding.rule)}")
    mail_session.flush()
    (entry,) = waivers.entries
    assert isinstance(entry, WaiverEntry)
    entry.reason.committed.emit("")
    assert waivers.remark.text == "a waiver needs a reason"
    entry.reason.committed.emit("agreed on 1 March")
    assert mail_session.scenario.waivers[0].reason == "agreed on 1 March"
    mail_session.flush()
    entry.remove.click()
    assert mail_session.scenario.waivers == ()


def test_the_lists_belong_to_the_scenario(inspector: Inspector, selection: Selection) -> None:
    assert all(box.isVisibleTo(inspector) for box in inspector.lists)
    selection.select("m1")
    assert not any(box.isVisibleTo(inspector) for box in inspector.lists)
