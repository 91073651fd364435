"""The inspector's fields of the scenario itself: limits, load, assumptions, proposal."""

from __future__ import annotations

from app.widgets.inspector.specs import (
    NumberSpec,
    Section,
    Slide,
    number_spec,
    text_spec,
)
from models.scenario import Assumptions, Policy, Scenario


def _seconds(name: str, label: str, hint: str) -> NumberSpec:
    """Something that takes time, and that no document gives."""
    return number_spec(Assumptions, name, label, unit="s", step=10, hint=hint)


SCENARIO_SECTIONS = (
    Section(
        title="Limits",
        specs=(
            number_spec(Policy, "cpu_limit_pct", "CPU", unit="%", noun="CPU limit", step=5),
            number_spec(
                Policy, "response_limit_ms", "Response", unit="ms", noun="response limit", step=50
            ),
            number_spec(Policy, "disk_limit_pct", "Disks", unit="%", noun="disk limit", step=5),
            number_spec(
                Policy, "network_limit_pct", "Network", unit="%", noun="network limit", step=5
            ),
            number_spec(
                Policy,
                "capacity_limit_pct",
                "Disk space",
                unit="%",
                noun="disk space limit",
                step=5,
            ),
            number_spec(
                Policy,
                "vcpus_per_core_limit",
                "vCPUs per core",
                unit="",
                step=0.5,
                noun="limit of vCPUs per core",
            ),
            number_spec(
                Policy,
                "memory_overcommit",
                "RAM overcommit",
                unit="×",
                step=0.1,
                hint="Configured over physical memory that is tolerated; 1 is none",
            ),
        ),
    ),
    Section(
        title="Load",
        specs=(
            number_spec(
                Policy,
                "benchmark_derating",
                "Derating",
                unit="×",
                step=0.1,
                noun="benchmark derating",
                hint="Load of one of your users in benchmark users; the documents say 2",
            ),
            number_spec(
                Policy,
                "peak_factor_cpu",
                "CPU peak",
                unit="×",
                step=0.1,
                noun="CPU peak factor",
                hint="Peak over average",
            ),
            number_spec(
                Policy,
                "peak_factor_iops",
                "IOPS peak",
                unit="×",
                step=0.1,
                noun="IOPS peak factor",
                hint="Peak over average",
            ),
            number_spec(
                Policy,
                "mail_growth_pct",
                "Mail growth",
                unit="%",
                step=5,
                slide=Slide(1.0, 100.0),
                hint="Growth of mail files until the planning horizon",
            ),
        ),
    ),
    Section(
        title="Assumptions",
        folded=True,
        specs=(
            _seconds("ha_detection_s", "HA detects", "From a host's death to the order to restart"),
            _seconds("guest_boot_s", "Guest boots", "Start of a guest's operating system"),
            _seconds("domino_start_s", "Domino starts", "Start of the tasks, checks left out"),
            _seconds("log_replay_s", "Log replay", "Replay of the transaction logs"),
            number_spec(
                Assumptions,
                "consistency_check_s_per_gib",
                "Database check",
                unit="s/GiB",
                noun="database check",
                hint="Check of the databases where there are no transaction logs",
            ),
            _seconds("reconnect_s", "Reconnect", "Within which all log in after a network cut"),
            number_spec(
                Assumptions,
                "login_actions",
                "A login",
                unit="actions",
                noun="work of a login",
                hint="Work of one login, in ordinary actions of a user",
            ),
            _seconds("holiday_login_s", "First login", "Within which all log in after a holiday"),
            number_spec(
                Assumptions,
                "holiday_peak_factor",
                "Holiday peak",
                unit="×",
                step=0.1,
                noun="activity after a holiday",
                hint="Activity on the first day after a holiday over the usual one",
            ),
            _seconds("holiday_s", "Peak lasts", "How long users stay that active"),
            number_spec(
                Assumptions,
                "array_controllers",
                "Controllers",
                unit="",
                whole=True,
                noun="array controllers",
                hint="Controllers that share an array's load",
            ),
        ),
    ),
    Section(
        title="Proposal",
        specs=(
            text_spec(Scenario, "customer", "Customer"),
            text_spec(Scenario, "author", "Author"),
            text_spec(Scenario, "notes", "Notes", lines=True),
        ),
    ),
)
