from __future__ import annotations

from neuron_cluster.plan.training_front_ends import TRAINING
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.config.job import Launcher
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class ImageOfAnotherFrontEnd(Rule):
    """The image of a job has the framework of its front end, where the catalog has the image (`front_end`).

    Without this check the first import of the program fails, on instances that are billed from their start.
    """

    id = "E2319"
    source = "https://github.com/aws-neuron/deep-learning-containers, 2be9ed1"
    proposes = ("front_end",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for path, job in jobs_in(context.environment.config):
            image, framework = catalog.containers.get(job.image), catalog.frameworks.get(TRAINING[job.front_end])
            if job.launcher is not Launcher.NEURON_TRAINING or image is None or framework is None:
                continue
            if framework.is_in_image_of(image.framework):
                continue
            ways = [f"set front_end: {name}" for name, row in TRAINING.items() if row == image.framework]
            if any(framework.is_in_image_of(row.framework) for row in catalog.containers):
                ways.append(f"use an image with {framework.title}: `neuron-cluster catalog containers`")
            else:
                ways.append(f"build an image with {framework.title}: the catalog has none")
            of_image = catalog.frameworks.get(image.framework)
            has = of_image.title if of_image is not None else image.framework
            message = f"front_end is {job.front_end}, and {image.name} has {has}"
            yield Violation((*path, "front_end"), message, " or ".join(ways))
