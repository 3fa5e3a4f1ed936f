"""A workstation: its instance, what the instance may do, and how a person opens a session on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from neuron_cluster.bootstrap.workstation_boot import HOME_VOLUME_ID
from neuron_cluster.bootstrap.workstation_idle_limit import DOCUMENT, idle_limit_commands
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.team import team_tags
from neuron_cluster.plan.workstation_plan import WORKSTATION_TAG, WorkstationPlan
from stacks.constructs.acknowledgement import acknowledge, in_standards, policy_of_one_role
from stacks.constructs.association_rights import acknowledge_associations, association_policies
from stacks.constructs.efs_file_system import EfsFileSystem
from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate, accept_metadata_hops
from stacks.constructs.session_rights import acknowledge_sessions, session_policies
from stacks.constructs.workstation_cache import CacheBucket, WorkstationCache
from stacks.constructs.workstation_efs import WorkstationEfs
from stacks.constructs.workstation_lustre import WorkstationLustre

METADATA_HOPS_IN_TEMPLATE = 2
"""Kept, because another version of the template replaces the instance; the instance's own setting of 1 holds."""


@dataclass(frozen=True, slots=True)
class HomeVolume:
    """A home volume and the key that it is encrypted with, as tokens."""

    volume_id: str
    key_arn: str


class NeuronWorkstation(Construct):
    """The instance attaches its home by itself, at every start.

    An attachment made by CloudFormation cannot survive a replacement: the new one comes first, and the volume is still
    in use. Seen by others: anarthal/servertech-chat#52, pulumi/pulumi-aws#2769.
    """

    def __init__(
        self,
        scope: Construct,
        plan: WorkstationPlan,
        *,
        environment: ClusterPlan,
        subnet_id: str,
        security_group_ids: Mapping[SecurityGroupRole, str],
        home: HomeVolume | None,
        bucket: CacheBucket | None = None,
        efs: EfsFileSystem | None = None,
        lustre_names: tuple[str, str, str] | None = None,
    ) -> None:
        super().__init__(scope, f"Workstation {plan.name}")
        self._plan = plan
        self._environment = environment
        role = self._role()
        identity = {
            ENVIRONMENT_TAG: environment.name,
            WORKSTATION_TAG: plan.name,
            "Name": f"{environment.name}/{plan.name}",
        }
        template = NeuronLaunchTemplate(
            self,
            "LaunchTemplate",
            plan,
            security_group_ids=security_group_ids,
            launch_tags={**identity, **environment.launch_tags},
            subnet_id=subnet_id,
            shell_variables={HOME_VOLUME_ID: home.volume_id} if home is not None else None,
            metadata_hops=METADATA_HOPS_IN_TEMPLATE,
        ).resource
        accept_metadata_hops(template, "The machine's own MetadataOptions set 1; a new version would replace it.")
        instance = self._instance(role, template, identity | team_tags(plan.team))
        if home is not None:
            self._let_attach(role, home, instance.ref)
        if plan.idle_stop_minutes:
            self._idle_limit(instance.ref)
        if plan.compile_cache is not None and bucket is not None:
            WorkstationCache(self, plan, environment, bucket=bucket, role=role, instance_id=instance.ref)
        if plan.efs is not None and efs is not None:
            WorkstationEfs(self, plan, plan.efs, environment, file_system=efs, instance_id=instance.ref)
        if plan.lustre is not None and lustre_names is not None:
            WorkstationLustre(self, plan, plan.lustre, environment, names=lustre_names, instance_id=instance.ref)
        self._output(instance)

    def _role(self) -> iam.Role:
        policies = session_policies(self._environment)
        plan = self._plan
        has_associations = bool(plan.idle_stop_minutes or plan.compile_cache or plan.efs or plan.lustre)
        if has_associations:
            policies |= association_policies(self._environment, DOCUMENT)
        role = iam.Role(
            self,
            "Role",
            description=f"Workstation {self._plan.name} of {self._environment.name}: sessions, and its own home",
            assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
            inline_policies=policies,
        )
        acknowledge_sessions(role, self._environment)
        if has_associations:
            acknowledge_associations(role, self._environment)
        return role

    def _let_attach(self, role: iam.Role, home: HomeVolume, instance_id: str) -> None:
        """This volume, to this instance by its id, under the data key; nothing else.

        Written after the instance: until then, as until the volume is free, it tries again.
        """
        place = self._environment
        ec2_arn = f"arn:{place.partition}:ec2:{place.region}:{place.account}"
        through_ec2 = {"kms:ViaService": f"ec2.{place.region}.amazonaws.com"}
        policy = iam.Policy(
            self,
            "AttachHome",
            roles=[role],
            statements=[
                iam.PolicyStatement(
                    actions=["ec2:AttachVolume"],
                    resources=[f"{ec2_arn}:volume/{home.volume_id}", f"{ec2_arn}:instance/{instance_id}"],
                ),
                # EC2 uses the key by a grant. Source: EBS guide, permissions for encryption.
                iam.PolicyStatement(
                    actions=["kms:CreateGrant"],
                    resources=[home.key_arn],
                    conditions={"Bool": {"kms:GrantIsForAWSResource": "true"}, "StringEquals": through_ec2},
                ),
                iam.PolicyStatement(
                    actions=["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKeyWithoutPlaintext"],
                    resources=[home.key_arn],
                    conditions={"StringEquals": through_ec2},
                ),
            ],
        )
        acknowledge(policy, policy_of_one_role("This workstation's right to its own home, deleted with it."))

    def _instance(self, role: iam.Role, template: ec2.CfnLaunchTemplate, tags: Mapping[str, str]) -> ec2.CfnInstance:
        profile = iam.CfnInstanceProfile(self, "Profile", roles=[role.role_name])
        instance = ec2.CfnInstance(
            self,
            "Machine",
            launch_template=ec2.CfnInstance.LaunchTemplateSpecificationProperty(
                launch_template_id=template.ref, version=template.attr_latest_version_number
            ),
            iam_instance_profile=profile.ref,
            # Changed in place, where another version of the template would replace the instance.
            metadata_options=ec2.CfnInstance.MetadataOptionsProperty(
                http_endpoint="enabled", http_tokens="required", http_put_response_hop_limit=1
            ),
            # The instance shuts itself down when it is idle, and is to be there when it is started again.
            instance_initiated_shutdown_behavior="stop",
            # What a stack tags an instance with replaces the template's tags. The team is set here alone:
            # another version of the template would replace the instance.
            tags=[cdk.CfnTag(key=key, value=value) for key, value in tags.items()],
        )
        acknowledge(
            instance,
            {
                "AwsSolutions-EC28": "A machine for one person, on which nothing is scaled or alarmed.",
                "AwsSolutions-EC29": "The machine is disposable: what is to stay lies in its home.",
            }
            | in_standards(
                "EC2InstancesInVPC", "Its launch template names a private subnet, which the pack does not read."
            ),
        )
        return instance

    def _idle_limit(self, instance_id: str) -> None:
        """Sets the limit on the instance that runs; on a stopped one at its next start.

        Source: aws/amazon-ssm-agent: agent/association (it polls at its start and every ten minutes, and runs what has
        a new version).
        """
        ssm.CfnAssociation(
            self,
            "IdleLimit",
            name=DOCUMENT,
            association_name=f"{self._environment.name}-{self._plan.name}-idle-limit",
            targets=[ssm.CfnAssociation.TargetProperty(key="InstanceIds", values=[instance_id])],
            parameters={"commands": idle_limit_commands(self._plan.idle_stop_minutes)},
        )

    def _output(self, instance: ec2.CfnInstance) -> None:
        session = (
            f"aws ssm start-session --region {self._environment.region} --target {instance.ref} "
            f"--document-name AWS-StartInteractiveCommand --parameters command='sudo -iu {self._plan.login_user}'"
        )
        cdk.CfnOutput(self, "Session", value=session, description=f"Opens a session on {self._plan.name}")
