"""What is typed with a value behind it: "users 5000", "lose esx2", "year 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from app.language import local, tr
from app.windows.places import Window
from app.wording import read_number
from models.base.errors import ModelError
from models.base.lettering import set_apart
from models.scenario.scenario import Scenario, Users
from models.scenario.wording import users_text

MOST_HOSTS = 8
"""Hosts of like names that are offered; more letters find the others."""

USERS = tr("users user seats mailboxes")
LOSE = tr("lose kill fail without")
YEAR = tr("year years in")
_NUMBER = re.compile(r"\d[\d.,'’ ]*$")


@dataclass(frozen=True, slots=True)
class Asked:
    """An act with its value: its words, and why it can't be done now (empty when it can)."""

    words: str
    icon: str
    run: partial[None]
    refusal: str = ""


def asked(window: Window, typed: str) -> Iterator[Asked]:
    """What a word with a value behind it asks for."""
    word, _, value = typed.strip().partition(" ")
    if not value.strip():
        return
    number = _NUMBER.fullmatch(value.strip())
    if number and _is_of(word, USERS):
        yield from _users(window, number.group())
    elif number and _is_of(word, YEAR):
        yield from _year(window, value.strip().replace(",", "."))
    elif _is_of(word, LOSE):
        yield from _lost(window, value.strip())


def _is_of(word: str, words: str) -> bool:
    """Whether one of them begins with what was typed, by three letters at least."""
    begun = word.casefold()
    return any(
        each == begun or (len(begun) > 2 and each.startswith(begun))
        for each in words.casefold().split()
    )


def _users(window: Window, typed: str) -> Iterator[Asked]:
    from models.single_changes.changes import spread

    try:
        users = read_number(typed).value
    except ModelError:
        return
    if not users.is_integer():
        return

    def act(ids: frozenset[str], words: str) -> None:
        def changed(scenario: Scenario) -> Scenario:
            given = {vm.id: vm for vm in spread([scenario.vm(id) for id in ids], users)}
            return replace(scenario, vms=tuple(given.get(vm.id, vm) for vm in scenario.vms))

        window.session.change(changed, words)

    all_serving = [vm for vm in window.session.scenario.vms if vm.workload.active_users > 0]
    mail = [vm for vm in all_serving if vm.workload.kind.is_domino]
    serving = mail or all_serving
    picked = [vm for vm in serving if vm.id in window.selection.ids]
    people = Users(users, 0.0) if mail else Users(0.0, users)
    count = local(users_text(people, active=True))
    if len(picked) == 1:
        words = f"{set_apart(picked[0].name)}: {count}"
        yield Asked(words, "users", partial(act, frozenset({picked[0].id}), words))
    words = tr("All servers: {users}", users=count)
    refusal = "" if serving else tr("no server has users")
    yield Asked(words, "users", partial(act, frozenset(vm.id for vm in serving), words), refusal)


def _year(window: Window, value: str) -> Iterator[Asked]:
    try:
        years = float(value)
    except ValueError:
        return
    months = 12 * years
    # Where no growth is planned, the place where it is planned is found by the same word.
    if window.ahead.isHidden() or not 0 <= months <= window.ahead.slider.maximum():
        return

    def act() -> None:
        if window.stack.name != "years":
            window.go_to(window.ahead)
        window.session.look_ahead(years)

    yield Asked(tr("Show year {year}", year=f"{years:g}"), "history", partial(act))


def _lost(window: Window, name: str) -> Iterator[Asked]:
    def act(id: str) -> None:
        window.go_to(window.place("board"))
        window.selection.select(id)
        window.board.setFocus()
        window.board.lose_host()

    begun = name.casefold()
    hosts = [host for host in window.session.scenario.hosts if begun in host.name.casefold()]
    for host in hosts[:MOST_HOSTS]:
        words = tr("Lose {host}", host=set_apart(host.name))
        yield Asked(words, "triangle-alert", partial(act, host.id))
