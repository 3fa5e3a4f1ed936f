"""An environment as it was deployed has no difference, whatever is in it."""

from __future__ import annotations

import pytest

from local_aws.quotas import set_quota, vcpu_quotas
from neuron_cluster.drift.records import Severity
from tests import existing_vpc

from .conftest import CHECKOUT, Deployed

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
GOLDEN = CHECKOUT / "tests" / "golden"
NAMES = sorted({path.parent.name for path in GOLDEN.glob("*/*.template.json")} - existing_vpc.SHIPPED)


@pytest.mark.parametrize("name", NAMES)
def test_an_environment_as_deployed_has_no_difference(name: str, deployed: Deployed) -> None:
    environment = deployed(name, ())
    for code in vcpu_quotas():
        set_quota(environment.aws.store, environment.plan.account, environment.plan.region, code, 10**6)
    found = deployed(name).drift()
    assert [each for each in found.uncompared if not each.is_never_read] == []
    assert (found.drifts, found.exit_status(Severity.WARNING)) == ((), 0)
