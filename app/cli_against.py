"""``validate --against``: the accuracy table for somebody's own servers."""

from __future__ import annotations

import json

from app.calibrated import shipped_calibration
from app.cli_file import json_text, refusing
from app.render.terminal import sections_text
from db.atomic import write_atomically
from db.own_servers import own_servers_schema, read_own_servers, template_text
from db.plain import each_told
from models.against.errors import against
from models.scenario.scenario import LoadBasis
from models.tell.against import against_sections
from models.version import MODEL_VERSION
from resources.catalog_files import load_catalog, load_processors


def against_file(path: str, *, basis: str, as_json: bool) -> str:
    """What ``validate --against`` prints.

    Raises:
        StoreError: the file can't be read, or a row says what can't be.
    """
    table = read_own_servers(path)
    with refusing(path):
        found = against(
            table.servers,
            LoadBasis(basis),
            load_catalog(),
            load_processors(),
            shipped_calibration(),
        )
    if not as_json:
        return sections_text(against_sections(found, table.not_read))
    return json_text(
        {
            "model_version": MODEL_VERSION,
            "basis": found.basis.value,
            "accuracy": [each.to_data() for each in found.accuracy],
            "points": each_told(
                found.points,
                *("family", "quantity", "split", "evidence", "measured", "predicted"),
                *("low", "high", "inside=is_inside"),
            ),
            "not_predicted": each_told(
                found.not_predicted, "server", "quantity", "measured", "why"
            ),
            "not_read": list(table.not_read),
        }
    )


def schema_text() -> str:
    """The JSON Schema of what ``--against`` reads."""
    return json.dumps(own_servers_schema(), indent=2, ensure_ascii=False) + "\n"


def write_template(output: str) -> None:
    """Writes the table to fill in.

    Raises:
        StoreError: it can't be written.
    """
    write_atomically(output, template_text().encode("utf-8-sig"))
