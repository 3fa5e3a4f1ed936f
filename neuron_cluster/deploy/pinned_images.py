"""Holds the AMIs that a file or a lock pins against EC2, before a deploy changes anything.

The checksum of a lock has no key: an edit of a lock can include the checksum. EC2 returns who owns an image.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.images import Image, images_by_id
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan
from neuron_cluster.protocol.operations import ImageRecipe
from neuron_cluster.protocol.pinned_by import AMAZON, PinnedBy, unknown_image
from neuron_cluster.protocol.registry import registered_operations


def pinned_image_findings(plan: ClusterPlan, destination: Destination, pinned_by: PinnedBy) -> list[Finding]:
    """E9542 to E9544 for AMIs that must not run, W9545 and W9546 for what could not be checked and for old releases.

    Raises ``ToolkitError`` when AWS does not answer; a missing permission is a warning.
    """
    checks = [
        functools.partial(_workstations, plan, destination, pinned_by),
        *(
            functools.partial(each.pinned_image_findings, plan, destination, pinned_by)
            for each in registered_operations()
        ),
    ]
    return [finding for check in checks for finding in _allowed(check, destination, pinned_by)]


def parent_image_findings(recipe: ImageRecipe, destination: Destination, pinned_by: PinnedBy) -> list[Finding]:
    """The same for the AMI of the lock from which `image build` builds: what is built belongs to the account."""
    check = functools.partial(_parent_image, recipe, destination, pinned_by)
    return _allowed(check, destination, pinned_by)


def _parent_image(recipe: ImageRecipe, destination: Destination, pinned_by: PinnedBy) -> Iterator[Finding]:
    image_id, what = recipe.parent or "", f"the parent image {recipe.parent} ({recipe.parent_kind})"
    image = images_by_id(destination.target, [image_id]).get(image_id)
    place = pinned_by.place((), "dlamis", recipe.parent_kind, "image_id")
    anew = f"run `{pinned_by.lock_again}`, which writes a new lock"
    if image is None:
        yield unknown_image(what, place, destination, anew)
    elif image.owner_alias != AMAZON:
        yield Finding("E9542", place, f"{what} belongs to account {image.owner}, not to Amazon", anew)


def _allowed(check: Callable[[], Iterable[Finding]], destination: Destination, pinned_by: PinnedBy) -> list[Finding]:
    try:
        return list(check())
    except AwsApiError as error:
        if not error.is_denied:
            raise
        hint = "allow ec2:DescribeImages and ssm:GetParameter to the role that deploys, and run the command again"
        message = f"owners and releases of pinned AMIs were not checked in {destination.region}: {error.message}"
        return [Finding("W9545", pinned_by.locate(("account",)), message, hint)]


def _workstations(plan: ClusterPlan, destination: Destination, pinned_by: PinnedBy) -> Iterator[Finding]:
    pinned = [(each, each.pinned_image) for each in plan.workstations if each.pinned_image is not None]
    images = images_by_id(destination.target, sorted({image for _, image in pinned if image}))
    for workstation, image_id in pinned:
        found = _image_findings(workstation, str(image_id), images.get(str(image_id)), plan, destination, pinned_by)
        if found is not None:
            yield found


def _image_findings(
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
        return unknown_image(f"{image_id} of workstation {workstation.name}", place, destination, anew)
    trusted = {workstation.image_owner} if is_locked else {workstation.image_owner, plan.account}
    if image.owner_alias == AMAZON or image.owner in trusted:
        return None
    message = f"{image_id} of workstation {workstation.name} belongs to account {image.owner}, not to Amazon"
    trust = (
        f'or, if that account is yours too, write ami_id: {image_id} and ami_owner: "{image.owner}" for it in the file'
    )
    return Finding("E9542", place, message, f"{anew}; {trust}")
