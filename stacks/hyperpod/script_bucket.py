"""The bucket with the life cycle scripts of nodes, and the function that writes them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.life_cycle_script import PREFIX, folder
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.toolkit_files import FUNCTIONS
from stacks.constructs.acknowledgement import (
    acknowledge,
    in_checkov,
    in_standards,
    of_custom_resource,
    policy_of_one_role,
    wide_resource_findings,
)
from stacks.constructs.disposable import declare_disposable

CODE = FUNCTIONS / "life_cycle_script" / "index.py"
RUNTIME = "python3.13"
TYPE = "Custom::NeuronClusterLifeCycleScript"
TIMEOUT_SECONDS = 60
SERVICE_TIMEOUT_SECONDS = 180
"""How long CloudFormation waits for an answer; without it an hour. Longer than the function's own time-out."""
OUTSIDE_THE_VPC = "It calls S3 alone, and holds no interface in the network's subnets."
NO_DATA = "It holds one public text that every deploy writes again."


class ScriptBucket(Construct):
    """Both are deleted with the stack: nothing of a user is in them."""

    def __init__(self, scope: Construct, construct_id: str, plan: ClusterPlan, hyperpod: HyperPodPlan) -> None:
        super().__init__(scope, construct_id)
        self._plan, self._hyperpod = plan, hyperpod
        self.bucket = self._bucket()
        self._function_arn = self._function().attr_arn
        self.scripts: list[cdk.CfnResource] = []
        """Once they are there, a node can read its script."""

    def add(self, construct_id: str, name: str, text: str, values: Mapping[str, str] | None = None) -> str:
        """Adds a script and returns ``s3://`` with its folder, as a token.

        ``values`` are tokens that take the places of their names, in braces, in the text.
        """
        script = cdk.CfnResource(
            self,
            construct_id,
            type=TYPE,
            properties={
                "ServiceTimeout": SERVICE_TIMEOUT_SECONDS,
                "ServiceToken": self._function_arn,
                "Bucket": self.bucket.bucket_name,
                "Account": self._plan.account,
                "Key": f"{folder(text)}/{name}",
                "Text": text,
                "Checksum": base64.b64encode(hashlib.sha256(text.encode()).digest()).decode(),
                **({"Values": dict(values)} if values else {}),
            },
        )
        self.scripts.append(script)
        return f"s3://{self.bucket.bucket_name}/{folder(text)}"

    def _bucket(self) -> s3.Bucket:
        """SageMaker's own policy for nodes reads only buckets whose names begin with ``sagemaker-``.

        Source: https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterLifeCycleConfig.html.
        """
        bucket = s3.Bucket(
            self,
            "Bucket",
            bucket_name=self._hyperpod.script_bucket,
            encryption=s3.BucketEncryption.S3_MANAGED,
            versioned=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        declare_disposable(bucket, NO_DATA)
        acknowledge(
            bucket,
            {"AwsSolutions-S1": NO_DATA}
            | in_standards("S3BucketLoggingEnabled", NO_DATA)
            | in_standards("S3BucketReplicationEnabled", NO_DATA)
            | in_standards("S3DefaultEncryptionKMS", NO_DATA)
            | in_checkov(18, NO_DATA),
        )
        return bucket

    def _function(self) -> lambda_.CfnFunction:
        own_logs = logs.LogGroup(
            self,
            "Logs",
            log_group_name=f"/aws/lambda/{self._plan.name}-life-cycle-script",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        acknowledge(own_logs, in_standards("CloudWatchLogGroupEncrypted", NO_DATA) | in_checkov(158, NO_DATA))
        role = self._role(own_logs)
        function = lambda_.CfnFunction(
            self,
            "Function",
            code=lambda_.CfnFunction.CodeProperty(zip_file=CODE.read_text("utf-8")),
            description="Writes the life cycle script of HyperPod nodes",
            handler="index.handler",
            logging_config=lambda_.CfnFunction.LoggingConfigProperty(
                log_format="Text", log_group=own_logs.log_group_name
            ),
            memory_size=128,
            role=role.role_arn,
            runtime=RUNTIME,
            timeout=TIMEOUT_SECONDS,
        )
        function.node.add_dependency(role)
        acknowledge(
            function,
            {"AwsSolutions-L1": "The runtime with which CDK runs its own functions."}
            | in_standards("LambdaInsideVPC", OUTSIDE_THE_VPC)
            | in_checkov(117, OUTSIDE_THE_VPC)
            | of_custom_resource(),
        )
        return function

    def _role(self, own_logs: logs.LogGroup) -> iam.Role:
        objects = self.bucket.arn_for_objects(f"{PREFIX}/*")
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            inline_policies={
                "WritesScripts": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(actions=["s3:PutObject", "s3:DeleteObjectVersion"], resources=[objects]),
                        iam.PolicyStatement(
                            actions=["s3:ListBucketVersions"],
                            resources=[self.bucket.bucket_arn],
                            conditions={"StringLike": {"s3:prefix": f"{PREFIX}/*"}},
                        ),
                        iam.PolicyStatement(
                            actions=["logs:CreateLogStream", "logs:PutLogEvents"], resources=[own_logs.log_group_arn]
                        ),
                    ]
                )
            },
        )
        why = "Scripts of this bucket, whose keys have their digests."
        acknowledge(role, dict.fromkeys(wide_resource_findings(role, [objects]), why) | policy_of_one_role())
        return role
