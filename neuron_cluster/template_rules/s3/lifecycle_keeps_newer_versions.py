from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.association import linked_bucket, linked_prefix
from neuron_cluster.template_rules.property_tree import at, is_given, items, text

ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"


class LifecycleKeepsNewerVersions(TemplateRule):
    """Lifecycle rules keep no number of versions of checkpoints (`NewerNoncurrentVersions`).

    S3 counts versions by key, and each checkpoint has keys of its own with the number of its step: the newest version
    of each deleted checkpoint is kept and billed permanently. Prefixes outside of those that a file system exports to
    are not checked.
    """

    id = "E8404"
    operation = "s3:PutBucketLifecycleConfiguration"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_NoncurrentVersionExpiration.html"
    types = ("AWS::S3::Bucket",)

    def check(self, context: TemplateContext) -> Violations:
        linked = context.look_up.resources(ASSOCIATION, stack=context.resource.stack)
        prefixes = [linked_prefix(each) for each in linked if linked_bucket(each, context.look_up) is context.resource]
        rules = items(at(context.resource.properties, "LifecycleConfiguration", "Rules"))
        for position, rule in enumerate(rules):
            is_kept = is_given(at(rule, "NoncurrentVersionExpiration", "NewerNoncurrentVersions"))
            covered = _prefix(rule)
            if not is_kept or covered is None:
                continue
            if not covered or any(covered.startswith(each) or each.startswith(covered) for each in prefixes):
                yield Violation(
                    f"LifecycleConfiguration.Rules[{position}].NoncurrentVersionExpiration.NewerNoncurrentVersions",
                    f"is set for {covered or 'the whole bucket'}, whose keys are those of checkpoints",
                    "remove NewerNoncurrentVersions; NoncurrentDays decides alone",
                )


def _prefix(rule: object) -> str | None:
    """Empty for the whole bucket; None where it is not known."""
    given = at(rule, "Prefix")
    return "" if given is None else text(given)
