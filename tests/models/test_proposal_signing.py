"""What a proposal recommends, counts and cites, as the one who signs reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.calibrated import shipped_calibration
from app.report.build import subject_of
from db.codec import scenario_from_json
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Shown, Verdict
from models.proposal import propose
from models.proposal.agreement import BOX, agreement
from models.proposal.grounds import sources
from models.proposal.summary import summary
from models.scenario.scenario import Scenario
from models.tell.blocks import Signature, Table
from models.tell.materials import materials
from models.tell.subject import Subject
from resources.catalog_files import load_catalog
from resources.example_files import load_examples


def example(name: str) -> Scenario:
    files = {file.name: file for each in load_examples() for file in each.files}
    return scenario_from_json(files[name].text.encode(), name=name)


def subject(name: str) -> Subject:
    scenario, catalog = example(name), load_catalog()
    prediction = evaluate(scenario, Knowledge(catalog, shipped_calibration()))
    return subject_of(scenario, prediction, catalog)


def test_only_what_fits_and_can_be_bought_is_recommended() -> None:
    fits = subject("production-today.json")
    assert "Recommended" in str(summary(fits))
    assert "Recommended" not in str(summary(replace(fits, is_option=True)))
    for name in ("wv21-migration.json", "building-block.json"):  # at risk; a reference system
        assert "This design" in str(summary(subject(name)))


def test_nobody_waits_for_a_restart_that_never_comes() -> None:
    assert "wait until" not in str(summary(subject("wv21-migration.json")))
    assert "wait until" in str(summary(subject("building-block.json")))


def test_an_array_of_two_pools_may_be_one() -> None:
    found = subject("wv21-migration.json")
    (array,) = [m for m in materials(found.scenario, found.catalog) if m.part == "Storage array"]
    assert (array.count, "share an array" in array.note) == (2, True)


def test_words_that_hold_for_all_scenarios_stand_once() -> None:
    one = subject("wv21-today.json")
    proposal = propose([one, one], date="today", program="Headroom")
    titles = [section.title for part in proposal.parts for section in part.sections]
    assert titles.count("Words used here") == 1
    assert titles.count("In short") == 2


def test_a_source_is_a_document_not_a_code_of_ours() -> None:
    table = next(
        b for b in sources(subject("production-today.json")).blocks if isinstance(b, Table)
    )
    assert any("Console statistics" in str(row[0]) for row in table.rows)
    assert "field-" not in str(table.rows)


SIZED = "the design is sized for these inputs"


def judged(verdict: Verdict | None, *, is_assumed: bool = False) -> Subject:
    """A design with this verdict."""

    class Judged:
        """The prediction, but for its verdict."""

        shown = Shown(verdict, "nothing to judge" if verdict is None else verdict.label, is_assumed)

        def __getattr__(self, name: str) -> object:
            return getattr(of.prediction, name)

    of = subject("wv21-today.json")
    return replace(of, prediction=Judged())  # type: ignore[arg-type]


def owned(scenario: Scenario) -> Scenario:
    """The same machines, which are the customer's."""
    return replace(
        scenario,
        hosts=tuple(replace(each, imported_from="vHost!A2") for each in scenario.hosts),
        pools=tuple(replace(each, imported_from="vDisk!A2") for each in scenario.pools),
    )


def has_signature(part: object) -> bool:
    return f"{Signature.__name__}(" in str(part)


@pytest.mark.parametrize(
    ("verdict", "words", "is_signed"),
    [
        (Verdict.FITS, SIZED + ".", True),
        (Verdict.AT_RISK, "only at the risk stated above", True),
        (Verdict.NOT_KNOWN, "not known whether the design carries", True),
        (Verdict.DOES_NOT_FIT, "does not fit these inputs", False),
        (None, "nothing to judge in this design", False),
    ],
)
def test_each_verdict_has_words_of_its_own_to_sign(
    verdict: Verdict | None, words: str, is_signed: bool
) -> None:
    told = agreement([judged(verdict)])
    assert words in str(told)
    assert (SIZED in str(told)) is (verdict is Verdict.FITS)
    assert has_signature(told) is is_signed
    assert ("Not to be signed" in str(told)) is not is_signed


def test_what_fits_on_assumptions_is_agreed_on_them() -> None:
    told = str(agreement([judged(Verdict.FITS, is_assumed=True)]))
    assert "as far as the assumptions hold" in told
    assert SIZED + "." not in told


def test_of_several_options_one_is_ticked_and_the_only_one_that_fits_is_marked() -> None:
    old, risk, never = map(judged, (Verdict.FITS, Verdict.AT_RISK, Verdict.DOES_NOT_FIT))
    fits = replace(old, scenario=owned(old.scenario))
    unsold = agreement([risk, old]).sections
    assert not any("recommended" in section.title for section in unsold), "a server of 2005"
    options = agreement([risk, never, fits]).sections
    assert [section.title.startswith(BOX) for section in options] == [True, False, True, False]
    assert ["recommended" in section.title for section in options[:3]] == [False, False, True]
    assert "ticked" in str(options[-1])
    two = agreement([fits, fits]).sections
    assert not any("recommended" in section.title for section in two)


def test_what_is_agreed_names_the_design_users_horizon_and_hash() -> None:
    of = replace(subject("wv21-today.json"), fingerprint="0123456789ab" + 52 * "c")
    told = str(agreement([of]))
    server = of.catalog.servers[of.scenario.hosts[0].server].name
    for words in (f"1 × {server}", "active users", "no years ahead", "012345 6789ab"):
        assert words in told
