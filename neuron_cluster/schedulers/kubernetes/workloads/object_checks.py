"""Checks of the objects that a chart renders to: manifest rules, components, claims and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.names import STORAGE_NAMESPACE
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_security.control import minor_of
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.folder_owner import owner_findings
from neuron_cluster.schedulers.kubernetes.workloads.installed_components import missing_component, missing_driver
from neuron_cluster.schedulers.kubernetes.workloads.network_policies import policy_findings
from neuron_cluster.schedulers.kubernetes.workloads.overridden_options import overridden_option_findings
from neuron_cluster.schedulers.kubernetes.workloads.pod_checks import pod_findings
from neuron_cluster.schedulers.kubernetes.workloads.programs.findings import program_findings
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import pod_security_in, topology_findings
from neuron_cluster.schedulers.kubernetes.workloads.read_only_claims import read_only_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.field_admission import rejected_fields
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.queue_capacity import jobs_beyond_capacity
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.quota_admission import (
    hint_for_quota,
    objects_beyond_quotas,
)
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.user_pods import UNREADABLE
from neuron_cluster.schedulers.kubernetes.workloads.storage import CLAIM, environment_claims
from neuron_cluster.schedulers.kubernetes.workloads.team_images import chart_image_list_findings
from neuron_cluster.schedulers.kubernetes.workloads.team_permissions import permission_findings
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues

VOLUME = "PersistentVolume"
PAGE = "docs/storage.md"


def check_workload(
    chosen: WorkloadValues,
    objects: Sequence[Mapping[str, Any]],
    cluster: KubernetesPlan,
    catalog: Catalog,
    *,
    namespace: str,
) -> list[Finding]:
    """Returns findings on objects that Kubernetes, components of the cluster or its nodes reject, in reading order."""
    chart = chosen.chart
    level = pod_security_in(cluster, namespace, otherwise=chart.pod_security)
    minor = minor_of(cluster.version)
    found = check_manifests(
        objects, source=f"charts/{chart.name}", namespace=namespace, pod_security=level, minor=minor
    )
    found += _missing_components(chosen, objects, cluster, catalog)
    found += _missing_drivers(chosen, objects, cluster)
    found += claim_findings(chosen, objects, cluster, namespace)
    found += owner_findings(objects, cluster, chart=chart.name, namespace=namespace)
    found += read_only_findings(objects, cluster, chart=chart.name, namespace=namespace)
    found += chart_image_list_findings(objects, cluster, chart=chart.name, namespace=namespace)
    found += policy_findings(objects, autoscaler=cluster.node_autoscaler, chart=chart.name, namespace=namespace)
    found += program_findings(objects, chosen.images.framework_of, catalog, chart=chart.name, namespace=namespace)
    found += overridden_option_findings(chosen, objects, catalog, namespace=namespace)
    found += permission_findings(objects, cluster, chart.defaults, chart=chart.name, namespace=namespace)
    if all(each.id not in UNREADABLE for each in found):
        found += _beyond_quotas(objects, cluster, chart.name, namespace)
        found += _beyond_capacity(objects, cluster, catalog, chart.name, namespace)
        found += _rejected_fields(objects, cluster, chart.name, namespace)
        found += topology_findings(objects, cluster, chart.name, namespace)
        found += pod_findings(chosen, objects, catalog, namespace=namespace, has_errors=has_error(found))
    return in_reading_order(found)


def _beyond_quotas(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, chart: str, namespace: str
) -> Iterator[Finding]:
    """E9274, for each object and limit."""
    for owner, exceeded in objects_beyond_quotas(objects, cluster, namespace):
        what = "claims of its pods" if exceeded.is_of_claims else "its pods"
        message = f"the API server rejects {what}: {exceeded.text}"
        yield finding("E9274", chart, f"{owner.kind} {owner.name}", message, hint_for_quota(exceeded))


def _beyond_capacity(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, catalog: Catalog, chart: str, namespace: str
) -> Iterator[Finding]:
    """E9299 and W9296, for each job and resource."""
    for found in jobs_beyond_capacity(objects, cluster, catalog, namespace):
        yield finding("E9299" if found.never else "W9296", chart, "queue.name", found.text, found.hint)


def _rejected_fields(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, chart: str, namespace: str
) -> Iterator[Finding]:
    """E9276, once for each object and field."""
    for each in rejected_fields(objects, cluster, namespace):
        place = f"{each.owner.kind} {each.owner.name} {each.path}"
        yield finding("E9276", chart, place, f"the API server rejects it: {each.message}", each.hint)


def _missing_components(
    chosen: WorkloadValues, objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, catalog: Catalog
) -> Iterator[Finding]:
    kinds = {(str(body["apiVersion"]), str(body["kind"])) for body in objects}
    for api_version, kind in sorted(kinds):
        missing = missing_component(cluster, api_version, kind, catalog)
        if missing is not None:
            message = f"it creates a {kind} ({api_version}), and no component of the environment serves it"
            yield finding("E9209" if missing.has_flag else "W9219", chosen.chart.name, kind, message, missing.hint)


def _missing_drivers(
    chosen: WorkloadValues, objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan
) -> Iterator[Finding]:
    for driver in sorted({str(value_at(each, "spec.csi.driver")) for each in objects if each["kind"] == VOLUME}):
        missing = missing_driver(cluster, driver)
        if missing is not None:
            message = f"it creates a {VOLUME} of the CSI driver {driver}, which the environment does not have"
            yield finding("E9209", chosen.chart.name, VOLUME, message, missing.hint)


def claim_findings(
    chosen: WorkloadValues, objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, namespace: str
) -> Iterator[Finding]:
    """W9231, once for each claim that pods mount and neither the chart nor the environment creates."""
    owners = [KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace)) for body in objects]
    made = environment_claims(cluster) | {(owner.namespace, owner.name) for owner in owners if owner.kind == CLAIM}
    mounted = dict.fromkeys((owner.namespace, name) for owner in owners for name in _mounted(owner))
    for where, name in mounted:
        if (where, name) not in made:
            message = (
                f"neither the environment nor the chart creates the {CLAIM} {name}: without it in namespace {where} "
                "the pods that mount it stay Pending"
            )
            hint = f"create it there before you submit, if it does not exist yet: see {PAGE}"
            if homes := sorted(
                home for home, each in environment_claims(cluster) if each == name and home != STORAGE_NAMESPACE
            ):
                hint = f"use --namespace {homes[0]}, which has it, or {hint}"
            yield finding("W9231", chosen.chart.name, _key(chosen, name), message, hint)


def _mounted(owner: KubernetesObject) -> Iterator[str]:
    for template in pod_templates(owner):
        for volume in value_at(template.spec, "volumes") or ():
            name = value_at(volume, "persistentVolumeClaim.claimName")
            if isinstance(name, str):
                yield name


def _key(chosen: WorkloadValues, name: str) -> str:
    """The value that names the claim."""
    keys = (f"{location.key}.claim" for location in chosen.chart.recipe.locations)
    return next((key for key in keys if value_at(chosen.values, key) == name), CLAIM)
