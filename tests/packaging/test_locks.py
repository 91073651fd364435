"""The lock files say what pyproject.toml asks for, exactly and on every platform."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging.loading import ROOT, load

RUN, DEV, SLOW = "requirements.lock", "requirements-dev.lock", "requirements-slow.lock"
PLATFORMS = tuple(
    {"python_full_version": f"{v}.4", "python_version": v, "sys_platform": s, "platform_system": p}
    for v in ("3.11", "3.12", "3.13", "3.14")
    for s, p in (("linux", "Linux"), ("win32", "Windows"), ("darwin", "Darwin"))
)


def entries(name: str) -> list[str]:
    """The entries of a lock file, each on one line."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def pins(name: str, environment: dict[str, str]) -> dict[str, str]:
    """Distribution -> version on one platform."""
    found: dict[str, str] = {}
    for entry in entries(name):
        requirement = Requirement(entry.split("--hash", maxsplit=1)[0].strip())
        if requirement.marker is None or requirement.marker.evaluate(dict(environment)):
            key = canonicalize_name(requirement.name)
            assert key not in found, f"two versions of {key} on one platform"
            found[key] = str(requirement.specifier).removeprefix("==")
    return found


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def wanted(name: str) -> list[Requirement]:
    """The requirements of pyproject.toml that a lock answers."""
    groups = project()["dependency-groups"]
    lines = list(project()["project"]["dependencies"])
    lines += groups["dev"] if name in (DEV, SLOW) else []
    lines += groups["slow"] if name == SLOW else []
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("name", [RUN, DEV, SLOW])
def test_every_entry_is_exact_and_hashed(name: str) -> None:
    for entry in entries(name):
        assert re.match(r"[a-z0-9-]+==[\w.]+ ", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


@pytest.mark.parametrize("environment", PLATFORMS, ids=lambda e: "-".join(e.values()))
@pytest.mark.parametrize("name", [RUN, DEV, SLOW])
def test_lock_answers_pyproject(name: str, environment: dict[str, str]) -> None:
    pinned = pins(name, environment)
    for requirement in wanted(name):
        if requirement.marker is None or requirement.marker.evaluate(dict(environment)):
            version = pinned[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"{requirement}: {version}"


@pytest.mark.parametrize("environment", PLATFORMS, ids=lambda e: "-".join(e.values()))
def test_a_larger_lock_holds_the_smaller(environment: dict[str, str]) -> None:
    run, dev, slow = (pins(name, environment) for name in (RUN, DEV, SLOW))
    assert run.items() <= dev.items() <= slow.items()


def test_python_3_11_gets_a_sound_binding() -> None:
    for environment in PLATFORMS:
        version = pins(RUN, environment)["pyside6-essentials"]
        if environment["python_version"] == "3.11":
            assert Requirement("x<6.12").specifier.contains(version)
        assert version == pins(RUN, environment)["shiboken6"]


def test_what_runs_is_named_with_its_licence() -> None:
    text = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8").lower()
    for environment in PLATFORMS:
        assert not [name for name in pins(RUN, environment) if name not in text]


@pytest.mark.parametrize(
    "line",
    [
        "--index" + "-url https://example.com/packages-by-name",
        "# made with a tool in a folder",
        "numpy==2.4.6",
        "numpy @ https://example.com/numpy.whl --hash=sha256:00",
    ],
)
def test_lock_writer_refuses_what_is_not_portable(line: str) -> None:
    sound = "typst==0.15.0 \\\n    --hash=sha256:00\n"
    assert load("lock").problems(sound) == []
    assert load("lock").problems(sound + line + "\n")
