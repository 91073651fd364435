"""HA, a Domino cluster, or both: each says why, and what the others lack against the best."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from models.intake.assumed import Assumed, CpuUnit, Range, with_assumed
from models.predict.predicted import title_of
from models.predict.prediction import Verdict
from models.resilience.designs import Design, DesignRow, compare_designs
from models.scenario.scenario import Scenario, Workload
from models.scenario.wording import THIN
from models.scenario.workloads import WorkloadKind
from models.tell.blocks import Block, Bullets, Paragraph, Table, cell_text
from models.tell.designs import design_sections, pairing_text
from tests.models.worlds import CATALOG, KNOWLEDGE, a_cluster_of, a_vm


class Told(NamedTuple):
    """Designs of a scenario, as they are told."""

    scenario: Scenario
    rows: tuple[DesignRow, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        (section,) = design_sections(self.rows, self.scenario)
        return section.blocks

    @property
    def tables(self) -> list[Table]:
        return [block for block in self.blocks if isinstance(block, Table)]


def told(scenario: Scenario) -> Told:
    return Told(scenario, compare_designs(scenario, KNOWLEDGE))


def better(subject: Told) -> tuple[str, tuple[str, ...]]:
    first = next(block for block in subject.blocks if isinstance(block, Paragraph))
    return first.text, next(each for each in subject.blocks if isinstance(each, Bullets)).items


def changed(subject: Told, design: Design, **fields: object) -> Told:
    rows = tuple(
        replace(row, **fields) if row.design is design else row  # type: ignore[arg-type]
        for row in subject.rows
    )
    return subject._replace(rows=rows)


PAIRS = told(a_cluster_of(3, vms=4))


def row_of(design: Design) -> DesignRow:
    return next(row for row in PAIRS.rows if row.design is design)


def test_each_design_says_which_limit_it_is_nearest_to() -> None:
    compared = PAIRS.tables[0]
    for cells, row in zip(compared.rows, PAIRS.rows, strict=True):
        deciding = row.deciding.deciding
        assert deciding is not None
        decides = cell_text(cells[-1])
        assert title_of(deciding.resource) in decides
        assert "limit " in decides


def test_the_numbers_of_normal_operation_and_of_the_loss_carry_their_ranges() -> None:
    numbers = PAIRS.tables[1]
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
            assert "–" in cell_text(cells[place]).partition("\n")[2]


def test_the_best_is_named_with_what_it_costs_and_the_others_with_what_they_lack() -> None:
    text, others = better(PAIRS)
    assert "HA and a Domino cluster, both" in text
    assert f"{row_of(Design.BOTH).replica_gib:,.0f}{THIN}GiB of replicas" in text
    alone, cluster = others
    assert alone.startswith("HA alone: minutes without a server when a host dies; minutes")
    assert cluster == "A Domino cluster alone: seconds without a server when a host dies."


def test_the_best_says_where_it_has_less_left_than_another() -> None:
    loaded = told(a_cluster_of(3, vms=4, users=3000.0, ram_gib=16.0))
    text, _ = better(loaded)
    assert "HA and a Domino cluster, both" in text
    by_design = {row.design: row for row in loaded.rows}
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
    why = cell_text(left.tables[0].rows[-1][-1])
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


def test_what_only_may_pass_its_limit_says_how_far_it_reaches() -> None:
    compared = told(a_cluster_of(2, vms=2, users=1800.0, vcpus=1)).tables[0]
    texts = [cell_text(cells[-1]).replace(THIN, " ") for cells in compared.rows]
    assert texts[0].endswith(", limit 70 %")
    assert "about 52 %, may reach 71 %, limit 70 %" in texts[1]


def test_a_row_stands_for_the_host_whose_loss_is_worst() -> None:
    assert PAIRS.tables[0].subjects == tuple(row.worst_host for row in PAIRS.rows)


def test_partners_made_up_and_servers_without_one_are_named() -> None:
    pair = a_cluster_of(2, vms=2)
    first, second = (vm.name for vm in pair.vms)
    assert f"assumed: {first} + {second}" in pairing_text(told(pair).rows, pair)
    alone = replace(pair, vms=pair.vms[:1])
    said = pairing_text(told(alone).rows, alone)
    assert f"no partner on another host for {first}" in said


def test_what_fits_on_assumptions_alone_says_so() -> None:
    pairs = a_cluster_of(3, vms=4)
    host, pool = pairs.hosts[0].id, pairs.pools[0].id
    bare = replace(
        a_vm(),
        id="g1",
        name="g1",
        host=host,
        pool=pool,
        workload=Workload(kind=WorkloadKind.GENERIC, disk_gib=10.0),
    )
    rule = Assumed(cpu=Range(5.0, 10.0), cpu_unit=CpuUnit.MHZ, io=Range(1.0, 2.0))
    beside = replace(pairs, vms=(*pairs.vms, bare))
    rows = told(with_assumed(beside, [rule], CATALOG.servers)).rows
    fitting = [row.normal for row in rows if row.normal.verdict is Verdict.FITS]
    assert fitting
    assert all(each.shown.is_assumed for each in fitting)
    assert not any(row.normal.shown.is_assumed for row in PAIRS.rows)
