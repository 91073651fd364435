"""A file of every form that the importers read."""

from __future__ import annotations

import gzip
import zipfile
from io import BytesIO
from pathlib import Path

from tests.db.importers.estates import GERMAN, as_csv, as_xlsx, estate
from tests.db.importers.inventories import LETTER, LIVE_OPTICS, MARKDOWN, NUTANIX, POWERSHELL, TEXTS
from tests.db.importers.performance_files import every_kind


def sources(folder: Path) -> dict[str, bytes]:
    """One file of each form, by its kind, a blank and what sets apart several of one."""
    tabs = estate(12)[0]
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("vInfo", "vHost"):
            archive.writestr(f"RVTools_tab{name}.csv", as_csv(tabs[name], GERMAN))
    found = {
        "rvtools-xlsx": as_xlsx(tabs, folder / "a.xlsx").read_bytes(),
        "live-optics": as_xlsx(LIVE_OPTICS, folder / "b.xlsx").read_bytes(),
        "nutanix-collector": as_xlsx(NUTANIX, folder / "c.xlsx").read_bytes(),
        "rvtools-csv": as_csv(tabs["vInfo"], GERMAN),
        "rvtools-csv in a zip": packed.getvalue(),
        "vrops-csv over time": VROPS.encode(),
        "table in Markdown": MARKDOWN.encode(),
        "table in a letter": LETTER.encode(),
        "vcenter-csv of a console": POWERSHELL.encode(),
    }
    found |= {kind: text.encode() for kind, (text, _) in TEXTS.items()} | every_kind(folder)
    return found | {"sar in a gz": gzip.compress(found["sar"])}


VROPS = (
    "timestamp,resName,cpuDemand,cpuReady\n"
    "2026-11-24 09:00:00,a,10.5,\n2026-11-24 09:05:00,a,12.5,0.1\n2026-11-24 09:05:00,b,1,0.1\n"
)
