from __future__ import annotations

import re

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at

LATEST = re.compile(r"\{\{resolve:ssm:[^:]+\}\}")
"""A dynamic reference without a version."""
PARAMETER_TYPE = "AWS::SSM::Parameter::Value"


class AmiFromParameter(TemplateRule):
    """The AMI of a compute node group is an id, or a version of an SSM parameter (`AmiId`).

    Without this check AWS reports no error. Each update of the stack reads the parameter again, and PCS replaces all
    nodes when it has another AMI, also one without the Slurm version of the cluster.
    """

    id = "E8967"
    operation = "pcs:UpdateComputeNodeGroup"
    error_code = None
    source = "awslabs/awsome-distributed-ai@95b939c: architectures/aws-pcs"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        written = at(context.resource.body, "Properties", "AmiId")
        ami, name = at(written, "Fn::Sub") or written, at(written, "Ref")
        parameters = context.look_up.templates[context.resource.stack].get("Parameters", {})
        if isinstance(ami, str) and LATEST.fullmatch(ami):
            message = f"is {ami}"
        elif name in parameters and str(parameters[name].get("Type")).startswith(PARAMETER_TYPE):
            message = f"is {name}, a parameter of the type {parameters[name]['Type']}"
        else:
            return
        yield Violation(
            "AmiId",
            f"{message}, which each update of the stack reads again",
            "write the AMI id, or the parameter with a version: {{resolve:ssm:NAME:VERSION}}",
        )
