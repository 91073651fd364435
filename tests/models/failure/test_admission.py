"""HA admission control against VMware's worked examples, by hand, and by brute force."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.failure.admission import (
    DedicatedCheck,
    Guest,
    HostCapacity,
    Options,
    PercentageCheck,
    SlotCheck,
    dedicated_check,
    percentage_check,
    shown,
    slot_check,
)
from models.failure.reservations import BEFORE_VSPHERE_4, AdmissionCheck, admission_checks
from models.physics.estimates import Sources
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import vm_stage
from models.scenario.scenario import Admission, AdmissionPolicy, Cluster, Host, Scenario
from models.stages import host_stage
from tests.models.worlds import CATALOG, KNOWLEDGE, a_cluster_of, a_host

GB = 1024.0
FROM_5 = Options(cpu_min_mhz=32.0)
POLICY = AdmissionPolicy


def host(id: str, ghz: float, gb: float) -> HostCapacity:
    return HostCapacity(id=id, name=id, cpu_mhz=ghz * 1000, ram_mib=gb * GB)


def guest(id: str, ghz: float, gb: float, **fields: float | str) -> Guest:
    return Guest(
        **{
            "id": id,
            "name": id,
            "host": "H1",
            "cpu_reservation_mhz": ghz * 1000,
            "ram_reservation_mib": gb * GB,
            **fields,
        }  # type: ignore[arg-type]
    )


HOSTS = (host("H1", 9, 9), host("H2", 9, 6), host("H3", 6, 6))
GUESTS = tuple(
    guest(f"VM{n}", ghz, gb)
    for n, (ghz, gb) in enumerate(((2, 1), (2, 1), (1, 2), (1, 1), (1, 1)), start=1)
)
"""The example of VMware's guide: vSphere Availability 6.7, pages 23 and 25, and before."""


def test_slots_of_the_guide() -> None:
    check = slot_check(HOSTS, GUESTS, FROM_5, configured=1)
    assert (check.slot.cpu_mhz, check.slot.ram_mib) == (2000.0, 2 * GB)
    assert (check.slot.cpu_from, check.slot.ram_from) == ("VM1", "VM3")
    assert [(each.host.id, each.slots) for each in check.hosts] == [("H1", 4), ("H2", 3), ("H3", 3)]
    assert (check.total, check.used, check.powered_on) == (10, 5, 5)
    assert (check.current, check.configured, check.admitted) == (1, 1, True)
    assert check.available == 1, "six slots on H2 and H3 minus the five used"


def test_the_arithmetic_of_the_guide_can_be_read_line_by_line() -> None:
    lines = [
        f"{step.what}: {step.arithmetic} → {step.result}"
        for step in slot_check(HOSTS, GUESTS, FROM_5, configured=1).steps
    ]
    assert lines == [
        "CPU of a slot: largest CPU reservation of 5 powered-on VMs, VM1’s → 2,000 MHz",
        "Memory of a slot: largest memory reservation with overhead, VM3’s → 2,048 MiB",
        "Slots of H1: ⌊9,000 / 2,000⌋ = 4, ⌊9,216 / 2,048⌋ = 4 → 4 slots",
        "Slots of H2: ⌊9,000 / 2,000⌋ = 4, ⌊6,144 / 2,048⌋ = 3 → 3 slots",
        "Slots of H3: ⌊6,000 / 2,000⌋ = 3, ⌊6,144 / 2,048⌋ = 3 → 3 slots",
        "Slots in all: 4 + 2 × 3 → 10",
        "Slots used: 5 powered-on VMs → 5",
        "Without H1: 2 × 3 → 6 ≥ 5",
        "Without the 2 largest hosts: 3 → 3 < 5",
        "Current failover capacity:  → 1 host, configured 1",
    ]


def lines_of(check: SlotCheck | PercentageCheck) -> list[str]:
    return [f"{step.what}: {step.arithmetic} = {step.result}" for step in check.steps]


def test_sums_of_nothing_are_said_in_words() -> None:
    one = [host("H1", 9, 9)]
    assert lines_of(slot_check(one, [], FROM_5, configured=1)) == [
        "CPU of a slot: the default, as no powered-on VM reserves more CPU = 32 MHz",
        "Memory of a slot: no powered-on VM = 0 MiB",
        "Slots of H1: ⌊9,000 / 32⌋ = 281 slots",
        "Slots in all: 281 = 281",
        "Slots used: no powered-on VM = 0",
        "Without H1: no host left = nowhere to fail over to",
        "Current failover capacity:  = 0 hosts, configured 1",
    ]
    assert "Slots used: 1 powered-on VM = 1" in lines_of(
        slot_check(one, GUESTS[:1], FROM_5, configured=1)
    )
    empty = lines_of(percentage_check(one, [], FROM_5, cpu_pct=25.0, ram_pct=25.0))
    assert "CPU reserved: no powered-on VM = 0 MHz" in empty
    assert "Memory reserved, with overhead: no powered-on VM = 0 MiB" in empty


def test_percentage_of_the_guide() -> None:
    check = percentage_check(HOSTS, GUESTS, FROM_5, cpu_pct=25.0, ram_pct=25.0)
    assert (check.cpu_total_mhz, check.cpu_required_mhz) == (24_000.0, 7_000.0)
    assert (check.ram_total_mib, check.ram_required_mib) == (21 * GB, 6 * GB)
    assert check.cpu_current_pct is not None
    assert (shown(check.cpu_current_pct), shown(check.ram_current_pct)) == (70, 71)
    assert shown(check.cpu_current_pct) - 25 == 45
    assert shown(check.ram_current_pct) - 25 == 46
    assert check.admitted
    assert [step.result for step in check.steps] == [
        "24,000 MHz",
        "7,000 MHz",
        "70 %, configured 25 %",
        "21,504 MiB",
        "6,144 MiB",
        "71 %, configured 25 %",
    ]


def test_eight_hosts_of_70_gb_with_a_fifth_kept_free() -> None:
    """frankdenneman.nl, "Setting correct percentage of cluster resources reserved": 448 GB."""
    hosts = [host(f"H{n}", 10, 70) for n in range(8)]
    full = percentage_check(hosts, [guest("VM1", 1, 448)], FROM_5, cpu_pct=20.0, ram_pct=20.0)
    assert full.ram_current_pct == pytest.approx(20.0)
    assert full.admitted
    over = percentage_check(hosts, [guest("VM1", 1, 449)], FROM_5, cpu_pct=20.0, ram_pct=20.0)
    assert not over.admitted


def test_a_larger_host_adds_no_slots_to_an_unbalanced_cluster() -> None:
    """Epping, "vSphere HA Deepdive", unbalanced configurations: two hosts of 16 GB and one of 32,
    1,024 MB reserved: 16, 16 and 32 slots; 32 are left with one host gone, 16 with two."""
    hosts = [host("ESXi-01", 100, 16), host("ESXi-02", 100, 16), host("ESXi-03", 100, 32)]
    one = [guest("VM1", 0, 1)]
    check = slot_check(hosts, one, FROM_5, configured=1)
    assert [(each.host.id, each.slots) for each in check.hosts] == [
        ("ESXi-03", 32),
        ("ESXi-01", 16),
        ("ESXi-02", 16),
    ]
    assert check.available == 32 - 1
    assert slot_check(hosts, one, FROM_5, configured=2).available == 16 - 1
    assert check.current == 2


def test_a_vm_of_four_gb_takes_four_slots_of_one() -> None:
    """The same book, fixed slot size: das.slotMemInMB 1024 and a reservation of 4 GB."""
    capped = replace(FROM_5, ram_cap_mib=GB)
    check = slot_check(
        [host("H1", 9, 16)], [guest("VM1", 0, 4), guest("VM2", 0, 1)], capped, configured=0
    )
    assert (check.used, check.multiple) == (5, (("VM1", 4),))
    assert "VM1 takes 4" in {step.what: step.arithmetic for step in check.steps}["Slots used"]


def test_the_largest_reservations_of_two_vms_make_the_slot() -> None:
    """The same book: 2 GHz and 1,024 MB beside 1 GHz and 2,048 MB make 2 GHz by 2,048 MB."""
    two = [guest("VM1", 2, 1), guest("VM2", 1, 2)]
    slot = slot_check([host("H1", 16, 16)], two, FROM_5, configured=0).slot
    assert (slot.cpu_mhz, slot.ram_mib) == (2000.0, 2 * GB)


@pytest.mark.parametrize(("cpu_min", "slots"), [(256.0, 35), (32.0, 281)])
def test_without_reservations_the_release_decides(cpu_min: float, slots: int) -> None:
    """9,000 MHz in slots of 256 MHz (vSphere 4.x) or 32 MHz (from 5.0 on)."""
    bare = [guest("VM1", 0, 0, overhead_mib=10.0)]
    check = slot_check([host("H1", 9, 90)], bare, Options(cpu_min_mhz=cpu_min), configured=0)
    assert (check.slot.cpu_mhz, check.slot.ram_mib) == (cpu_min, 10.0)
    assert check.hosts[0].slots == slots
    assert check.steps[0].arithmetic == "the default, as no powered-on VM reserves more CPU"


def test_the_default_stands_above_what_is_reserved_below_it() -> None:
    """A reservation of 100 MHz counts as such; a VM without one makes the slot."""
    some = [guest("VM1", 0.1, 0), guest("VM2", 0, 0)]
    check = slot_check([host("H1", 9, 90)], some, Options(cpu_min_mhz=256.0), configured=0)
    assert (check.slot.cpu_mhz, check.slot.cpu_from) == (256.0, "")
    assert check.steps[0].arithmetic == "the default, as no powered-on VM reserves more CPU"


def test_memory_overhead_is_part_of_the_slot() -> None:
    heavy = [guest("VM1", 1, 2, overhead_mib=1.0)]
    check = slot_check([host("H1", 9, 6)], heavy, FROM_5, configured=0)
    assert check.slot.ram_mib == 2 * GB + 1
    assert check.hosts[0].by_ram == 2


def test_a_cap_cuts_slots_and_large_vms_take_several() -> None:
    """das.slotCpuInMHz 1000 and das.slotMemInMB 1024: VM1 and VM2 take 2, VM3 2, the others 1."""
    capped = replace(FROM_5, cpu_cap_mhz=1000.0, ram_cap_mib=GB)
    check = slot_check(HOSTS, GUESTS, capped, configured=1)
    assert [each.slots for each in check.hosts] == [9, 6, 6]
    assert (check.used, dict(check.multiple)) == (8, {"VM1": 2, "VM2": 2, "VM3": 2})
    assert (check.current, check.available) == (1, 4)
    assert "capped at 1,000 MHz" in check.steps[0].arithmetic
    loose = replace(FROM_5, cpu_cap_mhz=5000.0, ram_cap_mib=50 * GB)
    assert slot_check(HOSTS, GUESTS, loose, configured=1).slot.cpu_mhz == 2000.0


def test_too_few_slots_even_with_all_hosts() -> None:
    check = slot_check([host("H1", 2, 2)], GUESTS, FROM_5, configured=0)
    assert (check.current, check.available) == (0, 0)
    assert check.total < check.used


def test_a_host_of_unknown_clock_is_counted_by_memory() -> None:
    silent = HostCapacity(id="H1", name="H1", cpu_mhz=None, ram_mib=9 * GB)
    check = slot_check([silent], GUESTS, FROM_5, configured=0)
    assert (check.hosts[0].by_cpu, check.hosts[0].slots) == (None, 4)


def test_one_host_alone_admits_nothing_by_percentage() -> None:
    check = percentage_check(HOSTS[:1], GUESTS[:1], FROM_5, cpu_pct=25.0, ram_pct=25.0)
    assert check.cpu_current_pct is not None
    assert check.cpu_current_pct > 25
    assert not check.admitted


def test_a_failover_host_is_empty_and_as_large_as_the_others() -> None:
    on_h2 = tuple(replace(each, host="H2") for each in GUESTS)
    check = dedicated_check(HOSTS, on_h2, standing_by=("H1",))
    assert (check.admitted, check.occupied, check.smaller) == (True, (), ())
    check = dedicated_check(HOSTS, on_h2, standing_by=("H3",))
    assert (check.admitted, check.smaller) == (True, ("H3",))
    check = dedicated_check(HOSTS, on_h2, standing_by=("H2", "H3"))
    assert (check.admitted, check.occupied) == (False, tuple(g.id for g in GUESTS))
    assert not dedicated_check(HOSTS, on_h2, standing_by=()).admitted


reservations = st.tuples(st.integers(0, 4000), st.integers(0, 8192), st.integers(0, 300))
guests = st.lists(reservations, max_size=12).map(
    lambda sizes: [
        Guest(
            id=f"VM{n}",
            name=f"VM{n}",
            host="H0",
            cpu_reservation_mhz=float(cpu),
            ram_reservation_mib=float(ram),
            overhead_mib=float(extra),
        )
        for n, (cpu, ram, extra) in enumerate(sizes)
    ]
)
hosts = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 64)), min_size=1, max_size=5).map(
    lambda sizes: [host(f"H{n}", ghz, gb) for n, (ghz, gb) in enumerate(sizes)]
)


@given(hosts, guests, st.integers(0, 5))
def test_failover_capacity_by_brute_force(
    hosts: list[HostCapacity], guests: list[Guest], configured: int
) -> None:
    """Of every number of hosts but all, in every combination: the largest that always leaves
    enough."""
    check = slot_check(hosts, guests, FROM_5, configured=configured)
    cpu = max((g.cpu_reservation_mhz or 32.0 for g in guests), default=32.0)
    ram = max((g.ram_reservation_mib + g.overhead_mib for g in guests), default=0.0)
    slots = {
        h.id: min(int(h.cpu_mhz // cpu), int(h.ram_mib // ram) if ram else 10**9)
        for h in hosts
        if h.cpu_mhz is not None
    }
    always = [
        all(
            sum(n for id, n in slots.items() if id not in gone) >= len(guests)
            for gone in combinations(slots, k)
        )
        for k in range(len(hosts))
    ]
    assert check.current == max((k for k, enough in enumerate(always) if enough), default=0)
    assert {each.host.id: each.slots for each in check.hosts} == slots
    assert check.used == len(guests)


@given(hosts, guests)
def test_what_is_reserved_and_what_is_free_make_the_whole(
    hosts: list[HostCapacity], guests: list[Guest]
) -> None:
    check = percentage_check(hosts, guests, FROM_5, cpu_pct=0.0, ram_pct=0.0)
    assert check.cpu_current_pct is not None
    assert check.cpu_total_mhz is not None
    for free, total, required in (
        (check.cpu_current_pct, check.cpu_total_mhz, check.cpu_required_mhz),
        (check.ram_current_pct, check.ram_total_mib, check.ram_required_mib),
    ):
        assert 0 <= free <= 100
        if total and required <= total:
            assert free / 100 * total + required == pytest.approx(total)


sizes = st.floats(0.01, 64.0, allow_nan=False).map(lambda gb: gb * 1.017)
odd_hosts = st.lists(st.tuples(st.floats(1, 90), st.floats(1, 600)), min_size=1, max_size=4).map(
    lambda every: [host(f"H{n}", ghz, gb) for n, (ghz, gb) in enumerate(every)]
)
odd_guests = st.lists(st.tuples(st.floats(0.1, 9), sizes), min_size=1, max_size=12).map(
    lambda every: [guest(f"V{n % 3}{n}", *every[n % 3 % len(every)]) for n in range(len(every))]
)


def worked_out(arithmetic: str) -> float:
    """What a pocket calculator makes of printed arithmetic."""
    plain = arithmetic.replace(",", "").replace("−", "-").replace("×", "*")
    plain = plain.replace("⌊", "floor(").replace("⌋", ")")
    return float(eval(plain, {"__builtins__": {}, "floor": math.floor}))


@given(odd_hosts, odd_guests)
def test_printed_arithmetic_comes_to_its_printed_result(
    hosts: list[HostCapacity], guests: list[Guest]
) -> None:
    for step in slot_check(hosts, guests, FROM_5, configured=1).steps:
        for part in step.arithmetic.split(", ") if "⌊" in step.arithmetic else []:
            share, _, count = re.sub(r"(?<=\d),(?=\d)", "", part).partition(" = ")
            slots = count or step.result.split()[0].replace(",", "")
            assert worked_out(share) == float(slots), step
    for step in percentage_check(hosts, guests, FROM_5, cpu_pct=25.0, ram_pct=25.0).steps:
        said = float(step.result.split()[0].replace(",", ""))
        if "/" in step.arithmetic:
            assert max(math.floor(100 * worked_out(step.arithmetic) + 1e-7), 0) == said, step
        elif "terms" not in step.arithmetic:
            assert abs(worked_out(step.arithmetic) - said) <= 0.5 + 1e-6, step


# --- a scenario's clusters --------------------------------------------------------------------


def checks_of(scenario: Scenario) -> tuple[AdmissionCheck, ...]:
    arrays = to_arrays(scenario, CATALOG)
    vm = vm_stage(arrays, scenario.policy.derating, KNOWLEDGE, Sources())
    return admission_checks(scenario, arrays, host_stage(vm, scenario.policy).secondary)


def cluster(hosts: int, vms: int, admission: Admission, **fields: object) -> Scenario:
    base = a_cluster_of(hosts, vms=vms, **fields)
    return replace(base, clusters=(Cluster(id="c1", name="Mail", admission=admission),))


def test_slots_of_a_scenario() -> None:
    """Three Nehalem hosts of 8 × 2,930 MHz and 72 GiB; two VMs reserve 2,000 MHz and 8 GiB."""
    scenario = cluster(
        3,
        2,
        Admission(policy=POLICY.HOST_FAILURES, host_failures=1),
        cpu_reservation_mhz=2000.0,
        memory_reservation_gib=8.0,
    )
    (found,) = checks_of(scenario)
    assert isinstance(found.check, SlotCheck)
    server = CATALOG.servers["nehalem-ept"]
    assert server.base_mhz is not None
    overhead = found.check.slot.ram_mib - 8 * GB
    assert found.check.slot.cpu_mhz == 2000.0
    assert overhead == pytest.approx(331.1, abs=0.1), "2 vCPUs and 8 GB on ESX 4.0"
    by_cpu = int(server.cores * server.base_mhz // 2000)
    by_ram = int((72 - 0.265625) * GB // found.check.slot.ram_mib)
    assert [each.slots for each in found.check.hosts] == [min(by_cpu, by_ram)] * 3
    assert (found.admitted, found.check.used) == (True, 2)


@pytest.mark.parametrize(("release", "mhz"), [("vsphere-4.1", 256.0), ("vsphere-5.0", 32.0)])
def test_the_newest_release_of_a_cluster_decides(release: str, mhz: float) -> None:
    scenario = cluster(2, 2, Admission(policy=POLICY.HOST_FAILURES))
    newer = scenario.edit(Host, "h2", lambda h: replace(h, hypervisor=release))
    (found,) = checks_of(newer)
    assert isinstance(found.check, SlotCheck)
    assert found.check.slot.cpu_mhz == mhz


def test_before_vsphere_4_nothing_is_said() -> None:
    scenario = cluster(2, 2, Admission(policy=POLICY.HOST_FAILURES))
    old = tuple(replace(h, hypervisor="esx-3.5") for h in scenario.hosts)
    (found,) = checks_of(replace(scenario, hosts=old))
    assert (found.check, found.admitted, found.notes) == (None, None, (BEFORE_VSPHERE_4,))


def test_only_what_runs_in_the_cluster_counts() -> None:
    scenario = cluster(2, 4, Admission(policy=POLICY.HOST_FAILURES), memory_reservation_gib=8.0)
    scenario = scenario.with_item(replace(scenario.vms[0], powered_on=False))
    scenario = scenario.place(["m2"], None).with_item(a_host("h9")).place(["m3"], "h9")
    (found,) = checks_of(scenario)
    assert isinstance(found.check, SlotCheck)
    assert (found.check.powered_on, found.check.used) == (1, 1)


def test_a_secondary_takes_a_slot_and_all_memory_is_reserved() -> None:
    scenario = cluster(2, 1, Admission(policy=POLICY.HOST_FAILURES), vcpus=1, fault_tolerance=True)
    linked = tuple(replace(host, ft_logging_gbps=1.0) for host in scenario.hosts)
    (found,) = checks_of(replace(scenario, hosts=linked))
    assert isinstance(found.check, SlotCheck)
    assert found.check.used == 2
    assert found.check.slot.ram_mib > 8 * GB


def test_vsphere_4_takes_four_host_failures_at_most() -> None:
    for failures, said in ((4, False), (5, True)):
        (found,) = checks_of(
            cluster(6, 1, Admission(policy=POLICY.HOST_FAILURES, host_failures=failures))
        )
        assert any("at most 4 host failures" in note for note in found.notes) is said
    later = cluster(6, 1, Admission(policy=POLICY.HOST_FAILURES, host_failures=5))
    later = replace(later, hosts=tuple(replace(h, hypervisor="vsphere-5.0") for h in later.hosts))
    (found,) = checks_of(later)
    assert not any("at most" in note for note in found.notes)


def test_percentage_and_dedicated_hosts_of_a_scenario() -> None:
    by_share = Admission(policy=POLICY.PERCENTAGE, cpu_pct=60.0, ram_pct=25.0)
    (found,) = checks_of(cluster(2, 2, by_share))
    assert isinstance(found.check, PercentageCheck)
    assert found.check.cpu_required_mhz == 512.0, "two VMs without reservation, 256 MHz each"
    assert "at most 50 %" in " ".join(found.notes)
    standing_by = Admission(policy=POLICY.DEDICATED, failover_host="h2")
    (found,) = checks_of(cluster(2, 2, standing_by))
    assert isinstance(found.check, DedicatedCheck)
    assert (found.check.occupied, found.admitted) == (("m2",), False)
    (found,) = checks_of(cluster(2, 1, standing_by))
    assert found.admitted
    (found,) = checks_of(cluster(2, 2, Admission()))
    assert (found.check, found.admitted) == (None, None)


def test_options_of_the_cluster_go_before_the_releases_defaults() -> None:
    admission = Admission(
        policy=POLICY.HOST_FAILURES,
        vm_cpu_min_mhz=500.0,
        vm_ram_min_mib=1000.0,
        slot_ram_cap_mib=600.0,
    )
    (found,) = checks_of(cluster(2, 2, admission))
    assert isinstance(found.check, SlotCheck)
    assert (found.check.slot.cpu_mhz, found.check.slot.ram_mib) == (500.0, 600.0)
    assert found.check.used == 2 * 3, "1,000 MiB and 331 of overhead in slots of 600"


def test_where_no_clock_is_known_memory_decides_the_percentage() -> None:
    silent = [replace(each, cpu_mhz=None) for each in HOSTS]
    check = percentage_check(silent, GUESTS[:1], FROM_5, cpu_pct=25.0, ram_pct=25.0)
    assert (check.cpu_current_pct, check.admitted) == (None, True)
    check = percentage_check(silent, GUESTS[:1], FROM_5, cpu_pct=25.0, ram_pct=99.0)
    assert not check.admitted


def test_not_all_hosts_of_an_empty_cluster_may_fail() -> None:
    check = slot_check(HOSTS, (), FROM_5, configured=1)
    assert (check.current, check.admitted) == (len(HOSTS) - 1, True)
    alone = slot_check(HOSTS[:1], (), FROM_5, configured=1)
    assert (alone.current, alone.admitted) == (0, False)
