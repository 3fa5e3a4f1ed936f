"""Environments deployed from their golden templates: in a second, and without CDK."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.aws.session import Target
from neuron_cluster.plan.cluster_plan import ClusterPlan

GOLDEN = Path(__file__).parent / "golden"
OF_CHARTS = "Custom::AWSCDK-EKS-"
"""Types whose code is an asset of CDK: charts, manifests and patches, which no service of AWS reports."""
HASH_OF_ASSET = "<hash of the asset>"
"""Goldens have it in the place of the digest of an asset."""
SCRIPT = "Custom::NeuronClusterLifeCycleScript"
"""A script with its own digest in the template, which may name an asset."""


def deploy_goldens(target: Target, plan: ClusterPlan, keys: tuple[str, ...] | None = None) -> None:
    """Creates the stacks of the plan, or some of them, without charts. Raises ``ToolkitError`` for a failure."""
    for stack_key in plan.stacks if keys is None else keys:
        name = plan.stack_name(stack_key)
        text = (GOLDEN / plan.name / f"{name}.template.json").read_text().replace(HASH_OF_ASSET, "0" * 64)
        template = without_charts(_with_checksums(json.loads(text)))
        if template["Resources"]:
            create_stack(target, name, json.dumps(template), {})


def _with_checksums(template: dict[str, Any]) -> dict[str, Any]:
    for resource in template["Resources"].values():
        if resource["Type"] == SCRIPT:
            given = resource["Properties"]
            given["Checksum"] = base64.b64encode(hashlib.sha256(given["Text"].encode()).digest()).decode()
    return template


def without_charts(template: dict[str, Any]) -> dict[str, Any]:
    """The template without resources of charts, and without what refers to them."""
    resources: dict[str, Any] = template["Resources"]
    gone = {name for name, resource in resources.items() if resource["Type"].startswith(OF_CHARTS)}
    while more := {name for name, each in resources.items() if name not in gone and _refers_to(each, gone)}:
        gone |= more
    kept = {name: _without_dependencies(each, gone) for name, each in resources.items() if name not in gone}
    outputs = {name: each for name, each in template.get("Outputs", {}).items() if not _refers_to(each, gone)}
    return {**template, "Resources": kept, "Outputs": outputs}


def _without_dependencies(resource: dict[str, Any], gone: set[str]) -> dict[str, Any]:
    named = resource.get("DependsOn", [])
    depends = [name for name in ([named] if isinstance(named, str) else named) if name not in gone]
    return {**resource, "DependsOn": depends}


def _refers_to(value: Any, names: set[str]) -> bool:
    if isinstance(value, dict):
        return any(
            (key == "Ref" and each in names)
            or (key == "Fn::GetAtt" and each[0] in names)
            or (key not in ("Ref", "Fn::GetAtt", "DependsOn") and _refers_to(each, names))
            for key, each in value.items()
        )
    return isinstance(value, list) and any(_refers_to(each, names) for each in value)
