"""Simulated trainings agree with the formulas where these hold, and with what was published."""

from __future__ import annotations

import msgspec
import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.node_failure_rate import LOW
from neuron_cluster.checkpoints.assessment import Assessment, assess
from neuron_cluster.checkpoints.distribution import spread_of
from neuron_cluster.checkpoints.search import smallest_of_each_tier
from neuron_cluster.checkpoints.simulation import DAY, SimulatedRun, simulate
from neuron_cluster.checkpoints.spec import BucketRetention, CheckpointSpec, SaveMode

from .specs import spec_with

CATALOG = load_catalog()


def _assessed(spec: CheckpointSpec) -> Assessment:
    return smallest_of_each_tier(
        spec, CATALOG.lustre_deployments["PERSISTENT_2"], CATALOG.lustre_performances["PERSISTENT_2"]
    )[0]


def _runs(spec: CheckpointSpec, days: float, count: int = 40) -> list[SimulatedRun]:
    assessment = _assessed(spec)
    return [simulate(spec, assessment, days, seed) for seed in range(count)]


def _lost_share(spec: CheckpointSpec, days: float, count: int = 40) -> float:
    return spread_of(_runs(spec, days, count), lambda run: run.lost).mean / (days * DAY)


@pytest.mark.parametrize("nodes", [16, 64])
def test_the_loss_is_that_of_young_and_daly_for_short_stalls(nodes: int) -> None:
    spec = spec_with(nodes=nodes)
    assert _lost_share(spec, 60) == pytest.approx(_assessed(spec).lost.total, rel=0.06)


def test_the_interval_of_young_is_the_best_of_several() -> None:
    spec = spec_with(nodes=128)
    young = _assessed(spec).young
    shares = {
        factor: _lost_share(msgspec.structs.replace(spec, interval=young * factor), 60, 6)
        for factor in (0.25, 0.5, 1, 2, 4)
    }
    assert min(shares, key=lambda factor: shares[factor]) == 1


def test_an_interruption_rate_that_was_published_gives_its_interruptions() -> None:
    """Llama 3.1 405B: 16,384 accelerators in 2,000 instances, 54 days, 419 unexpected interruptions."""
    rate = CATALOG.node_failure_rates[LOW].per_hour
    spec = spec_with(parameters=405e9, nodes=2000, failures_per_hour=rate)
    failures = spread_of(_runs(spec, 54, 12), lambda run: run.failures)
    assert failures.low <= 419 <= failures.high
    assert failures.mean == pytest.approx(419, rel=0.05)


def test_a_late_mark_loses_an_interval_more() -> None:
    changes = {"mode": SaveMode.ASYNC, "interval": 3600.0, "nodes": 64}
    dcp, nxd = (spec_with(layout=CATALOG.checkpoint_layouts[name], **changes) for name in ("dcp", "nxd"))
    of_dcp, of_nxd = (spread_of(_runs(spec, 60, 12), lambda run: run.repeated).mean for spec in (dcp, nxd))
    assert of_nxd / of_dcp == pytest.approx(
        _assessed(nxd).process_lost.usual / _assessed(dcp).process_lost.usual, rel=0.1
    )


def test_an_export_slower_than_the_checkpoints_queues_up() -> None:
    spec = spec_with(mode=SaveMode.ASYNC, interval=1800.0, bucket=BucketRetention(None, 3), failures_per_hour=1e-9)
    assessment = _assessed(spec)
    assert assessment.export is not None
    assert assessment.export > assessment.interval
    lags = [simulate(spec, assessment, days, 1).worst_export_lag for days in (5, 10)]
    assert lags[1] == pytest.approx(2 * lags[0], rel=0.1)


def test_a_closing_save_is_what_is_left_at_the_end_of_a_block() -> None:
    spec = spec_with(failures_per_hour=1e-9, interval=7200.0)
    assessment = assess(spec, _assessed(spec).file_system)
    without, closed = (simulate(spec, assessment, 7, 1, closing) for closing in (None, 600.0))
    assert without.lost_at_end > 600
    assert closed.lost_at_end <= 600


def test_a_closing_save_counts_although_the_framework_marks_late() -> None:
    changes = {"mode": SaveMode.ASYNC, "interval": 7200.0, "failures_per_hour": 1e-9}
    spec = spec_with(layout=CATALOG.checkpoint_layouts["nxd"], **changes)
    assessment = _assessed(spec)
    without, closed = (simulate(spec, assessment, 7, 1, closing) for closing in (None, 3600.0))
    assert assessment.write < 3600
    assert without.lost_at_end > 7200
    assert closed.lost_at_end <= 3600


def test_saves_go_on_after_an_early_closing_save() -> None:
    spec = spec_with(nodes=128, failures_per_hour=0.001)
    assessment = _assessed(spec)
    worst = max(simulate(spec, assessment, 1, seed, DAY / 2).worst_recovery_point for seed in range(6))
    assert 0 < worst <= assessment.process_lost.worst


def test_a_seed_gives_the_same_run() -> None:
    spec = spec_with()
    assert simulate(spec, _assessed(spec), 30, 7) == simulate(spec, _assessed(spec), 30, 7)
    assert simulate(spec, _assessed(spec), 30, 7) != simulate(spec, _assessed(spec), 30, 8)
