from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown, text
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of, script_bucket

PREFIX = "sagemaker-"


class ScriptBucketName(TemplateRule):
    """The name of the bucket with life cycle scripts begins with `sagemaker-` (`SourceS3Uri`).

    AmazonSageMakerClusterInstanceRolePolicy reads no other bucket. Rules of S3 require of every bucket that it blocks
    public access and has versions. Buckets outside of the stack are not checked.

    Without this check nodes get AccessDenied when they download the script, and the cluster fails.
    """

    id = "E8914"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterLifeCycleConfig.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for position, group in enumerate(groups_of(context.resource)):
            bucket = script_bucket(context.resource, position, context.look_up)
            name = at(bucket.properties, "BucketName") if bucket is not None else None
            if bucket is None or is_unknown(name):
                continue
            # A bucket without a name gets one that begins with that of the stack.
            if not (text(name) or bucket.stack).startswith(PREFIX):
                yield Violation(
                    f"{group.path}.LifeCycleConfig.SourceS3Uri",
                    f"BucketName of {bucket.logical_id} is {name or 'not set'}; it must begin with {PREFIX}",
                    f"write a BucketName of {bucket.logical_id} that begins with {PREFIX}",
                )
