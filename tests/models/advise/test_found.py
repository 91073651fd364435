"""What topics find in a scenario and in files: theirs, and never that of an example."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli_advise import knowledge
from db.advice import read_inputs
from db.codec import scenario_from_json
from db.errors import StoreError
from models.advise.advice import Advice, Found, advise, found_in
from models.advise.overview import glance
from models.advise.topics import TOPICS
from models.base.fields import fields_of
from models.scenario.scenario import DiskMode, MeasuredOn, Scenario
from models.scenario.workloads import WorkloadKind
from resources.example_files import load_examples
from tests.models.worlds import a_host, a_scenario, a_vm

SCENARIOS = [
    scenario_from_json(file.text.encode(), name=file.name)
    for example in load_examples()
    for file in example.files
]
READS = [id for id, topic in TOPICS.items() if topic.of_records is not None]
STATISTICS = """\
> show stat
  Server.Name = CN=Mail07/O=Acme
  Server.Users = 812
  Server.Users.Active15Min = 612
  Server.Version.Notes = Release 9.0.1FP10
  Server.CPU.Count = 8
  Server.ElapsedTime = 10 days 00:00:00
  Server.Trans.Total = 14400000
  Server.AvailabilityThreshold = 60
  Mail.TotalRouted = 288000
  Mem.PhysicalRAM_MB = 32768
  Platform.System.PctCombinedCpuUtil.Avg = 10
  Platform.System.PctCombinedCpuUtil.Peak = 64
  Platform.LogicalDisk.1.PctUtil.Avg = 20
  Database.Database.BufferPool.Maximum.Megabytes = 1024
  Database.DbCache.MaxEntries = 6000
"""


def all_of_scenario(topic: str, scenario: Scenario) -> tuple[Found, ...]:
    return found_in(TOPICS[topic], scenario, knowledge())


def of_scenario(topic: str, scenario: Scenario) -> Any:
    return next((each.inputs for each in all_of_scenario(topic, scenario)), None)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_what_a_scenario_says_has_an_answer(topic: str, scenario: Scenario) -> None:
    offered = TOPICS[topic].of_scenario(scenario, knowledge())
    assert offered == all_of_scenario(topic, scenario), "some are no inputs"
    seen = glance(TOPICS[topic], scenario, knowledge())
    assert len(seen.answers) == len(offered)
    assert seen.sentence
    for found in offered:
        assert (
            found.origins.keys() <= fields_of(TOPICS[topic].inputs).keys() or topic == "candidates"
        )


@pytest.mark.parametrize("topic", TOPICS)
def test_an_empty_scenario_says_nothing(topic: str) -> None:
    assert of_scenario(topic, Scenario(name="x")) is None


def test_users_and_servers_are_those_of_the_scenario() -> None:
    scenario = a_scenario(
        vms=(
            a_vm("m1", 300.0, registered_users=900.0),
            a_vm("m2", 700.0, registered_users=1400.0, vcpus=4, ram_gib=12.0),
        )
    )
    users, cluster = of_scenario("users", scenario), of_scenario("cluster", scenario)
    assert (users.registered_users, users.active_users) == (2300.0, 1000.0)
    assert (cluster.users, cluster.vcpus, cluster.ram_gib) == (700.0, 4, 12.0)
    assert (cluster.release, cluster.benchmark_derating) == ("8.5.1", 1.0)
    assert of_scenario("upgrade", scenario).from_release == "8.5.1"
    assert of_scenario("candidates", scenario) is None, "no physical server stands there"
    first, second = all_of_scenario("cluster", scenario)
    assert (first.name, second.name) == ("M2", "M1"), "each is asked about, most users first"
    assert first.origins["users"] == "M2: manual"
    assert first.origins["cpu_pct"] == "M2: predicted"


def test_a_member_of_a_cluster_is_asked_about_without_its_cluster() -> None:
    alone = a_scenario(vms=(a_vm("m1", 300.0), a_vm("m2", 300.0)))
    together = alone.partnered("m1", ("m2",))
    of_member, of_server = (of_scenario("cluster", each) for each in (together, alone))
    assert of_member.cpu_pct == of_server.cpu_pct
    assert of_member.cpu_pct > 0.0


def test_servers_are_counted_by_what_is_found_of_them() -> None:
    sizes = {"m1": 8.0, "m2": 8.0, "m3": 16.0}
    scenario = a_scenario(vms=tuple(a_vm(id, 6000.0, ram_gib=ram) for id, ram in sizes.items()))
    seen = glance(TOPICS["storage-path"], scenario, knowledge())
    assert [found.name for found, _ in seen.answers] == ["M1", "M2", "M3"]
    words = [advice.conclusion for _, advice in seen.answers]
    assert words == ["VMFS", "VMFS", "RDM"]
    assert seen.sentence == "2 of 3: VMFS; 1 of 3: RDM"
    empty = glance(TOPICS["storage-path"], Scenario(name="x"), knowledge())
    assert empty.sentence == TOPICS["storage-path"].lacks
    assert empty.shown.verdict is None


def test_physical_servers_are_screened_for_the_hosts_beside_them() -> None:
    measured = a_vm(
        "m1", host="h1", kind=WorkloadKind.DOMINO_OTHER, cpu_mhz=2 * 2930.0 * 0.3, vcpus=2,
        disk_mode=DiskMode.PHYSICAL, measured_on=MeasuredOn(server="r710", hypervisor="none"),
    )  # fmt: skip
    scenario = a_scenario(
        hosts=(
            a_host("h1", server="r710", hypervisor="none"),
            a_host("h2", server="r740-6148", hypervisor="vsphere-6.7"),
        ),
        vms=(measured, a_vm("m2", host="h2")),
    )
    found = of_scenario("candidates", scenario)
    (one,) = found.servers
    assert (found.host, found.hypervisor) == ("r740-6148", "vsphere-6.7")
    assert (one.name, one.server) == ("M1", "r710")
    assert one.cpu_pct == pytest.approx(30.0, abs=0.1)


def test_no_example_has_a_name_of_a_server_of_ours() -> None:
    names = {item.name for scenario in SCENARIOS for item in scenario.items()}
    candidates = {each.name for each in TOPICS["candidates"].example.servers}
    files = {each.server for each in TOPICS["rebalance"].example.files}
    assert not (candidates | files) & names


# --- statistics of a Domino server --------------------------------------------------------------


def read(topic: str, text: str) -> tuple[Found, Advice]:
    found = read_inputs(TOPICS[topic], text.encode(), name="stat.txt")
    return found, found.told(advise(TOPICS[topic], found.inputs, knowledge()))


@pytest.mark.parametrize("topic", READS)
def test_statistics_have_an_answer_and_their_lines(topic: str) -> None:
    found, advice = read(topic, STATISTICS)
    assert found.inputs != TOPICS[topic].example
    assert advice.conclusion
    if topic != "availability":
        assert any(each.document.startswith("stat.txt:") for each in advice.sources)


def test_each_topic_takes_what_it_asks_for() -> None:
    users, cluster = read("users", STATISTICS)[0].inputs, read("cluster", STATISTICS)[0].inputs
    assert (users.connected_users, users.active_users) == (812.0, 612.0)
    assert (cluster.users, cluster.vcpus, cluster.ram_gib) == (612.0, 8, 32.0)
    assert (cluster.release, cluster.members) == ("9.0.1", 2)
    assert 10.0 < cluster.cpu_pct < 20.0
    assert cluster.disk_pct == pytest.approx(2 * cluster.cpu_pct)
    upgrade = read("upgrade", STATISTICS)[0].inputs
    assert upgrade.from_release == "9.0.1"
    assert upgrade.before.active_users == 612.0
    assert upgrade.before.transactions == pytest.approx(1000.0)
    assert upgrade.before.messages == pytest.approx(20.0)
    assert (upgrade.before.buffer_pool_mb, upgrade.before.cache_entries) == (1024.0, 6000.0)
    settings = read("availability", STATISTICS)[0].inputs
    assert (settings.release, settings.threshold) == ("9.0.1", 60.0)
    (one,) = read("candidates", STATISTICS)[0].inputs.servers
    assert (one.name, one.cpus, one.users, one.ram_gib) == ("Mail07", 8, 612.0, 32.0)
    assert one.cpu_pct == cluster.cpu_pct


def test_numbers_of_a_file_say_in_which_line_they_stand() -> None:
    _, advice = read("users", STATISTICS)
    by_id = {each.id: each for each in advice.numbers}
    assert by_id["connected_users"].source == "stat.txt:3, Server.Users"
    assert by_id["active_users"].source == "stat.txt:4, Server.Users.Active15Min"


def test_cpu_of_a_cluster_member_is_not_that_of_a_server_without() -> None:
    found, _ = read("cluster", STATISTICS + "  Replica.Cluster.Servers = 2\n")
    assert found.inputs.members == 3
    assert found.inputs.cpu_pct is None


@pytest.mark.parametrize("topic", sorted(set(READS) - {"candidates", "io"}))
def test_what_is_neither_is_refused_in_a_sentence(topic: str) -> None:
    with pytest.raises(StoreError) as error:
        read(topic, "a shopping list\nmilk\n")
    assert "Server.Users" in error.value.sentence


# --- what was measured over time ----------------------------------------------------------------

_HEADS = ("% Processor Time", "% Privileged Time")
COUNTERS = "\n".join(
    ",".join(f'"{cell}"' for cell in row)
    for row in (
        (
            "(PDH-CSV 4.0)",
            *(rf"\\SRV1\Processor(_Total)\{each}" for each in _HEADS),
            r"\\SRV1\PhysicalDisk(_Total)\Disk Transfers/sec",
            r"\\SRV1\Processor(0)\% Processor Time",
        ),
        ("03/05/2026 10:00:00.000", "40", "30", "100", "40"),
        ("03/05/2026 10:00:15.000", "60", "50", "300", "60"),
    )
)


def test_a_server_of_today_is_that_of_its_statistics() -> None:
    found, _ = read("migration", STATISTICS)
    today = found.inputs
    assert (today.users, today.old_cpus, today.old_ram_gib) == (612.0, 8, 32.0)
    assert (today.release, today.new_vcpus) == ("9.0.1", 4)
    assert found.places["old_ram_gib"].text == "stat.txt:11, Mem.PhysicalRAM_MB"


def test_counters_of_a_test_are_what_io_costs() -> None:
    found, advice = read("io", COUNTERS)
    assert (found.inputs.cpu_pct, found.inputs.kernel_pct) == (50.0, 40.0)
    assert found.inputs.planned_iops == pytest.approx(290.0)
    kernel = next(each for each in advice.numbers if each.id == "kernel_pct")
    assert kernel.source == "stat.txt:2, #3"


def test_statistics_have_the_kernel_of_mail() -> None:
    text = STATISTICS + "  Platform.System.PctTotalPrivilegedCpuUtil.Avg = 4\n"
    inputs = read("io", text)[0].inputs
    assert (inputs.test, inputs.cpu_pct, inputs.kernel_pct) == ("mail", 10.0, 4.0)


def test_rows_of_vmstat_stay_rows() -> None:
    head = " r b swpd free buff cache si so bi bo in cs us sy id wa st\n"
    rows = "".join(f" 1 0 0 1 1 1 0 0 0 5 1 1 {busy} 5 50 0 0\n" for busy in (90, 20, 30))
    found, _ = read("io", head + rows)
    assert [row.us for row in found.inputs.rows] == [90.0, 20.0, 30.0]
