"""Roles for a checkpoint bucket that does not exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class BucketAccessWithoutBucket(ConfigRule):
    """Roles of namespaces are for the checkpoint bucket of the environment (`eks.namespaces[].bucket_access`).

    Without this check the service accounts would have no role, and their jobs fail with AccessDenied at the first save.
    """

    id = "E4090"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-association.html"
    proposes = ("bucket_access", "checkpoint_bucket")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        if storage is not None and storage.checkpoint_bucket is not None:
            return
        for each in listed_namespaces(environment.config):
            namespace = each.spec
            if namespace.bucket_access:
                yield Violation(
                    (*each.path, "bucket_access"),
                    f"{namespace.name} has bucket_access, but storage.checkpoint_bucket is not set",
                    "add `checkpoint_bucket: {}` to storage, or remove bucket_access",
                )
