"""Scripts of nodes without a checksum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

STAGES = ("NodeBootstrapped", "NodeReady")


class LifecycleScriptWithoutChecksum(ResourceRule):
    """Each lifecycle script of a compute node group has a checksum (`NodeLifecycleActions`).

    Without this check AWS reports no error: every principal that can write the object runs commands as root on new
    nodes.
    """

    id = "E8968"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/cng-node-lifecycle-actions-best-practices.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        stages = at(resource.properties, "NodeLifecycleActions", "Stages")
        for stage in STAGES:
            for position, script in enumerate(items(at(stages, stage))):
                source = at(script, "ScriptSource")
                if not is_unknown(source) and at(source, "Checksum") is None:
                    yield Violation(
                        f"NodeLifecycleActions.Stages.{stage}[{position}].ScriptSource",
                        "has no Checksum",
                        "write Checksum: the SHA-256 checksum of the script",
                    )
