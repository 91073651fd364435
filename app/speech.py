"""Gives the window its language and the marks of its numbers, and Qt's own texts with them."""

from __future__ import annotations

import os

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app import language
from app.marks import locale_style
from app.settings import Settings


def begin(settings: Settings) -> None:
    """Takes the language that is wanted; before any module with texts of the window is imported.

    A language that is not the system's brings its own marks of numbers; the system's keeps those
    of the country, such as Switzerland's.
    """
    system = QLocale.system().name()
    wanted = language.wanted(settings.language, system)
    is_chosen = bool(settings.language or os.environ.get(language.VARIABLE))
    if is_chosen and wanted != system.split("_")[0]:
        QLocale.setDefault(QLocale(wanted))
    language.use(wanted, locale_style())


def install(app: QApplication) -> None:
    """Qt's own texts, such as the buttons of its dialogs, in the language of the window."""
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language.code() != language.ENGLISH and translator.load(f"qtbase_{language.code()}", folder):
        app.installTranslator(translator)
