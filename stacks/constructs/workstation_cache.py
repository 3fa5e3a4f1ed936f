"""The compile cache of the environment on a workstation: what it may read, and the association that installs it."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import aws_iam as iam
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from neuron_cluster.bootstrap.workstation_idle_limit import DOCUMENT
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET_NAME
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from neuron_cluster.plan.workstation_plan import WorkstationPlan
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role, wide_resource_findings
from stacks.constructs.bucket_name import bucket_name


@dataclass(frozen=True, slots=True)
class CacheBucket:
    """The checkpoint bucket and the key that it is encrypted with, as tokens."""

    arn: str
    key_arn: str


class WorkstationCache(Construct):
    """An association, since other user data would replace the instance."""

    def __init__(
        self,
        scope: Construct,
        plan: WorkstationPlan,
        environment: ClusterPlan,
        *,
        bucket: CacheBucket,
        role: iam.Role,
        instance_id: str,
    ) -> None:
        super().__init__(scope, "CompileCache")
        self._let_read(environment, bucket, role)
        commands = plan.compile_cache.commands if plan.compile_cache is not None else ()
        name = bucket_name(bucket.arn)
        ssm.CfnAssociation(
            self,
            "Settings",
            name=DOCUMENT,
            association_name=f"{environment.name}-{plan.name}-compile-cache",
            targets=[ssm.CfnAssociation.TargetProperty(key="InstanceIds", values=[instance_id])],
            parameters={"commands": [each.replace(CHECKPOINT_BUCKET_NAME, name) for each in commands]},
        )

    def _let_read(self, environment: ClusterPlan, bucket: CacheBucket, role: iam.Role) -> None:
        """Grants the rights of the service account compile-cache-reader."""
        objects = f"{COMPILE_CACHE_PREFIX}*"
        through_s3 = {
            "kms:ViaService": f"s3.{environment.region}.amazonaws.com",
            "kms:EncryptionContext:aws:s3:arn": bucket.arn,
        }
        policy = iam.Policy(
            self,
            "Read",
            roles=[role],
            statements=[
                iam.PolicyStatement(
                    actions=["s3:ListBucket"],
                    resources=[bucket.arn],
                    conditions={"StringLike": {"s3:prefix": objects}},
                ),
                iam.PolicyStatement(actions=["s3:GetObject"], resources=[f"{bucket.arn}/{objects}"]),
                iam.PolicyStatement(
                    actions=["kms:Decrypt"], resources=[bucket.key_arn], conditions={"StringEquals": through_s3}
                ),
            ],
        )
        why = "Compiled graphs have names that the compiler makes; the prefix is that of the cache."
        wide = wide_resource_findings(self, [f"{bucket.arn}/{objects}"])
        acknowledge(policy, policy_of_one_role("The right to read the compile cache, deleted with its role."))
        acknowledge(policy, dict.fromkeys(wide, why))
