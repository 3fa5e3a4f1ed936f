"""An AMI that a build would replace by another one today."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.commands import Command
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.image.part import IMAGE_PART
from neuron_cluster.rules.base import LockRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class SlurmImageOutdated(LockRule):
    """The AMI of the lock is what a build for the file and the lock would build (`slurm.dlami`).

    `neuron-cluster lock` may pin a newer Deep Learning AMI, and a release of the toolkit may have newer software. Only
    a warning: the AMI still runs. Newer scripts that Slurm runs need no AMI: each start of a node writes them.

    Without this check nodes keep the Neuron driver, agent and Slurm of the day on which the AMI was built.
    """

    id = "W2142"
    source = "https://docs.aws.amazon.com/imagebuilder/latest/userguide/create-image-recipes.html"
    written_by_part = IMAGE_PART

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        slurm = environment.config.section(Slurm)
        image = lock.slurm_image if lock is not None else None
        dlami = catalog.dlami(slurm.dlami) if slurm is not None else None
        if slurm is None or slurm.ami_id is not None or lock is None or image is None or dlami is None:
            return
        if image.slurm_version != slurm.version or image.dlami != slurm.dlami:  # rules E2141, E2143
            return
        from neuron_cluster.image.recipe import software_version
        from neuron_cluster.providers.pcs.image.build_image_plan import build_image_plan
        from neuron_cluster.providers.pcs.image.recipe import slurm_recipe

        planned = build_image_plan(slurm, dlami, environment, catalog, lock)
        if planned is None or planned.parent is None:
            return
        if planned.parent != image.parent:
            message = f"was built from {image.parent}, but the lock pins {planned.parent} for {slurm.dlami}"
        elif software_version(today := slurm_recipe(planned).version) != software_version(image.recipe_version):
            message = f"was built by a recipe with other software, {image.recipe_version}; today's is {today}"
        else:
            return
        yield Violation(
            ("slurm", "dlami"), f"{image.image_id}, the AMI of the lock, {message}", f"run `{Command.IMAGE_BUILD}`"
        )
