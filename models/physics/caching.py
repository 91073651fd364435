"""What RAM and the size of mail files make of disk I/O: how far caches reach, and what is left."""

from __future__ import annotations

import numpy as np

from models.physics.laws import MAIL_FILE_MB
from models.physics.storage import DEFAULT_READ_SHARE
from models.quantities import GIB_PER_GB, FloatArray
from models.record import record

B_RAM_GIB = 8.0
"""RAM of the VMs of family B that the other RAM sizes are compared with."""

LARGEST_RAM_RUN_GIB = 2 * B_RAM_GIB
"""Largest memory that was run (vSphere 4 paper, tables 3 and 6)."""

PROGRAM_GIB = 4.0
"""Memory of the system and the server itself, its buffer pool of 512 MB and views among it; the
rest caches files. Stated, 2 to 8: HCL's least for production is 4 GB, a 32-bit server could have
no more than 4 (IBM technote 1296452), and IBM saw nothing gained by a larger pool."""

FILES_EXPONENT = 0.21
"""I/Os per user grow with the size of mail files to this power. Stated, between 0 (IBM 2005, “Best
practices for large Lotus Notes mail files”: 700 MB on average without a noticeable effect) and the
0.42 by which misses follow the share that is cached: the vSphere 4 paper offset the I/O of its
large mail files with twice the RAM."""


@record
class Cache:
    """What RAM and mail files make of a user's disk I/O, shape (n,).

    Attributes:
        as_run: I/Os over those at 8 GB, of mail files as they ran, no further than RAM was run.
        reach: I/Os here over that: more RAM, as far as caches can use it, and larger mail files.
        waits: the same as far as responses know of it: of files that are all in memory no less is
            read, but it isn't waited for.
        files: share of `reach` by the size of mail files; `files_half_width` its half width, ln.
        ram_gib: RAM that counts.
    """

    as_run: FloatArray
    reach: FloatArray
    waits: FloatArray
    files: FloatArray
    files_half_width: FloatArray
    ram_gib: FloatArray


POOL_MB = 512.0
"""Buffer pool within `PROGRAM_GIB` where none is stated."""


def cache_of(
    ram_gib: FloatArray,
    mail_file_mb: FloatArray,
    mail_owners: FloatArray,
    exponent: float,
    *,
    buffer_pool_mb: FloatArray | float = np.nan,
) -> Cache:
    """How disk I/O follows RAM and mail files.

    I/O(8 GB)·max((RAM/8)^−x, writes)·(size/87.5 MB)^0.21 with RAM no larger than the programs and
    all mail files together, at least the 16 GB that was run; x the `exponent`. Writes reach the
    disks whatever is cached: of what is read and written at 8 GB they are what reads leave. Sizes
    that aren't stated count as those that ran.

    Valid from 8 to 16 GB, and beyond as a statement. Sources: of x the vSphere 4 paper, tables 5
    and 6; of the read share `storage.DEFAULT_READ_SHARE`; `PROGRAM_GIB`, `FILES_EXPONENT`.

    A server of 1,000 with 8, 64 and 512 GiB: never less than 30 % of the I/Os, which are writes.

    >>> ram, thousand = np.array([8.0, 64.0, 512.0]), np.full(3, 1000.0)
    >>> cache = cache_of(ram, np.full(3, 87.5), thousand, 0.42)
    >>> cache.ram_gib.round().tolist(), (cache.as_run * cache.reach).round(2).tolist()
    ([8.0, 64.0, 85.0], [1.0, 0.42, 0.37])
    """
    stated = mail_file_mb > 0
    pool = np.nan_to_num(buffer_pool_mb, nan=POOL_MB)
    program = PROGRAM_GIB + (pool - POOL_MB) / 1024.0
    kept = mail_owners * mail_file_mb / 1000.0 * GIB_PER_GB + program
    most = np.where(stated, np.maximum(kept, LARGEST_RAM_RUN_GIB), np.inf)
    counted = np.minimum(ram_gib, most)
    as_run = (np.minimum(ram_gib, LARGEST_RAM_RUN_GIB) / B_RAM_GIB) ** -exponent
    ram = np.array([counted, ram_gib])
    here = np.maximum((ram / B_RAM_GIB) ** -exponent, 1.0 - DEFAULT_READ_SHARE)
    log_size = np.log(np.where(stated, mail_file_mb, MAIL_FILE_MB) / MAIL_FILE_MB)
    files = np.exp(FILES_EXPONENT * log_size)
    reach, waits = here / as_run * files
    return Cache(as_run, reach, waits, files, FILES_EXPONENT * np.abs(log_size), counted)
