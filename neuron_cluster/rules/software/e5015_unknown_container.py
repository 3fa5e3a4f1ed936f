"""Images that the Neuron gallery does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.neuron_software import is_of_gallery
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class UnknownContainer(ConfigRule):
    """Every Neuron Deep Learning Container is one that the catalog knows.

    This is about images of the public Neuron gallery, and names without a registry. For an image of another registry
    see rule W5016.

    Without this check AWS receives no request: nothing says which runtime, framework and chips the image is made for.
    On the cluster the pods stay in ImagePullBackOff.
    """

    id = "E5015"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )
    proposes = ("containers",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        for position, name in enumerate(config.neuron.containers):
            if catalog.container(name) is None and is_of_gallery(name, catalog):
                yield Violation(
                    ("neuron", "containers", position),
                    f"{name} is no image of the Neuron gallery that the catalog knows",
                    f"{did_you_mean(catalog.near_containers(name))}`neuron-cluster catalog containers` lists the known "
                    "ones",
                )
