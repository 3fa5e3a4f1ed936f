from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class ImageOfAnotherRegion(Rule):
    """The image of a job is in the Region of the environment (`image`).

    SageMaker pulls training images from ECR in its own Region.

    Without this check each job fails when it starts.
    """

    id = "E2312"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/your-algorithms-training-algo-dockerfile.html"

    def check(self, context: RuleContext) -> Violations:
        region = context.environment.config.region
        for path, job in jobs_in(context.environment.config):
            given = job.image.split(".")[3]
            if given != region:
                own = job.image.replace(f".{given}.", f".{region}.", 1)
                yield Violation(
                    (*path, "image"),
                    f"image is in {given}, and the environment in {region}",
                    f"use {own} if the registry has it there, or copy the image into the ECR of {region}",
                )
