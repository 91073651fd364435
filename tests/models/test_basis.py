"""Whose load is predicted, which end of it is judged, and how far it is carried."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from db.prediction import prediction_to_json
from models.base.quantities import Basis, judged_end
from models.judgement.gauges import gauges
from models.predict.prediction import Prediction, Verdict
from models.scenario.scenario import LoadBasis, MeasuredOn, Policy, Posture, Profile, Scenario
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import a_host, a_pool, a_scenario, a_vm, predict, with_policy

PRODUCTION = {"load_basis": LoadBasis.PRODUCTION}


def a_server(
    server: str = "r740-6148", hypervisor: str = "none", release: str = "9.0.1", **fields: Any
) -> Scenario:
    """One server with much room."""
    return a_scenario(
        vms=(a_vm(release=release, **{"vcpus": 16, "ram_gib": 64.0, **fields}),),
        hosts=(a_host(server=server, hypervisor=hypervisor, ram_gib=256.0),),
        pools=(a_pool(spindles=120),),
    )


def cores(prediction: Prediction, vcpus: float = 16.0) -> np.ndarray:
    cpu = prediction.vms.cpu_pct[0]
    return np.array([cpu.value, cpu.low, cpu.high]) * vcpus / 100.0


class TestProduction:
    @pytest.mark.parametrize(
        ("users", "owners", "mean", "hour"), [(92.0, 408.0, 0.62, 1.33), (206.0, 902.0, 1.21, 1.50)]
    )
    def test_field_servers_lie_inside(
        self, users: float, owners: float, mean: float, hour: float
    ) -> None:
        base = a_server(users=users, registered_users=owners)
        _, low, high = cores(predict(with_policy(base, **PRODUCTION)))
        assert low < mean < hour < high
        assert cores(predict(base))[2] < mean

    def test_makers_size_lies_inside_at_its_limit(self) -> None:
        found = predict(with_policy(a_server(users=350.0, registered_users=1000.0), **PRODUCTION))
        _, low, high = cores(found) / 0.7
        assert low < 4.0 < high

    def test_derating_is_not_used(self) -> None:
        base = with_policy(a_server(registered_users=2500.0), **PRODUCTION)
        derated = with_policy(base, benchmark_derating=5.0)
        assert cores(predict(base)).tolist() == cores(predict(derated)).tolist()

    @pytest.mark.parametrize("profile", Profile)
    def test_it_grows_with_users_and_costs_more_than_the_benchmark(self, profile: Profile) -> None:
        found = []
        for owners in (1000.0, 2000.0, 4000.0):
            base = a_server(users=300.0, registered_users=owners, profile=profile)
            prediction = predict(with_policy(base, **PRODUCTION))
            found.append((*cores(prediction), prediction.vms.iops[0].value))
        assert (np.diff(found, axis=0) > 0).all()
        assert found[0][0] > cores(predict(a_server(users=300.0)))[0]

    def test_registered_users_that_nobody_gave_count_as_if_they_had_been_given(self) -> None:
        given = predict(with_policy(a_server(users=350.0, registered_users=1000.0), **PRODUCTION))
        assumed = predict(with_policy(a_server(users=350.0), **PRODUCTION))
        assert cores(assumed) == pytest.approx(cores(given))
        assert [f.rule for f in assumed.findings].count("production-registered") == 1

    def test_no_number_of_it_is_measured(self) -> None:
        block = a_scenario(vms=(a_vm(users=4000.0),), policy=Policy(benchmark_derating=1.0))
        assert predict(block).vms.cpu_pct[0].basis is Basis.MEASURED
        produced = predict(with_policy(block, **PRODUCTION)).vms
        assert Basis.MEASURED not in {produced.cpu_pct[0].basis, produced.iops[0].basis}

    def test_the_sentence_names_basis_posture_and_cure(self) -> None:
        said = predict(with_policy(a_server(), **PRODUCTION, posture=Posture.STANDARD)).sentence
        assert "Load of production" in said
        assert "80th percentiles (standard)" in said
        assert "measure one server" in said
        assert "the benchmark’s part of the load" in predict(a_server()).sentence


class TestPosture:
    def test_ends_are_quantiles_of_a_log_normal_law(self) -> None:
        value, high = np.array([100.0]), np.array([100.0 * math.exp(1.6449)])
        ends = [float(judged_end(value, high, p.share)[0]) for p in Posture]
        assert ends == pytest.approx([high[0], 100.0 * math.exp(0.8416), 100.0])

    def test_a_bolder_posture_is_never_worse(self) -> None:
        """From the high end over the 80th percentile to the value, everywhere it is judged."""
        verdicts, dials = [], []
        for posture in Posture:
            scenario = with_policy(
                a_scenario(vms=(a_vm(users=5500.0),)), posture=posture, cpu_limit_pct=50.0
            )
            prediction = predict(scenario)
            verdicts.append(prediction.verdict)
            (cpu, *_) = gauges(scenario, prediction)
            dials.append(cpu.high_to_judge or 0.0)
        assert verdicts == sorted(verdicts, reverse=True)
        assert verdicts[0] > verdicts[-1] or dials[0] > dials[-1]
        assert dials == sorted(dials, reverse=True)

    def test_numbers_and_intervals_stay(self) -> None:
        base = a_scenario(vms=(a_vm(users=5500.0),))
        careful, bold = (predict(with_policy(base, posture=p)) for p in list(Posture)[::2])
        for name in ("cpu_pct", "iops", "response_ms"):
            one, other = getattr(careful.vms, name)[0], getattr(bold.vms, name)[0]
            assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
            assert other.high_to_judge == other.value


class TestDistance:
    def test_a_number_is_wider_the_farther_it_is_carried(self) -> None:
        widths = []
        for server, hypervisor, release in (
            ("nehalem-ept", "vsphere-4.0", "8.5.1"),
            ("neh-x5550", "vsphere-4.1", "8.5.3"),
            ("r760-6530", "vsphere-8.0", "12.0"),
            ("xeon6-6767p", "vsphere-8.0", "14.5"),
        ):
            base = a_server(server, hypervisor, release, users=4000.0, vcpus=2, ram_gib=8.0)
            vms = predict(base).vms
            found = (vms.cpu_pct[0], vms.response_ms[0])
            widths.append([math.log((q.high or 0.0) / (q.value or 1.0)) for q in found])
        assert (np.diff(widths, axis=0) > 0).all()

    def test_json_counts_what_is_carried_and_the_verdict_wears_a_badge(self) -> None:
        far = predict(a_server("r760-6530", "vsphere-8.0", "14.0"))
        assert far.badge == "measured 2009, carried 15 years"
        told = prediction_to_json(far)
        assert told["carried"] == {"years": 15, "generations": 5, "hypervisors": 4, "releases": 5}
        for quantity in (told["vms"][0]["iops"], told["hosts"][0]["cpu_pct"]):
            assert quantity["carried"] == told["carried"]
        assert "carried" not in told["hosts"][0]["ram_pct"]
        near = predict(a_scenario(vms=(a_vm(users=4000.0),)))
        assert not near.badge
        assert not any(prediction_to_json(near)["carried"].values())
        assert "carried" not in prediction_to_json(near)["vms"][0]["cpu_pct"]


class TestMeasuredLoads:
    def loads(
        self, iops: float | None, place: MeasuredOn | None, hypervisor: str, server: str
    ) -> np.ndarray:
        work = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 2000.0, "iops": iops}
        vm = a_vm("m1", 0.0, measured_on=place, vcpus=8, **work)
        host = a_host(server=server, hypervisor=hypervisor)
        return cores(predict(a_scenario(vms=(vm,), hosts=(host,))), 8.0)

    @pytest.mark.parametrize("hypervisor", ["esx-2.5", "esx-3.0.1", "esx-3.5", "vsphere-7.0"])
    @pytest.mark.parametrize("place", [None, MeasuredOn(server="r720", hypervisor="none")])
    def test_io_costs_cpu_under_esx(self, place: MeasuredOn | None, hypervisor: str) -> None:
        still, busy = (self.loads(io, place, hypervisor, "r720") for io in (0.0, 2000.0))
        assert busy[0] > still[0]
        assert busy[2] > still[2]
        assert busy[1] >= still[1] * (1 - 1e-12)

    def test_not_on_a_physical_server_nor_twice(self) -> None:
        for hypervisor, place in (
            ("none", MeasuredOn(server="r720", hypervisor="none")),
            ("vsphere-7.0", MeasuredOn(server="r720", hypervisor="vsphere-6.0")),
        ):
            still, busy = (self.loads(io, place, hypervisor, "r720") for io in (0.0, 2000.0))
            assert busy.tolist() == still.tolist()

    def test_it_is_carried_by_spec_rate_and_exact_where_it_was_measured(self) -> None:
        place = MeasuredOn(server="r720", hypervisor="vsphere-5.5")
        here = self.loads(0.0, place, "vsphere-5.5", "r720")
        assert here == pytest.approx([2000.0 / 2600.0] * 3)
        today = self.loads(0.0, place, "vsphere-8.0", "r760-6530")
        assert today[0] < here[0] / 1.5
        assert today[2] / today[0] > 1.4

    def test_a_file_without_it_is_plain_mhz_with_an_interval(self) -> None:
        value, low, high = self.loads(None, None, "none", "r720")
        assert value == pytest.approx(2000.0 / 2600.0)
        assert high / value == pytest.approx(math.exp(0.5))
        assert value / low == pytest.approx(math.exp(0.5))


def test_a_design_with_twice_the_room_still_fits_in_production() -> None:
    base = a_server("r760-6530", "vsphere-8.0", "14.0", users=350.0, registered_users=1000.0)
    usual = with_policy(base, **PRODUCTION, posture=Posture.STANDARD)
    assert predict(replace(usual)).verdict is Verdict.FITS


def test_without_any_host_nothing_is_known() -> None:
    """Neither other work nor a measured load has a machine to stand on."""
    work: dict[str, Any] = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 500.0, "iops": 50.0}
    vms = (a_vm("m1", host=None), a_vm("m2", 0.0, host=None, **work))
    found = predict(with_policy(a_scenario(hosts=(), vms=vms), **PRODUCTION))
    assert [found.vms.cpu_pct[row].value for row in range(2)] == [None, None]
