"""What a single value of a scenario may be: bounds of numbers, and which texts are fit for a line.

The one place where these bounds stand. The scenario file, its JSON Schema, the project file and
every editor take them from here. Bounds are far beyond any machine; they keep a slip of the
keyboard from overflowing the arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from models.errors import ModelError
from models.lettering import UNSEEN, is_seen
from models.scenario import Admission, Assumptions, Host, Policy, Pool, Vm, Workload
from models.texts import Numeral, Text, say

_NO_LINE = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_NO_TEXT = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff"
LINE_PATTERN = rf"^[^{_NO_LINE}]*$"
NAME_PATTERN = rf"^[^{_NO_LINE}]*[^{_NO_LINE}\s{UNSEEN}][^{_NO_LINE}]*$"
TEXT_PATTERN = rf"^[^{_NO_TEXT}]*$"
REASON_PATTERN = rf"^[^{_NO_TEXT}]*[^{_NO_TEXT}\s{UNSEEN}][^{_NO_TEXT}]*$"
"""The patterns as they stand in the JSON Schema. Half a surrogate pair, which a str of Python can
hold and JSON can write, can stand in no file. A name or reason is more than blanks
and characters that nobody sees."""
UNSEEN_TEXT = say("must have a character that can be seen")
LINE_LENGTH = 200
MOST_ITEMS = 20_000
"""Of a kind in a scenario: hosts, VMs and so on."""
TEXT_LENGTH = 100_000
GUEST_BITS = (32, 64)

_LINE = re.compile(LINE_PATTERN)
_TEXT = re.compile(TEXT_PATTERN)


@dataclass(frozen=True, slots=True)
class Limit:
    """Bounds of one number; None is 'no bound on this side'."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None

    def broken(self, value: float) -> str | None:
        """Why `value` is out of bounds, as a clause; None when it isn't. NaN always is.

        >>> Limit(ge=0).broken(-1.0)
        'must be ≥ 0'
        """
        if self.ge is not None and not value >= self.ge:
            return say("must be ≥ {bound}", bound=_number(self.ge))
        if self.gt is not None and not value > self.gt:
            return say("must be > {bound}", bound=_number(self.gt))
        if self.le is not None and not value <= self.le:
            return say("must be ≤ {bound}", bound=_number(self.le))
        return None


def _number(bound: float) -> Numeral:
    return Numeral(f"{bound:,.12g}")


def _limits(**limits: Limit) -> Mapping[str, Limit]:
    return MappingProxyType(limits)


LEAST = 1e-3
"""Of a number that something is divided by."""

_GIB = Limit(ge=LEAST, le=1e6)
_SPACE = Limit(ge=0, le=1e9)
_SHARE_PCT = Limit(ge=LEAST, le=100)
_SECONDS = Limit(ge=0, le=1e6)
_OF_A_DAY = Limit(ge=0, le=86_400)
"""Seconds of a storm, which is worked out in steps of half a minute at most."""


LIMITS: Mapping[type, Mapping[str, Limit]] = MappingProxyType(
    {
        Policy: _limits(
            cpu_limit_pct=_SHARE_PCT,
            response_limit_ms=Limit(ge=LEAST, le=1e6),
            benchmark_derating=Limit(ge=1, le=1000),
            peak_factor_cpu=Limit(ge=1, le=1000),
            peak_factor_iops=Limit(ge=1, le=1000),
            vcpus_per_core_limit=Limit(ge=LEAST, le=1000),
            memory_overcommit=Limit(ge=LEAST, le=100),
            disk_limit_pct=_SHARE_PCT,
            network_limit_pct=_SHARE_PCT,
            capacity_limit_pct=_SHARE_PCT,
            mail_growth_pct=Limit(ge=0, le=10_000),
        ),
        Admission: _limits(
            host_failures=Limit(ge=0, le=1000),
            cpu_pct=Limit(ge=0, le=100),
            ram_pct=Limit(ge=0, le=100),
            slot_cpu_cap_mhz=Limit(ge=LEAST, le=1e9),
            slot_ram_cap_mib=Limit(ge=LEAST, le=1e9),
            vm_cpu_min_mhz=Limit(ge=0, le=1e9),
            vm_ram_min_mib=Limit(ge=0, le=1e9),
        ),
        Assumptions: _limits(
            ha_detection_s=_SECONDS,
            guest_boot_s=_SECONDS,
            domino_start_s=_SECONDS,
            log_replay_s=_SECONDS,
            consistency_check_s_per_gib=_SECONDS,
            reconnect_s=_OF_A_DAY,
            login_actions=Limit(ge=0, le=10_000),
            holiday_login_s=_OF_A_DAY,
            holiday_peak_factor=Limit(ge=1, le=100),
            holiday_s=_OF_A_DAY,
            array_controllers=Limit(ge=1, le=100),
        ),
        Host: _limits(
            ram_gib=_GIB,
            ft_logging_gbps=Limit(ge=LEAST, le=10_000),
            nics=Limit(ge=0, le=1000),
            nic_gbps=Limit(ge=LEAST, le=10_000),
        ),
        Pool: _limits(
            spindles=Limit(ge=1, le=100_000),
            hot_spares=Limit(ge=0, le=100_000),
            raid_group=Limit(ge=2, le=100_000),
            read_share=Limit(ge=0, le=1),
        ),
        Vm: _limits(
            vcpus=Limit(ge=1, le=10_000),
            ram_gib=_GIB,
            memory_limit_gib=_GIB,
            memory_reservation_gib=Limit(ge=0, le=1e6),
            cpu_reservation_mhz=Limit(ge=0, le=1e9),
            system_disk_gib=_SPACE,
            log_disk_gib=_SPACE,
        ),
        Workload: _limits(
            active_users=Limit(ge=0, le=1e9),
            mail_file_mb=Limit(ge=0, le=1e9),
            registered_users=Limit(ge=0, le=1e9),
            cpu_mhz=Limit(ge=0, le=1e9),
            iops=Limit(ge=0, le=1e9),
            memory_gib=Limit(ge=0, le=1e6),
            disk_gib=_SPACE,
            network_mbps=Limit(ge=0, le=1e9),
        ),
    }
)


def fitting(name: str, ending: str) -> str:
    """A name with an ending; of one that would be too long for a line the name is cut.

    >>> fitting("Mail", " 2"), len(fitting("M" * 200, " 2"))
    ('Mail 2', 200)
    """
    room = LINE_LENGTH - len(ending)
    return (name if len(name) <= room else name[:room].rstrip()) + ending


def shortened(text: str) -> str:
    """Text from a file, short enough to stand in a sentence."""
    return text if len(text) <= LINE_LENGTH else f"{text[:LINE_LENGTH]}…"


def too_long(most: int) -> Text:
    """Why a text of more than so many characters can't be."""
    return say("must not be longer than {most} characters", most=_number(most))


def check_line(text: str, *, field: str, required: bool = False) -> None:
    """Hold a name or id to one printable line.

    Raises:
        ModelError: empty or unseen though required, too long, or with control characters.
    """
    if required and not text.strip():
        raise ModelError(say("must not be empty"), field=field)
    if required and not is_seen(text):
        raise ModelError(UNSEEN_TEXT, field=field)
    if len(text) > LINE_LENGTH:
        raise ModelError(too_long(LINE_LENGTH), field=field)
    if not _LINE.fullmatch(text):
        raise ModelError(say("must be one line without control characters"), field=field)


def check_text(text: str, *, field: str) -> None:
    """Hold a text of several lines to what can be stored and printed.

    Raises:
        ModelError: too long, or with control characters.
    """
    if len(text) > TEXT_LENGTH:
        raise ModelError(too_long(TEXT_LENGTH), field=field)
    if not _TEXT.fullmatch(text):
        raise ModelError(say("must not contain control characters"), field=field)
