"""The proposal as a file: values from `models.proposal`, a writer for each form.

Pages are typeset by Typst (Apache-2.0): tables that break across pages with their heads repeated,
bookmarks, tagged text and charts as vectors, from one data-driven template of
`resources/templates`. DOCX and XLSX are written by python-docx and XlsxWriter. Nothing here needs
Qt or a display.
"""
