from __future__ import annotations

from neuron_cluster.findings.commands import Command
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.image.stack_key import IMAGE_STACK
from neuron_cluster.providers.pcs.lock_part import built_image
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class SlurmImageOutdated(Rule):
    """The AMI of the lock is what a build for the file and the lock would build (`slurm.dlami`).

    `neuron-cluster lock` may pin a newer Deep Learning AMI, and a release of the toolkit may have newer software. Only
    a warning: the AMI still runs. Newer scripts that Slurm runs need no AMI: each start of a node writes them.

    Without this check nodes keep the Neuron driver, agent and Slurm of the day on which the AMI was built.
    """

    id = "W2142"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/imagebuilder/latest/userguide/create-image-recipes.html"
    written_by_stack = IMAGE_STACK

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        slurm = context.environment.config.section(Slurm)
        image = built_image(lock)
        dlami = context.catalog.dlamis.get(slurm.dlami) if slurm is not None else None
        if slurm is None or slurm.ami_id is not None or lock is None or image is None or dlami is None:
            return
        if image.slurm_version != slurm.version or image.dlami != slurm.dlami:  # rules E2141, E2143
            return
        from neuron_cluster.image.recipe import software_version
        from neuron_cluster.providers.pcs.image.build_image_plan import build_image_plan
        from neuron_cluster.providers.pcs.image.recipe import slurm_recipe

        planned = build_image_plan(slurm, dlami, context.environment, context.catalog, lock)
        if planned is None or planned.parent is None:
            return
        if planned.parent != image.parent:
            message = f"was built from {image.parent}, but the lock pins {planned.parent} for {slurm.dlami}"
        elif software_version(today := slurm_recipe(planned, context.catalog).version) != software_version(
            image.recipe_version
        ):
            message = f"was built by a recipe with other software, {image.recipe_version}; today's is {today}"
        else:
            return
        yield Violation(
            ("slurm", "dlami"), f"{image.image_id}, the AMI of the lock, {message}", f"run `{Command.IMAGE_BUILD}`"
        )
