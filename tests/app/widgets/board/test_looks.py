"""What cards are coloured by and how tall they stand: told by pattern and words as well."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.session import Session
from app.theme import LIGHT, THEMES, Theme
from app.widgets.board.arrange import VM_COMPACT, VM_TALL, layout_board
from app.widgets.board.bar import FAILURE, LIMIT, Banner
from app.widgets.board.face_meters import percent_meter
from app.widgets.board.signs import draw_stripe
from app.widgets.board.sizes import card_sizes, size_classes
from app.widgets.board.tints import (
    NO_PARTNERS,
    NOWHERE,
    PATTERNS,
    RISKS,
    ColourBy,
    Pattern,
    Tint,
    domino_clusters,
    key,
    tints,
)
from app.widgets.board.view import BoardView
from app.widgets.meters import alike
from models.base.quantities import Basis, Quantity
from models.predict.prediction import Verdict
from models.scenario.scenario import Cluster, Host, Scenario, Vm
from models.scenario.wording import ENGLISH, THIN
from resources.catalog_files import load_catalog
from tests.app import samples
from tests.app.contrast import contrast
from tests.app.widgets.board.boards import settle

CATALOG = load_catalog()


def tinted(scenario: Scenario, by: ColourBy) -> dict[str, Tint]:
    return tints(scenario, samples.prediction(scenario), by)


def with_partners(scenario: Scenario, **partners: tuple[str, ...]) -> Scenario:
    for id, others in partners.items():
        scenario = scenario.edit(Vm, id, lambda vm, o=others: replace(vm, cluster_partners=o))  # type: ignore[misc]
    return scenario


class TestTints:
    def test_by_workload_the_icons_tell_it(self) -> None:
        assert tinted(samples.scenario(), ColourBy.WORKLOAD) == {}

    def test_by_risk(self) -> None:
        scenario = samples.scenario()
        prediction, found = samples.prediction(scenario), tinted(scenario, ColourBy.RISK)
        for row, vm in enumerate(scenario.vms):
            assert found[vm.id] == RISKS[prediction.vms.verdict_of(row)]

    def test_what_is_off_is_no_risk_that_is_known(self) -> None:
        scenario = samples.scenario().edit(Vm, "m1", lambda vm: replace(vm, powered_on=False))
        assert tinted(scenario, ColourBy.RISK)["m1"].words == "no data"

    def test_by_cluster(self) -> None:
        scenario = samples.scenario().edit(Host, "h3", lambda host: replace(host, cluster=None))
        found = tinted(scenario, ColourBy.CLUSTER)
        assert found["m1"].words == "Mail"
        assert found["m3"].words == "stand-alone"
        assert found["m8"].words == NOWHERE

    def test_by_domino_cluster(self) -> None:
        scenario = with_partners(samples.scenario(), m1=("m2",), m4=("m2",), m5=("m6",))
        assert domino_clusters(scenario) == (("m1", "m2", "m4"), ("m5", "m6"))
        found = tinted(scenario, ColourBy.DOMINO)
        assert found["m1"] == found["m2"] == found["m4"] != found["m5"]
        assert found["m1"].words == "with Mail-01"
        assert found["m3"].words == NO_PARTNERS

    def test_many_clusters_are_all_told_apart(self) -> None:
        count = 30
        scenario = replace(
            samples.scenario(hosts=count, vms=count, unplaced=0),
            clusters=tuple(Cluster(id=f"c{n}", name=f"C{n}") for n in range(count)),
        )
        for n, host in enumerate(scenario.hosts):
            scenario = scenario.edit(Host, host.id, lambda h, n=n: replace(h, cluster=f"c{n}"))  # type: ignore[misc]
        looks = {
            (tint.colour, tint.pattern) for tint in tinted(scenario, ColourBy.CLUSTER).values()
        }
        assert len(looks) == count

    def test_neighbours_differ_in_grey_too(self) -> None:
        """Every risk has a pattern of its own, and clusters next to one another have."""
        assert len({tint.pattern for tint in RISKS.values()}) == len(RISKS)
        assert len(set(PATTERNS)) == len(PATTERNS) > 1

    def test_the_key_names_each_once_and_none_last(self) -> None:
        scenario = with_partners(samples.scenario(), m2=("m3",))
        words = [tint.words for tint in key(tinted(scenario, ColourBy.DOMINO).values())]
        assert words == ["with iNotes", NO_PARTNERS] or words[-1] == NO_PARTNERS
        assert len(words) == 2

    @pytest.mark.parametrize(("one", "other"), list(combinations(Pattern, 2)))
    def test_patterns_look_different_without_colour(
        self, qapp: QApplication, one: Pattern, other: Pattern
    ) -> None:
        assert not np.array_equal(drawn(one), drawn(other))


def drawn(pattern: Pattern) -> np.ndarray:
    """A stripe in grey."""
    image = QImage(12, 40, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_stripe(painter, QRectF(2, 2, 8, 36), Tint("nrpc", pattern, ""), LIGHT, 1.0)
    painter.end()
    return np.array([[image.pixel(x, y) & 255 for x in range(12)] for y in range(40)])


@pytest.mark.parametrize("theme", list(THEMES.values()), ids=list(THEMES))
def test_words_on_tags_and_banners_are_legible(theme: Theme) -> None:
    for ground in (theme.ok, theme.bad, theme.accent, theme.warn, theme.muted):
        assert contrast(theme.on_accent, ground) >= 4.5


def test_a_name_in_the_tip_of_a_banner_is_no_markup(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    banner = Banner(window)
    banner.say("<b>esx1</b> lost")
    assert "&lt;b&gt;esx1&lt;/b&gt; lost" in banner.toolTip()
    assert banner.accessibleName() == "<b>esx1</b> lost"


def test_a_banner_claims_no_fit_that_is_not_known(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    banner = Banner(window)
    banner.resize(300, 32)
    grounds = {}
    for verdict in (None, *Verdict):
        banner.say("esx1 lost", verdict)
        grounds[verdict] = banner.grab().toImage().pixelColor(150, 3).name()
    assert grounds[None] == LIGHT.muted
    assert grounds[Verdict.NOT_KNOWN] == LIGHT.unknown
    assert len(set(grounds.values())) == 5


def test_losing_a_host_never_seems_to_lower_the_load() -> None:
    said = {(3.37, 3.4): "3.4", (5.46, 5.52): "5.5", (0.39, 0.4): "0.40", (0.37, 79.1): "79"}
    for (value, lost), shown in said.items():
        quantity = Quantity(value, value, value, Basis.INTERPOLATED)
        meter = percent_meter("CPU", quantity, 70.0, ENGLISH, failure=lost, verdict=Verdict.FITS)
        assert meter.failure_text == f"{shown}{THIN}%"
        assert float(shown) >= float(meter.text.removesuffix(f"{THIN}%"))


def test_values_with_a_host_lost_all_have_their_unit_or_none_has() -> None:
    meters = tuple(
        percent_meter(
            "RAM",
            Quantity(value, value, value, Basis.RULE),
            70.0,
            ENGLISH,
            failure=99.0,
            verdict=Verdict.FITS,
        )
        for value in (9.0, 88.4)
    )
    seen = set()
    for width in range(80, 160):
        with_unit = {each.failure_text.endswith("%") for each in alike(meters, width, 1.0)}
        assert len(with_unit) == 1
        seen |= with_unit
    assert seen == {False, True}
    assert alike(meters, 159, 1.0) == meters


class TestSizes:
    def test_the_scarcer_share_decides(self) -> None:
        ones = np.ones(4)
        shares = np.array([0.05, 0.1, 0.2, 0.5])
        assert size_classes(shares, ones, 0 * ones, ones).tolist() == [0, 1, 2, 3]
        assert size_classes(0 * ones, ones, shares, ones).tolist() == [0, 1, 2, 3]
        assert size_classes(shares, 0 * ones, shares / 10, ones).tolist() == [0, 0, 0, 0]

    def test_a_larger_vm_stands_taller(self) -> None:
        scenario = samples.scenario(hosts=2, vms=4, unplaced=0)
        scenario = scenario.edit(Vm, "m1", lambda vm: replace(vm, ram_gib=40.0))
        prediction = samples.prediction(scenario)
        heavy = np.where(np.arange(4) == 0, 40.0, 1.0)
        prediction = replace(
            prediction,
            vms=replace(
                prediction.vms, ram_gib=samples.numbers(heavy), cpu_pct=samples.numbers(heavy)
            ),
        )
        sizes = card_sizes(scenario, prediction, CATALOG)
        assert sizes == {"m1": 3}
        layout = layout_board(scenario, 900.0, sizes=sizes)
        assert layout.vms["m1"].h == VM_TALL[3]
        assert layout.vms["m2"].h == VM_TALL[0]

    def test_numbers_of_another_scenario_size_nothing(self) -> None:
        other = samples.prediction(samples.scenario(vms=3))
        assert card_sizes(samples.scenario(), other, CATALOG) == {}

    def test_low_cards_have_sizes_too(self) -> None:
        scenario = samples.scenario(hosts=2, vms=40)
        layout = layout_board(scenario, 900.0, sizes={"m1": 2})
        assert layout.vms["m1"].h == VM_COMPACT[2]


class TestLegend:
    def entries(self, board: BoardView) -> dict[str, str]:
        board.resize(1900, 900)
        return dict(board.bar.legend.entries)

    def test_it_explains_the_marks_and_the_kinds_of_work(self, board: BoardView) -> None:
        entries = self.entries(board)
        assert entries.items() >= {FAILURE, LIMIT}
        assert {"NRPC mail", "iNotes", "Sametime"} <= set(entries.values())

    def test_the_marks_stay_longest(self, board: BoardView) -> None:
        assert tuple(self.entries(board).items())[:2] == (FAILURE, LIMIT)

    def test_it_follows_the_choice(self, qtbot: QtBot, board: BoardView, session: Session) -> None:
        settle(qtbot, session)
        field = board.bar.colour
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Down)
        assert board.state.tints["m1"].words == "Mail"
        assert "Mail" in self.entries(board).values()
        board.bar.legend.grab()

    def test_where_there_is_no_room_the_words_are_in_the_tip(self, board: BoardView) -> None:
        board.resize(560, 700)
        shown = board.bar.legend.entries
        assert shown[:1] in ((), (FAILURE,))
        assert "limit" in board.bar.legend.toolTip()
