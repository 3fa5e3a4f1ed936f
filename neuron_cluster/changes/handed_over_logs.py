"""Log groups that leave a stack and stay, because a custom resource of the same stack adopts them (ADR 15).

CloudFormation deletes what leaves a template by the DeletionPolicy of the template that was deployed last: the group
gets ``Retain`` in a first update, with the custom resource, and leaves in a second one.
Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.stack_set import StackSet, Template

LOG_GROUP = "AWS::Logs::LogGroup"
RETAINED_LOG_GROUP = "Custom::NeuronClusterLogGroup"
RETAIN = {"DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain"}


def handed_over_log_groups(before: StackSet, after: StackSet, gone: Iterable[Address]) -> dict[Address, str]:
    """Returns those of the resources that leave, each with the name of its log group."""
    retained = [
        (address.stack, after.properties(address).get("LogGroupName"))
        for address in after.addresses()
        if after.resource(address)["Type"] == RETAINED_LOG_GROUP
    ]
    groups = [address for address in gone if before.resource(address)["Type"] == LOG_GROUP]
    names = {address: before.properties(address).get("LogGroupName") for address in groups}
    return {address: str(name) for address, name in names.items() if (address.stack, name) in retained}


def retained(deployed: Template, logical_id: str) -> dict[str, Any] | None:
    """The log group as it is deployed, with the policy that lets it stay; None when it has the policy already."""
    resource = copy.deepcopy(deployed["Resources"][logical_id])
    return None if resource.get("DeletionPolicy") == "Retain" else {**resource, **RETAIN}
