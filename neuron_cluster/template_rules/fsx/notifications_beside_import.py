"""Notification configurations of buckets from which FSx imports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.association import linked_bucket
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class NotificationsBesideImport(ResourceRule):
    """A bucket from which a file system imports has no notification configuration (`NotificationConfiguration`).

    FSx adds its own notification to the bucket. Each update of the bucket by CloudFormation writes the whole
    configuration and removes it: new objects no longer appear on the file system, without an error.
    """

    id = "E8313"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = None
    source = "AllenXieSZ/storage: fsx-dra-eventbridge/README.md"
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        bucket = linked_bucket(resource, look_up)
        if bucket is None or not is_given(at(resource.properties, "S3", "AutoImportPolicy")):
            return
        if is_given(bucket.properties.get("NotificationConfiguration")):
            yield Violation(
                "S3.AutoImportPolicy",
                f"imports from {bucket.logical_id}, which has a NotificationConfiguration",
                f"remove NotificationConfiguration from {bucket.logical_id}, or remove AutoImportPolicy",
            )
