"""`status` of an environment with 1,000 nodes: few calls, as services limit them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.client import BaseClient

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.protocol.status import Verdict
from neuron_cluster.status.environment_status import read_status
from tests.thousand_nodes import GROUPS, NAME, NODES, deploy_thousand_nodes

from .conftest import Deployed

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
MOST_CALLS = 200


def test_a_thousand_nodes_are_read_with_few_calls(
    deployed: Deployed, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = deployed(NAME, ())
    file = project / "environments" / f"{NAME}.yaml"
    plan = deploy_thousand_nodes(environment.aws, environment.target, file)
    made: list[str] = []
    call = BaseClient._make_api_call

    def noted(client: Any, operation: str, parameters: Any) -> Any:
        made.append(operation)
        return call(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    access = local_destination(environment.aws.endpoint, plan.account, plan.region)
    status = read_status(
        plan, access, load_catalog(), at=datetime.now(UTC), argument=NAME, of_file=lambda _deployed: None
    )
    causes = {line.subject: line.cause for line in status.lines}
    assert [line for line in status.lines if line.verdict is not Verdict.HEALTHY] == []
    assert causes["pool-7"] == f"{NODES} of {NODES} instances in service, ACTIVE"
    assert causes["status checks"].startswith(f"{GROUPS * NODES + 2} instances without")
    assert len(made) <= MOST_CALLS, made
