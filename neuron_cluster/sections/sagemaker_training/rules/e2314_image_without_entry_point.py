from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.config.job import Launcher
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class ImageWithoutEntryPoint(Rule):
    """With launcher `image`, the image of a job has the entry point of SageMaker (`launcher`).

    Of the Neuron Deep Learning Containers those of PyTorch have it (sagemaker-pytorch-training); those of JAX do not.

    Without this check the container ends at once, and the job has failed.
    """

    id = "E2314"
    source = "https://github.com/aws-neuron/deep-learning-containers, 2be9ed1"
    proposes = ("launcher", "program")

    def check(self, context: RuleContext) -> Violations:
        for path, job in jobs_in(context.environment.config):
            image = context.catalog.containers.get(job.image)
            if job.launcher is Launcher.IMAGE and image is not None and not image.has_sagemaker_entry_point:
                yield Violation(
                    (*path, "launcher"),
                    f"launcher is image, and {image.name} has no entry point of SageMaker",
                    "set launcher: neuron_training with program",
                )
