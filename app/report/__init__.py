"""The proposal as a file: values from `models.proposal`, a writer for each form.

Pages are typeset by Typst (Apache-2.0): tables that break across pages with their heads repeated,
bookmarks, tagged text and charts as vectors, from one data-driven template of
`resources/templates`. DOCX and XLSX are written by python-docx and XlsxWriter. Nothing here needs
Qt or a display.
"""

from app.report.build import FORMS, Print, Report, report
from app.report.paper import Paper
from app.report.template import Template, load_template
from app.report.write import ReportError, Typeset, proposal_pdf

__all__ = [
    "FORMS",
    "Paper",
    "Print",
    "Report",
    "ReportError",
    "Template",
    "Typeset",
    "load_template",
    "proposal_pdf",
    "report",
]
