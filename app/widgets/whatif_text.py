"""The what-if chart in words: what is read off it, where the verdict turns, what lies beyond it."""

from __future__ import annotations

import numpy as np

from app.language import local, tr
from app.widgets.whatif_view import WhatIfView, at, finite
from app.wording import locale_style
from models.base.quantities import NO_DATA, Basis, FloatArray, Quantity
from models.base.spreadsheets import table_text
from models.predict.predicted import FAILURE
from models.predict.prediction import Verdict
from models.scenario.wording import about_text, decimals_for, exact_text, number, with_unit
from models.studies.sweep import SweepInput, SweepOutput


def data_text(view: WhatIfView) -> str:
    """The points as a table that a spreadsheet reads."""
    sweep = view.sweep
    heads = (
        _head(local(view.input.label), local(view.input.unit)),
        _head(local(view.output.label), local(view.output.unit)),
    )
    verdicts = ["" if code < 0 else local(Verdict(int(code)).label) for code in sweep.verdict]
    columns = (sweep.values, sweep.number, sweep.low, sweep.high, verdicts, view.causes)
    others = tr("low"), tr("high"), tr("verdict"), tr("what decides")
    return table_text((*heads, *others), zip(*columns, strict=True))


def reading_words(view: WhatIfView, x: float) -> str:
    """What the line says at a value of the input, with the verdict of the points beside it."""
    values, read = view.sweep.values, at(view.sweep, x)
    if not len(values) or not values[0] <= x <= values[-1]:
        return ""
    verdict = _verdict_at(view, x)
    if read is None and not verdict:
        return ""
    quantity = NO_DATA if read is None else Quantity(*read, Basis.INTERPOLATED)
    about = local(about_text(quantity, local(view.output.unit), style=locale_style()))
    said = f"; {verdict}" if verdict else ""
    return f"{local(view.input.label)} {_input_text(view.input, x)}: {about}{said}"


def _verdict_at(view: WhatIfView, x: float) -> str:
    """Between two points of one verdict that one, else both: the turn lies somewhere between."""
    values, nearest = view.sweep.values, view.nearest(x)
    after = int(np.searchsorted(values, x))
    is_point = bool(np.isclose(values[nearest], x))
    there = slice(nearest, nearest + 1) if is_point else slice(max(after - 1, 0), after + 1)
    beside = view.sweep.verdict[there].tolist()
    if min(beside) < 0:
        return ""
    labels = [local(Verdict(code).label) for code in dict.fromkeys(beside)]
    if len(labels) == 1:
        return _with_cause(labels[0], view.cause_at(x))
    return tr("between {one} and {other}", one=labels[0], other=labels[1])


def turns_words(view: WhatIfView, *, is_brief: bool = False) -> str:
    """Where the verdict becomes another one, and what decides there; empty where all fits.

    Only the points are worked out, so a turn is somewhere between two of them.

    Args:
        is_brief: without what decides, and without the unit, which the axis has.
    """
    parts, before, known = [], int(Verdict.FITS), ""
    for place, code in enumerate(view.sweep.verdict.tolist()):
        if code in (before, -1):
            continue
        cause = "" if is_brief else view.causes[place]
        words = _with_cause(local(Verdict(code).label), cause if cause != known else "")
        if place and view.sweep.verdict[place - 1] >= 0:
            first, last = (float(view.sweep.values[at]) for at in (place - 1, place))
            words = tr(
                "between {first} and {last} {verdict}",
                first=_input_number(view.input, first),
                last=(_input_number if is_brief else _input_text)(view.input, last),
                verdict=words,
            )
        parts.append(words)
        before, known = code, cause
    text = " · ".join(parts)
    return text[:1].upper() + text[1:]


def _with_cause(verdict: str, cause: str) -> str:
    return tr("{verdict} ({cause})", verdict=verdict, cause=cause) if cause else verdict


def beyond_words(view: WhatIfView, top: float) -> str:
    """What lies above the edge of the picture, and how far; empty where nothing does."""
    parts = []
    if line := _amount_above(top, view.sweep.number, view.output):
        parts.append(tr("line to {amount}", amount=line))
    if reach := _amount_above(top, view.sweep.high, view.output):
        parts.append(tr("range to {amount}", amount=reach))
    if view.output.limit is not None and view.output.limit > top:
        parts.append(limit_words(view))
    return f"\N{UPWARDS ARROW} {', '.join(parts)}" if parts else ""


def is_passed(view: WhatIfView) -> bool:
    """Whether the line or its range passes the limit; what is left of one passes it downwards."""
    limit, sweep = view.output.limit, view.sweep
    if limit is None:
        return False
    if view.output.field == FAILURE:
        return bool(((sweep.number < limit) | (sweep.low < limit)).any())
    return bool(((sweep.number > limit) | (sweep.high > limit)).any())


def _amount_above(top: float, numbers: FloatArray, output: SweepOutput) -> str:
    """The highest of the numbers with its unit; empty where it isn't above the edge."""
    most = max(finite(numbers), default=top)
    if most <= top:
        return ""
    text = number(most, decimals_for(most, most / 20), style=locale_style())
    return local(with_unit(text, output.unit))


def limit_words(view: WhatIfView) -> str:
    """The limit of what is looked at; empty where it has none."""
    if view.output.limit is None:
        return ""
    limit = exact_text(view.output.limit, style=locale_style())
    return tr("limit {limit}", limit=local(with_unit(limit, view.output.unit)))


def value_words(view: WhatIfView, x: float, held: Quantity | None) -> str:
    """Beside the handle: today's number, or the one under it while it is held."""
    style = locale_style()
    if held is None:
        now = local(about_text(view.now, local(view.output.unit), style=style))
        return tr("now {now} · drag to try", now=now)
    if held.value is None and view.sweep.verdict[view.nearest(x)] < 0:
        return tr("{value}: not possible", value=_input_text(view.input, x))
    about = local(about_text(held, local(view.output.unit), style=style))
    return f"{_input_text(view.input, x)}: {about}"


def view_words(view: WhatIfView) -> str:
    """The chart for those who can't see it, and the line above it for those who can."""
    style = locale_style()
    about = local(about_text(view.now, local(view.output.unit), style=style))
    first, last = (_input_text(view.input, float(v)) for v in view.sweep.values[[0, -1]])
    return tr(
        "{output}: {about} now; {input} from {first} to {last}",
        output=view.output.label,
        about=about,
        input=view.input.label,
        first=first,
        last=last,
    )


def _input_text(of: SweepInput, value: float) -> str:
    return local(with_unit(_input_number(of, value), of.unit))


def _input_number(of: SweepInput, value: float) -> str:
    style = locale_style()
    if value == of.value:
        return exact_text(value, style=style)
    decimals = 0 if of.is_whole else decimals_for(value, abs(value) / 200)
    return number(value, decimals, style=style)


def _head(label: str, unit: str) -> str:
    return f"{label} [{unit}]" if unit else label
