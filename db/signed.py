"""Exported proposals as the records of a project that they are kept in."""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import msgspec

from db.codec import MAX_BYTES
from models.project.project import SIGNED, Entry, Project
from models.signing.signed import Signed

MOST_BYTES = 8 * MAX_BYTES
"""Of one, unpacked: four scenarios stand in it at most, each with an earlier one."""


class _Packed(msgspec.Struct):
    """Scenario files say the same words over and over: packed they take a twentieth.

    `sha256` is that of what is packed, so that whatever is changed of it is noticed.
    """

    packed: str
    sha256: str = ""


def signed_of(entry: Entry) -> Iterator[Signed]:
    """The proposals that begin with a scenario, oldest first; what can't be read was of another
    program."""
    for record in entry.records_of(SIGNED):
        try:
            kept = msgspec.json.decode(record.content, type=_Packed)
            unpacking = zlib.decompressobj()
            plain = unpacking.decompress(base64.b64decode(kept.packed, validate=True), MOST_BYTES)
            is_whole = kept.sha256 == _sha256(plain) if kept.sha256 else None
            yield replace(msgspec.json.decode(plain, type=Signed), is_whole=is_whole)
        except (msgspec.DecodeError, binascii.Error, ValueError, zlib.error):
            continue


def all_signed(project: Project) -> tuple[Signed, ...]:
    """Every proposal that a project keeps, oldest first, whatever zone each was exported in."""
    found = (signed for entry in project.entries for signed in signed_of(entry))
    return tuple(sorted(found, key=_moment))


def _moment(signed: Signed) -> tuple[float, str]:
    try:
        return datetime.fromisoformat(signed.at).timestamp(), signed.at
    except (ValueError, OverflowError):  # a file holds anything
        return 0.0, signed.at


def with_signed(project: Project, signed: Signed) -> Project:
    """The project with one more proposal beside the first of its scenarios.

    None is dropped for it, as nobody tells the program which of them was signed; and those there
    stay as they are, to the letter.
    """
    id = signed.scenarios[0].id
    there = (record.content for record in project.entry(id).records_of(SIGNED))
    return project.with_records(id, SIGNED, (*there, _content(signed)))


def unreadable(project: Project) -> int:
    """How many kept proposals there are that this program can't read."""
    records = sum(len(entry.records_of(SIGNED)) for entry in project.entries)
    return records - len(all_signed(project))


def _content(signed: Signed) -> str:
    plain = msgspec.json.encode(replace(signed, is_whole=None))
    packed = base64.b64encode(zlib.compress(plain, 9)).decode()
    return msgspec.json.encode(_Packed(packed=packed, sha256=_sha256(plain))).decode()


def _sha256(plain: bytes) -> str:
    return hashlib.sha256(plain).hexdigest()
