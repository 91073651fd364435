"""What cards say, from numbers of the model: no other verdict than the model's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.session import View
from app.widgets.board.faces import FaceBook, HostFace, VmFace
from app.widgets.board.tips import said, tip
from app.widgets.meters import Meter
from models.predict.prediction import Shown, Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import ENGLISH
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import (
    CATALOG,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
    with_policy,
    workload,
)


def book_of(
    scenario: Scenario, before: FaceBook | None = None, *, is_compact: bool = False
) -> FaceBook:
    found = predict(scenario)
    view = View(scenario=scenario, prediction=found, committed=found, is_preview=False)
    return FaceBook(view, scenario, CATALOG, ENGLISH, before=before, is_compact=is_compact)


def cpu_of(book: FaceBook, id: str) -> Meter:
    face = book.face(id)
    assert isinstance(face, HostFace | VmFace)
    meter = face.meters[0] if isinstance(face, HostFace) else face.cpu
    assert meter is not None
    return meter


@pytest.mark.parametrize(
    ("peak", "verdict"), [(1.0, Verdict.FITS), (2.6, Verdict.AT_RISK), (4.0, Verdict.DOES_NOT_FIT)]
)
def test_vcpus_are_judged_at_peak(peak: float, verdict: Verdict) -> None:
    """25 % of them on average: a card that fits with a bar that does not was of two minds."""
    busy = a_vm(kind=WorkloadKind.GENERIC, users=0.0, cpu_mhz=0.25 * 2 * 2930.0, iops=5.0)
    scenario = with_policy(a_scenario(vms=(busy,)), peak_factor_cpu=peak)
    found = predict(scenario)
    meter = cpu_of(book_of(scenario), "m1")
    assert meter.verdict is Verdict(int(found.vms.verdict[0])) is verdict
    assert meter.peak == (None if peak == 1.0 else pytest.approx(0.25 * peak, abs=0.01))


def test_a_bar_follows_what_is_no_longer_known_to_have_worked() -> None:
    """Nothing else on the host's card changes: it does not fit its memory either way."""
    chat = a_vm(
        "s1", 40_000.0, kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1", ram_gib=4.0, vcpus=8
    )
    mux = a_vm("x1", 0.0, kind=WorkloadKind.SAMETIME_MUX, vcpus=1, ram_gib=2.0)
    scenario = a_scenario(hosts=(a_host(ram_gib=8.0),), vms=(a_vm(), chat, mux))
    first = book_of(scenario)
    assert cpu_of(first, "h1").verdict is Verdict.NOT_KNOWN
    many = replace(chat, workload=workload(60_000.0, kind=chat.workload.kind, release="7.5.1"))
    after = book_of(scenario.with_item(many), before=first)
    assert cpu_of(after, "h1").verdict is Verdict.AT_RISK


@pytest.mark.parametrize("is_low", [False, True])
def test_what_never_has_a_response_time_shows_its_cpu(is_low: bool) -> None:
    """Beside mail by browser, which lacks one."""
    other = a_vm(kind=WorkloadKind.GENERIC, users=0.0, cpu_mhz=500.0, iops=5.0)
    scenario = a_scenario(vms=(other, a_vm("m2", kind=WorkloadKind.DOMINO_INOTES)))
    book = book_of(scenario, is_compact=is_low)
    own, lacking = book.face("m1"), book.face("m2")
    assert isinstance(own, VmFace)
    assert isinstance(lacking, VmFace)
    assert own.response.startswith("CPU ") is is_low
    assert lacking.response == "no data"
    assert lacking.verdict == Shown.of(Verdict.NOT_KNOWN)


def test_a_part_of_a_sum_is_a_bar_of_no_verdicts_colour() -> None:
    dark = a_vm("m2", kind=WorkloadKind.GENERIC, users=0.0)
    meter = cpu_of(book_of(a_scenario(vms=(a_vm(), dark))), "h1")
    assert meter.text.startswith("\N{GREATER-THAN OR EQUAL TO} ")
    assert meter.verdict is Verdict.NOT_KNOWN


def test_a_host_in_maintenance_says_so_and_judges_nothing() -> None:
    before = a_cluster_of(2, vms=2)
    hosts = tuple(replace(host, in_maintenance=host.id == "h2") for host in before.hosts)
    scenario = replace(before, hosts=hosts)
    book, found = book_of(scenario), predict(scenario)
    view = View(scenario=scenario, prediction=found, committed=found, is_preview=False)
    away, there, vm = book.face("h2"), book.face("h1"), book.face("m2")
    assert isinstance(away, HostFace)
    assert isinstance(there, HostFace)
    assert isinstance(vm, VmFace)
    assert (away.is_away, there.is_away) == (True, False)
    assert away.detail.startswith("in maintenance")
    assert (away.verdict, vm.response) == (None, "")
    assert "Nothing runs here" in tip(view, "h2", away)
    assert "in maintenance" in said(scenario, "h2", away).description
