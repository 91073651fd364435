"""What is no document is listed with the assumptions, and not among the documents."""

from __future__ import annotations

from dataclasses import replace

from app.calibrated import shipped_evidence, shipped_validation
from models.catalog.catalog import Catalog
from models.evidence.rows import by_id
from models.judgement.rules import grouped
from models.proposal.agreement import agreed
from models.proposal.design import requirement
from models.proposal.grounds import assumptions, confidence, sources
from models.resilience.study import study_failures
from models.scenario.scenario import Policy, Scenario
from models.scenario.wording import THIN
from models.scenario.workloads import WorkloadKind
from models.tell.blocks import Bullets, Table, cell_text
from models.tell.failures import failure_sections
from models.tell.subject import Subject
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_scenario,
    a_vm,
    predict,
    wv21,
)


def subject(scenario: Scenario, catalog: Catalog = CATALOG) -> Subject:
    return Subject(scenario=scenario, prediction=predict(scenario), catalog=catalog)


def test_what_was_not_read_is_an_assumption() -> None:
    scenario = a_scenario()
    server = CATALOG.servers[scenario.hosts[0].server]
    source = "SPEC results; no maker’s document for the chassis, figures assumed"
    told = replace(server, provenance=replace(server.provenance, source=source, assumed=("nics",)))
    catalog = replace(CATALOG, servers={**CATALOG.servers, server.id: told})
    tables = [b for b in sources(subject(scenario, catalog)).blocks if isinstance(b, Table)]
    (table,) = tables  # no figure of the evidence stands in it, and no head without rows
    documents = [str(row[0]) for row in table.rows]
    assert "SPEC results" in documents
    assert not [each for each in documents if "assumed" in each or "not checked" in each]
    bullets = next(
        b for b in assumptions(subject(scenario, catalog)).blocks if isinstance(b, Bullets)
    )
    told_of = "network ports (no maker’s document for the chassis, figures assumed)"
    assert f"{server.name}: {told_of}" in bullets.items


def test_growth_says_what_grows() -> None:
    text = str(requirement(subject(a_scenario(policy=Policy(mail_growth_pct=50.0)))))
    assert "mail files larger by 50\\u202f% from the first day" in text
    assert "none: users and mail files stay" in str(
        requirement(subject(a_scenario(policy=Policy())))
    )


def test_the_model_s_error_is_told_of_the_families_that_the_design_rests_on() -> None:
    validation, evidence = shipped_validation(), by_id(shipped_evidence())
    scenario = wv21("clovertown", "vmfs", 14.5, 4000.0)
    told = confidence(
        replace(
            subject(scenario),
            accuracy=validation.accuracy,
            unchecked=validation.unchecked,
            evidence=evidence,
        )
    )
    errors = next(b for b in told.blocks if isinstance(b, Table) and "Mean error" in str(b.columns))
    assert len(errors.rows) == len(validation.accuracy)
    for row, each in zip(errors.rows, validation.accuracy, strict=True):
        assert row[2] == str(each.n)
        assert row[3] == f"{each.mape_pct:.1f}{THIN}%"
        assert row[4] == f"{each.coverage_pct:.0f}{THIN}%"
    assert "of VMworld 2007 WV21" in str(told.blocks)


def test_errors_are_told_of_the_family_that_the_design_uses() -> None:
    validation, evidence = shipped_validation(), by_id(shipped_evidence())
    rows = (*validation.accuracy, *(row for row in validation.applied if row.family == "B"))
    told = confidence(
        replace(
            subject(a_scenario()),
            accuracy=rows,
            unchecked=validation.unchecked,
            evidence=evidence,
        )
    )
    errors = next(b for b in told.blocks if isinstance(b, Table) and "Mean error" in str(b.columns))
    assert {str(row[0]) for row in errors.rows} == {"CPU", "IOPS", "Response time"}
    assert {str(row[1]) for row in errors.rows} == {"each run, all of one load"}
    assert not [b for b in told.blocks if isinstance(b, Bullets)]


def test_what_rests_on_no_fit_has_no_error_of_one() -> None:
    validation, evidence = shipped_validation(), by_id(shipped_evidence())
    chat = a_scenario(vms=(a_vm(kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1"),))
    told = confidence(
        replace(
            subject(chat),
            accuracy=validation.accuracy,
            unchecked=validation.unchecked,
            evidence=evidence,
        )
    )
    assert "rests on a fit whose error" in str(told.blocks)
    assert not [b for b in told.blocks if isinstance(b, Bullets)]


def test_failures_carry_their_ranges() -> None:
    scenario = a_cluster_of(3, vms=3)
    study = study_failures(scenario, KNOWLEDGE)
    (section,) = failure_sections(scenario, predict(scenario), study)
    (modes,) = (block for block in section.blocks if isinstance(block, Table))
    lost = next(row for row in modes.rows if row[0] == "H1 fails")
    cpu, _, ends = cell_text(lost[1]).partition("\n")
    assert cpu.endswith("%")
    assert "–" in ends
    assert "H1 is the worst to lose by every resource" in str(section.blocks)


def test_what_is_signed_says_that_findings_in_the_same_words_are_listed_once() -> None:
    """Else eight notes were signed below a list of six."""
    for vms, ending in ((1, "notes"), (2, "notes; those in the same words are listed together")):
        of = subject(a_cluster_of(2, vms=vms, guest_bits=32))
        listed = grouped(of.prediction.findings, of.name_of)
        assert (len(listed) < len(of.prediction.findings)) is (vms > 1)
        assert dict(agreed(of))["Findings"].endswith(ending)
