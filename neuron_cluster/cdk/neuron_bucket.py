"""A bucket for checkpoints, compiled graphs and other data of Neuron workloads."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct
from msgspec.structs import replace

from neuron_cluster.cdk.data_key import data_key
from neuron_cluster.cdk.invalid_parameters import InvalidParameters
from neuron_cluster.cdk.planned_parameters import planned_parameters
from neuron_cluster.plan.storage_plan import BucketPlan, LifecycleRulePlan
from stacks.constructs.data_bucket import accept_single_copy, data_bucket
from stacks.constructs.retained import RETAINED


class NeuronBucket(Construct):
    """A private, versioned bucket, encrypted with a customer managed key, that only TLS 1.2 reaches.

    CloudFormation generates its name. Bucket and key stay when the stack or the construct is deleted.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        key: kms.IKey | None = None,
        expire_days: Mapping[str, int] | None = None,
        noncurrent_version_days: int | None = None,
        abort_incomplete_upload_days: int | None = None,
        object_lock: Mapping[str, str | int] | None = None,
    ) -> None:
        """``expire_days`` are days after which S3 deletes the objects of a prefix, by prefix with a slash at its end.

        Without ``key`` one is created. The other parameters are the keys of `storage.checkpoint_bucket`.
        """
        super().__init__(scope, construct_id)
        section = {
            "noncurrent_version_days": noncurrent_version_days,
            "abort_incomplete_upload_days": abort_incomplete_upload_days,
            "object_lock": object_lock,
        }
        plan = self._plan(section, expire_days or {})
        self.key: kms.IKey = key or data_key(self, "Key", self.node.path, removal_policy=RETAINED)
        """Encrypts the objects."""
        self.bucket: s3.Bucket = data_bucket(self, "Bucket", plan, key=self.key, removal_policy=RETAINED)
        """With ``grant_read`` and ``grant_read_write`` for roles of the app."""
        accept_single_copy(self.bucket)

    def _plan(self, section: Mapping[str, object], expire_days: Mapping[str, int]) -> BucketPlan:
        storage = planned_parameters(
            self, {"storage": {"checkpoint_bucket": section}}, ("storage", "checkpoint_bucket")
        ).storage
        if storage is None or storage.bucket is None:
            raise LookupError("an environment with a checkpoint bucket has a plan of it")
        plan = storage.bucket
        problems = [
            (f"expire_days has {prefix!r}: {days!r}", "write a prefix that ends in a slash, and 1 day or more")
            for prefix, days in expire_days.items()
            if not prefix.endswith("/") or prefix.startswith("/") or days < 1
        ]
        if problems:
            raise InvalidParameters(self, problems)
        rules = [
            LifecycleRulePlan(f"expire-{prefix.strip('/')}", prefix, days, plan.noncurrent_version_days)
            for prefix, days in sorted(expire_days.items())
        ]
        return replace(plan, lifecycle_rules=tuple(rules))
