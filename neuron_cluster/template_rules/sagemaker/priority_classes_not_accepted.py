from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, whole_number

CLASSES = "SchedulerConfig.PriorityClasses"


class PriorityClassesNotAccepted(TemplateRule):
    """The number of priority classes and their weights are within the limits of SageMaker (`PriorityClasses`)."""

    id = "E8938"
    operation = "sagemaker:CreateClusterSchedulerConfig"
    error_code = "ValidationException"
    source = (
        "cfn-lint 1.58.0: AWS::SageMaker::ClusterSchedulerConfig PriorityClasses; numbers: catalog/data/limits.yaml"
    )
    types = ("AWS::SageMaker::ClusterSchedulerConfig",)

    def check(self, context: TemplateContext) -> Violations:
        limits = context.catalog.limits
        maximum, weight = limits["scheduler_priority_classes"].require_maximum(), limits["scheduler_weight"]
        classes = items(at(context.resource.properties, *CLASSES.split(".")))
        if len(classes) > maximum:
            yield Violation(
                CLASSES, f"lists {len(classes)} classes; {maximum} are allowed", f"keep the first {maximum}"
            )
        least, most = weight.require_minimum(), weight.require_maximum()
        for position, each in enumerate(classes):
            found = whole_number(at(each, "Weight"))
            if found is not None and not least <= found <= most:
                yield Violation(
                    f"{CLASSES}[{position}].Weight",
                    f"is {found}; it must be {least} to {most}",
                    f"write a Weight of {least} to {most}",
                )
