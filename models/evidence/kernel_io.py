"""CPU per I/O under ESX before hardware assistance: evidence family F, as a cross-check.

"IBM technote 1252786" (ESX 2.5 and 3.0, one vCPU) shows the mechanism behind the cost of
virtualisation there: work in the guest's kernel, which I/O causes, costs many times as much as on
bare metal, work in user mode about the same. Split a server's native CPU into a kernel share k and
the rest; a hypervisor that multiplies kernel time by m then takes

    v = 1 + k·(m − 1)   times the native CPU, of which   s = k·m/v   is kernel time.

That is no term of a prediction: family A's own ESX factor v was measured and holds all of it. But
with m from a copied file, v from family A and the fall of I/O with RAM from iNotes, the law says
how CPU must fall with RAM, which nobody fitted: `cpu_over_ram` and `models.fitting.transfers`.

Sources: of m and of what a copy costs the technote, its esxtop figures and vmstat listings; of v
WV21, of the fall with RAM the vSphere 4 paper, tables 5 and 6. The split is arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.base.quantities import Basis, FloatArray
from models.evidence.rows import Constant, Rows, figure, scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelCpu:
    """Family F: how much of the CPU the kernel takes for I/O, in a VM and native.

    Attributes:
        routing_kernel_pct: kernel share of CPU while a VM routes mail.
        copy_cpu_pct_vm, copy_cpu_pct_native: CPU during a file copy.
        kernel_multiplier: kernel time in a VM over that on bare metal, m.
        copy_cpu_s_per_mib: kernel time of a copy in a VM [CPU seconds per MiB read and written].
    """

    routing_kernel_pct: Constant
    copy_cpu_pct_vm: Constant
    copy_cpu_pct_native: Constant
    kernel_multiplier: Constant
    copy_cpu_s_per_mib: Constant


_NOTE = "technote 1252786, ESX 2.5 and 3.0, 1 vCPU, local disks"
_VM = tuple(f"technote/esxtop-cpu-by-the-vm-during-copy-{end}" for end in ("low", "high"))
_NATIVE = tuple(f"technote/native-file-copy-cpu-recent-hw-{end}" for end in ("low", "high"))
_COPY_SAMPLES = 6


def kernel_cpu(rows: Rows) -> KernelCpu:
    """The constants of family F, read from the evidence.

    Raises:
        ModelError: a row that a constant stands on is missing or blank.
    """
    return KernelCpu(
        routing_kernel_pct=scaled(
            rows, "technote/share-of-cpu-in-os-kernel-during-mail-routing", 1.0, "% of CPU", _NOTE
        ),
        copy_cpu_pct_vm=scaled(
            rows, "technote/cpu-during-file-copy-in-vm-all-kernel", 1.0, "%", _NOTE
        ),
        copy_cpu_pct_native=Constant(
            value=sum(figure(rows, id) for id in _NATIVE) / 2.0,
            unit="%",
            basis=Basis.MEASURED,
            evidence=_NATIVE,
            note="middle of 1 to 2 % on recent hardware",
        ),
        kernel_multiplier=_multiplier(rows),
        copy_cpu_s_per_mib=_copy_cost(rows),
    )


def _multiplier(rows: Rows) -> Constant:
    vm, native = (math.sqrt(math.prod(figure(rows, id) for id in ids)) for ids in (_VM, _NATIVE))
    return Constant(
        value=vm / native,
        unit="1",
        basis=Basis.MEASURED,
        evidence=_VM + _NATIVE,
        note="file copy, all kernel time: 30 to 50 % in the VM (esxtop) over 1 to 2 % native, "
        "geometric means; the corners are 15 and 50",
    )


def _copy_cost(rows: Rows) -> Constant:
    sample = "technote/vmstat/cp/{}/{}"
    kernel, written = (
        tuple(sample.format(number, column) for number in range(1, _COPY_SAMPLES + 1))
        for column in ("sy_pct", "bo")
    )
    interval = "technote/vmstat-interval"
    seconds = figure(rows, interval)
    busy_s = sum(figure(rows, id) for id in kernel) / 100.0 * seconds
    mib = sum(figure(rows, id) for id in written) * seconds / 1024.0
    return Constant(
        value=busy_s / mib,
        unit="CPU s/MiB",
        basis=Basis.MEASURED,
        evidence=(*kernel, *written, interval),
        note="vmstat every 2 s while 357 MiB are copied: kernel time over MiB written; the same "
        "source calls CPU figures inside a guest unreliable",
    )


def native_kernel_share(esx_factor: npt.ArrayLike, multiplier: float) -> FloatArray:
    """Share of native CPU that is kernel time, k = (v − 1)/(m − 1) [1].

    Args:
        esx_factor: CPU in the VM over native CPU v ≥ 1 [1].
        multiplier: kernel time in the VM over native kernel time m [1].

    Valid where user mode costs the same in a VM: ESX before hardware assistance.

    >>> round(float(native_kernel_share(2.567, 27.39)), 4)
    0.0594
    """
    return np.asarray((np.asarray(esx_factor, dtype=np.float64) - 1.0) / (multiplier - 1.0))


def virtual_kernel_share(esx_factor: npt.ArrayLike, multiplier: float) -> FloatArray:
    """Share of a VM's CPU that is kernel time, s = k·m/v [1].

    Valid as `native_kernel_share`. The technote saw 90 % while a VM routes mail and nothing else.

    >>> round(float(virtual_kernel_share(2.567, 27.39)), 3)
    0.634
    """
    share = native_kernel_share(esx_factor, multiplier)
    return np.asarray(share * multiplier / np.asarray(esx_factor, dtype=np.float64))


def cpu_over_ram(
    ram_ratio: npt.ArrayLike, *, kernel_share: npt.ArrayLike, miss_exponent: float
) -> FloatArray:
    """CPU of a VM with more RAM over that of the same VM with less [1].

    1/(1 − s + s·q^x): with q times the RAM there are q^(−x) times the I/Os and as much less kernel
    time; s is the kernel share with more RAM.

    Args:
        ram_ratio: q ≥ 1.
        kernel_share: s.
        miss_exponent: x, 0.42 by family B's iNotes runs.

    Valid before the knee. Against WV21, Clovertown under ESX 3.0.1, 14.5 over 7.25 GB: VMFS 0.82
    and 0.84 at 1,000 and 2,000 users. RDM fell more, to 0.61 and 0.63, and above 3,000 users CPU
    with less RAM grows more slowly than this on both paths, so that the sign turns.

    >>> round(float(cpu_over_ram(2.0, kernel_share=0.634, miss_exponent=0.4186)), 3)
    0.824
    """
    share = np.asarray(kernel_share, dtype=np.float64)
    more_io = np.asarray(ram_ratio, dtype=np.float64) ** miss_exponent
    return np.asarray(1.0 / (1.0 - share + share * more_io))


def cpu_ms_per_io(io_kib: npt.ArrayLike, cpu_s_per_mib: float) -> FloatArray:
    """Kernel time of one I/O in a VM if it costs as much per byte as a copy does [CPU ms].

    Args:
        io_kib: size of the I/O [KiB].
        cpu_s_per_mib: `KernelCpu.copy_cpu_s_per_mib`; a MiB copied is read and written.

    Valid for the sequential I/O of a copy under ESX 2.5 and 3.0. The size of its I/Os isn't said,
    so a cost per I/O can't be told from one per byte. At 64 KiB it comes near the 1.1 ms of CPU
    that VMFS took for each I/O which less RAM cost in WV21; at the 8 KiB of a database page it is
    a fifteenth of that: no demand is built on it.

    >>> cpu_ms_per_io([8.0, 64.0], 0.0193).round(3).tolist()
    [0.075, 0.603]
    """
    return np.asarray(np.asarray(io_kib, dtype=np.float64) / 1024.0 * cpu_s_per_mib / 2.0 * 1000.0)
