"""The command line from outside: statuses, sentences, files, and never a display."""

from __future__ import annotations

import errno
import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from app import __version__, cli
from app.__main__ import main
from app.display import has_display
from db.codec import scenario_from_json
from db.files import open_any
from db.project import load_project, save_project
from models.version import MODEL_VERSION
from resources.catalog_files import load_catalog
from resources.example_files import load_examples
from tests.app.terminal import ROOT, call, refused
from tests.db.documents import EXAMPLE, a_project, encoded, example


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example, a second scenario with fewer users, which is the baseline, and a third."""
    one = a_project().duplicated("s1").duplicated("s1")
    path = tmp_path / "plan.headroom"
    save_project(path, one.with_baseline(one.entries[1].id), program_version="1")
    return path


# --- window ------------------------------------------------------------------------------------


def test_no_command_opens_the_window(plan: Path) -> None:
    assert call().asked == [None]
    assert call(plan).asked == [str(plan)]
    assert call("--demo").asked == ["demo"]
    assert call("--self-test").asked == ["self-test"]
    assert call("--paint-once", "bare").asked == ["bare"]


def test_a_word_that_is_neither_file_nor_command_is_refused() -> None:
    assert refused("evalute") == "evalute: there is neither a file nor a command of this name"
    assert "unrecognized arguments: --fast" in refused("--fast")


@pytest.mark.parametrize(
    "words",
    [
        ("--demo", "x"),
        ("x", "--demo"),
        ("--self-test", "x"),
        ("--version", "x"),
        ("--demo", "x", "y"),
    ],
)
def test_an_option_that_stands_alone_takes_no_file(words: tuple[str, ...]) -> None:
    assert refused(*words).startswith("headroom: ")


def test_options_that_stand_alone_are_not_given_together() -> None:
    assert "--version: not allowed with argument --demo" in refused("--demo", "--version")


def test_version() -> None:
    assert call("--version").out == f"headroom {__version__}, model {MODEL_VERSION}\n"


def test_the_version_is_told_without_the_model() -> None:
    tell = "import sys; sys.argv[1:] = ['--version']; from app.__main__ import main; main()"
    code = f"{tell}; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    version, loaded = done.stdout.splitlines()
    assert version.startswith("headroom")
    assert not {"numpy", "models.evaluate", "models.scenario.scenario", "PySide6"} & set(
        loaded.split()
    )


@pytest.mark.parametrize("command", [c.name for c in cli.COMMANDS])
def test_help_names_every_command_and_each_has_its_own(command: str) -> None:
    assert f"\n  {command}" in call("--help").out
    answer = call(command, "--help")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: headroom {command}")


@pytest.mark.parametrize(
    ("display", "expected"),
    [({}, False), ({"DISPLAY": ""}, False), ({"WAYLAND_DISPLAY": "wayland-0"}, True)],
)
def test_display(display: dict[str, str], expected: bool) -> None:
    assert has_display(display, "linux") is expected


# --- evaluate ----------------------------------------------------------------------------------


def test_evaluate_json_is_one_object_and_nothing_else(plan: Path) -> None:
    answer = call("evaluate", plan, "--json")
    assert (answer.status, answer.err) == (0, "")
    told = answer.json
    assert (told["format"], told["version"]) == ("headroom-prediction", 1)
    assert told["scenario"] == "WV21 migration"
    assert [vm["id"] for vm in told["vms"]] == ["m1"]
    cpu = told["vms"][0]["cpu_pct"]
    assert cpu["low"] <= cpu["value"] <= cpu["high"]
    assert told["verdict"] in {"fits", "at risk", "does not fit"}


def test_evaluate_for_people_names_items_and_bases(plan: Path) -> None:
    text = call("evaluate", plan).out
    assert text.startswith("WV21 migration: ")
    assert "Mail-01" in text
    assert "esx1" in text
    assert "i interpolated" in text
    assert "vms[" not in text


def test_what_does_not_fit_is_an_answer_too(plan: Path) -> None:
    document = example()
    document["vms"][0]["ram_gib"] = 500
    plan.write_bytes(encoded(document))
    answer = call("evaluate", plan, "--json")
    assert (answer.status, answer.json["verdict"]) == (0, "does not fit")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ((), "WV21 migration 2"),
        (("--scenario", "WV21 migration"), "WV21 migration"),
        (("--scenario=WV21 migration 3",), "WV21 migration 3"),
    ],
)
def test_evaluate_takes_the_named_scenario_else_the_baseline(
    project: Path, name: tuple[str, ...], expected: str
) -> None:
    before = project.read_bytes()
    assert call("evaluate", project, "--json", *name).json["scenario"] == expected
    assert project.read_bytes() == before
    assert list(project.parent.iterdir()) == [project]


def test_file_and_project_give_the_same_prediction(plan: Path, tmp_path: Path) -> None:
    assert call("convert", plan, tmp_path / "b.headroom").status == 0
    one = call("evaluate", plan, "--json")
    assert call("evaluate", tmp_path / "b.headroom", "--json").out == one.out


# --- what is wrong -----------------------------------------------------------------------------


def test_bad_input_is_one_line_with_file_field_and_reason(plan: Path) -> None:
    document = example()
    document["vms"][0]["workload"]["active_users"] = -1
    plan.write_bytes(encoded(document))
    expected = f"{plan}: vms[0].workload.active_users: must be ≥ 0"
    out = plan.with_name("out.pdf")
    assert refused("evaluate", plan) == expected
    assert refused("evaluate", plan, "--json") == expected
    assert refused("report", plan, "-o", out) == expected
    assert refused("convert", plan, plan.with_name("out.headroom")) == expected
    assert list(plan.parent.iterdir()) == [plan]


def test_a_row_says_why_it_does_not_fit_where_no_number_does(plan: Path) -> None:
    document = example()
    document["hosts"].append({**document["hosts"][0], "id": "h2", "name": "esx2"})
    document["affinity"] = [{"id": "r1", "kind": "must-run-on", "vms": ["m1"], "hosts": ["h1"]}]
    plan.write_bytes(encoded(document))
    assert "does not fit  Mail-01 finds no room" in call("evaluate", plan).out


@pytest.mark.parametrize("field", ["memory_overcommit", "cpu_limit_pct", "response_limit_ms"])
def test_numbers_that_loads_are_divided_by_are_not_next_to_nothing(plan: Path, field: str) -> None:
    document = example()
    document["policy"] = {field: 5e-324}
    plan.write_bytes(encoded(document))
    assert refused("evaluate", plan) == f"{plan}: policy.{field}: must be ≥ 0.001"
    document["policy"] = {field: 0.001}
    document["vms"][0]["workload"]["active_users"] = 1e9
    plan.write_bytes(encoded(document))
    assert call("evaluate", plan, "--json").json["verdict"] == "does not fit"
    assert call("evaluate", plan).status == 0


def test_a_long_text_of_the_file_is_not_repeated_whole(plan: Path) -> None:
    document = example()
    document["vms"][0]["pins"] = ["x" * 100_000]
    plan.write_bytes(encoded(document))
    said = refused("evaluate", plan).removeprefix(f"{plan}: ")
    assert said == f"vms[0].pins[0]: “{'x' * 200}…” is not an input of this item"


def test_unknown_catalog_id(plan: Path) -> None:
    document = example()
    document["hosts"][0]["server"] = "abacus"
    plan.write_bytes(encoded(document))
    assert refused("evaluate", plan).endswith(
        "hosts[0].server: no server called “abacus” in the catalog"
    )


def test_missing_file_folder_and_scenario(plan: Path, tmp_path: Path) -> None:
    assert refused("evaluate", tmp_path / "x.json").endswith("there is no such file")
    assert refused("evaluate", tmp_path).endswith("is a folder, not a file")
    assert refused("evaluate", "").endswith("no file is named")
    assert refused("evaluate", plan, "--scenario", "x").endswith(
        "there is no scenario called “x” in the project"
    )


@pytest.mark.parametrize("ending", [".json", ".headroom"])
def test_a_name_that_no_file_can_have(plan: Path, ending: str) -> None:
    before = list(plan.parent.iterdir())
    name = plan.with_name("x" * 300)
    too_long = "can't be written: the name is too long"
    assert refused("convert", plan, f"{name}{ending}").endswith(too_long)
    assert refused("report", plan, "-o", f"{name}.pdf").endswith(too_long)
    assert refused("examples", "--copy-to", name).endswith(too_long)
    assert refused(f"{name}{ending}").endswith("there is neither a file nor a command of this name")
    assert list(plan.parent.iterdir()) == before


def test_nor_can_a_calibration_have_it(plan: Path) -> None:
    name = plan.with_name(f"{'x' * 300}.json")
    assert refused("calibrate", "-o", name).endswith("can't be written: the name is too long")


def test_a_file_name_that_is_no_text_stands_in_the_proposal(plan: Path) -> None:
    odd = plan.with_name(os.fsdecode(b"pl\xe4n.json"))
    try:
        plan.rename(odd)
    except OSError:
        pytest.skip("this disk takes names in UTF-8 only")
    assert call("report", odd, "-o", plan.with_name("out.pdf")).status == 0


def test_odd_file_names_stay_on_one_line(tmp_path: Path) -> None:
    refused("evaluate", tmp_path / "a\nb\x1b[31m.json")


@pytest.mark.parametrize(
    "argv",
    [
        ("evaluate",),
        ("evaluate", "a", "b"),
        ("evaluate", "a", "--jso"),
        ("report", "a"),
        ("report", "a", "-o"),
        ("convert", "a"),
        ("schema", "a"),
        ("solve",),
        ("solve", "a", "--method", "guess"),
        ("--paint-once", "twice"),
    ],
)
def test_wrong_usage_is_one_line(argv: tuple[str, ...]) -> None:
    assert "--help` lists what is offered" in refused(*argv)


# --- report ------------------------------------------------------------------------------------


def test_report_is_a_whole_pdf(plan: Path) -> None:
    out = plan.with_name("plan.pdf")
    answer = call("report", plan, "-o", out)
    assert (answer.status, answer.out) == (0, f"wrote {out}\n")
    data = out.read_bytes()
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")


@pytest.mark.parametrize(
    ("number", "status"), [(errno.ENOSPC, 1), (errno.EIO, 1), (errno.EROFS, 2)]
)
def test_a_failing_machine_is_not_bad_input(
    plan: Path, monkeypatch: pytest.MonkeyPatch, number: int, status: int
) -> None:
    def fail(*_args: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.fsync", fail)
    target = plan.with_name("out.json")
    answer = call("convert", plan, target)
    assert (answer.status, answer.out) == (status, "")
    assert answer.err.startswith(f"{target}: can't be written: ")
    assert list(plan.parent.iterdir()) == [plan]


def test_report_of_several_scenarios_is_longer(project: Path) -> None:
    one, two = project.with_name("1.pdf"), project.with_name("2.pdf")
    names = ("--scenario", "WV21 migration", "--scenario", "WV21 migration 3")
    assert call("report", project, "-o", one).status == 0
    assert call("report", project, "-o", two, *names).status == 0
    assert two.stat().st_size > one.stat().st_size


def test_report_writes_nothing_when_it_cannot(plan: Path, project: Path) -> None:
    before = sorted(plan.parent.iterdir())
    assert "must end in .pdf" in refused("report", plan, "-o", plan)
    assert "folder doesn't exist" in refused("report", plan, "-o", plan.parent / "no" / "x.pdf")
    out = plan.with_name("x.pdf")
    assert "no scenario called" in refused("report", project, "-o", out, "--scenario", "x")
    assert sorted(plan.parent.iterdir()) == before


# --- convert, schema, examples, calibrate ------------------------------------------------------


def test_convert_says_what_it_left_out(project: Path) -> None:
    target = project.with_name("out.json")
    answer = call("convert", project, target)
    assert answer.status == 0
    assert answer.out.splitlines() == [
        f"wrote {target}: “WV21 migration 2”",
        "left out, a scenario file holds one: “WV21 migration”, “WV21 migration 3”",
    ]
    assert scenario_from_json(target.read_bytes(), name="").name == "WV21 migration 2"


def test_a_waiver_of_a_rule_that_there_is_not_is_refused(plan: Path) -> None:
    document = example()
    waiver = {"rule": "unplaced", "reason": "agreed", "subject": ""}
    document["waivers"] = [waiver, waiver | {"rule": "unplacd"}]
    plan.write_bytes(encoded(document))
    said = f"{plan}: waivers[1].rule: there is no rule “unplacd”"
    assert refused("evaluate", plan) == said
    document["waivers"] = [waiver]
    plan.write_bytes(encoded(document))
    assert call("evaluate", plan).status == 0


def test_a_project_with_a_waiver_of_a_rule_of_old_opens(tmp_path: Path) -> None:
    """Nobody could take it out of a file that doesn't open; one with text goes without it."""
    path, target = tmp_path / "old.headroom", tmp_path / "new.json"
    one = a_project()
    scenario = one.entries[0].scenario.waive("rule-of-old", "", "agreed")
    old = replace(one, entries=(replace(one.entries[0], scenario=scenario),))
    save_project(path, old, program_version="1")
    assert call("evaluate", path).status == 0
    said = call("convert", path, target).out.splitlines()
    assert said[1:] == ["left out, waivers of rules that there aren’t: “rule-of-old”"]
    assert call("evaluate", target).status == 0
    assert open_any(path, load_catalog()).entries[0].scenario.waivers == scenario.waivers


def test_convert_to_a_project(plan: Path) -> None:
    target = plan.with_name("out.headroom")
    assert call("convert", plan, target).out == f"wrote {target}: “WV21 migration”\n"
    assert load_project(target).scenario == a_project().scenario
    assert "must end in .headroom or .json" in refused("convert", plan, plan.with_name("x.xls"))


def test_schema_is_json() -> None:
    schema = json.loads(call("schema").out)
    assert "Vm" in schema["$defs"]


def test_examples_are_listed_and_copied_and_each_is_accepted(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "examples"
    listed = call("examples").out
    assert call("examples", "--copy-to", folder).status == 0
    files = sorted(folder.iterdir())
    assert {path.name for path in files} == {f.name for e in load_examples() for f in e.files}
    for path in files:
        assert path.name in listed
        assert call("evaluate", path, "--json").status == 0
        assert call("report", path, "-o", tmp_path / "x.pdf").status == 0


def test_a_changed_example_is_not_overwritten(tmp_path: Path) -> None:
    assert call("examples", "--copy-to", tmp_path).status == 0
    assert call("examples", "--copy-to", tmp_path).status == 0
    mine = tmp_path / "wv21-migration.json"
    mine.write_text("mine", encoding="utf-8")
    (tmp_path / "wv21-today.json").unlink()
    assert "is there already and differs" in refused("examples", "--copy-to", tmp_path)
    assert mine.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "wv21-today.json").exists()
    assert "can’t be made a folder" in refused("examples", "--copy-to", mine / "below")
    assert refused("examples", "--copy-to", "").endswith("no folder is named")


# --- processes ---------------------------------------------------------------------------------


def start(*argv: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, without any display."""
    kept = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    kept.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, "-m", "app", *map(str, argv)],
        cwd=ROOT,
        env={**kept, **environ},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_evaluate_needs_no_display_and_no_qt(plan: Path) -> None:
    code = (
        "import sys, io, app.cli as cli\n"
        "out = io.StringIO()\n"
        "status = cli.main(sys.argv[1:], out, sys.stderr, None)\n"
        "found = [name for name in sys.modules if name.startswith('PySide6')]\n"
        "sys.exit(f'Qt was imported: {found[:3]}' if found else status)\n"
    )
    for argv in (["evaluate", str(plan), "--json"], ["schema"], ["--version"], ["examples"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *argv],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_process_ends_with_status_and_one_line(plan: Path) -> None:
    good = start("evaluate", plan, "--json", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["scenario"] == "WV21 migration"
    plan.write_text("{", encoding="utf-8")
    bad = start("evaluate", plan)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == f"{plan}: is not complete JSON: it ends too early, at line 1, column 2\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix closes them")
def test_without_a_console_words_go_nowhere(plan: Path) -> None:
    plan.write_text("{", encoding="utf-8")
    program = f"{shlex.quote(sys.executable)} -m app"
    for line, status in (
        (f"evaluate {shlex.quote(str(plan))} >&- 2>&-", 2),
        ("--version >&- 2>&-", 0),
    ):
        done = subprocess.run(["sh", "-c", f"{program} {line}"], cwd=ROOT, check=False)
        assert done.returncode == status


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_the_output_is_one_line(plan: Path) -> None:
    for argv in (["--version"], ["evaluate", str(plan), "--json"]):
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            done = subprocess.run(
                [sys.executable, "-m", "app", *argv],
                cwd=ROOT,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert done.returncode == 1
        assert done.stderr == "standard output: can't be written: the disk is full\n"


def test_a_full_disk_behind_another_file_is_not_told_of_the_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", "settings.ini")

    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, StringIO())
    monkeypatch.setattr("app.crash.install", lambda: None)
    monkeypatch.setattr("app.cli.main", fails)
    with pytest.raises(OSError, match="settings"):
        main()


def test_a_window_without_a_display_is_refused() -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only Unix may have no display")
    done = start()
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no display" in done.stderr


def test_a_failure_of_the_program_is_one_sentence_and_a_log(tmp_path: Path) -> None:
    code = "import os\nfrom app import crash\ncrash.install()\n{}[os.environ['WHO']]\n"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={
            **os.environ,
            "XDG_STATE_HOME": str(tmp_path),
            "HOME": str(tmp_path),
            "WHO": "customer Miller",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("headroom: the program failed (KeyError); details are in ")
    assert done.stderr.count("\n") == 1
    log = Path(done.stderr.split("details are in ")[1].strip()).read_text(encoding="utf-8")
    assert "KeyError" in log
    assert "Miller" not in log


def test_a_reader_that_has_seen_enough_is_no_failure() -> None:
    shell = f"{shlex.quote(sys.executable)} -m app schema | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", shell],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")


class TestCompare:
    def test_files_are_compared_with_the_first(self, tmp_path: Path) -> None:
        call("examples", "--copy-to", tmp_path)
        today, then = tmp_path / "wv21-today.json", tmp_path / "wv21-migration.json"
        answer = call("compare", today, then, "--json")
        assert (answer.status, answer.err) == (0, "")
        assert answer.json["format"] == "headroom-comparison"
        assert [each["against"] for each in answer.json["scenarios"]] == [None, "WV21 today"]
        hosts = next(row for row in answer.json["outcomes"] if row["field"] == "hosts")
        assert (hosts["values"], hosts["changes"]) == ([1, 3], [None, 2.0])
        added = [row for row in answer.json["inputs"] if row["values"] == ["absent", "present"]]
        assert {row["subject"] for row in added} >= {"h2", "h3"}
        assert not answer.json["identical"]

    def test_the_same_twice_is_identical(self, tmp_path: Path) -> None:
        call("examples", "--copy-to", tmp_path)
        file = tmp_path / "wv21-today.json"
        assert call("compare", file, file, "--json").json["identical"] is True
        assert "Identical: no input differs" in call("compare", file, file).out

    def test_one_project_gives_its_scenarios_and_knows_parents(self, tmp_path: Path) -> None:
        path = tmp_path / "p.headroom"
        project = a_project().duplicated("s1").duplicated("s2")
        save_project(path, project, program_version="1")
        answer = call("compare", path, "--against", "parent", "--json")
        names = [entry.scenario.name for entry in project.entries]
        against = [each["against"] for each in answer.json["scenarios"]]
        assert against == [None, names[0], names[1]]
        chosen = call("compare", path, "--scenario", names[2], "--scenario", names[0], "--json")
        assert [each["name"] for each in chosen.json["scenarios"]] == [names[2], names[0]]

    def test_too_few_and_unknown_ones_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "s.json"
        path.write_text(EXAMPLE, encoding="utf-8")
        assert "2 to 4 scenarios can be compared" in refused("compare", path)
        assert "nobody" in refused("compare", path, path, "--scenario", "nobody", "--scenario", "x")
        assert "1 scenario names for 2" in refused("compare", path, path, "--scenario", "x")
