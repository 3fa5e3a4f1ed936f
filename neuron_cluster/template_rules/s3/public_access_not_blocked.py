"""S3 buckets without all public access blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_true, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class PublicAccessNotBlocked(ResourceRule):
    """S3 buckets set all four public access blocks (`PublicAccessBlockConfiguration`)."""

    id = "E8401"
    operation = "s3:CreateBucket"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html"
    types = ("AWS::S3::Bucket",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        for name in ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"):
            given = at(resource.properties, "PublicAccessBlockConfiguration", name)
            if not is_true(given) and not is_unknown(given):
                yield Violation(
                    f"PublicAccessBlockConfiguration.{name}",
                    "is not true; public access must be blocked",
                    f"set {name}: true",
                )
