"""Storms user by user: an event simulation of the network that `models.transient` treats as fluid.

Users think, log in, and act one by one, with exponential times. Jobs at a station share its servers
equally. Every event is drawn; nothing of the fluid's formulas is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from models.transient.network import ACTION, LOGIN, ClosedNetwork, Disturbance

CPU, DISK = 0, 1
THINK = -1
Event = tuple[float, int, int, int]
"""Rate, station, server and kind of job of something that can happen."""


@dataclass(slots=True)
class World:
    """Where everybody is: `jobs[station][server][kind]` holds when each job's action began."""

    network: ClosedNetwork
    storm: Disturbance
    random: Random
    thinking: list[int]
    jobs: list[list[list[list[float]]]]
    finished: list[list[tuple[float, float]]]
    time: float = 0.0

    @classmethod
    def offline(cls, network: ClosedNetwork, storm: Disturbance, seed: int) -> World:
        servers = range(len(network.users))
        jobs: list[list[list[list[float]]]] = [[[[], []] for _ in servers] for _ in (CPU, DISK)]
        return cls(network, storm, Random(seed), [0 for _ in servers], jobs, [[] for _ in servers])

    def run(self, until: float) -> None:
        """Log everybody in at random moments of the login time, and go on until then."""
        network, storm, random = self.network, self.storm, self.random
        logins = sorted(
            (random.uniform(0.0, storm.login_s), server)
            for server, users in enumerate(network.users)
            for _ in range(int(users))
        )
        logins.append((until, THINK))
        for moment, server in logins:
            self._until(moment)
            if server != THINK:
                self.jobs[CPU][server][LOGIN].append(moment)

    def _until(self, moment: float) -> None:
        while True:
            events = self._events()
            total = sum(event[0] for event in events)
            step = self.random.expovariate(total) if total else float("inf")
            if self.time + step >= moment:
                self.time = moment  # memoryless: what is left is drawn anew
                return
            self.time += step
            self._happen(self.random.choices(events, [event[0] for event in events])[0])

    def _happen(self, event: Event) -> None:
        _, station, server, kind = event
        if station == THINK:
            self.thinking[server] -= 1
            self.jobs[CPU][server][ACTION].append(self.time)
            return
        jobs = self.jobs[station][server][kind]
        row = self.random.randrange(len(jobs))
        jobs[row], jobs[-1] = jobs[-1], jobs[row]
        begun = jobs.pop()
        if station == CPU:
            self.jobs[DISK][server][kind].append(begun)
            return
        self.thinking[server] += 1
        if kind == ACTION:
            self.finished[server].append((self.time, self.time - begun))

    def _events(self) -> list[Event]:
        network, storm, found = self.network, self.storm, []
        activity = storm.activity if self.time < storm.active_s else 1.0
        shares = (self._cpu_shares(), self._disk_shares())
        for server, users in enumerate(self.thinking):
            if users:
                found.append((users * activity / network.think_s, THINK, server, ACTION))
            for station, services in ((CPU, network.cpu_s), (DISK, network.disk_s)):
                for kind, jobs in enumerate(self.jobs[station][server]):
                    if jobs:
                        work = storm.login_actions if kind == LOGIN else 1.0
                        rate = len(jobs) * shares[station][server] / (services[server] * work)
                        found.append((float(rate), station, server, kind))
        return found

    def _count(self, station: int, server: int) -> int:
        return sum(map(len, self.jobs[station][server]))

    def _cpu_shares(self) -> list[float]:
        """Cores that a job of each server gets: of its vCPUs, as far as its host has them."""
        network = self.network
        counts = [self._count(CPU, server) for server in range(len(self.thinking))]
        busy = [min(n, float(network.vcpus[0, server])) for server, n in enumerate(counts)]
        asked = [0.0] * len(network.cores)
        for server, cores in enumerate(busy):
            asked[int(network.host[server])] += cores
        speed = [
            min(1.0, float(c) / a) if a else 1.0 for c, a in zip(network.cores, asked, strict=True)
        ]
        return [
            busy[server] / n * speed[int(network.host[server])] if n else 0.0
            for server, n in enumerate(counts)
        ]

    def _disk_shares(self) -> list[float]:
        """Drives that a job of each server gets: all who name a pool share them."""
        network = self.network
        jobs = [0] * len(network.disks)
        for server in range(len(self.thinking)):
            jobs[int(network.pool[server])] += self._count(DISK, server)
        each = [
            min(1.0, float(d) / n) if n else 1.0 for d, n in zip(network.disks, jobs, strict=True)
        ]
        return [each[int(pool)] for pool in network.pool]
