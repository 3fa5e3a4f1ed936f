from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ExistingKeyWithoutData(Rule):
    """A data key that exists encrypts something that the environment creates (`storage.key_arn`).

    Without this check the storage stack has no resource, and CloudFormation rejects its template: "At least one
    Resources member must be defined".
    """

    id = "E4098"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resources-section-structure.html"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.key_arn is None or storage.creates_data:
            return
        yield Violation(
            ("storage", "key_arn"),
            "storage has key_arn, and creates nothing that is encrypted with it",
            "remove key_arn; the key of a bucket that exists is checkpoint_bucket.existing.key_arn",
        )
