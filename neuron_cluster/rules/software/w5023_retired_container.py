"""Images of a line that has ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.neuron_software import known_containers, neuron_hosts
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.container import Container
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class RetiredContainer(ConfigRule):
    """Every listed container is of a line that AWS still builds.

    Only a warning: an image that exists goes on working with drivers of its window.

    Without this check AWS reports no error. The image gets no fixes, and one day the drivers of new nodes do not work
    with it, while no newer image of the line exists.
    """

    id = "W5023"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )
    proposes = ("ami_release",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        for position, container in known_containers(config, catalog):
            if container.successor is not None:
                yield Violation(
                    ("neuron", "containers", position),
                    f"{container.name} is of a line that AWS does not build any more; its successor is "
                    f"{container.successor}",
                    _hint(container, container.successor, environment, catalog),
                )


def _hint(container: Container, successor: str, environment: ResolvedEnvironment, catalog: Catalog) -> str:
    """To move, or where that is impossible on the machines of the file, what it would take."""
    types = [host.instance_type for host in neuron_hosts(environment, catalog, None)]
    left = [each.name for each in types if catalog.container_runs_on(container, each)]
    image = catalog.container(successor)
    lost = [each.name for each in types if image is not None and not catalog.container_runs_on(image, each)]
    if image is not None and set(left) & set(lost):
        return (
            f"plan the move: the successor runs on {listed(image.families)}, not on {listed(dict.fromkeys(lost))}; "
            "until then pin ami_release, so that the driver stays in its window"
        )
    return "move to the successor when you next change the environment"
