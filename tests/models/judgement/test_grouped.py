"""What is said of several items in the same words is said once of them all."""

from __future__ import annotations

from models.judgement.rules import grouped
from models.predict.prediction import Finding, Severity

NAMES = {"v1": "mail1", "v2": "mail2", "v3": "mail3", "v4": "mail4", "h1": "esx1", "n1": "4"}


def finding(subject: str, text: str, *, rule: str = "r", fix: str = "Mend it.") -> Finding:
    return Finding(
        rule=rule,
        severity=Severity.ADVICE,
        subject=subject,
        clause=text.removesuffix("."),
        fix=fix,
        source="A book",
    )


def said(*findings: Finding) -> list[str]:
    return [each.text for each in grouped(findings, lambda id: NAMES.get(id, id))]


def test_the_same_words_about_four_vms_are_one_line() -> None:
    found = [finding(f"v{n}", f"mail{n}’s CPU was never published.") for n in (1, 2, 3, 4)]
    assert said(*found) == [
        "mail1’s CPU was never published. The same holds for mail2, mail3 and mail4."
    ]
    (group,) = grouped(found, NAMES.__getitem__)
    assert group.subjects == ("v1", "v2", "v3", "v4")
    assert group.first is found[0]


def test_words_that_name_no_item_get_its_name_once() -> None:
    assert said(finding("v1", "no drives for logs.")) == ["mail1: no drives for logs."]
    assert said(finding("h1", "esx1: too old.")) == ["esx1: too old."]
    assert said(finding("h1", "With esx1 gone, RAM is short.")) == ["With esx1 gone, RAM is short."]


def test_other_numbers_rules_fixes_or_items_stay_apart() -> None:
    assert len(said(finding("v1", "mail1 asks 80 %."), finding("v2", "mail2 asks 90 %."))) == 2
    assert len(said(finding("v1", "mail1 is old."), finding("v2", "mail2 is old.", rule="s"))) == 2
    assert len(said(finding("v1", "mail1: old."), finding("v2", "mail2: old.", fix="Go."))) == 2
    assert len(said(finding("", "Users count once."), finding("v1", "Users count once."))) == 2


def test_the_fix_speaks_of_each_of_them() -> None:
    found = [
        finding(f"v{n}", f"mail{n} has no host.", fix=f"Put mail{n} on a host.") for n in (1, 2)
    ]
    (group,) = grouped(found, NAMES.__getitem__)
    assert group.text == "mail1 has no host. The same holds for mail2."
    assert group.fix == "Put mail1 on a host. Likewise for the others."


def test_a_name_that_is_a_number_is_no_number_of_the_text() -> None:
    text = "4 has 4 vCPUs."
    assert said(finding("n1", text)) == [text]
    assert len(said(finding("n1", text), finding("v1", "mail1 has mail1 vCPUs."))) == 2
