"""Namespaces for workloads, as the file lists them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from local_kubernetes.model.hyperpod import team_local_queue, team_namespace
from local_kubernetes.model.names import DEFAULT_NAMESPACE, DEFAULT_SERVICE_ACCOUNT
from neuron_cluster.config.bucket_access import BucketAccess, BucketRight
from neuron_cluster.config.namespace import LUSTRE
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.bucket_access_plan import BucketAccessPlan, checkpoint_prefix, team_prefix
from neuron_cluster.plan.namespace_plan import TEAM_LABEL, WorkloadNamespacePlan, pod_security_labels
from neuron_cluster.schedulers.kubernetes.listed_namespaces import ListedNamespace
from neuron_cluster.schedulers.kubernetes.software.compile_cache_roles import cache_accounts

STRICTEST = "restricted"


def build_namespaces(
    listed: Sequence[ListedNamespace],
    kubernetes_version: str,
    *,
    has_lustre: bool,
    has_bucket: bool,
    cache_writer: str | None,
    is_governed: bool,
) -> tuple[WorkloadNamespacePlan, ...]:
    """Returns namespaces in the order of the file, then ``default`` if the file leaves it out: it can have pods too.

    ``cache_writer`` is the one that writes to the compile cache; ``is_governed``: task governance of HyperPod admits
    jobs.
    """
    usual = tuple(
        _namespace(each, kubernetes_version, has_lustre=has_lustre, has_bucket=has_bucket, cache_writer=cache_writer)
        for each in listed
    )
    planned = tuple(map(_governed, usual)) if is_governed else usual
    if any(each.name == DEFAULT_NAMESPACE for each in planned):
        return planned
    labels = pod_security_labels(STRICTEST, kubernetes_version)
    unlisted = WorkloadNamespacePlan(
        ("eks", "namespaces"), DEFAULT_NAMESPACE, STRICTEST, labels, is_made=False, takes_jobs=False
    )
    return (*planned, unlisted)


def _governed(namespace: WorkloadNamespacePlan) -> WorkloadNamespacePlan:
    """The namespace of a team has the LocalQueue of its compute quota; no other one has a queue."""
    team = namespace.team
    if team is None or namespace.name != team_namespace(team):
        return replace(namespace, has_queues=False)
    return replace(namespace, queue=team_local_queue(team), is_governed=True)


def _namespace(
    listed: ListedNamespace,
    kubernetes_version: str,
    *,
    has_lustre: bool,
    has_bucket: bool,
    cache_writer: str | None,
) -> WorkloadNamespacePlan:
    """Warnings and audit annotations are always those of the strictest level: they show what keeps a lower one."""
    spec, path = listed.spec, listed.path
    level = spec.pod_security.value
    of_cache = cache_accounts(spec.name, cache_writer) if cache_writer is not None else ()
    usual = [LUSTRE] if has_lustre else []
    access = tuple(
        _bucket_access(each, (*path, "bucket_access", item), spec.name)
        for item, each in enumerate(spec.bucket_access if has_bucket else ())
    )
    of_bucket = (each.service_account for each in access if each.service_account != DEFAULT_SERVICE_ACCOUNT)
    return WorkloadNamespacePlan(
        path,
        spec.name,
        level,
        {
            **pod_security_labels(level, kubernetes_version, reported=STRICTEST),
            **({TEAM_LABEL: listed.team} if listed.team is not None else {}),
        },
        is_made=spec.name != DEFAULT_NAMESPACE,
        takes_jobs=True,
        queue=spec.queue,
        claims=tuple(usual if spec.claims is None else spec.claims),
        service_accounts=tuple(dict.fromkeys([*spec.service_accounts, *of_bucket, *of_cache])),
        bucket_access=access,
        team=listed.team,
    )


def _bucket_access(spec: BucketAccess, path: KeyPath, namespace: str) -> BucketAccessPlan:
    prefix = team_prefix(namespace) if spec.job is None else checkpoint_prefix(namespace, spec.job)
    writes = spec.access is BucketRight.WRITE
    return BucketAccessPlan(path, spec.service_account, prefix, writes=writes, is_of_job=spec.job is not None)
