"""The leave-behind in a real browser: 200 questions, answered as the program does, or worse."""

from __future__ import annotations

import json
import math
import random
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
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Verdict
from models.scenario.growth import grown, with_more, with_users
from models.scenario.scenario import Growth, Scenario
from resources.example_files import load_examples
from tests.slow.leave_behind import numbers_of, table_of

BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("msedge")
DRIVE = """
<script>
const told = QUESTIONS.map(question => {
  for (const [id, value] of Object.entries(question)) {
    const asked = document.getElementById("number-" + id) || document.getElementById("axis-" + id);
    asked.value = value;
    asked.dispatchEvent(new Event("input"));
  }
  const found = {verdict: document.getElementById("answer-verdict").textContent};
  for (const b of document.querySelectorAll(".answers b")) found[b.id] = b.textContent;
  found.cells = document.querySelectorAll("#surface td").length;
  return found;
});
const wide = document.documentElement.scrollWidth - window.innerWidth;
const out = document.createElement("pre");
out.id = "driven"; out.textContent = JSON.stringify({told, wide});
document.body.append(out);
</script></body>"""


def driven(
    page: bytes, questions: list[dict[str, float]], folder: Path, width: int
) -> dict[str, Any]:
    """What the page says to questions, and by how much it is too wide [px]."""
    assert BROWSER is not None
    file = folder / f"{width}.html"
    drive = DRIVE.replace("QUESTIONS", json.dumps(questions))
    file.write_text(page.decode().replace("</body>", drive), encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--window-size={width},900", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, check=True)
    found = re.search(r'<pre id="driven">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found is not None
    result: dict[str, Any] = json.loads(unescape(found[1]))
    return result


def asked(given: Scenario, question: dict[str, float]) -> Scenario:
    """The scenario that a question is about, made without the page's table."""
    grows = replace(given, growth=replace(given.growth, users_pct=question["growth"]))
    there = with_users(grown(grows, question["years"]), question["users"] / 100.0)
    return with_more(there, question["mail"] / 100.0, "mail_file_mb")


def question(rng: random.Random) -> dict[str, float]:
    return {
        "users": rng.randint(50, 200),
        "mail": rng.randint(50, 300),
        "growth": rng.randint(-100, 400) / 10.0,
        "years": rng.randint(0, 5),
        "lost": 0,
    }


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no browser here")
@pytest.mark.parametrize(
    "name", ["building-block.json", "production-today.json", "wv21-migration.json"]
)
def test_200_questions_are_answered_within_the_printed_error(name: str, tmp_path: Path) -> None:
    files = {file.name: file for each in load_examples() for file in each.files}
    given = scenario_from_json(files[name].text.encode(), name=name)
    given = replace(given, growth=Growth(years=3.0, users_pct=8.0, mail_pct=5.0))
    knowledge = shipped_knowledge()
    how = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"))
    pairs = [(given, evaluate(given, knowledge))]
    page = report(pairs, knowledge.catalog, ".html", how).content
    rng = random.Random(45)
    questions = [question(rng) for _ in range(200)]
    found = driven(page, questions, tmp_path, 400)
    assert found["wide"] <= 0
    answered = 0
    for each, told in zip(questions, found["told"], strict=True):
        answered += _holds(asked(given, each), told, table_of(page), knowledge)
    assert answered > 100
    lost = [{**each, "lost": 1} for each in questions]
    words = [opening(verdict.label) for verdict in Verdict]
    for normal, less in zip(found["told"], driven(page, lost, tmp_path, 1366)["told"], strict=True):
        codes = [
            [w in each["verdict"] for w in words].index(True)
            for each in (normal, less)
            if "architect" not in each["verdict"]
        ]
        assert codes == sorted(codes)


def _holds(
    scenario: Scenario, told: dict[str, Any], table: dict[str, Any], knowledge: Knowledge
) -> bool:
    """Whether a question was answered; fails where it was answered better than by the program, or
    further off than printed."""
    if "architect" in told["verdict"]:
        return False
    prediction = evaluate(scenario, knowledge)
    words = [opening(verdict.label) for verdict in Verdict]
    code = next(i for i, word in enumerate(words) if told["verdict"].endswith(word))
    assert code >= int(prediction.verdict)
    for number, own in zip(table["numbers"], numbers_of(prediction), strict=True):
        text = told[f"answer-{number['id']}"]
        if text == "no data" or text.startswith("<") or math.isnan(own):
            continue
        shown = float(re.sub(r"[^0-9.]", "", text))
        assert own * (1 - 1e-5) <= shown <= own * (1 + number["above_pct"] / 100.0), (told, own)
    return True
