"""What tests ask in a process beside this one: it answers, or ends as libraries do."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def answer_aside(parts: Sequence[bytes]) -> Sequence[bytes]:
    match parts[0]:
        case b"memory":
            held = []
            while True:
                held.append(bytearray(2**20))
        case b"time":
            while True:
                pass
        case b"abort":
            os.abort()
        case b"leave":
            sys.exit(3)
        case b"lie":
            os.write(1, b"no answer")
        case b"net":
            return [_socket()]
    return list(reversed(parts))


def _socket() -> bytes:
    from socket import AF_INET, socket

    try:
        socket(AF_INET).close()
    except OSError as error:
        return type(error).__name__.encode()
    return b"open"
