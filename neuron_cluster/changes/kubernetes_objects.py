"""Kubernetes objects and chart values in templates: JSON texts of CDK's custom resources."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.stack_set import StackSet

OBJECTS = "Custom::AWSCDK-EKS-KubernetesResource"
"""Type of CDK's custom resource that applies a manifest."""
CHART = "Custom::AWSCDK-EKS-HelmChart"
"""Type of CDK's custom resource that installs a chart."""


def objects_of(stacks: StackSet, address: Address) -> Iterator[Mapping[str, Any]]:
    """The objects of a manifest; none for a resource of another type."""
    resource = stacks.resource(address)
    found = parsed(resource.get("Properties", {}).get("Manifest")) if resource["Type"] == OBJECTS else None
    yield from (each for each in found or () if isinstance(each, Mapping))


def parsed(text: Any) -> Any:
    """JSON, in which references to other resources are texts; None for what is none."""
    if isinstance(text, dict) and isinstance(text.get("Fn::Join"), list):
        text = "".join(part if isinstance(part, str) else "<reference>" for part in text["Fn::Join"][1])
    try:
        return json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return None
