"""Settings survive a restart, and bad ones do no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from app.paths import data_path
from app.settings import RECENT_LIMIT, Settings
from app.stylesheet import SYSTEM


def test_first_start(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "new.ini")
    assert (settings.recent, settings.appearance) == ((), SYSTEM)
    assert settings.state("window") is None


def test_everything_comes_back(tmp_path: Path) -> None:
    first = Settings(tmp_path / "s.ini")
    first.appearance = "Dark"
    first.set_state("window", QByteArray(b"abc"))
    first.flush()
    second = Settings(tmp_path / "s.ini")
    assert second.appearance == "Dark"
    assert second.state("window") == QByteArray(b"abc")


def test_recent_files_are_few_and_newest_first(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "s.ini")
    files = [tmp_path / f"{n}.headroom" for n in range(RECENT_LIMIT + 2)]
    for file in files:
        file.touch()
        settings.add_recent(file)
    settings.add_recent(files[3])
    assert settings.recent[0] == files[3]
    assert len(settings.recent) == RECENT_LIMIT
    settings.forget_recent(files[3])
    assert files[3] not in settings.recent
    settings.clear_recent()
    assert settings.recent == ()


def test_recent_files_are_not_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be read raised, and a drive that is away takes its time."""
    file = tmp_path / "a.headroom"
    settings = Settings(tmp_path / "s.ini")
    settings.add_recent(file)

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.stat", fail)
    assert settings.recent == (file,)


def test_one_recent_file_is_a_list_too(tmp_path: Path) -> None:
    file = tmp_path / "only.headroom"
    file.touch()
    Settings(tmp_path / "s.ini").add_recent(file)
    assert Settings(tmp_path / "s.ini").recent == (file,)


def test_the_library_lies_beside_settings_of_its_own_path(tmp_path: Path) -> None:
    assert Settings(tmp_path / "s.ini").library == tmp_path / "library.db"
    assert Settings().library == data_path()
