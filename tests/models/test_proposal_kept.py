"""A long table of the proposal keeps the rows that decide, and says that it isn’t whole."""

from __future__ import annotations

import re
from dataclasses import replace

from models.proposal.design import design
from models.proposal.results import MOST_ROWS, cut_note, kept, numbers
from models.scenario.scenario import Scenario, Vm
from models.tell.blocks import Section, Table
from models.tell.subject import Subject
from tests.models.worlds import CATALOG, a_cluster_of, predict

AND_MORE = re.compile(r" and (\d+) more$")


def subject(scenario: Scenario) -> Subject:
    return Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG)


def table_of(section: Section, title: str) -> Table:
    tables = [block for block in section.blocks if isinstance(block, Table)]
    return next(table for table in tables if table.columns[0].title == title)


def test_a_table_that_fits_is_whole_and_in_order() -> None:
    whole = subject(a_cluster_of(2, vms=MOST_ROWS))
    assert kept(whole, "vms") == tuple(vm.id for vm in whole.scenario.vms)
    assert cut_note(whole, "vms") == ""


def test_of_more_the_worst_stay_worst_first() -> None:
    scenario = a_cluster_of(2, vms=MOST_ROWS + 40)
    last, next_to_last = scenario.vms[-1].id, scenario.vms[-2].id
    busy = scenario.edit(Vm, last, lambda vm: replace(vm, vcpus=1)).edit(
        Vm,
        next_to_last,
        lambda vm: replace(
            vm, workload=replace(vm.workload, active_users=1.5 * vm.workload.active_users)
        ),
    )
    found = subject(busy)
    shown = kept(found, "vms")
    assert len(shown) == len(set(shown)) == MOST_ROWS
    assert {last, next_to_last} <= set(shown[:2])
    vms = found.prediction.vms
    verdicts = [vms.shown(vms.index(id)).verdict or 0 for id in shown]
    assert verdicts == sorted(verdicts, reverse=True)
    worst_left = max(vms.verdict[vms.index(id)] for id in set(vms.ids) - set(shown))
    assert worst_left <= min(verdicts)


def test_the_tables_of_the_proposal_are_cut_and_say_so() -> None:
    found = subject(a_cluster_of(MOST_ROWS + 1, vms=2 * MOST_ROWS))
    for title, there in (("Host", MOST_ROWS + 1), ("VM", 2 * MOST_ROWS)):
        for section in (design(found), numbers(found)):
            table = table_of(section, title)
            shown = [row[0] for row in table.rows]
            counts = [int(more[1]) if (more := AND_MORE.search(str(each))) else 0 for each in shown]
            named = sum(len(str(each).split(" and ")[0].split(", ")) for each in shown)
            assert named + sum(counts) == MOST_ROWS, "each is in one of the rows"
            assert table.note.startswith(f"The {MOST_ROWS} of {there} that are nearest to a limit")
