"""Install the packages in dist/ in a bare Debian 12 and 13, use them, remove them.

`make package-check`, as root, with debootstrap and a mirror of Debian's. Each release is laid once
into build/bare (`--again`: anew) and copied for the check. As somebody without rights: the window
with the example (a picture goes to dist/), a proposal, the self-test; then all that was installed
is gone again. The AppImage runs there after the .deb, on the libraries that it asks for.
"""

from __future__ import annotations

import argparse
import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from contents import ROOT, version

SUITES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
BARE = ROOT / "build" / "bare"
DIST = ROOT / "dist"
DISPLAY = ":77"
WINDOW_S = 180
QUESTIONS = "DEBIAN_FRONTEND=noninteractive"
# What a desktop has anyway, and a bare system hasn't: a screen and what reads the entries.
DESKTOP = ("xvfb", "shared-mime-info", "desktop-file-utils")
CHANGES_ANYWAY = ("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", "/home", "/tmp")
FAMILIAR_COLOURS = 64
"""A window that is painted has more colours than an empty screen or a frame."""


class CheckFailed(Exception):
    """A sentence that says what a package did wrong."""


class Bare:
    """A bare system in a folder, with /proc and /dev of this one."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def call(self, script: str, user: str = "root") -> subprocess.Popen[str]:
        """Start a script of the shell in there."""
        home = "/root" if user == "root" else f"/home/{user}"
        command = ["chroot", f"--userspec={user}", str(self.root), "env", "-i", f"HOME={home}"]
        words = ("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", f"DISPLAY={DISPLAY}")
        return subprocess.Popen(
            [*command, *words, QUESTIONS, "sh", "-euc", f"cd; {script}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, script: str, user: str = "root") -> str:
        """Run a script of the shell to its end; what it says.

        Raises: CheckFailed: it failed.
        """
        process = self.call(script, user)
        said, _ = process.communicate()
        if process.returncode:
            raise CheckFailed(f"{script}: exit status {process.returncode}\n{said}")
        return said

    def files(self) -> set[str]:
        """All that lies in there, without what apt writes down for itself."""
        said = self.run("find / -xdev -not -path '/proc/*' -not -path '/dev/*'")
        return {line for line in said.splitlines() if not line.startswith(CHANGES_ANYWAY)}


def bootstrap(suite: str, again: bool) -> Path:
    """The folder of a bare release, laid there if it isn't yet."""
    folder = BARE / suite
    if again:
        shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        part = BARE / f"{suite}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        command = ["debootstrap", "--variant=minbase", suite, str(part)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        part.rename(folder)
    return folder


@contextmanager
def bare_system(suite: str, again: bool) -> Iterator[Bare]:
    """A copy of the bare release to be used up."""
    root = BARE / f"{suite}-used"
    mounts = (("proc", root / "proc"), ("dev", root / "dev"))
    subprocess.run(["cp", "-a", "--reflink=auto", bootstrap(suite, again), root], check=True)
    try:
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        subprocess.run(["mount", "-t", "proc", "proc", str(mounts[0][1])], check=True)
        subprocess.run(["mount", "--rbind", "/dev", str(mounts[1][1])], check=True)
        subprocess.run(["mount", "--make-rslave", str(mounts[1][1])], check=True)
        yield Bare(root)
    finally:
        for _, place in reversed(mounts):
            subprocess.run(["umount", "-R", "-l", str(place)], check=False, capture_output=True)
        if not any(os.path.ismount(place) for _, place in mounts):
            shutil.rmtree(root, ignore_errors=True)


# ---------------------------------------------------------------------------- the screen


def shown(screen: bytes) -> tuple[bytes, int, int, int]:
    """Pixels, width, height and bytes of a line of an X server's screen, as it lies in its file.

    The format is that of xwd (X11/XWDFile.h): words with the high byte first, colours, pixels.
    """
    words = struct.unpack_from(">25I", screen)
    start, width, height, line, colours = words[0], words[4], words[5], words[12], words[19]
    first = start + 12 * colours
    return screen[first : first + line * height], width, height, line


def picture_of(bare: Bare, target: Path) -> None:
    """Write the screen to a picture as soon as a window is painted and rests.

    Raises: CheckFailed: it stayed empty.
    """
    from PySide6.QtGui import QImage

    before = b""
    for _ in range(WINDOW_S // 3):
        time.sleep(3)
        pixels, width, height, line = shown((bare.root / "tmp" / "Xvfb_screen0").read_bytes())
        colours = {pixels[at : at + 4] for at in range(0, len(pixels), 4)}
        if pixels == before and len(colours) > FAMILIAR_COLOURS:
            image = QImage(pixels, width, height, line, QImage.Format.Format_RGB32)
            image.save(str(target))
            return
        before = pixels
    raise CheckFailed("no window was shown")


def used(bare: Bare, program: str, picture: Path) -> list[str]:
    """Use the program as somebody would: window, example, proposal, self-test; what came of it."""
    screen = bare.call(f"exec Xvfb {DISPLAY} -screen 0 1366x768x24 -fbdir /tmp -nolisten tcp")
    try:
        said = bare.run(f"{program} --version", "tester").strip()
        window = bare.call(f"exec {program} --demo", "tester")
        try:
            picture_of(bare, picture)
        finally:
            window.terminate()
            window.communicate(timeout=60)
        bare.run(f"rm -rf made; {program} examples --copy-to made", "tester")
        bare.run(f"{program} report made/wv21-migration.json -o made/a.pdf", "tester")
        proposal = (bare.root / "home/tester/made/a.pdf").read_bytes()
        if not proposal.startswith(b"%PDF-"):
            raise CheckFailed("the proposal is no PDF")
        tried = bare.run(f"{program} --self-test", "tester").strip().splitlines()
    finally:
        screen.terminate()
        screen.communicate()
    size = len(proposal)
    return [said, f"window: {picture.name}", f"example and proposal: {size:,} bytes", *tried]


def check_desktop(bare: Bare) -> str:
    """Whether a desktop would find the program and know its files."""
    bare.run("desktop-file-validate /usr/share/applications/headroom.desktop")
    for line, place in (
        ("application/x-headroom:\\*.headroom", "/usr/share/mime/globs2"),
        ("application/x-headroom=headroom.desktop", "/usr/share/applications/mimeinfo.cache"),
    ):
        bare.run(f"grep -q '{line}' {place}")
    bare.run("test -s /usr/share/icons/hicolor/256x256/apps/headroom.png")
    return "desktop entry, icon and kind of file: known"


def check(suite: str, deb: Path, appimage: Path, again: bool) -> None:
    """Install, use and remove both packages in one release."""
    with bare_system(suite, again) as bare:
        for package in (deb, appimage):
            shutil.copy(package, bare.root / "tmp" / package.name)
        bare.run("apt-get -q update; useradd -m tester")
        bare.run(f"apt-get -qy install --no-install-recommends {' '.join(DESKTOP)}")
        before = bare.files()
        bare.run(f"apt-get -qy install --no-install-recommends /tmp/{deb.name}")
        lines = [check_desktop(bare), *used(bare, "headroom", DIST / f"window-{suite}.png")]
        print("\n  ".join((f"{SUITES[suite]}: {deb.name}", *lines)), flush=True)

        bare.run("apt-get -qy purge headroom")
        picture = DIST / f"window-{suite}-appimage.png"
        lines = used(bare, f"/tmp/{appimage.name}", picture)
        print("\n  ".join((f"{SUITES[suite]}: {appimage.name}", *lines)), flush=True)

        bare.run("apt-get -qy autoremove --purge")
        rest = sorted(bare.files() - before)
        if rest:
            raise CheckFailed(f"left behind: {', '.join(rest[:20])}")
        if left := list((bare.root / "tmp").glob(".mount_*")):
            raise CheckFailed(f"the AppImage left {left[0].name} behind")
        print(f"{SUITES[suite]}: removed without rest", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Check every release that was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("suites", nargs="*", default=list(SUITES), metavar="SUITE")
    parser.add_argument("--again", action="store_true", help="lay the bare systems anew")
    wish = parser.parse_args(argv)
    debs = sorted(DIST.glob(f"headroom_{version()}_*.deb"))
    appimages = sorted(DIST.glob(f"Headroom-{version()}-*.AppImage"))
    if not debs or not appimages or os.geteuid() or shutil.which("debootstrap") is None:
        print("package-check: needs `make package`, root and debootstrap", file=sys.stderr)
        return 2
    try:
        for suite in wish.suites:
            check(suite, debs[0], appimages[0], wish.again)
    except (CheckFailed, subprocess.SubprocessError, OSError) as problem:
        print(f"package-check: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
