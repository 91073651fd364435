"""What goes into the bundle and what stays out: read by headroom.spec and by its tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("app", "db", "models", "resources")
NAME = "Headroom"
IDENTIFIER = "org.headroom.Headroom"
DOCUMENT_TYPE = "org.headroom.project"
MIME_TYPE = "application/x-headroom"
LANGUAGES = ("de", "en")

# (name in the bundle, path on disk, kind), as PyInstaller lists its files.
Entry = tuple[str, str, str]

# Big or useless in the program; some are reached only from parts of libraries that it never calls.
UNWANTED_MODULES = (
    *("IPython", "OpenGL", "PIL", "cupy", "h5py", "matplotlib", "numba", "pandas", "scipy"),
    *("_pytest", "hypothesis", "mypy", "pytest", "pytestqt"),
    *("distutils", "ensurepip", "idlelib", "lib2to3", "pip", "pydoc_data", "setuptools"),
    # No network: no TLS. hashlib has its own SHA-2 without OpenSSL.
    *("_hashlib", "_ssl", "curses", "readline", "ssl"),
    *("tkinter", "turtle", "turtledemo", "venv"),
    # Text in Chinese, Japanese and Korean code pages is not read.
    *("_codecs_cn", "_codecs_hk", "_codecs_iso2022", "_codecs_jp", "_codecs_kr", "_codecs_tw"),
    *("numpy.fft", "numpy.f2py", "numpy.distutils", "pyqtgraph.examples", "pyqtgraph.opengl"),
    # python-docx needs lxml.etree alone; msgspec would read YAML where PyYAML is.
    *("lxml.builder", "lxml.cssselect", "lxml.html", "lxml.isoschematron", "lxml.objectify"),
    *("lxml.sax", "yaml"),
)

# Qt's plugins: the kinds that a program of widgets needs, and of some kinds only these files.
PLUGIN_KINDS = (
    *("iconengines", "imageformats", "platforminputcontexts", "platforms", "platformthemes"),
    *("styles", "wayland-decoration-client", "wayland-shell-integration"),
)
PLUGIN_FILES = {
    "imageformats": {"qico", "qjpeg", "qsvg", "qicns"},
    "platforminputcontexts": {
        "composeplatforminputcontextplugin",
        "ibusplatforminputcontextplugin",
    },
    "platforms": {"qcocoa", "qminimal", "qoffscreen", "qwayland", "qwindows", "qxcb"},
    # GTK's own theme plugin would pull half of GTK in from the machine that builds.
    "platformthemes": {"qxdgdesktopportal"},
}
TRANSLATIONS = tuple(f"qtbase_{language}." for language in LANGUAGES)
# Every desktop has these: a copy would be a second one, older than the system's own, and what the
# system loads into the program (drivers, input methods) needs the newer. The .deb names them.
OF_THE_SYSTEM = re.compile(
    r"lib(stdc\+\+|gcc_s|X11|X11-xcb|fontconfig|freetype|expat|dbus-1|glib-2\.0|gthread-2\.0|z)\.so"
)
# Qt's for QML and for building with it; pictures of pyqtgraph's examples; a second, unpacked form
# of the document that python-docx begins with; schemas of a part of lxml that is not there.
_UNUSED_DATA = re.compile(
    r"PySide6/(Qt/)?(qml|metatypes|resources|libexec)/|pyqtgraph/icons/peegee/"
    r"|docx/templates/default-docx-template/|lxml/isoschematron/"
)


def version() -> str:
    """The version, from its one place."""
    text = (ROOT / "app" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__(?:: \w+)? = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise ValueError('app/__init__.py: no line __version__ = "..."')
    return found[1]


def own_files(root: Path = ROOT) -> Iterator[Path]:
    """Every file of the four folders that is no code and no leftover: resources, SQL, templates."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            parts = path.relative_to(root).parts
            hidden = any(part.startswith((".", "__pycache__")) for part in parts)
            if path.is_file() and not hidden and path.suffix not in (".py", ".pyc"):
                yield path


def own_data() -> list[tuple[str, str]]:
    """(file, folder in the bundle) of `own_files`, in the places that importlib.resources asks."""
    own = [(str(path), str(path.parent.relative_to(ROOT))) for path in own_files()]
    return own + list(handbook())


def handbook(site: Path = ROOT / "out" / "site") -> Iterator[tuple[str, str]]:
    """The same of the handbook, where `make docs` has built it."""
    for path in sorted(site.rglob("*")):
        if path.is_file():
            yield str(path), str(Path("help") / path.parent.relative_to(site))


def own_modules() -> list[str]:
    """Every module of the four folders, so that imports by name work frozen too."""
    paths = sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py"))
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in paths)
    return [".".join(p[:-1] if p[-1] == "__init__" else p) for p in parts]


def used_qt_modules() -> set[str]:
    """The modules of Qt that the program names somewhere, and those that pyqtgraph imports.

    OpenGL is named in what takes its place (app/widgets/plots/flat.py), and isn't imported.
    """
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py"))
    named = {name for text in texts for name in re.findall(r"PySide6\.(Qt\w+)", text)}
    return (named | {"QtCore", "QtGui", "QtWidgets", "QtSvg"}) - {"QtOpenGL", "QtOpenGLWidgets"}


def unwanted_qt_modules() -> list[str]:
    """The installed modules of Qt that the program never names."""
    import PySide6

    stems = {path.name.split(".")[0] for path in Path(PySide6.__path__[0]).glob("Qt*.*")}
    return sorted(f"PySide6.{stem}" for stem in stems - used_qt_modules() - {"Qt"})


# ---------------------------------------------------------------------------- thinning


def plugin(name: str) -> tuple[str, str] | None:
    """Kind and bare file name of a Qt plugin, by its place in the bundle; None for others."""
    parts = PurePath(name.replace("\\", "/")).parts
    if "plugins" not in parts or parts.index("plugins") + 2 >= len(parts):
        return None
    at = parts.index("plugins")
    return parts[at + 1], parts[-1].split(".")[0].removeprefix("lib")


def is_wanted(name: str) -> bool:
    """Whether a file belongs in the bundle, judged by its place alone."""
    place = name.replace("\\", "/")
    found = plugin(place)
    if found is not None:
        kind, stem = found
        return kind in PLUGIN_KINDS and stem in PLUGIN_FILES.get(kind, {stem})
    if "PySide6/" in place and "/translations/" in place:
        return PurePath(place).name.startswith(TRANSLATIONS)
    return not (OF_THE_SYSTEM.match(PurePath(place).name) or _UNUSED_DATA.search(place))


def thinned(
    entries: Iterable[Entry], needs: Callable[[str], Iterable[str]]
) -> tuple[list[Entry], list[Entry]]:
    """Divide native files into those that are reached and the rest.

    Reached is an extension module, a wanted plugin, Python itself, and whatever one of these
    `needs` (file -> names of the libraries that it is linked to).
    """
    kept = [entry for entry in entries if is_wanted(entry[0])]
    by_name: dict[str, list[Entry]] = {}
    for entry in kept:
        by_name.setdefault(PurePath(entry[0].replace("\\", "/")).name.lower(), []).append(entry)
    todo = [entry for entry in kept if _is_root(entry)]
    reached = set(todo)
    while todo:
        for needed in needs(todo.pop()[1]):
            for entry in by_name.get(PurePath(needed.replace("\\", "/")).name.lower(), []):
                if entry not in reached:
                    reached.add(entry)
                    todo.append(entry)
    return [e for e in kept if e in reached], [e for e in entries if e not in reached]


def wanted_data(entries: Iterable[Entry], native: Iterable[Entry]) -> list[Entry]:
    """Data files without what is not wanted and without links to libraries that were dropped."""
    there = {PurePath(name.replace("\\", "/")).name for name, _, _ in native}
    return [
        entry
        for entry in entries
        if is_wanted(entry[0]) and (entry[2] != "SYMLINK" or PurePath(entry[1]).name in there)
    ]


def _is_root(entry: Entry) -> bool:
    name, _, kind = entry
    stem = PurePath(name.replace("\\", "/")).name.lower()
    return (
        kind == "EXTENSION"
        or plugin(name) is not None
        or stem.startswith(("libpython", "python3", "vcruntime", "msvcp", "ucrtbase", "api-ms"))
        or stem == "python"
        # On Windows Qt opens these by name.
        or stem in ("opengl32sw.dll", "d3dcompiler_47.dll")
    )


# ---------------------------------------------------------------------------- each system's words


def version_resource() -> str:
    """Windows' version resource, in the form that PyInstaller reads. Not tried on Windows."""
    numbers = ", ".join([*version().split("."), "0", "0", "0"][:4])
    strings = {
        "CompanyName": f"The {NAME} authors",
        "FileDescription": f"{NAME}: sizing and what-if studies",
        "FileVersion": version(),
        "InternalName": NAME.lower(),
        "LegalCopyright": f"Copyright 2026 The {NAME} authors. MIT licence.",
        "OriginalFilename": f"{NAME.lower()}.exe",
        "ProductName": NAME,
        "ProductVersion": version(),
    }
    lines = ",\n        ".join(f"StringStruct({k!r}, {v!r})" for k, v in strings.items())
    return f"""VSVersionInfo(
  ffi=FixedFileInfo(filevers=({numbers}), prodvers=({numbers}), mask=0x3F, flags=0x0,
    OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable('040904B0', [
        {lines}])]),
    VarFileInfo([VarStruct('Translation', [1033, 1200])])
  ]
)
"""


def info_plist() -> dict[str, object]:
    """macOS' Info.plist: who we are, and that .headroom files are ours. Not tried on macOS."""
    return {
        "CFBundleDisplayName": NAME,
        "CFBundleShortVersionString": version(),
        "CFBundleVersion": version(),
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,
        "NSHumanReadableCopyright": f"Copyright 2026 The {NAME} authors",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": f"{NAME} project",
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [DOCUMENT_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": DOCUMENT_TYPE,
                "UTTypeDescription": f"{NAME} project",
                "UTTypeConformsTo": ["public.data", "public.content"],
                "UTTypeTagSpecification": {
                    "public.filename-extension": ["headroom"],
                    "public.mime-type": [MIME_TYPE],
                },
            }
        ],
    }
