from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, whole_number

CLASSES = ("STANDARD_IA", "ONEZONE_IA")
LISTS = ("Transitions", "NoncurrentVersionTransitions")


class InfrequentAccessTooEarly(TemplateRule):
    """Objects move to infrequent access after the days that S3 requires (`TransitionInDays`)."""

    id = "E8405"
    operation = "s3:PutBucketLifecycleConfiguration"
    error_code = "InvalidArgument"
    source = (
        "https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html; days: "
        "catalog/data/limits.yaml"
    )
    types = ("AWS::S3::Bucket",)

    def check(self, context: TemplateContext) -> Violations:
        least = context.catalog.limits["s3_infrequent_access_days"].require_minimum()
        for position, rule in enumerate(items(at(context.resource.properties, "LifecycleConfiguration", "Rules"))):
            for name, number, each in _transitions(rule):
                days, storage_class = whole_number(at(each, "TransitionInDays")), at(each, "StorageClass")
                if storage_class in CLASSES and days is not None and days < least:
                    yield Violation(
                        f"LifecycleConfiguration.Rules[{position}].{name}[{number}].TransitionInDays",
                        f"is {days}; S3 moves objects to {storage_class} after {least} days at the earliest",
                        f"set TransitionInDays: {least}",
                    )


def _transitions(rule: object) -> Iterator[tuple[str, int, object]]:
    for name in LISTS:
        yield from ((name, number, each) for number, each in enumerate(items(at(rule, name))))
