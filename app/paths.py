"""Where the files of this user lie."""

from __future__ import annotations

from pathlib import Path

import platformdirs

PROGRAM = "headroom"
LIBRARY = "library.db"
RECOVERY = "recovery"
PROFILES = "columns"
PROJECTS = "projects.json"
PRICES = "prices.csv"


def config_path() -> Path:
    """Where the settings file of this user lies."""
    return Path(platformdirs.user_config_dir(PROGRAM, appauthor=False)) / "settings.ini"


def data_path() -> Path:
    """Where the personal library of catalog entries of this user lies."""
    return Path(platformdirs.user_data_dir(PROGRAM, appauthor=False)) / LIBRARY


def profiles_path() -> Path:
    """The folder of what this user said of the columns of tables."""
    return Path(platformdirs.user_data_dir(PROGRAM, appauthor=False)) / PROFILES


def projects_path() -> Path:
    """Where it is kept what is known of the projects of this machine."""
    return Path(platformdirs.user_data_dir(PROGRAM, appauthor=False)) / PROJECTS


def prices_path() -> Path:
    """Where this user's price book for all projects is kept."""
    return Path(platformdirs.user_data_dir(PROGRAM, appauthor=False)) / PRICES


def recovery_path() -> Path:
    """The folder of copies of this user's unsaved work."""
    return Path(platformdirs.user_state_dir(PROGRAM, appauthor=False)) / RECOVERY
