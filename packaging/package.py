"""Build what a desktop of Linux installs from dist/headroom (`make package`): a .deb, an AppImage.

Both hold the same folder, and what makes a desktop know the program: entry, icons, kind of file.
The same commit gives the same bytes: all times are that of the commit.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import bundle
import contents
from contents import ROOT

HERE = ROOT / "packaging"
LINUX = HERE / "linux"
OUT = ROOT / "dist"
INSTALLED = "usr/lib/headroom"
# Opened by name while the program runs, so that no table of a library says so.
ALSO_NEEDED = ("xkb-data",)
RUNTIME_LIBRARIES = ("squashfuse_ll", "squashfuse", "fuse3", "zstd", "lzma", "z")


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Call a tool; what it says."""
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, text=True, check=True).stdout


# ---------------------------------------------------------------------------- what both hold


def stage(folder: Path) -> None:
    """Lay the bundle and what a desktop reads into a folder as they lie below `/`."""
    beside = {path.name for path in LINUX.iterdir()} | {"headroom.png"}
    shutil.copytree(
        bundle.DIST,
        folder / INSTALLED,
        symlinks=True,
        ignore=lambda where, names: beside & set(names) if Path(where) == bundle.DIST else set(),
    )
    (folder / "usr/bin").mkdir(parents=True)
    (folder / "usr/bin/headroom").symlink_to("../lib/headroom/headroom")
    share, icons = folder / "usr/share", folder / "usr/share/icons/hicolor"
    icon, drawn = ROOT / "resources" / "icons" / "headroom.svg", bundle.DRAWN / "headroom.png"
    for source, target in (
        (LINUX / "headroom.desktop", share / "applications/headroom.desktop"),
        (LINUX / "headroom-mime.xml", share / "mime/packages/headroom.xml"),
        (icon, icons / "scalable/apps/headroom.svg"),
        (icon, icons / "scalable/mimetypes/application-x-headroom.svg"),
        (drawn, icons / "256x256/apps/headroom.png"),
        (drawn, icons / "256x256/mimetypes/application-x-headroom.png"),
    ):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def settle(folder: Path, seconds: int) -> None:
    """Give all files one time and the rights that everybody's programs have."""
    for path in sorted([folder, *folder.rglob("*")]):
        if not path.is_symlink():
            runs = path.is_dir() or os.access(path, os.X_OK)
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (seconds, seconds), follow_symlinks=False)


# ---------------------------------------------------------------------------- the .deb


def machine() -> str:
    """Debian's word for this kind of processor: `amd64`."""
    return run("dpkg", "--print-architecture").strip()


def native_files(folder: Path) -> Iterator[Path]:
    """The programs and libraries in a folder, by the first bytes of their files."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def depends(folder: Path) -> str:
    """The Debian packages of the libraries that the bundle takes from the system.

    Of the two that all programs are linked to, at least the version of the machine that builds.
    """
    files = list(native_files(folder))
    inside = {path.name for path in files}
    wanted = {name for path in files for name in bundle.needed(str(path))} - inside
    found = run("dpkg", "-S", *sorted(f"*/{name}" for name in wanted))
    owners = {line.split(":")[0] for line in found.splitlines()}
    for name in ("libc6", "libstdc++6"):
        version = run("dpkg-query", "-W", "-f", "${source:Upstream-Version}", f"{name}:{machine()}")
        owners = owners - {name} | {f"{name} (>= {version})"}
    return ", ".join(sorted({*owners, *ALSO_NEEDED}))


def control_of(folder: Path, size_kb: int) -> str:
    """The fields of the package."""
    return f"""Package: headroom
Version: {contents.version()}
Section: misc
Priority: optional
Architecture: {machine()}
Maintainer: The Headroom authors <headroom@localhost>
Installed-Size: {size_kb}
Depends: {depends(folder / INSTALLED)}
Recommends: shared-mime-info, desktop-file-utils
Description: sizing and what-if studies of Domino and Sametime
 Sizes servers, virtual machines and ESX hosts for Domino and Sametime, shows
 what happens if something fails or grows, and writes the proposal. Every
 number says where it comes from. Needs no network.
"""


def build_deb(seconds: int) -> Path:
    """Build the .deb; its path."""
    target = OUT / f"headroom_{contents.version()}_{machine()}.deb"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "deb"
        stage(folder)
        doc = folder / "usr/share/doc/headroom"
        doc.mkdir(parents=True)
        shutil.copy(ROOT / "LICENSE", doc / "copyright")
        changes = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0)
        (doc / "changelog.gz").write_bytes(changes)
        files = [p for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink()]
        sums = [
            f"{hashlib.md5(p.read_bytes()).hexdigest()}  {p.relative_to(folder)}" for p in files
        ]
        size_kb = sum(-(-path.stat().st_size // 1024) for path in files)
        control = control_of(folder, size_kb)
        about = folder / "DEBIAN"
        about.mkdir()
        (about / "control").write_text(control, encoding="utf-8")
        (about / "md5sums").write_text("\n".join(sums) + "\n", encoding="utf-8")
        settle(folder, seconds)
        os.environ["SOURCE_DATE_EPOCH"] = str(seconds)
        run("dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", folder, target)
    return target


# ---------------------------------------------------------------------------- the AppImage


def build_runtime(target: Path) -> None:
    """Compile what starts an AppImage (appimage/runtime.c), by gcc from Debian's libraries."""
    libraries = [f"-l{name}" for name in RUNTIME_LIBRARIES]
    run("gcc", "-Os", "-static", "-s", "-o", target, HERE / "appimage" / "runtime.c", *libraries)


def build_appimage(seconds: int) -> Path:
    """Build the AppImage; its path."""
    kind = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine(), machine())
    target = OUT / f"Headroom-{contents.version()}-{kind}.AppImage"
    with tempfile.TemporaryDirectory() as name:
        folder, image, runtime = (Path(name) / each for each in ("AppDir", "image", "runtime"))
        stage(folder)
        for link, place in (
            ("AppRun", "usr/bin/headroom"),
            ("headroom.desktop", "usr/share/applications/headroom.desktop"),
            ("headroom.png", "usr/share/icons/hicolor/256x256/apps/headroom.png"),
            (".DirIcon", "headroom.png"),
        ):
            (folder / link).symlink_to(place)
        settle(folder, seconds)
        os.environ["SOURCE_DATE_EPOCH"] = str(seconds)
        packed = ("-comp", "zstd", "-Xcompression-level", "19", "-b", "256K")
        run(
            "mksquashfs", folder, image, *packed, "-all-root", "-noappend", "-no-progress", "-quiet"
        )
        build_runtime(runtime)
        started = bytearray(runtime.read_bytes())
        started[8:11] = b"AI\x02"  # the mark of an AppImage of the second kind
        target.write_bytes(bytes(started) + image.read_bytes())
    target.chmod(0o755)
    return target


def main(argv: Sequence[str] | None = None) -> int:
    """Build the bundle and both packages of it; say their sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--no-bundle", action="store_true", help="take dist/headroom as it is")
    wish = parser.parse_args(argv)
    if not sys.platform.startswith("linux"):
        print("package: for Windows and macOS see docs/packaging.md", file=sys.stderr)
        return 2
    seconds = bundle.commit_time()
    os.environ["SOURCE_DATE_EPOCH"] = str(seconds)
    if not wish.no_bundle and (status := bundle.main([])):
        return status
    try:
        for path in (build_deb(seconds), build_appimage(seconds)):
            print(f"package: {path.relative_to(ROOT)}, {path.stat().st_size / 1e6:.1f} MB")
    except (subprocess.CalledProcessError, OSError) as problem:
        print(f"package: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
