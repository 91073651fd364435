"""The View and Help menus: appearance, zoom, panels, keys and about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget

from app import language
from app.language import tr
from app.look import LOOK
from app.manual import manual_path
from app.problem import versions
from app.settings import Settings
from app.stylesheet import SYSTEM, apply_theme, theme_named
from app.theme import DARK, HIGH_CONTRAST, LIGHT, Theme
from app.widgets.board.view import BoardView
from app.widgets.catalog_panel import CatalogPanel
from app.windows.frame import Frame
from app.windows.journey import BOARD
from app.windows.menus import ActionBook, add_choice, hear_choice

if TYPE_CHECKING:
    from app.windows.asked import Asked
    from app.windows.places import Place


class ViewCommands(QObject):
    """Owner of the View and Help menus.

    Signals:
        side_shown: a side of the window that was folded away is there again.
    """

    side_shown = Signal(QWidget)

    def __init__(
        self,
        window: Frame,
        board: BoardView,
        catalog: CatalogPanel,
        settings: Settings,
        model_version: Callable[[], str],
        places: Callable[[], Iterable[Place]],
        asked: Callable[[str], Iterable[Asked]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._board = board
        self._catalog = catalog
        self._settings = settings
        self._model_version = model_version
        self._places = places
        self._asked = asked
        self._sides: dict[str, QWidget] = {}
        self._actions: ActionBook | None = None
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._system_changed)

    def set_actions(self, actions: ActionBook) -> None:
        self._actions = actions
        for side, id in self._toggles():
            actions[id].setChecked(not side.isHidden())
        if self._settings.reduce_motion:
            self._board.set_motion(False)
        actions["view.reduce_motion"].setChecked(self._settings.reduce_motion)
        self._show_choice()

    def set_sides(self, sides: Mapping[str, QWidget]) -> None:
        """The parts of the window that can be folded away."""
        self._sides = dict(sides)

    def show_sides(self) -> None:
        """The marks in the menu say which sides are there."""
        if self._actions is not None:
            for side, id in self._toggles():
                self._actions[id].setChecked(not side.isHidden())

    def _toggles(self) -> list[tuple[QWidget, str]]:
        return [(side, f"view.toggle_{name}") for name, side in self._sides.items()]

    # ------------------------------------------------------------------ appearance

    def follow_system(self) -> None:
        self._choose(SYSTEM)

    def light(self) -> None:
        self._choose(LIGHT.name)

    def dark(self) -> None:
        self._choose(DARK.name)

    def contrast(self) -> None:
        self._choose(HIGH_CONTRAST.name)

    def _choose(self, name: str) -> None:
        self._settings.appearance = name
        self.set_theme(theme_named(name))
        self._show_choice()

    def set_theme(self, theme: Theme) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_theme(app, theme)

    def _system_changed(self, _wish: object) -> None:
        wanted = theme_named(self._settings.appearance)
        if wanted is not LOOK.theme:
            self.set_theme(wanted)

    def _show_choice(self) -> None:
        if self._actions is None:
            return
        chosen = self._settings.appearance
        for id, name in (
            ("view.follow_system", SYSTEM),
            ("view.light", LIGHT.name),
            ("view.dark", DARK.name),
            ("view.contrast", HIGH_CONTRAST.name),
        ):
            self._actions[id].setChecked(chosen == name)

    # ------------------------------------------------------------------ language

    def fill_languages(self, menu: QMenu) -> None:
        """The languages, each by its own name; what is chosen now has a mark."""
        for code, name in {language.SYSTEM: tr("As the system"), **language.names()}.items():
            action = add_choice(menu, name, code)
            action.setCheckable(True)
            action.setChecked(code == self._settings.language)
        hear_choice(menu, self._language_chosen)

    def _language_chosen(self, action: QAction) -> None:
        """Texts are read once, so another language needs another start."""
        self._settings.language = action.data()
        self._settings.flush()
        name = action.text().replace("&", "")
        self._window.statusBar().showMessage(tr("{language} from the next start.", language=name))

    # ------------------------------------------------------------------ board and panels

    def zoom_in(self) -> None:
        self._board.zoom_in()

    def zoom_out(self) -> None:
        self._board.zoom_out()

    def zoom_reset(self) -> None:
        self._board.zoom_reset()

    def zoom_to_fit(self) -> None:
        self._board.zoom_to_fit()

    def fold_hosts(self) -> None:
        self._board.fold_all(True)

    def fold_sites(self) -> None:
        self._board.fold_sites()

    def unfold_hosts(self) -> None:
        self._board.fold_all(False)

    def find_on_board(self) -> None:
        self.unfold(self._board)
        self._board.find_items()

    def pick_up(self) -> None:
        self.unfold(self._board)
        self._board.pick_up()

    def lose_host(self) -> None:
        self.unfold(self._board)
        self._board.lose_host()

    def reduce_motion(self) -> None:
        self._settings.reduce_motion = not self._settings.reduce_motion
        self._board.set_motion(not self._settings.reduce_motion)

    def toggle_left(self) -> None:
        self._toggle("left")

    def toggle_below(self) -> None:
        self._cover(False)
        self._toggle("below")

    def charts_over(self) -> None:
        """Charts in the place of the board, or below it again."""
        self._cover(not self._window.middle.isHidden())

    def _cover(self, is_covered: bool) -> None:
        if self._window.middle.isHidden() == is_covered:
            return
        if is_covered and self._sides["below"].isHidden():
            self._toggle("below")
        self._window.cover_board(is_covered)
        if self._actions is not None:
            self._actions["view.charts_over"].setChecked(is_covered)

    def toggle_right(self) -> None:
        self._toggle("right")

    def _toggle(self, name: str) -> None:
        side = self._sides[name]
        side.setVisible(side.isHidden())
        if self._actions is not None:
            self._actions[f"view.toggle_{name}"].setChecked(not side.isHidden())
        if not side.isHidden():
            self.side_shown.emit(side)

    def unfold(self, place: QWidget) -> None:
        """Brings the board, the side of the window that a part stands in, and what is covered."""
        self._window.stack.bring(BOARD)
        if self._window.middle.isAncestorOf(place):
            self._cover(False)
        for name, side in self._sides.items():
            if side.isHidden() and (side is place or side.isAncestorOf(place)):
                self._toggle(name)

    def search_catalog(self) -> None:
        self.unfold(self._catalog)
        self._catalog.setFocus()
        self._catalog.search.selectAll()

    def full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    # ------------------------------------------------------------------ help

    def palette(self) -> None:
        from app.windows.palette import CommandPalette

        if self._actions is not None:
            CommandPalette(self._window, self._actions, self._places(), self._asked).open()

    def keys(self) -> None:
        from app.windows.help import KeysDialog

        KeysDialog(self._window).open()

    def manual(self) -> None:
        """Opens the handbook in the system's browser, or says where it is."""
        path = manual_path()
        is_open = path is not None and QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
        if not is_open:
            words = (
                tr("The handbook is not part of this installation.")
                if path is None
                else tr("No program opens it here; the handbook is at {path}.", path=path)
            )
            QMessageBox.information(self._window, "Headroom", words)

    def about(self) -> None:
        from app.windows.help import AboutDialog

        AboutDialog(self._window, self.versions()).open()

    def versions(self) -> tuple[tuple[str, str], ...]:
        """What a report of a problem should name."""
        return versions(self._model_version())
