"""The window in German, in a process of its own: a language is taken once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from app.language import ENGLISH, Language, local, lowered, tr, trn, wanted
from models.base.errors import ModelError
from models.base.quantities import Basis, Quantity
from models.base.texts import Text, joined, opening, say, say_many
from models.base.texts import said as spoken
from models.base.units import converted
from models.explain.words import known
from models.failure.admission import (
    Guest,
    HostCapacity,
    Options,
    Step,
    percentage_check,
    slot_check,
)
from models.fitting.baselines import BASELINES
from models.fitting.transfers import CLUSTER, KERNEL, RELEASE, SPEC, TWIN
from models.fitting.validation import UNCHECKED
from models.scenario.wording import GERMAN, about_text, number
from resources.translation_files import load_messages

DE = Language("de", load_messages("de"), GERMAN)

SCRIPT = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QLocale
from app.settings import Settings
from app.speech import begin
settings = Settings(Path(sys.argv[1]) / "settings.ini")
begin(settings)
from app.windows.main import application, main_window
app = application()
window = main_window(demo=True, settings=settings)
window.resize(1366, 768)
prediction = window.session.view.prediction
from app.language import local
from app.wording import read_number
from db.codec import scenario_to_json
from db.prediction import prediction_to_json
from PySide6.QtWidgets import QDialogButtonBox
button = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
print(json.dumps({
    "menus": [menu.title() for menu in window.menus],
    "sentence": prediction.sentence,
    "said": local(prediction.sentence),
    "cancel": button.button(QDialogButtonBox.StandardButton.Cancel).text(),
    "locale": QLocale().name(),
    "read": read_number("1.234,5").value,
    "verdict": prediction_to_json(prediction)["verdict"],
    "scenario": scenario_to_json(window.session.scenario).decode()[:2000],
}))
sys.stdout.flush()
import os
os._exit(0)
"""


def test_words_come_from_the_catalogue() -> None:
    text = say("{who}’s {what} is {about}, limit {limit}", **_parts("response time"))
    assert text == "Mail-01’s response time is about 1,250.5 ms, limit 1,000 ms"
    german = "Antwortzeit von Mail-01 beträgt etwa 1.250,5 ms, Grenze 1.000 ms"
    assert text.said(DE) == german


def _parts(what: str) -> dict[str, str]:
    return {
        "verdict": opening(say("at risk")),
        "who": "Mail-01",
        "what": say("response time") if what == "response time" else what,
        "about": say("about {value}", value=joined(" ", (number(1250.5, 1), "ms"))),
        "limit": joined(" ", (number(1000), "ms")),
    }


def test_counts_choose_the_form() -> None:
    assert say_many("{count} VM finds no room", "{count} VMs find no room", 1).said(DE) == (
        "1 VM findet keinen Platz"
    )
    assert say_many("{count} VM finds no room", "{count} VMs find no room", 1200).said(DE) == (
        "1.200 VMs finden keinen Platz"
    )


def test_parts_of_texts_are_said_too() -> None:
    assert (say("at risk") + ", " + say("no data")).said(DE) == "gefährdet, keine Daten"
    assert ("2 × " + say("no data")).said(DE) == "2 × keine Daten"


def test_a_quantity_keeps_its_digits_in_every_language() -> None:
    about = about_text(Quantity(1234.0, 950.0, 1600.0, Basis.INTERPOLATED), "ms")
    assert about == "about 1,200\N{NARROW NO-BREAK SPACE}ms"
    assert about.said(DE) == "etwa 1.200\N{NARROW NO-BREAK SPACE}ms"  # type: ignore[attr-defined]


def test_the_arithmetic_of_admission_control_has_the_marks_of_the_language() -> None:
    hosts = [
        HostCapacity(id=id, name=id, cpu_mhz=mhz, ram_mib=10240.0)
        for id, mhz in (("h1", None), ("h2", 9000.0))
    ]
    guests = [
        Guest(id=f"m{n}", name=f"m{n}", host="h1", ram_reservation_mib=1000.0 + n)
        for n in range(10)
    ]
    options = Options(cpu_min_mhz=256.0)
    silent = percentage_check(hosts[:1], guests, options, cpu_pct=25.0, ram_pct=12.5)
    assert [tuple(each.said(DE) for each in step) for step in texts_of(silent.steps)] == [
        ("CPU der Hosts", "von keinem Host ist der Takt bekannt", "keine Daten"),
        ("CPU reserviert", "10 × 256", "2.560 MHz"),
        (
            "Aktuelle CPU-Failover-Kapazität",
            "von keinem Host ist der Takt bekannt",
            "nicht beurteilt",
        ),
        ("Arbeitsspeicher der Hosts", "10.240", "10.240 MiB"),
        (
            "Arbeitsspeicher reserviert, mit Overhead",
            "10 Summanden, 1.000 bis 1.009",
            "10.045 MiB",
        ),
        (
            "Aktuelle Arbeitsspeicher-Failover-Kapazität",
            "(10.240 − 10.045) / 10.240",
            "1 %, eingestellt\u00a012,5\u00a0%",
        ),
    ]
    by_slots = slot_check(hosts, guests, options, configured=1)
    assert [tuple(each.said(DE) for each in step) for step in texts_of(by_slots.steps)][:4] == [
        (
            "CPU eines Slots",
            "der Standardwert, da keine eingeschaltete VM mehr CPU reserviert",
            "256 MHz",
        ),
        (
            "Arbeitsspeicher eines Slots",
            "größte Speicherreservierung mit Overhead, die von m9",
            "1.009 MiB",
        ),
        ("Slots von h1", "⌊10.240 / 1.009⌋", "10 Slots"),
        ("Slots von h2", "⌊9.000 / 256⌋ = 35, ⌊10.240 / 1.009⌋ = 10", "10 Slots"),
    ]


def texts_of(steps: Iterable[Step]) -> Iterator[list[Text]]:
    """What can be said otherwise: all of a step but an empty field."""
    for step in steps:
        parts = [part for part in (step.what, step.arithmetic, step.result) if part]
        assert all(isinstance(part, Text) for part in parts)
        yield [part for part in parts if isinstance(part, Text)]


@pytest.mark.parametrize(
    ("typed", "unit", "said"),
    [
        (
            "k",
            "Benutzer",
            "„k“ ist hier keine Einheit; bitte nur die Zahl eingeben, oder Benutzer",
        ),
        ("k", "", "„k“ ist hier keine Einheit; bitte nur die Zahl eingeben"),
        ("g", "GiB", "„g“ kann GB oder GiB heißen"),
    ],
)
def test_a_unit_is_refused_in_the_language(typed: str, unit: str, said: str) -> None:
    with pytest.raises(ModelError) as refused:
        converted(16.0, typed, unit)
    assert refused.value.said(DE) == said


def test_what_the_evidence_window_says_has_its_german() -> None:
    reasons = [row.reason for row in UNCHECKED]
    figures = [known(words) for words in ("measured", "NetApp FAS3020 (VMFS/RDM/NFS not stated)")]
    for words in (*BASELINES, TWIN, SPEC, RELEASE, CLUSTER, KERNEL, *reasons, *figures):
        assert spoken(words, DE) != words
    assert json.dumps({"by": TWIN}) == '{"by": "the other VM on its host"}'


def test_names_stay_as_they_are() -> None:
    """A customer's VM may be called as a word of the catalogue."""
    assert local("Host") == "Host"
    assert say("on {host}", host="limit").said(DE) == "auf limit"


def test_a_text_is_plain_where_it_is_kept(tmp_path: Path) -> None:
    text = say("no data")
    assert json.loads(json.dumps({"basis": text})) == {"basis": "no data"}
    import copy
    import pickle

    assert type(pickle.loads(pickle.dumps(text))) is str
    assert copy.deepcopy(text) == text


def test_english_is_what_stands_in_the_source() -> None:
    assert tr("Added {entry}.", entry="R720") == "Added R720."
    assert trn("{count} host", "{count} hosts", 2) == "2 hosts"
    assert lowered("Disk load") == "disk load"


@pytest.mark.parametrize(
    ("setting", "system", "variable", "language"),
    [
        ("", "de_CH", "", "de"),
        ("", "fr_FR", "", ENGLISH),
        ("de", "en_GB", "", "de"),
        ("en", "de_DE", "", ENGLISH),
        ("en", "en_GB", "de", "de"),
        ("xx", "de_DE", "", "de"),
    ],
)
def test_environment_then_setting_then_system(
    setting: str, system: str, variable: str, language: str
) -> None:
    environ = {"HEADROOM_LANGUAGE": variable} if variable else {}
    assert wanted(setting, system, environ) == language


def test_the_window_speaks_german_and_files_do_not(tmp_path: Path) -> None:
    environ = {**os.environ, "HEADROOM_LANGUAGE": "de", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    menus = ["&Datei", "&Bearbeiten", "&Einfügen", "&Ansicht", "&Szenario", "&Gehe zu", "&Hilfe"]
    assert found["menus"] == menus
    assert found["sentence"].startswith("At risk: esx1’s RAM")
    assert found["said"].startswith("Gefährdet: RAM von esx1 beträgt")
    assert found["cancel"] == "Abbrechen"
    assert found["locale"] == "de_DE"
    assert found["read"] == 1234.5
    assert found["verdict"] == "at risk"
    assert "WV21 migration" in found["scenario"]
