"""A data key that encrypts nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class ExistingKeyWithoutData(ConfigRule):
    """A data key that exists encrypts something that the environment creates (`storage.key_arn`).

    Without this check the storage stack has no resource, and CloudFormation rejects its template: "At least one
    Resources member must be defined".
    """

    id = "E4098"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resources-section-structure.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        if storage is None or storage.key_arn is None or storage.creates_data:
            return
        yield Violation(
            ("storage", "key_arn"),
            "storage has key_arn, and creates nothing that is encrypted with it",
            "remove key_arn; the key of a bucket that exists is checkpoint_bucket.existing.key_arn",
        )
