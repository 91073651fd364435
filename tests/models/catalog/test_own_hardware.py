"""A server made from a processor with published results."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.base.errors import ModelError
from models.catalog.catalog import Catalog, Platform, Role, Server
from models.catalog.own_hardware import custom_server, measured_nearest
from resources.catalog_files import dump_catalog, load_processors, parse_catalog

E5 = load_processors()["intel-xeon-e5-2650-v4"]


def made(**changes: object) -> Server:
    values: dict[str, object] = {"name": "R999", "processor": E5, "sockets": 2}
    return custom_server(**{**values, **changes})  # type: ignore[arg-type]


def test_the_machine_that_was_measured() -> None:
    server = made()
    assert (server.id, server.name, server.model) == ("own-r999", "R999, 2 × E5-2650 v4", "R999")
    assert (server.cores, server.threads, server.base_mhz) == (24, 48, 2200.0)
    assert (server.spec_rate, server.provenance.assumed) == (105.0, ())
    assert (server.role, server.platform) == (Role.PURCHASE, Platform.NONE)
    assert (server.provenance.confidence, server.max_ram_gib, server.year) == ("own", None, None)
    assert server.provenance.source == (
        f"own entry; SPEC rate of Intel Xeon E5-2650 v4: {E5.provenance.source}"
    )


@pytest.mark.parametrize(("sockets", "rate"), [(1, 52.5), (4, 210.0), (8, 420.0)])
def test_other_numbers_of_sockets_are_an_assumption(sockets: int, rate: float) -> None:
    server = made(sockets=sockets)
    assert server.spec_rate == pytest.approx(rate)
    assert server.provenance.assumed == ("spec_rate",)
    assert f"for {sockets}" in server.provenance.note


def test_no_result_is_no_data() -> None:
    server = made(processor=replace(E5, spec_rate=None), sockets=4)
    assert server.spec_rate is None
    assert server.provenance.assumed == ()
    assert "no SPEC rate" in server.provenance.source


def test_what_the_processor_assumes_stays_assumed() -> None:
    server = made(processor=load_processors()["intel-xeon-mp-3-66-ghz-4s"], sockets=4)
    assert set(server.provenance.assumed) == {
        "spec_rate",
        "hardware_virtualisation",
        "nested_paging",
    }


def test_the_result_on_as_many_chips_is_taken() -> None:
    results = [p for p in load_processors().values() if p.name == "Intel Xeon E7420"]
    assert {p.chips for p in results} == {2, 4}
    assert [measured_nearest(results, sockets).chips for sockets in (1, 2, 3, 4, 8)] == [
        2,
        2,
        2,
        4,
        4,
    ]


def test_ids_are_never_taken_twice() -> None:
    assert made(taken={"own-r999", "own-r999-2"}).id == "own-r999-3"


def test_the_entry_can_be_written_and_read() -> None:
    server = made(sockets=4, max_ram_gib=512.0, nics=4, nic_gbps=10.0, year=2016)
    text = dump_catalog(Catalog(servers={server.id: server}))
    assert dict(parse_catalog(text, "own.toml").servers) == {server.id: server}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "  "),
        ("name", "two\nlines"),
        ("sockets", 0),
        ("sockets", 257),
        ("max_ram_gib", 0.0),
        ("nics", 0),
        ("nic_gbps", -1.0),
        ("year", 1066),
    ],
)
def test_what_can_not_be_is_refused(field: str, value: object) -> None:
    with pytest.raises(ModelError) as caught:
        made(**{field: value})
    assert caught.value.field == field
