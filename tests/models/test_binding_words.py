"""What decides is named: the item at its limit, never the host that is gone in its place."""

from __future__ import annotations

import random
from dataclasses import replace
from math import inf, nan

from models.base.quantities import Basis, Quantity
from models.judgement.binding import binding_text, bound_words, reason
from models.predict.prediction import Binding, Severity, Verdict
from models.scenario.scenario import Policy
from models.scenario.wording import GERMAN, THIN, value_text
from tests.models.failure.designs import a_design
from tests.models.worlds import a_cluster_of, found, predict, with_policy

NAMES = {"h1": "esx1", "p1": "Data"}


def named(id: str) -> str:
    return NAMES.get(id, id)


def bound(resource: str, mode: str = "normal", subject: str = "h1") -> Binding:
    return Binding(subject=subject, resource=resource, mode=mode, value=79.4, limit=100.0)


def test_normal_operation_names_the_item() -> None:
    assert binding_text(bound("ram_pct"), named) == f"RAM of esx1: 79 of 100{THIN}%"
    assert bound_words(bound("utilisation_pct", subject="p1"), named) == "disk utilisation of Data"


def test_of_a_failure_the_survivors_are_full_not_the_host_that_is_gone() -> None:
    text = binding_text(bound("ram_pct", "host h1"), named)
    assert text == f"RAM of the fullest survivor with esx1 lost: 79 of 100{THIN}%"
    assert bound_words(bound("cpu_pct", "host h1"), named).startswith("CPU of the busiest")
    slow = bound_words(bound("response_ms", "host h1"), named)
    assert slow == "response time of the slowest VM with esx1 lost"


def test_numbers_follow_the_locale_and_small_limits_their_decimals() -> None:
    small = Binding(subject="h1", resource="vcpus", mode="normal", value=3.25, limit=4.0)
    assert binding_text(small, named, GERMAN) == "vcpus of esx1: 3,2 of 4"


def test_a_value_over_its_limit_is_seen_to_be_and_has_no_digits_too_many() -> None:
    full = Binding(subject="h1", resource="ram_pct", mode="normal", value=100.19, limit=100.0)
    assert binding_text(full, named) == f"RAM of esx1: 100.2 of 100{THIN}%"
    slow = replace(full, resource="response_ms", value=360_294.0, limit=1000.0)
    assert binding_text(slow, named) == f"response time of esx1: 360,000 of 1,000{THIN}ms"


def test_a_thousand_and_more_over_the_limit_is_seen_to_be_too() -> None:
    slow = replace(bound("response_ms"), value=1004.0, limit=1000.0)
    assert binding_text(slow, named) == f"response time of esx1: 1,004 of 1,000{THIN}ms"


def test_a_limit_stands_as_it_was_given() -> None:
    slow = replace(bound("response_ms"), value=740.0, limit=999.5)
    assert binding_text(slow, named) == f"response time of esx1: 740 of 999.5{THIN}ms"
    busy = replace(bound("cpu_pct"), value=67.6, limit=67.5)
    assert binding_text(busy, named) == f"CPU of esx1: 68 of 67.5{THIN}%"


def test_where_the_interval_alone_passes_the_limit_its_end_is_said() -> None:
    disks = Binding(
        subject="p1", resource="utilisation_pct", mode="normal", value=45.0, limit=70.0, high=76.2
    )
    said = f"disk utilisation of Data: 45 of 70{THIN}%"
    assert binding_text(disks, named) == f"{said}, may reach 76{THIN}%"
    assert binding_text(replace(disks, high=69.0), named) == said
    assert binding_text(replace(disks, high=inf), named) == f"{said}, may reach any value"
    assert binding_text(replace(disks, high=nan), named) == said
    assert (
        binding_text(replace(disks, value=68.0), named)
        == f"disk utilisation of Data: 68 of 70{THIN}%"
    )


def test_a_number_that_decides_has_the_digits_of_its_row_and_of_its_finding() -> None:
    """Of 155.2, up to 183, no more is known than 160; what passes by little is seen to pass."""
    chance, failing, normal = random.Random(11), 0, 0
    for _ in range(150):
        base = a_design(chance, mixed=True)
        factor = chance.choice([1.0, 4.0])
        busy = tuple(
            replace(vm, workload=replace(vm.workload, active_users=work.active_users * factor))
            for vm in base.vms
            for work in [vm.workload]
        )
        prediction = predict(replace(base, vms=busy))
        binding = prediction.binding
        if binding is None or binding.stranded or binding.own:
            continue
        modes = {mode.id: mode for mode in prediction.failures}
        said = binding_text(binding, str).rpartition(": ")[2].split(" of ")[0]
        if binding.mode in modes:
            failing += 1
            there = getattr(modes[binding.mode], binding.resource)
            assert value_text(there, limit=binding.limit) == said
        else:
            assert binding.subject in prediction.hosts or binding.subject in prediction.vms
        rule = f"{binding.resource.partition('_')[0]}-over-limit"
        for finding in found(prediction, rule):
            if finding.subject == binding.subject and binding.mode == "normal":
                normal += 1
                assert f" {said} " in finding.text
        if not any(each.severity is Severity.ERROR for each in prediction.findings):
            assert f"{said}{THIN}" in prediction.sentence
    assert failing
    assert normal


def test_a_limit_has_its_own_digits_in_the_sentence_too() -> None:
    tight = with_policy(a_cluster_of(1, vms=1, users=11_000.0), cpu_limit_pct=67.5)
    assert f"limit 67.5{THIN}%" in predict(tight).sentence
    (finding, *_) = found(predict(tight), "cpu-over-limit")
    assert finding.text.endswith("the limit is 67.5 %.")


def test_what_is_not_known_gives_no_number_as_its_reason() -> None:
    over = Quantity(120.0, 60.0, 160.0, Basis.EXTRAPOLATED)
    part = Quantity(25.0, 25.0, 25.0, Basis.RULE, unknown=2)
    numbers = [("cpu_pct", over), ("ram_pct", part)]
    assert reason(Policy(), Verdict.NOT_KNOWN, numbers) == "RAM: 2 VMs unknown"
    assert reason(Policy(), Verdict.NOT_KNOWN, [("cpu_pct", over)]) == ""


def test_a_response_whose_range_says_nothing_has_no_value_in_words() -> None:
    """A number that no table shows isn’t said beside the verdict either."""
    vague = replace(bound("response_ms"), value=75.0, limit=1000.0, low=33.0, high=23_000.0)
    said = binding_text(vague, named)
    assert said.endswith(f": not known, 33{THIN}ms to 23{THIN}s; limit 1,000{THIN}ms")
    known = binding_text(replace(vague, high=1_200.0), named)
    assert known.endswith(f": 75 of 1,000{THIN}ms, may reach 1,200{THIN}ms")
