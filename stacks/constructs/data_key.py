"""The key of everything that holds data."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from stacks.constructs.key_statements import add_alias, for_log_groups


class DataKey(Construct):
    """A customer managed key that the services which read and write the data for us may use.

    Its policy names neither bucket nor file system: both refer to the key, and that would be a cycle.
    """

    def __init__(
        self, scope: Construct, construct_id: str, plan: ClusterPlan, *, removal_policy: cdk.RemovalPolicy
    ) -> None:
        super().__init__(scope, construct_id)
        self.key = kms.Key(
            self,
            "Key",
            description=f"Data of Neuron cluster {plan.name}",
            enable_key_rotation=True,
            pending_window=cdk.Duration.days(30),
            removal_policy=removal_policy,
        )
        add_alias(self.key, plan, "data")
        self.key.add_to_resource_policy(_for_lustre_association(plan))
        self.key.add_to_resource_policy(for_log_groups(plan, f"/neuron-cluster/{plan.name}/*"))


def _for_lustre_association(plan: ClusterPlan) -> iam.PolicyStatement:
    """FSx reads and writes the bucket as its service-linked role; without this the association never imports.

    The encryption context is any bucket: CloudFormation generates the name of this one after the key exists. AWS limits
    the role of a file system to the buckets that it is linked to, and the key encrypts data of this environment alone.

    Source: FSx for Lustre guide, server-side encrypted buckets in a data repository association.
    """
    return iam.PolicyStatement(
        sid="LustreReadsAndWritesTheBucket",
        principals=[iam.AnyPrincipal()],
        actions=["kms:Encrypt", "kms:Decrypt", "kms:ReEncryptFrom", "kms:ReEncryptTo", "kms:GenerateDataKey"],
        resources=["*"],  # in a key policy: this key
        conditions={
            "StringEquals": {"kms:CallerAccount": plan.account, "kms:ViaService": f"s3.{plan.region}.amazonaws.com"},
            "ArnLike": {
                "aws:PrincipalArn": f"arn:{plan.partition}:iam::{plan.account}:role/aws-service-role/"
                "s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_*",
                "kms:EncryptionContext:aws:s3:arn": f"arn:{plan.partition}:s3:::*",
            },
        },
    )
