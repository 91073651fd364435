"""Everything that is promised to the byte, as files: `python -m tests.portable.promised FOLDER`.

A signed proposal in every form, and answers that are hashed, resumed or compared exactly. Made by
one processor, `test_promised.py` makes it again on another.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from app import __version__
from app.calibrated import shipped_calibration
from app.cli import main as command
from app.cli_file import chosen
from app.language import language_of
from app.report.build import FORMS, Print, report
from app.report.paper import Paper
from app.signed import kept, with_kept
from app.stated import stated_now
from app.synthetic import synthetic_scenario
from db.codec import scenario_from_json, scenario_to_json
from db.files import open_any, save_whole
from db.stated import fingerprints
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from resources.catalog_files import load_catalog
from tests.golden.renew import EXAMPLES

SIGNED = "signed.headroom"
NOW = datetime(2026, 3, 7, 9, 5, 31, tzinfo=UTC)
HOW = Print(now=NOW, language=language_of("en"), file=SIGNED, paper=Paper.A4)
MIGRATION = str(EXAMPLES / "wv21-migration.json")
PRODUCTION = str(EXAMPLES / "production-today.json")
ALIKE = "alike.json"
"""Many servers that are nearly alike, so that there are ties."""

REQUIREMENT = {
    "format": "headroom-requirement",
    "version": 1,
    "name": "Bank",
    "workloads": [
        {"kind": "domino-nrpc", "release": "12.0.2", "active_users": 2000, "mail_file_mb": 500}
    ],
    "servers": ["r760-6530"],
    "hypervisor": "vsphere-8.0",
    "growth": {"years": 3, "users_pct": 5, "mail_pct": 20},
}
SWEEP = {
    "format": "headroom-sweep",
    "version": 1,
    "scenario": ALIKE,
    "inputs": [
        {"path": "vms[*].workload.active_users", "values": [0.7, 1.0, 1.3], "factor": True},
        {"path": "policy.cpu_limit_pct", "from": 50, "to": 90, "steps": 4},
    ],
    "outputs": [
        "verdict",
        "hosts.cpu_pct",
        "vms.response_ms",
        "failure_pct",
        "users",
        "pools.iops",
    ],
}
MEASURED = {
    "format": "headroom-measured",
    "version": 1,
    "servers": [{"id": "m1", "cpu_pct": 30.1, "iops": 121.7}, {"id": "m2", "cpu_pct": 17.3}],
}


def made(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every promise by its name; in `folder` stands what the commands read and write."""
    yield from proposals()
    for name, content in (("bank", REQUIREMENT), ("sweep", SWEEP), ("measured", MEASURED)):
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    alike = folder / ALIKE
    alike.write_bytes(scenario_to_json(synthetic_scenario(4, 30)))
    sized = said("size", folder / "bank.json", "--keep", "3", "--json")
    yield "size.json", sized
    yield "hashes.json", hashes(sized)
    yield "chance.json", said("simulate", alike, "--samples", "500", "--json")
    yield "chance.txt", said("simulate", alike, "--samples", "500")
    yield "sensitivity.txt", said("sensitivity", alike)
    yield "place.json", said("place", alike, "--json")
    yield "grow.txt", said("grow", alike, "--years", "5", "--users-pct", "7")
    for name, arguments in (
        ("sweep.csv", ("sweep", folder / "sweep.json", "--workers", "1")),
        ("network.json", ("network", alike)),
        ("site.json", ("calibrate", "--site", PRODUCTION, "--measured", folder / "measured.json")),
    ):
        said(*arguments, "-o", folder / name)
        yield name, (folder / name).read_bytes()


def said(*arguments: object) -> bytes:
    """What a command prints.

    Raises:
        RuntimeError: it refuses.
    """
    out, err = io.StringIO(), io.StringIO()
    if command(list(map(str, arguments)), out, err, windows=None):  # type: ignore[arg-type]
        raise RuntimeError(err.getvalue())
    return out.getvalue().encode()


def proposals() -> Iterator[tuple[str, bytes]]:
    """The worked example's proposal in every form."""
    catalog = load_catalog()
    scenario = chosen(open_any(MIGRATION, catalog), None, MIGRATION).scenario
    pairs = [(scenario, evaluate(scenario, Knowledge(catalog, shipped_calibration())))]
    for ending in FORMS:
        yield f"proposal{ending}", report(pairs, catalog, ending, HOW).content


def hashes(sized: bytes) -> bytes:
    """Of the inputs of every example and of designs that were worked out here, and their stated
    numbers."""
    catalog = load_catalog()
    scenarios = [
        chosen(open_any(str(path), catalog), None, str(path)).scenario
        for path in sorted(EXAMPLES.glob("*.json"))
    ]
    scenarios += [
        scenario_from_json(json.dumps(each["scenario"]).encode(), name="option")
        for each in json.loads(sized)["options"]
    ]
    found = []
    for scenario in scenarios:
        prediction = evaluate(scenario, Knowledge(catalog, shipped_calibration()))
        stated = stated_now(scenario, prediction, "saved", NOW)
        found.append([scenario.name, *fingerprints(scenario), stated.verdict, stated.numbers])
    return json.dumps(found, indent=1).encode()


def write_signed(path: Path) -> None:
    """The project that keeps the proposal as it was exported."""
    project, catalog = open_any(MIGRATION, load_catalog()), load_catalog()
    entry = chosen(project, None, MIGRATION)
    prediction = evaluate(entry.scenario, Knowledge(catalog, shipped_calibration()))
    signed = kept([entry], [(entry.scenario, prediction)], catalog, HOW)
    save_whole(path, with_kept(project, signed), catalog, program_version=__version__)


def main(folder: Path) -> None:
    """Writes every promise into the folder."""
    (folder / "work").mkdir(parents=True)
    for name, content in made(folder / "work"):
        (folder / name).write_bytes(content)
    write_signed(folder / SIGNED)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
