from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown, items

STAGES = ("NodeBootstrapped", "NodeReady")


class LifecycleScriptWithoutChecksum(TemplateRule):
    """Each lifecycle script of a compute node group has a checksum (`NodeLifecycleActions`).

    Without this check AWS reports no error: every principal that can write the object runs commands as root on new
    nodes.
    """

    id = "E8968"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/cng-node-lifecycle-actions-best-practices.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        stages = at(context.resource.properties, "NodeLifecycleActions", "Stages")
        for stage in STAGES:
            for position, script in enumerate(items(at(stages, stage))):
                source = at(script, "ScriptSource")
                if not is_unknown(source) and at(source, "Checksum") is None:
                    yield Violation(
                        f"NodeLifecycleActions.Stages.{stage}[{position}].ScriptSource",
                        "has no Checksum",
                        "write Checksum: the SHA-256 checksum of the script",
                    )
