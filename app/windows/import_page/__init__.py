"""The import page: files of a customer, and what would be taken of them, before it is."""

from app.windows.import_page.page import ImportPage

__all__ = ["ImportPage"]
