"""The inspector's fields of the scenario itself: limits, load, assumptions, proposal."""

from __future__ import annotations

from app.language import tr
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
        title=tr("Limits"),
        specs=(
            number_spec(Policy, "cpu_limit_pct", "CPU", unit="%", noun=tr("CPU limit"), step=5),
            number_spec(
                Policy,
                "response_limit_ms",
                tr("Response"),
                unit="ms",
                noun=tr("response limit"),
                step=50,
            ),
            number_spec(
                Policy, "disk_limit_pct", tr("Disks"), unit="%", noun=tr("disk limit"), step=5
            ),
            number_spec(
                Policy,
                "network_limit_pct",
                tr("Network"),
                unit="%",
                noun=tr("network limit"),
                step=5,
            ),
            number_spec(
                Policy,
                "capacity_limit_pct",
                tr("Disk space"),
                unit="%",
                noun=tr("disk space limit"),
                step=5,
            ),
            number_spec(
                Policy,
                "vcpus_per_core_limit",
                tr("vCPUs per core"),
                unit="",
                step=0.5,
                noun=tr("limit of vCPUs per core"),
            ),
            number_spec(
                Policy,
                "memory_overcommit",
                tr("RAM overcommit"),
                unit="×",
                step=0.1,
                hint=tr("Configured over physical memory that is tolerated; 1 is none"),
            ),
        ),
    ),
    Section(
        title=tr("Load"),
        specs=(
            number_spec(
                Policy,
                "benchmark_derating",
                tr("Derating"),
                unit="×",
                step=0.1,
                noun=tr("benchmark derating"),
                hint=tr("Load of one of your users in benchmark users; the documents say 2"),
            ),
            number_spec(
                Policy,
                "peak_factor_cpu",
                tr("CPU peak"),
                unit="×",
                step=0.1,
                noun=tr("CPU peak factor"),
                hint=tr("Peak over average"),
            ),
            number_spec(
                Policy,
                "peak_factor_iops",
                tr("IOPS peak"),
                unit="×",
                step=0.1,
                noun=tr("IOPS peak factor"),
                hint=tr("Peak over average"),
            ),
            number_spec(
                Policy,
                "mail_growth_pct",
                tr("Mail growth"),
                unit="%",
                step=5,
                slide=Slide(1.0, 100.0),
                hint=tr("Growth of mail files until the planning horizon"),
            ),
        ),
    ),
    Section(
        title=tr("Assumptions"),
        folded=True,
        specs=(
            _seconds(
                "ha_detection_s",
                tr("HA detects"),
                tr("From a host’s death to the order to restart"),
            ),
            _seconds("guest_boot_s", tr("Guest boots"), tr("Start of a guest’s operating system")),
            _seconds(
                "domino_start_s", tr("Domino starts"), tr("Start of the tasks, checks left out")
            ),
            _seconds("log_replay_s", tr("Log replay"), tr("Replay of the transaction logs")),
            number_spec(
                Assumptions,
                "consistency_check_s_per_gib",
                tr("Database check"),
                unit="s/GiB",
                noun=tr("database check"),
                hint=tr("Check of the databases where there are no transaction logs"),
            ),
            _seconds(
                "reconnect_s", tr("Reconnect"), tr("Within which all log in after a network cut")
            ),
            number_spec(
                Assumptions,
                "login_actions",
                tr("A login"),
                unit=tr("actions"),
                noun=tr("work of a login"),
                hint=tr("Work of one login, in ordinary actions of a user"),
            ),
            _seconds(
                "holiday_login_s", tr("First login"), tr("Within which all log in after a holiday")
            ),
            number_spec(
                Assumptions,
                "holiday_peak_factor",
                tr("Holiday peak"),
                unit="×",
                step=0.1,
                noun=tr("activity after a holiday"),
                hint=tr("Activity on the first day after a holiday over the usual one"),
            ),
            _seconds("holiday_s", tr("Peak lasts"), tr("How long users stay that active")),
            number_spec(
                Assumptions,
                "array_controllers",
                tr("Controllers"),
                unit="",
                whole=True,
                noun=tr("array controllers"),
                hint=tr("Controllers that share an array’s load"),
            ),
        ),
    ),
    Section(
        title=tr("Proposal"),
        specs=(
            text_spec(Scenario, "customer", tr("Customer")),
            text_spec(Scenario, "author", tr("Author")),
            text_spec(Scenario, "notes", tr("Notes"), lines=True),
        ),
    ),
)
