"""``registry``: scores of several projects, added up without names."""

from __future__ import annotations

from collections.abc import Sequence

from app.cli_file import given, json_text, refusing, write_changed
from app.render.terminal import sections_text
from db.atomic import check_writable, write_atomically
from db.errors import StoreError
from db.files import ending_of
from db.plain import told
from db.registry import read_scored, registry_to_json
from models.against.registry import added_up, changes, taken
from models.base.texts import joined, say
from models.tell.registry import registry_sections
from models.version import MODEL_VERSION

FACTOR = ("value", "low", "high")


def registry_of_files(
    files: Sequence[str], output: str | None, site: str | None, take: str | None, *, as_json: bool
) -> str:
    """What ``registry`` prints; writes the registry to `output`, and the scenario of `site` with
    what would change to `take`.

    Raises:
        StoreError: a file can't be read or written, or nothing can be taken.
    """
    if (site is None) != (take is None):
        raise StoreError(say("needs both --site and --take"), site or take or "")
    for file in filter(None, (output, take)):
        check_writable(file)
    if take is not None:
        ending_of(take)
    projects = added_up([each for file in files for each in read_scored(file)])
    found = changes(projects, MODEL_VERSION)
    of = None if site is None else given(site, None)
    if of is not None and take is not None:
        with refusing(of.path):
            changed = taken(of.scenario, found)
        write_changed(of, changed, take)
    if output is not None:
        write_atomically(output, json_text(registry_to_json(projects), 1).encode())
    if as_json:
        return json_text(
            {
                "model_version": MODEL_VERSION,
                "projects": len(projects),
                "of_other_versions": sum(e.model_version != MODEL_VERSION for e in projects),
                "changes": [
                    {
                        "load_basis": each.ground.load_basis.value,
                        "benchmark_derating": each.ground.benchmark_derating,
                        "projects": each.projects,
                        "servers": each.servers,
                        "quantities": [
                            told(shift, "quantity", "servers", "weight_pct")
                            | {
                                "before": told(shift.before, *FACTOR),
                                "after": told(shift.after, *FACTOR),
                            }
                            for shift in each.shifts
                        ],
                    }
                    for each in found
                ],
            }
        )
    written = [say("wrote {file}", file=file) for file in (output, take) if file is not None]
    text = sections_text(registry_sections(projects, found, MODEL_VERSION))
    return joined("\n", (text, *written, "")) if written else text
