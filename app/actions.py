"""Every act of the window in one table: id, words, key, icon, and who does it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One act.

    Attributes:
        id: ``owner.method``: the window finds the slot by it.
        text: as in the menu, with its mnemonic.
        keys: shortcuts in Qt's words; the first one is shown.
        icon: name of the icon.
        tip: one sentence for the status bar and the list of keys.
        needs: what has to be there first, said where the act can't be done.
        is_checkable: it shows a state.
        is_local: its keys act only while the board has the focus: Del in a list is the list's.
    """

    id: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""
    is_checkable: bool = False
    is_local: bool = False
    needs: str = ""

    @property
    def words(self) -> str:
        """The text without mnemonic and dots."""
        return self.text.replace("&", "").removesuffix("…")


@dataclass(frozen=True, slots=True)
class Submenu:
    """A menu that is filled when it is opened, by the `filler` of this name.

    `is_listed`: its entries can be found by name; not where filling it takes long.
    """

    id: str
    text: str
    filler: str
    icon: str = ""
    is_listed: bool = True

    @property
    def words(self) -> str:
        """The text without mnemonic and dots."""
        return self.text.replace("&", "").removesuffix("…")


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of the menu bar; None is a separator."""

    text: str
    entries: tuple[ActionSpec | Submenu | None, ...]


SELECT_VM = "Select a VM first"
SELECT_ITEM = "Select something on the board first"
ONE_SCENARIO = "There is only one scenario"

_FILE = Menu(
    "&File",
    (
        ActionSpec("files.new", "&New project", ("Ctrl+N",), "file-plus", "Start over, empty."),
        ActionSpec(
            "start.open_totals",
            "New from &totals…",
            ("Ctrl+T",),
            "own-totals",
            "Enter users, hosts and array; a first design that fits is laid out.",
        ),
        ActionSpec("files.open", "&Open…", ("Ctrl+O",), "folder-open", "Open a project."),
        ActionSpec(
            "start.open", "S&tart page", ("Alt+Home",), "own-start", "Examples, totals and files."
        ),
        Submenu("examples", "Open &example", "files.fill_examples", "book-open"),
        Submenu("recent", "Open &recent", "files.fill_recent", "history"),
        Submenu("recovery", "Recover &unsaved work", "recovery.fill_kept", "own-rescue"),
        None,
        ActionSpec("files.save", "&Save", ("Ctrl+S",), "save", "Save the project."),
        ActionSpec("files.save_as", "Save &as…", ("Ctrl+Shift+S",), tip="Save under another name."),
        None,
        ActionSpec(
            "files.import_json",
            "&Import scenario…",
            ("Ctrl+I",),
            "file-down",
            "Add the scenario of a JSON file to this project.",
        ),
        ActionSpec(
            "own.add_entries",
            "Add &catalog entries…",
            (),
            "plus",
            "Add the servers, arrays and others of a TOML file to the catalog.",
        ),
        ActionSpec(
            "files.export_json",
            "E&xport scenario…",
            ("Ctrl+Shift+E",),
            "file-json",
            "Write the scenario in view as JSON.",
        ),
        ActionSpec(
            "files.export_proposal",
            "Export &proposal…",
            ("Ctrl+P",),
            "file-text",
            "Write the sizing proposal as PDF.",
        ),
        None,
        ActionSpec("window.close", "&Quit", ("Ctrl+Q",), "log-out", "Leave Headroom."),
    ),
)

_EDIT = Menu(
    "&Edit",
    (
        ActionSpec("stack.undo", "&Undo", ("Ctrl+Z",), "undo-2", needs="Nothing to undo"),
        ActionSpec(
            "stack.redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo-2", needs="Nothing to redo"
        ),
        ActionSpec(
            "history.open", "&History…", ("Ctrl+H",), "history", "All steps; go back to any."
        ),
        None,
        ActionSpec(
            "editing.cut",
            "Cu&t",
            ("Ctrl+X",),
            "scissors",
            "Paste moves these VMs.",
            is_local=True,
            needs=SELECT_VM,
        ),
        ActionSpec(
            "editing.copy",
            "&Copy",
            ("Ctrl+C",),
            "copy",
            "Paste duplicates these VMs.",
            is_local=True,
            needs=SELECT_VM,
        ),
        ActionSpec(
            "editing.paste",
            "&Paste",
            ("Ctrl+V",),
            "clipboard-paste",
            "Put the VMs of the clipboard onto the selected host.",
            is_local=True,
            needs="Cut or copy VMs first",
        ),
        ActionSpec(
            "editing.duplicate",
            "D&uplicate",
            ("Ctrl+D",),
            "copy-plus",
            "The same again, beside it.",
            is_local=True,
            needs=SELECT_ITEM,
        ),
        ActionSpec(
            "editing.delete",
            "&Delete",
            ("Del",),
            "trash-2",
            "Remove what is selected.",
            is_local=True,
            needs=SELECT_ITEM,
        ),
        None,
        Submenu("move", "&Move to…", "editing.fill_move", "move", is_listed=False),
        ActionSpec(
            "view.pick_up",
            "Pick &up to move",
            tip="M on the board: choose a host with the arrow keys, Enter drops, B takes the best.",
            is_local=True,
        ),
        ActionSpec(
            "editing.choose_host",
            "Choose where to mo&ve…",
            ("Ctrl+M",),
            tip="A list of hosts beside the selected VM; M does the same on the board.",
            is_local=True,
            needs=SELECT_VM,
        ),
        None,
        ActionSpec(
            "editing.select_all",
            "Select &all VMs",
            ("Ctrl+A",),
            tip="Select every VM on the board.",
            is_local=True,
            needs="There are no VMs yet",
        ),
        None,
        ActionSpec(
            "origins.choose",
            "&Origin of this value…",
            ("Ctrl+Shift+O",),
            tip="Who gave the value that is being edited in the inspector.",
        ),
        ActionSpec(
            "origins.toggle_pin",
            "P&in this value",
            ("Ctrl+Shift+P",),
            "own-pin",
            "Automatic changes leave the value alone that is being edited in the inspector.",
        ),
    ),
)

_INSERT = Menu(
    "&Insert",
    (
        Submenu("insert_host", "&Host", "editing.fill_hosts", "server"),
        Submenu("insert_vm", "&VM", "editing.fill_vms", "users"),
        Submenu("insert_pool", "Storage &pool", "editing.fill_pools", "database"),
        ActionSpec("editing.add_cluster", "&Cluster", (), "layers", "Add an empty cluster."),
        None,
        ActionSpec(
            "own.add_server",
            "C&ustom server…",
            (),
            "server",
            "Enter a server that the catalog does not have.",
        ),
        ActionSpec(
            "own.add_array",
            "Custom &array…",
            (),
            "database",
            "Enter an array that the catalog does not have.",
        ),
        ActionSpec(
            "own.add_workload",
            "Custom &workload…",
            (),
            "users",
            "Enter a kind of VM with figures of its own.",
        ),
        ActionSpec(
            "view.search_catalog",
            "&Search the catalog",
            ("Ctrl+F",),
            "search",
            "Find servers, arrays, workloads and hypervisors.",
        ),
    ),
)

_EVIDENCE = ActionSpec(
    "evidence.open",
    "E&vidence…",
    ("Ctrl+E",),
    "circle-check",
    "How right the model is, and every figure it rests on.",
)
"""In two menus: people look for it where things are shown and where things are explained."""

_VIEW = Menu(
    "&View",
    (
        ActionSpec("view.follow_system", "&Follow the system", (), "monitor", is_checkable=True),
        ActionSpec("view.light", "&Light", (), "sun", is_checkable=True),
        ActionSpec("view.dark", "&Dark", (), "moon", is_checkable=True),
        ActionSpec("view.contrast", "&High contrast", (), "own-contrast", is_checkable=True),
        None,
        ActionSpec("view.zoom_in", "Zoom &in", ("Ctrl++", "Ctrl+="), "zoom-in"),
        ActionSpec("view.zoom_out", "Zoom &out", ("Ctrl+-",), "zoom-out"),
        ActionSpec("view.zoom_reset", "&Actual size", ("Ctrl+0",)),
        ActionSpec("view.zoom_to_fit", "Fit the &board", ("Ctrl+9",), "maximize"),
        ActionSpec("view.fold_hosts", "F&old all hosts", tip="Hosts show their meters alone."),
        ActionSpec("view.unfold_hosts", "U&nfold everything"),
        ActionSpec(
            "view.find_on_board",
            "Find &on the board…",
            ("Ctrl+G",),
            "search",
            "Names, kinds of work, machines, verdicts; the slash does the same on the board.",
        ),
        ActionSpec(
            "view.lose_host",
            "&Lose this host",
            (),
            "circle-x",
            "How the rest would stand without it, until Esc. K held down does it for a moment.",
            is_local=True,
        ),
        ActionSpec(
            "view.reduce_motion",
            "&Reduce motion",
            tip="Nothing on the board moves by itself.",
            is_checkable=True,
        ),
        None,
        ActionSpec(
            "view.toggle_left", "&Catalog and scenarios", ("F5",), "panel-left", is_checkable=True
        ),
        ActionSpec("view.toggle_below", "C&harts", ("F6",), "panel-bottom", is_checkable=True),
        ActionSpec(
            "view.toggle_right",
            "Inspector and &findings",
            ("F7",),
            "panel-right",
            is_checkable=True,
        ),
        None,
        ActionSpec(
            "why.open",
            "&Why…",
            ("E",),
            "own-why",
            "Why the main number of what is selected is what it is.",
            is_local=True,
        ),
        _EVIDENCE,
        ActionSpec(
            "view.focus_board", "Go to the &board", ("Ctrl+B",), tip="Keys act on the board."
        ),
        ActionSpec("view.full_screen", "F&ull screen", ("F11",), is_checkable=True),
        None,
        ActionSpec(
            "meeting.toggle",
            "&Meeting screen",
            ("Ctrl+Shift+M",),
            "own-meeting",
            "Board and verdict alone, in large type, on the second screen if there is one.",
            is_checkable=True,
        ),
        ActionSpec(
            "meeting.freeze",
            "Free&ze the meeting screen",
            ("Ctrl+Shift+F",),
            tip="Hold its picture while you edit; F does the same there.",
            is_checkable=True,
            needs="Open the meeting screen first",
        ),
        ActionSpec(
            "meeting.blank",
            "Blan&k the meeting screen",
            ("Ctrl+Shift+B",),
            tip="Show nothing there; B does the same there.",
            is_checkable=True,
            needs="Open the meeting screen first",
        ),
    ),
)

_SCENARIO = Menu(
    "&Scenario",
    (
        ActionSpec("scenarios.new", "&New", ("Ctrl+Shift+N",), "plus", "Add an empty scenario."),
        ActionSpec(
            "scenarios.duplicate",
            "&Duplicate",
            ("Ctrl+Shift+D",),
            "copy-plus",
            "Try something beside the scenario in view.",
        ),
        ActionSpec("scenarios.rename", "&Rename…", ("F2",), "pencil"),
        ActionSpec("scenarios.delete", "De&lete", (), "trash-2", needs=ONE_SCENARIO),
        None,
        ActionSpec(
            "scenarios.make_baseline",
            "Use as &baseline",
            (),
            "flag",
            "Others are compared with this one.",
            needs="It is the baseline",
        ),
        ActionSpec(
            "compare.open",
            "&Compare…",
            ("Ctrl+Shift+C",),
            "own-compare",
            "Two to four scenarios side by side: what differs, and what comes of it.",
        ),
        ActionSpec(
            "scenarios.flip",
            "&Flip between two",
            ("F4",),
            "own-flip",
            "The scenario seen before this one, in place; once more, back again.",
            needs=ONE_SCENARIO,
        ),
        None,
        ActionSpec("scenarios.next", "N&ext scenario", ("Ctrl+PgDown",), needs=ONE_SCENARIO),
        ActionSpec("scenarios.previous", "&Previous scenario", ("Ctrl+PgUp",), needs=ONE_SCENARIO),
    ),
)

_HELP = Menu(
    "&Help",
    (
        ActionSpec(
            "view.palette", "&Find a command…", ("Ctrl+K",), "search", "Every act, by its name."
        ),
        ActionSpec(
            "view.keys", "&Keys", ("F1", "?", "Shift+?"), "keyboard", "All keys at a glance."
        ),
        ActionSpec("tour.start", "Take the &tour", (), "own-tour", "Five steps, one minute."),
        _EVIDENCE,
        None,
        ActionSpec("view.about", "&About Headroom", (), "info"),
    ),
)

MENUS = (_FILE, _EDIT, _INSERT, _VIEW, _SCENARIO, _HELP)

BOARD_KEYS = (
    ("Arrow keys", "Go to the next card; with Shift, add it to the selection"),
    ("Ctrl+arrow keys", "Go on without selecting; Space selects"),
    ("Home, End", "Go to the first or last card"),
    ("M", "Pick up the selected VMs; arrow keys aim, Enter drops"),
    ("B", "With VMs picked up: aim at the best host"),
    ("K, held", "Lose the host until the key is up"),
    ("Space", "Fold a host or cluster"),
    ("/", "Find on the board"),
    ("Enter", "Go to the inspector"),
    ("Esc", "Put back what is in the hand; end a search; clear the selection"),
    ("Ctrl+wheel", "Zoom the board"),
)


def action_specs() -> Iterator[ActionSpec]:
    """Every act of the table once, also where two menus offer it."""
    entries = (entry for menu in MENUS for entry in menu.entries)
    yield from dict.fromkeys(entry for entry in entries if isinstance(entry, ActionSpec))
