"""Launch templates of node groups as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

from local_aws.contract import Call
from local_aws.launch import DEFAULT_VERSION, template_data
from local_aws.services.seed_data import seed_data
from neuron_cluster.local_checks.ec2 import LAUNCH_TEMPLATE
from neuron_cluster.local_checks.rule_input import RuleInput, request_reader

UNFIT_TEMPLATE = ("InvalidRequestException", "You must use a valid fully-formed launch template.")
"""The error of EKS when EC2 rejects the template's data (terraform-aws-modules/terraform-aws-eks#1458)."""


@request_reader("eks", "CreateNodegroup")
def new_node_group(call: Call) -> Iterator[RuleInput]:
    given = call.parameters
    if "launchTemplate" in given:
        yield from _launches(call, given["launchTemplate"], given.get("instanceTypes"))


@request_reader("eks", "UpdateNodegroupVersion")
def changed_node_group(call: Call) -> Iterator[RuleInput]:
    """With another version of its template; EKS itself rejects a group that does not exist or has none."""
    given = call.parameters
    row = call.table(f"nodegroups/{given['clusterName']}").get(given["nodegroupName"], {})
    if "launchTemplate" in row and "launchTemplate" in given:
        yield from _launches(call, given["launchTemplate"], row.get("instanceTypes"))


def _launches(call: Call, template: Mapping[str, str], types: Sequence[str] | None) -> Iterator[RuleInput]:
    """Yields the launches that EKS tries: the template's data with each type of the group, unless it has a type."""
    data = _template_data(call, template)
    if data is None:
        return
    missing = [] if data.get("InstanceType") else types or seed_data("eks")["default_instance_types"]
    for launch in [{**data, "InstanceType": each} for each in missing] or [data]:
        properties = {"LaunchTemplateData": launch}
        yield RuleInput("ec2:RunInstances", LAUNCH_TEMPLATE, properties, wrapped_error=UNFIT_TEMPLATE)


def _template_data(call: Call, given: Mapping[str, str]) -> dict[str, Any] | None:
    """None for a template that does not exist or is named in two ways, which EKS rejects itself."""
    key = {f"LaunchTemplate{name.title()}": given[name] for name in ("id", "name") if name in given}
    try:
        return template_data(call, given.get("version", DEFAULT_VERSION), key)
    except ClientError:
        return None
