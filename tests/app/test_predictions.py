"""Each scenario is predicted once, and again only when it or the catalog is another."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from app.predictions import Predictions
from app.session import Session
from models.catalog.catalog import Catalog
from models.scenario.scenario import Vm
from tests.app.sessions import session_of, two_hosts


def session_with_three(qtbot: QtBot) -> Session:
    session = session_of(two_hosts())
    project = session.project.duplicated("s1").duplicated("s1").show("s1")
    session.edit_project(project, "Duplicate twice")
    session.flush()
    return session


def test_the_one_in_view_is_known_at_once_the_others_on_demand(qtbot: QtBot) -> None:
    session = session_with_three(qtbot)
    predictions = Predictions(session, session)
    assert predictions.known("s1") is session.view.prediction
    assert predictions.known("s2") is None
    found = predictions.of("s2")
    assert predictions.known("s2") is predictions.of("s2") is found
    assert predictions.known("nobody") is None
    session.deleteLater()


def test_all_are_worked_out_between_events(qtbot: QtBot) -> None:
    session = session_with_three(qtbot)
    predictions = Predictions(session, session)
    assert not predictions.is_complete
    predictions.want_all()
    qtbot.waitUntil(lambda: predictions.is_complete)
    session.deleteLater()


def test_an_edit_and_another_catalog_make_it_untrue(qtbot: QtBot) -> None:
    session = session_with_three(qtbot)
    predictions = Predictions(session, session)
    before = predictions.of("s1")
    session.edit(session.scenario.edit(Vm, "m1", lambda vm: replace(vm, ram_gib=6.0)), "Set RAM")
    session.flush()
    assert predictions.known("s1") is session.view.prediction is not before
    predictions.of("s2")
    session.set_library(Catalog())
    assert predictions.known("s2") is None
    session.flush()
    session.deleteLater()


def test_what_is_removed_is_forgotten_and_comes_back(qtbot: QtBot) -> None:
    session = session_with_three(qtbot)
    predictions = Predictions(session, session)
    predictions.of("s3")
    session.edit_project(session.project.removed("s3"), "Delete")
    assert predictions.known("s3") is None
    session.stack.undo()
    assert predictions.of("s3").verdict is session.view.prediction.verdict
    session.flush()
    session.deleteLater()


def test_a_preview_is_nobodys_prediction(qtbot: QtBot) -> None:
    session = session_with_three(qtbot)
    predictions = Predictions(session, session)
    stored = predictions.known("s1")
    session.preview(session.scenario.place(["m1"], "h2"))
    session.flush()
    assert predictions.known("s1") is stored
    session.clear_preview()
    session.flush()
    session.deleteLater()
