"""AWS account ids from documentation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.catalog.placeholder_account import placeholder_accounts
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class PlaceholderAccount(ConfigRule):
    """The account id is not an example of the AWS documentation (`account`).

    Only a warning: checks, plans and local deploys work with any account id. A deploy to AWS rejects these.

    Without this check the CDK CLI reports that it has no credentials for the account.
    """

    id = "W6002"
    source = "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        if config.account in placeholder_accounts():
            yield Violation(
                ("account",),
                f"account is {config.account}, an example id of the AWS documentation; a deploy to AWS rejects it",
                "write your own account id before you deploy: `aws sts get-caller-identity` returns it",
            )
