"""The monthly cost of three shipped environments, calculated by hand from the price lists: a line for each line.

The comments have the arithmetic: units x USD x 730 h, or units x USD of a month. No number comes from the catalog or
from the code under test: a price that the catalog corrects must be corrected here.
"""

from __future__ import annotations

from datetime import date

import pytest

from neuron_cluster.cost.environment_cost import monthly
from neuron_cluster.cost.model import Scenario

from .conftest import CostOf

Amounts = tuple[float, float, float]
"""USD a month: idle, desired, maximum."""
NAT = 32.85  # 0.045 x 730
ADDRESS = 3.65  # 0.005 x 730
CONTROL_PLANE = 73.00  # 0.10 x 730

TRAIN_TRN1: dict[tuple[str, str], Amounts] = {
    # 2, 2, 4 x 0.2016 x 730 h
    ("system", "m7i.xlarge"): (294.336, 294.336, 588.672),
    # 16 x 21.50 = 344 an hour; 344 x 730 h
    ("trn1", "trn1.32xlarge"): (0, 251_120.00, 251_120.00),
    # 2, 2, 4 volumes x 100 GiB x 0.08
    ("system", "gp3, GiB"): (16.00, 16.00, 32.00),
    # 16 volumes x 512 GiB = 8,192 GiB; x 0.08
    ("trn1", "gp3, GiB"): (0, 655.36, 655.36),
    # 16 volumes x (6,000 - 3,000) IOPS = 48,000; x 0.005
    ("trn1", "gp3, IOPS"): (0, 240.00, 240.00),
    # 16 volumes x (500 - 125) MiB/s = 6,000; x 0.04
    ("trn1", "gp3, MiB/s"): (0, 240.00, 240.00),
    ("control-plane", "Kubernetes 1.35, standard"): (CONTROL_PLANE,) * 3,
    ("nat-gateway", "NAT gateway"): (NAT,) * 3,
    ("public-ipv4", "public IPv4 address"): (ADDRESS,) * 3,
    # 4,800 GiB x 0.21
    ("lustre-PERSISTENT_2-250", "FSx for Lustre, 4,800 GiB PERSISTENT_2 at 250 MB/s per TiB"): (1_008.00,) * 3,
    # A checkpoint: 70,553,706,496 parameters x 12 bytes = 846.644 GB. Young: sqrt(2 x 60 s x 562,500 s) = 8,215.84 s.
    # 7 days and 3 days of deleted ones: 10 x 86,400 / 8,215.84 = 105.163 checkpoints = 89,035.45 GB,
    # of which S3 bills 82,920.72 of 2^30 bytes: 51,200 x 0.023 = 1,177.60 and 31,720.72 x 0.022 = 697.86
    ("s3-standard", "S3 Standard"): (1_875.456,) * 3,
    # 30 x 86,400 / 8,215.84 = 315.488 saves x 513 files = 161,845 requests; / 1,000 x 0.005
    ("s3-put", "S3 PUT requests"): (0.81,) * 3,
    # flow logs, data, cluster: 3 x 1.00
    ("kms-key", "customer managed key"): (3.00,) * 3,
    # 6 x 0.10
    ("cloudwatch-alarm", "CloudWatch alarm"): (0.60,) * 3,
    ("cloudwatch-dashboard", "CloudWatch dashboard"): (3.00,) * 3,
}
DEV_INF2: dict[tuple[str, str], Amounts] = {
    # 2, 2, 3 x 0.1008 x 730 h
    ("system", "m7i.large"): (147.168, 147.168, 220.752),
    # 2 x 0.7582 x 730 h
    ("inf2", "inf2.xlarge"): (0, 0, 1_106.972),
    # 2, 2, 3 volumes x 100 GiB x 0.08
    ("system", "gp3, GiB"): (16.00, 16.00, 24.00),
    # 2 volumes x 200 GiB x 0.08
    ("inf2", "gp3, GiB"): (0, 0, 32.00),
    # 2 volumes x (250 - 125) MiB/s x 0.04
    ("inf2", "gp3, MiB/s"): (0, 0, 10.00),
    ("control-plane", "Kubernetes 1.35, standard"): (CONTROL_PLANE,) * 3,
    ("nat-gateway", "NAT gateway"): (NAT,) * 3,
    ("public-ipv4", "public IPv4 address"): (ADDRESS,) * 3,
    # flow logs, cluster: 2 x 1.00
    ("kms-key", "customer managed key"): (2.00,) * 3,
}
SERVE_INF1: dict[tuple[str, str], Amounts] = {
    # 2, 2, 4 x 0.1008 x 730 h
    ("system", "m7i.large"): (147.168, 147.168, 294.336),
    # 2, 2, 6 x 0.228 x 730 h
    ("inf1", "inf1.xlarge"): (332.88, 332.88, 998.64),
    # 2, 2, 4 volumes x 100 GiB x 0.08
    ("system", "gp3, GiB"): (16.00, 16.00, 32.00),
    # 2, 2, 6 volumes x 100 GiB x 0.08
    ("inf1", "gp3, GiB"): (16.00, 16.00, 48.00),
    # 2, 2, 6 volumes x (250 - 125) MiB/s x 0.04
    ("inf1", "gp3, MiB/s"): (10.00, 10.00, 30.00),
    ("control-plane", "Kubernetes 1.34, standard"): (CONTROL_PLANE,) * 3,
    # one in each of two zones: 2 x 32.85, 2 x 3.65
    ("nat-gateway", "NAT gateway"): (65.70,) * 3,
    ("public-ipv4", "public IPv4 address"): (7.30,) * 3,
    # flow logs, cluster: 2 x 1.00
    ("kms-key", "customer managed key"): (2.00,) * 3,
}
SUMS: dict[str, Amounts] = {
    # idle: 294.336 + 16 + 73 + 32.85 + 3.65 + 1,008 + 1,875.456 + 0.81 + 3 + 0.60 + 3 = 3,310.702
    # desired: + 251,120 + 655.36 + 240 + 240; maximum: + 294.336 + 16
    "train-trn1": (3_310.702, 255_566.062, 255_876.398),
    # idle: 147.168 + 16 + 73 + 32.85 + 3.65 + 2 = 274.668; maximum: + 73.584 + 1,106.972 + 8 + 32 + 10
    "dev-inf2": (274.668, 274.668, 1_505.224),
    # idle is 147.168 + 332.88 + 16 + 16 + 10 + 73 + 65.70 + 7.30 + 2, the maximum adds 147.168 + 665.76 + 16 + 32 + 20
    "serve-inf1": (670.048, 670.048, 1_550.976),
}
BY_HAND = {"train-trn1": TRAIN_TRN1, "dev-inf2": DEV_INF2, "serve-inf1": SERVE_INF1}
HALF_A_CENT = 0.005


@pytest.mark.parametrize("environment", BY_HAND)
def test_each_line_is_what_the_price_lists_give(environment: str, cost_of: CostOf) -> None:
    lines = cost_of(environment).lines
    found = {(line.name, line.what): tuple(line.monthly(each) for each in Scenario) for line in lines}
    assert found.keys() == BY_HAND[environment].keys()
    for line, amounts in BY_HAND[environment].items():
        assert found[line] == pytest.approx(amounts, abs=HALF_A_CENT), line


@pytest.mark.parametrize("environment", BY_HAND)
def test_the_sums_are_those_of_the_lines(environment: str, cost_of: CostOf) -> None:
    cost = cost_of(environment)
    sums = tuple(monthly(cost.lines, each).exact for each in Scenario)
    assert sums == pytest.approx(SUMS[environment], abs=0.01)


def test_after_the_end_of_standard_support_the_control_plane_costs_six_times_as_much(cost_of: CostOf) -> None:
    on = date(2027, 1, 1)
    [line] = [line for line in cost_of("serve-inf1", on=on).lines if line.name == "control-plane"]
    assert line.what == "Kubernetes 1.34, extended"
    assert line.monthly(Scenario.DESIRED) == pytest.approx(438.00)  # 0.60 x 730
    before = cost_of("serve-inf1").extended_support
    assert before is not None
    assert (before.on, before.extended_since, before.usd_hour) == (date(2026, 12, 2), date(2026, 12, 2), 0.60)
    assert cost_of("serve-inf1", on=on).extended_support is None
