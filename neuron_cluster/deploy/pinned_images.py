"""Holds the AMIs that a file or a lock pins against EC2, before a deploy changes anything.

The checksum of a lock has no key: an edit of a lock can include the checksum. EC2 returns who owns an image.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.images import Image, images_by_id, images_by_name
from neuron_cluster.aws.ssm import parameter
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan

AMAZON = "amazon"
"""Alias of the owners in EC2's own list. Source: EC2 API Reference, DescribeImages, filter owner-alias."""

OLD_DAYS = 90
"""A release this much older than the newest one is warned about: several are published a month."""

KeyPath = tuple[str | int, ...]


class PinnedBy(Struct, frozen=True):
    """Where a pinned image comes from. ``lock`` is None where no lock was read."""

    lock: Lock | None
    lock_file: str
    lock_again: str
    """The command that writes the lock anew."""
    locate: Callable[[KeyPath], Location]

    def place(self, path: KeyPath, *entry: str) -> Location:
        """The lock's entry where it has one, else the key in the environment file."""
        return Location(self.lock_file, path=".".join(entry)) if entry else self.locate(path)


def pinned_image_findings(
    plan: ClusterPlan, image_name_parameters: Mapping[str, str], destination: Destination, pinned_by: PinnedBy
) -> list[Finding]:
    """E9542 to E9544 for AMIs that must not run, W9545 and W9546 for what could not be checked and for old releases.

    ``image_name_parameters`` are the SSM parameters with the newest image's name, by AMI type. Raises ``ToolkitError``
    when AWS does not answer; a missing permission is a warning.
    """
    return [
        *_allowed(lambda: list(_workstations(plan, destination, pinned_by)), destination, pinned_by),
        *_allowed(lambda: list(_groups(plan, image_name_parameters, destination, pinned_by)), destination, pinned_by),
    ]


def _allowed(check: Callable[[], list[Finding]], destination: Destination, pinned_by: PinnedBy) -> list[Finding]:
    try:
        return check()
    except AwsApiError as error:
        if not error.is_denied:
            raise
        hint = "allow ec2:DescribeImages and ssm:GetParameter to the role that deploys, and deploy again"
        message = f"owners and releases of pinned AMIs were not checked in {destination.region}: {error.message}"
        return [Finding("W9545", pinned_by.locate(("account",)), message, hint)]


def _workstations(plan: ClusterPlan, destination: Destination, pinned_by: PinnedBy) -> Iterator[Finding]:
    pinned = [(each, each.pinned_image) for each in plan.workstations if each.pinned_image is not None]
    images = images_by_id(destination.target, sorted({image for _, image in pinned if image}))
    for workstation, image_id in pinned:
        found = _judged_image(workstation, str(image_id), images.get(str(image_id)), plan, destination, pinned_by)
        if found is not None:
            yield found


def _judged_image(
    workstation: WorkstationPlan,
    image_id: str,
    image: Image | None,
    plan: ClusterPlan,
    destination: Destination,
    pinned_by: PinnedBy,
) -> Finding | None:
    locked = pinned_by.lock.dlamis.get(workstation.dlami) if pinned_by.lock is not None else None
    is_locked = locked is not None and locked.image_id == image_id
    entry = ("dlamis", workstation.dlami, "image_id") if is_locked else ()
    place = pinned_by.place((*workstation.path, "ami_id"), *entry)
    anew = f"run `{pinned_by.lock_again}`, which writes a new lock" if is_locked else "correct or remove ami_id"
    if image is None:
        return _unknown(f"{image_id} of workstation {workstation.name}", place, destination, anew)
    trusted = {workstation.image_owner} if is_locked else {workstation.image_owner, plan.account}
    if image.owner_alias == AMAZON or image.owner in trusted:
        return None
    message = f"{image_id} of workstation {workstation.name} belongs to account {image.owner}, not to Amazon"
    trust = (
        f'or, if that account is yours too, write ami_id: {image_id} and ami_owner: "{image.owner}" for it in the file'
    )
    return Finding("E9542", place, message, f"{anew}; {trust}")


def _unknown(what: str, place: Location, destination: Destination, anew: str) -> Finding:
    """An error on AWS; the local AWS does not have every image of AWS."""
    if destination.is_local:
        return Finding("W9545", place, f"the local AWS does not have {what}: its owner was not checked", anew)
    message = f"{what} does not exist in {destination.region}, or the account may not launch it"
    return Finding("E9543", place, message, anew)


def _groups(
    plan: ClusterPlan, image_name_parameters: Mapping[str, str], destination: Destination, pinned_by: PinnedBy
) -> Iterator[Finding]:
    judged: set[tuple[str, str]] = set()
    for group in plan.node_groups:
        kind, release = group.image.family, group.image.release
        if kind is None or release is None or kind not in image_name_parameters or (kind, release) in judged:
            continue
        judged.add((kind, release))
        yield from _judged_release(group, kind, release, image_name_parameters[kind], destination, pinned_by)


def _judged_release(
    group: NodeGroupPlan, kind: str, release: str, name_parameter: str, destination: Destination, pinned_by: PinnedBy
) -> Iterator[Finding]:
    locked = pinned_by.lock.ami_releases.get(kind) if pinned_by.lock is not None else None
    is_locked = locked is not None and locked.release_version == release
    entry = ("ami_releases", kind, "release_version") if is_locked else ()
    place = pinned_by.place((*group.path, "ami_release"), *entry)
    anew = f"run `{pinned_by.lock_again}`, which writes a new lock" if is_locked else "correct or remove ami_release"
    newest = parameter(destination.target, name_parameter) or ""
    stem, _, newest_build = newest.rpartition("-v")
    build = release.rpartition("-")[2]
    if not stem or not newest_build.isdigit():
        message = f"the release {release} of {kind} was not checked: SSM has no usable {name_parameter}"
        yield Finding("W9545", place, message, "compare it with the releases of awslabs/amazon-eks-ami")
        return
    images = [i for i in images_by_name(destination.target, [f"{stem}-v{build}"]) if i.owner_alias == AMAZON]
    if not images:
        yield _unknown(f"an AMI {stem}-v{build} of Amazon (release {release})", place, destination, anew)
        return
    if is_locked and locked is not None and locked.image_id not in {image.id for image in images}:
        message = f"the lock has {locked.image_id} as the AMI of release {release}; EC2 has {images[0].id} for it"
        yield Finding("E9544", pinned_by.place((), "ami_releases", kind, "image_id"), message, anew)
    age = (_day(newest_build) - _day(build)).days
    if age > OLD_DAYS:
        message = f"release {release} of {kind} is {age} days older than the newest one ({newest_build})"
        yield Finding("W9546", place, message, f"{anew}; or keep it if the old release is intended")


def _day(build: str) -> date:
    """Of a release: rule E3071 rejects those without a day."""
    return date.fromisoformat(build)
