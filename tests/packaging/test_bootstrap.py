"""Setting up from nothing: what is found missing, who is told what, and that twice is once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.loading import FOLDER, ROOT, load

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="apt is Linux")


@pytest.fixture
def bootstrap() -> ModuleType:
    return load("bootstrap")


@pytest.fixture
def bare_debian(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> ModuleType:
    """The script on a Debian with its own Python and nothing else; it can't run apt."""
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "is_current", lambda name: False)
    monkeypatch.setattr(bootstrap, "is_present", lambda evidence: False)
    monkeypatch.setattr(bootstrap, "can_make_venv", lambda: False)
    monkeypatch.setattr(bootstrap, "is_debian", lambda: True)
    monkeypatch.setattr(bootstrap, "is_systems_python", lambda: True)
    monkeypatch.setattr(bootstrap, "ensure_lock", lambda name: pytest.fail("went on"))
    monkeypatch.setattr(bootstrap, "run_apt", lambda *a: pytest.fail("ran apt"))
    return bootstrap


@linux
@pytest.mark.parametrize("sudo", ["/usr/bin/sudo", None])
def test_without_root_one_command_is_told(
    bare_debian: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sudo: str | None,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: sudo if name == "sudo" else None)
    assert bare_debian.main(["--tests"]) == 2
    said = capsys.readouterr().err
    commands = [line.strip() for line in said.splitlines() if "apt-get" in line]
    assert len(commands) == 1
    assert commands[0].startswith("sudo sh -c " if sudo else "su -c ")
    for package in (f"python3.{sys.version_info.minor}-venv", "libegl1", "xvfb", "libxcb-cursor0"):
        assert re.search(rf"\b{re.escape(package)}\b", commands[0]), package


@linux
def test_root_has_apt_install_exactly_what_is_missing(
    bare_debian: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(bare_debian, "run_apt", lambda *arguments: ran.append(arguments))
    monkeypatch.setattr(bare_debian, "ensure_lock", lambda name: None)
    monkeypatch.setattr(bare_debian, "is_present", lambda evidence: evidence != "libEGL.so.1")
    bare_debian.ensure()
    venv = f"python3.{sys.version_info.minor}-venv"
    assert ran == [("update",), ("install", "-y", "--no-install-recommends", venv, "libegl1")]


@linux
def test_nothing_missing_means_no_apt(
    bare_debian: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bare_debian, "is_present", lambda evidence: True)
    monkeypatch.setattr(bare_debian, "can_make_venv", lambda: True)
    asked: list[str] = []
    monkeypatch.setattr(bare_debian, "ensure_lock", asked.append)
    bare_debian.ensure(bare_debian.DEV, tests=True)
    assert asked == [bare_debian.DEV]


@linux
def test_bundling_with_debians_python_needs_its_shared_library(
    bare_debian: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = f"libpython3.{sys.version_info.minor}"
    found = bare_debian.missing_libraries(window=False, tests=False, bundle=True)
    assert {library, "binutils"} <= set(found)
    monkeypatch.setattr(bare_debian, "is_systems_python", lambda: False)
    assert library not in bare_debian.missing_libraries(window=False, tests=False, bundle=True)


@linux
def test_everything_there_touches_nothing(
    bare_debian: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bare_debian, "is_present", lambda evidence: True)
    monkeypatch.setattr(bare_debian, "is_current", lambda name: True)
    monkeypatch.setattr(bare_debian, "alone", lambda: pytest.fail("took the lock"))
    bare_debian.ensure(bare_debian.SLOW, tests=True, bundle=True)


def test_another_python_without_venv_is_not_mended_by_apt(
    bare_debian: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bare_debian, "is_systems_python", lambda: False)
    with pytest.raises(bare_debian.SetupProblem, match="lacks the modules venv") as caught:
        bare_debian.missing_for_venv()
    assert caught.value.status == 2


@linux
def test_without_apt_the_missing_names_are_told(
    bare_debian: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bare_debian, "is_debian", lambda: False)
    with pytest.raises(bare_debian.SetupProblem, match=r"libegl1.*package manager") as caught:
        bare_debian.install_packages(["libegl1"])
    assert caught.value.status == 2


def test_a_checkout_that_cannot_be_written_is_said(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    (tmp_path / ".venv.lock").mkdir()
    with (
        pytest.raises(bootstrap.SetupProblem, match="can't be written") as caught,
        bootstrap.alone(),
    ):
        pass
    assert caught.value.status == 2


def test_old_python_is_refused(bare_debian: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bare_debian.sys, "version_info", (3, 9, 2))
    with pytest.raises(bare_debian.SetupProblem, match=r"needs Python 3\.11 or later"):
        bare_debian.ensure()


@linux
def test_present_and_absent_are_told_apart(bootstrap: ModuleType) -> None:
    found = bootstrap.absent(
        {"libc6": "libc.so.6", "no-library": "libnothing.so.9", "no-program": "no-such-program"}
    )
    assert found == ["no-library", "no-program"]


def test_display(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap.sys, "platform", "linux")
    assert not bootstrap.has_display({"DISPLAY": ""})
    assert bootstrap.has_display({"DISPLAY": ":0"})
    assert bootstrap.has_display({"WAYLAND_DISPLAY": "wayland-0"})
    monkeypatch.setattr(bootstrap.sys, "platform", "win32")
    assert bootstrap.has_display({})


def test_lock_digest_is_the_same_on_windows(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    (tmp_path / "a.lock").write_bytes(b"x==1 \\\n  --hash\n")
    unix = bootstrap.digest("a.lock")
    (tmp_path / "a.lock").write_bytes(b"x==1 \\\r\n  --hash\r\n")
    assert bootstrap.digest("a.lock") == unix
    (tmp_path / "a.lock").write_bytes(b"x==2 \\\n  --hash\n")
    assert bootstrap.digest("a.lock") != unix


# ---------------------------------------------------------------------------- for real


class Checkout:
    """A checkout with empty lock files, so that its real `.venv` needs no network."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "packaging").mkdir()
        shutil.copy(FOLDER / "bootstrap.py", root / "packaging")
        (root / "resources").mkdir()
        shutil.copy(FOLDER.parent / "resources" / "system_libraries.json", root / "resources")
        for name in ("requirements.lock", "requirements-dev.lock", "requirements-slow.lock"):
            (root / name).write_text("", encoding="utf-8")

    @property
    def stamp(self) -> Path:
        return self.root / ".venv" / "headroom-stamp.json"

    def start(self) -> subprocess.Popen[str]:
        """Begin to run the script."""
        command = [sys.executable, "packaging/bootstrap.py"]
        return subprocess.Popen(command, cwd=self.root, stdout=subprocess.PIPE, text=True)

    def setup(self, *arguments: str) -> str:
        """Run the script for real; what it said."""
        done = subprocess.run(
            [sys.executable, "packaging/bootstrap.py", *arguments],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.mark.slow
def test_a_real_environment_is_made_once(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    both = [checkout.start() for _ in range(2)]  # at once: one makes it, the other waits for it
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    (first,) = [text for text in said if "creating .venv" in text]
    assert "installing requirements.lock" in first

    assert checkout.setup() == ""

    # More is wanted, then less: the larger lock holds the smaller.
    assert "installing requirements-dev.lock" in checkout.setup("--dev")
    assert checkout.setup("--dev") == checkout.setup() == ""

    # A lock changed: installed again, the environment kept.
    (tmp_path / "requirements.lock").write_text("\n\n", encoding="utf-8")
    changed = checkout.setup()
    assert "installing requirements.lock" in changed
    assert "creating" not in changed

    # The first run was interrupted before it could note its end: completed, not begun anew.
    checkout.stamp.unlink()
    completed = checkout.setup()
    assert "installing" in completed
    assert "creating" not in completed


@pytest.mark.parametrize(
    ("version", "stamp", "pip_answers", "made"),
    [
        ("3.11", {}, True, False),
        ("3.11", {"python": "3.11"}, True, False),
        ("3.11", {}, False, True),
        (None, {"python": "3.11"}, True, True),
        ("3.12", {"python": "3.11"}, True, True),
        ("3.11", {"python": "3.11", "place": "elsewhere"}, True, True),
        ("3.11", {"python": "3.11", "machine": "another"}, True, True),
    ],
    ids=["by hand", "sound", "no pip", "no Python", "Python renewed", "moved", "other machine"],
)
def test_an_environment_is_kept_while_it_is_sound(
    bootstrap: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    version: str | None,
    stamp: dict[str, str],
    pip_answers: bool,
    made: bool,
) -> None:
    whole = {**bootstrap.identity("3.11"), **stamp} if stamp else {}
    monkeypatch.setattr(bootstrap, "venv_version", lambda: version)
    monkeypatch.setattr(bootstrap, "read_stamp", lambda: whole)
    monkeypatch.setattr(bootstrap, "answer", lambda command: "pip 23" if pip_answers else None)
    monkeypatch.setattr(bootstrap, "make_venv", lambda: "made")
    assert (bootstrap.usable_venv() == "made") is made


# ---------------------------------------------------------------------------- its callers


def test_make_and_the_task_list_agree() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = re.search(r"^TASKS := (.*)$", makefile, re.MULTILINE)
    assert listed is not None
    assert set(listed[1].split()) == {task.name for task in load("run").TASKS}


def test_ci_runs_the_one_test_command() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert "make test </dev/null" in lines
    assert os.access(ROOT / ".ci" / "run", os.X_OK) or sys.platform == "win32"


@pytest.mark.parametrize(("arguments", "status"), [([], 0), (["--help"], 0), (["fly"], 2)])
def test_unknown_task_lists_the_known(
    arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    run = load("run")
    assert run.main(arguments) == status
    said = "".join(capsys.readouterr())
    assert all(f"  {task.name} " in said for task in run.TASKS)


def test_every_check_runs_and_one_failure_fails_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = load("run")
    called: list[tuple[str, ...]] = []

    def in_venv(*arguments: str) -> int:
        called.append(arguments)
        return int("mypy" in arguments)

    monkeypatch.setattr(run, "in_venv", in_venv)
    monkeypatch.setattr(run.bootstrap, "ensure", lambda *a, **k: None)
    assert run.main(["test"]) == 1
    assert called[-1] == ("-m", "pytest", *run.SIDE_BY_SIDE)
    assert len(called) == len(run.CHECKS) + 3, "mypy on all cores and alone, and pytest"
    assert capsys.readouterr().err == "failed: mypy\n"


def test_setup_problem_becomes_its_sentence_and_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = load("run")

    def fail(*_: object, **__: object) -> None:
        raise run.SetupProblem("no network", status=1)

    monkeypatch.setattr(run.bootstrap, "ensure", fail)
    assert run.main(["bench"]) == 1
    assert capsys.readouterr().err == "setup: no network\n"
