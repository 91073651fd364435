"""What a reader of the proposal would stumble over: numbers at odds, and reasons left out."""

from __future__ import annotations

from dataclasses import replace

from models.failure.mode import ModeKind
from models.proposal.design import requirement
from models.proposal.failing import failing
from models.proposal.inputs import share_text, shares
from models.proposal.results import numbers
from models.resilience.availability_study import study_availability
from models.resilience.study import study_failures
from models.scenario.scenario import Cluster, Scenario
from models.scenario.wording import THIN, value_text
from models.scenario.workloads import WorkloadKind
from models.tell.availability import protection_sections
from models.tell.blocks import Bars, Bullets, Paragraph, Table, cell_text
from models.tell.failures import failure_sections
from models.tell.subject import Subject
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
    with_policy,
)


def subject(scenario: Scenario) -> Subject:
    return Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG)


def note_of(scenario: Scenario) -> str:
    last = numbers(subject(scenario)).blocks[-1]
    assert isinstance(last, Paragraph)
    return last.text


def test_averages_are_called_so_where_verdicts_speak_of_a_peak() -> None:
    calm = a_scenario()
    assert "averages" not in note_of(calm)
    busy = note_of(with_policy(calm, peak_factor_cpu=1.3, peak_factor_iops=1.0))
    assert "verdicts and findings speak of the peak: CPU × 1.3. " in busy
    assert "IOPS × 1.5" in note_of(with_policy(calm, peak_factor_iops=1.5))


def test_cpu_that_is_known_of_some_hosts_is_not_called_unknown() -> None:
    pair = a_cluster_of(2, vms=1)
    chat = a_vm(
        "s1", users=30000.0, host="h3", kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1"
    )

    def bar(scenario: Scenario, label: str) -> str:
        bars = next(b for b in requirement(subject(scenario)).blocks if isinstance(b, Bars))
        return next(row.text for row in bars.rows if row.label.startswith(label))

    others = tuple(a_host(id, cluster="c2") for id in ("h3", "h4"))
    mixed = replace(
        pair,
        clusters=(*pair.clusters, Cluster(id="c2", name="Chat")),
        hosts=(*pair.hosts, *others),
        vms=(*pair.vms, chat, replace(chat, id="s2", name="S2", host="h4")),
    )
    assert "of the limit left" in bar(pair, "CPU of M1")
    assert bar(mixed, "CPU of M1").startswith("\N{LESS-THAN OR EQUAL TO} ")
    assert bar(mixed, "CPU of M1").endswith(" of the limit left; 2 VMs unknown")
    assert bar(a_scenario(vms=(replace(chat, host="h1"),)), "CPU") == "no data; 1 VM unknown"


def test_what_fault_tolerance_takes_is_no_logging_traffic() -> None:
    pair = a_cluster_of(2, vms=1, fault_tolerance=True)
    study = study_availability(pair, KNOWLEDGE)
    (found,) = protection_sections(study.protections, pair)
    heads = [block.text for block in found.blocks if isinstance(block, Paragraph)]
    assert heads[-2:] == [
        "Logging traffic (Mb/s), as far as it can be worked out:",
        "What else it takes:",
    ]
    assert isinstance(found.blocks[0], Table)


def test_the_reason_has_the_most_room_in_the_table_of_failures() -> None:
    pair = a_cluster_of(2, vms=2)
    study = study_failures(pair, KNOWLEDGE)
    (section,) = failure_sections(pair, predict(pair), study)
    table = next(block for block in section.blocks if isinstance(block, Table))
    weights = {column.title: column.weight for column in table.columns if column.wide}
    assert weights == {"What fails": 11, "Verdict": 8, "Why, and what is missing": 13}


def test_what_happens_in_a_mode_stands_below_the_table_of_failures() -> None:
    """In its narrow last column it took six lines."""
    pair = a_cluster_of(2, vms=2)
    study = study_failures(pair, KNOWLEDGE)
    (noted,) = (mode for mode in study if "controllers" in mode.note)
    found = failure_sections(pair, predict(pair), study)[0].blocks
    table = next(block for block in found if isinstance(block, Table))
    assert not any("controllers" in cell_text(cell) for row in table.rows for cell in row)
    lines = next(block.items for block in found if isinstance(block, Bullets))
    assert lines == (f"P1 loses a controller: {noted.note}",)


def test_a_few_of_many_are_not_none() -> None:
    pct = shares({"few": 1, "none": 0, "some": 57, "others": 269})
    assert share_text(pct["few"], 1) == f"under 1{THIN}%"
    assert share_text(pct["none"], 0) == f"0{THIN}%"
    assert share_text(pct["some"], 57) == f"18{THIN}%"
    assert sum(pct.values()) == 100


def test_a_page_has_ready_time_after_a_failure_as_the_screen_has() -> None:
    pair = a_cluster_of(2, vms=2)
    study = study_failures(pair, KNOWLEDGE)
    lost = next(mode for mode in study if mode.mode.kind is ModeKind.HOST)
    (section,) = failing(replace(subject(pair), study=study))
    table = next(block for block in section.blocks if isinstance(block, Table))
    heads = [column.title for column in table.columns]
    found = [cell_text(row[heads.index("Ready")]) for row in table.rows]
    assert any(each.startswith(value_text(lost.ready_pct, "%")) for each in found)
    assert len(heads) <= 7
