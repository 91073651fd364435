"""The proposal as PDF: values from `models.proposal`, layout from `resources/templates`.

Typesetting is Typst's (Apache-2.0): tables that break across pages with their heads repeated,
bookmarks, tagged text and charts as vectors, from one data-driven template. Nothing here needs
Qt or a display.
"""

from app.report.build import Report, report_pdf
from app.report.write import ReportError, Typeset, proposal_pdf

__all__ = ["Report", "ReportError", "Typeset", "proposal_pdf", "report_pdf"]
