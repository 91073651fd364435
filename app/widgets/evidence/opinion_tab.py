"""A network of queues beside the model, told in sections."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.language import tr
from app.opinion import asked
from app.session import Session, View
from app.widgets.sections.view import SectionsPanel
from app.work import Worker
from models.second_opinion.opinion import Opinion
from models.tell.blocks import Section
from models.tell.second_opinion import opinion_sections


class OpinionTab(SectionsPanel):
    """The network's response of every server, and why it is another one."""

    def __init__(self, session: Session, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            worker,
            asked,
            name=tr("Second opinion"),
            icon="circle-dashed",
            nothing=tr("The network of this scenario has not been solved."),
            is_long=True,
            parent=parent,
        )

    def tell(self, value: Opinion, view: View) -> Sequence[Section]:
        return opinion_sections(value, view.scenario)
