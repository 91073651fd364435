"""What the bundle holds and what it tells the system; the bundle itself where there is time."""

from __future__ import annotations

import ast
import configparser
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from db.project import APPLICATION_ID
from tests.packaging.loading import FOLDER, ROOT, load

SVG = ROOT / "resources" / "icons" / "headroom.svg"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def contents() -> ModuleType:
    return load("contents")


def test_version_has_one_place(contents: ModuleType) -> None:
    import app

    assert contents.version() == app.__version__
    assert f'"{app.__version__}"' not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_resource_and_no_code_is_data(contents: ModuleType) -> None:
    pairs = {(Path(file).name, folder) for file, folder in contents.own_data()}
    assert ("headroom.svg", "resources/icons".replace("/", os.sep)) in pairs
    assert ("wv21_x366_cpu.csv", "resources/evidence".replace("/", os.sep)) in pairs
    assert not [name for name, _ in pairs if name.endswith((".py", ".pyc"))]
    places = [f"{folder}/{name}" for name, folder in pairs]
    assert not [place for place in places if not contents.is_wanted(place)]


def test_leftovers_are_no_data(contents: ModuleType, tmp_path: Path) -> None:
    for name in ("resources/a.csv", "db/migrations/0001.sql", "app/__pycache__/x.pyc", "app/.x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    found = [path.relative_to(tmp_path).as_posix() for path in contents.own_files(tmp_path)]
    assert found == ["db/migrations/0001.sql", "resources/a.csv"]


def test_every_module_goes_in(contents: ModuleType) -> None:
    modules = contents.own_modules()
    assert {"app", "app.session", "models.scenario.scenario", "db", "resources"} <= set(modules)
    assert len(modules) == len(set(modules))


def test_qt_modules_that_the_program_names_stay(contents: ModuleType) -> None:
    unwanted = contents.unwanted_qt_modules()
    assert "PySide6.QtQml" in unwanted
    assert "PySide6.QtNetwork" in unwanted
    assert not {f"PySide6.{name}" for name in contents.used_qt_modules()} & set(unwanted)
    assert "PySide6.QtWidgets" not in unwanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqlinuxfb.so", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\plugins\\tls\\qopensslbackend.dll", False),
        ("PySide6/Qt/plugins/styles/libqmacstyle.dylib", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/imageformats/libqpdf.so", False),
        ("PySide6/Qt/qml/QtQuick/libqtquick2plugin.so", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtdeclarative_de.qm", False),
        ("numpy/_core/_multiarray_umath.so", True),
    ],
)
def test_files_are_judged_by_their_place(contents: ModuleType, name: str, wanted: bool) -> None:
    assert contents.is_wanted(name) is wanted


def test_libraries_that_nothing_needs_stay_out(contents: ModuleType) -> None:
    entries = [
        ("PySide6/QtGui.abi3.so", "/gui", "EXTENSION"),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "/xcb", "BINARY"),
        ("PySide6/Qt/plugins/tls/libqopenssl.so", "/tls", "BINARY"),
        ("PySide6/Qt/lib/libQt6Gui.so.6", "/libgui", "BINARY"),
        ("PySide6/Qt/lib/libQt6Network.so.6", "/libnet", "BINARY"),
        ("libXau.so.6", "/xau", "BINARY"),
        ("libQt6Gui.so.6", "PySide6/Qt/lib/libQt6Gui.so.6", "SYMLINK"),
        ("libQt6Network.so.6", "PySide6/Qt/lib/libQt6Network.so.6", "SYMLINK"),
    ]
    needs = {
        "/gui": ["libQt6Gui.so.6", "libc.so.6"],
        "/xcb": ["/usr/lib/libXau.so.6"],
        "/tls": ["libQt6Network.so.6"],
        "/libgui": ["libQt6Gui.so.6"],
    }
    kept, dropped = contents.thinned(entries, lambda path: needs.get(path, []))
    assert {path for _, path, kind in dropped if kind != "SYMLINK"} == {"/tls", "/libnet"}
    assert ("libXau.so.6", "/xau", "BINARY") in kept
    links = [("libQt6Network.so.6", "lib/libQt6Network.so.6", "SYMLINK"), entries[6]]
    assert contents.wanted_data(links, kept) == [entries[6]]


def test_icons_hold_the_drawing_in_every_size(tmp_path: Path, qtbot: QtBot) -> None:
    icons = load("icons")
    icons.write_icons(SVG, tmp_path, "headroom")
    picture = QImage(str(tmp_path / "headroom.png"))
    assert (picture.width(), picture.height()) == (256, 256)
    colours = {picture.pixel(x, y) for x in range(0, 256, 8) for y in range(0, 256, 8)}
    assert len(colours) > 1
    for name, largest in (("headroom.ico", 256), ("headroom.icns", 512)):
        assert QImage(str(tmp_path / name)).width() in (16, 32, 48, 64, 128, 256, 512), name
        assert largest in icons.SIZES
    ico = (tmp_path / "headroom.ico").read_bytes()
    _, kind, count = struct.unpack_from("<HHH", ico)
    assert (kind, count) == (1, 6)
    for at in range(count):
        length, offset = struct.unpack_from("<II", ico, 6 + 16 * at + 8)
        data = QImage.fromData(ico[offset : offset + length])
        assert data.width() % 256 == ico[6 + 16 * at]


@pytest.mark.qt_log_ignore("Cannot open file")
def test_no_drawing_is_said(tmp_path: Path, qtbot: QtBot) -> None:
    with pytest.raises(ValueError, match=r"b\.svg: not an SVG drawing"):
        load("icons").png(tmp_path / "b.svg", 16)


def test_recipe_is_valid_python() -> None:
    tree = ast.parse((FOLDER / "headroom.spec").read_text(encoding="utf-8"))
    called = {
        n.func.id
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    assert {"Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE"} <= called


def test_windows_version_resource_reads_as_one_expression(contents: ModuleType) -> None:
    tree = ast.parse(contents.version_resource().strip(), mode="eval")
    numbers = [
        ast.literal_eval(keyword.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "filevers"
    ]
    assert numbers == [tuple(int(n) for n in [*contents.version().split("."), "0"])]


def test_every_system_gets_the_same_document_type(contents: ModuleType) -> None:
    plist = plistlib.loads(plistlib.dumps(contents.info_plist()))
    declared = plist["UTExportedTypeDeclarations"][0]["UTTypeTagSpecification"]
    handled = plist["CFBundleDocumentTypes"][0]["LSItemContentTypes"]
    assert declared["public.filename-extension"] == ["headroom"]
    assert declared["public.mime-type"] == [contents.MIME_TYPE]
    assert handled == [plist["UTExportedTypeDeclarations"][0]["UTTypeIdentifier"]]

    mime = ET.parse(FOLDER / "linux" / "headroom-mime.xml").getroot()
    assert [kind.get("type") for kind in mime] == [contents.MIME_TYPE]
    assert [glob.get("pattern") for glob in mime.iter(f"{MIME}glob")] == ["*.headroom"]

    marks = [m for m in mime.iter(f"{MIME}match") if m.get("offset") == "68"]
    assert [int(mark.get("value", ""), 16) for mark in marks] == [APPLICATION_ID]

    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read(FOLDER / "linux" / "headroom.desktop", encoding="utf-8")
    assert desktop["Desktop Entry"]["MimeType"] == contents.MIME_TYPE + ";"

    script = (FOLDER / "windows" / "associate.bat").read_bytes().decode("ascii")
    assert contents.MIME_TYPE in script
    assert script.count("\r\n") == script.count("\n")
    # A folder called R&D would end the command, were its name put in before the line is read.
    assert script.count("%~dp0") == 1
    assert 'set "HERE=%~dp0"' in script
    installer = (FOLDER / "windows" / "headroom.iss").read_text(encoding="utf-8")
    assert f'"{contents.MIME_TYPE}"' in installer
    assert "Headroom.Project" in script
    assert installer.count("Headroom.Project") == script.count("Headroom.Project") - 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a script for Linux desktops")
@pytest.mark.parametrize("name", ["a bundle", "R&D | 100% $PATH `x`"])
def test_desktop_files_install_and_leave_nothing(tmp_path: Path, name: str) -> None:
    bundle, home = tmp_path / name, tmp_path / "home"
    bundle.mkdir()
    home.mkdir()
    for path in (FOLDER / "linux").iterdir():
        (bundle / path.name).write_bytes(path.read_bytes())
    for file in ("headroom", "headroom.png"):
        (bundle / file).write_bytes(b"")
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    command = ["sh", str(bundle / "install-for-me.sh")]
    subprocess.run(command, env=environ, check=True, capture_output=True)
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(home / ".local/share/applications/headroom.desktop", encoding="utf-8")
    # As the specification reads it: escapes of any text, then those in quotes, then fields.
    command_line = entry["Desktop Entry"]["Exec"].replace("\\\\", "\\")
    quoted, _, field = command_line.rpartition(" ")
    assert re.sub(r"\\(.)", r"\1", quoted).replace("%%", "%") == f'"{bundle}/headroom"'
    assert field == "%f"
    assert (home / ".local/bin/headroom").resolve() == bundle / "headroom"
    assert (home / ".local/share/mime/packages/headroom-mime.xml").exists()

    subprocess.run([*command, "--remove"], env=environ, check=True, capture_output=True)
    assert not [path for path in home.rglob("headroom*") if path.is_file() or path.is_symlink()]


def test_libraries_of_the_system_and_unused_languages_stay_out(contents: ModuleType) -> None:
    out = ("libstdc++.so.6", "libglib-2.0.so.0", "PySide6/Qt/translations/qtbase_fr.qm")
    assert not [name for name in out if contents.is_wanted(name)]
    kept = ("libxcb-cursor.so.0", "libzstd.so.1", "PySide6/Qt/translations/qtbase_de.qm")
    assert all(contents.is_wanted(name) for name in kept)


def icu_table(names: Sequence[str]) -> bytes:
    """A table as ICU's, each item of which says its name."""
    header = bytearray(32)
    header[0:4], header[12:16] = b"\x20\x00\xda\x27", b"CmnD"
    items = {f"icudt73l/{name}": name.encode() * 3 for name in names}
    table: bytes = load("icu").table_of(bytes(header), items)
    return table


def test_icu_keeps_sorting_in_our_languages() -> None:
    kept = ("coll/de.res", "coll/en_US.res", "coll/root.res", "coll/ucadata.icu", "nfc.nrm")
    out = (
        "coll/fr.res",
        "coll/zh_Hant.res",
        "euc-jp-2007.cnv",
        "brkitr/cjdict.dict",
        "rbnf/de.res",
    )
    thin = load("icu").thinned(icu_table([*out, *kept]))
    _, items = load("icu").items_of(thin)
    assert list(items) == [f"icudt73l/{name}" for name in sorted(kept)]
    for name, item in items.items():
        assert item.rstrip(b"\0").decode() == name.removeprefix("icudt73l/") * 3
    with pytest.raises(ValueError, match="no table"):
        load("icu").items_of(b"\x7fELF" + bytes(60))


@pytest.mark.skipif(shutil.which("ld") is None, reason="needs binutils")
def test_icu_is_written_as_the_same_library(tmp_path: Path) -> None:
    whole, thin = tmp_path / "libicudata.so.73", tmp_path / "thin"
    thin.mkdir()
    content = icu_table(["coll/de.res", *(f"coll/fr_{place}.res" for place in range(9))])
    load("icu").link("icudt73_dat", content, whole)
    written = load("icu").write_thin(str(whole), thin)
    assert written == thin / whole.name
    symbol, data = load("icu").symbol_of(written)
    assert (symbol, data) == ("icudt73_dat", load("icu").thinned(content))
    assert load("bundle").is_loadable(written)


@pytest.mark.parametrize("offset", ["0x1000", "0x1800"])
def test_a_library_whose_segments_moved_is_found(
    monkeypatch: pytest.MonkeyPatch, offset: str
) -> None:
    line = f"  LOAD           {offset} 0x0000000000005000 0x5000 0x10 0x10 RW  0x1000"
    done = subprocess.CompletedProcess[str]([], 0, f"Program Headers:\n{line}\n")
    bundle = load("bundle")
    monkeypatch.setattr(bundle.subprocess, "run", lambda *_, **__: done)
    assert bundle.is_loadable(Path("lib.so")) is (offset == "0x1000")


@pytest.mark.slow
def test_bundle_is_built_and_passes_its_self_test() -> None:
    done = subprocess.run(
        [sys.executable, "packaging/bundle.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "self-test passed" in done.stdout
