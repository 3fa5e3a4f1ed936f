"""The launch template of any compute group."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.machine_plan import SecurityGroupRole

ENVIRONMENT = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"


@pytest.mark.parametrize(
    ("tags", "kinds"), [({}, None), ({"team": "red"}, ["instance", "volume", "network-interface"])]
)
def test_no_tag_specification_is_empty(tags: dict[str, str], kinds: list[str] | None) -> None:
    import aws_cdk as cdk
    from aws_cdk.assertions import Template

    from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate

    (group, *_) = check_environment(ENVIRONMENT).require_plan().cluster_groups
    stack = cdk.Stack(cdk.App(analytics_reporting=False), "machines")
    ids = {role: f"sg-{role.value}" for role in SecurityGroupRole}
    NeuronLaunchTemplate(stack, "Template", group, security_group_ids=ids, launch_tags=tags)
    found: dict[str, Any] = Template.from_stack(stack).find_resources("AWS::EC2::LaunchTemplate")
    (resource,) = found.values()
    written = resource["Properties"]["LaunchTemplateData"].get("TagSpecifications")
    assert (None if written is None else [each["ResourceType"] for each in written]) == kinds
