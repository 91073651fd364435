"""calibrate --site, score and ask, from files to files."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import DONE, REFUSED, main
from db.files import open_any
from resources.catalog_files import load_catalog
from tests.app.terminal import NoWindows

EXAMPLE = "resources/examples/production-today.json"


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    path = tmp_path / "measured.json"
    servers = [{"id": "m1", "cpu_pct": 30, "iops": 120}, {"id": "Mail-02", "response_ms": 90}]
    path.write_text(json.dumps({"format": "headroom-measured", "version": 1, "servers": servers}))
    return path


def run(*argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = main(list(argv), out, err, NoWindows())
    return status, out.getvalue(), err.getvalue()


def printed(*arguments: str) -> Any:
    status, out, err = run(*arguments, "--json")
    assert (status, err) == (DONE, "")
    return json.loads(out)


@pytest.mark.parametrize("ending", ["json", "headroom"])
def test_a_calibration_is_kept_and_used(tmp_path: Path, measured: Path, ending: str) -> None:
    output = str(tmp_path / f"out.{ending}")
    found = printed("calibrate", "--site", EXAMPLE, "--measured", str(measured), "-o", output)
    assert [each["quantity"] for each in found["quantities"]] == ["cpu_pct", "iops"]
    assert set(found["servers"][0]) >= {"id", "measured", "predicted", "residual_pct"}
    before, after = (printed("evaluate", name) for name in (EXAMPLE, output))
    assert after["vms"][0]["cpu_pct"]["value"] == pytest.approx(30.0, rel=1e-3)
    ratio = after["vms"][1]["cpu_pct"]["value"] / before["vms"][1]["cpu_pct"]["value"]
    assert ratio == pytest.approx(found["quantities"][0]["after"]["value"], rel=1e-3)


def test_a_score_is_kept(tmp_path: Path, measured: Path) -> None:
    output = str(tmp_path / "out.headroom")
    found = printed("score", EXAMPLE, "--measured", str(measured), "-o", output)
    assert [(each["id"], each["quantity"]) for each in found["servers"]] == [
        ("m1", "cpu_pct"),
        ("m1", "iops"),
        ("m2", "response_ms"),
    ]
    assert printed("score", output) == found
    kept = open_any(output, load_catalog()).scenario.vms[0].observed
    assert kept is not None
    assert kept.cpu_pct == 30.0


def test_a_vmstat_of_a_server_can_be_the_measurement(tmp_path: Path) -> None:
    rows = [f" 1 0 0 1 1 1 0 0 0 0 1 1 {busy} 5 50 0 0" for busy in (90, 20, 30)]
    head = " r b swpd free buff cache si so bi bo in cs us sy id wa st"
    path = tmp_path / "mail-01.txt"
    path.write_text("\n".join([head, *rows]))
    found = printed("score", EXAMPLE, "--measured", str(path), "--percentile", "100")
    assert [(each["id"], each["measured"]) for each in found["servers"]] == [("m1", 35.0)]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"servers": [{"id": "m1", "cpu_pct": -1}]}', "servers[0].cpu_pct"),
        ('{"servers": [{"cpu_pct": 1}]}', "servers[0].id"),
        ('{"servers": [{"id": "m1"}, {"id": "m1"}]}', "servers[1].id"),
        ('{"format": "other", "servers": []}', "format"),
        ('{"servers": [', "JSON"),
        ('{"servers": [{"id": "m1"}]}', "no measured"),
        ("[]", "servers"),
    ],
)
def test_bad_measurements_are_refused_with_their_field(
    tmp_path: Path, content: str, reason: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    status, _, err = run("score", EXAMPLE, "--measured", str(path))
    assert status == REFUSED
    assert err.count("\n") == 1
    assert reason in err


def test_what_is_asked_has_its_line_and_its_page(tmp_path: Path) -> None:
    text, page = tmp_path / "request.txt", tmp_path / "request.pdf"
    found = printed("ask", EXAMPLE, "-o", str(text))
    assert set(found[0]) >= {"input", "subject", "narrows_pct", "turns", "command"}
    assert all(each["command"] in text.read_text() for each in found)
    assert run("ask", EXAMPLE, "--language", "de", "-o", str(page))[0] == DONE
    assert page.read_bytes().startswith(b"%PDF")


def test_a_server_of_another_name_is_tied_by_hand(tmp_path: Path) -> None:
    """In calibrate and score alike; a name of nothing is refused."""
    path, output = tmp_path / "measured.json", str(tmp_path / "out.json")
    path.write_text(json.dumps({"servers": [{"id": "old-notes", "cpu_pct": 30, "iops": 120}]}))
    measured = ("--measured", str(path))
    calibrate = ("calibrate", "--site", EXAMPLE, *measured, "-o", output)
    assert run(*calibrate)[0] == REFUSED
    for same in ("m1=old-notes", "old-notes=Mail-01"):
        found = printed(*calibrate, "--same", same)
        assert found["matched"] == [{"name": "old-notes", "is": "Mail-01", "how": "hand"}]
        assert {each["id"] for each in found["servers"]} == {"m1"}
        scored = printed("score", EXAMPLE, *measured, "--same", same)
        assert {each["id"] for each in scored["servers"]} == {"m1"}
    for wrong in ("m1=new", "nobody=old-notes", "m1"):
        status, _, complaint = run("score", EXAMPLE, *measured, "--same", wrong)
        assert (status, "--same" in complaint) == (REFUSED, True)


def test_a_server_that_is_matched_wrongly_is_untied(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    servers = [{"id": f"{name}.acme.example", "iops": 9} for name in ("mail-01", "mail-02")]
    path.write_text(json.dumps({"servers": servers}))
    measured = ("score", EXAMPLE, "--measured", str(path))
    assert [each["how"] for each in printed(*measured)["matched"]] == ["short", "short"]
    found = printed(*measured, "--same", "=mail-01.acme.example")
    assert found["unknown"] == ["mail-01.acme.example"]
    assert {each["id"] for each in found["servers"]} == {"m2"}
