from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given, is_unknown, items, whole_number

RESOURCES = "ComputeQuotaConfig.ComputeQuotaResources"
SHARING = "ComputeQuotaConfig.ResourceSharingConfig"
WEIGHT = "ComputeQuotaTarget.FairShareWeight"
BORROWS = "LendAndBorrow"
ABSOLUTE = "AbsoluteBorrowLimits"


class ComputeQuotaNotAccepted(TemplateRule):
    """The numbers of a compute quota are within the limits of SageMaker (`ComputeQuotaConfig`).

    A limit of what is borrowed is for the strategy LendAndBorrow alone. The text of the API has a smaller range for it
    than the schema: this rule has that of the text.

    Without this check SageMaker rejects the quota with a ValidationException (read from the schema, not tried).
    """

    id = "E8937"
    operation = "sagemaker:CreateComputeQuota"
    error_code = None
    source = (
        "cfn-lint 1.58.0: AWS::SageMaker::ComputeQuota; boto/botocore 1.44.5: sagemaker ResourceSharingConfig; "
        "numbers: catalog/data/limits.yaml"
    )
    types = ("AWS::SageMaker::ComputeQuota",)

    def check(self, context: TemplateContext) -> Violations:
        properties, limits = context.resource.properties, context.catalog.limits
        maximum = limits["compute_quota_resources"].require_maximum()
        for path in (RESOURCES, f"{SHARING}.{ABSOLUTE}"):
            number = len(items(at(properties, *path.split("."))))
            if number > maximum:
                yield Violation(
                    path,
                    f"lists {number} resources; a compute quota has {maximum} at most",
                    f"keep the first {maximum}",
                )
        sharing = at(properties, *SHARING.split("."))
        strategy, borrowed = at(sharing, "Strategy"), at(sharing, "BorrowLimit")
        for name in ("BorrowLimit", ABSOLUTE):
            if is_given(at(sharing, name)) and not is_unknown(strategy) and strategy != BORROWS:
                yield Violation(
                    f"{SHARING}.{name}",
                    f"is set, and Strategy is {strategy or 'not set'}",
                    f"remove {name}, or write Strategy: {BORROWS}",
                )
        ranges = (
            (f"{SHARING}.BorrowLimit", borrowed, limits["compute_quota_borrow_limit"]),
            (WEIGHT, at(properties, *WEIGHT.split(".")), limits["scheduler_weight"]),
        )
        for path, given, limit in ranges:
            found, least, most = whole_number(given), limit.require_minimum(), limit.require_maximum()
            if found is not None and not least <= found <= most:
                yield Violation(
                    path, f"is {found}; it must be {least} to {most}", f"write a number of {least} to {most}"
                )
