"""What a screen reader is told over AT-SPI, page by page: `python packaging/at_spi.py [PAGE …]`.

Starts a window on a screen and a message bus of its own (Linux, with Xvfb, dbus, at-spi2-core and
python3-dbus), brings every page about, and has another process read its tree as a screen reader
would. Writes ``out/at-spi.txt``; prints what has no name, role or value, and is 1 where there is
such a thing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pages

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "out" / "at-spi.txt"
WALKER = Path(__file__).with_name("at_spi_walk.py")
SYSTEM_PYTHON = "/usr/bin/python3"
INSIDE = "--inside"
SIZE = (1366, 768)
NO_ROLE = {"filler", "panel", "unknown", "invalid", ""}
NAMED = {"push button", "check box", "page tab", "menu item", "tree item", "dial", "chart"}
VALUED = {"text", "slider"}


@dataclass(frozen=True, slots=True)
class Node:
    """One thing of the tree, as another process read it.

    Attributes:
        value: text in a field or a number; None where it has none. label: of what labels it.
        states: words of AT-SPI, such as ``focusable``.
    """

    role: str
    name: str
    description: str
    value: str | None
    label: str
    states: frozenset[str]
    children: tuple[Node, ...]

    @classmethod
    def of(cls, told: dict[str, Any]) -> Node:
        return cls(
            role=told["role"],
            name=told["name"],
            description=told["description"],
            value=told["value"],
            label=told["label"],
            states=frozenset(told["states"]),
            children=tuple(map(cls.of, told["children"])),
        )

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Node]]:
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)

    @property
    def line(self) -> str:
        value = "" if self.value is None else f" = {self.value[:80]!r}"
        states = " ".join(sorted(self.states - {"enabled", "visible"}))
        said = f" ({self.description[:300]})" if self.description else ""
        label = f" of {self.label!r}" if self.label else ""
        return f"{self.role} {self.name[:80]!r}{label}{value} [{states}]{said}"

    @property
    def fault(self) -> str:
        """What it lacks; nothing where it is not to be seen."""
        if "showing" not in self.states or self.role == "cell":  # an empty cell is empty
            return ""
        can_focus, is_told = "focusable" in self.states, bool(self.name or self.label)
        faults = {
            "no name": (can_focus or self.role in NAMED) and not is_told,
            "has the focus, and neither role nor name": self.role in NO_ROLE
            and can_focus
            and not self.name,
            "says what is chosen, not what for": self.role == "combo box"
            and not (self.label or self.description),
            "no value": self.value is None
            and (self.role in VALUED or (self.role == "progress bar" and not self.description)),
            "says nothing of what it shows": self.role == "chart" and not self.description,
        }
        return next((fault for fault, holds in faults.items() if holds), "")


def missing() -> str:
    """What the machine lacks for it, in words; nothing where all is there."""
    tools = ("xvfb-run", "dbus-run-session", "dbus-send", SYSTEM_PYTHON)
    lacking = [each for each in tools if shutil.which(each) is None]
    if lacking:
        return f"no {lacking[0]}"
    asked = [SYSTEM_PYTHON, "-c", "import dbus"]
    has_dbus = subprocess.run(asked, capture_output=True, check=False)
    return "no python3-dbus" if has_dbus.returncode else ""


def main(names: Sequence[str]) -> int:
    if lacking := missing():
        print(f"at-spi: {lacking}", file=sys.stderr)
        return 2
    REPORT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        environ = pages.environment(1.0, Path(place)) | {
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "XDG_RUNTIME_DIR": place,
        }
        command = ["dbus-run-session", "--", "xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"]
        command += [sys.executable, str(Path(__file__)), INSIDE, *names]
        return subprocess.run(command, env=environ, check=False).returncode


def read_all(names: Sequence[str]) -> int:
    """Write down every page; how many faults were found."""
    faults = list[str]()
    with pages.stage("Light", *SIZE) as stage, REPORT.open("w", encoding="utf-8") as report:

        def see(name: str, widget: QWidget) -> None:
            tree = Node.of(read())
            report.write(f"\n==== {name}\n")
            for depth, node in tree.walk():
                report.write(f"{'  ' * depth}{node.line}\n")
                if node.fault:
                    faults.append(f"{name}: {node.fault}: {node.line}")

        for page in pages.named(names):
            stage.show(page, see)
    print("\n".join(faults), flush=True)
    return len(faults)


def start_bus() -> None:
    """Have the bus of accessibility started: it is, once somebody asks where it is."""
    asked = ("--dest=org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress")
    command = ["dbus-send", "--session", "--print-reply", *asked]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def read() -> dict[str, Any]:
    """The tree, read by another process while this one answers."""
    from PySide6.QtCore import QEventLoop, QProcess

    process, loop = QProcess(), QEventLoop()
    process.finished.connect(loop.quit)
    process.start(SYSTEM_PYTHON, [str(WALKER)])
    loop.exec()
    if process.exitCode():
        raise SystemExit(bytes(process.readAllStandardError().data()).decode())
    told: dict[str, Any] = json.loads(bytes(process.readAllStandardOutput().data()))
    return told


if __name__ == "__main__":
    if sys.argv[1:2] != [INSIDE]:
        sys.exit(main(sys.argv[1:]))
    start_bus()
    sys.exit(1 if read_all(sys.argv[2:]) else 0)
