"""Replication of a bucket, with its role."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from neuron_cluster.plan.replication_plan import ReplicationPlan
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role, wide_resource_findings
from stacks.constructs.single_resource import single_resource

Rule = s3.CfnBucket.ReplicationRuleProperty


class BucketReplication(Construct):
    """S3 copies new objects below the prefixes as a role that can read these, and write these to the target.

    The policy comes after the bucket, which refers to the role: inside of the role it would be a cycle.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        plan: ReplicationPlan,
        *,
        bucket: s3.Bucket,
        key_arn: str,
        partition: str,
        region: str,
        has_object_lock: bool,
    ) -> None:
        super().__init__(scope, construct_id)
        self._plan, self._bucket_arn, self._region = plan, bucket.bucket_arn, region
        self._target_arn = f"arn:{partition}:s3:::{plan.bucket}"
        role = iam.Role(
            self,
            "Role",
            description="S3 copies new objects of the checkpoint bucket",
            assumed_by=iam.ServicePrincipal("s3.amazonaws.com"),
        )
        statements = [*self._on_source(key_arn, has_object_lock=has_object_lock), *self._on_target()]
        policy = iam.Policy(
            self,
            "Policy",
            roles=[role],
            document=iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": statements}),
        )
        wide = wide_resource_findings(self, self._objects(self._bucket_arn) + self._objects(self._target_arn))
        acknowledge(policy, dict.fromkeys(wide, "The objects below the replicated prefixes; no other ones."))
        acknowledge(policy, policy_of_one_role())
        resource = single_resource(bucket)
        if not isinstance(resource, s3.CfnBucket):
            raise TypeError(f"{bucket.node.path} is no bucket")
        resource.replication_configuration = s3.CfnBucket.ReplicationConfigurationProperty(
            role=role.role_arn,
            rules=[self._rule(priority, prefix) for priority, prefix in enumerate(plan.prefixes, start=1)],
        )

    def _objects(self, bucket_arn: str) -> list[str]:
        return [f"{bucket_arn}/{prefix}*" for prefix in self._plan.prefixes]

    def _on_source(self, key_arn: str, *, has_object_lock: bool) -> list[dict[str, object]]:
        """Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/setting-repl-config-perm-overview.html

        Of objects under Object Lock S3 copies the retention too; without the rights no object is copied. Source:
        https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html
        """
        actions = ["s3:GetObjectVersionForReplication", "s3:GetObjectVersionAcl", "s3:GetObjectVersionTagging"]
        actions += ["s3:GetObjectRetention", "s3:GetObjectLegalHold"] * has_object_lock
        return [
            _allow(["s3:GetReplicationConfiguration", "s3:ListBucket"], self._bucket_arn),
            _allow(actions, self._objects(self._bucket_arn)),
            _allow("kms:Decrypt", key_arn, _through_s3(self._region, self._bucket_arn)),
        ]

    def _on_target(self) -> list[dict[str, object]]:
        actions = ["s3:ReplicateObject", "s3:ReplicateTags"]
        actions += ["s3:ReplicateDelete"] * self._plan.delete_markers
        actions += ["s3:ObjectOwnerOverrideToBucketOwner"] * self._plan.is_other_account
        return [
            _allow(actions, self._objects(self._target_arn)),
            # GenerateDataKey: of a target with a bucket key, whose context is the bucket
            _allow(
                ["kms:Encrypt", "kms:GenerateDataKey"],
                self._plan.key_arn,
                _through_s3(self._plan.region, self._target_arn),
            ),
        ]

    def _rule(self, priority: int, prefix: str) -> Rule:
        return Rule(
            id=f"replicate-{priority}",
            priority=priority,
            status="Enabled",
            filter=s3.CfnBucket.ReplicationRuleFilterProperty(prefix=prefix),
            delete_marker_replication=s3.CfnBucket.DeleteMarkerReplicationProperty(
                status="Enabled" if self._plan.delete_markers else "Disabled"
            ),
            # S3 leaves out objects that are encrypted with a key of KMS, unless a rule names them
            source_selection_criteria=s3.CfnBucket.SourceSelectionCriteriaProperty(
                sse_kms_encrypted_objects=s3.CfnBucket.SseKmsEncryptedObjectsProperty(status="Enabled")
            ),
            destination=self._destination(),
        )

    def _destination(self) -> s3.CfnBucket.ReplicationDestinationProperty:
        plan, minutes = self._plan, self._plan.time_control_minutes
        of_target = s3.CfnBucket.AccessControlTranslationProperty(owner="Destination")
        limit = s3.CfnBucket.ReplicationTimeValueProperty(minutes=minutes) if minutes is not None else None
        return s3.CfnBucket.ReplicationDestinationProperty(
            bucket=self._target_arn,
            account=plan.account if plan.is_other_account else None,
            access_control_translation=of_target if plan.is_other_account else None,
            encryption_configuration=s3.CfnBucket.EncryptionConfigurationProperty(replica_kms_key_id=plan.key_arn),
            replication_time=s3.CfnBucket.ReplicationTimeProperty(status="Enabled", time=limit) if limit else None,
            metrics=s3.CfnBucket.MetricsProperty(status="Enabled", event_threshold=limit) if limit else None,
        )


def _allow(actions: object, resources: object, condition: object = None) -> dict[str, object]:
    statement = {"Effect": "Allow", "Action": actions, "Resource": resources}
    return statement if condition is None else {**statement, "Condition": condition}


def _through_s3(region: str, bucket_arn: str) -> dict[str, dict[str, object]]:
    """The context is the bucket with a bucket key, else the object."""
    return {
        "StringEquals": {"kms:ViaService": f"s3.{region}.amazonaws.com"},
        "StringLike": {"kms:EncryptionContext:aws:s3:arn": [bucket_arn, f"{bucket_arn}/*"]},
    }
