from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PlaceholderAccount(Rule):
    """The account id is not an example of the AWS documentation (`account`).

    Only a warning: checks, plans and local deploys work with any account id. A deploy to AWS rejects these.

    Without this check the CDK CLI reports that it has no credentials for the account.
    """

    id = "W6002"
    source = "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if config.account in context.catalog.placeholder_accounts:
            yield Violation(
                ("account",),
                f"account is {config.account}, an example id of the AWS documentation; a deploy to AWS rejects it",
                "write your own account id before you deploy: `aws sts get-caller-identity` returns it",
            )
