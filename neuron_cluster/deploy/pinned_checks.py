"""The AMIs, charts and container images that an environment pins, compared with what EC2 and registries have."""

from __future__ import annotations

from neuron_cluster.deploy.account_registries import registries_for
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.locked_digests import digest_findings
from neuron_cluster.deploy.pinned_images import pinned_image_findings
from neuron_cluster.findings.finding import Finding, Location
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


def pinned_digests(opened: OpenedEnvironment, destination: Destination) -> list[Finding]:
    """Asks registries for the digests of the lock; nothing for the local AWS, which pulls no chart and no image."""
    if destination.is_local or opened.lock is None or opened.plan.kubernetes is None:
        return []

    questions = build_lock_inputs(opened.plan, opened.catalog)
    registries = registries_for(opened.plan.account, destination.target)
    place = Location(shown_path(lock_path(opened.locks, opened.plan.name)))
    again = lock_command(opened.file.display_name, opened.locks)
    return list(digest_findings(opened.lock, questions.charts, questions.images, registries, place, again))
