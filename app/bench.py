"""``bench``: how long the core, the files and the first window take; medians."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from itertools import count, repeat
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any, TextIO

import numpy as np

from app import __version__
from app.bench_queueing import queueing_figures, rounded
from app.bench_studies import prediction_ms, study_figures
from app.calibrated import shipped_knowledge
from app.display import has_display
from app.synthetic import OVERLOAD, synthetic_scenario
from db.codec import scenario_from_json
from db.project import load_project, save_project
from models.base.quantities import Series
from models.evaluate import evaluate
from models.failure.mode import ModeKind
from models.predict.demands import forget_demands
from models.predict.prediction import HostPrediction, PoolPrediction, Prediction, VmPrediction
from models.project.project import Project
from models.resilience.study import study_failures
from models.scenario.scenario import Scenario
from models.whatif import what_if
from resources.example_files import load_examples

SIZES = ((20, 200), (100, 1_000), (500, 10_000))
STORED = (1_000, 10_000)
VMS_PER_HOST = 10
WINDOW_RUNS = 5
LOOP_ROUNDS = 20_000
SHORTEST_S = 0.5
LONGEST_S = 5.0
VARIANT_VMS, VARIANT_SEED = 16_000, 1
"""VMs in all variants of a batch together."""


def run(as_json: bool, out: TextIO) -> int:
    """Measure everything and write one JSON object or a table."""
    found = figures()
    out.write(json.dumps(found) + "\n" if as_json else _table(found))
    return 0


def figures() -> dict[str, Any]:
    """All figures of the benchmark, by the names that scripts rely on."""
    return {
        "python": platform.python_version(),
        "loop_ms": rounded(median_ms(_loop)),
        "evaluate_ms": _by_size(_evaluate_ms),
        "evaluate_afresh_ms": _by_size(partial(_evaluate_ms, afresh=True)),
        "evaluate_first_ms": _by_size(_first_ms),
        "evaluate_edit_ms": _by_size(partial(_edit_ms, edits=_moves)),
        "evaluate_users_ms": _by_size(partial(_edit_ms, edits=_users)),
        "evaluate_policy_ms": _by_size(partial(_edit_ms, edits=_limits)),
        "evaluate_overloaded_ms": _by_size(partial(_evaluate_ms, load=OVERLOAD)),
        "batch_evaluations_per_s": rounded(_what_ifs_per_s(synthetic_scenario(*SIZES[0]))),
        "batch_times_a_loop": rounded(_batch_times_a_loop(synthetic_scenario(*SIZES[0]))),
        "what_ifs_per_s": rounded(_what_ifs_per_s(_example())),
        "studies": _studies(synthetic_scenario(*SIZES[0])),
        "single_failures_ms": _failures_ms(SIZES[1], ModeKind.HOST),
        "failing_pairs_ms": _failures_ms(SIZES[0], ModeKind.TWO_HOSTS),
        **queueing_figures(),
        "save_ms": {str(vms): rounded(_save_ms(vms)) for vms in STORED},
        "load_ms": {str(vms): rounded(_load_ms(vms)) for vms in STORED},
        "first_window_ms": _window_ms("first"),
        "full_window_ms": _window_ms("full"),
        "bare_window_ms": _window_ms("bare"),
        **_gesture_figures(),
    }


def _by_size(measure: Callable[[int, int], float]) -> dict[str, float]:
    """A figure of each size of estate, by hosts and VMs."""
    return {f"{hosts}x{vms}": rounded(measure(hosts, vms)) for hosts, vms in SIZES}


def _loop() -> int:
    """The yardstick: a fixed piece of plain Python, which tells a slow machine, or a Python built
    without optimisations, from slow code."""
    return sum([number * number for number in range(LOOP_ROUNDS)])


def median_ms(action: Callable[[], object]) -> float:
    """Median duration of calls, at least three and about as many as fit in half a second."""
    action()
    return _median_ms(repeat(action))


def _median_ms(actions: Iterable[Callable[[], object]]) -> float:
    durations: list[float] = []
    begin = time.perf_counter()
    for action in actions:
        start = time.perf_counter()
        action()
        durations.append(time.perf_counter() - start)
        taken = time.perf_counter() - begin
        if taken > LONGEST_S or (taken > SHORTEST_S and len(durations) >= 3):
            break
    return median(durations) * 1000.0


def _evaluate_ms(hosts: int, vms: int, *, load: float = 1.0, afresh: bool = False) -> float:
    """A prediction of which every number and sentence is read.

    As the program makes it: what VMs, hosts and pools say of themselves and what VMs ask for is
    known from the time before, as it is after an edit of the policy, of rules or of names.

    Args:
        afresh: what VMs ask for is forgotten each time, as after other figures of many VMs; what
            they say of themselves is still read once in their life (`_first_ms` has it read).
    """
    scenario = synthetic_scenario(hosts, vms, load=load)
    knowledge = shipped_knowledge()

    def once() -> None:
        if afresh:
            forget_demands()
        _read(evaluate(scenario, knowledge))

    return median_ms(once)


def _first_ms(hosts: int, vms: int) -> float:
    """The same of scenarios of which nothing was read before, as if from a file each."""
    knowledge = shipped_knowledge()
    anew = (synthetic_scenario(hosts, vms) for _ in repeat(None))
    return _median_ms(
        partial(lambda each: _read(evaluate(each, knowledge)), scenario) for scenario in anew
    )


Edits = Callable[[Scenario], Iterator[Scenario]]
"""Scenarios that follow one another, each an edit of the one before."""


def _edit_ms(hosts: int, vms: int, edits: Edits) -> float:
    """The same after an edit, another one each time, after what was before."""
    scenario = synthetic_scenario(hosts, vms)
    knowledge = shipped_knowledge()
    evaluate(scenario, knowledge)
    return _median_ms(
        partial(lambda each: _read(evaluate(each, knowledge)), after) for after in edits(scenario)
    )


def _moves(scenario: Scenario) -> Iterator[Scenario]:
    """A VM on another host in each."""
    hosts = [host.id for host in scenario.hosts]
    for turn in count():
        vm = scenario.vms[turn * STRIDE % len(scenario.vms)]
        others = [host for host in hosts if host != vm.host]
        scenario = scenario.place([vm.id], others[turn % len(others)])
        yield scenario


def _users(scenario: Scenario) -> Iterator[Scenario]:
    """One VM with more users in each."""
    for turn in count():
        vm = scenario.vms[turn * STRIDE % len(scenario.vms)]
        more = replace(vm.workload, active_users=vm.workload.active_users + 1.0)
        scenario = scenario.with_item(replace(vm, workload=more))
        yield scenario


def _limits(scenario: Scenario) -> Iterator[Scenario]:
    """Another limit of CPU in each."""
    for turn in count():
        limit = 60.0 + turn % 20
        yield replace(scenario, policy=replace(scenario.policy, cpu_limit_pct=limit))


STRIDE = 37
"""VMs from one that is edited to the next."""


def _read(prediction: Prediction) -> tuple[int, int]:
    """Looks at every column and every sentence."""
    letters = len(prediction.sentence) + sum(
        [len(found.text) + len(found.fix) + len(found.source) for found in prediction.findings]
    )
    tables = prediction.vms, prediction.hosts, prediction.pools
    columns = [column for table in tables for column in _COLUMNS[type(table)](table)]
    return sum([len(column) for column in columns if column is not None]), letters


def _columns(kind: type[Any]) -> attrgetter[tuple[Any, ...]]:
    """All columns of a table, and all parts of those with an interval."""
    parts = [part.name for part in fields(Series)]
    return attrgetter(
        *(
            name
            for field in fields(kind)
            for name in (
                [f"{field.name}.{part}" for part in parts]
                if field.type == "Series"
                else [field.name]
            )
        )
    )


_COLUMNS = {kind: _columns(kind) for kind in (VmPrediction, HostPrediction, PoolPrediction)}


def _failures_ms(size: tuple[int, int], kind: ModeKind) -> dict[str, float]:
    """All failures of this kind, each of them read."""
    scenario, knowledge = (
        synthetic_scenario(*size),
        shipped_knowledge(),
    )

    def study() -> None:
        tuple(study_failures(scenario, knowledge, which=(kind,)))

    return {f"{size[0]}x{size[1]}": rounded(median_ms(study))}


def _example() -> Scenario:
    """The WV21 migration, the first of the worked examples."""
    file = load_examples()[0].files[0]
    return scenario_from_json(file.text.encode(), name=file.name)


def _what_ifs_per_s(scenario: Scenario) -> float:
    """Full predictions per second with other users, other RAM, and every tenth host down."""
    rng = np.random.default_rng(VARIANT_SEED)
    count = max(VARIANT_VMS // len(scenario.vms), 1)
    active = [vm.workload.active_users for vm in scenario.vms]
    ram = [vm.ram_gib for vm in scenario.vms]
    users = rng.uniform(0.2, 1.5, (count, len(active))) * active
    ram_gib = rng.uniform(0.5, 1.5, (count, len(ram))) * ram
    down = rng.random((count, len(scenario.hosts))) < 0.1
    at = (scenario, shipped_knowledge())
    duration_ms = median_ms(partial(what_if, *at, users=users, ram_gib=ram_gib, hosts_down=down))
    return 1000.0 * count / duration_ms


def _batch_times_a_loop(scenario: Scenario) -> float:
    """How many times faster a batch is than a loop over `evaluate`."""
    return _what_ifs_per_s(scenario) * prediction_ms(scenario, median_ms) / 1000.0


def _studies(scenario: Scenario) -> dict[str, dict[str, float]]:
    found = study_figures(scenario, median_ms)
    return {
        name: {key: rounded(value) for key, value in each.items()} for name, each in found.items()
    }


def _stored(vms: int) -> Scenario:
    return synthetic_scenario(vms // VMS_PER_HOST, vms)


def _save_ms(vms: int) -> float:
    """Saving to a file that isn't there yet: one that holds the same would be left alone."""
    project = Project.of(_stored(vms))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.headroom"

        def save() -> None:
            path.unlink(missing_ok=True)
            save_project(path, project, program_version=__version__)

        return median_ms(save)


def _load_ms(vms: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.headroom"
        save_project(path, Project.of(_stored(vms)), program_version=__version__)
        return median_ms(partial(load_project, path))


def _window_ms(kind: str) -> float:
    """From the start of a process to the first painted window of this kind."""
    return rounded(median(_window_once(kind) for _ in range(WINDOW_RUNS)))


def _gesture_figures() -> dict[str, Any]:
    """What `app.bench_window` measures, in a process of its own."""
    line, _ = _window_child("gestures")
    found: dict[str, Any] = json.loads(line)
    return found


def _window_once(kind: str) -> float:
    line, duration_ms = _window_child(kind)
    if line.strip() != "painted":
        raise RuntimeError(f"the {kind} window was not painted: {line.strip()}")
    return duration_ms


def _window_child(kind: str) -> tuple[str, float]:
    """What a window of this kind says, and how long that takes from the start of its process."""
    environ = dict(os.environ)
    if not has_display():
        environ["QT_QPA_PLATFORM"] = "offscreen"
    start = time.perf_counter()
    with subprocess.Popen(
        [*_program(), "--paint-once", kind],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        duration_ms = (time.perf_counter() - start) * 1000.0
        _, said = child.communicate()
    if child.returncode:
        raise RuntimeError(f"the {kind} window was not painted: {said.strip()}")
    return line, duration_ms


def _program() -> list[str]:
    """How this program is started again: the bundle is its own interpreter."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app"]


def _table(found: Mapping[str, Any]) -> str:
    lines: list[tuple[str, str]] = []
    for name, value in found.items():
        lines += _lines(name, value)
    width = max(len(name) for name, _ in lines)
    return "".join(f"{name:{width}}  {value}\n" for name, value in lines)


def _lines(name: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [line for key, each in value.items() for line in _lines(f"{name} {key}", each)]
    if isinstance(value, list):
        return [line for i, each in enumerate(value) for line in _lines(f"{name} {i + 1}", each)]
    return [(name, f"{value:,}" if isinstance(value, float | int) else str(value))]
