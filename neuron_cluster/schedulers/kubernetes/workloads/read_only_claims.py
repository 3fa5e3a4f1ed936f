"""Pods that write to claims of the environment that are read only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.folder_owner import written_claims
from neuron_cluster.schedulers.kubernetes.workloads.storage import environment_claims

READ_ONLY = ("ReadOnlyMany",)


def read_only_findings(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, *, chart: str, namespace: str
) -> Iterator[Finding]:
    """E9271, once for each object and claim."""
    claims = environment_claims(cluster, access_modes=READ_ONLY)
    for body in objects if claims else ():
        owner = KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace))
        templates = pod_templates(owner)
        written = [name for each in templates for _, name in written_claims(each, owner.namespace, claims)]
        for claim in dict.fromkeys(written):
            message = f"its pods mount the claim {claim} to write, and Mountpoint for S3 serves it read only"
            hint = (
                "name a claim on a file system, such as --claim lustre; to read data sets, mount the claim with "
                "readOnly: true, as data.claim of neuron-training does"
            )
            yield finding("E9271", chart, f"{owner.kind} {owner.name}", message, hint)
