"""Tries to fool a signature, each by its name: what was exported comes out to the byte, or it is
refused or told in a sentence."""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from app.calibrated import shipped_calibration
from app.report.build import FORMS, report
from app.report.template import load_template
from app.signed import kept, with_kept
from db.signed import all_signed
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.project.project import SIGNED, Project
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts
from tests.app.signing import HOW, exported, run, saved
from tests.sweeps import some

Try = Callable[[Path, Path], list[str]]
"""From the project's file and a folder to further arguments, after whatever it does to the file."""


@cache
def signed_bytes(ending: str) -> bytes:
    project, catalog = exported()[0], load_catalog()
    scenario = project.scenario
    pairs = [(scenario, evaluate(scenario, Knowledge(catalog, shipped_calibration())))]
    return report(pairs, catalog, ending, HOW).content


def again(path: str | Path, out: Path, *more: str) -> tuple[int, str]:
    code, _, err = run("report", str(path), "-o", str(out), "--signed", *more)
    return code, err


def changed(path: Path, *statements: str) -> None:
    """What somebody with a database tool does."""
    with sqlite3.connect(path) as file:
        for each in statements:
            file.execute(each)
    file.close()


def rewritten(project: Project, old: str, new: str, **packed: object) -> Project:
    """With other words in what is kept packed, as somebody with a database tool writes them."""
    (record,) = project.entries[0].records_of(SIGNED)
    kept = json.loads(record.content)
    plain = zlib.decompress(base64.b64decode(kept["packed"])).decode()
    assert old in plain
    content = base64.b64encode(zlib.compress(plain.replace(old, new).encode())).decode()
    sealed = hashlib.sha256(plain.replace(old, new).encode()).hexdigest()
    again = {**kept, "packed": content, **packed}
    again |= {"sha256": sealed} if packed.get("sha256") == "anew" else {}
    return project.with_records(project.active, SIGNED, [json.dumps(again)])


USERS = "UPDATE vm SET workload_active_users = 5000"
NO_CHECKSUM = "UPDATE written SET content_sha256 = NULL"

SAME = {
    "again": (),
    "a day": ("2026-03-07",),
    "its scenario by name": ("--scenario", "Two hosts"),
}


@pytest.mark.parametrize("ending", some(FORMS))
def test_what_was_exported_comes_out_to_the_byte(tmp_path: Path, ending: str) -> None:
    path, out = saved(exported()[0], tmp_path / "a.headroom"), tmp_path / f"a{ending}"
    assert again(path, out) == (0, "")
    assert out.read_bytes() == signed_bytes(ending)


@pytest.mark.parametrize("more", SAME.values(), ids=SAME)
def test_asked_otherwise_it_is_the_same(tmp_path: Path, more: tuple[str, ...]) -> None:
    path, out = saved(exported()[0], tmp_path / "a.headroom"), tmp_path / "a.html"
    arguments = ["report", path, "-o", str(out), "--signed", *more]
    assert run(*arguments)[0] == 0
    assert out.read_bytes() == signed_bytes(".html")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process can be set")
def test_in_another_time_zone_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = saved(exported()[0], tmp_path / "a.headroom"), tmp_path / "a.html"
    try:
        monkeypatch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        assert again(path, out) == (0, "")
    finally:
        monkeypatch.undo()
        time.tzset()
    assert out.read_bytes() == signed_bytes(".html")


def test_after_an_edit_and_thirty_later_exports_it_is_the_same(tmp_path: Path) -> None:
    project, signed, _ = exported()
    host = project.scenario.hosts[0]
    project = project.with_scenario(project.scenario.with_item(replace(host, ram_gib=320)))
    for minute in range(30):
        later = HOW.now.replace(day=8, minute=minute).isoformat()
        project = with_kept(project, replace(signed, at=later))
    path, out = saved(project, tmp_path / "a.headroom"), tmp_path / "a.html"
    assert again(path, out, "--scenario", "Two hosts", "--signed", "2026-03-07") == (0, "")
    assert out.read_bytes() == signed_bytes(".html")


OTHERWISE = {
    "--paper": "letter",
    "--language": "de",
    "--template": "other.toml",
    "--sections": "summary",
    "--advice": "network=answer.json",
}


@pytest.mark.parametrize("option", OTHERWISE)
def test_what_was_signed_is_not_printed_otherwise(tmp_path: Path, option: str) -> None:
    """Not even where it asks for what it is: nothing beside ``--signed`` is passed over."""
    path, out = saved(exported()[0], tmp_path / "a.headroom"), tmp_path / "a.html"
    code, err = again(path, out, option, OTHERWISE[option])
    assert (code, out.exists(), err.count("\n")) == (2, False, 1)
    assert err.startswith(option)


def test_an_export_that_is_not_kept_is_refused_with_those_that_are(tmp_path: Path) -> None:
    path, out = saved(exported()[0], tmp_path / "a.headroom"), tmp_path / "a.html"
    code, err = again(path, out, "--scenario", "Bank")
    assert (code, out.exists()) == (2, False)
    assert "there are 2026-03-07 09:05 (Two hosts)" in err
    nothing = saved(Project.of(two_hosts()), tmp_path / "b.headroom")
    assert "keeps no exported proposal\n" in again(nothing, out)[1]


REFUSED = {
    "users in the table": (USERS,),
    "users, and no checksum": (USERS, NO_CHECKSUM),
    "users, and the checksum's row gone": (USERS, "DELETE FROM written"),
    "the kept proposal gone, and no checksum": (
        f"DELETE FROM record WHERE kind = '{SIGNED}'",
        NO_CHECKSUM,
    ),
}


@pytest.mark.parametrize("statements", REFUSED.values(), ids=REFUSED)
def test_a_file_changed_by_a_database_tool_is_refused(
    tmp_path: Path, statements: tuple[str, ...]
) -> None:
    path, out = tmp_path / "a.headroom", tmp_path / "a.html"
    saved(exported()[0], path)
    changed(path, *statements)
    for arguments in (("check", str(path)), ("report", str(path), "-o", str(out), "--signed")):
        code, told, err = run(*arguments)
        assert (code, err.count("\n"), out.exists()) == (2, 1, False)
        assert "sound" not in told


FORGED = {
    "users": ('\\"active_users\\": 2000', '\\"active_users\\": 400', {}),
    "users, hash gone": ('\\"active_users\\": 2000', '\\"active_users\\": 400', {"sha256": ""}),
    "users, hash anew": ('\\"active_users\\": 2000', '\\"active_users\\": 400', {"sha256": "anew"}),
    "a number": ('"verdict":"', '"verdict":"no ', {}),
    "day": ("2026-03-07T09:05:31", "2025-03-07T09:05:31", {}),
    "language": ('"language":"de"', '"language":"en"', {}),
    "agreement": ("As agreed by hand.", "All is waived.    ", {}),
    "logo": ("PHN2ZyB", "PHN2ZyC", {}),
}


def with_look(folder: Path) -> Project:
    """A project whose proposal was exported with a partner's look."""
    logo = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    (folder / "logo.svg").write_text(logo)
    look = folder / "look.toml"
    look.write_text('[texts]\nagreement = "As agreed by hand."\n[look]\nlogo = "logo.svg"\n')
    project, catalog = Project.of(two_hosts()), load_catalog()
    pairs = [
        (project.scenario, evaluate(project.scenario, Knowledge(catalog, shipped_calibration())))
    ]
    how = replace(HOW, template=load_template(look))
    return with_kept(project, kept(project.entries, pairs, catalog, how))


@pytest.mark.parametrize("name", FORGED)
def test_a_kept_proposal_that_was_forged_is_named_and_not_printed(
    tmp_path: Path, name: str
) -> None:
    old, new, packed = FORGED[name]
    project = with_look(tmp_path) if name in {"agreement", "logo"} else exported()[0]
    if name == "agreement":  # files are kept as base64: the words are sought in the same letters
        old, new = _in_base64(project, old, new)
    path = saved(rewritten(project, old, new, **packed), tmp_path / "a.headroom")
    out = tmp_path / "a.html"
    code, told, err = run("check", path)
    assert code == 2
    assert "was changed since" in err
    assert "sound" not in told
    assert again(path, out)[0] == 2
    assert not out.exists()


def _in_base64(project: Project, old: str, new: str) -> tuple[str, str]:
    (signed,) = all_signed(project)
    content = signed.look[0].content
    assert old.encode() in content
    forged = content.replace(old.encode(), new.encode())
    return base64.b64encode(content).decode(), base64.b64encode(forged).decode()


def test_a_forged_look_without_any_hash_is_told(tmp_path: Path) -> None:
    """As older programs kept none; on the paper stands the hash of the inputs alone."""
    project = with_look(tmp_path)
    old, new = _in_base64(project, "As agreed by hand.", "All is waived.    ")
    forged = rewritten(project, old, new, sha256="")
    path, out = saved(forged, tmp_path / "a.headroom"), tmp_path / "a.html"
    code, err = again(path, out)
    assert code == 0
    assert "only the hash of its inputs was compared" in err
    assert "only the hash of its inputs was compared" in run("check", path)[1]


def test_what_is_on_the_screen_and_not_what_was_signed_is_told(tmp_path: Path) -> None:
    project = exported()[0]
    vm = project.scenario.vms[0]
    more = replace(vm, workload=replace(vm.workload, active_users=5000.0))
    edited = project.with_scenario(project.scenario.with_item(more))
    told = json.loads(run("check", saved(edited, tmp_path / "a.headroom"), "--json")[1])
    assert any("is not what was exported as a proposal" in each for each in told["notices"])
