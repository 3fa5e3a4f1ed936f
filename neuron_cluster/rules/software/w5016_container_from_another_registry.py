from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ContainerFromAnotherRegistry(Rule):
    """The runtime of an image from your own registry is known by its name and tag (`neuron.containers`).

    An image that has the name and tag of a Neuron image is checked like that image. Only a warning: nothing in the
    name of your own image gives its Neuron runtime, so the check could not run.

    Without this check AWS reports no error. If the runtime and the driver of a host are incompatible, jobs fail in
    nrt_init().
    """

    id = "W5016"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for position, name in enumerate(config.neuron.containers):
            if context.catalog.containers.get(name) is None and not context.catalog.containers.is_of_gallery(name):
                yield Violation(
                    ("neuron", "containers", position),
                    f"{name} is an image of another registry, so its runtime cannot be compared with the drivers of "
                    "its hosts",
                    f"{did_you_mean(context.catalog.containers.similar(name))}list its Neuron base image instead",
                )
