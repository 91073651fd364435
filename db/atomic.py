"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from db.door import NOT_ORDINARY, opened
from db.errors import MachineProblem, StoreError
from models.base.texts import say

_SENTENCES = {
    errno.ENOENT: say("can't be written: its folder doesn't exist"),
    errno.ENOTDIR: say("can't be written: its folder doesn't exist"),
    errno.EISDIR: say("is a folder"),
    errno.EACCES: say(
        "can't be written: you may not write to its folder, or another program has it open"
    ),
    errno.EPERM: say("can't be written: you may not write to its folder"),
    errno.EROFS: say("can't be written: the disk is write-protected"),
    errno.ENOSPC: say("can't be written: the disk is full"),
    errno.EDQUOT: say("can't be written: your share of the disk is used up"),
    errno.ENAMETOOLONG: say("can't be written: the name is too long"),
}
_OURS = re.compile(r"\.headroom-[0-9a-f]{16}\.tmp")
STALE_S = 3600.0
"""Age from which a file beside is what a program left that was killed: writing takes seconds."""
OF_THE_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def write_atomically(path: str | Path, data: bytes, *, is_secret: bool = False) -> None:
    """Put `data` into the file: until all of it is safely on disk the old content stays.

    A link is followed; permissions of an existing file stay where the drive knows any. Until then
    nobody else may read what is written; nor afterwards, if it `is_secret`.

    Raises:
        StoreError: the file can't be written; whatever was there is untouched.
        MachineProblem: likewise, and no other name would help.
    """
    target = _target(path)
    # A short name of its own: the file's name may be as long as names can be.
    beside = target.with_name(f".headroom-{os.urandom(8).hex()}.tmp")
    try:
        _write(beside, data)
        if not is_secret:
            with suppress(OSError):  # some network drives refuse every change of permissions
                beside.chmod(_mode_of(target))
        beside.replace(target)
    except OSError as error:
        kind = MachineProblem if error.errno in OF_THE_MACHINE else StoreError
        raise kind(write_sentence(error), path) from error
    finally:
        with suppress(OSError):
            beside.unlink()
    with suppress(OSError):
        _flush_folder(target.parent)
    with suppress(OSError):
        _remove_stale(target.parent)


def check_writable(path: str | Path) -> None:
    """Find out early what can be known before there is something to write.

    Raises:
        StoreError: there is no such folder, or what is there can't be replaced.
    """
    try:
        _target(path).parent.resolve(strict=True)
    except OSError as error:
        raise StoreError(write_sentence(error), path) from error


def digest_of(path: Path) -> str | None:
    """SHA-256 of what an ordinary file holds; None where there is none to be read, and of one that
    is larger than `MOST_DIGESTED`."""
    try:
        with opened(path) as file:
            if os.fstat(file.fileno()).st_size > MOST_DIGESTED:
                return None
            digest = hashlib.sha256()
            while part := file.read(CHUNK):
                digest.update(part)
            return digest.hexdigest()
    except (OSError, StoreError):
        return None


MOST_DIGESTED, CHUNK = 256 * 2**20, 2**20
"""More than any project has, and what is read at once [bytes]."""


def stamp_of(path: Path) -> tuple[int, int] | None:
    """Size [bytes] and time of change [ns] of a file; None when there is none to be read."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def turn_of(path: Path) -> tuple[int, int] | None:
    """Number of a file on its drive and when the system last changed it [ns], which no program
    sets: they tell contents of equal size and time apart. None when there is none to be read."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


def _target(path: str | Path) -> Path:
    nowhere = StoreError(say("is a link that leads nowhere"), path)
    try:
        target = Path(path).resolve()
        if target.is_symlink():  # one of a circle; up to Python 3.12 that is a RuntimeError
            raise nowhere
        if target.is_dir():
            raise StoreError(_SENTENCES[errno.EISDIR], path)
        if target.exists() and not target.is_file():
            raise StoreError(NOT_ORDINARY, path)
        if target.exists() and not os.access(target, os.W_OK):
            raise StoreError(say("is write-protected; save under another name"), path)
    except RuntimeError as error:
        raise nowhere from error
    except OSError as error:
        raise StoreError(write_sentence(error), path) from error
    return target


def write_sentence(error: OSError) -> str:
    """What an `OSError` while writing means for the person who named the file."""
    reason = (error.strerror or type(error).__name__).lower()
    return _SENTENCES.get(error.errno or 0, say("can't be written: {reason}", reason=reason))


def _write(path: Path, data: bytes) -> None:
    """Write a new file to disk."""
    if not _write_nameless(path, data):
        with os.fdopen(os.open(path, _NEW, 0o600), "wb") as file:
            _put(file, data)


def _write_nameless(path: Path, data: bytes) -> bool:
    """The same without a name until it is whole, so that a program that is killed leaves nothing
    behind; false where system or drive can't."""
    try:
        handle = os.open(path.parent, os.O_WRONLY | os.O_TMPFILE, 0o600)
    except (AttributeError, OSError):
        return False
    with os.fdopen(handle, "wb") as file:
        _put(file, data)
        try:
            # It is followed only with a folder, which counts for nothing: the path is whole.
            nameless = f"/proc/self/fd/{file.fileno()}"
            os.link(nameless, path, src_dir_fd=file.fileno(), follow_symlinks=True)
        except OSError:
            return False
    return True


def _put(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def _mode_of(target: Path) -> int:
    """The permissions of a file, or those that a new one gets here."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0o077)  # it can't be asked for without being set
        os.umask(mask)
        return 0o666 & ~mask


def _remove_stale(folder: Path) -> None:
    """Files beside that a killed program left: there is customers' data in them."""
    with os.scandir(folder) as found:
        ours = [each for each in found if _OURS.fullmatch(each.name)]
    for each in ours:
        with suppress(OSError):
            age_s = time.time() - each.stat(follow_symlinks=False).st_mtime
            if age_s > STALE_S and each.is_file(follow_symlinks=False):
                Path(each.path).unlink()


def _flush_folder(folder: Path) -> None:
    """Make the new name safe too; Windows has no such call and needs none."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
