"""Exported proposals as the records of a project that they are kept in."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator

import msgspec

from db.codec import MAX_BYTES
from models.project import SIGNED, Entry, Project
from models.signing.signed import Signed

MOST = 20
"""Proposals kept beside a scenario; the oldest go first."""
MOST_BYTES = 4 * MAX_BYTES
"""Of one, unpacked: four scenarios stand in it at most."""


class _Packed(msgspec.Struct):
    """Scenario files say the same words over and over: packed they take a twentieth."""

    packed: str


def signed_of(entry: Entry) -> Iterator[Signed]:
    """The proposals that begin with a scenario, oldest first; what can't be read was of another
    program."""
    for record in entry.records_of(SIGNED):
        try:
            packed = msgspec.json.decode(record.content, type=_Packed).packed
            unpacking = zlib.decompressobj()
            plain = unpacking.decompress(base64.b64decode(packed, validate=True), MOST_BYTES)
            yield msgspec.json.decode(plain, type=Signed)
        except (msgspec.DecodeError, binascii.Error, ValueError, zlib.error):
            continue


def all_signed(project: Project) -> tuple[Signed, ...]:
    """Every proposal that a project keeps, oldest first."""
    found = (signed for entry in project.entries for signed in signed_of(entry))
    return tuple(sorted(found, key=lambda each: each.at))


def with_signed(project: Project, signed: Signed) -> Project:
    """The project with one more proposal beside the first of its scenarios."""
    id = signed.scenarios[0].id
    kept = [*signed_of(project.entry(id)), signed][-MOST:]
    return project.with_records(id, SIGNED, map(_content, kept))


def _content(signed: Signed) -> str:
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(signed), 9)).decode()
    return msgspec.json.encode(_Packed(packed=packed)).decode()
