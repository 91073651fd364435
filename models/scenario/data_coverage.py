"""How much of a scenario's load is known of this very customer: measured, imported or said by them.

Another statement than the model's error: a perfect model of a guessed load is a guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from models.base.texts import say
from models.scenario.inputs import Input, Subject, inputs, workload_applies
from models.scenario.origin import Origin
from models.scenario.scenario import Pool, Scenario, Vm
from models.scenario.wording import ENGLISH, Style, number
from models.scenario.workloads import WorkloadKind

DATA_FIELDS: Mapping[type, frozenset[str]] = {
    Scenario: frozenset(
        {
            "policy.benchmark_derating",
            "policy.peak_factor_cpu",
            "policy.peak_factor_iops",
            "policy.mail_growth_pct",
        }
    ),
    Pool: frozenset({"read_share"}),
    Vm: frozenset(
        {
            "workload.release",
            "workload.active_users",
            "workload.mail_file_mb",
            "workload.registered_users",
            "workload.cpu_mhz",
            "workload.iops",
            "workload.memory_gib",
            "workload.disk_gib",
            "workload.network_mbps",
        }
    ),
}
"""Inputs that describe what there is to be carried; the others are choices of the design."""


@dataclass(frozen=True, slots=True)
class DataCoverage:
    """How many inputs describe the load, and how many of them are known of this customer."""

    data: int
    known: int

    @property
    def share(self) -> float | None:
        """Known share of the load's inputs; None where there are none."""
        return self.known / self.data if self.data else None


def data_coverage(scenario: Scenario) -> DataCoverage:
    """Count the inputs that describe the load of a scenario.

    Coverage is known / data, every input counting once: a VM's users weigh as much as its release.
    It says what to ask next, not how wrong a prediction is. Only what somebody spoke about can be
    known, so that what is inferred need not be looked at.
    """
    data = known = 0
    for paths, item in _described(scenario):
        data += len(paths)
        known += sum(origin in _KNOWN and path in paths for path, origin in item.origins)
    return DataCoverage(data, known)


def _described(scenario: Scenario) -> Iterator[tuple[frozenset[str], Subject]]:
    yield DATA_FIELDS[Scenario], scenario
    for pool in scenario.pools:
        yield DATA_FIELDS[Pool], pool
    for vm in scenario.vms:
        yield _OF_WORKLOAD[vm.workload.kind], vm


_KNOWN = frozenset(origin for origin in Origin if origin.is_data)
_OF_WORKLOAD = {
    kind: frozenset(path for path in DATA_FIELDS[Vm] if workload_applies(kind, path))
    for kind in WorkloadKind
}


def origin_counts(scenario: Scenario) -> tuple[tuple[Origin, int], ...]:
    """All inputs that mean something, counted by who gave them, in the order of the origins."""
    counts = Counter(each.origin for each in inputs(scenario))
    return tuple((origin, counts[origin]) for origin in Origin if counts[origin])


def is_data(each: Input) -> bool:
    """Whether an input describes the load."""
    return each.path in DATA_FIELDS.get(each.kind, ())


def coverage_text(coverage: DataCoverage, *, style: Style = ENGLISH) -> str:
    """The coverage in one sentence.

    >>> coverage_text(DataCoverage(20, 12))
    '12 of 20 inputs about the load are measured, imported or said by the customer (60\\u202f%).'
    """
    share = coverage.share
    if share is None:
        return say("No input describes a load yet.")
    return say(
        "{known} of {data} inputs about the load are measured, imported or said by the "
        "customer ({share}\u202f%).",
        known=number(coverage.known, style=style),
        data=number(coverage.data, style=style),
        share=number(100 * share, style=style),
    )
