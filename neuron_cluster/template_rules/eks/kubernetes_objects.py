"""The Kubernetes objects and Helm releases of a template."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

OBJECTS = "Custom::AWSCDK-EKS-KubernetesResource"
CHART = "Custom::AWSCDK-EKS-HelmChart"


def objects_of(resource: TemplateResource) -> tuple[Mapping[str, Any], ...]:
    """The objects that a resource applies; empty where they are unknown before the deploy."""
    manifest = text(resource.properties.get("Manifest"))
    found = json.loads(manifest) if manifest is not None else []
    return tuple(each for each in found if isinstance(each, Mapping)) if isinstance(found, list) else ()


def values_of(chart: TemplateResource) -> Mapping[str, Any]:
    """The values of a release; empty where they are unknown before the deploy."""
    values = text(chart.properties.get("Values"))
    found = json.loads(values) if values is not None else {}
    return found if isinstance(found, Mapping) else {}


def charts(stack: str, look_up: LookUp) -> Iterator[TemplateResource]:
    """The releases of a stack."""
    return look_up.resources(CHART, stack=stack)


def comes_after(resource: TemplateResource, other: TemplateResource, look_up: LookUp) -> bool:
    """Whether a resource depends on another resource of its stack."""
    return look_up.depends_on(resource, other.logical_id)
