"""Where a workload stores checkpoints, weights, graphs and profiles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.fields import items
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.software.lustre_folders import namespace_folder
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.schedulers.kubernetes.workloads.environment_cache import account_of
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.namespace_bucket import namespace_access
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import default_namespace
from neuron_cluster.schedulers.kubernetes.workloads.recipe import COMPILE_CACHE, Recipe, StorageLocation

CLAIM = "PersistentVolumeClaim"


def environment_claims(
    cluster: KubernetesPlan, *, access_modes: Sequence[str] | None = None
) -> frozenset[tuple[str, str]]:
    """Namespace and name of each PersistentVolumeClaim that the environment creates, or of those with these modes."""
    objects = [
        each
        for manifest in cluster.manifests
        for each in manifest.objects
        if each["kind"] == CLAIM
        and (access_modes is None or tuple(items(value_at(each, "spec.accessModes"))) == tuple(access_modes))
    ]
    return frozenset(
        (str(value_at(each, "metadata.namespace")), str(value_at(each, "metadata.name"))) for each in objects
    )


WRITTEN = ("ReadWriteMany",)
"""Access modes of the claims that the pods of several nodes write."""
BUCKET_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html"""


def storage_values(
    recipe: Recipe, options: WorkloadOptions, front_end: str, plan: ClusterPlan, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """``claim``, ``url`` and ``folder`` of every location; one that is not named is empty, whatever the default is."""
    folder = _checkpoint_folder(options, plan)
    access = namespace_access(recipe, options, front_end, plan)
    own = access.prefix if access is not None else ""
    return {
        location.key: _where(location, options, defaults, own) | _folder(value_at(defaults, location.key), folder)
        for location in recipe.locations
        if location.is_for(front_end)
    }


def _checkpoint_folder(options: WorkloadOptions, plan: ClusterPlan) -> str | None:
    """The folder of the namespace on a claim of the environment, whose Job creates it; else the mirrored folder."""
    mirrored = mirrored_folder(plan)
    if plan.kubernetes is None or options.claim != LUSTRE_CLAIM:
        return mirrored
    namespace = options.namespace or default_namespace(plan.kubernetes)
    is_ours = (namespace, LUSTRE_CLAIM) in environment_claims(plan.kubernetes)
    return namespace_folder(mirrored or "", namespace) if is_ours else mirrored


def mirrored_folder(plan: ClusterPlan) -> str | None:
    """The folder of the file system that ``storage.lustre.sync`` mirrors, without its first slash; None without one."""
    lustre = plan.storage.lustre if plan.storage is not None else None
    return lustre.association.file_system_path.strip("/") if lustre is not None and lustre.association else None


def _folder(known: Mapping[str, Any], folder: str | None) -> dict[str, str]:
    return {"folder": folder} if folder is not None and "folder" in known else {}


def storage_findings(
    recipe: Recipe, options: WorkloadOptions, front_end: str, plan: ClusterPlan, *, given: frozenset[str] = frozenset()
) -> Iterator[Finding]:
    """E9212 for a required location that is not named, W9215 for an optional one; ``given`` are keys of those that the
    environment has.

    Also E9221 for an option that no location uses, which would be ignored.
    """
    locations = [location for location in recipe.locations if location.is_for(front_end)]
    yield from _unused_options(locations, recipe, options)
    yield from _bad_names(recipe, options)
    yield from _not_mirrored(locations, recipe, options, plan)
    for location in locations:
        if location.key not in given and not _is_named(location, options):
            message = f"no storage for {location.holds} is named: {location.without_it}"
            hint = _hint(location, plan, options) + _of_environment(location, recipe, plan)
            yield finding("E9212" if location.is_required else "W9215", recipe.chart, location.key, message, hint)


def _of_environment(location: StorageLocation, recipe: Recipe, plan: ClusterPlan) -> str:
    """When the environment's own cache is used; empty without one."""
    cluster, storage = plan.kubernetes, plan.storage
    if location.key != COMPILE_CACHE or cluster is None or storage is None or storage.compile_cache is None:
        return ""
    account = account_of(recipe)
    homes = [each.namespace for each in cluster.workload_roles if each.service_account == account]
    use = f"`storage.compile_cache` is used in {listed(homes, 'and')} (--namespace), with an image of the catalog"
    return f"; {use}; if other data is in S3, with serviceAccount.name of an account that reads both"


def _unused_options(
    locations: Sequence[StorageLocation], recipe: Recipe, options: WorkloadOptions
) -> Iterator[Finding]:
    in_a_bucket = [location for location in locations if location.prefix]
    for option, name, used_by in (("--bucket", options.bucket, in_a_bucket), ("--claim", options.claim, locations)):
        if name and not used_by:
            where = " in a bucket" if locations else ""
            yield finding("E9221", recipe.chart, option, f"{recipe.chart} stores nothing{where}", f"leave {option} out")


def _bad_names(recipe: Recipe, options: WorkloadOptions) -> Iterator[Finding]:
    if options.bucket and not BUCKET_NAME.fullmatch(options.bucket):
        message = f"{options.bucket} is not a valid S3 bucket name"
        hint = "write 3 to 63 lower-case letters, digits, dots, hyphens, without s3://, a letter or digit at both ends"
        yield finding("E9213", recipe.chart, "--bucket", message, hint)


def _not_mirrored(
    locations: Sequence[StorageLocation], recipe: Recipe, options: WorkloadOptions, plan: ClusterPlan
) -> Iterator[Finding]:
    """W9230 for a folder outside of the mirrored one."""
    folder = mirrored_folder(plan)
    for location in locations if folder else ():
        key = f"{location.key}.folder"
        own = value_at(options.given, key)
        if isinstance(own, str) and not f"{own}/".startswith(f"{folder}/"):
            message = f"{own or 'the root of the claim'} is outside of /{folder}, which storage.lustre.sync mirrors"
            usual = _checkpoint_folder(options, plan)
            hint = f"leave it out, and it is {usual}; or set a folder below, such as {folder}/mine"
            yield finding("W9230", recipe.chart, key, message, hint)


def _is_named(location: StorageLocation, options: WorkloadOptions) -> bool:
    own = options.text(f"{location.key}.claim") or options.text(f"{location.key}.url")
    return bool(own or options.claim or (location.prefix and options.bucket))


def _where(
    location: StorageLocation, options: WorkloadOptions, defaults: Mapping[str, Any], own_prefix: str
) -> dict[str, str]:
    """The bucket for locations with a prefix, unless the user sets another one; the claim for the rest.

    ``own_prefix`` is that of the role in the bucket; empty without one.
    """
    known = value_at(defaults, location.key)
    where = {key: "" for key in ("url", "claim") if key in known}
    if options.text(f"{location.key}.claim") or options.text(f"{location.key}.url"):
        return where
    if options.bucket and location.prefix:
        where["url"] = f"s3://{options.bucket}/{own_prefix}{location.prefix}"
    elif options.claim:
        where["claim"] = options.claim
    return where


def _claims(cluster: KubernetesPlan, options: WorkloadOptions) -> list[str]:
    """Claims of the environment in the namespace that pods may write, in the order of their names."""
    namespace = options.namespace or default_namespace(cluster)
    return sorted(name for home, name in environment_claims(cluster, access_modes=WRITTEN) if home == namespace)


def _hint(location: StorageLocation, plan: ClusterPlan, options: WorkloadOptions) -> str:
    """Returns the options to set, and where the name is found: a bucket gets its name at the deploy.

    The claims of the namespace that pods may write come first; then those of other namespaces.
    """
    storage, stack = plan.storage, plan.stack_name(STORAGE.stack_key)
    claim = "--claim NAME of a PersistentVolumeClaim in the namespace (ReadWriteMany)"
    if plan.kubernetes is not None and (names := _claims(plan.kubernetes, options)):
        claim = f"--claim {names[0]}, a PersistentVolumeClaim that the environment creates"
        claim += f" (others: {', '.join(names[1:])})" if names[1:] else ""
        claim += ", or --claim NAME of another one"
    elif storage is not None and storage.lustre is not None:
        claim += f", such as one on the file system that the output LustreFileSystem of the stack {stack} names"
    if location.prefix is None:
        return f"give {claim}, or --set {location.key}.claim=NAME"
    bucket = "--bucket NAME of an S3 bucket"
    if storage is not None and storage.bucket is not None:
        bucket += f", which is the output CheckpointBucket of the stack {stack}"
    return f"give {bucket}; or {claim}"
