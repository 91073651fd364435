"""What is agreed, with a text of its own for each verdict: nobody signs more than is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from models.base.texts import Text, joined, say, say_many
from models.catalog.field_values import choice_words
from models.judgement.rules import grouped
from models.predict.prediction import Severity, Verdict
from models.proposal.inputs import grouped_digits
from models.proposal.summary import designed
from models.proposal.verdict import recommended, reference_remark, shown, verdict_line
from models.scenario.data_coverage import coverage_text, data_coverage
from models.scenario.scenario import Policy, Vm, active_users
from models.scenario.wording import counted, exact_text, users_text, with_unit
from models.studies.runway import MONTHS_OF_A_YEAR
from models.tell.blocks import Block, Definitions, Paragraph, Part, Section, Signature
from models.tell.growth import growth_text, month_text
from models.tell.subject import Subject

BOX = "[   ]"
"""Where one option of several is ticked: letters that every typeface has."""


def agreement(subjects: Sequence[Subject]) -> Part:
    """What is agreed on, once more in short, and signatures where there is anything to sign."""
    several = len(subjects) > 1
    sections = [_section(subject, subjects) for subject in subjects]
    if not any(map(_can_be_signed, subjects)):
        why = say(
            "Not to be signed: the document holds no design that was found to carry its inputs."
        )
        return Part(say("Agreement"), (*sections, Section(say("Signatures"), (Paragraph(why),))))
    chosen = say(
        "Agreed is the one option that is ticked above; where none or several are ticked, none is."
    )
    terms = say(
        "The signatories have read the requirement, the assumptions and the exclusions, and agree "
        "to what is said above under the verdict. Predictions are estimates with the intervals "
        "stated with them, not promises of service."
    )
    blocks: tuple[Block, ...] = (
        *([Paragraph(chosen)] if several else []),
        Paragraph(terms),
        Signature((say("For the customer"), say("For the supplier"))),
    )
    return Part(say("Agreement"), (*sections, Section(say("Signatures"), blocks)))


def _section(subject: Subject, subjects: Sequence[Subject]) -> Section:
    name, remark = subject.scenario.name, reference_remark(subject)
    blocks: tuple[Block, ...] = (
        Definitions(agreed(subject)),
        *([Paragraph(remark)] if remark else []),
        Paragraph(_statement(subject)),
    )
    if len(subjects) == 1:
        return Section(say("What is agreed"), blocks)
    if not _can_be_signed(subject):
        return Section(say("Can’t be agreed: {scenario}", scenario=name), blocks)
    title = (
        say("{box} {scenario} (recommended: the only one that fits)", box=BOX, scenario=name)
        if recommended(subjects) is subject
        else joined(" ", (BOX, name))
    )
    return Section(title, blocks)


def _can_be_signed(subject: Subject) -> bool:
    """A design that doesn't fit, or of which there is nothing, is none that could be agreed."""
    return subject.prediction.shown.verdict not in (None, Verdict.DOES_NOT_FIT)


def _statement(subject: Subject) -> Text:
    today, horizon = subject.prediction.shown, shown(subject)
    match today.verdict:
        case Verdict.FITS if horizon != today:
            return say(
                "Agreed is that the design is sized for these inputs as far as the verdict above "
                "reaches; before then it is to be enlarged, or the load to be kept where it is."
            )
        case Verdict.FITS if today.is_assumed:
            return say(
                "Agreed is that the design is sized for these inputs as far as the assumptions "
                "hold that stand in for data; measurements are to take their place."
            )
        case Verdict.FITS:
            return say("Agreed is that the design is sized for these inputs.")
        case Verdict.AT_RISK:
            return say(
                "Agreed is that the design carries these inputs only at the risk stated above, and "
                "that both accept it until it is settled."
            )
        case Verdict.NOT_KNOWN:
            return say(
                "Agreed is that it is not known whether the design carries these inputs: a number "
                "that decides has no data. Nobody states here that it is sized for them."
            )
        case Verdict.DOES_NOT_FIT:
            return say(
                "The design does not fit these inputs: it can’t be agreed as it is, and shows what "
                "would have to change."
            )
        case _:
            return say("There is nothing to judge in this design yet, so nothing is agreed.")


def _horizon(years: float) -> Text:
    if not years:
        return say("today’s load: no years ahead are planned")
    return month_text(years * MONTHS_OF_A_YEAR)


def agreed(subject: Subject) -> tuple[tuple[str, str], ...]:
    """The design, load, limits, what the rules object to, how much is measured and the hash of the
    inputs, each in a line."""
    policy, vms = subject.scenario.policy, subject.scenario.vms
    users = active_users(vms)
    load = (
        say_many(
            "{users} on {count} VM",
            "{users} on {count} VMs",
            len(vms),
            users=users_text(users, active=True),
        )
        if users.mail or users.chat
        else counted(Vm, len(vms))
    )
    limits = (
        joined(" ", ("CPU", with_unit(exact_text(policy.cpu_limit_pct), "%"))),
        joined(" ", (say("response time"), with_unit(exact_text(policy.response_limit_ms), "ms"))),
    )
    return (
        (say("Verdict"), verdict_line(subject)),
        (say("Design"), designed(subject)),
        (say("Load"), load),
        (say("Growth"), growth_text(subject.scenario)),
        (say("Horizon"), _horizon(subject.scenario.growth.years)),
        *([(say("Each counted as"), _counted_as(policy))] if users.mail or users.chat else []),
        (say("Limits"), joined(", ", limits)),
        (say("Findings"), _findings_text(subject)),
        (say("Data"), coverage_text(data_coverage(subject.scenario))),
        *(
            [(say("Hash of the inputs"), grouped_digits(subject.fingerprint))]
            if subject.fingerprint
            else []
        ),
    )


def _counted_as(policy: Policy) -> str:
    if policy.derating.production:
        posture = choice_words(policy.posture)
        return say("in production, with other work; posture {posture}", posture=posture)
    if policy.benchmark_derating == 1:
        return say("1 benchmark user")
    return say("{factor} benchmark users", factor=exact_text(policy.benchmark_derating))


def _findings_text(subject: Subject) -> str:
    """How many there are as the window counts them, one for each item, and that the proposal lists
    fewer where items share the words."""
    found = [each for each in subject.prediction.findings if not each.waived]
    counts = Counter(each.severity for each in found)
    text = joined(
        ", ",
        (
            say_many("{count} error", "{count} errors", counts[Severity.ERROR]),
            say_many("{count} warning", "{count} warnings", counts[Severity.WARNING]),
            say_many("{count} advice note", "{count} advice notes", counts[Severity.ADVICE]),
        ),
    )
    if len(grouped(found, subject.name_of)) < len(found):
        return say("{findings}; those in the same words are listed together", findings=text)
    return text
