"""The PersistentVolumeClaims that pods of a workload mount, and who makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.names import STORAGE_NAMESPACE
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.pod_templates import pod_templates
from neuron_cluster.plan.cluster_plan import EksPlan
from neuron_cluster.workloads.chosen_values import ChosenValues
from neuron_cluster.workloads.environment_claims import CLAIM, environment_claims
from neuron_cluster.workloads.refusal import finding

PAGE = "docs/storage.md"


def claim_findings(
    chosen: ChosenValues, objects: Sequence[Mapping[str, Any]], eks: EksPlan, namespace: str
) -> Iterator[Finding]:
    """W9231, once for each claim that pods mount and neither the chart nor the environment makes."""
    owners = [KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace)) for body in objects]
    made = environment_claims(eks) | {(owner.namespace, owner.name) for owner in owners if owner.kind == CLAIM}
    mounted = dict.fromkeys((owner.namespace, name) for owner in owners for name in _mounted(owner))
    for where, name in mounted:
        if (where, name) not in made:
            message = (
                f"neither the environment nor the chart makes the {CLAIM} {name}: without it in the namespace {where} "
                "the pods that mount it stay Pending"
            )
            hint = f"create it there before you submit, if it is not there yet: {PAGE} says how"
            if homes := sorted(
                home for home, each in environment_claims(eks) if each == name and home != STORAGE_NAMESPACE
            ):
                hint = f"use --namespace {homes[0]}, which has it, or {hint}"
            yield finding("W9231", chosen.chart.name, _key(chosen, name), message, hint)


def _mounted(owner: KubernetesObject) -> Iterator[str]:
    for template in pod_templates(owner):
        for volume in value_at(template.spec, "volumes") or ():
            name = value_at(volume, "persistentVolumeClaim.claimName")
            if isinstance(name, str):
                yield name


def _key(chosen: ChosenValues, name: str) -> str:
    """The value that names the claim."""
    keys = (f"{place.key}.claim" for place in chosen.chart.recipe.places)
    return next((key for key in keys if value_at(chosen.values, key) == name), CLAIM)
