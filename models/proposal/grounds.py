"""What the numbers rest on: coverage, model error, assumptions, sources, and every input."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from models.base.fields import fields_of
from models.base.quantities import Basis, Series
from models.base.texts import given, joined, opening, say, say_many
from models.catalog.catalog import Array, Disk, Hypervisor, RaidLevel, Server
from models.evidence.citation import documents, in_short, instead_of_document, is_document
from models.evidence.publishers import UNPUBLISHED, is_private, publisher_of, titled
from models.fitting.validation import Accuracy
from models.proposal.inputs import assumed_inputs, coverage, share_text, shares
from models.scenario.scenario import NO_HYPERVISOR
from models.scenario.transactions import TRANSACTIONS
from models.scenario.wording import duration_text, number, with_unit
from models.tell.accuracy import accuracy_table
from models.tell.blocks import Bullets, Column, Paragraph, Section, Table
from models.tell.subject import Subject

STORM_RULE = "reconnect-storm"
NOT_MODELLED = (
    say("Third-party tasks in the guest, such as virus scanning and backup."),
    say(
        "Domino tasks beside mail (agents, full-text indexing, compact, replication to other "
        "sites)."
    ),
    say("The time of an HA restart: documents say minutes, without a figure."),
    say("Response time during an FT failover: no figure in the documents."),
    say("CPU of Sametime servers: the documents hold a feasible configuration, but no figure."),
)


def confidence(subject: Subject) -> Section:
    """How much of the predicted numbers was measured, and how wrong the model is known to be."""
    counts = basis_counts(subject)
    pct = shares(counts)
    rows = tuple(
        (basis.label, number(counts[basis]), share_text(pct[basis], counts[basis]), meaning)
        for basis, meaning in _MEANINGS
        if counts[basis]
    )
    known = pct.get(Basis.MEASURED, 0) + pct.get(Basis.INTERPOLATED, 0)
    message = say(
        "{share} of the predicted numbers were measured or lie between measurements.",
        share=with_unit(number(known), "%"),
    )
    columns = (
        Column(say("Basis")),
        Column(say("Numbers"), numeric=True),
        Column(say("Share"), numeric=True),
        Column(say("Meaning"), wide=True),
    )
    return Section(
        say("How sure this is"),
        (
            Paragraph(say("How the predicted numbers were found:")),
            Table(columns, rows),
            *_model_error(subject),
            Paragraph(say("How well this customer is known, whatever the model does with it:")),
            *coverage(subject),
        ),
        message,
    )


def _model_error(subject: Subject) -> tuple[Paragraph | Table | Bullets, ...]:
    """The errors of held-out predictions, of the families that this design rests on; and which of
    these are too small to have any."""
    if not (subject.accuracy or subject.unchecked):
        return ()
    used = _families(subject, _all_series(subject))
    blocks: list[Paragraph | Table | Bullets] = []
    tested = [each for each in subject.accuracy if _rests_on(subject, each)]
    if tested:
        named = _named_families(used, sorted({each.family for each in tested}))
        blocks += [
            Paragraph(
                say(
                    "How wrong the model is, found by leaving measured points out and predicting "
                    "them, of {families}; ranges are as wide as these errors demand:",
                    families=named,
                )
            ),
            accuracy_table(tested, in_short=True),
        ]
    small = tuple(
        say(
            "{families}: {reason}.",
            families=opening(_named_families(used, [each.family])),
            reason=each.reason,
        )
        for each in subject.unchecked
        if each.family in used
    )
    if small:
        blocks += [Paragraph(_FEW_BESIDES if tested else _FEW), Bullets(small)]
    none = Paragraph(
        say("No number of this design rests on a fit whose error could be found this way.")
    )
    return tuple(blocks) or (none,)


_FEW = say(
    "The evidence that this design rests on holds too few points to leave any out: there the "
    "model’s error is not known, and no held-out point has tested its intervals."
)
_FEW_BESIDES = say(
    "Other evidence that this design rests on holds too few points to leave any out: there the "
    "model’s error is not known, and no held-out point has tested its intervals."
)


def _rests_on(subject: Subject, accuracy: Accuracy) -> bool:
    """Whether VMs have a number of this quantity that comes from this family."""
    return accuracy.family in _families(
        subject, [getattr(subject.prediction.vms, accuracy.quantity)]
    )


def _families(subject: Subject, columns: Iterable[Series]) -> dict[str, list[str]]:
    """Families behind the numbers that are known, each with its documents."""
    ids = _evidence_of(columns)
    rows = [subject.evidence[id] for id in sorted(ids) if id in subject.evidence]
    found: dict[str, list[str]] = {}
    for row in rows:
        names = found.setdefault(row.family, [])
        if row.document not in names:
            names.append(row.document)
    return found


def _evidence_of(columns: Iterable[Series]) -> set[str]:
    """Ids of the evidence behind the numbers that are known."""
    return {
        id
        for series in columns
        for row in series.evidence[series.basis != Basis.NO_DATA].tolist()
        for id in (series.sources[row] if series.sources else ())
    }


def _named_families(used: Mapping[str, Sequence[str]], families: Iterable[str]) -> str:
    return joined(
        ", ",
        [joined("; ", used[each]) for each in families],
    )


_MEANINGS = (
    (Basis.MEASURED, say("this very configuration was measured")),
    (Basis.INTERPOLATED, say("inside the range of the measurements")),
    (Basis.EXTRAPOLATED, say("beyond the range of the measurements")),
    (Basis.TRANSFERRED, say("from other hardware or another release, by a stated factor")),
    (Basis.RULE, say("arithmetic on inputs, or a published rule")),
    (Basis.NO_DATA, say("no document holds a figure")),
)


def basis_counts(subject: Subject) -> Counter[Basis]:
    """How many predicted numbers have which basis; of those that a size rests on, so without the
    transactions that stand beside a console's."""
    counts: Counter[Basis] = Counter()
    for series in _all_series(subject):
        counts.update(Basis(int(code)) for code in series.basis)
    return counts


def _all_series(subject: Subject) -> Iterable[Series]:
    prediction = subject.prediction
    for table in (prediction.vms, prediction.hosts, prediction.pools):
        for name, value in vars(table).items():
            if isinstance(value, Series) and name != TRANSACTIONS:
                yield value


def assumptions(subject: Subject) -> Section:
    """Fields of the catalog that are somebody's assumption, and what is left out."""
    blocks: list[Paragraph | Bullets] = []
    assumed = _assumed(subject)
    if assumed:
        blocks += [Paragraph(say("Assumed in the catalog, to be checked:")), Bullets(assumed)]
    made_up = assumed_inputs(subject)
    if made_up:
        blocks += [
            Paragraph(say("Assumed, as no file said it, to be checked:")),
            Bullets(made_up),
        ]
    if notes := subject.scenario.import_notes:
        blocks += [
            Paragraph(say("What the import of the files left out, assumed or doubted:")),
            Bullets(tuple(each.words for each in notes)),
        ]
    left_out = NOT_MODELLED if subject.storms else (*NOT_MODELLED, _no_storms(subject))
    blocks += [Paragraph(say("Not in this proposal:")), Bullets(left_out)]
    if subject.scenario.notes:
        blocks += [
            Paragraph(say("Notes on the scenario:")),
            Paragraph(given(subject.scenario.notes)),
        ]
    return Section(say("Assumptions and exclusions"), tuple(blocks))


def _no_storms(subject: Subject) -> str:
    """Why nothing is worked out, and what the finding about logins says all the same."""
    given = subject.scenario.assumptions
    back, holiday = duration_text(given.reconnect_s), duration_text(given.holiday_login_s)
    text = say(
        "Login storms, when a network cut or a holiday ends: nobody stated within which time users "
        "come back. The inputs hold the program’s defaults, {back} and {holiday}; nothing here is "
        "worked out from them. Stated, it is worked out who waits, and for how long.",
        back=back,
        holiday=holiday,
    )
    if all(finding.rule != STORM_RULE for finding in subject.prediction.findings):
        return text
    besides = say("The finding about logins needs no such time: it adds up the work of all logins.")
    return joined(" ", (text, besides))


def _assumed(subject: Subject) -> tuple[str, ...]:
    """Each entry that rests on an assumption, and what there was instead of a document."""
    lines = (
        joined(": ", (entry.name, _assumed_words(entry)))
        for entry in _entries_used(subject)
        if entry.provenance.assumed or not all(map(is_document, documents(entry.provenance.source)))
    )
    return tuple(dict.fromkeys(lines))


def _assumed_words(entry: Entry) -> str:
    known = fields_of(type(entry))
    fields = joined(", ", (known[name].label for name in entry.provenance.assumed))
    names = filter(lambda name: not is_document(name), documents(entry.provenance.source))
    instead = joined("; ", map(instead_of_document, names))
    if fields and instead:
        return joined("", (fields, " (", instead, ")"))
    return fields or instead


Entry = Server | Hypervisor | Array | Disk | RaidLevel


def _entries_used(subject: Subject) -> Iterable[Entry]:
    catalog, scenario = subject.catalog, subject.scenario
    for host in scenario.hosts:
        server, hypervisor = catalog.servers[host.server], catalog.hypervisors[host.hypervisor]
        yield server
        if host.hypervisor != NO_HYPERVISOR:
            yield hypervisor
    for pool in scenario.pools:
        yield catalog.arrays[pool.array]
        yield catalog.disks[pool.disk]
        yield catalog.raid_levels[pool.raid]


_CODE = re.compile(r"field-\w$")
"""What a production server without a name of its own is called in the evidence."""


def sources(subject: Subject) -> Section:
    """Each document behind the predictions and the catalog entries used, once, with its publisher;
    private pages only where no document serves, and without their authors' names."""
    rests: dict[str, list[str]] = {}
    for document, what in (*_figures_used(subject), *_entries_cited(subject)):
        named = rests.setdefault(document, [])
        if what not in named:
            named.append(what)
    private = rests.pop("", [])
    rows = [
        (document, publisher_of(document) or UNPUBLISHED, joined(", ", used))
        for document, used in rests.items()
    ]
    rows.sort(key=lambda row: (row[1] == UNPUBLISHED, row[1], row[0]))
    if private:
        rows.append((say("Private pages"), UNPUBLISHED, joined(", ", private)))
    columns = (
        Column(say("Document"), wide=True, weight=4),
        Column(say("Publisher")),
        Column(say("What rests on it"), wide=True, weight=3),
    )
    spec = Paragraph(
        say(
            "SPEC® and the benchmark names are trademarks of the Standard Performance Evaluation "
            "Corporation; rates come from its published results, CPU2006 figures bridged to the "
            "CPU2017 scale."
        )
    )
    table = Table(columns, tuple(rows))
    return Section(say("Sources"), (*([table] if rows else []), spec))


def _figures_used(subject: Subject) -> Iterator[tuple[str, str]]:
    """Documents of the evidence behind the numbers, with the tables or sections and how many
    figures of each."""
    tables: Counter[tuple[str, str]] = Counter()
    for id in _evidence_of(_all_series(subject)):
        row = subject.evidence.get(id)
        if row is not None:
            tables[in_short(row.document), "" if _CODE.match(row.table) else row.table] += 1
    for (document, table), n in sorted(tables.items()):
        figures = say_many("{count} figure", "{count} figures", n)
        what = joined(": ", (table, figures)) if table else figures
        yield "" if is_private(document) else titled(document), what


def _entries_cited(subject: Subject) -> Iterator[tuple[str, str]]:
    """Documents that the catalog entries used rest on, with the entry; private pages only of an
    entry that has no other."""
    for name, entry in {each.name: each for each in _entries_used(subject)}.items():
        cited = list(filter(is_document, documents(entry.provenance.source)))
        published = [each for each in cited if not is_private(each)]
        for document in published or cited[:1]:
            yield titled(document) if published else "", name
