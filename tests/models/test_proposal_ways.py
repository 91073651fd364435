"""HA, a Domino cluster, or both: each says why, and what the others lack against the best."""

from __future__ import annotations

from dataclasses import replace

from models.predicted import title_of
from models.prediction import Verdict
from models.proposal.ways import designs
from models.resilience.designs import Design, DesignRow, compare_designs
from models.scenario import Scenario
from models.tell.blocks import Bullets, Paragraph, Section, Table
from models.tell.subject import Subject
from models.wording import THIN
from tests.models.worlds import CALIBRATION, CATALOG, a_cluster_of, predict


def told(scenario: Scenario) -> Subject:
    rows = compare_designs(scenario, CATALOG, CALIBRATION)
    prediction = predict(scenario)
    return Subject(scenario=scenario, prediction=prediction, catalog=CATALOG, designs=rows)


def section(subject: Subject) -> Section:
    found = designs(subject)
    assert found is not None
    return found


def tables(subject: Subject) -> list[Table]:
    return [block for block in section(subject).blocks if isinstance(block, Table)]


def better(subject: Subject) -> tuple[str, tuple[str, ...]]:
    blocks = section(subject).blocks
    first = next(block for block in blocks if isinstance(block, Paragraph))
    return first.text, next(block for block in blocks if isinstance(block, Bullets)).items


def changed(subject: Subject, design: Design, **fields: object) -> Subject:
    rows = tuple(
        replace(row, **fields) if row.design is design else row  # type: ignore[arg-type]
        for row in subject.designs
    )
    return replace(subject, designs=rows)


PAIRS = told(a_cluster_of(3, vms=4))


def row_of(design: Design) -> DesignRow:
    return next(row for row in PAIRS.designs if row.design is design)


def test_each_design_says_which_limit_it_is_nearest_to() -> None:
    compared = tables(PAIRS)[0]
    for cells, row in zip(compared.rows, PAIRS.designs, strict=True):
        deciding = row.deciding.deciding
        assert deciding is not None
        assert title_of(deciding.resource) in cells[-1]
        assert "limit " in cells[-1]


def test_the_numbers_of_normal_operation_and_of_the_loss_carry_their_ranges() -> None:
    numbers = tables(PAIRS)[1]
    assert [cells[0] for cells in numbers.rows] == [
        "HA alone",
        "",
        "Domino cluster",
        "",
        "both",
        "",
    ]
    for cells in numbers.rows:
        for place in (2, 4, 5):
            assert "–" in cells[place].partition("\n")[2]


def test_the_best_is_named_with_what_it_costs_and_the_others_with_what_they_lack() -> None:
    text, others = better(PAIRS)
    assert "HA and a Domino cluster, both" in text
    assert f"{row_of(Design.BOTH).replica_gib:,.0f}{THIN}GiB of replicas" in text
    alone, cluster = others
    assert alone.startswith("HA alone: minutes without a server when a host dies; minutes")
    assert cluster == "A Domino cluster alone: seconds without a server when a host dies."


def test_the_best_says_where_it_has_less_left_than_another() -> None:
    loaded = told(a_cluster_of(3, vms=4, users=3000.0))
    text, _ = better(loaded)
    assert "HA and a Domino cluster, both" in text
    by_design = {row.design: row for row in loaded.designs}
    found = {design: by_design[design].deciding.deciding for design in Design}
    best, alone = found[Design.BOTH], found[Design.HA]
    assert best is not None
    assert alone is not None
    assert best.load > alone.load
    assert "It has less left: " in text
    assert "With HA alone: " in text


def test_users_without_a_server_are_the_first_reason() -> None:
    left = changed(PAIRS, Design.BOTH, without_server=1200.0)
    text, others = better(left)
    assert "a Domino cluster alone" in text
    host = left.scenario.host(row_of(Design.BOTH).worst_host).name
    assert others[-1].startswith(
        f"HA and a Domino cluster, both: with {host} gone 1,200 users without a server"
    )
    why = tables(left)[0].rows[-1][-1]
    assert why.startswith(f"{host} gone: 1,200 users without a server; ")


def test_a_worse_verdict_is_told_with_its_limit() -> None:
    over = replace(row_of(Design.BOTH).worst, verdict=Verdict.DOES_NOT_FIT)
    text, others = better(changed(PAIRS, Design.BOTH, worst=over))
    assert "a Domino cluster alone" in text
    assert "both: does not fit, " in others[-1]
    assert "limit " in others[-1]


def test_of_none_that_fits_it_says_so() -> None:
    subject = PAIRS
    for design in Design:
        over = replace(row_of(design).worst, verdict=Verdict.DOES_NOT_FIT)
        subject = changed(subject, design, worst=over)
    assert better(subject)[0].startswith("None of them fits as it is; the best of them")
