"""People read titles, never ids of rules."""

from __future__ import annotations

from models.judgement.rulebook import RULES
from models.judgement.rules import rule_title


def test_no_two_rules_share_a_title_and_none_reads_like_an_id() -> None:
    titles = {rule.title for rule in RULES.values()}
    assert len(titles) == len(RULES)
    assert all(titles)
    assert not titles & set(RULES)


def test_a_rule_that_is_gone_is_still_readable() -> None:
    assert rule_title("a-rule-of-old") == "A rule of old"
