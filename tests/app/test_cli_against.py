"""validate --against: one's own servers, from a table to the table of errors."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import xlsxwriter

from app.cli import DONE, REFUSED, main
from tests.app.terminal import NoWindows

PHYSICAL = {
    "name": "Mail-01",
    "release": "7.0.2",
    "active_users": 2000,
    "mail_file_mb": 87.5,
    "server": "intel-clovertown-whitebox",
    "ram_gib": 16,
    "array": "ibm-ds4800",
    "disk": "fc-15k-36gb",
    "spindles": 35,
    "raid": "5",
    "measured_cpu_pct": 20,
    "measured_response_ms": 40,
}
VIRTUAL = {
    "name": "Mail-02",
    "kind": "domino-nrpc",
    "active_users": 300,
    "registered_users": 900,
    "host": "esx-1",
    "server": "r740-6148",
    "hypervisor": "7.0",
    "host_ram_gib": 384,
    "vcpus": 4,
    "ram_gib": 16,
    "measured_cpu_pct": 12.5,
    "measured_iops": 90,
    "measured_transactions_per_min": 2000,
}


def run(*argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = main(["validate", *argv], out, err, NoWindows())
    return status, out.getvalue(), err.getvalue()


def of_json(tmp_path: Path, *servers: dict[str, Any]) -> Path:
    path = tmp_path / "servers.json"
    path.write_text(json.dumps({"format": "headroom-servers", "servers": servers}))
    return path


def of_csv(tmp_path: Path, *servers: dict[str, Any], mark: str = ",") -> Path:
    path = tmp_path / "servers.csv"
    heads = list(dict.fromkeys(key for each in servers for key in each))
    with path.open("w", newline="") as file:
        lines = csv.DictWriter(file, heads, delimiter=mark)
        lines.writeheader()
        lines.writerows(servers)
    return path


def of_xlsx(tmp_path: Path, *servers: dict[str, Any]) -> Path:
    path = tmp_path / "servers.xlsx"
    heads = list(dict.fromkeys(key for each in servers for key in each))
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet("Notes").write_row(0, 0, ["just", "words"])
        sheet = book.add_worksheet("Servers")
        for row, cells in enumerate([heads, *([each.get(h) for h in heads] for each in servers)]):
            sheet.write_row(row, 0, cells)
    return path


def told(path: Path, *more: str) -> Any:
    status, out, err = run("--against", str(path), *more, "--json")
    assert (status, err) == (DONE, "")
    return json.loads(out)


@pytest.mark.parametrize("write", [of_json, of_csv, of_xlsx])
def test_every_form_says_the_same(tmp_path: Path, write: Any) -> None:
    found = told(write(tmp_path, PHYSICAL, VIRTUAL))
    figures = {each["evidence"]: each["measured"] for each in found["points"]}
    assert figures == {
        "Mail-01/cpu_pct": 20,
        "Mail-01/response_ms": 40,
        "Mail-02/cpu_pct": 12.5,
        "Mail-02/iops": 90,
        "Mail-02/transactions_per_min": 2000,
    }
    assert found == told(of_json(tmp_path, PHYSICAL, VIRTUAL)) | {"not_read": found["not_read"]}


def test_errors_can_be_added_up_again(tmp_path: Path) -> None:
    found = told(of_json(tmp_path, PHYSICAL, VIRTUAL))
    (row,) = (each for each in found["accuracy"] if each["quantity"] == "cpu_pct")
    cpu = [each for each in found["points"] if each["quantity"] == "cpu_pct"]
    errors = [100 * abs(each["predicted"] / each["measured"] - 1) for each in cpu]
    assert row["n"] == len(errors) == 2
    assert row["median_ape_pct"] == pytest.approx(median(errors), rel=1e-4)
    inside = [each["low"] <= each["measured"] <= each["high"] for each in cpu]
    assert [each["inside"] for each in cpu] == inside
    assert row["coverage_pct"] == pytest.approx(100 * sum(inside) / 2)


def test_a_benchmark_is_predicted_as_one(tmp_path: Path) -> None:
    """4,000 users of WV21 took 17 % of four cores, with 7.25 GB and no hypervisor."""
    benchmark = PHYSICAL | {"active_users": 4000, "vcpus": 4, "ram_gib": 7.25}
    path = of_json(tmp_path, benchmark | {"measured_cpu_pct": 17})
    by_basis = {
        basis: told(path, "--basis", basis)["points"][0] for basis in ("production", "benchmark")
    }
    found = by_basis["benchmark"]
    assert found["predicted"] == pytest.approx(17, rel=0.1)
    assert found["inside"]
    assert by_basis["production"]["predicted"] > 1.1 * found["predicted"]


def test_what_was_measured_changes_no_prediction(tmp_path: Path) -> None:
    other = VIRTUAL | {"measured_cpu_pct": 50, "measured_iops": 900}
    one, two = (told(of_json(tmp_path, each)) for each in (VIRTUAL, other))
    predicted = [[each["predicted"] for each in found["points"]] for found in (one, two)]
    assert predicted[0] == predicted[1]


def test_what_cant_be_predicted_is_named(tmp_path: Path) -> None:
    unknown = VIRTUAL | {"name": "Old", "host": "esx-9", "server": "Somebody’s box"}
    bare = VIRTUAL | {"name": "Bare", "host": "esx-1", "ram_gib": None}
    idle = VIRTUAL | {"name": "Idle", "measured_iops": 0}
    found = told(of_json(tmp_path, VIRTUAL, unknown, bare, idle))
    left = {(each["server"], each["quantity"]): each["why"] for each in found["not_predicted"]}
    assert "not in the catalog" in left["Old", "cpu_pct"]
    assert left["Bare", "iops"] == "not given: ram_gib"
    assert "error against 0" in left["Idle", "iops"]
    assert not any(each["evidence"].startswith(("Old", "Bare")) for each in found["points"])
    status, text, _ = run("--against", str(of_json(tmp_path, VIRTUAL, unknown)))
    assert status == DONE
    assert "3 measured figures are in no error above." in text


def test_nothing_predicted_is_no_failure(tmp_path: Path) -> None:
    path = of_json(tmp_path, VIRTUAL | {"server": "Somebody’s box"})
    found = told(path)
    assert (found["accuracy"], found["points"], len(found["not_predicted"])) == ([], [], 3)
    assert "Nothing that was measured could be predicted." in run("--against", str(path))[1]


def test_servers_of_one_machine_share_it(tmp_path: Path) -> None:
    """A machine that somebody else loads answers more slowly, or its CPU is asked for twice."""
    disks = {key: PHYSICAL[key] for key in ("array", "disk", "spindles", "raid")}
    here = VIRTUAL | disks | {"measured_response_ms": 100, "pool": "SAN"}
    other = here | {"name": "Other", "active_users": 4000}
    alone, shared = (told(of_json(tmp_path, *each)) for each in ([here], [here, other]))
    times = [
        next(each["predicted"] for each in found["points"] if each["quantity"] == "response_ms")
        for found in (alone, shared)
    ]
    assert math.isfinite(times[0])
    assert times[1] > times[0]


def test_a_machine_by_its_processor(tmp_path: Path) -> None:
    by_processor = VIRTUAL | {
        "server": "DL-something",
        "processor": "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz",
        "sockets": 2,
    }
    one, two = (told(of_json(tmp_path, each)) for each in (VIRTUAL, by_processor))
    cpu = [found["points"][0]["predicted"] for found in (one, two)]
    assert cpu[1] == pytest.approx(cpu[0], rel=0.1)


def test_decimals_as_the_table_writes_them(tmp_path: Path) -> None:
    server = VIRTUAL | {"measured_cpu_pct": "12,5", "comment": "of March"}
    found = told(of_csv(tmp_path, server, mark=";"))
    assert found["points"][0]["measured"] == 12.5
    assert found["not_read"] == ["comment"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"active_users": "many"}, "row 2, active_users: must be a number from 0 on"),
        ({"kind": "exchange"}, "row 2, kind: is not known"),
        ({"hypervisor": "Hyper-V"}, "row 2, hypervisor: names no release of ESX"),
        ({"vcpus": 2.5}, "row 2, vcpus: must be a whole number from 1 on"),
        ({"measured_cpu_pct": 140}, "row 2, measured_cpu_pct: must be"),
        ({"ram_gib": 0}, "row 2, ram_gib: must be"),
        ({"array": "box", "disk": "fc-15k-36gb", "spindles": 8, "raid": "5"}, "row 2, array: is n"),
        ({"name": ""}, "row 2, name: is missing"),
    ],
)
def test_a_cell_that_cant_be(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    path = of_csv(tmp_path, VIRTUAL | change)
    status, out, err = run("--against", str(path))
    assert (status, out) == (REFUSED, "")
    assert err.startswith(f"{path}: {sentence}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is no valid JSON"),
        ('{"servers": []}', "holds no server"),
        ('{"servers": [{"name": "a", "users": 3}]}', "servers[0].users: is not known"),
        ('{"servers": [{"name": "a"}]}', "holds no measured CPU"),
        ('{"servers": [{"name": "a", "name": "b"}]}', "servers[0].name: is given twice"),
        ("a,b\n1,2\n", "has no columns that are known"),
        ("name,cores\nm1,2\nm1,2\n", "row 3, name: is given twice"),
    ],
)
def test_a_file_that_is_none(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "servers.txt"
    path.write_text(text)
    status, out, err = run("--against", str(path))
    assert (status, out) == (REFUSED, "")
    assert sentence in err


def test_the_template_is_a_table_that_is_read(tmp_path: Path) -> None:
    path = tmp_path / "servers.csv"
    assert run("--template", str(path))[0] == DONE
    assert [each["evidence"] for each in told(path)["points"]] == [
        "Mail-01/cpu_pct",
        "Mail-01/iops",
    ]
    columns = json.loads(run("--schema")[1])["properties"]["servers"]["items"]["properties"]
    assert list(columns) == path.read_text("utf-8-sig").splitlines()[0].split(",")
    assert all(each["description"] for each in columns.values())
