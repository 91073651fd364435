"""What an option has to pass, and why something else isn't one."""

from __future__ import annotations

from models.base.texts import Text, joined, opening
from models.predict.prediction import Prediction, Severity, Verdict


def objection(prediction: Prediction) -> str | None:
    """The first error or warning; None where there is neither."""
    for each in prediction.findings:
        if each.severity in (Severity.ERROR, Severity.WARNING):
            return each.text
    return None


AGAINST_SIZES = frozenset({"production-memory", "wider-than-node"})
"""Rules whose advice is against the size of a VM: a design that trips one is best at nothing as
long as another doesn't."""


def advised_against(*predictions: Prediction) -> bool:
    """Whether the program itself advises against the sizes of a design, at one time or another."""
    return any(f.rule in AGAINST_SIZES and not f.waived for p in predictions for f in p.findings)


NEVER_PUBLISHED = frozenset({"response"})
"""What some kinds of servers have no figure of in any document: a design of them is found by the
other resources, and its verdict says that this one isn't known."""

OF_CHAT = NEVER_PUBLISHED | {"cpu", "iops", "space"}
"""The same of Sametime servers within the one published design (`models.options.chat`)."""


def fits(prediction: Prediction, *, chat: bool = False) -> bool:
    """Whether it fits, as far as anything was ever published."""
    if prediction.verdict is not Verdict.NOT_KNOWN:
        return prediction.verdict is Verdict.FITS
    if any(each.unknown for each in prediction.outages):
        return False
    found = prediction.by_resource
    unknown = {name for name, each in found.items() if each is Verdict.NOT_KNOWN}
    rest = {each for name, each in found.items() if name not in unknown}
    known = rest <= {Verdict.FITS, None}
    return bool(unknown) and unknown <= (OF_CHAT if chat else NEVER_PUBLISHED) and known


def lacks(prediction: Prediction, *resources: str) -> bool:
    """Whether one of these resources is at its limit or near it, lost hosts included."""
    found = [prediction.by_resource.get(each) for each in resources]
    return any(each in (Verdict.AT_RISK, Verdict.DOES_NOT_FIT) for each in found)


def why_not(prediction: Prediction) -> Text:
    """What decides, in a line, with what isn't known where something isn't."""
    why = prediction.why
    unknown = Verdict.NOT_KNOWN in prediction.by_resource.values()
    clause = opening(why.clause)
    return joined(". ", (clause, why.lacking)) if unknown and why.lacking else clause
