"""Images that nobody here knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.neuron_software import is_of_gallery
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ContainerOfAnotherRegistry(ConfigRule):
    """An image of your own registry bears the name and tag of the Neuron image that it is a copy of.

    Only a warning: your own image is your own affair. It is here because a check that could not run must say so:
    nothing in its name says which Neuron runtime is inside.

    Without this check AWS reports no error. Where the runtime inside and the driver of a host do not fit, jobs end in
    nrt_init().
    """

    id = "W5016"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        for position, name in enumerate(config.neuron.containers):
            if catalog.container(name) is None and not is_of_gallery(name, catalog):
                yield Violation(
                    ("neuron", "containers", position),
                    f"{name} is an image of another registry, so its runtime cannot be compared with the drivers of "
                    "its hosts",
                    f"{did_you_mean(catalog.near_containers(name))}list the Neuron image that it is built on instead",
                )
