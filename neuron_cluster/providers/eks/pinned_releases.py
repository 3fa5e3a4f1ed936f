"""AMI releases of EKS that a file or a lock pins, compared with those that EC2 has, before a deploy."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from neuron_cluster.aws.images import images_by_name
from neuron_cluster.aws.ssm import parameter
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.pinned_by import AMAZON, PinnedBy, unknown_image
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

OLD_DAYS = 90
"""A release this much older than the newest one is warned about: several are published a month."""


def pinned_release_findings(cluster: EksPlan, access: AwsAccess, pinned_by: PinnedBy) -> Iterator[Finding]:
    """E9543, E9544, W9545 and W9546, once for each release. Raises ``ToolkitError`` when AWS does not answer."""
    checked: set[tuple[str, str]] = set()
    for group in cluster.managed_groups:
        kind, release = group.image.family, group.image.release
        if release is None or (kind, release) in checked:
            continue
        checked.add((kind, release))
        if (name_parameter := _name_parameter(kind, cluster.version, access.catalog)) is not None:
            yield from _release_findings(group, kind, release, name_parameter, access, pinned_by)


def _name_parameter(kind: str, version: str, catalog: Catalog) -> str | None:
    """The SSM parameter with the name of the newest image; None where none is published."""
    row = catalog.ami_types.get(kind)
    return row.image_name_parameter(version) if row is not None and row.is_published else None


def _release_findings(
    group: NodeGroupPlan, kind: str, release: str, name_parameter: str, access: AwsAccess, pinned_by: PinnedBy
) -> Iterator[Finding]:
    locked = pinned_by.lock.ami_releases.get(kind) if pinned_by.lock is not None else None
    is_locked = locked is not None and locked.release_version == release
    entry = ("ami_releases", kind, "release_version") if is_locked else ()
    place = pinned_by.place((*group.path, "ami_release"), *entry)
    anew = f"run `{pinned_by.lock_again}`, which writes a new lock" if is_locked else "correct or remove ami_release"
    newest = parameter(access.target, name_parameter) or ""
    stem, _, newest_build = newest.rpartition("-v")
    build = release.rpartition("-")[2]
    if not stem or not newest_build.isdigit():
        message = f"the release {release} of {kind} was not checked: SSM has no usable {name_parameter}"
        yield Finding("W9545", place, message, "compare it with the releases of awslabs/amazon-eks-ami")
        return
    images = [i for i in images_by_name(access.target, [f"{stem}-v{build}"]) if i.owner_alias == AMAZON]
    if not images:
        yield unknown_image(f"an AMI {stem}-v{build} of Amazon (release {release})", place, access, anew)
        return
    if is_locked and locked is not None and locked.image_id not in {image.id for image in images}:
        message = f"the lock has {locked.image_id} as the AMI of release {release}; EC2 has {images[0].id} for it"
        yield Finding("E9544", pinned_by.place((), "ami_releases", kind, "image_id"), message, anew)
    age = (_day(newest_build) - _day(build)).days
    if age > OLD_DAYS:
        message = f"release {release} of {kind} is {age} days older than the newest one ({newest_build})"
        yield Finding("W9546", place, message, f"{anew}; or keep it if the old release is intended")


def _day(build: str) -> date:
    """Returns the day of a release: rule E3071 rejects releases without one."""
    return date.fromisoformat(build)
