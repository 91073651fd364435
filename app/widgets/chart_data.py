"""What the charts draw, as values: no Qt and no plotting library in sight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from models.base.quantities import BoolArray, FloatArray, Quantity
from models.judgement.gauges import Gauge, gauge_of
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario
from models.studies.curves import Crossing, MeasuredPoint, ResponseCurve

GRID_POINTS = 128
ROOM_ABOVE = 1.25
IN_SIGHT = 4.0
"""Knee and crossing are in the picture up to this many times the users of the VM."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the VM stands: its users and its predicted response time."""

    users: float
    response: Quantity


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CurveView:
    """Response time against users of one VM.

    Attributes:
        curve: the line, its knee, its crossing and what was measured.
        title: of the VM.
        limit_ms: of the policy.
        now: where the VM stands; before: the stored one while something is being dragged.
    """

    curve: ResponseCurve
    title: str
    limit_ms: float
    now: Standing | None
    before: Standing | None = None

    @property
    def users(self) -> FloatArray:
        return self.curve.users

    @property
    def value(self) -> FloatArray:
        return self.curve.response_ms.value

    @property
    def low(self) -> FloatArray:
        return self.curve.response_ms.low

    @property
    def high(self) -> FloatArray:
        return self.curve.response_ms.high

    @property
    def points(self) -> tuple[MeasuredPoint, ...]:
        return self.curve.measured

    @property
    def knee(self) -> float | None:
        return self.curve.knee_users

    @property
    def crossing(self) -> Crossing:
        return self.curve.crossing

    @property
    def has_data(self) -> bool:
        return bool(np.isfinite(self.value).any())

    @property
    def is_covered(self) -> BoolArray:
        """Where measurements lie around the line; elsewhere it is drawn dashed."""
        return self.curve.covered

    @property
    def right(self) -> float:
        """Right end of the picture: all that is worth seeing, and no desert beyond it."""
        marks = [point.users * 1.08 for point in self.points]
        if self.knee is not None:
            marks.append(self.knee * 1.15)
        if self.now is not None and near_crossing(self.curve, self.now.users):
            marks.append((self.crossing.users or 0.0) * 1.1)
        standing = [s.users * 1.05 for s in (self.now, self.before) if s is not None]
        end, most = float(self.users[-1]), max([*marks, *standing], default=0.0)
        return most if marks and 0 < most <= end else end

    @property
    def top_ms(self) -> float:
        """Upper end of the picture: limit, measurements and where the VM stands are in sight.

        It grows by doubling, so that the picture holds still under a moving hand, and no further
        than four limits: what is beyond is drawn at the edge.
        """
        top = max(self.limit_ms, *(p.response_ms for p in self.points), 1.0) * ROOM_ABOVE
        standing = [s.response.value for s in (self.now, self.before) if s is not None]
        most = max((ms for ms in standing if ms is not None), default=0.0)
        while top < most * 1.05 and top < 4 * self.limit_ms:
            top *= 2
        return top

    def at(self, users: float) -> tuple[float, float, float] | None:
        """Value, low and high at a number of users, on the drawn line; None outside it."""
        if not len(self.users) or not self.users[0] <= users <= self.users[-1]:
            return None
        index = int(self.users.searchsorted(users))
        first = max(index - 1, 0)
        last = min(index, len(self.users) - 1)
        span = self.users[last] - self.users[first]
        share = float((users - self.users[first]) / span) if span else 0.0
        value, low, high = (
            float(column[first] + share * (column[last] - column[first]))
            for column in (self.value, self.low, self.high)
        )
        return (value, low, high) if math.isfinite(value) else None

    def nearest(self, users: float, reach: float) -> MeasuredPoint | None:
        """The measured point nearest to `users`, if it is within `reach`."""
        near = [(abs(point.users - users), point) for point in self.points]
        distance, point = min(near, key=itemgetter(0), default=(math.inf, None))
        return point if distance <= reach else None


def near_crossing(curve: ResponseCurve, users: float) -> bool:
    """Whether the limit is passed at a number of users that belongs into the picture."""
    crossing = curve.crossing.users
    return crossing is not None and crossing <= IN_SIGHT * users


def curve_grid(users: float, knee: float | None, crossing: float | None = None) -> FloatArray:
    """Users at which the line is computed: past knee, crossing and where the VM stands."""
    end = max(1.5 * users, 1.2 * knee if knee else 2.5 * users, 500.0)
    if crossing is not None and crossing <= IN_SIGHT * users:
        end = max(end, 1.2 * crossing)
    return np.linspace(end / GRID_POINTS, end, GRID_POINTS)


def reaches(curve: ResponseCurve, users: float) -> bool:
    """Whether a line goes past what belongs into its picture, but not so far as to be coarse."""
    end = float(curve.users[-1])
    needed = 1.05 * users
    if near_crossing(curve, users):
        needed = max(needed, 1.1 * (curve.crossing.users or 0.0))
    if curve.knee_users is None:
        return needed <= end <= max(25 * users, 500.0)
    needed = max(needed, 1.15 * curve.knee_users)
    return needed <= end <= max(1.6 * needed, 500.0)


@dataclass(frozen=True, slots=True)
class HostLoad:
    """One host's bars; `failure_cpu`, `failure_ram` in per cent, None where nothing fails over."""

    id: str
    name: str
    cpu: Gauge
    ram: Gauge
    failure_cpu: float | None
    failure_ram: float | None


def host_loads(scenario: Scenario, prediction: Prediction) -> tuple[HostLoad, ...]:
    """The hosts in the scenario's order."""
    hosts, policy = prediction.hosts, scenario.policy
    names = {host.id: host.name for host in scenario.hosts}
    return tuple(
        HostLoad(
            id=id,
            name=names.get(id, id),
            cpu=gauge_of("cpu_pct", hosts.cpu_pct[index], policy.cpu_limit_pct, subject=id),
            ram=gauge_of("ram_pct", hosts.ram_pct[index], _finite(hosts.ram_limit_pct[index])),
            failure_cpu=_finite(hosts.failure_cpu_pct[index]),
            failure_ram=_finite(hosts.failure_ram_pct[index]),
        )
        for index, id in enumerate(hosts.ids)
    )


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
