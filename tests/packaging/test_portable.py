"""Settings of `make test-portable`: each is one that the processor at hand can take."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.packaging.loading import load

PORTABLE = load("portable")
NEW = ["X86_V3", "X86_V4", "AVX512_ICL", "AVX512_SPR"]
OLDER_NAMES = ["AVX2", "FMA3", "AVX512F", "AVX512_SKX"]


@pytest.mark.parametrize(
    ("features", "machine", "count"),
    [
        (NEW, "x86_64", 5),
        (OLDER_NAMES, "AMD64", 5),
        (["X86_V3"], "x86_64", 4),
        ([], "x86_64", 3),
        (["ASIMDHP", "SVE"], "aarch64", 4),
        ([], "riscv64", 4),
    ],
)
def test_only_what_a_processor_has_is_named(features: list[str], machine: str, count: int) -> None:
    found = PORTABLE.settings(features, machine)
    assert len(found) == count == len({each.name for each in found})
    assert found[0].environ == {}
    for each in found:
        named = each.environ.get("NPY_DISABLE_CPU_FEATURES", "").split()
        assert set(named) <= set(features)
        kernel = each.environ.get("OPENBLAS_CORETYPE", "")
        assert kernel != "SkylakeX" or features in (NEW, OLDER_NAMES)
        assert kernel != "Haswell" or features
        assert not kernel or machine != "riscv64"


def test_every_setting_can_be_taken_here() -> None:
    import platform

    features = PORTABLE.found_features()
    lacking = "import json, numpy; s = numpy.show_config(mode='dicts')['SIMD Extensions']; "
    lacking += (
        "print(json.dumps([float((numpy.ones((9, 9)) @ numpy.ones(9)).sum()), s.get('found', [])]))"
    )
    for setting in PORTABLE.settings(features, platform.machine()):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", lacking],
            env={**os.environ, **setting.environ},
            capture_output=True,
            text=True,
            check=True,
        )
        total, left = json.loads(done.stdout)
        assert total == 81.0
        named = setting.environ.get("NPY_DISABLE_CPU_FEATURES", "").split()
        assert set(left) == set(features) - set(named)
