"""The project document: what is saved is loaded, a file is replaced whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db import project as store
from db.atomic import write_atomically
from db.errors import StoreError
from db.migrate import Step, migrate, steps_of
from db.project import load_project, save_project
from db.rows import COLUMNS
from db.sqlite import check_finished, in_memory, uri_of
from models.catalog.catalog import Catalog
from models.project.catalog_use import with_used_rows
from models.project.project import Project
from models.scenario.scenario import Admission, AdmissionPolicy, Assumptions, Scenario
from resources.catalog_files import load_catalog, load_processors
from tests.chance import dear
from tests.db.documents import a_project
from tests.db.projects import NOW, same, save, stamp
from tests.db.strategies import projects

LATER = datetime(2026, 3, 2, 12, 30, tzinfo=UTC)
VERSION = len(steps_of())
OLDEST = Path(__file__).parent / "files" / "version-1.headroom"
"""Written by the program that knew only the first step."""


def sentence(path: Path, action: Callable[[], object]) -> str:
    with pytest.raises(StoreError) as caught:
        action()
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "plan.headroom"
    save(path, a_project())
    return path


@pytest.fixture(autouse=True)
def _nothing_beside(tmp_path: Path) -> Iterator[None]:
    """No test may leave a temporary file or a journal beside the documents."""
    yield
    odd = [p.name for p in tmp_path.rglob("*") if p.name.endswith((".tmp", "-journal", "-wal"))]
    assert not odd


AT_EASE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
"""A folder serves for all examples, and the machine may be busy."""


@settings(dear(), suppress_health_check=AT_EASE)
@given(project=projects())
def test_what_is_saved_is_loaded(tmp_path: Path, project: Project) -> None:
    path = tmp_path / "plan.headroom"
    save(path, project)
    assert same(load_project(path), project)
    assert not save(path, load_project(path))


def test_catalog_entries_come_back_in_their_order(tmp_path: Path) -> None:
    shipped = load_catalog().merged(Catalog(processors=dict(list(load_processors().items())[:5])))
    backwards = Catalog(
        servers=dict(reversed(list(shipped.servers.items()))),
        disks=dict(reversed(list(shipped.disks.items()))),
    )
    project = replace(a_project(), own_catalog=backwards, used_catalog=shipped)
    save(tmp_path / "plan.headroom", project)
    assert same(load_project(tmp_path / "plan.headroom"), project)


def test_used_rows_are_those_the_scenarios_name(tmp_path: Path) -> None:
    project = with_used_rows(a_project(), load_catalog())
    save(tmp_path / "plan.headroom", project)
    used = load_project(tmp_path / "plan.headroom").used_catalog
    assert set(used.servers) == {"intel-clovertown-whitebox"}
    assert set(used.hypervisors) == {"esx-3.0.1"}
    assert (set(used.arrays), set(used.raid_levels)) == ({"ibm-ds4800"}, {"5"})


def test_the_file_says_who_wrote_it_and_when(saved: Path) -> None:
    assert stamp(saved) == ("1.2", NOW.isoformat())


def test_the_document_is_as_described(saved: Path) -> None:
    with closing(sqlite3.connect(saved)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (store.APPLICATION_ID,)
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        tables = db.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'")
        strict = {name for name, is_strict in tables if is_strict}
        assert strict == {*COLUMNS, "written"}
        assert db.execute("SELECT id, workload_active_users FROM vm").fetchall() == [("m1", 4000.0)]


def test_every_column_of_the_schema_is_written(saved: Path) -> None:
    with closing(sqlite3.connect(saved)) as db:
        for table, columns in COLUMNS.items():
            found = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            assert sorted(found) == sorted(columns)


def test_saving_the_same_again_leaves_the_file_alone(saved: Path) -> None:
    before = saved.stat()
    again = save_project(saved, a_project(), program_version="9", now=LATER)
    after = saved.stat()
    assert not again
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert stamp(saved)[1] == NOW.isoformat()


def test_a_change_is_written(saved: Path) -> None:
    changed = a_project().with_scenario(replace(a_project().scenario, notes="changed"))
    assert save(saved, changed)
    assert load_project(saved).scenario.notes == "changed"


def test_reading_writes_nothing(saved: Path) -> None:
    before = (saved.read_bytes(), saved.stat().st_mtime_ns)
    load_project(saved)
    assert (saved.read_bytes(), saved.stat().st_mtime_ns) == before
    assert list(saved.parent.iterdir()) == [saved]


def test_permissions_and_links_stay(saved: Path) -> None:
    saved.chmod(0o640)
    link = saved.with_name("link.headroom")
    link.symlink_to(saved)
    save(link, Project.of(Scenario(name="other")))
    assert link.is_symlink()
    assert saved.stat().st_mode & 0o777 == 0o640
    assert load_project(saved).scenario.name == "other"


# --- what can't be read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty"),
        (b"Dear customer,", "is not a Headroom project"),
        (b"SQLite format 3\x00", "is not a Headroom project"),
        (b"\x00" * 5000, "is not a Headroom project"),
    ],
)
def test_other_files_are_told_apart(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "plan.headroom"
    path.write_bytes(content)
    assert sentence(path, lambda: load_project(path)) == expected


def test_other_databases_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "plan.headroom"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (a)")
    assert sentence(path, lambda: load_project(path)) == "is a database, but not a Headroom project"


def test_a_database_of_another_program_is_replaced_and_no_copy_kept(tmp_path: Path) -> None:
    """Whoever saves onto it was asked; of a project an older version would be kept."""
    path = tmp_path / "other.headroom"
    with closing(sqlite3.connect(path)) as db:
        db.executescript("CREATE TABLE t (a); PRAGMA user_version = 1")
    assert save(path, a_project())
    assert not save(path, a_project())
    assert list(tmp_path.iterdir()) == [path]


def test_missing_file_and_folder(tmp_path: Path) -> None:
    path = tmp_path / "none.headroom"
    assert sentence(path, lambda: load_project(path)) == "there is no such file"
    assert sentence(tmp_path, lambda: load_project(tmp_path)) == "is a folder, not a file"
    assert sentence(tmp_path, lambda: save(tmp_path, a_project())) == "is a folder"
    inside = tmp_path / "no" / "plan.headroom"
    assert "folder doesn't exist" in sentence(inside, lambda: save(inside, a_project()))
    saved_as = tmp_path / "file"
    saved_as.write_bytes(b"")
    below = saved_as / "plan.headroom"
    assert "folder doesn't exist" in sentence(below, lambda: save(below, a_project()))


@pytest.mark.parametrize("error", [PermissionError(13, "denied"), OSError(5, "I/O error")])
def test_a_file_that_may_not_be_read(
    saved: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise error

    monkeypatch.setattr("db.door.os.open", refuse)
    assert sentence(saved, lambda: load_project(saved)).startswith("can't be read: ")


@pytest.mark.parametrize("length", [100, 512, 4096, 5000, 20_000])
def test_a_truncated_file_is_damaged(saved: Path, length: int) -> None:
    saved.write_bytes(saved.read_bytes()[:length])
    assert sentence(saved, lambda: load_project(saved)) == "is damaged; open a backup copy of it"


@settings(suppress_health_check=AT_EASE)
@given(st.data())
def test_a_spoiled_file_is_a_project_or_one_sentence(saved: Path, data: st.DataObject) -> None:
    spoiled = saved.with_name("spoiled.headroom")
    content = bytearray(saved.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    spoiled.write_bytes(content)
    try:
        load_project(spoiled)
    except StoreError as error:
        text = str(error)
    else:
        return
    assert text.startswith(str(spoiled))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("UPDATE vm SET disk_mode = 'tape'", "is damaged"),
        ("UPDATE vm SET vcpus = 0", "vms[0].vcpus: must be ≥ 1"),
        ("DELETE FROM policy", "is damaged"),
        ("DELETE FROM project", "is damaged"),
        ("DROP TABLE affinity", "is damaged"),
        ("DELETE FROM host", "is damaged"),
        ("UPDATE project SET active = 'x'", "is damaged"),
        ("UPDATE scenario SET name = ''", "name: must not be empty"),
        ("CREATE TRIGGER t AFTER INSERT ON vm BEGIN SELECT 1; END", "is damaged"),
        ("INSERT INTO catalog_entry VALUES ('own','servers',0,'x','x','x','x','{}')", "is damaged"),
        (
            "INSERT OR REPLACE INTO fields VALUES (0, 'm1', '{\"horns\": 2}')",
            "horns: is a field of a newer",
        ),
        ("INSERT INTO fields VALUES (0, 'nobody', '{}')", "is damaged"),
        ("INSERT OR REPLACE INTO fields VALUES (0, 'm1', '[]')", "is damaged"),
        ("INSERT INTO catalog_entry VALUES ('own','gods',0,'x','x','x','x','{}')", "is damaged"),
    ],
)
def test_a_tampered_file_is_refused(saved: Path, sql: str, expected: str) -> None:
    with closing(sqlite3.connect(saved, isolation_level=None)) as db:
        db.execute(sql)
    assert sentence(saved, lambda: load_project(saved)).startswith(expected)


@pytest.mark.parametrize("kind", ["EXCLUSIVE"])
def test_a_file_that_another_program_writes_is_left_alone(
    saved: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.sqlite.BUSY_TIMEOUT_S", 0.01)
    before = saved.read_bytes()
    other = Project.of(Scenario(name="other"))
    with closing(sqlite3.connect(saved, isolation_level=None)) as db:
        db.execute(f"BEGIN {kind}")
        expected = "is in use by another program; close it there or try again"
        assert sentence(saved, lambda: load_project(saved)) == expected
        assert sentence(saved, lambda: save(saved, other)) == expected
        db.execute("ROLLBACK")
    assert saved.read_bytes() == before


def test_a_file_with_a_log_is_read_without_leaving_one(saved: Path) -> None:
    """Other programs can switch a database to write-ahead logging, which stays with the file."""
    with closing(sqlite3.connect(saved)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    before = saved.read_bytes()
    assert load_project(saved).scenario == a_project().scenario
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_log_of_another_program_never_gets_into_a_new_file(saved: Path, is_gone: bool) -> None:
    """SQLite plays back what it finds beside a database, whichever database that is by then."""
    link = saved.with_name("link.headroom")
    link.symlink_to(saved)
    with closing(sqlite3.connect(saved, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("UPDATE host SET name = 'other'")
        if is_gone:
            saved.unlink()
        before = sorted(saved.parent.iterdir())
        for path in (saved, link):
            text = sentence(path, partial(save, path, Project.of(Scenario(name="new"))))
            assert ("remove plan.headroom-wal" in text) is is_gone
            assert "the log of another program" in text
        assert sorted(saved.parent.iterdir()) == before
    for left in (*saved.parent.glob("*-wal"), *saved.parent.glob("*-shm")):
        left.unlink()


def test_a_log_beside_what_cannot_be_read_is_not_to_be_removed(saved: Path) -> None:
    saved.unlink()
    saved.mkdir()
    beside = saved.with_name(f"{saved.name}-wal")
    beside.write_bytes(b"x")
    text = sentence(saved, lambda: check_finished(saved))
    assert text.startswith("has the log of another program beside it")
    beside.unlink()


def test_a_journal_that_is_to_be_played_back_is_no_project_of_ours(saved: Path) -> None:
    beside = saved.with_name(f"{saved.name}-journal")
    beside.write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(504))
    text = sentence(saved, lambda: save(saved, a_project()))
    assert text.startswith("was not closed properly")
    saved.unlink()
    text = sentence(saved, lambda: save(saved, a_project()))
    assert "remove plan.headroom-journal" in text
    beside.write_bytes(bytes(512))
    save(saved, a_project())
    assert load_project(saved).scenario == a_project().scenario
    beside.unlink()


# --- what can't be written --------------------------------------------------------------------


def test_an_impossible_scenario_is_not_saved(saved: Path) -> None:
    before = saved.read_bytes()
    scenario = a_project().scenario
    wrong = replace(scenario, vms=(replace(scenario.vms[0], host="x"),))
    text = sentence(saved, lambda: save(saved, Project.of(wrong)))
    assert text == "scenario “WV21 migration”: vms[0].host: there is no host “x” in the scenario"
    assert saved.read_bytes() == before


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_file_and_no_other(
    saved: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    before = saved.read_bytes()
    monkeypatch.setattr("os.fsync" if step == "fsync" else "pathlib.Path.replace", fail)
    other = Project.of(Scenario(name="other"))
    assert sentence(saved, lambda: save(saved, other)) == "can't be written: the disk is full"
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_a_folder_that_cannot_be_flushed_takes_nothing_back(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has been replaced by then."""

    def fail(_folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("db.atomic._flush_folder", fail)
    write_atomically(saved, b"x")
    assert saved.read_bytes() == b"x"


def test_what_another_program_has_open(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows calls it no permission."""

    def fail(*_: object) -> None:
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    text = sentence(saved, lambda: write_atomically(saved, b"x"))
    assert text == (
        "can't be written: you may not write to its folder, or another program has it open"
    )


@pytest.mark.parametrize("part", ["end", "middle", "pages", "version"])
def test_a_damaged_file_of_ones_own_is_replaced(saved: Path, part: str) -> None:
    data = saved.read_bytes()
    damaged = {
        "end": data[:-100],
        "middle": data[:5000] + bytes(3000) + data[8000:],
        "pages": data[:4096],
        "version": data[:60] + bytes(4) + data[64:],
    }
    saved.write_bytes(damaged[part])
    other = Project.of(Scenario(name="other"))
    assert save(saved, other)
    assert load_project(saved).scenario == other.scenario


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PureWindowsPath("//server/share/a b.headroom"), "file:////server/share/a%20b.headroom"),
        (PureWindowsPath("C:/plans/a#1.headroom"), "file:///C:/plans/a%231.headroom"),
        (PurePosixPath("/plans/ä.headroom"), "file:///plans/%C3%A4.headroom"),
    ],
)
def test_a_path_of_a_network_keeps_its_server(path: PurePath, uri: str) -> None:
    assert uri_of(path) == uri


def test_sqlite_reads_such_a_path(saved: Path) -> None:
    """On POSIX two slashes in front are one."""
    with closing(sqlite3.connect(f"file:///{saved}?mode=ro", uri=True)) as db:
        assert db.execute("SELECT count(*) FROM project").fetchone() == (1,)


def test_a_write_protected_file_is_respected(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    text = sentence(saved, lambda: write_atomically(saved, b"x"))
    assert text == "is write-protected; save under another name"


def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    loop = tmp_path / "loop.headroom"
    loop.symlink_to(loop)
    assert "leads nowhere" in sentence(loop, lambda: write_atomically(loop, b"x"))
    assert loop.is_symlink()


# --- versions ---------------------------------------------------------------------------------


def test_a_newer_file_is_refused_and_untouched(saved: Path) -> None:
    with closing(sqlite3.connect(saved, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
        db.execute("CREATE TABLE novelty (a)")
    before = saved.read_bytes()
    expected = (
        f"was written by a newer Headroom (file version {VERSION + 1}, this program knows "
        f"{VERSION}); open it with that one"
    )
    assert sentence(saved, lambda: load_project(saved)) == expected
    assert sentence(saved, lambda: save(saved, a_project())) == expected
    assert saved.read_bytes() == before


NEXT = Step(VERSION + 1, "9998_more.sql", "CREATE TABLE more (\n  a TEXT NOT NULL\n) STRICT;\n")


def test_an_older_file_is_read_without_being_changed(saved: Path) -> None:
    before = saved.read_bytes()
    assert same(load_project(saved, steps=(*steps_of(), NEXT)), a_project())
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_a_file_of_the_first_version_gets_what_was_added_since(tmp_path: Path) -> None:
    old = load_project(OLDEST)
    assert [entry.scenario.name for entry in old.entries] == ["WV21 migration", "Second"]
    for entry in old.entries:
        (cluster,) = entry.scenario.clusters
        assert cluster.admission == Admission(policy=AdmissionPolicy.DEDICATED, failover_host="h1")
        assert (entry.scenario.waivers, entry.scenario.assumptions) == ((), Assumptions())
    path = tmp_path / "plan.headroom"
    save(path, old)
    assert same(load_project(path), old)


def test_an_older_file_is_kept_as_a_dated_copy_when_it_is_saved(saved: Path) -> None:
    newer = (*steps_of(), NEXT)
    assert save(saved, a_project(), steps=newer)
    copy = saved.with_name(f"plan version {VERSION} 2026-03-01.headroom")
    assert same(load_project(copy), a_project())
    assert same(load_project(saved, steps=newer), a_project())
    assert sorted(p.name for p in saved.parent.iterdir()) == sorted([saved.name, copy.name])


def test_a_dated_copy_overwrites_no_other(saved: Path) -> None:
    taken = saved.with_name(f"plan version {VERSION} 2026-03-01.headroom")
    taken.write_bytes(b"mine")
    save(saved, a_project(), steps=(*steps_of(), NEXT))
    assert taken.read_bytes() == b"mine"
    assert saved.with_name(f"plan version {VERSION} 2026-03-01 2.headroom").exists()


def test_a_failing_step_undoes_all_steps() -> None:
    broken = Step(
        VERSION + 2, "9999_broken.sql", "CREATE TABLE third (a);\nINSERT INTO nowhere VALUES (1);\n"
    )
    with in_memory() as db:
        migrate(db, steps_of())
        with pytest.raises(sqlite3.OperationalError):
            migrate(db, (*steps_of(), NEXT, broken))
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        assert not names & {"more", "third"}
        assert not db.in_transaction


def test_a_step_that_ends_inside_a_statement_is_a_mistake() -> None:
    with in_memory() as db, pytest.raises(ValueError, match="inside a statement"):
        migrate(db, (Step(1, "0001_half.sql", "CREATE TABLE t (a"),))


def test_records_stay_beside_their_scenario(tmp_path: Path) -> None:
    project = a_project()
    id = project.entries[-1].id
    kept = project.with_records(id, "advice", ['{"topic":"users"}', '{"topic":"io"}'])
    path = tmp_path / "kept.headroom"
    save(path, kept)
    assert load_project(path).entry(id).records == kept.entry(id).records
    assert [each.kind for each in kept.entry(id).records_of("advice")] == ["advice", "advice"]
    assert not kept.duplicated(id).entries[-1].records
