from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class ImageOfAnotherRelease(Rule):
    """The image of a job is of the Neuron SDK release of the file, and AWS still supports it (`image`).

    Only a warning: SageMaker does not publish the driver of its instances, so that no release is known not to work.

    Without this check jobs compile each graph that other jobs of the environment have in the shared cache.
    """

    id = "W2320"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/sdk-policy.html"
    proposes = ("neuron.sdk",)

    def check(self, context: RuleContext) -> Violations:
        catalog, own = context.catalog, context.environment.config.neuron.sdk
        for path, job in jobs_in(context.environment.config):
            image, row = catalog.containers.get(job.image), catalog.training_job_types.get(job.instance_type)
            if image is None:
                continue
            place, instance = (*path, "image"), catalog.instance_types.get(row.instance_type) if row else None
            retired = _retired(image, instance.chip if instance is not None else None, catalog)
            if retired:
                yield Violation(place, retired, "plan the migration: `neuron-cluster catalog frameworks`")
            elif image.successor is not None:
                yield Violation(
                    place, f"AWS no longer builds images like {image.name}", f"plan the migration to {image.successor}"
                )
            elif image.neuron_sdk != own:
                message = f"{image.name} has SDK {image.neuron_sdk}, and neuron.sdk is {own}"
                yield Violation(place, f"{message}; releases do not share compiled graphs", _way(image, own, catalog))


def _way(image: Container, own: str, catalog: Catalog) -> str:
    """The image of the same framework and of the release of the file, where there is one."""
    alike = (row for row in catalog.containers if row.framework == image.framework and row.neuron_sdk == own)
    found = next((row for row in alike if set(image.families) <= set(row.families)), None)
    move = f"set neuron.sdk: {image.neuron_sdk} where all nodes and jobs may have it"
    return (
        f"use {found.name}, or {move}" if found is not None else f"the catalog has no such image of SDK {own}: {move}"
    )


def _retired(image: Container, chip: str | None, catalog: Catalog) -> str:
    """States that the framework is no longer supported; empty for one that is."""
    framework = catalog.frameworks.get(image.framework)
    if framework is None or chip is None:
        return ""
    support = framework.support_on(chip, image.neuron_sdk)
    if support is None or support.state != "retired":
        return ""
    title = catalog.chips[chip].title
    return f"{framework.title} is no longer supported on {title} in SDK {image.neuron_sdk} of {image.name}"
