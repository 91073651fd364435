"""Any valid scenario has a proposal in every form: names in any script, nothing placed, no data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings

from app.calibrated import shipped_calibration
from app.language import language_of
from app.report.build import FORMS, Print, report
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.scenario.scenario import Scenario
from resources.catalog_files import load_catalog
from tests.db.strategies import scenarios

BEGINS = {".pdf": b"%PDF-", ".html": b"<!doctype html>"}


def with_catalog(scenario: Scenario, catalog: Catalog) -> Scenario:
    """The scenario on machines that the catalog has, which it is by the length of its ids."""

    def one(entries: Mapping[str, object], id: str) -> str:
        return list(entries)[len(id) % len(entries)]

    hosts = tuple(
        replace(
            host,
            server=one(catalog.servers, host.server),
            hypervisor=one(catalog.hypervisors, host.hypervisor),
        )
        for host in scenario.hosts
    )
    pools = tuple(
        replace(
            pool,
            array=one(catalog.arrays, pool.array),
            disk=one(catalog.disks, pool.disk),
            raid=one(catalog.raid_levels, pool.raid),
        )
        for pool in scenario.pools
    )
    return replace(scenario, hosts=hosts, pools=pools)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenario=scenarios())
def test_any_scenario_has_a_proposal_in_every_form(scenario: Scenario) -> None:
    catalog = load_catalog()
    scenario = with_catalog(scenario, catalog)
    try:
        prediction = evaluate(scenario, Knowledge(catalog, shipped_calibration()))
    except ModelError:
        return
    how = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("de"))
    for ending in FORMS:
        content = report([(scenario, prediction)], catalog, ending, how).content
        assert content.startswith(BEGINS.get(ending, b"PK")), ending
