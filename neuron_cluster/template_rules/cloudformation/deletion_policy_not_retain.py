"""Resources with data that CloudFormation would delete with the stack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class DeletionPolicyNotRetain(ResourceRule):
    """Volumes, buckets, file systems and backup vaults are retained (`DeletionPolicy`, `UpdateReplacePolicy`).

    With RetainExceptOnCreate, CloudFormation deletes only resources whose first creation failed.
    Without this check AWS reports no error. Deleting the stack or replacing the resource deletes its data.
    """

    id = "E8705"
    operation = "cloudformation:DeleteStack"
    error_code = None
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html"
    types = (
        "AWS::EC2::Volume",
        "AWS::S3::Bucket",
        "AWS::S3Express::DirectoryBucket",
        "AWS::FSx::FileSystem",
        "AWS::EFS::FileSystem",
        "AWS::S3Files::FileSystem",
        "AWS::Backup::BackupVault",
    )

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        for name, allowed in (
            ("DeletionPolicy", ("Retain", "RetainExceptOnCreate")),
            ("UpdateReplacePolicy", ("Retain",)),
        ):
            policy = resource.body.get(name)
            if policy not in allowed:
                yield Violation(
                    name, f"is {policy or 'not set'}; it must be {' or '.join(allowed)}", f"set {name}: {allowed[-1]}"
                )
