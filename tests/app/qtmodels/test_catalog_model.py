"""The catalog as a list: Qt's own tester, the sections, the search, what is dragged."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.mime import CatalogItem, CatalogKind, catalog_item
from app.qtmodels.catalog_model import ROW_ROLE, CatalogModel
from models.catalog.catalog import Catalog
from resources.catalog_files import load_catalog


def test_qt_finds_no_fault(qtbot: QtBot) -> None:
    model = CatalogModel(load_catalog())
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for kind in CatalogKind:
        model.set_kind(kind)
    model.set_search("dell 2021")
    model.set_search("")
    model.set_catalog(Catalog())
    assert model.rowCount() == 0
    tester.deleteLater()
    model.deleteLater()


def test_each_section_has_its_own(qtbot: QtBot) -> None:
    catalog = load_catalog()
    model = CatalogModel(catalog)
    counts = {}
    for kind in CatalogKind:
        model.set_kind(kind)
        counts[kind] = model.rowCount()
    assert counts[CatalogKind.SERVER] == len(catalog.servers)
    assert counts[CatalogKind.ARRAY] == len(catalog.arrays)
    assert counts[CatalogKind.HYPERVISOR] == len(catalog.hypervisors)
    model.deleteLater()


def test_a_search_goes_through_all_sections(qtbot: QtBot) -> None:
    model = CatalogModel(load_catalog())
    model.set_search("netapp")
    rows = [model.data(model.index(n), ROW_ROLE) for n in range(model.rowCount())]
    assert rows
    assert all(row.item.kind is CatalogKind.ARRAY for row in rows)
    model.deleteLater()


def test_reference_systems_are_named_as_such(qtbot: QtBot) -> None:
    model = CatalogModel(load_catalog())
    index = model.index_of(CatalogItem(CatalogKind.SERVER, "intel-clovertown-whitebox"))
    assert "not for purchase" in model.data(index, Qt.ItemDataRole.ToolTipRole)
    spoken = model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith("reference system")
    model.deleteLater()


def test_what_is_dragged_is_the_row(qtbot: QtBot) -> None:
    model = CatalogModel(load_catalog())
    item = CatalogItem(CatalogKind.SERVER, "nehalem-ept")
    index = model.index_of(item)
    assert model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    assert catalog_item(model.mimeData([index])) == item
    model.deleteLater()
