from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given, items, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, InstanceGroup, groups_of

TYPES = "InstanceRequirements.InstanceTypes"


class InstanceTypeOrRequirements(TemplateRule):
    """An instance group has one type, or a list of different types (`InstanceType`, `InstanceRequirements`)."""

    id = "E8917"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-cli-command-create-cluster.html"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        maximum = context.catalog.limits["hyperpod_requirement_types"].require_maximum()
        for group in groups_of(context.resource):
            one, several = group.at("InstanceType"), group.at("InstanceRequirements")
            if is_given(one) and is_given(several):
                yield Violation(
                    f"{group.path}.InstanceRequirements",
                    "is set, and InstanceType too",
                    "remove InstanceRequirements, or InstanceType",
                )
            elif one is None and several is None:
                yield Violation(
                    f"{group.path}.InstanceType",
                    "is not set, and InstanceRequirements neither",
                    "write InstanceType",
                )
            else:
                yield from _of_list(group, maximum)


def _of_list(group: InstanceGroup, maximum: int) -> Violations:
    names = [text(each) for each in items(group.at("InstanceRequirements", "InstanceTypes"))]
    twice = sorted({name for name in names if name is not None and names.count(name) > 1})
    if twice:
        yield Violation(
            f"{group.path}.{TYPES}", f"lists {listed(twice)} more than once", f"remove the second {listed(twice)}"
        )
    if len(names) > maximum:
        yield Violation(
            f"{group.path}.{TYPES}",
            f"lists {len(names)} types; {maximum} are allowed",
            f"keep the first {maximum} types",
        )
