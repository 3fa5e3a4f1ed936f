"""Who may use the cluster, and where its endpoint answers, as one state of the stacks has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Reference
from neuron_cluster.changes.effects import normal_text
from neuron_cluster.changes.stack_set import StackSet

CLUSTER = "AWS::EKS::Cluster"
ACCESS_ENTRY = "AWS::EKS::AccessEntry"
ENDPOINT = "endpoint"
ANYWHERE = "0.0.0.0/0"
"""The default of EKS when the public endpoint has no list of addresses (EKS API reference, VpcConfigRequest)."""


def principals(stacks: StackSet) -> Iterator[tuple[str, str]]:
    for address in sorted(stacks.addresses()):
        if stacks.resource(address)["Type"] == ACCESS_ENTRY:
            properties = stacks.properties(address)
            arns = value_at(properties, ("AccessPolicies", "*", "PolicyArn")) or []
            policies = sorted(_last_name(normal_text(arn)) for arn in arns)
            groups = sorted(f"Kubernetes group {each}" for each in properties.get("KubernetesGroups") or [])
            yield _principal(properties.get("PrincipalArn", address)), ", ".join([*policies, *groups]) or "no policy"


def endpoints(stacks: StackSet) -> Iterator[tuple[str, str]]:
    for address in sorted(stacks.addresses()):
        if stacks.resource(address)["Type"] != CLUSTER:
            continue
        properties = stacks.properties(address)
        network = properties.get("ResourcesVpcConfig", {})
        is_private = network.get("EndpointPrivateAccess", "false") == "true"
        is_public = network.get("EndpointPublicAccess", "true") == "true"
        cidrs = ", ".join(map(normal_text, network.get("PublicAccessCidrs") or [ANYWHERE]))
        parts = [*(["private"] if is_private else []), *([f"public from {cidrs}"] if is_public else [])]
        yield f"{ENDPOINT} of {normal_text(properties.get('Name', address.logical_id))}", " and ".join(parts)


def _principal(value: Any) -> str:
    """An ARN as it is written; a role that the stacks make, by its address."""
    return str(value.target if isinstance(value, Reference) else value)


def _last_name(arn: str) -> str:
    """``AmazonEKSClusterAdminPolicy``, however the ARN around it is put together."""
    found = re.search(r"/(\w+)\W*$", arn)
    return found[1] if found else arn
