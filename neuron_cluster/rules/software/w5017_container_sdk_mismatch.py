from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.compatibility.neuron_software import known_containers
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ContainerSdkMismatch(Rule):
    """Containers and environment have the same Neuron SDK release (`neuron.containers`).

    Only a warning: neighbouring releases are usually compatible, and rule E5010 reports those that are not.

    Without this check AWS reports no error. A graph that was compiled with one release is compiled again with the
    other, and the plan, the upgrade report and the report pages show a release that the jobs do not use.
    """

    id = "W5017"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )
    references = ("aws-neuron/aws-neuron-sdk#812",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if context.catalog.neuron_sdks.get(config.neuron.sdk) is None:  # rule E6005
            return
        for position, container in known_containers(config, context.catalog):
            if container.neuron_sdk != config.neuron.sdk:
                same = _of_release(config.neuron.sdk, container, context.catalog)
                yield Violation(
                    ("neuron", "containers", position),
                    f"{container.name} has Neuron SDK {container.neuron_sdk}, but neuron.sdk is {config.neuron.sdk}",
                    f"use {same.name}, or set neuron.sdk to {container.neuron_sdk}"
                    if same is not None
                    else f"the catalog has no such image of {config.neuron.sdk}: set neuron.sdk to "
                    f"{container.neuron_sdk} if nothing else requires the newer release",
                )


def _of_release(release: str, container: Container, catalog: Catalog) -> Container | None:
    """The image of the same repository and framework that belongs to the release."""
    kind = (container.repository, container.framework, release)
    return next(
        (each for each in catalog.containers if (each.repository, each.framework, each.neuron_sdk) == kind), None
    )
