"""Rules about what makers published: releases, support, sizes and the largest loads reported."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.texts import Text, say
from models.catalog.catalog import Figure, Hypervisor, Product, Release, Standing, Support
from models.catalog.published import (
    CHECKED,
    MakersSize,
    applying,
    on_hypervisor,
    only_64_bit,
    printed_sizes,
    release_of,
    size_among,
    statements,
)
from models.judgement import platform_limits as refusals
from models.judgement.rulebook import (
    COUNTED,
    SUPPORT,
    Context,
    Found,
    advice,
    cited,
    error,
    names,
    number,
    rule,
    warning,
)
from models.physics.arrays import COMMUNITY
from models.physics.columns import codes_in, looked_up, some
from models.physics.laws import nearest_release
from models.scenario.scenario import Vm
from models.scenario.wording import exact_text

ASK = say(
    "Look the server up in VMware’s compatibility list, and ask the vendor about these releases."
)
TABLES = "Headroom, description of the catalog, “Releases and support”"


def _first(context: Context, rows: BoolArray) -> Vm:
    """The first of these VMs by id; there is one."""
    by_id = context.inputs.arrays.vms.by_id
    place: int = by_id[rows.take(by_id).argmax()].item()
    return context.scenario.vms[place]


@rule("release-unknown", say("Release that is not known"), unweighed=COUNTED)
def release_unknown(context: Context) -> Iterator[Found]:
    for product, text, rows in context.named_releases:
        if not text or release_of(context.inputs.catalog, product, text) is not None:
            continue
        named = context.called(rows)
        if product is Product.DOMINO:
            what = say(
                "“{release}” is no known release of Domino; it is counted like {like} ({names})",
                release=text,
                like=nearest_release(text)[0],
                names=named,
            )
        else:
            what = say(
                "“{release}” is no known release of Sametime ({names})", release=text, names=named
            )
        yield warning(
            _first(context, rows),
            what,
            say("Enter the release by its number, such as {example}.", example=_example(product)),
            TABLES,
        )


def _example(product: Product) -> str:
    return "14.5" if product is Product.DOMINO else "12.0.3"


def _pairs(context: Context) -> Iterator[tuple[Release, Hypervisor, BoolArray]]:
    """Known releases in VMs that run, by the hypervisor they run on, with these VMs, (n,)."""
    arrays = context.inputs.arrays
    for release, rows in context.releases:
        virtual = rows & arrays.vms.running & ~arrays.vms.at.physical
        hypervisors = looked_up(arrays.hosts.hypervisor, arrays.vms.host, -1)
        for code in codes_in(hypervisors[virtual]):
            yield release, arrays.hosts.hypervisors[code], virtual & (hypervisors == code)


@rule("support-statement", say("Vendor’s support statement"), unweighed=SUPPORT)
def support_statement(context: Context) -> Iterator[Found]:
    """What is known of a release on a hypervisor; that nothing is known is said as well."""
    for release, hypervisor, rows in _pairs(context):
        found = on_hypervisor(statements(context.inputs.catalog, release), hypervisor.id)
        ended = release.end_of_support
        if not found and ended and hypervisor.year and ended.year < hypervisor.year:
            yield warning(
                _first(context, rows),
                say(
                    "{release} on {hypervisor}: support of the one ended on {day}, the other came "
                    "in {year}, so that nobody can have supported the pair ({names})",
                    release=release.name,
                    hypervisor=hypervisor.name,
                    day=ended.isoformat(),
                    year=hypervisor.year,
                    names=context.called(rows),
                ),
                say("Choose a release that is supported today."),
                cited(release, "end_of_support"),
            )
            continue
        yield advice(
            _first(context, rows),
            _said(release, hypervisor, context.called(rows), found[0] if found else None),
            ASK,
            cited(found[0], "standing", "hypervisors") if found else TABLES,
        )


def _said(release: Release, hypervisor: Hypervisor, named: str, found: Support | None) -> Text:
    """The statement on a pair, or that none was found, in words."""
    pair = {"release": release.name, "hypervisor": hypervisor.name}
    if found is None:
        return say(
            "{release} on {hypervisor}: no public statement was found that says whether it is "
            "supported ({names})",
            **pair,
            names=named,
        )
    if found.standing is Standing.UNSUPPORTED:
        return say(
            "{release} on {hypervisor}: a public statement says that it isn’t supported ({names})",
            **pair,
            names=named,
        )
    if found.standing is Standing.TESTED:
        return say(
            "{release} on {hypervisor}: a test of {year} is public, which is no statement of "
            "support ({names})",
            **pair,
            year=found.year,
            names=named,
        )
    return say(
        "{release} on {hypervisor}: a public statement of {year} says that it is supported "
        "({names})",
        **pair,
        year=found.year,
        names=named,
    )


@rule("support-end", say("End of support"), unweighed=SUPPORT)
def support_end(context: Context) -> Iterator[Found]:
    """Releases and hypervisors of which the last day of support is known."""
    for release, rows in context.releases:
        if release.end_of_support is None:
            continue
        extended = release.extended_support
        fix = (
            say("Plan with a release that is supported.")
            if extended is None
            else say(
                "Plan with a release that is supported, or buy extended support, which ends on "
                "{day}.",
                day=extended.isoformat(),
            )
        )
        yield advice(
            _first(context, rows),
            _ends(release, context.called(rows)),
            fix,
            cited(release, "end_of_support"),
        )
    hosts = context.inputs.arrays.hosts
    for code, hypervisor in enumerate(hosts.hypervisors):
        under = [host for _, host in context.hosts_where(hosts.hypervisor == code)]
        if hypervisor.end_of_support is None or not under:
            continue
        yield advice(
            min(under, key=attrgetter("id")),
            _ends(hypervisor, names([host.name for host in under])),
            say("Plan with a release that is supported."),
            cited(hypervisor, "end_of_support"),
        )


def _ends(entry: Release | Hypervisor, named: str) -> Text:
    end = entry.end_of_support
    assert end is not None  # the caller looks
    told = {"entry": entry.name, "day": end.isoformat(), "names": named}
    if end <= CHECKED:
        return say("Support of {entry} ended on {day} ({names})", **told)
    return say("Support of {entry} ends on {day} ({names})", **told)


@rule("support-guest-bits", say("32-bit system under a 64-bit release"))
def support_guest_bits(context: Context) -> Iterator[Found]:
    narrow = refusals.too_narrow(context.numbers)
    for release, rows in context.releases:
        found = only_64_bit(statements(context.inputs.catalog, release))
        if found is None or not some(rows & narrow):
            continue
        yield error(
            _first(context, rows & narrow),
            say(
                "{release} is for 64-bit systems only; these have 32 bits: {names}",
                release=release.name,
                names=context.called(rows & narrow),
            ),
            say("Use a 64-bit operating system: {guests}.", guests=", ".join(found.guests)),
            found.provenance.source,
        )


@rule("below-published-least", say("Below the maker’s least size"), unweighed=SUPPORT)
def below_least(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    for release, rows in context.releases:
        for least in applying(context.inputs.catalog, release, Figure.LEAST):
            cores, ram_gib = least.cores or 0.0, least.ram_gib or 0.0
            small = rows & vms.running & ((vms.vcpus < cores) | (vms.ram_gib < ram_gib))
            for _, vm in context.vms_where(small):
                yield warning(
                    vm,
                    say(
                        "{vm} has {vcpus} vCPUs and {ram_gib} GiB; its maker’s least for "
                        "production is {cores} cores and {least} GB",
                        vm=vm.name,
                        vcpus=vm.vcpus,
                        ram_gib=number(vm.ram_gib, 1),
                        cores=number(cores),
                        least=number(ram_gib),
                    ),
                    say("Give it that much."),
                    least.provenance.source,
                )


@rule("published-size", say("Maker’s size and prediction"), unweighed=SUPPORT)
def published_size(context: Context) -> Iterator[Found]:
    """A maker's size that lies outside the interval of what the model asks for."""
    vms, limit = context.inputs.arrays.vms, context.scenario.policy.cpu_limit_pct
    asked, users = context.numbers.asked_cores, vms.mail_owners
    for release, rows in context.releases:
        if release.product is not Product.DOMINO:
            continue
        there, which = np.unique(users, return_inverse=True)
        printed = printed_sizes(context.inputs.catalog, release)
        sizes = [size_among(printed, each) for each in there.tolist()]
        cores = np.array([np.nan if size is None else size.cores for size in sizes])[which]
        _, low, high = asked.ends * 100.0 / limit
        differ = rows & vms.running & asked.known & ((cores < low) | (cores > high))
        for row, vm in context.vms_where(differ):
            size = sizes[which[row]]
            assert size is not None  # NaN is neither below nor above
            yield advice(
                vm,
                _both_sizes(vm, size, asked.ends[:, row] * 100.0 / limit, limit),
                say("Measure a server of this customer; until then plan with the larger one."),
                size.source,
            )


def _both_sizes(vm: Vm, size: MakersSize, ends: FloatArray, limit: float) -> Text:
    """The maker's size and the model's, value, low and high in cores, side by side."""
    told = {
        "vm": vm.name,
        "users": number(size.users),
        "cores": exact_text(round(size.cores, 1)),
        "ram_gib": exact_text(round(size.ram_gib, 1)),
        "value": number(ends[0], 2),
        "low": number(ends[1], 2),
        "high": number(ends[2], 2),
        "limit": number(limit),
    }
    if size.exact:
        return say(
            "{vm}: its maker’s size for {users} users is {cores} cores and {ram_gib} GB; the model "
            "asks for {value} cores ({low} to {high}) at {limit} %",
            **told,
        )
    return say(
        "{vm}: {users} users lie between its maker’s sizes, at {cores} cores and {ram_gib} GB; the "
        "model asks for {value} cores ({low} to {high}) at {limit} %",
        **told,
    )


@rule("sametime-limit", say("Sametime: limit of a community server"))
def sametime_limit(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    servers = (vms.law == COMMUNITY) & vms.running
    for release, rows in context.releases:
        for limit in applying(context.inputs.catalog, release, Figure.LIMIT):
            if release.product is not Product.SAMETIME or "log-ins" not in limit.what:
                continue
            most = limit.users or np.inf
            for row, vm in context.vms_where(rows & servers & (vms.active_users > most)):
                yield warning(
                    vm,
                    say(
                        "{vm} is to serve {users} log-ins; {release} is made for {most} a "
                        "community server",
                        vm=vm.name,
                        users=number(vms.active_users[row]),
                        release=release.name,
                        most=number(most),
                    ),
                    say("Add a community server for each further {most}.", most=number(most)),
                    limit.provenance.source,
                )
