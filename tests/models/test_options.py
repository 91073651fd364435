"""Options for a requirement: sound, the best that there are, and said as they are."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest

from db.errors import StoreError
from db.requirement import (
    EXAMPLE,
    is_requirement,
    options_to_json,
    requirement_from_json,
    requirement_schema,
)
from models.base.errors import ModelError
from models.base.quantities import judged_end
from models.catalog.published import makers_size_of
from models.evaluate import evaluate
from models.options.bounds import sums_of
from models.options.judging import AGAINST_SIZES, advised_against
from models.options.memory import STEP_GIB, advised_gib
from models.options.option import FEWEST_HOSTS, LEAST_UNITS, MOST_HEADROOM, Options
from models.options.purchasable import arrays_of, hypervisor_for, storages
from models.options.requirement import MOST_LOADS, Load, Requirement, Units
from models.options.search import find_options
from models.options.vm_plans import MOST_PLANS_TOGETHER, vm_plans
from models.predict.demands import demands_of
from models.predict.prediction import Severity, Verdict
from models.scenario.growth import grown
from models.scenario.inputs import Subject, origin_of, with_origin
from models.scenario.origin import Origin
from models.scenario.owners import mail_owners
from models.scenario.scenario import (
    PRODUCTION,
    DiskMode,
    Growth,
    LoadBasis,
    Loss,
    Posture,
    Scenario,
    Workload,
)
from models.scenario.workloads import WorkloadKind
from models.tell.options import option_sections, requirement_of
from tests.models.options_by_force import (
    any_prices,
    any_requirement,
    assert_stated,
    assert_the_best,
    small_world,
)
from tests.models.worlds import CATALOG, KNOWLEDGE
from tests.sweeps import often

SERVERS = ("r760-6530", "xeon6-6730p")


def bank(users: float = 6000.0, **change: object) -> Requirement:
    work = Workload(
        kind=WorkloadKind.DOMINO_NRPC,
        release="12.0.2",
        active_users=users,
        registered_users=users * 2.5,
        mail_file_mb=500.0,
    )
    plain = Requirement(name="Bank", loads=(Load(work=work),), servers=SERVERS)
    return replace(plain, **change)  # type: ignore[arg-type]


@cache
def found(requirement: Requirement, keep: int = 10) -> Options:
    return find_options(requirement, KNOWLEDGE, keep=keep)


def assert_sound(options: Options) -> None:
    """Each fits today and at the end, and no rule has an error or a warning."""
    for each in options.options:
        years = each.scenario.growth.years
        for scenario, stated in (
            (each.scenario, each.today),
            (grown(each.scenario, years), each.end),
        ):
            there = evaluate(scenario, KNOWLEDGE)
            assert there.verdict is stated.verdict is Verdict.FITS
            graver = {Severity.ERROR, Severity.WARNING}
            assert not [f.text for f in there.findings if f.severity in graver]


def test_every_option_is_what_it_says() -> None:
    growth = Growth(years=3.0, users_pct=5.0, mail_pct=20.0)
    options = found(bank(growth=growth))
    assert options.options
    assert_sound(options)
    assert {name for each in options.options for name in each.names} == {
        FEWEST_HOSTS,
        MOST_HEADROOM,
        LEAST_UNITS,
    }
    assert sum(made.load.work.active_users for made in options.options[0].plan.made) == 6000.0
    units = [each.units for each in options.options]
    assert units[0] == min(units)


def memory_advice(scenario: Scenario) -> list[str]:
    years = scenario.growth.years
    there = [evaluate(grown(scenario, each), KNOWLEDGE) for each in {0.0, years}]
    return [f.text for each in there for f in each.findings if f.rule in AGAINST_SIZES]


@pytest.mark.parametrize("posture", Posture)
@pytest.mark.slow
def test_no_design_has_memory_that_the_program_advises_against(posture: Posture) -> None:
    """2,500 registered users a member took 43 to 60 GB on the field servers."""
    pair = bank(
        1700.0, cluster_partners=True, policy=replace(PRODUCTION, posture=posture), growth=Growth()
    )
    work = replace(pair.loads[0].work, registered_users=5000.0)
    options = found(replace(pair, loads=(Load(work=work),)))
    first = options.options[0].scenario
    assert {vm.ram_gib for vm in first.vms} <= {48.0, 56.0}
    assert all(host.ram_gib >= sum(vm.ram_gib for vm in first.vms) for host in first.hosts), (
        "either host carries both"
    )
    for each in options.options:
        assert not memory_advice(each.scenario)


@pytest.mark.parametrize("posture", often(Posture, [Posture.STANDARD]))
def test_a_member_with_its_partners_users_stays_within_the_largest_published_load(
    posture: Posture,
) -> None:
    """2,000 active users in production are compared with 8,000 benchmark users: no pair of them,
    and no fewer members than keep 7,008 with one lost."""
    options = found(
        bank(2000.0, cluster_partners=True, policy=replace(PRODUCTION, posture=posture))
    )
    assert options.options
    assert_sound(options)
    for each in options.options:
        assert all(2 * vm.workload.active_users * 4 <= 7008 for vm in each.scenario.vms)


def test_memory_is_that_of_the_owners_at_the_end_of_the_growth() -> None:
    growth = Growth(years=4.0, users_pct=25.0)
    today, later = (found(bank(2000.0, growth=g)).options[0] for g in (Growth(), growth))
    assert not memory_advice(later.scenario)
    for option, factor in ((today, 1.0), (later, 1.25**4)):
        for vm in option.scenario.vms:
            owners = (vm.workload.registered_users or 0.0) * factor
            assert 17.0 * owners / 1000.0 <= vm.ram_gib < 24.0 * owners / 1000.0 + STEP_GIB


def test_no_server_has_less_than_its_maker_prints_for_so_many_users() -> None:
    fourteen = Workload(kind=WorkloadKind.DOMINO_NRPC, release="14.0", active_users=40.0)
    size = makers_size_of(CATALOG, fourteen, production=True)
    assert size is not None
    owners = mail_owners(fourteen, production=True)
    assert advised_gib(fourteen, owners, PRODUCTION, CATALOG) >= size.ram_gib
    benchmark = replace(PRODUCTION, load_basis=LoadBasis.BENCHMARK)
    assert advised_gib(fourteen, owners, benchmark, CATALOG) == 0.0


def test_memory_that_is_settled_stays_and_is_best_at_something_where_nothing_else_is() -> None:
    settled = bank(1000.0)
    load = replace(settled.loads[0], ram_gib=16.0)
    options = found(replace(settled, loads=(load,)))
    assert {vm.ram_gib for each in options.options for vm in each.scenario.vms} == {16.0}
    assert options.options[0].names


def on_the_board(**fields: object) -> Scenario:
    """A pair of 2,500 registered users each with 8 GiB, as it was sized once."""
    made = found(bank(1700.0, cluster_partners=True)).options[0].scenario
    work = replace(made.vms[0].workload, active_users=850.0, registered_users=2500.0)
    vms = tuple(
        replace(vm, ram_gib=8.0, workload=work, **fields)  # type: ignore[arg-type]
        for vm in made.vms[:2]
    )
    return replace(made, vms=vms)


def test_vms_of_a_board_get_the_memory_that_their_mail_files_ask_for() -> None:
    board = on_the_board(origins=(), pins=())
    options = found(replace(requirement_of(board, "again"), servers=SERVERS), keep=3)
    first = options.options[0].scenario
    assert not memory_advice(first)
    assert {origin_of(vm, "ram_gib") for vm in first.vms} == {Origin.AUTO}
    assert "Mail-01, Mail-02: more memory than now" in repr(option_sections(options, CATALOG))


@pytest.mark.parametrize(
    "known", [{"origins": (("ram_gib", Origin.CUSTOMER),)}, {"pins": ("ram_gib",)}]
)
@pytest.mark.slow
def test_memory_that_somebody_knows_or_pinned_stays(known: dict[str, object]) -> None:
    board = on_the_board(**{"origins": (), "pins": ()} | known)
    options = found(replace(requirement_of(board, "again"), servers=SERVERS), keep=3)
    assert {vm.ram_gib for vm in options.options[0].scenario.vms} == {8.0}
    assert "more memory than now" not in repr(option_sections(options, CATALOG))


@pytest.mark.slow
def test_a_design_that_is_advised_against_is_best_at_nothing_while_another_is_there() -> None:
    """On a machine with small sockets VMs of 32 vCPUs are wider than these."""
    load = Load(work=bank(1500.0).loads[0].work, vcpus=32, ram_gib=64.0)
    servers = ("dl380g10p", "r760-6430")
    options = found(replace(bank(1500.0), loads=(load,), servers=servers), keep=400)
    against = [advised_against(each.today, each.end) for each in options.options]
    assert against == sorted(against)
    assert any(against)
    assert not any(bad and each.names for bad, each in zip(against, options.options, strict=True))


@pytest.mark.seeds(plain=4, slow=330)
def test_nothing_is_better_by_brute_force(seed: int) -> None:
    assert_the_best(*small_world(seed))


def test_hosts_get_the_memory_that_lets_all_restart() -> None:
    """With the least memory one host fewer leaves a VM without room: with more it doesn't."""
    wanted, catalog = small_world(270)
    assert wanted.host_failures == 0
    found = find_options(wanted, replace(KNOWLEDGE, catalog=catalog)).named(FEWEST_HOSTS)
    assert found is not None
    assert found.hosts == 2
    assert found.stand.ram_gib == 128.0


@pytest.mark.seeds(plain=2, slow=60)
def test_by_money_nothing_is_cheaper_than_the_cheapest(seed: int) -> None:
    wanted, catalog = small_world(seed + 3)
    assert_the_best(wanted, catalog, any_prices(seed, catalog))


@pytest.mark.seeds(plain=1, slow=300)
def test_random_requirements_trip_no_rule_of_the_program(seed: int) -> None:
    assert_stated(found(any_requirement(seed), keep=3), CATALOG)


def test_an_array_whose_controllers_have_no_figure_is_no_option() -> None:
    """Missing data does not win: the loss of a controller is to be survived."""
    silent = bank(2000.0, arrays=("af150s3",))
    options = found(silent, keep=1)
    assert not options.options
    assert any("no figure is known of what its controllers" in e.reason for e in options.refused)
    unasked = replace(silent, policy=replace(PRODUCTION, survive=(Loss.HOST,)))
    assert found(unasked, keep=1).options[0].end.verdict is Verdict.FITS


def test_no_drive_is_offered_that_the_array_does_not_take() -> None:
    """Nor one that is asked for by name: the array is refused then, with the reason."""
    asked = bank(2000.0, arrays=("gen-afa-mid", "fas8040"), disks=("sata-7k2", "nvme", "sas-10k"))
    options = found(asked, keep=50)
    assert options.options
    for each in options.options:
        assert each.storage.array.takes(each.storage.disk), each.storage
    refused = found(bank(2000.0, arrays=("netapp-fas3020",), disks=("nvme",)))
    assert not refused.options
    (why,) = (each for each in refused.refused if each.array == "netapp-fas3020")
    assert "none of the RAID levels or drives" in why.reason


def test_drives_of_the_hosts_are_no_array_beside_them() -> None:
    """A lost host would take its drives along, and RAID 5 of two hosts is none."""
    options = found(bank(2000.0, arrays=("vsan-esa", "gen-afa-mid")), keep=50)
    assert {each.storage.array.id for each in options.options} == {"gen-afa-mid"}
    (refused,) = (each for each in options.refused if each.array == "vsan-esa")
    assert "drives stand in the hosts" in refused.reason
    assert not found(bank(2000.0, arrays=("vsan-esa",))).options


def test_chat_stands_as_published_and_its_verdict_is_not_known() -> None:
    """Nobody published what Sametime takes: there is room for it, and nothing else is unknown."""
    chat = Workload(kind=WorkloadKind.SAMETIME_COMMUNITY, active_users=8000.0)
    wanted = bank(loads=(*bank().loads, Load(work=chat)))
    options = found(wanted, keep=3)
    assert_stated(options, CATALOG)
    for each in options.options:
        kinds = [vm.workload.kind for vm in each.scenario.vms]
        assert WorkloadKind.SAMETIME_COMMUNITY in kinds
        assert WorkloadKind.SAMETIME_MUX in kinds
        assert each.end.verdict is Verdict.NOT_KNOWN
        unknown = {name for name, v in each.end.by_resource.items() if v is Verdict.NOT_KNOWN}
        assert unknown == {"cpu", "iops"}
    assert "never published" in repr(option_sections(options, CATALOG))


def test_chat_beyond_the_published_servers_is_refused_with_that_reason() -> None:
    chat = Workload(kind=WorkloadKind.SAMETIME_COMMUNITY, active_users=8000.0)
    options = found(bank(loads=(Load(work=chat, vcpus=1, ram_gib=1.0),)))
    assert not options.options
    assert any("published design" in each.reason for each in options.refused)


def test_what_is_settled_stays_settled() -> None:
    load = replace(bank().loads[0], vms=9, vcpus=8, ram_gib=16.0)
    options = found(bank(loads=(load,), hosts=4, host_ram_gib=512.0, drives=24))
    for each in options.options:
        assert len(each.scenario.vms) == 9
        assert {(vm.vcpus, vm.ram_gib) for vm in each.scenario.vms} == {(8, 16.0)}
        assert (each.hosts, each.drives) == (4, 24)
        assert each.scenario.hosts[0].ram_gib == 512.0


def test_vms_of_a_board_are_taken_as_they_are() -> None:
    board = found(bank(2000.0)).options[0].scenario
    again = found(replace(requirement_of(board, "Again"), servers=SERVERS))
    assert again.options
    names = [vm.name for vm in again.options[0].scenario.vms]
    assert names == [vm.name for vm in board.vms]
    assert_sound(again)


def test_what_is_left_out_says_why() -> None:
    options = found(bank(servers=("ibm-x366",)))
    assert not options.options
    assert all(each.reason for each in options.refused)
    text = repr(option_sections(options, CATALOG))
    assert "none fits" in text


def test_partners_stand_apart() -> None:
    for each in found(bank(cluster_partners=True), keep=2).options:
        where = {vm.id: vm.host for vm in each.scenario.vms}
        for vm in each.scenario.vms:
            assert all(where[partner] != vm.host for partner in vm.cluster_partners)
        assert any(vm.cluster_partners for vm in each.scenario.vms)


def test_units_are_the_users_own() -> None:
    many = found(bank(units=Units(host=1000.0, core=0.0, gib=0.0, drive=0.0)), keep=1)
    assert many.options[0].units == 1000.0 * many.options[0].hosts


def test_a_search_can_be_given_up() -> None:
    def check() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        find_options(bank(), KNOWLEDGE, check=check)


def test_the_plans_of_many_loads_are_bounded() -> None:
    loads = bank(100.0).loads * MOST_LOADS
    server = CATALOG.servers[SERVERS[0]]
    machines = [(server, hypervisor_for(server, CATALOG, None))]
    arrays, _ = arrays_of(CATALOG, None)
    found_there, _ = storages(CATALOG, arrays, None, None)
    asked = replace(bank(), loads=loads)
    (plans,) = vm_plans(asked, machines, found_there[0], KNOWLEDGE)
    assert 1 <= len(plans) <= MOST_PLANS_TOGETHER


@pytest.mark.parametrize(
    ("loads", "reason"),
    [
        (bank(10.0).loads * (MOST_LOADS + 1), "must not be more than 24"),
        (bank(1e9).loads, "VMs would be needed; no more than 2,048"),
    ],
)
def test_more_than_is_laid_out_is_refused_at_once(loads: tuple[Load, ...], reason: str) -> None:
    with pytest.raises(ModelError, match=reason) as caught:
        found(replace(bank(), loads=loads))
    assert caught.value.field == "workloads"


def test_nothing_to_serve_is_refused() -> None:
    with pytest.raises(ModelError, match="nothing to serve"):
        found(replace(bank(), loads=()))


FILE = {
    "format": "headroom-requirement",
    "version": 1,
    "name": "Bank",
    "workloads": [
        {
            "kind": "domino-nrpc",
            "release": "12.0.2",
            "active_users": 3000,
            "mail_file_mb": 500,
            "vcpus": 8,
        }
    ],
    "servers": ["r760-6530"],
    "policy": {"cpu_limit_pct": 60},
    "growth": {"years": 2, "users_pct": 5},
}


def test_a_file_becomes_a_requirement_and_options_become_json() -> None:
    wanted = requirement_from_json(json.dumps(FILE).encode(), name="r.json")
    assert wanted.policy.cpu_limit_pct == 60.0
    assert wanted.policy.load_basis.value == "production"
    assert wanted.loads[0].vcpus == 8
    printed = json.loads(json.dumps(options_to_json(found(wanted, keep=2))))
    first = printed["options"][0]
    assert first["verdict_at_end"] == first["verdict"] == "fits"
    assert first["scenario"]["format"] == "headroom-scenario"
    assert first["scenario"]["growth"]["years"] == 2.0


def test_the_example_is_a_requirement_and_the_schema_knows_its_fields() -> None:
    wanted = requirement_from_json(json.dumps(EXAMPLE).encode(), name="r.json")
    assert (wanted.name, wanted.growth.years) == ("Bank", 3.0)
    fields = requirement_schema()["properties"]
    assert set(EXAMPLE) <= set(fields)
    mail = fields["workloads"]["items"]["anyOf"][0]["properties"]
    assert {"kind", "active_users", "vms", "vcpus"} <= set(mail)


@pytest.mark.parametrize("said", [{}, {"format": "x"}])
def test_a_file_of_no_format_is_told_which_there_are(said: dict[str, str]) -> None:
    data = json.dumps(said | {"version": 1}).encode()
    assert is_requirement(data)
    assert not is_requirement(b'{"version": 1, "format": "headroom-scenario"}')
    with pytest.raises(StoreError, match="“headroom-requirement” or “headroom-scenario”"):
        requirement_from_json(data, name="r.json")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"max_hosts": 0}, "max_hosts"),
        ({"workloads": [{"kind": "domino-nrpc"}]}, "workloads[0]"),
        ({"workloads": [{"kind": "printer"}]}, "workloads[0].kind"),
        ({"policy": {"cpu_limit": 3}}, "policy"),
        ({"growth": {"years": -1}}, "growth.years"),
        ({"units": {"host": -1}}, "units.host"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_file_names_the_field(change: dict[str, object], field: str) -> None:
    with pytest.raises(StoreError) as refusal:
        requirement_from_json(json.dumps(FILE | change).encode(), name="r.json")
    assert field in f"{refusal.value.field}{refusal.value}"


def test_a_branch_that_need_not_survive_a_host_has_room_for_all_the_same() -> None:
    """One host would trip the rule about the loss of a host."""
    options = found(bank(50.0, host_failures=0), keep=3)
    assert options.options[0].hosts == 2
    assert_stated(options, CATALOG)
    alone = found(bank(50.0, host_failures=0, max_hosts=1))
    assert not alone.options
    assert any("finds no room" in each.reason for each in alone.refused)


def test_many_users_are_carried_where_one_array_takes_them() -> None:
    assert found(bank(40_000.0), keep=1).options
    beyond = found(bank(100_000.0), keep=1)
    assert not beyond.options
    assert any("controllers" in each.reason for each in beyond.refused)


def test_chat_alone_is_laid_out() -> None:
    chat = Workload(kind=WorkloadKind.SAMETIME_COMMUNITY, active_users=8000.0)
    options = found(bank(loads=(Load(work=chat),)), keep=1)
    assert_stated(options, CATALOG)
    assert options.options


def test_a_physical_server_becomes_a_vm() -> None:
    vms = found(bank(2000.0), keep=1).options[0].scenario.vms
    physical = tuple(replace(vm, disk_mode=DiskMode.PHYSICAL) for vm in vms)
    options = found(bank(loads=(), vms=physical), keep=1)
    assert_stated(options, CATALOG)
    assert {vm.disk_mode for vm in options.options[0].scenario.vms} == {DiskMode.VMFS}


def test_vms_without_figures_are_not_known_rather_than_no_fit() -> None:
    vms = found(bank(1000.0), keep=1).options[0].scenario.vms
    silent = tuple(replace(vm, workload=Workload(kind=WorkloadKind.GENERIC)) for vm in vms)
    options = found(bank(loads=(), vms=silent), keep=1)
    assert not options.options
    assert "Not known" in repr(option_sections(options, CATALOG))


def test_a_vm_of_an_option_is_the_same_one_in_the_others() -> None:
    """However many mail servers there are, no chat server takes the id of one."""
    chat = Workload(kind=WorkloadKind.SAMETIME_COMMUNITY, active_users=8000.0)
    own = replace(found(bank(100.0), keep=1).options[0].scenario.vms[0], id="mail-02")
    loads = (*bank(2000.0).loads, *bank(900.0).loads, Load(work=chat))
    options = found(bank(loads=loads, vms=(own,)), keep=6).options
    of_ids: dict[str, set[tuple[str, object]]] = {}
    for each in options:
        for vm in each.scenario.vms:
            of_ids.setdefault(vm.id, set()).add((vm.name, vm.workload.kind))
    assert "mail-01" not in of_ids  # what the own one is named
    assert all(len(same) == 1 for same in of_ids.values())
    assert len({len(each.scenario.vms) for each in options}) > 1
    assert {"mail-02", "mail-03", "mail2-01", "chat-01", "mux-01"} <= set(of_ids)


def test_what_the_search_chose_is_no_entry_by_hand() -> None:
    chat = Workload(kind=WorkloadKind.SAMETIME_COMMUNITY, active_users=8000.0)
    loads = (replace(bank(2000.0).loads[0], vcpus=8), Load(work=chat))
    options = found(bank(loads=loads, arrays=("gen-afa-mid",), cluster_partners=True), keep=1)
    scenario = options.options[0].scenario
    by_name = {vm.id: vm for vm in scenario.vms}
    mail, mux = by_name["mail-01"], by_name["mux-01"]
    host, pool = scenario.hosts[0], scenario.pools[0]
    chosen: list[tuple[Subject, str]] = [
        (host, p) for p in ("server", "hypervisor", "ram_gib", "cluster")
    ]
    chosen += [(pool, path) for path in ("disk", "spindles", "raid")]
    chosen += [(mail, p) for p in ("host", "pool", "ram_gib", "disk_mode", "cluster_partners")]
    chosen.append((mux, "workload.active_users"))
    assert {path: origin_of(item, path) for item, path in chosen} == {
        path: Origin.AUTO for _, path in chosen
    }
    said: list[tuple[Subject, str]] = [
        (pool, "array"),
        (mail, "vcpus"),
        (mail, "workload.active_users"),
    ]
    assert {origin_of(item, path) for item, path in said} == {Origin.MANUAL}
    usual: list[tuple[Subject, str]] = [(scenario, "policy.load_basis")]
    assert not any(path.startswith("policy.site") for path, _ in scenario.origins)
    usual.append((scenario.clusters[0], "admission.host_failures"))
    assert {origin_of(item, path) for item, path in usual} == {Origin.DEFAULT}


def test_vms_taken_as_they_are_keep_who_gave_them_but_for_their_place() -> None:
    board = found(bank(2000.0), keep=1).options[0].scenario
    imported = replace(
        board, vms=tuple(with_origin(vm, Origin.IMPORTED) for vm in board.vms), origins=()
    )
    again = found(replace(requirement_of(imported, "Again"), servers=SERVERS), keep=1)
    vm = again.options[0].scenario.vms[0]
    assert origin_of(vm, "host") is origin_of(vm, "pool") is Origin.AUTO
    assert origin_of(vm, "vcpus") is Origin.IMPORTED


def test_cpu_that_is_judged_is_of_vms_no_more_than_of_their_hosts() -> None:
    """A bound of hosts rests on it: what VMs come to one by one, any placement of them exceeds."""
    option = found(bank()).options[0]
    end = grown(option.scenario, option.scenario.growth.years)
    sums = sums_of(demands_of(end, KNOWLEDGE), end.policy)
    cpu = option.end.hosts.cpu_pct
    judged = judged_end(cpu.value, cpu.high, end.policy.posture.share)
    cores = judged.sum() / 100.0 * CATALOG.servers[option.server].cores
    assert sums.cores < sums.judged_cores <= cores * (1.0 + 1e-9)
