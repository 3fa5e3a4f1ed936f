from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class PrepullWithoutImage(Rule):
    """With `eks.addons.image_prepull`, `neuron.containers` has an image for each Neuron node group.

    Without this check nothing is pulled in advance on nodes of the group, and the first pod of a job waits for its
    image.
    """

    id = "W5092"
    source = (
        "the design of this toolkit: neuron_cluster/schedulers/kubernetes/software/components/image_prepull.py pulls "
        "neuron.containers"
    )
    proposes = ("image_prepull",)

    def check(self, context: RuleContext) -> Violations:
        environment, catalog = context.environment, context.catalog
        cluster = kubernetes_in(environment.config)
        if cluster is None or not cluster.flag("image_prepull"):
            return
        listed = [catalog.containers.get(name) for name in environment.config.neuron.containers]
        for group in node_groups(environment):
            row = catalog.instance_types.get(group.spec.instance_type) if group.is_neuron else None
            if row is not None and not any(each is None or catalog.container_runs_on(each, row) for each in listed):
                yield Violation(
                    (*cluster.path, "addons", "image_prepull"),
                    f"image_prepull is true, and no image of neuron.containers runs on {row.name} (node group "
                    f"{group.name})",
                    f"add the image of your jobs to neuron.containers{_such_as(row, environment, catalog)}, or remove "
                    "image_prepull",
                )


def _such_as(row: InstanceType, environment: ResolvedEnvironment, catalog: Catalog) -> str:
    """An image of the environment's release for this instance type; empty where the catalog has none."""
    sdk = environment.config.neuron.sdk
    fitting = (each for each in catalog.containers if each.neuron_sdk == sdk and catalog.container_runs_on(each, row))
    first = next(fitting, None)
    return "" if first is None else f", such as {first.name}"
