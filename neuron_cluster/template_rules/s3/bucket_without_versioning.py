"""S3 buckets without versioning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class BucketWithoutVersioning(ResourceRule):
    """S3 buckets have versioning enabled (`VersioningConfiguration`).

    A checkpoint that a job overwrites by mistake can then be restored.
    """

    id = "E8403"
    operation = "s3:CreateBucket"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html"
    types = ("AWS::S3::Bucket",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        status = at(resource.properties, "VersioningConfiguration", "Status")
        if status != "Enabled" and not is_unknown(status):
            yield Violation(
                "VersioningConfiguration.Status", f"is {status or 'not set'}; it must be Enabled", "set Status: Enabled"
            )
