"""Which faces the board shows: of what is stored, of what is being dragged, of a host lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.language import tr
from app.session import Session, View
from app.widgets.board.face_meters import carried_meters
from app.widgets.board.faces import FaceBook, HostFace, PoolFace, VmFace
from app.widgets.board.scene import Carry, Faces, Lost
from app.widgets.meters import Meter
from app.wording import locale_style
from models.base.lettering import set_apart
from models.predict.prediction import Prediction, Shown
from models.scenario.scenario import Scenario
from models.scenario.wording import Style
from models.single_changes.move_preview import MovePreview

GONE = "–"


class Books:
    """The faces of the session's view and, while there is one, of its preview."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stored = _book(session, session.view, session.scenario, None, is_compact=False)
        self._ahead: FaceBook | None = None
        self._ahead_of: Scenario | None = None
        self._carried: CarriedFaces | None = None

    def show(self, view: View, laid_out: Scenario, *, is_compact: bool) -> None:
        """Takes in a view; `laid_out` is the stored scenario as the board shows it."""
        if not view.is_preview:
            self._stored = _book(self._session, view, laid_out, self._stored, is_compact=is_compact)
            self._ahead = self._ahead_of = None
            return
        before = self._ahead or self._stored
        self._ahead = _book(self._session, view, laid_out, before, is_compact=is_compact)
        self._ahead_of = view.scenario

    @property
    def plain(self) -> FaceBook:
        """The faces of the session's view."""
        return self._ahead or self._stored

    def faces(
        self,
        carry: Carry | None,
        after: MovePreview | None,
        wanted: Scenario | None,
        lost: Lost | None,
    ) -> Faces:
        """The faces for the next frame.

        Args:
            after: the hosts with what is carried; `wanted`: the scenario of a drop on its target.
        """
        if after is not None and carry is not None:
            is_there = wanted is not None and wanted is self._ahead_of
            return self._carried_faces(after, carry.target, self._ahead if is_there else None)
        return self.plain if lost is None else LostFaces(self.plain, lost, self._name)

    def ghosts(self, lost: Lost | None) -> dict[str, HostFace | VmFace | PoolFace]:
        """What the VMs of a lost host say on the hosts where they go on, by id."""
        if lost is None:
            return {}
        return {vm: self.plain.face(vm) for vm, host in lost.places.items() if host is not None}

    def _carried_faces(
        self, after: MovePreview, target: str | None, ahead: FaceBook | None
    ) -> CarriedFaces:
        """Made anew for another move or target alone: faces are known by their identity."""
        found = self._carried
        if found is None or found.after is not after:
            view = self._session.view
            found = CarriedFaces(self._stored, after, view.committed, self._session.scenario)
        if found.ahead is not ahead or found.target != target:
            found = found.over(target, ahead)
        self._carried = found
        return found

    def _name(self, host: str) -> str:
        return set_apart(self._session.scenario.host(host).name)


def _book(
    session: Session, view: View, laid_out: Scenario, before: FaceBook | None, *, is_compact: bool
) -> FaceBook:
    return FaceBook(
        view, laid_out, session.catalog, locale_style(), is_compact=is_compact, before=before
    )


class CarriedFaces:
    """Every host as it would be with what is being dragged dropped on it.

    The host they all come from is shown without them, unless it is the target below the hand: there
    a drop changes nothing. Where a drop on the target has been predicted in full, the target, its
    VMs and what else that changes show it.
    """

    def __init__(
        self, stored: FaceBook, after: MovePreview, committed: Prediction, scenario: Scenario
    ) -> None:
        self.after = after
        self.ahead: FaceBook | None = None
        self.target: str | None = None
        self._stored = stored
        self._committed = committed
        self._scenario = scenario
        self._style: Style = locale_style()
        self._rows = {id: row for row, id in enumerate(after.ids)}
        self._hosts: dict[str, HostFace] = {}

    def over(self, target: str | None, ahead: FaceBook | None) -> CarriedFaces:
        """The same over another target."""
        other = CarriedFaces(self._stored, self.after, self._committed, self._scenario)
        other._hosts = self._hosts
        other.ahead, other.target = ahead, target
        return other

    def face(self, id: str) -> HostFace | VmFace | PoolFace:
        row = self._rows.get(id)
        if row is not None and id == self.target and self._is_home(row):
            return self._stored.face(id)
        if self.ahead is not None and (row is None or id == self.target or self._is_home(row)):
            return self.ahead.face(id)
        if row is None:
            return self._stored.face(id)
        found = self._hosts.get(id)
        if found is None:
            found = self._hosts[id] = self._after(id, row)
        return found

    def _is_home(self, row: int) -> bool:
        return bool(self.after.is_home[row])

    def _after(self, id: str, row: int) -> HostFace:
        face = self._stored.face(id)
        assert isinstance(face, HostFace)
        if id in self.after.refused:
            return face
        carried = self.after.left if self._is_home(row) else self.after.there
        policy = self._scenario.policy
        meters = carried_meters(carried, row, self._committed, policy, self._style)
        if not carried.vcpus_per_core[row]:
            return replace(face, meters=meters, verdict=None)
        # vCPUs per core are a rule of thumb, which no verdict rests on.
        verdict = max(meters[position].verdict for position in (0, 1, 3))
        comes = self.after.is_assumed and not self._is_home(row)
        is_assumed = comes or self._committed.hosts.is_assumed(row)
        return replace(face, meters=meters, verdict=Shown.of(verdict, is_assumed=is_assumed))


class LostFaces:
    """The faces after a host's failure: its VMs say where they go on."""

    def __init__(self, book: FaceBook, lost: Lost, name_of: Callable[[str], str]) -> None:
        self._book = book
        self._lost = lost
        self._name_of = name_of

    def face(self, id: str) -> HostFace | VmFace | PoolFace:
        face = self._book.face(id)
        if isinstance(face, HostFace) and id == self._lost.host:
            return replace(face, verdict=None, meters=tuple(map(_stopped, face.meters)))
        if isinstance(face, VmFace) and id in self._lost.places:
            host = self._lost.places[id]
            if host is None:
                return replace(face, response=tr("stays down"), cpu=None, more="")
            words = f"\N{RIGHTWARDS ARROW} {self._name_of(host)}"
            more = tr("{response} there", response=face.response) if face.more else ""
            return replace(face, response=words, cpu=None, more=more)
        return face


def _stopped(meter: Meter) -> Meter:
    """The meter of a machine that is gone: its track and its limit, no number and no marks."""
    return Meter(label=meter.label, text=GONE, share=0.0, limit=meter.limit)
