"""Buckets without versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_law.base import Refusal, ResourceLaw
from neuron_cluster.template_law.look_up import LookUp
from neuron_cluster.template_law.property_tree import at, is_unknown
from neuron_cluster.template_law.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class BucketWithoutVersions(ResourceLaw):
    """Every bucket keeps versions: a checkpoint that a job overwrote by mistake can be restored."""

    id = "E8403"
    operation = "s3:CreateBucket"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html"
    types = ("AWS::S3::Bucket",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Refusal]:
        del look_up, catalog
        status = at(resource.properties, "VersioningConfiguration", "Status")
        if status != "Enabled" and not is_unknown(status):
            yield Refusal("VersioningConfiguration.Status", f"is {status or 'not set'}", "set Status: Enabled")
