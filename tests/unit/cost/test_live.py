"""Prices of AWS compared with those of the catalog, from recorded answers in the form of the APIs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import AwsTarget
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.environment_cost import environment_cost, monthly
from neuron_cluster.cost.live import NO_PRICE, NO_SPOT_PRICE, NOT_QUERIED, LiveCost, live_cost
from neuron_cluster.cost.model import Scenario
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.recorded_prices import Recorded

from .conftest import ON

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture
def recorded() -> Iterator[Callable[[str], Recorded]]:
    made: list[Recorded] = []

    def record(region: str) -> Recorded:
        made.append(Recorded(region))
        return made[-1]

    yield record
    for each in made:
        each.close()


@pytest.fixture
def live_of(plan_of: Callable[..., ClusterPlan], catalog: Catalog) -> Callable[..., LiveCost]:
    def live(environment: str, target: AwsTarget) -> LiveCost:
        plan = plan_of(environment)
        return live_cost(environment_cost(plan, catalog, ON), plan, target, AT)

    return live


def found(live: LiveCost) -> dict[str, tuple[float | None, float | None]]:
    return {each.name or each.what: (each.catalog_usd, each.live_usd) for each in live.differences}


def test_each_price_is_queried_once_and_compared(recorded, live_of) -> None:
    aws = recorded("us-west-2")
    aws.instance(0.21168)  # m7i.large, 5 % more
    aws.instance(0.7582)  # inf2.xlarge
    aws.usages(("EBS:VolumeUsage.gp3", 0.08), ("EBS:VolumeP-IOPS.gp3", 0.005))
    aws.usages(("EBS:VolumeP-Throughput.gp3", 40.96))
    aws.usages(("AmazonEKS-Hours:perCluster", 0.10), ("AmazonEKS-Hours:extendedSupport", 0.50))
    aws.usages(("NatGateway-Hours", 0.05))
    aws.usages(("PublicIPv4:InUseAddress", 0.005))
    aws.usages(("KMS-Keys", 1.0))
    live = live_of("dev-inf2", aws.target)
    aws.pricing.assert_no_pending_responses()
    prices = found(live)
    assert prices["system"] == (0.1008, 0.21168)
    assert prices["inf2"] == (0.7582, 0.7582)
    assert prices["gp3, MiB/s"] == (0.04, 0.04)  # 40.96 for a GiB/s
    assert prices["Kubernetes 1.35, standard"] == (0.10, 0.10)
    assert prices["NAT gateway"] == (0.045, 0.05)
    # 274.668 by hand; 2 x (0.21168 - 0.1008) x 730 = 161.885 and 0.005 x 730 = 3.65 more
    assert monthly(live.cost.lines, Scenario.DESIRED).exact == pytest.approx(274.668 + 161.8848 + 3.65, abs=0.01)


def test_spot_instances_have_the_highest_price_of_their_zones(recorded, live_of) -> None:
    aws = recorded("sa-east-1")
    aws.spot(sae1_az1=2.4, sae1_az2=2.7, sae1_az9=99)
    aws.instance(0.15)
    for _ in range(6):
        aws.usages()
    live = live_of("dev-trn2", aws.target)
    prices = found(live)
    assert prices["trn2"] == (2.57, 2.7)
    assert prices["system"] == (None, 0.15), "the catalog has no price of the Region, AWS has"
    assert prices["NAT gateway"] == (None, None)
    reasons = {each.name or each.what: each.why_unknown for each in live.differences}
    assert reasons["NAT gateway"] == NO_PRICE
    assert reasons["trn2"] is None
    # what AWS did not return is as in the catalog: 73 for the control plane, 3.65 for an address, 2 keys;
    # 2 x 0.15 x 730 = 219
    total = monthly(live.cost.lines, Scenario.DESIRED)
    assert (total.exact, total.at_least) == (None, pytest.approx(78.65 + 219))


def test_a_type_that_no_zone_of_the_group_has_on_spot_keeps_the_price_of_the_catalog(recorded, live_of) -> None:
    aws = recorded("sa-east-1")
    aws.spot(sae1_az9=99)
    aws.instance(None)
    for _ in range(6):
        aws.usages()
    live = live_of("dev-trn2", aws.target)
    [trn2] = [each for each in live.differences if each.name == "trn2"]
    assert (trn2.catalog_usd, trn2.live_usd, trn2.why_unknown, trn2.share) == (2.57, None, NO_SPOT_PRICE, None)


def test_storage_and_alarms_are_not_queried(recorded, live_of) -> None:
    aws = recorded("us-west-2")
    for _ in range(2):
        aws.instance(1.0)
    for _ in range(7):
        aws.usages()
    reasons = {each.what: each.why_unknown for each in live_of("train-trn1", aws.target).differences}
    assert reasons["S3 Standard"] == reasons["CloudWatch alarm"] == NOT_QUERIED


def test_a_missing_permission_names_the_call(recorded, live_of) -> None:
    aws = recorded("us-west-2")
    aws.pricing.add_client_error("get_products", "AccessDeniedException", "not authorized")
    with pytest.raises(AwsApiError, match="access denied: GetProducts"):
        live_of("dev-inf2", aws.target)
