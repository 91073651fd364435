"""Work on what other people made, in a process of its own.

Libraries that read workbooks or set documents end the whole process where memory is refused, and no
`except` sees it. Here they end a process that has nothing else to lose: it has limits of memory and
time, no network, and answers bytes, which are data and never code.

`Aside` is the side that asks. The other is this module run as a program (in the bundle, the program
itself with `FLAG`): it imports one module and answers by its function `answer_aside`.
"""

from __future__ import annotations

import os
import queue
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO, Any

FLAG = "--aside"
POLL_S = 0.05
"""After so long somebody asks again whether the answer is still wanted."""
MOST_BYTES = 2**30
"""Of an answer: what states more is none."""
ADDRESSES_MB = 1024
"""Of addresses beyond the memory itself: libraries, stacks of threads."""
_COUNT, _LENGTH = struct.Struct("<I"), struct.Struct("<Q")
_OF_MEMORY = (b"memory allocation of", b"MemoryError")
_MOST_SAID = 64 * 2**10
_NOWHERE = "http://127.0.0.1:9"

Parts = Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Limits:
    """What the process may take: memory [MB], and seconds of the processor."""

    megabytes: int
    seconds: float


class Died(Exception):
    """It ended without an answer.

    Attributes:
        of_memory, of_time: because of its limits; neither: it ended itself.
        said: its last words.
    """

    def __init__(self, said: str = "", *, of_memory: bool = False, of_time: bool = False) -> None:
        self.said, self.of_memory, self.of_time = said, of_memory, of_time
        super().__init__(said)


# --- who asks -----------------------------------------------------------------------------------


class Aside:
    """A process that answers, one question after the other.

    Args:
        module: what answers, by the name of the module.

    Attributes:
        holds: what it was last given to hold, for who asks.
    """

    def __init__(self, module: str, limits: Limits) -> None:
        self.limits = limits
        self.holds: object = None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [*_program(), module, str(limits.megabytes), str(limits.seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._answers: queue.SimpleQueue[list[bytes] | None] = queue.SimpleQueue()
        listener = threading.Thread(
            target=_listen, args=(self._process.stdout, self._answers), daemon=True
        )
        listener.start()
        self.close = weakref.finalize(self, _end, self._process, listener, self._said)

    @property
    def is_there(self) -> bool:
        return self.close.alive and self._process.poll() is None

    def ask(self, parts: Parts, check: Callable[[], None] = lambda: None) -> list[bytes]:
        """The answer to a question.

        Args:
            check: asked again and again meanwhile; what it raises ends the process.

        Raises:
            Died: there is no answer.
        """
        answer = None
        try:
            with suppress(BrokenPipeError, OSError):  # it died: the answer says why
                assert self._process.stdin is not None
                _write(self._process.stdin, parts)
            while answer is None:
                check()
                with suppress(queue.Empty):
                    answer = self._answers.get(timeout=POLL_S)
                    if answer is None:
                        raise self._death()
            return answer
        finally:
            if answer is None:
                self.close()

    def _death(self) -> Died:
        """Why it is gone."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5.0)
        self._said.seek(0, os.SEEK_END)
        self._said.seek(max(self._said.tell() - _MOST_SAID, 0))
        said = self._said.read()
        ended_by = -(self._process.returncode or 0)
        # A system that is short of memory itself kills without a word.
        is_killed = ended_by == getattr(signal, "SIGKILL", None)
        return Died(
            said.decode(errors="replace"),
            of_memory=is_killed or any(each in said for each in _OF_MEMORY),
            of_time=ended_by == getattr(signal, "SIGXCPU", None),
        )


def _program() -> list[str]:
    """What runs this module: the interpreter, or in the bundle the program itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, FLAG]
    return [sys.executable, "-m", "db.aside"]


def _environment() -> dict[str, str]:
    """That of this process, without a way out and without a folder of somebody else to import
    from."""
    given = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    ways = {f"{scheme}_proxy": _NOWHERE for scheme in ("all", "http", "https")}
    given |= ways | {name.upper(): value for name, value in ways.items()}
    if not getattr(sys, "frozen", False):
        root = str(Path(__file__).parents[1])
        given["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        given["PYTHONSAFEPATH"] = "1"
    threads = str(min(os.cpu_count() or 1, 8))
    return given | {"MALLOC_ARENA_MAX": "2", "RAYON_NUM_THREADS": threads, "RUST_BACKTRACE": "0"}


def _listen(stream: IO[bytes], answers: queue.SimpleQueue[list[bytes] | None]) -> None:
    with suppress(OSError, ValueError):  # closed meanwhile
        while (answer := _read(stream)) is not None:
            answers.put(answer)
    answers.put(None)


def _end(process: subprocess.Popen[bytes], listener: threading.Thread, said: IO[bytes]) -> None:
    process.kill()
    process.wait()
    listener.join(timeout=5.0)
    for stream in (process.stdin, process.stdout, said):
        with suppress(OSError):
            if stream is not None:
                stream.close()


# --- both sides ---------------------------------------------------------------------------------


def _write(stream: IO[bytes], parts: Parts) -> None:
    stream.write(_COUNT.pack(len(parts)) + b"".join(_LENGTH.pack(len(each)) for each in parts))
    for each in parts:
        stream.write(each)
    stream.flush()


def _read(stream: IO[bytes]) -> list[bytes] | None:
    """The next message; None where there is none any more."""
    head = stream.read(_COUNT.size)
    if len(head) < _COUNT.size:
        return None
    count = _COUNT.unpack(head)[0]
    lengths = stream.read(_LENGTH.size * min(count, 2**20))
    if len(lengths) < _LENGTH.size * count:
        return None
    sizes = [each for (each,) in _LENGTH.iter_unpack(lengths)]
    if sum(sizes) > MOST_BYTES:
        return None
    parts = [stream.read(size) for size in sizes]
    return parts if [len(each) for each in parts] == sizes else None


# --- who answers --------------------------------------------------------------------------------


def main(given: Sequence[str]) -> int:
    """Answer until nobody asks any more.

    Args:
        given: name of the module, megabytes, seconds.
    """
    module, megabytes, seconds = given
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks decides
    _bound(int(megabytes), float(seconds))
    _go_offline()
    questions = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    answer: Callable[[Sequence[bytes]], Parts] = import_module(module).answer_aside
    while (parts := _read(questions)) is not None:
        _write(answers, answer(parts))
    return 0


def _bound(megabytes: int, seconds: float) -> None:
    """What the system knows of limits; Windows knows none, there who asks has a clock."""
    try:
        import resource
    except ImportError:
        return
    wanted: Mapping[str, int] = {
        "RLIMIT_DATA": megabytes << 20,
        "RLIMIT_AS": (megabytes + ADDRESSES_MB) << 20,
        "RLIMIT_CPU": int(seconds) + 1,  # from here on a signal says so
        "RLIMIT_FSIZE": 2**20,
        "RLIMIT_CORE": 0,
    }
    for name, most in wanted.items():
        with suppress(AttributeError, OSError, ValueError):
            kind = getattr(resource, name)
            _, hard = resource.getrlimit(kind)
            soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (soft, hard))


_ARCHITECTURES = {"x86_64": (0xC000003E, (41, 42, 425)), "aarch64": (0xC00000B7, (198, 203, 425))}
"""Of Linux: its number in seccomp, and the calls socket, connect and io_uring_setup."""


def _go_offline() -> None:
    """Have the kernel refuse every socket, where it can (Linux, seccomp mode 2); elsewhere a proxy
    that leads nowhere has to do."""
    if sys.platform != "linux":
        return
    import ctypes
    import platform

    found = _ARCHITECTURES.get(platform.machine())
    if found is None:
        return
    architecture, calls = found
    # Load the architecture, let another one pass; load the call, refuse those.
    steps = [(0x20, 0, 0, 4), (0x15, 0, len(calls) + 1, architecture), (0x20, 0, 0, 0)]
    steps += [(0x15, len(calls) - at, 0, call) for at, call in enumerate(calls)]
    steps += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | 13)]
    code = b"".join(struct.pack("<HBBI", *step) for step in steps)

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))

    with suppress(OSError, AttributeError):
        prctl: Any = ctypes.CDLL(None).prctl
        program = Program(len(steps), code)
        prctl(38, 1, 0, 0, 0)  # no new privileges
        prctl(22, 2, ctypes.byref(program), 0, 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
