"""The leave-behind in a real browser: sliders answer as the program does, on a phone and a desk."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from app.calibrated import shipped_knowledge
from app.language import language_of
from app.report.build import Print, report
from db.codec import scenario_from_json
from models.base.texts import opening
from models.evaluate import evaluate
from models.predict.prediction import Verdict
from models.scenario.scenario import Growth
from models.scenario.wording import value_text
from resources.example_files import load_examples

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVE = """
<script>
const told = [];
const names = ["users", "mail", "lost", "years"];
const read = () => {
  const found = {verdict: document.getElementById("answer-verdict").textContent};
  for (const b of document.querySelectorAll(".answers b")) found[b.id] = b.textContent;
  for (const n of names) found[n] = document.getElementById("value-" + n).textContent;
  found.here = document.querySelectorAll("#surface td.here").length;
  told.push(found);
};
read();
for (const n of names) {
  const slider = document.getElementById("axis-" + n);
  const rest = slider.value;
  for (const at of [slider.min, slider.max]) {
    slider.value = at; slider.dispatchEvent(new Event("input")); read();
  }
  slider.value = rest; slider.dispatchEvent(new Event("input"));
}
read();
const wide = document.documentElement.scrollWidth - window.innerWidth;
const out = document.createElement("pre");
out.id = "driven"; out.textContent = JSON.stringify({told, wide});
document.body.append(out);
</script></body>"""


def driven(page: bytes, folder: Path, width: int) -> dict[str, Any]:
    """What the page says while its sliders are moved, and by how much it is too wide [px]."""
    assert BROWSER is not None
    file = folder / f"{width}.html"
    file.write_text(page.decode().replace("</body>", DRIVE), encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--window-size={width},900", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, check=True)
    found = re.search(r'<pre id="driven">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found is not None
    result: dict[str, Any] = json.loads(unescape(found[1]))
    return result


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no browser here")
@pytest.mark.parametrize(
    "name", ["building-block.json", "production-today.json", "wv21-migration.json"]
)
def test_sliders_answer_as_the_program_does(name: str, tmp_path: Path) -> None:
    files = {file.name: file for each in load_examples() for file in each.files}
    given = scenario_from_json(files[name].text.encode(), name=name)
    given = replace(given, growth=Growth(years=2.0, users_pct=20.0))
    knowledge = shipped_knowledge()
    prediction = evaluate(given, knowledge)
    how = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"))
    page = report([(given, prediction)], knowledge.catalog, ".html", how).content
    for width in (400, 1366):
        found = driven(page, tmp_path, width)
        assert found["wide"] <= 0
        rest, *moved, again = found["told"]
        assert rest == again
        assert (rest["users"], rest["lost"], rest["years"]) == ("100\u202f%", "0", "0")
        cpu = max(prediction.hosts.quantity(id, "cpu_pct").value or 0.0 for id in given_ids(given))
        worst = next(
            q
            for id in given_ids(given)
            if (q := prediction.hosts.quantity(id, "cpu_pct")).value == cpu
        )
        assert rest["answer-cpu_pct"] == value_text(worst, "%")
        assert rest["verdict"].endswith(opening(prediction.verdict.label))
        assert len({json.dumps(each) for each in moved}) >= 6
        assert all(each["here"] == 1 for each in found["told"])
        doubled = next(each for each in moved if each["users"] == "200\u202f%")
        words = [opening(verdict.label) for verdict in Verdict]
        codes = [
            next(i for i, w in enumerate(words) if each["verdict"].endswith(w))
            for each in (rest, doubled)
        ]
        assert codes[1] >= codes[0]


def given_ids(scenario: Any) -> list[str]:
    return [host.id for host in scenario.hosts]
