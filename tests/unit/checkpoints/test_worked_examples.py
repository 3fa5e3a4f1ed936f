"""Twelve cases that were computed by hand, each from its own numbers."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.node_failure_rate import HIGH, LOW
from neuron_cluster.checkpoints import arithmetic
from neuron_cluster.checkpoints.assessment import Shortfall, assess
from neuron_cluster.checkpoints.file_system import FileSystem
from neuron_cluster.checkpoints.monthly_cost import cost_lines, total
from neuron_cluster.checkpoints.search import cheapest, smallest_of_each_tier
from neuron_cluster.checkpoints.spec import BucketRetention, CheckpointSpec, SaveMode

from .specs import spec_with

CATALOG = load_catalog()

SEVENTY_B = 840e9
"""Bytes of a checkpoint of 70 billion parameters."""
REGION = "us-east-2"


def _file_system(capacity_gib: int, tier: int) -> FileSystem:
    performance = CATALOG.lustre_performances["PERSISTENT_2"]
    return FileSystem(deployment_type="PERSISTENT_2", capacity_gib=capacity_gib, tier=tier, performance=performance)


def _smallest(spec: CheckpointSpec) -> dict[int, tuple[int, float | None]]:
    """Returns the capacity and its USD a month, by tier."""
    found = smallest_of_each_tier(
        spec, CATALOG.lustre_deployments["PERSISTENT_2"], CATALOG.lustre_performances["PERSISTENT_2"]
    )
    lines = {each.file_system: cost_lines(spec, each, CATALOG.storage_prices.by_name, REGION)[:1] for each in found}
    return {each.tier: (each.capacity_gib, total(lines[each])) for each in lines}


def _chosen(spec: CheckpointSpec) -> str:
    found = smallest_of_each_tier(
        spec, CATALOG.lustre_deployments["PERSISTENT_2"], CATALOG.lustre_performances["PERSISTENT_2"]
    )
    best = cheapest(found, CATALOG.storage_prices.by_name, REGION)
    return str(best.file_system) if best is not None else "none"


def test_a_eight_billion_parameters_on_the_smallest_file_system() -> None:
    spec = spec_with(parameters=8.03e9, nodes=4)
    assert spec.size == pytest.approx(96.4e9, rel=1e-3)
    found = assess(spec, _file_system(1200, 125))
    assert found.file_system.write_throughput == pytest.approx(146.5e6, rel=1e-3)
    assert found.write == pytest.approx(658, abs=1)
    assert found.burst_write == pytest.approx(164, abs=1)


def test_b_high_tiers_win_when_throughput_is_the_limit() -> None:
    spec = spec_with()
    assert spec.size == SEVENTY_B
    expected = {125: (115_200, 16_704), 250: (57_600, 12_096), 500: (28_800, 9_792), 1000: (14_400, 8_640)}
    assert [_smallest(spec)[tier] == pytest.approx(row) for tier, row in expected.items()] == [True] * len(expected)
    assert _chosen(spec) == "14,400 GiB PERSISTENT_2 at 1000 MB/s per TiB"


def test_c_an_asynchronous_save_needs_a_twelfth() -> None:
    spec = spec_with(mode=SaveMode.ASYNC, interval=1800.0)
    slow, fast = assess(spec, _file_system(4800, 125)), assess(spec, _file_system(4800, 250))
    assert slow.needed_capacity_gib == pytest.approx(3_912, abs=1)
    assert (slow.write / 60, fast.write / 60) == pytest.approx((24, 12), abs=0.5)
    assert _smallest(spec)[125] == pytest.approx((4800, 696))
    assert _smallest(spec)[250] == pytest.approx((4800, 1_008))
    assert _chosen(spec) == "4,800 GiB PERSISTENT_2 at 125 MB/s per TiB"


def test_d_capacity_is_the_limit_of_405_billion_parameters() -> None:
    spec = spec_with(parameters=405e9, mode=SaveMode.ASYNC, interval=1800.0)
    assert spec.size / 1800 == pytest.approx(2.7e9, rel=1e-2)
    assert _file_system(24_000, 125).write_throughput == pytest.approx(2_930e6, rel=1e-3)
    assert _smallest(spec)[125] == pytest.approx((24_000, 3_480))


def test_e_a_file_for_each_tensor_makes_metadata_the_limit() -> None:
    xser = spec_with(layout=CATALOG.checkpoint_layouts["nxd_xser"])
    state = CATALOG.checkpoint_states["adamw-bf16_with_fp32_weights"]
    assert xser.files == 165_888 + 20_992
    assert xser.size / xser.files == pytest.approx(4.5e6, rel=1e-2)
    assert spec_with(layout=CATALOG.checkpoint_layouts["nxd_xser"], state=state).files == 268_800
    seconds = [assess(xser, _file_system(size, 250)).creates for size in (1200, 4800, 12_000)]
    assert seconds == pytest.approx([62, 16, 8], abs=1)
    assert CATALOG.storage_prices["s3-put"].usd(xser.files / 1000, "us-east-1") == pytest.approx(0.93, abs=0.01)
    hourly = xser.files / 1000 * arithmetic.saves_per_month(3600.0)
    assert CATALOG.storage_prices["s3-put"].usd(hourly, "us-east-1") == pytest.approx(673, abs=1)
    assert spec_with().files == 1025


def test_f_export_lags_by_bytes_or_by_files() -> None:
    spec = spec_with(layout=CATALOG.checkpoint_layouts["nxd_xser"], bucket=BucketRetention(None, 30))
    found = assess(spec, _file_system(4800, 250))
    assert found.export == pytest.approx(956, abs=1)
    assert arithmetic.export_seconds(0, spec.files, 1, 875) == pytest.approx(214, abs=1)
    assert arithmetic.export_seconds(0, spec.files, 1, 213) == pytest.approx(877, abs=1)
    assert found.zone_lost is not None
    assert found.zone_lost.worst == pytest.approx(found.process_lost.worst + 956, abs=1)


@pytest.mark.parametrize(
    ("days", "live", "terabytes", "usd"), [(30, 0, 605, 13_264), (3, 0, 60.5, 1_382), (1, 3, 20.2, 522)]
)
def test_g_old_versions_cost_more_than_the_checkpoints(days: int, live: int, terabytes: float, usd: float) -> None:
    deleted = arithmetic.rotated_bytes(SEVENTY_B, 3600.0, days)
    assert deleted / 1e12 == pytest.approx(terabytes, rel=1e-2)
    gigabytes = (deleted + live * SEVENTY_B) / arithmetic.GB
    assert CATALOG.storage_prices["s3-standard"].usd(gigabytes, "us-east-1") == pytest.approx(usd, abs=1)


def test_g_without_versions_three_checkpoints_cost_58_usd() -> None:
    assert CATALOG.storage_prices["s3-standard"].usd(3 * SEVENTY_B / arithmetic.GB, "us-east-1") == pytest.approx(
        58, abs=0.1
    )


@pytest.mark.parametrize(("nodes", "minutes"), [(4, 274), (16, 137), (32, 97), (64, 68), (128, 48)])
def test_h_intervals_after_young(nodes: int, minutes: float) -> None:
    mtbf = arithmetic.mean_time_between_failures(nodes, 0.0004)
    assert arithmetic.young_interval(60, mtbf) / 60 == pytest.approx(minutes, abs=0.6)
    assert arithmetic.young_interval(15, mtbf) == pytest.approx(arithmetic.young_interval(60, mtbf) / 2)


def test_h_loss_and_band_of_failure_rates() -> None:
    def lost(nodes: int) -> float:
        mtbf = arithmetic.mean_time_between_failures(nodes, 0.0004)
        return arithmetic.lost_shares(60, arithmetic.young_interval(60, mtbf), mtbf, 0).total

    assert (lost(32), lost(128)) == pytest.approx((0.021, 0.041), abs=5e-4)
    band = [
        arithmetic.young_interval(
            60, arithmetic.mean_time_between_failures(32, CATALOG.node_failure_rates[name].per_hour)
        )
        for name in (LOW, HIGH)
    ]
    assert [seconds / 60 for seconds in band] == pytest.approx([153, 80], abs=1)


def test_i_a_restore_reads_at_the_rate_of_the_file_system() -> None:
    spec = spec_with(parameters=847e9 / 12)
    found = assess(spec, _file_system(4800, 250))
    assert found.restore == pytest.approx(723, abs=1)
    assert found.burst_write == pytest.approx(361, abs=1)


def test_j_an_asynchronous_save_stages_in_host_memory() -> None:
    spec = spec_with(mode=SaveMode.ASYNC)
    assert spec.size / spec.nodes == pytest.approx(26e9, rel=2e-2)
    assert spec.staging_gib == pytest.approx(2 * SEVENTY_B / 32 / 2**30)
    row = CATALOG.instance_types.get("trn1.32xlarge")
    assert row is not None
    assert row.memory_gib == 512


def test_j_a_training_of_nxd_and_its_copies_reach_482_gb_of_a_node() -> None:
    spec = spec_with(mode=SaveMode.ASYNC, layout=CATALOG.checkpoint_layouts["nxd"])
    assert spec.async_memory_gib * 2**30 / 1e9 == pytest.approx(482, abs=1)
    assert Shortfall.HOST_MEMORY not in assess(spec, _file_system(4800, 250)).shortfalls
    of_fewer_nodes = spec_with(mode=SaveMode.ASYNC, layout=CATALOG.checkpoint_layouts["nxd"], nodes=12)
    assert of_fewer_nodes.staging_gib < 512
    assert Shortfall.HOST_MEMORY in assess(of_fewer_nodes, _file_system(4800, 250)).shortfalls


def test_k_objects_of_a_bucket_without_a_file_system() -> None:
    requests = arithmetic.upload_requests(SEVENTY_B, 1024, 64 * 2**20)
    assert requests == 15_360
    prices = CATALOG.storage_prices
    assert prices["s3-put"].usd(requests / 1000, "us-east-1") == pytest.approx(0.08, abs=0.004)
    assert prices["s3-put"].usd(requests / 1000 * 720, "us-east-1") == pytest.approx(55, abs=0.5)
    assert prices["s3-express-upload"].usd(840 * 720, "us-east-1") == pytest.approx(1_935, abs=1)
    assert prices["s3-express"].usd(2 * 840, "us-east-1") == pytest.approx(185, abs=0.3)


def test_l_writes_to_s3_files_are_billed_by_size() -> None:
    xser = spec_with(layout=CATALOG.checkpoint_layouts["nxd_xser"])
    assert arithmetic.export_seconds(SEVENTY_B, 1, 2_700e6, 800) == pytest.approx(311, abs=1)
    assert arithmetic.export_seconds(1, xser.files, 2_700e6, 800) == pytest.approx(234, abs=1)
    assert CATALOG.storage_prices["s3-files-write"].usd(840, "us-east-1") == pytest.approx(50, abs=0.5)
