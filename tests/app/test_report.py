"""The proposal as a PDF: whole, tagged, bookmarked, numbered, and never refused."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from pypdf import PdfReader

from app.calibrated import shipped_knowledge
from app.language import language_of
from app.report.build import Print, plotted_vms, report, response_plot
from app.report.paper import Paper
from app.report.tables import fitted
from app.report.write import proposal_pdf
from app.synthetic import synthetic_scenario
from db.codec import scenario_from_json
from models.base.fields import fields_of
from models.base.lettering import BREAK, LONG
from models.comparison.compare import MOST_SIDES
from models.evaluate import evaluate
from models.evidence.citation import in_short
from models.predict.prediction import Verdict
from models.resilience.availability_study import study_availability
from models.resilience.mode_words import mode_text
from models.resilience.storms import StormKind, study_storm
from models.resilience.study import study_failures
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import Loss, Scenario, Waiver
from models.scenario.wording import THIN, range_text, rounded, value_text
from models.studies.curves import response_curve
from models.tell.blocks import Column, Paragraph, Part, Proposal, Section, Table
from resources.catalog_files import load_catalog
from resources.example_files import ExampleFile, load_examples
from tests.app.pdf_words import runs_of
from tests.app.sessions import two_hosts
from tests.sweeps import often, some

ENGLISH, GERMAN = language_of("en"), language_of("de")
NOW = datetime(2026, 11, 21, 14, 5, tzinfo=UTC)
HOW = Print(now=NOW, language=ENGLISH, file="mine.headroom")
FILES = [file for example in load_examples() for file in example.files]
SOME = [file for file in FILES if file.name in {"wv21-two-hosts.json", "site-refresh.json"}]
"""The shortest proposal, and the longest."""


def scenario(name: str) -> Scenario:
    text = next(file.text for file in FILES if file.name == name)
    return scenario_from_json(text.encode(), name=name)


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """What was read is not kept beyond these tests."""
    yield
    pdf_of.cache_clear()
    pages_of.cache_clear()


@cache
def pdf_of(*scenarios: Scenario) -> PdfReader:
    knowledge = shipped_knowledge()
    pairs = [(each, evaluate(each, knowledge)) for each in scenarios]
    return PdfReader(io.BytesIO(report(pairs, knowledge.catalog, ".pdf", HOW).content))


@cache
def pages_of(reader: PdfReader) -> list[str]:
    return [page.extract_text() for page in reader.pages]


def text_of(reader: PdfReader) -> str:
    return "\n".join(pages_of(reader))


def bookmarks(reader: PdfReader) -> list[str]:
    return [str(item.title) for item in _flat(reader.outline)]


def _flat(items: Sequence[Any]) -> Iterator[Any]:
    for item in items:
        if isinstance(item, list):
            yield from _flat(item)
        else:
            yield item


@pytest.mark.parametrize("file", often(FILES, SOME), ids=lambda file: file.name)
def test_each_example_gives_a_numbered_tagged_pdf(file: ExampleFile) -> None:
    reader = pdf_of(scenario(file.name))
    pages = pages_of(reader)
    for number, text in enumerate(pages, start=1):
        assert f"page {number} of {len(pages)}" in text
        assert "Headroom" in text
        assert "model" in text
    root: Any = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    titles = {"Requirement, and what decides", "When something fails", "Sources"}
    assert titles <= set(bookmarks(reader))
    assert len(pages) <= (9 if file.name == "wv21-two-hosts.json" else 20)
    assert "To be settled before this is built" in pages[0]


FOR_MACHINES = re.compile(
    r"\S*_\S*|https?:\S*|(?:[\w-]+\.)+[a-z]{2,}/\S{10,}|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b"
    r"|\((?:mixed|verbatim|derived|low authority)\)"
)
"""Names of fields, addresses, commits and how much a document weighs."""


@pytest.mark.parametrize("file", often(FILES, SOME), ids=lambda file: file.name)
def test_customers_read_words_and_titles_of_documents(file: ExampleFile) -> None:
    text = text_of(pdf_of(scenario(file.name)))
    assert not FOR_MACHINES.findall(text)
    assert "trademarks of the Standard Performance" in text


@pytest.mark.parametrize("kind", ["servers", "arrays", "disks", "raid_levels", "hypervisors"])
def test_whatever_the_catalog_assumes_has_a_name(kind: str) -> None:
    for entry in getattr(load_catalog(), kind).values():
        assert set(entry.provenance.assumed) <= set(fields_of(type(entry))), entry.id
        assert not FOR_MACHINES.findall(in_short(entry.provenance.source)), entry.id


def test_a_reference_system_is_no_offer_wherever_the_verdict_stands() -> None:
    text = one_line(pdf_of(scenario("wv21-migration.json")))
    remark = "Intel Clovertown whitebox, 2 × E5345 (esx1 and esx2) was measured and can’t be bought"
    assert text.count(remark) == 2  # first page, agreement
    assert "can’t be bought" not in one_line(pdf_of(scenario("building-block.json")))


def test_a_failure_worse_than_a_hosts_stands_below_the_verdict() -> None:
    block = scenario("building-block.json")
    policy = replace(block.policy, survive=(Loss.HOST,))
    text = one_line(pdf_of(replace(block, policy=policy)))
    remark = "Besides: FAS3020 data loses a controller: at risk."
    assert text.count(remark) == 1  # first page
    assert "beside the verdict, which need not survive it" in text
    decided = one_line(pdf_of(block))
    assert "Besides:" not in decided
    assert "controller of FAS3020 data lost" in decided


def test_a_label_of_several_rows_is_said_again_on_the_next_page() -> None:
    rows = tuple(("Host" if n == 0 else "", f"esx{n}") for n in range(80))
    table = Table((Column("Field", wide=True), Column("Value", wide=True)), rows)
    part = Part("Appendix", (Section("Inputs", (table,)),))
    end = Part("Agreement", (Section("Signatures", (Paragraph("Read."),)),))
    proposal = Proposal(
        title="Sizing proposal",
        subject="Rows",
        author="",
        date="today",
        cover=(),
        verdicts=(),
        made_with="Headroom",
        imprint="",
        parts=(part, end),
    )
    pages = PdfReader(io.BytesIO(proposal_pdf(proposal, ENGLISH, Paper.A4, NOW).pdf)).pages
    told = [page.extract_text() for page in pages if "esx" in page.extract_text()]
    assert len(told) > 1
    for page in told:
        values = re.findall(r"Host esx\d+", " ".join(page.split()))
        assert len(values) == page.count("esx") >= 3


def test_numbers_are_those_of_the_prediction() -> None:
    each = scenario("wv21-migration.json")
    prediction = evaluate(each, shipped_knowledge())
    text = text_of(pdf_of(each)).replace("\N{NARROW NO-BREAK SPACE}", " ")
    for position in range(len(prediction.vms.ids)):
        vms = prediction.vms
        for series in (vms.cpu_pct, vms.iops, vms.response_ms):
            ends = range_text(series[position]).replace("\N{NARROW NO-BREAK SPACE}", " ")
            assert re.search(rf"{value_text(series[position])}\s\({ends}\)", text)
    assert prediction.sentence.split(":")[0] in text


def test_several_scenarios_are_several_parts() -> None:
    one, two = scenario("wv21-today.json"), scenario("wv21-4000-users.json")
    marks = bookmarks(pdf_of(one, two))
    assert one.name in marks
    assert two.name in marks


def test_several_scenarios_begin_side_by_side() -> None:
    one, two = scenario("wv21-today.json"), scenario("wv21-migration.json")
    text = one_line(pdf_of(one, two))
    note = f"In small type the 90 % interval; in brackets the change against “{one.name}”."
    assert note in text
    for figures in (
        "Active users of mail 3,000 7,000 (+4,000)",
        "Verdict fits at risk",
        "VM Mail-02",
    ):
        assert figures in text
    assert "No input differs." in one_line(pdf_of(one, replace(one, name="The same")))
    title = "Scenarios side by side"
    assert bookmarks(pdf_of(one, two))[0] == title
    assert title not in bookmarks(pdf_of(one))
    assert title not in bookmarks(pdf_of(*[one] * (MOST_SIDES + 1)))


def test_the_verdicts_of_four_scenarios_stand_on_the_first_page() -> None:
    names = ("migration", "today", "4000-users", "6000-users")
    four = [scenario(f"wv21-{name}.json") for name in names]
    cover, contents = (page.extract_text() for page in pdf_of(*four).pages[:2])
    assert "Does not fit" in cover
    assert contents.count("Contents") == 1


@pytest.mark.parametrize(
    "name", some(["a_b*c#d$e<f>@g\\h", "株式会社", "שלום", "🚀 Ltd", "x" * 300])
)
def test_no_name_can_stop_a_proposal(name: str) -> None:
    each = replace(scenario("wv21-today.json"), name=name, customer=name, notes=name)
    assert len(pdf_of(each).pages) >= 5


def test_columns_of_words_share_the_room_where_names_leave_none() -> None:
    columns = (Column("VM"), Column("Workload", wide=True), Column("Users", numeric=True))
    usual = Table(columns, (("Mail-01", "Domino mail", "4,000"),))
    assert [each["wide"] for each in fitted(usual)["columns"]] == [False, True, False]
    assert fitted(usual)["rows"] == [["Mail-01", "Domino mail", "4,000"]]
    long = fitted(Table(columns, ((120 * "x", "Domino mail", "4,000"),)))
    assert [each["wide"] for each in long["columns"]] == [True, True, False]
    weights = [each["weight"] for each in long["columns"]]
    assert max(weights) < 4 * min(weights)
    assert max(map(len, long["rows"][0][0].split(BREAK))) <= LONG


def test_an_empty_scenario_has_a_proposal_too() -> None:
    assert "Nothing runs yet." in text_of(pdf_of(Scenario(name="Nothing yet")))


def test_of_a_design_without_vms_only_what_stands_there_is_printed() -> None:
    text = text_of(pdf_of(replace(scenario("wv21-migration.json"), vms=())))
    assert "Nothing runs yet." in text
    for claim in ("of the limit left", "Registered", "fits as far as known", "no data", "n/a"):
        assert claim not in text


def test_no_data_is_printed_as_such() -> None:
    text = text_of(pdf_of(scenario("sametime-100000.json")))
    assert "no data" in text
    assert "nan" not in text.lower().split()


def test_one_chart_for_each_kind_of_vm() -> None:
    each = scenario("building-block.json")
    prediction = evaluate(each, shipped_knowledge())
    assert len(plotted_vms(each, prediction)) == 1
    mixed = scenario("wv21-migration.json")
    assert len(plotted_vms(mixed, evaluate(mixed, shipped_knowledge()))) == 2


def test_a_line_above_its_limit_from_the_beginning_crosses_it_nowhere() -> None:
    each = scenario("wv21-today.json")
    strict = replace(each, policy=replace(each.policy, response_limit_ms=1.0))
    text = re.sub(r"\s+", " ", text_of(pdf_of(strict)))
    assert "Above 1 ms from the first user on." in text
    assert "users (1.0" not in text


def test_a_curve_is_solid_where_the_window_draws_it_solid() -> None:
    knowledge = shipped_knowledge()
    migration = scenario("wv21-migration.json")
    prediction = evaluate(migration, knowledge)
    plot = response_plot(migration, prediction, knowledge.catalog, migration.vm("m1"))
    line = response_curve(migration, knowledge, "m1", plot.users)
    assert list(plot.covered) == line.covered.tolist()
    assert {True, False} == set(plot.covered)
    assert "dashed beyond data" in plot.note


def test_a_fit_is_not_claimed_where_almost_nothing_is_known() -> None:
    knowledge = shipped_knowledge()
    chat = evaluate(scenario("sametime-100000.json"), knowledge)
    assert (chat.shown.verdict, chat.shown.words) == (Verdict.NOT_KNOWN, "not known")
    assert chat.vms.verdict_of(0) is Verdict.NOT_KNOWN
    empty = evaluate(Scenario(name="Nothing yet"), knowledge)
    assert (empty.shown.verdict, empty.shown.words) == (None, "nothing to judge")
    block = evaluate(scenario("building-block.json"), knowledge)
    assert block.shown.verdict is block.verdict
    assert "Not known" in text_of(pdf_of(scenario("sametime-100000.json")))


def protected() -> Scenario:
    """Two hosts on vSphere 4.1, a VM with Fault Tolerance, two Domino partners, one waiver."""
    given = two_hosts(4)
    hosts = tuple(
        replace(host, hypervisor="vsphere-4.1", ft_logging_gbps=1.0) for host in given.hosts
    )
    first, second, third, fourth = given.vms
    first = replace(first, fault_tolerance=True)
    vms = (first, second, third, fourth)
    given = replace(given, hosts=hosts, vms=vms).partnered("m3", ("m4",))
    knowledge = shipped_knowledge()
    found = evaluate(given, knowledge).findings
    return given.waive(found[0].rule, found[0].subject, "Accepted until the upgrade in March")


def test_what_fails_is_said_with_admission_fault_tolerance_clusters_and_waivers() -> None:
    """As the model has it: every mode, every step, every obstacle, every reason."""
    given = protected()
    knowledge = shipped_knowledge()
    reader = pdf_of(given)
    titles = set(bookmarks(reader))
    assert {"Admission control", "Fault Tolerance", "HA, Domino cluster, or both"} <= titles
    text = " ".join(text_of(reader).split()).replace("\N{NARROW NO-BREAK SPACE}", " ")
    study = study_failures(given, knowledge)
    names = {item.id: item.name for item in given.items()}
    for mode in study.modes:
        assert mode_text(mode, names) in text
    check = study_availability(given, knowledge).admission[0].check
    assert check is not None
    for step in check.steps:
        assert step.arithmetic in text
        assert step.result.replace("\N{NARROW NO-BREAK SPACE}", " ") in text
    assert "has 4 vCPUs" in text
    assert "HA alone minutes minutes" in text
    assert "Accepted: Accepted until the upgrade in March" in text


def test_a_scenario_without_the_question_has_no_answer_to_it() -> None:
    titles = set(bookmarks(pdf_of(scenario("wv21-today.json"))))
    assert not {"Fault Tolerance", "HA, Domino cluster, or both"} & titles


class TestStorms:
    """A storm is in the proposal once somebody stated its inputs, and not before."""

    def test_without_them_it_is_named_as_left_out(self) -> None:
        reader = pdf_of(two_hosts(1))
        assert "Login storms" not in bookmarks(reader)
        assert "nobody stated within which time users come back" in one_line(reader)

    def test_with_them_it_says_who_waits_and_what_would_help(self) -> None:
        asked = with_origin(two_hosts(1), Origin.CUSTOMER, "assumptions.reconnect_s")
        reader = pdf_of(asked)
        assert "Login storms" in bookmarks(reader)
        text = one_line(reader)
        study = study_storm(asked, shipped_knowledge(), StormKind.RECONNECT)
        assert f"up to {rounded(float(study.waiting.max()))} of 2,000 at once" in text
        assert "60 s (customer said)" in text.replace(THIN, " ")
        assert "5 actions (assumed)" in text.replace(THIN, " ")
        assert "Over within 2 min" in text.replace(THIN, " ")
        assert "nobody stated within which time" not in text

    def test_a_storm_that_nobody_notices_is_not_over_after_0_s(self) -> None:
        asked = with_origin(two_hosts(1), Origin.CUSTOMER, "assumptions.reconnect_s")
        few = replace(asked.vms[0].workload, active_users=4, registered_users=4)
        text = one_line(pdf_of(replace(asked, vms=(replace(asked.vms[0], workload=few),))))
        assert "at once: no response is over 1 % longer than usual" in text.replace(THIN, " ")

    def test_where_no_server_can_be_powered_on_it_says_so(self) -> None:
        asked = with_origin(two_hosts(1), Origin.CUSTOMER, "assumptions.reconnect_s")
        wide = replace(asked, vms=tuple(replace(vm, vcpus=99) for vm in asked.vms))
        text = one_line(pdf_of(wide))
        assert "No server with users and CPU data can be powered on." in text
        assert "No server with users and CPU data: no data" not in text


def test_what_was_asked_for_is_printed_as_it_was_given() -> None:
    """A limit of 67.5 % that is signed as 68 % is another limit."""
    plain = two_hosts(1)
    work = replace(plain.vms[0].workload, registered_users=2600.0)
    asked = replace(
        plain,
        policy=replace(plain.policy, cpu_limit_pct=67.5, benchmark_derating=2.25),
        vms=(replace(plain.vms[0], workload=work),),
    )
    text = one_line(pdf_of(asked)).replace(THIN, " ")
    assert "CPU limit 67.5 % average" in text
    assert "Limits CPU 67.5 %, response time 1,000 ms" in text
    assert "Each counted as 2.25 benchmark users" in text
    assert "counts as 2.25 benchmark users (VMworld" in text
    assert "Active users Registered Mail file" in text
    assert "2,000 2,600" in text
    unsaid = replace(asked, vms=plain.vms)
    assert "2,000 as active" in one_line(pdf_of(unsaid)).replace(THIN, " ")


def test_a_waiver_is_told_by_the_title_of_its_rule() -> None:
    waived = replace(
        two_hosts(1),
        waivers=(
            Waiver(rule="derating-one", reason="The customer’s users were measured."),
            Waiver(rule="no-ha", reason="Of an earlier design."),
        ),
    )
    text = one_line(pdf_of(waived))
    assert "Users counted as benchmark users: The customer’s users were measured." in text
    assert "No HA: Of an earlier design. (nothing trips this rule now)" in text
    assert "derating-one" not in text


def one_line(reader: PdfReader) -> str:
    return " ".join(text_of(reader).split())


RIGHT_EDGE = 595.28 - 62.36
"""Where text ends [pt]: A4 less the margin of the template."""

LONG_NAMES = (200 * "W", 66 * "ab_", 200 * "i", 8 * f"{23 * 'W'} ", 20 * "1234567890", 40 * "مضيف")


def called(name: str) -> Scenario:
    """Two hosts whose every name is this one, with a digit to tell them apart."""
    each = scenario("wv21-two-hosts.json")
    for place, item in enumerate(each.items()):
        each = each.with_item(replace(item, name=f"{name[:198]}{place}"))
    return replace(each, name=name[:200], customer=name[:200], author=name[:200])


def report_of(each: Scenario) -> tuple[PdfReader, str]:
    prediction = evaluate(each, shipped_knowledge())
    found = report([(each, prediction)], load_catalog(), ".pdf", HOW)
    return PdfReader(io.BytesIO(found.content)), found.notice


@pytest.mark.parametrize("name", LONG_NAMES, ids=lambda name: name[:6])
@pytest.mark.slow
def test_names_of_any_length_stay_within_the_margins(name: str) -> None:
    reader, _ = report_of(called(name))
    blank = 3.0  # a blank at the end of a line hangs over
    for number, page in enumerate(reader.pages, start=1):
        runs = list(runs_of(page))
        assert max(right for _, right, _ in runs) <= RIGHT_EDGE + blank, number
        heights = {round(height) for _, _, height in runs}
        assert len(heights) >= 8, f"page {number} is nearly empty"


def test_the_edge_of_the_page_is_measured() -> None:
    """Without places to break the same names leave the page: the measure sees it."""
    proposal = Proposal(
        title="Sizing proposal",
        subject="x",
        author="",
        date="today",
        cover=(("Customer", "no-break"),),
        verdicts=(),
        made_with=60 * "W W" + "W" * 200,
        imprint="",
        parts=(Part("Agreement", (Section("Signatures", (Paragraph("Read."),)),)),),
    )
    page = PdfReader(io.BytesIO(proposal_pdf(proposal, ENGLISH, Paper.A4, NOW).pdf)).pages[0]
    assert max(right for _, right, _ in runs_of(page)) > RIGHT_EDGE + 100


def test_a_drawing_longer_than_a_page_goes_on_on_the_next() -> None:
    design = synthetic_scenario(20, 200)
    inside = "\n".join(pages_of(pdf_of(design))[1:])
    drawn = inside.split("The design at a glance")[-1].split("Bill of materials")[0]
    names = [
        *(cluster.name for cluster in design.clusters),
        *(host.name for host in design.hosts),
        *(pool.name for pool in design.pools),
    ]
    for name in names:
        assert re.search(rf"\b{name}\b", drawn), name


@pytest.mark.slow
def test_of_a_large_estate_the_worst_are_printed() -> None:
    pages = pages_of(pdf_of(synthetic_scenario(100, 1000)))
    assert len(pages) <= 25
    assert "The 40 of 1,000 that are nearest to a limit" in " ".join("".join(pages).split())


def test_figures_beside_a_name_from_right_to_left_keep_their_order() -> None:
    reader, _ = report_of(called("مضيف"))
    text = text_of(reader).replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert re.search(r"26–76\s%", text)
    assert "76–26" not in text


def test_a_direction_mark_stands_on_the_page_as_what_it_is() -> None:
    reader, notice = report_of(called("abc\u202egnp.exe"))
    text = text_of(reader)
    assert "abc⟨U+202E⟩gnp.exe" in text
    assert "\u202e" not in text
    assert not notice


def test_letters_without_a_typeface_are_named_and_written_out() -> None:
    cuneiform = "\U00012000"  # of no usual system
    reader, notice = report_of(called(f"Host {cuneiform}-"))
    text = "".join(text_of(reader).split())
    assert f"“{cuneiform}”" in notice
    assert f"“Host {cuneiform}-0”" in notice
    assert "⟨U+12000⟩" in text
    assert "Somecharactersofnameshadnotypeface" in text
    root: Any = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]


def test_a_proposal_that_is_shown_whole_has_no_notice() -> None:
    reader, notice = report_of(called("Büro"))
    assert not notice
    assert "no typeface" not in text_of(reader)


def test_many_long_heads_leave_each_column_the_room_of_its_words() -> None:
    heads = ("Ausgelegt für", "Benutzer", "CPU, schlimmster Host verloren", "RAM, schlimmster Host")
    columns = tuple(Column(head, numeric=place > 0) for place, head in enumerate(2 * heads))
    cells = 2 * ("1 Jahr", "12.600", "26", "46")
    fit = fitted(Table(columns, (cells,)))
    assert all(each["wide"] for each in fit["columns"])
    whole = sum(each["weight"] for each in fit["columns"])
    for each, cell in zip(fit["columns"], cells, strict=True):
        assert 470.0 * each["weight"] / whole >= 4.5 * len(cell) + 9.0
