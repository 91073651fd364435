"""People read titles, never ids of rules."""

from __future__ import annotations

import models.judgement.rules  # noqa: F401  (brings all rules into the book)
from models.judgement.rulebook import RULES
from models.judgement.titles import TITLES, rule_title


def test_every_rule_has_a_title_and_no_title_is_left_over() -> None:
    assert set(TITLES) == set(RULES)


def test_no_two_rules_share_a_title_and_none_reads_like_an_id() -> None:
    assert len(set(TITLES.values())) == len(TITLES)
    assert not [title for title in TITLES.values() if title in TITLES]


def test_a_rule_that_is_gone_is_still_readable() -> None:
    assert rule_title("a-rule-of-old") == "A rule of old"
