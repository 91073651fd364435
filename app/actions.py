"""Every act of the window in one table: id, words, key, icon, and who does it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.language import tr


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


def act(
    id: str,
    text: str,
    keys: str = "",
    icon: str = "",
    tip: str = "",
    *,
    is_checkable: bool = False,
    is_local: bool = False,
    needs: str = "",
) -> ActionSpec:
    """An act by its row; `keys` are set apart by blanks."""
    return ActionSpec(id, text, tuple(keys.split()), icon, tip, is_checkable, is_local, needs)


def menu(text: str, *entries: ActionSpec | Submenu | None) -> Menu:
    """A menu by its rows."""
    return Menu(text, entries)


SELECT_VM = tr("Select a VM first")
SELECT_ITEM = tr("Select something on the board first")
ONE_SCENARIO = tr("There is only one scenario")

_START = act(
    "start.open",
    tr("S&tart page"),
    "Ctrl+1 Alt+Home",
    "own-start",
    tr("Examples, totals and files."),
)
"""In two menus, as the first of the journey."""

_FILE = menu(
    tr("&File"),
    act("files.new", tr("&New project"), "Ctrl+N", "file-plus", tr("Start over, empty.")),
    act(
        "start.open_totals",
        tr("New from &totals…"),
        "Ctrl+T",
        "own-totals",
        tr("Enter users, hosts and array; a first design that fits is laid out."),
    ),
    act("files.open", tr("&Open…"), "Ctrl+O", "folder-open", tr("Open a project.")),
    _START,
    Submenu("examples", tr("Open &example"), "files.fill_examples", "book-open"),
    Submenu("recent", tr("Open &recent"), "files.fill_recent", "history"),
    Submenu("recovery", tr("Recover &unsaved work"), "recovery.fill_kept", "own-rescue"),
    None,
    act("files.save", tr("&Save"), "Ctrl+S", "save", tr("Save the project.")),
    act("files.save_as", tr("Save &as…"), "Ctrl+Shift+S", tip=tr("Save under another name.")),
    None,
    act(
        "files.import_files",
        tr("&Import…"),
        "Ctrl+I",
        "file-down",
        tr("Files of a customer, tables, and scenarios of Headroom."),
    ),
    act(
        "own.add_entries",
        tr("Add &catalog entries…"),
        "",
        "plus",
        tr("Add the servers, arrays and others of a TOML file to the catalog."),
    ),
    act(
        "own.add_prices",
        tr("Add price &book…"),
        "",
        "plus",
        tr("Prices of your own, by which costs are told."),
    ),
    act(
        "files.export_json",
        tr("E&xport scenario…"),
        "Ctrl+Shift+E",
        "file-json",
        tr("Write the scenario in view as JSON."),
    ),
    act(
        "files.export_proposal",
        tr("Export &proposal…"),
        "Ctrl+P",
        "file-text",
        tr("Write the sizing proposal as PDF."),
    ),
    None,
    act("window.close", tr("&Quit"), "Ctrl+Q", "log-out", tr("Leave Headroom.")),
)

_EDIT = menu(
    tr("&Edit"),
    act("stack.undo", tr("&Undo"), "Ctrl+Z", "undo-2", needs=tr("Nothing to undo")),
    act("stack.redo", tr("&Redo"), "Ctrl+Shift+Z Ctrl+Y", "redo-2", needs=tr("Nothing to redo")),
    act("history.open", tr("&History…"), "Ctrl+H", "history", tr("All steps; go back to any.")),
    None,
    act(
        "editing.cut",
        tr("Cu&t"),
        "Ctrl+X",
        "scissors",
        tr("Paste moves these VMs."),
        is_local=True,
        needs=SELECT_VM,
    ),
    act(
        "editing.copy",
        tr("&Copy"),
        "Ctrl+C",
        "copy",
        tr("Paste duplicates these VMs."),
        is_local=True,
        needs=SELECT_VM,
    ),
    act(
        "editing.paste",
        tr("&Paste"),
        "Ctrl+V",
        "clipboard-paste",
        tr("Put the VMs of the clipboard onto the selected host, or read the table on it."),
        is_local=True,
        needs=tr("Cut or copy VMs, or copy a table"),
    ),
    act(
        "editing.duplicate",
        tr("D&uplicate"),
        "Ctrl+D",
        "copy-plus",
        tr("The same again, beside it."),
        is_local=True,
        needs=SELECT_ITEM,
    ),
    act(
        "editing.delete",
        tr("&Delete"),
        "Del",
        "trash-2",
        tr("Remove what is selected."),
        is_local=True,
        needs=SELECT_ITEM,
    ),
    None,
    Submenu("move", tr("&Move to…"), "editing.fill_move", "move", is_listed=False),
    act(
        "view.pick_up",
        tr("Pick &up to move"),
        "M",
        tip=tr("M on the board: choose a host with the arrow keys, Enter drops, B takes the best."),
        is_local=True,
        needs=SELECT_VM,
    ),
    act(
        "editing.choose_host",
        tr("Choose where to mo&ve…"),
        "Ctrl+M",
        tip=tr("A list of hosts beside the selected VM; M does the same on the board."),
        is_local=True,
        needs=SELECT_VM,
    ),
    None,
    act(
        "editing.select_all",
        tr("Select &all VMs"),
        "Ctrl+A",
        tip=tr("Select every VM on the board."),
        is_local=True,
        needs=tr("There are no VMs yet"),
    ),
    None,
    act(
        "origins.choose",
        tr("&Origin of this value…"),
        "Ctrl+Shift+O",
        tip=tr("Who gave the value that is being edited in the inspector."),
    ),
    act(
        "origins.toggle_pin",
        tr("P&in this value"),
        "Ctrl+Shift+P",
        "own-pin",
        tr("Automatic changes leave the value alone that is being edited in the inspector."),
    ),
)

_INSERT = menu(
    tr("&Insert"),
    Submenu("insert_host", tr("&Host"), "editing.fill_hosts", "server"),
    Submenu("insert_vm", tr("&VM"), "editing.fill_vms", "users"),
    Submenu("insert_pool", tr("Storage &pool"), "editing.fill_pools", "database"),
    act("editing.add_cluster", tr("&Cluster"), "", "layers", tr("Add an empty cluster.")),
    None,
    act(
        "own.add_server",
        tr("C&ustom server…"),
        "",
        "server",
        tr("Enter a server that the catalog does not have."),
    ),
    act(
        "own.add_array",
        tr("Custom &array…"),
        "",
        "database",
        tr("Enter an array that the catalog does not have."),
    ),
    act(
        "own.add_workload",
        tr("Custom &workload…"),
        "",
        "users",
        tr("Enter a kind of VM with figures of its own."),
    ),
    act(
        "view.search_catalog",
        tr("&Search the catalog"),
        "Ctrl+F",
        "search",
        tr("Find servers, arrays, workloads and hypervisors."),
    ),
)

_EVIDENCE = act(
    "evidence.open",
    tr("E&vidence…"),
    "Ctrl+E",
    "circle-check",
    tr("How right the model is, and every figure it rests on."),
)
"""In two menus: people look for it where things are shown and where things are explained."""

_ADVISORS = act(
    "advisors.open",
    tr("A&dvisors…"),
    "Ctrl+Shift+A",
    "book-open",
    tr("What published documents teach: candidates, Sametime, Domino clusters, upgrades, moves."),
)

_VIEW = menu(
    tr("&View"),
    act("view.follow_system", tr("&Follow the system"), "", "monitor", is_checkable=True),
    act("view.light", tr("&Light"), "", "sun", is_checkable=True),
    act("view.dark", tr("&Dark"), "", "moon", is_checkable=True),
    act("view.contrast", tr("&High contrast"), "", "own-contrast", is_checkable=True),
    Submenu("language", tr("Lan&guage"), "view.fill_languages"),
    None,
    act("view.zoom_in", tr("Zoom &in"), "Ctrl++ Ctrl+=", "zoom-in"),
    act("view.zoom_out", tr("Zoom &out"), "Ctrl+-", "zoom-out"),
    act("view.zoom_reset", tr("&Actual size"), "Ctrl+0"),
    act("view.zoom_to_fit", tr("Fit the &board"), "Ctrl+9", "maximize"),
    act("view.fold_hosts", tr("F&old all hosts"), tip=tr("Hosts show their meters alone.")),
    act(
        "view.fold_sites",
        tr("Fold all s&ites"),
        tip=tr("Sites show their sums and their worst verdict alone."),
    ),
    act("view.unfold_hosts", tr("U&nfold everything")),
    act(
        "view.find_on_board",
        tr("Find &on the board…"),
        "Ctrl+G",
        "search",
        tr("Names, kinds of work, machines, verdicts; the slash does the same on the board."),
    ),
    act(
        "view.lose_host",
        tr("&Lose this host"),
        "",
        "circle-x",
        tr("How the rest would stand without it, until Esc. K held down does it for a moment."),
        is_local=True,
    ),
    act(
        "editing.set_maintenance",
        tr("In &maintenance"),
        "",
        "circle-dashed",
        tr("Nothing runs on the hosts that are selected, and nothing fails over to them."),
        is_checkable=True,
        needs=tr("Select a host first"),
    ),
    act(
        "view.reduce_motion",
        tr("&Reduce motion"),
        tip=tr("Nothing on the board moves by itself."),
        is_checkable=True,
    ),
    None,
    act("view.toggle_left", tr("&Catalog and scenarios"), "F5", "panel-left", is_checkable=True),
    act("view.toggle_below", tr("C&harts"), "F6", "panel-bottom", is_checkable=True),
    act(
        "view.charts_over",
        tr("Charts over the board"),
        "Shift+F6",
        "maximize",
        tr("Charts in the place of the board, and back."),
        is_checkable=True,
    ),
    act("view.toggle_right", tr("Inspector and &findings"), "F7", "panel-right", is_checkable=True),
    None,
    act(
        "why.open",
        tr("&Why…"),
        "E",
        "own-why",
        tr("Why the main number of what is selected is what it is."),
        is_local=True,
    ),
    _EVIDENCE,
    _ADVISORS,
    act("view.full_screen", tr("F&ull screen"), "F11", is_checkable=True),
    None,
    act(
        "meeting.toggle",
        tr("&Meeting screen"),
        "Ctrl+Shift+M",
        "own-meeting",
        tr("Board and verdict alone, in large type, on the second screen if there is one."),
        is_checkable=True,
    ),
    act(
        "meeting.freeze",
        tr("Free&ze the meeting screen"),
        "Ctrl+Shift+F",
        tip=tr("Hold its picture while you edit; F does the same there."),
        is_checkable=True,
        needs=tr("Open the meeting screen first"),
    ),
    act(
        "meeting.blank",
        tr("Blan&k the meeting screen"),
        "Ctrl+Shift+B",
        tip=tr("Show nothing there; B does the same there."),
        is_checkable=True,
        needs=tr("Open the meeting screen first"),
    ),
)

_GO = menu(
    tr("&Go"),
    _START,
    act(
        "journey.files",
        tr("&Files"),
        "Ctrl+2",
        "file-down",
        tr("Files of a customer, tables, and scenarios of Headroom."),
    ),
    act("journey.board", tr("&Board"), "Ctrl+3 Ctrl+B", "server", tr("Keys act on the board.")),
    act(
        "journey.options",
        tr("&Options"),
        "Ctrl+4",
        "own-fix",
        tr("What to buy, what else would do, and where the VMs had better stand."),
    ),
    act(
        "journey.years",
        tr("&Years"),
        "Ctrl+5",
        "own-flip",
        tr("When each number passes its limit as the design grows, and how likely it is to last."),
    ),
    act(
        "journey.advice",
        tr("&Advice"),
        "Ctrl+6",
        "book-open",
        tr("What documents teach, what this customer measured, and how right the model is."),
    ),
    act(
        "journey.proposal",
        tr("&Proposal"),
        "Ctrl+7",
        "file-text",
        tr("What is given to the customer, and how it came about."),
    ),
    None,
    act(
        "journey.tear_off",
        tr("Page in a &window of its own"),
        "Ctrl+Shift+W",
        "own-tear",
        tr("For a second screen; it comes back when that window is closed."),
    ),
)

_SCENARIO = menu(
    tr("&Scenario"),
    act("scenarios.new", tr("&New"), "Ctrl+Shift+N", "plus", tr("Add an empty scenario.")),
    act(
        "scenarios.duplicate",
        tr("&Duplicate"),
        "Ctrl+Shift+D",
        "copy-plus",
        tr("Try something beside the scenario in view."),
    ),
    act("scenarios.rename", tr("&Rename…"), "F2", "pencil"),
    act("scenarios.delete", tr("De&lete"), "", "trash-2", needs=ONE_SCENARIO),
    None,
    act(
        "scenarios.make_baseline",
        tr("Use as &baseline"),
        "",
        "flag",
        tr("Others are compared with this one."),
        needs=tr("It is the baseline"),
    ),
    act(
        "recommend.open",
        tr("&Recommend…"),
        "Ctrl+Shift+R",
        "own-fix",
        tr("What to buy for users or for the VMs on the board, and what else would do."),
    ),
    act(
        "arrange.open",
        tr("&Arrange…"),
        "Ctrl+Shift+G",
        "move",
        tr("Where the VMs had better stand, and the moves that lead there."),
    ),
    act(
        "assume.open",
        tr("Assume CPU and &I/O…"),
        "",
        "own-unknown",
        tr("What VMs take that nobody measured, by a rule that you state."),
    ),
    act(
        "site.open",
        tr("Customer’s &measurements…"),
        "Ctrl+Shift+K",
        "circle-check",
        tr("Calibrate to this customer, ask for what is missing, hold predictions against it."),
    ),
    act(
        "compare.open",
        tr("&Compare…"),
        "Ctrl+Shift+C",
        "own-compare",
        tr("Two to four scenarios side by side: what differs, and what comes of it."),
    ),
    act(
        "changed.open",
        tr("Changed since si&gned…"),
        "",
        "history",
        tr("Inputs, numbers and verdict beside those of an exported proposal."),
    ),
    act(
        "scenarios.flip",
        tr("&Flip between two"),
        "F4",
        "own-flip",
        tr("The scenario seen before this one, in place; once more, back again."),
        needs=ONE_SCENARIO,
    ),
    None,
    act("scenarios.next", tr("N&ext scenario"), "Ctrl+PgDown", needs=ONE_SCENARIO),
    act("scenarios.previous", tr("&Previous scenario"), "Ctrl+PgUp", needs=ONE_SCENARIO),
)

_HELP = menu(
    tr("&Help"),
    act("view.palette", tr("&Find a command…"), "Ctrl+K", "search", tr("Every act, by its name.")),
    act("view.keys", tr("&Keys"), "F1 ? Shift+?", "keyboard", tr("All keys at a glance.")),
    act(
        "view.manual",
        tr("&Handbook"),
        "",
        "book-open",
        tr("Tutorials, user guide and reference, in the browser; no network is needed."),
    ),
    act("tour.start", tr("Take the &tour"), "", "own-tour", tr("Five steps, one minute.")),
    _EVIDENCE,
    None,
    act(
        "files.report_problem",
        tr("&Report a problem…"),
        "",
        "message-square",
        tr("A text for who helps you: versions, sizes and faults, without names."),
    ),
    act("view.about", tr("&About Headroom"), "", "info"),
)

MENUS = (_FILE, _EDIT, _INSERT, _VIEW, _SCENARIO, _GO, _HELP)

BOARD_KEYS = (
    (tr("Arrow keys"), tr("Go to the next card; with Shift, add it to the selection")),
    (tr("Ctrl+arrow keys"), tr("Go on without selecting; Space selects")),
    (tr("Home, End"), tr("Go to the first or last card")),
    ("M", tr("Pick up the selected VMs; arrow keys aim, Enter drops")),
    ("B", tr("With VMs picked up: aim at the best host")),
    (tr("K, held"), tr("Lose the host until the key is up")),
    (tr("Space bar"), tr("Fold a host, cluster or site")),
    ("/", tr("Find on the board")),
    (tr("Enter"), tr("Go to the inspector")),
    ("Esc", tr("Cancel a drag; end a search; clear the selection")),
    (tr("Ctrl+wheel"), tr("Zoom the board")),
)


def action_specs() -> Iterator[ActionSpec]:
    """Every act of the table once, also where two menus offer it."""
    entries = (entry for menu in MENUS for entry in menu.entries)
    yield from dict.fromkeys(entry for entry in entries if isinstance(entry, ActionSpec))
