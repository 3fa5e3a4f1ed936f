from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.disposable import holds_no_data


class DeletionPolicyNotRetain(TemplateRule):
    """Volumes, buckets, file systems and backup vaults are retained (`DeletionPolicy`, `UpdateReplacePolicy`).

    With RetainExceptOnCreate, CloudFormation deletes only resources whose first creation failed. A resource without
    data of a user has the reason in its metadata.
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

    def check(self, context: TemplateContext) -> Violations:
        if holds_no_data(context.resource):
            return
        for name, allowed in (
            ("DeletionPolicy", ("Retain", "RetainExceptOnCreate")),
            ("UpdateReplacePolicy", ("Retain",)),
        ):
            policy = context.resource.body.get(name)
            if policy not in allowed:
                yield Violation(
                    name, f"is {policy or 'not set'}; it must be {' or '.join(allowed)}", f"set {name}: {allowed[-1]}"
                )
