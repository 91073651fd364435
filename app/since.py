"""Scenarios beside the proposals that were exported of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.calibrated import shipped_calibration
from app.exported import read_kept, reads_as_then
from db.errors import StoreError
from db.signed import all_signed
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.project.project import Project
from models.proposal.names import shown_names
from models.scenario.scenario import Scenario
from models.signing.signed import SignedScenario
from models.signing.since import SinceProposal, since_proposal


def kept_of(project: Project, id: str, day: str = "") -> tuple[SignedScenario, ...]:
    """A scenario as the kept proposals have it, newest first; what was changed since is none.

    Args:
        id: of its entry.
        day: of the export, ISO 8601 or its beginning; empty: any.
    """
    return tuple(
        each
        for signed in reversed(all_signed(project))
        if signed.is_whole is not False and signed.at.startswith(day)
        for each in signed.scenarios
        if each.id == id
    )


def last_kept(project: Project, ids: Sequence[str], day: str = "") -> Iterator[SignedScenario]:
    """Of each of these entries the last of them that this program can read, where there is one."""
    for id in ids:
        yield from list(filter(_is_readable, kept_of(project, id, day)))[:1]


def since_kept(
    kept: SignedScenario, scenario: Scenario, prediction: Prediction, catalog: Catalog
) -> SinceProposal:
    """What was changed of a scenario since it was exported so.

    Raises:
        StoreError: what is kept can't be read; ModelError: it can't be predicted any more.
    """
    then, own = read_kept(kept)
    catalog_then = catalog.merged(own)
    return since_proposal(
        kept.stated,
        (shown_names(then), evaluate(then, Knowledge(catalog_then, shipped_calibration()))),
        (shown_names(scenario), prediction),
        catalog_then,
        reads_as_then=reads_as_then(kept.stated, then),
    )


def _is_readable(kept: SignedScenario) -> bool:
    try:
        read_kept(kept)
    except (StoreError, ModelError):
        return False
    return True
