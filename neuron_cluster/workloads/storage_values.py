"""Where a workload keeps checkpoints, weights, graphs and profiles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.software.lustre_folders import namespace_folder
from neuron_cluster.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.workloads.environment_claims import environment_claims
from neuron_cluster.workloads.namespace_choice import usual_namespace
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.place import Place
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.refusal import finding

BUCKET_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html"""


def storage_values(
    recipe: Recipe, wish: WorkloadOptions, front_end: str, plan: ClusterPlan, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """``claim``, ``url`` and ``folder`` of every place; what nobody named is empty, whatever the chart's default is."""
    folder = _checkpoint_folder(wish, plan)
    return {
        place.key: _where(place, wish, defaults) | _folder(value_at(defaults, place.key), folder)
        for place in recipe.places
        if place.is_for(front_end)
    }


def _checkpoint_folder(wish: WorkloadOptions, plan: ClusterPlan) -> str | None:
    """On a claim that the environment makes, the folder of the namespace, which its Job makes; on another one the
    folder that is mirrored."""
    mirrored = mirrored_folder(plan)
    if plan.eks is None or wish.claim != LUSTRE_CLAIM:
        return mirrored
    namespace = wish.namespace or usual_namespace(plan.eks)
    is_ours = (namespace, LUSTRE_CLAIM) in environment_claims(plan.eks)
    return namespace_folder(mirrored or "", namespace) if is_ours else mirrored


def mirrored_folder(plan: ClusterPlan) -> str | None:
    """The folder of the file system that ``storage.lustre.sync`` mirrors, without its first slash; None without one."""
    lustre = plan.storage.lustre if plan.storage is not None else None
    return lustre.association.file_system_path.strip("/") if lustre is not None and lustre.association else None


def _folder(known: Mapping[str, Any], folder: str | None) -> dict[str, str]:
    return {"folder": folder} if folder is not None and "folder" in known else {}


def storage_findings(recipe: Recipe, wish: WorkloadOptions, front_end: str, plan: ClusterPlan) -> Iterator[Finding]:
    """An error for a place that must be named and is not, a warning for one that had better be.

    Also an error for an option that no place takes: what it names would be left out in silence.
    """
    places = [place for place in recipe.places if place.is_for(front_end)]
    yield from _without_place(places, recipe, wish)
    yield from _bad_names(recipe, wish)
    yield from _not_mirrored(places, recipe, wish, plan)
    for place in places:
        if not _is_named(place, wish):
            message = f"no place for {place.holds} is named: {place.without_it}"
            yield finding(
                "E9212" if place.is_required else "W9215", recipe.chart, place.key, message, _ways(place, plan)
            )


def _without_place(places: Sequence[Place], recipe: Recipe, wish: WorkloadOptions) -> Iterator[Finding]:
    in_a_bucket = [place for place in places if place.prefix]
    for option, name, taken_by in (("--bucket", wish.bucket, in_a_bucket), ("--claim", wish.claim, places)):
        if name and not taken_by:
            where = " in a bucket" if places else ""
            yield finding("E9221", recipe.chart, option, f"{recipe.chart} keeps nothing{where}", f"leave {option} out")


def _bad_names(recipe: Recipe, wish: WorkloadOptions) -> Iterator[Finding]:
    if wish.bucket and not BUCKET_NAME.fullmatch(wish.bucket):
        message = f"{wish.bucket} is no name of an S3 bucket"
        hint = (
            "it has 3 to 63 small letters, digits, dots and hyphens, without s3://, and ends as it begins: without dot"
        )
        yield finding("E9213", recipe.chart, "--bucket", message, f"{hint} or hyphen")


def _not_mirrored(
    places: Sequence[Place], recipe: Recipe, wish: WorkloadOptions, plan: ClusterPlan
) -> Iterator[Finding]:
    """A folder of the user's own that lies outside of the mirrored one."""
    folder = mirrored_folder(plan)
    for place in places if folder else ():
        key = f"{place.key}.folder"
        own = value_at(wish.given, key)
        if isinstance(own, str) and not f"{own}/".startswith(f"{folder}/"):
            message = f"{own or 'the root of the claim'} is outside of /{folder}, which storage.lustre.sync mirrors"
            usual = _checkpoint_folder(wish, plan)
            hint = f"leave it out: it is {usual} then; or give a folder below, such as {folder}/mine"
            yield finding("W9230", recipe.chart, key, message, hint)


def _is_named(place: Place, wish: WorkloadOptions) -> bool:
    own = wish.text(f"{place.key}.claim") or wish.text(f"{place.key}.url")
    return bool(own or wish.claim or (place.prefix and wish.bucket))


def _where(place: Place, wish: WorkloadOptions, defaults: Mapping[str, Any]) -> dict[str, str]:
    """A bucket is for what has a prefix in it, unless the user says otherwise; the claim for the rest."""
    known = value_at(defaults, place.key)
    where = {key: "" for key in ("url", "claim") if key in known}
    if wish.text(f"{place.key}.claim") or wish.text(f"{place.key}.url"):
        return where
    if wish.bucket and place.prefix:
        where["url"] = f"s3://{wish.bucket}/{place.prefix}"
    elif wish.claim:
        where["claim"] = wish.claim
    return where


def _ways(place: Place, plan: ClusterPlan) -> str:
    """What can be named, and where its name is found: a bucket gets its name when it is deployed."""
    claim = "--claim NAME of a PersistentVolumeClaim in the namespace (ReadWriteMany)"
    storage, stack = plan.storage, plan.stack_name(STORAGE.part)
    if storage is not None and storage.lustre is not None:
        homes = [home for home, name in environment_claims(plan.eks) if name == LUSTRE_CLAIM] if plan.eks else []
        claim += (
            f", such as {LUSTRE_CLAIM}"
            if homes
            else f", such as one on the file system that the output LustreFileSystem of the stack {stack} names"
        )
    if place.prefix is None:
        return f"give {claim}, or --set {place.key}.claim=NAME"
    bucket = "--bucket NAME of an S3 bucket"
    if storage is not None and storage.bucket is not None:
        bucket += f", which is the output CheckpointBucket of the stack {stack}"
    return f"give {bucket}; or {claim}"
