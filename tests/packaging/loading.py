"""The scripts of packaging/ as modules: the folder is no package, so they are loaded by path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "packaging"


def load(name: str) -> ModuleType:
    """A fresh copy of packaging/`name`.py, so that a test may change its names."""
    spec = importlib.util.spec_from_file_location(f"packaging_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(FOLDER))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
        del sys.modules[spec.name]
    return module
