"""What is promised to the byte, under the settings of several processors (`make test-portable`).

NumPy, OpenBLAS and the GNU C library choose their routines by what the processor can do, and each
has other last bits. They can be told to do without: so one machine stands for several. The first
setting makes what is promised, and signs a proposal; each other makes it again, and the
calibration, which the machine of whoever renewed it made. The examples' goldens take longer than
all the rest: they are made as the usual machine would and as the one that is least like it, and
beside all else. With `--least` it is only that one, as for each change that comes in.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROMISED = "HEADROOM_PROMISED"
TESTS = ("tests/portable", "tests/models/evidence/test_calibration.py")
GOLDENS = ("tests/golden",)
WIDE = ("AVX512", "X86_V4")
"""How names of the sets of instructions begin that work on 512 bits."""
SKYLAKE = frozenset({"X86_V4", "AVX512_SKX"})
"""Names of what OpenBLAS' kernels for AVX-512 take; the latter in older NumPys."""
NO_FMA = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ"
SIMPLE = {"aarch64": "ARMV8", "arm64": "ARMV8"}
"""Kernels of OpenBLAS that every processor of a kind can run; of others it knows none."""


@dataclass(frozen=True)
class Setting:
    """A processor that this one is to be like, by environment variables; `makes_goldens`: also of
    the examples."""

    name: str
    environ: dict[str, str]
    makes_goldens: bool = False


def found_features() -> list[str]:
    """Sets of instructions that this processor has and NumPy's routines can do without."""
    import numpy as np

    found = np.show_config(mode="dicts") or {}
    return list(found.get("SIMD Extensions", {}).get("found", ()))


def settings(features: Sequence[str], machine: str) -> tuple[Setting, ...]:
    """The settings that a processor with these features can take: one is named only where it is
    found, and no kernel is asked for that it can't run.

    Args:
        machine: as `platform.machine` says it.
    """
    return tuple(_settings(features, machine.lower()))


def _settings(features: Sequence[str], machine: str) -> Iterator[Setting]:
    wide = [each for each in features if each.startswith(WIDE)]
    yield Setting("as it is", {})
    if machine not in ("x86_64", "amd64"):
        none = {"NPY_DISABLE_CPU_FEATURES": " ".join(features)} if features else {}
        kernel = {"OPENBLAS_CORETYPE": SIMPLE[machine]} if machine in SIMPLE else {}
        alone = {"OPENBLAS_NUM_THREADS": "1"}
        yield Setting("without extensions", none)
        yield Setting("the simplest kernels", kernel | alone)
        yield Setting("without extensions, the simplest kernels", none | kernel | alone, True)
        return
    if not SKYLAKE.isdisjoint(features):
        yield Setting("AVX-512, its kernels", {"OPENBLAS_CORETYPE": "SkylakeX"})
    narrow = {"NPY_DISABLE_CPU_FEATURES": " ".join(wide)} if wide else {}
    if set(features) - set(wide):
        yield Setting("AVX2", narrow | {"OPENBLAS_CORETYPE": "Haswell"}, True)
    oldest = {"OPENBLAS_CORETYPE": "Nehalem", "GLIBC_TUNABLES": NO_FMA}
    if features:
        oldest["NPY_DISABLE_CPU_FEATURES"] = " ".join(features)
    yield Setting("neither AVX2 nor FMA", oldest, True)
    yield Setting("kernels of SSE2", {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "1"})


Done = subprocess.CompletedProcess[str]


def under(setting: Setting, *arguments: str, **more: str) -> Done:
    """Call Python as if on such a processor."""
    taken = ("NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE", "GLIBC_TUNABLES")
    environ = {name: value for name, value in os.environ.items() if name not in taken}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environ | setting.environ | more | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def jobs(chosen: Sequence[Setting]) -> list[tuple[Setting, tuple[str, ...]]]:
    """What is tried of each setting in a process of its own, the longest first."""
    goldens = [(each, GOLDENS) for each in chosen if each.makes_goldens]
    return [*goldens, *((each, TESTS) for each in chosen)]


def tested(
    setting: Setting, where: Sequence[str], promised: str
) -> tuple[Setting, Sequence[str], Done, float]:
    """What is promised, made again, and how long it took [s]."""
    started = time.monotonic()
    chosen = ("-q", "-n", "0", "-m", "portable", "-p", "no:cacheprovider")
    done = under(setting, "-m", "pytest", *chosen, *where, **{PROMISED: promised})
    return setting, where, done, time.monotonic() - started


def told(setting: Setting, where: Sequence[str], done: Done, seconds: float) -> bool:
    """Print how it went; whether anything differed."""
    how = "FAILED" if done.returncode else "ok"
    print(f"--- {setting.name}: {' '.join(where)}: {how}, {seconds:.0f} s")
    for name, value in setting.environ.items():
        print(f"    {name}={value}")
    if done.returncode:
        print(done.stdout)
    return done.returncode != 0


def main(arguments: Sequence[str]) -> int:
    """Run every setting but the machine’s own, in which all tests run anyway, as many side by side
    as there are cores; 1 where one fails."""
    here, *others = settings(found_features(), platform.machine())
    if "--least" in arguments:
        others = [each for each in others if each.makes_goldens][-1:]
    with tempfile.TemporaryDirectory() as folder:
        made = under(here, "-m", "tests.portable.promised", folder)
        if made.returncode:
            print(made.stdout, file=sys.stderr)
            return 1
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            results = pool.map(lambda job: tested(job[0], job[1], folder), jobs(others))
            failed = [each[0].name for each in results if told(*each)]
    if failed:
        print(f"other bytes: {'; '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
