from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.compatibility.neuron_software import known_containers, neuron_hosts
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class RetiredContainer(Rule):
    """AWS still builds the repository of every container (`neuron.containers`).

    Only a warning: an existing image remains compatible with the drivers of its window.

    Without this check AWS reports no error. The image gets no fixes, and drivers of new nodes may be incompatible with
    it, while no newer image exists in the repository.
    """

    id = "W5023"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )
    proposes = ("ami_release",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for position, container in known_containers(config, context.catalog):
            if container.successor is not None:
                yield Violation(
                    ("neuron", "containers", position),
                    f"AWS no longer builds images like {container.name}; the successor is {container.successor}",
                    _hint(container, container.successor, context.environment, context.catalog),
                )


def _hint(container: Container, successor: str, environment: ResolvedEnvironment, catalog: Catalog) -> str:
    """To move to the successor, or where the instance types do not support it, the steps until then."""
    types = [host.instance_type for host in neuron_hosts(environment, catalog, None)]
    left = [each.name for each in types if catalog.container_runs_on(container, each)]
    image = catalog.containers.get(successor)
    lost = [each.name for each in types if image is not None and not catalog.container_runs_on(image, each)]
    if image is not None and set(left) & set(lost):
        return (
            f"plan the migration: the successor supports {listed(image.families)}, not {listed(dict.fromkeys(lost))}; "
            "until then pin ami_release, so that the driver remains compatible"
        )
    return "use the successor when you next change the environment"
