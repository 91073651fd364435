"""What sar and mpstat print."""

from __future__ import annotations

from db.importers.opening import Opened
from db.importers.sampled import sampled
from db.importers.sysstat import begins_section, read_sar
from models.base.texts import say


def _sniff(file: Opened) -> float | None:
    return 0.9 if any(map(begins_section, file.start.splitlines()[:2000])) else None


IMPORTER = sampled(
    kind="sar",
    title="sar, mpstat",
    looks_for=say("sar or mpstat: times of day before columns such as CPU, DEV or kbmemfree"),
    sniff=_sniff,
    tracks=lambda file: read_sar(file.lines(), file.name, file.stem),
)
