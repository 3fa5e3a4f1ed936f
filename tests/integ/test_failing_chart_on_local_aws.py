"""A chart that helm refuses fails its stack, which says which chart it was and rolls back; the stacks below stay."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.server import LocalAws
from neuron_cluster.deploy.deployment import Deployment
from neuron_cluster.deploy.destination import aws_destination, local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed, publish_files
from neuron_cluster.errors import ToolkitError

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


@pytest.mark.exhaustive
def test_it_names_the_release_and_rolls_back(
    app_of: Callable[..., Any],
    plan_of: Callable[..., Any],
    aws: LocalAws,
    log_in: Callable[[str], None],
    warm_project: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """The command knows of no local AWS here, so it makes the change sets that a local deploy does without."""
    app_of("dev-inf2", EDITS, outdir=tmp_path).synth()
    file = tmp_path / "dev-inf2-software.template.json"
    file.write_text(json.dumps(with_unknown_value(json.loads(file.read_text()))))
    plan = plan_of("dev-inf2", EDITS)
    local = local_destination(aws.endpoint, plan.account, plan.region)
    bootstrap_if_needed(ROOT, local, lambda _: None)
    publish_files(tmp_path, local)  # 58 MB, which the command takes seconds for
    log_in(plan.account)
    monkeypatch.setattr("neuron_cluster.deploy.cdk_cli.AWS_POLL_SECONDS", 0.2)
    with pytest.raises(ToolkitError) as failure:
        Deployment(plan, warm_project, tmp_path, aws_destination(plan.account, plan.region)).run(lambda _: None)
    client = local_client("cloudformation", aws.endpoint, plan.account, plan.region)
    statuses = {stack["StackName"]: stack["StackStatus"] for stack in client.describe_stacks()["Stacks"]}
    events = client.describe_stack_events(StackName="dev-inf2-software")["StackEvents"]
    assert statuses["dev-inf2-software"] == "ROLLBACK_COMPLETE"
    assert {statuses[f"dev-inf2-{part}"] for part in ("network", "cluster", "system")} == {"CREATE_COMPLETE"}
    reasons = [event["ResourceStatusReason"] for event in events if event["ResourceStatus"] == "CREATE_FAILED"]
    assert any("intervall" in reason for reason in reasons)
    assert "neuronmonitor" in str(failure.value)
    assert "intervall" in str(failure.value)
