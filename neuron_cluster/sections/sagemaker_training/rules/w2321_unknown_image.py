from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class UnknownImage(Rule):
    """The catalog has the image of a job, with its SDK release, framework and devices (`image`).

    Only a warning: an image of your own is in no catalog.

    Without this check nothing states that SDK release, framework and devices of the image were not compared.
    """

    id = "W2321"
    source = "the design of this toolkit"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for path, job in jobs_in(context.environment.config):
            if catalog.containers.get(job.image) is not None:
                continue
            name = job.image.rpartition("/")[2]
            repositories = {row.repository.rpartition("/")[2] for row in catalog.containers}
            repository, has_tag = name.partition("@")[0].partition(":")[0], "@" not in name
            near = did_you_mean(catalog.containers.similar(job.image)) if repository in repositories and has_tag else ""
            yield Violation(
                (*path, "image"),
                f"the catalog has no image {name}: its SDK release, framework and devices were not compared",
                f"{near}look up aws-neuronx-runtime-lib in it, and compare with neuron.sdk "
                f"({context.environment.config.neuron.sdk}); `neuron-cluster catalog containers` lists the known",
            )
