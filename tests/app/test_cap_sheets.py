"""Cap sheets: a page a server, bands of each step, files that `score` reads."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from pypdf import PdfReader

from db.codec import scenario_to_json
from tests.app.terminal import call, refused
from tests.models.prices.designs import a_design
from tests.models.worlds import CATALOG


def test_each_server_has_a_page_and_each_step_is_ready_for_score(tmp_path: Path) -> None:
    file, out = tmp_path / "design.json", tmp_path / "caps.zip"
    file.write_bytes(scenario_to_json(a_design(2), CATALOG))
    given = ("report", file, "-o", tmp_path / "r.docx")
    assert "must end in .zip" in refused(*given, "--cap-sheets", tmp_path / "caps.pdf")
    assert call(*given, "--cap-sheets", out).status == 0
    with zipfile.ZipFile(out) as archive:
        archive.extractall(tmp_path)
        pages = [name for name in archive.namelist() if name.endswith(".pdf")]
        first = PdfReader(io.BytesIO(archive.read(pages[0])))
    assert len(pages) == 2
    assert len(first.pages) == 1
    words = first.pages[0].extract_text()
    assert "1,000 active users, 3,000 registered" in words
    assert "Without" in words
    measured = tmp_path / "ramp-050" / "measured.json"
    design = tmp_path / "ramp-050" / "design.json"
    half = call("evaluate", design, "--json").json["vms"][0]
    told = json.loads(measured.read_text(encoding="utf-8"))
    assert told["servers"][0] == {
        "id": half["id"],
        "cpu_pct": None,
        "iops": None,
        "response_ms": None,
    }
    told["servers"][0]["cpu_pct"] = half["cpu_pct"]["value"]
    measured.write_text(json.dumps(told), encoding="utf-8")
    (scored,) = call("score", design, "--measured", measured, "--json").json["servers"]
    assert scored["inside"] is True
    assert abs(scored["error_pct"]) < 0.01
