"""The stack of SageMaker training jobs: a role and a policy of members for each owner. No job is in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.bucket_access_plan import SHARED_PREFIXES
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.schedulers.sagemaker import stack_outputs as outputs
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import (
    SageMakerTrainingPlan,
    owner_prefix,
)
from neuron_cluster.sections.sagemaker_training.stacks import TRAINING
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role, wide_resource_findings
from stacks.constructs.bucket_name import bucket_name
from stacks.constructs.slurm_node_rights import CREATES, DELETES
from stacks.constructs.training_job_members import member_statements
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned
from stacks.storage import StorageStack

WIDE = (
    "SageMaker makes the interfaces of a job in the name of its role, in subnets and groups that the request names; "
    "describing calls, metrics and the token of ECR take no resource, and each host of a job has a log stream."
)
MEMBERS = (
    "Names of jobs are chosen at each submission: conditions on tags of environment and team, and on the role, limit "
    "which; listing takes no resource."
)
OBJECTS = "Objects have names that jobs choose; the prefix is that of the owner, shared, or named in the file."


def build(context: StackContext) -> SageMakerTrainingStack:
    return SageMakerTrainingStack(
        context.scope,
        context.plan,
        planned(context.plan.provider(SageMakerTrainingPlan)),
        context.stack(NETWORK, NetworkStack),
        context.stack(STORAGE, StorageStack),
    )


class SageMakerTrainingStack(EnvironmentStack):
    """Everything here is disposable: a job that runs keeps what it began with."""

    def __init__(
        self,
        scope: Construct,
        plan: ClusterPlan,
        training: SageMakerTrainingPlan,
        network: NetworkStack,
        storage: StorageStack,
    ) -> None:
        super().__init__(scope, TRAINING.stack_key, plan)
        self._plan, self._training, self._storage = plan, training, storage
        self._bucket_arn = planned(storage.bucket_arn)
        self._output(outputs.SECURITY_GROUP, network.group_id(SecurityGroupRole.TRAINING), "Security group of jobs")
        for owner in training.owners:
            self._member_policy(owner, self._role(owner))
        self._output(outputs.BUCKET, bucket_name(self._bucket_arn), "Bucket for checkpoints and output")
        self._output(outputs.KEY_ARN, storage.bucket_key_arn, "Key of the bucket")
        for zone in sorted({zone for job in training.jobs for zone in job.zone_ids}):
            self._output(outputs.subnet_output(zone), network.private_subnet_id(zone), f"Private subnet in {zone}")
        if storage.lustre_names is not None and any(job.reads_lustre for job in training.jobs):
            file_system_id, _, mount_name = storage.lustre_names
            self._output(outputs.LUSTRE, file_system_id, "FSx for Lustre file system")
            self._output(outputs.LUSTRE_MOUNT, mount_name, "Its mount name")

    def _output(self, name: str, value: str, description: str) -> None:
        cdk.CfnOutput(self, name, value=value, description=description)

    def _role(self, owner: str) -> iam.Role:
        """The role of a team, which SageMaker alone assumes; it reads and writes no prefix of another team."""
        buckets, objects = list(self._bucket_statements(owner)), self._objects(owner)
        role = iam.Role(
            self,
            f"Role of {owner}",
            description=f"SageMaker training jobs of {self._plan.name}, {owner}",
            assumed_by=iam.ServicePrincipal(
                "sagemaker.amazonaws.com",
                conditions={"StringEquals": {"aws:SourceAccount": self._plan.account}},
            ),
            inline_policies={
                "Jobs": _document([*self._common(), *self._images(owner)]),
                "Data": _document(buckets),
            },
        )
        common = {each for statement in self._common() for each in statement["Resource"] if "*" in each}
        acknowledge(role, dict.fromkeys(wide_resource_findings(role, sorted(common)), WIDE))
        acknowledge(role, dict.fromkeys(wide_resource_findings(role, objects), OBJECTS))
        acknowledge(role, policy_of_one_role())
        self._output(outputs.role_output(owner), role.role_name, f"Role of jobs: {owner}")
        return role

    def _member_policy(self, owner: str, role: iam.Role) -> None:
        """The policy to submit, follow and stop the owner's jobs; an administrator attaches it."""
        statements = member_statements(
            self._plan, owner, role_arn=role.role_arn, bucket_arn=self._bucket_arn, key_arn=self._storage.bucket_key_arn
        )
        policy = iam.ManagedPolicy(
            self,
            f"Submits jobs of {owner}",
            description=f"Submits, follows and stops SageMaker training jobs of {self._plan.name}, {owner}",
            document=_document(statements),
        )
        launcher = f"{self._bucket_arn}/{owner_prefix(owner)}launcher/*"
        wide = {each for statement in statements for each in _resources(statement) if "*" in each} - {launcher}
        acknowledge(policy, dict.fromkeys(wide_resource_findings(policy, sorted(wide)), MEMBERS))
        acknowledge(policy, dict.fromkeys(wide_resource_findings(policy, [launcher]), OBJECTS))
        self._output(outputs.policy_output(owner), policy.managed_policy_arn, f"Policy of members: {owner}")

    def _common(self) -> list[dict[str, Any]]:
        own = {"partition": self._plan.partition, "region": self._plan.region, "account": self._plan.account}
        return [
            {
                "Effect": "Allow",
                "Action": list(statement.actions),
                "Resource": [_filled(resource, own) for resource in statement.resources],
                **({"Condition": _plain(statement.conditions)} if statement.conditions else {}),
            }
            for statement in self._training.role_statements
        ]

    def _images(self, owner: str) -> Iterator[dict[str, Any]]:
        """The repositories of the owner's images."""
        repositories = sorted({_repository_arn(job.image, self._plan) for job in self._training.jobs_of(owner)})
        if not repositories:
            return
        yield {
            "Effect": "Allow",
            "Action": ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
            "Resource": repositories,
        }

    def _objects(self, owner: str) -> list[str]:
        reads = [f"{self._bucket_arn}/{prefix}*" for prefix in self._read_prefixes(owner)]
        return [*reads, *(f"{arn}*" for _, _, arn in self._inputs(owner))]

    def _read_prefixes(self, owner: str) -> tuple[str, ...]:
        return (*SHARED_PREFIXES, owner_prefix(owner))

    def _inputs(self, owner: str) -> list[tuple[str, str, str]]:
        """Bucket, prefix and ARN of the prefix, of the S3 channels of the owner's jobs."""
        found = {each.s3 for job in self._training.jobs_of(owner) for each in job.channels if each.s3 is not None}
        parts = (address.removeprefix("s3://").partition("/") for address in sorted(found))
        return [
            (f"arn:{self._plan.partition}:s3:::{bucket}", prefix, f"arn:{self._plan.partition}:s3:::{bucket}/{prefix}")
            for bucket, _, prefix in parts
        ]

    def _bucket_statements(self, owner: str) -> Iterator[dict[str, Any]]:
        bucket, own = self._bucket_arn, f"{self._bucket_arn}/{owner_prefix(owner)}*"
        reads = self._read_prefixes(owner)
        yield {
            "Effect": "Allow",
            "Action": "s3:ListBucket",
            "Resource": bucket,
            "Condition": {"StringLike": {"s3:prefix": [f"{prefix}*" for prefix in reads]}},
        }
        yield {"Effect": "Allow", "Action": "s3:GetObject", "Resource": [f"{bucket}/{each}*" for each in reads]}
        yield {
            "Effect": "Allow",
            "Action": [*CREATES, *DELETES],  # SageMaker mirrors what a job deletes from its checkpoints
            "Resource": own,
        }
        if self._training.compile_cache is not None:
            yield {"Effect": "Allow", "Action": list(CREATES), "Resource": f"{bucket}/{self._training.compile_cache}*"}
        for arn, prefix, objects in self._inputs(owner):
            yield {
                "Effect": "Allow",
                "Action": "s3:ListBucket",
                "Resource": arn,
                "Condition": {"StringLike": {"s3:prefix": [f"{prefix}*"]}},
            }
            yield {"Effect": "Allow", "Action": "s3:GetObject", "Resource": f"{objects}*"}
        # SageMaker encrypts the output with the key of the request, and not by S3 alone (dg/sagemaker-roles).
        yield {"Effect": "Allow", "Action": "kms:Encrypt", "Resource": self._storage.bucket_key_arn}
        yield {
            "Effect": "Allow",
            "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
            "Resource": self._storage.bucket_key_arn,
            "Condition": {
                "StringEquals": {
                    "kms:ViaService": f"s3.{self._plan.region}.amazonaws.com",
                    "kms:EncryptionContext:aws:s3:arn": bucket,
                }
            },
        }


def _resources(statement: dict[str, Any]) -> list[str]:
    found = statement["Resource"]
    return found if isinstance(found, list) else [found]


def _repository_arn(image: str, plan: ClusterPlan) -> str:
    registry, _, path = image.partition("/")
    account, region = registry.split(".")[0], registry.split(".")[3]
    repository = path.partition("@")[0].partition(":")[0]
    return f"arn:{plan.partition}:ecr:{region}:{account}:repository/{repository}"


def _filled(resource: str, values: dict[str, str]) -> str:
    """The ARN with the values of the environment."""
    for name, value in values.items():
        resource = resource.replace(f"<{name}>", value)
    return resource


def _plain(conditions: Any) -> dict[str, Any]:
    return {operator: {key: list(values) for key, values in keys.items()} for operator, keys in conditions.items()}


def _document(statements: list[dict[str, Any]]) -> iam.PolicyDocument:
    """Written as IAM reads it: one message to Node.js."""
    return iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": statements})
