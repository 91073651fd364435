"""The look of the window from one `Theme`: palette, style sheet and fonts."""

from __future__ import annotations

from importlib import resources
from string import Template

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.look import LOOK
from app.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES, VERDICT_INKS, Theme

FONT_FAMILY = "Inter"
FONT_FILES = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Italic.otf")
BASE_PX = 13
SYSTEM = "System"
INKS = ("text", "muted", "accent", "ghost", *VERDICT_INKS)
"""Colours of a theme that labels are written in; see `app.widgets.labels.tint`."""


def load_fonts() -> None:
    """Makes the shipped type known to Qt; once per process."""
    if _fonts_loaded():
        return
    folder = resources.files("resources") / "fonts"
    for name in FONT_FILES:
        QFontDatabase.addApplicationFontFromData(QByteArray((folder / name).read_bytes()))


def _fonts_loaded() -> bool:
    app = QGuiApplication.instance()
    if app is None or app.property("headroom_fonts"):
        return True
    app.setProperty("headroom_fonts", True)
    return False


def base_font() -> QFont:
    font = QFont(FONT_FAMILY)
    font.setPixelSize(BASE_PX)
    return font


def theme_named(name: str) -> Theme:
    """The theme called `name`; for `SYSTEM` the one the desktop asks for (light if it is mute)."""
    if name in THEMES:
        return THEMES[name]
    hints = QGuiApplication.styleHints()
    if hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast:
        return HIGH_CONTRAST
    return DARK if hints.colorScheme() is Qt.ColorScheme.Dark else LIGHT


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Gives every widget of the program the colours and type of `theme`."""
    load_fonts()
    if not app.styleSheet():
        app.setStyle("Fusion")
        app.setFont(base_font())
    # Where there is a sheet, Qt gives each widget the next one once for every widget around it, 16
    # times in this window (QStyleSheetStyle::repolish of 6.11); taken off and put on, twice.
    app.setStyleSheet("")
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(theme))
    LOOK.use(theme)


def palette(theme: Theme) -> QPalette:
    result = QPalette()
    role = QPalette.ColorRole
    for name, colour in (
        (role.Window, theme.ground),
        (role.WindowText, theme.text),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.bad),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Light, theme.raised),
        (role.Midlight, theme.line),
        (role.Mid, theme.line),
        (role.Dark, theme.line_strong),
        (role.Shadow, theme.line_strong),
        (role.Accent, theme.accent),
    ):
        result.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.line_strong))
    return result


def style_sheet(theme: Theme) -> str:
    """The style sheet with the theme's colours; the template has one `$name` per colour.

    A label whose property ``ink`` names a colour is written in it.
    """
    text = (resources.files("resources") / "styles" / "headroom.qss").read_text(encoding="utf-8")
    colours = {name: getattr(theme, name) for name in Theme.__slots__}
    inks = [f'QLabel[ink="{name}"] {{ color: ${name}; }}' for name in INKS]
    return Template("\n".join((text, *inks))).substitute(colours)
