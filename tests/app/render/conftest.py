"""Sessions and places as panels have them."""

from tests.app.widgets.conftest import mail_session, place, selection

__all__ = ["mail_session", "place", "selection"]
