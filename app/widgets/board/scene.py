"""What one frame of the board shows, as values: the scenario, its faces, and the user's doing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from app.theme import Theme
from app.widgets.board.faces import HostFace, PoolFace, VmFace
from app.widgets.board.layout import BoardLayout, Box
from app.widgets.board.tints import Tint
from models.predict.prediction import Shown, Verdict
from models.scenario.scenario import Scenario

TRAY = "$tray"
Face = HostFace | VmFace | PoolFace


class Faces(Protocol):
    """What each card says."""

    def face(self, id: str) -> Face: ...


class Standing(Enum):
    """How a host stands to what is being dragged; an unseen one does not see its disks."""

    PLAIN = "plain"
    HOME = "home"
    BEST = "best"
    REFUSED = "refused"
    UNSEEN = "unseen"

    @property
    def is_out(self) -> bool:
        """Whether nothing can be dropped there."""
        return self in (Standing.REFUSED, Standing.UNSEEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """What is being dragged over the board.

    Attributes:
        ids: the VMs being dragged; empty while something new comes from the catalog.
        x, y: where the pointer is; `grab_x`, `grab_y`: where in the card it holds.
        target: id of the host or pool below, or `TRAY`; None over nothing that could take it.
        words: what a drop would do, or why it can't.
        is_refused: a drop here does nothing.
        is_by_key: picked up by a key or a click: it hangs at its target, not at the pointer.
        is_waiting: the numbers of a drop here are still being calculated; `outcome`: the words of
            the verdict on it once they are there, and `verdict`, which is None where nothing is
            judged.
    """

    ids: tuple[str, ...] = ()
    x: float = 0.0
    y: float = 0.0
    grab_x: float = 0.0
    grab_y: float = 0.0
    target: str | None = None
    words: str = ""
    is_refused: bool = False
    is_by_key: bool = False
    is_waiting: bool = False
    outcome: str = ""
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A host that is shown as failed.

    Attributes:
        host: its id. `words`: the mode and its verdict, for the banner.
        places: host each of its VMs goes on at, by id; None for what stays down.
        verdict: on the mode; None where nothing was to fail over.
        progress: how far the restarts have been drawn, 0 to 1.
    """

    host: str
    words: str
    places: Mapping[str, str | None]
    verdict: Verdict | None
    progress: float = 1.0

    @property
    def restarts(self) -> dict[str, str]:
        """The places without what stays down."""
        return {vm: host for vm, host in self.places.items() if host is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """What the user is doing at the board: selection, pointer, hand, filter.

    Attributes:
        current: id of the item that inspector and keys are at; `cursor`: where the keys are while
            they choose without selecting, else None.
        matches: ids that a search finds; None while nothing is searched for.
        tints: what each VM card is coloured by; none while that is its kind of work.
        standings: of the hosts, while something is being dragged.
        partners: of the current VM: ids of its Domino cluster, and the host of its secondary.
    """

    selected: frozenset[str] = frozenset()
    current: str | None = None
    cursor: str | None = None
    has_focus: bool = False
    hovered: str | None = None
    cut: frozenset[str] = frozenset()
    carry: Carry | None = None
    band: Box | None = None
    matches: frozenset[str] | None = None
    tints: Mapping[str, Tint] = field(default_factory=dict)
    standings: Mapping[str, Standing] = field(default_factory=dict)
    partners: tuple[str, ...] = ()
    secondary: str | None = None
    lost: Lost | None = None

    @property
    def focused(self) -> str | None:
        """The id that the ring of the focus stands around; None without the focus."""
        return (self.cursor or self.current) if self.has_focus else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a painting needs; `scenario` is the stored one, which the layout follows.

    `is_live`: it can be clicked, so there are signs to click on; the legend is elsewhere then.
    `ghosts`: what the VMs of a lost host say where they go on, by id. `verdicts`: the worst one in
    each site.
    """

    layout: BoardLayout
    scenario: Scenario
    faces: Faces
    theme: Theme
    state: BoardState = field(default_factory=BoardState)
    is_live: bool = False
    ghosts: Mapping[str, Face] = field(default_factory=dict)
    verdicts: Mapping[str, Shown] = field(default_factory=dict)
