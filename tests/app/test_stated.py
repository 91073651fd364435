"""Numbers that were saved or signed: which of them are others now, and where that is told."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import msgspec

from app import __version__
from app.cli import main
from app.language import language_of
from app.stated import EXPORTED, SAVED, changed, with_stated
from db.codec import scenario_to_json
from db.files import save_whole
from db.stated import fingerprint, fingerprints, known_fingerprints, stated_of
from models.base.texts import said
from models.project.project import STATED, Project
from models.signing.model_history import CHANGES, since
from models.version import MODEL_VERSION
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts

NOW = datetime(2026, 3, 7, 9, 5, tzinfo=UTC)


def stated(why: str = SAVED) -> Project:
    return with_stated(Project.of(two_hosts()), load_catalog(), why, NOW)


def older(project: Project) -> Project:
    """The same as an older model said it: one number was another."""
    (state,) = stated_of(project.entries[0])
    numbers = {**state.numbers, "hosts.cpu_pct": 12.0}
    content = msgspec.json.encode(replace(state, model="1.0", numbers=numbers)).decode()
    return project.with_records(project.active, STATED, [content])


def test_numbers_that_follow_are_not_told() -> None:
    assert not list(changed(stated(), load_catalog()))


def test_a_number_that_is_another_now_is_told_with_both() -> None:
    (found,) = changed(older(stated()), load_catalog())
    (difference,) = found.differences
    assert difference.quantity == "hosts.cpu_pct"
    assert difference.stated.startswith("12")


def test_the_same_state_is_kept_once_and_the_signed_one_stays() -> None:
    project = stated(EXPORTED)
    for _ in range(3):
        project = with_stated(project, load_catalog(), SAVED, NOW)
    assert [each.why for each in stated_of(project.entries[0])] == [EXPORTED, SAVED]


def test_other_inputs_are_no_change_of_the_model() -> None:
    project = older(stated())
    vm = project.scenario.vms[0]
    edited = project.with_scenario(project.scenario.with_item(replace(vm, vcpus=vm.vcpus + 1)))
    assert not list(changed(edited, load_catalog()))


def test_check_prints_what_is_stored_and_what_is_now(tmp_path: Path) -> None:
    path = tmp_path / "old.headroom"
    save_whole(path, older(stated()), load_catalog(), program_version=__version__)
    out, err = StringIO(), StringIO()
    assert main(["check", str(path), "--json"], out, err, None) == 0  # type: ignore[arg-type]
    found = json.loads(out.getvalue())
    assert found["integrity"] == found["schema"] == found["references"] == "ok"
    assert [each["quantity"] for each in found["results"]] == ["hosts.cpu_pct"]


def test_check_of_a_broken_file_is_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "torn.headroom"
    save_whole(path, stated(), load_catalog(), program_version=__version__)
    path.write_bytes(path.read_bytes()[:5000])
    out, err = StringIO(), StringIO()
    assert main(["check", str(path)], out, err, None) == 2  # type: ignore[arg-type]
    assert str(path) in err.getvalue()


def test_every_version_since_says_what_it_changed() -> None:
    assert list(CHANGES)[-1] == MODEL_VERSION
    assert list(since("1.22")) == [CHANGES["1.23"], CHANGES["1.24"]]
    assert list(since("no version")) == list(CHANGES.values())


def test_a_whole_number_is_written_as_it_is_read() -> None:
    """So that the hash of the inputs is that of the same scenario after it was saved and opened."""
    given = two_hosts()
    first = given.vms[0]
    whole = replace(first, ram_gib=8, workload=replace(first.workload, active_users=1500))
    broken = replace(first, ram_gib=8.0, workload=replace(first.workload, active_users=1500.0))
    assert whole == broken
    one, other = given.with_item(whole), given.with_item(broken)
    assert scenario_to_json(one) == scenario_to_json(other)
    assert fingerprints(one) == fingerprints(other)


def test_the_hash_of_a_design_is_that_of_nine_digits() -> None:
    """Two processors may have worked it out with other last bits."""
    given, vm = two_hosts(), two_hosts().vms[0]
    here, there, other = (
        given.with_item(replace(vm, workload=replace(vm.workload, active_users=users)))
        for users in (0.1 + 0.2, 0.3, 0.300001)
    )
    assert fingerprint(here) == fingerprint(there) != fingerprint(other)
    assert fingerprints(here) == fingerprints(there)
    exact = hashlib.sha256(scenario_to_json(here)).hexdigest()
    assert exact in known_fingerprints(here), "as older programs took it"


def test_a_program_with_more_inputs_knows_the_same_scenario() -> None:
    """Its file has more lines, so its hash is another; what is no default is the same."""
    (state,) = stated_of(older(stated()).entries[0])
    moved = msgspec.json.encode(replace(state, inputs="of a file with other lines")).decode()
    project = stated().with_records(stated().active, STATED, [moved])
    assert [each.scenario for each in changed(project, load_catalog())] == ["Two hosts"]


def test_a_state_of_the_same_inputs_is_told_though_another_was_signed_before() -> None:
    signed = stated(EXPORTED)
    vm = signed.scenario.vms[0]
    edited = signed.with_scenario(signed.scenario.with_item(replace(vm, vcpus=vm.vcpus + 1)))
    saved = with_stated(edited, load_catalog(), SAVED, NOW)
    first, last = stated_of(saved.entries[0])
    old = replace(last, model="1.0", numbers={**last.numbers, "hosts.cpu_pct": 12.0})
    contents = [msgspec.json.encode(each).decode() for each in (first, old)]
    again = saved.with_records(saved.active, STATED, contents)
    assert [each.stated.why for each in changed(again, load_catalog())] == [SAVED]


def test_a_verdict_of_then_is_said_in_the_language_of_now() -> None:
    project = stated()
    (state,) = stated_of(project.entries[0])
    content = msgspec.json.encode(replace(state, verdict="fits", model="1.0")).decode()
    (found,) = changed(project.with_records(project.active, STATED, [content]), load_catalog())
    (verdict,) = found.differences
    assert said(verdict.stated, language_of("de")) == "passt"


def checked(project: Project, path: Path) -> str:
    save_whole(path, project, load_catalog(), program_version=__version__)
    out, err = StringIO(), StringIO()
    assert main(["check", str(path)], out, err, None) == 0  # type: ignore[arg-type]
    return out.getvalue()


def test_check_claims_no_comparison_that_it_has_not_made(tmp_path: Path) -> None:
    path = tmp_path / "a.headroom"
    nothing = checked(Project.of(two_hosts()), path)
    assert "none was compared" in nothing
    assert "no stated number is another now" not in nothing
    same = checked(stated(), path)
    assert "no stated number is another now" in same


def test_inputs_that_were_changed_by_another_way_than_the_window_are_named(tmp_path: Path) -> None:
    project = stated()
    vm = project.scenario.vms[0]
    users = replace(vm, workload=replace(vm.workload, active_users=5000.0))
    edited = project.with_scenario(project.scenario.with_item(users))
    told = checked(edited, tmp_path / "a.headroom")
    assert "“Two hosts” is not what was saved with its numbers" in told
    assert "is not what was saved" not in checked(project, tmp_path / "b.headroom")
