"""A fact has one home: the same words in window, terminal, proposal and, where it has any, JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QTableView, QWidget
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_calibration, shipped_knowledge
from app.report.build import subject_of
from app.selection import Selection
from app.session import Session
from app.studies import STUDIES
from app.widgets.charts_panel import ChartsPanel
from app.widgets.evidence.opinion_tab import OpinionTab
from app.widgets.verdict import VerdictBar
from app.work import InlineWorker
from db.codec import scenario_to_json
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.project.project import Project
from models.proposal import propose
from models.resilience.designs import Design
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    Scenario,
)
from models.scenario.wording import THIN
from models.second_opinion.opinion import second_opinion
from models.second_opinion.words import headline
from models.tell.blocks import cell_text
from models.tell.designs import decides_text, pairing_text
from models.tell.failures import failure_rows
from models.tell.headline import headline as what_is_said_first
from models.tell.storms import input_facts, left_out, over_text, storm_facts
from models.tell.subject import Subject
from models.uncertainty import verdict_map
from resources.catalog_files import load_catalog
from tests.app.terminal import call
from tests.models.worlds import a_cluster_of, a_host, a_vm

WINDOW, TERMINAL, PROPOSAL, JSON = "window", "terminal", "proposal", "json"
ALL = frozenset({WINDOW, TERMINAL, PROPOSAL})
SPACES = str.maketrans({THIN: " ", "\N{NO-BREAK SPACE}": " ", "\N{WORD JOINER}": "", "\n": " "})


def scenario() -> Scenario:
    """A cluster of which one VM may run on one host alone, partners, a server that stands alone,
    one that can't be powered on, and a storm that somebody asked for."""
    base = a_cluster_of(3, vms=4, users=1500.0)
    first, second, *others = base.vms
    pair = (
        replace(first, cluster_partners=(second.id,)),
        replace(second, cluster_partners=(first.id,)),
    )
    alone = a_vm("solo", 900.0, name="Solo", host="h9")
    wide = a_vm("wide", 500.0, name="Wide", host="h2", vcpus=99)
    plain = replace(
        base,
        clusters=(
            Cluster(
                id="c1", name="Mail", admission=Admission(policy=AdmissionPolicy.HOST_FAILURES)
            ),
        ),
        hosts=(*base.hosts, a_host("h9", name="Outpost", cluster=None)),
        vms=(*pair, *others, alone, wide),
        affinity=(Affinity(id="a1", kind=AffinityKind.MUST_RUN_ON, vms=("m3",), hosts=("h3",)),),
    )
    return with_origin(plain, Origin.CUSTOMER, "assumptions.reconnect_s")


@pytest.fixture(scope="module")
def subject() -> Subject:
    given, catalog = scenario(), load_catalog()
    return subject_of(given, evaluate(given, Knowledge(catalog, shipped_calibration())), catalog)


@pytest.fixture(scope="module")
def facts(subject: Subject) -> Mapping[str, tuple[str, frozenset[str]]]:
    """About twenty facts: what is said, and where it has to stand."""
    given, study = subject.scenario, subject.study
    assert study is not None
    names = subject.names
    storm = subject.storms[0].study
    waiting, response, _over = storm_facts(storm, given)
    rows = {row.key: row for row in failure_rows(given, subject.prediction, study=study)}
    both = next(row for row in subject.designs if row.design is Design.BOTH)
    check = subject.admission[0].check
    assert check is not None
    opinion = second_opinion(given, Knowledge(subject.catalog, shipped_calibration()))
    stranded, outpost = rows["host h3"], rows["host h9"]
    assert stranded.shown is not None
    assert outpost.shown is not None
    reasons = [mode.not_restarted for mode in study if mode.not_restarted]
    return {
        "what the verdict says first": (first_words(subject), ALL | {JSON}),
        "a storm’s end": (over_text(storm.drained_s), ALL),
        "who waits in a storm": (waiting[1], ALL),
        "the worst response in a storm": (response[1], ALL),
        "who is left out of a storm": (left_out(storm, given)[0][1], ALL),
        "an input of a storm": (input_facts(storm)[0][1], ALL),
        "what decides a design": (decides_text(both, names), ALL),
        "partners that are assumed": (pairing_text(subject.designs, given), ALL),
        "downtime of a design": (both.downtime.label, ALL | {JSON}),
        "what fails": (outpost.label, ALL),
        "users down": (outpost.shown.words, ALL),
        "a failure’s verdict": (stranded.shown.words, ALL | {JSON}),
        "what finds no room": (stranded.missing, ALL),
        "why it finds no room": (reasons[0][0].reason, frozenset({TERMINAL, PROPOSAL, JSON})),
        "what happens in a mode": (rows["controller p1"].happens, ALL | {JSON}),
        "why a mode has its verdict": (stranded.told, frozenset({TERMINAL, PROPOSAL})),
        "a step of admission control": (check.steps[0].what, ALL | {JSON}),
        "its arithmetic": (check.steps[0].arithmetic, ALL | {JSON}),
        "its result": (check.steps[0].result, ALL | {JSON}),
        "what reservations don’t tell": ("vSphere HA counts reservations, not load", ALL),
        "the second opinion": (headline(opinion), frozenset({WINDOW, TERMINAL})),
    }


def first_words(subject: Subject) -> str:
    return str(what_is_said_first(subject.scenario, subject.prediction).reason)


def in_one(text: str) -> str:
    return " ".join(text.translate(SPACES).split())


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("facts") / "plan.json"
    path.write_bytes(scenario_to_json(scenario()))
    commands = ("evaluate", "failures", "study", "network")
    return in_one("\n".join(call(command, path).out for command in commands))


@pytest.fixture(scope="module")
def as_json(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("facts") / "plan.json"
    path.write_bytes(scenario_to_json(scenario()))
    found = [call(command, path, "--json").json for command in ("evaluate", "failures", "study")]
    return in_one(" ".join(_texts(found)))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


@pytest.fixture(scope="module")
def proposal(subject: Subject) -> str:
    told = propose([subject], date="today", program="Headroom")
    return in_one(" ".join(_words(told)))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _words(each)
    elif hasattr(value, "words"):
        yield cell_text(value)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _words(getattr(value, name))


def is_done(page: Any) -> bool:
    """Its numbers are those of the scenario."""
    return not getattr(page, "is_calculating", False) and getattr(page, "is_settled", True)


def _seen(root: QWidget) -> Iterator[str]:
    """What labels and tables show."""
    for label in root.findChildren(QLabel):
        yield label.toolTip()
        yield label.text()
    for view in root.findChildren(QTableView):
        model = view.model()
        for row in range(model.rowCount()):
            for column in range(model.columnCount()):
                yield str(model.index(row, column).data() or "")


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(verdict_map, "STEPS", verdict_map.FEWER_STEPS)
    session = Session(Project.of(scenario()), shipped_knowledge())
    frame = QWidget()
    qtbot.addWidget(frame)
    worker = InlineWorker(session)
    charts = ChartsPanel(session, worker=worker, parent=frame)
    charts.resize(1200, 500)
    panels = (
        charts,
        VerdictBar(session, Selection(frame), worker, frame),
        OpinionTab(session, worker, frame),
    )
    frame.show()
    said: list[str] = []
    for place in range(charts.count()):
        charts.setCurrentIndex(place)
        page: Any = charts.currentWidget()
        for study in range(len(STUDIES) if page is charts.studies else 1):
            charts.studies.show_study(study)
            qtbot.waitUntil(partial(is_done, page))
            said += _seen(charts)
    for panel in panels[1:]:
        said += _seen(panel)
    yield in_one(" ".join(said))
    session.deleteLater()


def test_each_fact_is_said_in_the_same_words_everywhere(
    facts: Mapping[str, tuple[str, frozenset[str]]],
    window: str,
    terminal: str,
    proposal: str,
    as_json: str,
) -> None:
    assert len(facts) >= 20
    said = {WINDOW: window, TERMINAL: terminal, PROPOSAL: proposal, JSON: as_json}
    missing = [
        f"{surface}: {name}: {words}"
        for name, (words, where) in facts.items()
        for surface in sorted(where)
        if not words or in_one(words) not in said[surface]
    ]
    assert not missing, "\n".join(missing)
