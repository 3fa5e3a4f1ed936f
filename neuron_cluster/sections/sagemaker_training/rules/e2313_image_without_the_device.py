from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class ImageWithoutTheDevice(Rule):
    """The image of a job supports its Neuron devices, where the catalog has the image (`image`).

    The catalog has the Neuron Deep Learning Containers by repository and tag; the same images are in the ECR of AWS.

    Without this check the program of the job finds no device that its runtime supports.
    """

    id = "E2313"
    source = "https://github.com/aws-neuron/deep-learning-containers, 2be9ed1"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for path, job in jobs_in(context.environment.config):
            image, row = catalog.containers.get(job.image), catalog.training_job_types.get(job.instance_type)
            if image is None or row is None:
                continue
            family = row.instance_type.partition(".")[0].removesuffix("n")
            if family not in image.families:
                yield Violation(
                    (*path, "image"),
                    f"image is {image.name}, which supports {listed(image.families)}, not {row.name}",
                    "use an image of the Neuron device: `neuron-cluster catalog containers` lists them",
                )
