"""A chart that helm refuses fails its stack, which says which chart it was and rolls back; the stacks below stay."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, close_clients
from neuron_cluster.deploy.deployment import Deployment
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.errors import ToolkitError
from neuron_cluster.local_aws.clients import local_client
from neuron_cluster.local_aws.server import LocalAws

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
EDITS = {"eks.addons": {"neuron_monitor": True}}


def with_unknown_value(template: dict[str, Any]) -> dict[str, Any]:
    """The chart of ours gets a key that its schema does not know: only helm itself can tell."""
    for resource in template["Resources"].values():
        if resource["Properties"].get("Release") == "neuron-monitor":
            values = json.loads(resource["Properties"]["Values"])
            resource["Properties"]["Values"] = json.dumps(values | {"intervall": 5})
    return template


def test_it_names_the_release_and_rolls_back(
    app_of: Callable[..., Any], plan_of: Callable[..., Any], tmp_path: Path
) -> None:
    app_of("dev-inf2", EDITS, outdir=tmp_path).synth()
    file = tmp_path / "dev-inf2-software.template.json"
    file.write_text(json.dumps(with_unknown_value(json.loads(file.read_text()))))
    plan = plan_of("dev-inf2", EDITS)
    with LocalAws() as aws:
        destination = local_destination(aws.endpoint, plan.account, plan.region)
        bootstrap_if_needed(ROOT, destination, lambda _: None)
        with pytest.raises(ToolkitError) as failure:
            Deployment(plan, ROOT, tmp_path, destination).run(lambda _: None)
        client = local_client("cloudformation", aws.endpoint, plan.account, plan.region)
        found = client.describe_stacks()["Stacks"]
        events = client.describe_stack_events(StackName="dev-inf2-software")["StackEvents"]
        close_clients(LocalTarget(plan.region, plan.account, aws.endpoint))
    statuses = {stack["StackName"]: stack["StackStatus"] for stack in found}
    assert statuses["dev-inf2-software"] == "ROLLBACK_COMPLETE"
    assert {statuses[f"dev-inf2-{part}"] for part in ("network", "cluster", "nodes")} == {"CREATE_COMPLETE"}
    reasons = [event["ResourceStatusReason"] for event in events if event["ResourceStatus"] == "CREATE_FAILED"]
    assert any("intervall" in reason for reason in reasons)
    assert "neuronmonitor" in str(failure.value)
    assert "intervall" in str(failure.value)
