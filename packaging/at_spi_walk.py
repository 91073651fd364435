"""Reads the tree of the one program on the accessibility bus, as a screen reader would.

Run by `at_spi.py` with the Python of the system, which has `dbus`; prints the tree as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import dbus  # type: ignore[import-not-found]  # of the system: python3-dbus

ACCESSIBLE, PROPERTIES = "org.a11y.atspi.Accessible", "org.freedesktop.DBus.Properties"
VALUE, TEXT = "org.a11y.atspi.Value", "org.a11y.atspi.Text"
LABELLED_BY = 2
STATES = {1: "active", 4: "checked", 8: "enabled", 10: "expanded", 11: "focusable", 12: "focused"}
STATES |= {23: "selected", 25: "showing", 30: "visible", 41: "has-tooltip"}
MOST, READ, DEEPEST, PATIENCE_S = 200, 25, 60, 20.0
"""Of a table of more entries so many are read; deeper no tree goes."""


class Reader:
    """What is read over one connection."""

    def __init__(self, address: str) -> None:
        self._bus = dbus.bus.BusConnection(address)

    def program(self) -> Any:
        """The root of the program that is there; waits until it is."""
        registry = self._at("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for name, path in registry.GetChildren(dbus_interface=ACCESSIBLE):
                return self._at(name, path)
            time.sleep(0.1)
        raise SystemExit("no program is on the accessibility bus")

    def _at(self, name: str, path: str) -> Any:
        return self._bus.get_object(name, path, introspect=False)

    def node(self, item: Any, depth: int = 0) -> dict[str, Any]:
        """One item and what is below it."""
        states = item.GetState(dbus_interface=ACCESSIBLE)
        bits = int(states[0]) | int(states[1]) << 32
        kinds = [str(each) for each in item.GetInterfaces(dbus_interface=ACCESSIBLE)]
        return {
            "role": str(item.GetRoleName(dbus_interface=ACCESSIBLE)),
            "name": str(_of(item, ACCESSIBLE, "Name")),
            "description": str(_of(item, ACCESSIBLE, "Description")),
            "value": _value(item, kinds),
            "label": self._label(item),
            "states": [word for bit, word in STATES.items() if bits >> bit & 1],
            "children": [self.node(each, depth + 1) for each in self._below(item, depth)],
        }

    def _label(self, item: Any) -> str:
        """The words of what labels it, as far as it has no name of its own."""
        for kind, others in item.GetRelationSet(dbus_interface=ACCESSIBLE):
            if int(kind) == LABELLED_BY:
                return " ".join(str(_of(self._at(*each), ACCESSIBLE, "Name")) for each in others)
        return ""

    def _below(self, item: Any, depth: int) -> list[Any]:
        count = int(_of(item, ACCESSIBLE, "ChildCount"))
        if depth >= DEEPEST or not count:
            return []
        if count <= MOST:
            found = item.GetChildren(dbus_interface=ACCESSIBLE)
        else:
            found = [item.GetChildAtIndex(at, dbus_interface=ACCESSIBLE) for at in range(READ)]
        return [self._at(name, path) for name, path in found if not path.endswith("/null")]


def _of(item: Any, interface: str, name: str) -> Any:
    return item.Get(interface, name, dbus_interface=PROPERTIES)


def _value(item: Any, kinds: list[str]) -> str | None:
    """A number that can be set or read, or text that stands in a field."""
    if VALUE in kinds:
        return f"{float(_of(item, VALUE, 'CurrentValue')):g}"
    if TEXT in kinds:
        return str(item.GetText(0, -1, dbus_interface=TEXT))
    return None


def main() -> None:
    session = dbus.SessionBus()
    bus = session.get_object("org.a11y.Bus", "/org/a11y/bus", introspect=False)
    reader = Reader(str(bus.GetAddress(dbus_interface="org.a11y.Bus")))
    json.dump(reader.node(reader.program()), sys.stdout)


if __name__ == "__main__":
    main()
