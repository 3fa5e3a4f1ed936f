"""The AMIs, charts and container images that an environment pins, compared with what EC2 and registries have."""

from __future__ import annotations

from neuron_cluster.deploy.account_registries import registries_for
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.locked_digests import digest_findings, locked_digests
from neuron_cluster.deploy.pinned_images import pinned_image_findings
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.lock.inputs import LockInputs
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import lock_command, lock_path
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.planning.build_lock_inputs import build_lock_inputs
from neuron_cluster.project import shown_path
from neuron_cluster.protocol.pinned_by import PinnedBy


def pinned_images(opened: OpenedEnvironment, destination: Destination) -> list[Finding]:
    """Calls EC2 and SSM, read-only, where something is pinned. Raises ``ToolkitError`` when AWS does not answer."""
    return pinned_image_findings(opened.plan, destination, pinned_by(opened))


def pinned_by(opened: OpenedEnvironment) -> PinnedBy:
    """The file and its lock."""
    return PinnedBy(
        lock=opened.lock,
        lock_file=shown_path(lock_path(opened.locks, opened.plan.name)),
        lock_again=lock_command(opened.file.display_name, opened.locks),
        locate=opened.locate,
    )


def image_subjects(opened: OpenedEnvironment) -> list[str]:
    """Returns the AMIs and releases that are pinned, with their groups."""
    pinned = ((each.name, each.image.pinned or each.image.release) for each in opened.plan.compute_groups)
    workstations = ((each.name, each.pinned_image) for each in opened.plan.workstations)
    return list(dict.fromkeys(f"{name}: {image}" for name, image in (*pinned, *workstations) if image is not None))


def pinned_digests(opened: OpenedEnvironment, destination: Destination) -> list[Finding]:
    """Asks registries for the digests of the lock; nothing for the local AWS, which pulls no chart and no image."""
    lock, questions = _of_lock(opened, destination)
    if lock is None:
        return []
    registries = registries_for(opened.plan.account, destination.target)
    place = Location(shown_path(lock_path(opened.locks, opened.plan.name)))
    again = lock_command(opened.file.display_name, opened.locks)
    return list(digest_findings(lock, questions.charts, questions.images, registries, place, again))


def digest_subjects(opened: OpenedEnvironment, destination: Destination) -> list[str]:
    """Returns the charts and images whose digest the lock has."""
    lock, questions = _of_lock(opened, destination)
    if lock is None:
        return []
    registries = registries_for(opened.plan.account, destination.target)
    return [what for what, _, _ in locked_digests(lock, questions.charts, questions.images, registries)]


def _of_lock(opened: OpenedEnvironment, destination: Destination) -> tuple[Lock | None, LockInputs]:
    """The lock whose digests are compared, None where none are, and what the environment pins."""
    is_asked = not destination.is_local and opened.plan.kubernetes is not None
    return opened.lock if is_asked else None, build_lock_inputs(opened.plan, opened.catalog)
