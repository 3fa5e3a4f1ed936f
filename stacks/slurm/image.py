"""The pipeline of EC2 Image Builder that builds the AMI of Slurm nodes from a Neuron Deep Learning AMI."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_imagebuilder as imagebuilder
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from constructs import Construct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.image.recipe import ROOT_VOLUME
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.providers.pcs.image.recipe import slurm_recipe
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.providers.pcs.stacks import IMAGE
from neuron_cluster.schedulers.slurm.image.image_plan import SlurmImagePlan
from stacks.constructs.acknowledgement import acknowledge, wide_resource_findings
from stacks.constructs.key_statements import add_alias, alias_name, for_log_groups
from stacks.constructs.security_group_rules import security_group
from stacks.constructs.session_rights import acknowledge_sessions, session_policies
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned

BUCKETS = ("ec2imagebuilder-toe-{region}-prod/*", "ec2imagebuilder-managed-resources-{region}-prod/components/*")
"""Objects of Image Builder that the build instance downloads.

Source: https://docs.aws.amazon.com/imagebuilder/latest/userguide/vpc-interface-endpoints.html
"""
MESSAGES = ("AcknowledgeMessage", "DeleteMessage", "FailMessage", "GetEndpoint", "GetMessages", "SendReply")
"""Actions of ec2messages: how Systems Manager runs the steps of a build on an instance.

Source: https://docs.aws.amazon.com/systems-manager/latest/userguide/setup-instance-permissions.html
"""
HTTP, HTTPS = 80, 443


def build(context: StackContext) -> ImageStack:
    slurm = planned(context.plan.provider(SlurmPlan))
    return ImageStack(
        context.scope, context.plan, planned(slurm.image), context.stack(NETWORK, NetworkStack), context.catalog
    )


class ImageStack(EnvironmentStack):
    """Everything here is disposable. A deletion of the stack keeps the AMIs that its pipeline has built."""

    def __init__(
        self, scope: Construct, plan: ClusterPlan, image: SlurmImagePlan, network: NetworkStack, catalog: Catalog
    ) -> None:
        super().__init__(scope, IMAGE.stack_key, plan)
        self.catalog = catalog
        self._plan, self._image = plan, image
        self._tags = {"Name": image.name, ENVIRONMENT_TAG: plan.name, **plan.launch_tags}
        log_group = self._log_group()
        pipeline = imagebuilder.CfnImagePipeline(
            self,
            "Pipeline",
            name=image.name,
            image_recipe_arn=self._recipe(),
            infrastructure_configuration_arn=self._infrastructure(network),
            distribution_configuration_arn=self._distribution(),
            enhanced_image_metadata_enabled=False,
            image_tests_configuration=imagebuilder.CfnImagePipeline.ImageTestsConfigurationProperty(
                image_tests_enabled=True, timeout_minutes=60
            ),
        )
        pipeline.node.add_dependency(log_group)
        cdk.CfnOutput(self, "PipelineArn", value=pipeline.attr_arn)
        cdk.CfnOutput(self, "LogGroup", value=self._log_group_name)

    @property
    def _log_group_name(self) -> str:
        """Image Builder writes to this group, which it would create without a retention.

        Source: https://docs.aws.amazon.com/imagebuilder/latest/userguide/monitor-cwlogs.html
        """
        return f"/aws/imagebuilder/{self._image.name}"

    def _log_group(self) -> logs.LogGroup:
        plan = self._plan
        key = kms.Key(
            self,
            "LogKey",
            description=f"Logs of image builds of {plan.name}",
            enable_key_rotation=True,
            pending_window=cdk.Duration.days(30),
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        add_alias(key, alias_name(plan, IMAGE.stack_key))
        key.add_to_resource_policy(for_log_groups(plan, self._log_group_name))
        return logs.LogGroup(
            self,
            "Logs",
            log_group_name=self._log_group_name,
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=cdk.RemovalPolicy.DESTROY,
            encryption_key=key,
        )

    def _recipe(self) -> str:
        """ARN of the recipe. A change creates another version of it and of its components, as the API demands."""
        image, planned_recipe = self._image, slurm_recipe(self._image, self.catalog)
        arns = [
            imagebuilder.CfnComponent(
                self,
                f"Component {each.name.removeprefix(f'{image.name}-')}",
                name=each.name,
                version=each.version,
                platform="Linux",
                data=each.text,
            ).attr_arn
            for each in planned_recipe.components
        ]
        recipe = imagebuilder.CfnImageRecipe(
            self,
            "Recipe",
            name=image.name,
            version=planned_recipe.version,
            parent_image=planned(image.parent),
            components=[imagebuilder.CfnImageRecipe.ComponentConfigurationProperty(component_arn=arn) for arn in arns],
            block_device_mappings=[
                imagebuilder.CfnImageRecipe.InstanceBlockDeviceMappingProperty(
                    device_name=image.root_device_name,
                    ebs=imagebuilder.CfnImageRecipe.EbsInstanceBlockDeviceSpecificationProperty(**ROOT_VOLUME),
                )
            ],
        )
        return recipe.attr_arn

    def _infrastructure(self, network: NetworkStack) -> str:
        """ARN of where builds run: a private subnet, without a way in."""
        image = self._image
        everywhere = {"ip_protocol": "tcp", "cidr_ip": "0.0.0.0/0"}
        https = ec2.CfnSecurityGroup.EgressProperty(
            **everywhere, from_port=HTTPS, to_port=HTTPS, description="AWS services and downloads"
        )
        group = security_group(self, "SecurityGroup", vpc_id=network.vpc_id, purpose="Builds of images", egress=https)
        ec2.CfnSecurityGroupEgress(
            self,
            "Packages",
            group_id=group,
            **everywhere,
            from_port=HTTP,
            to_port=HTTP,
            description="Mirrors of Ubuntu, whose packages are signed",
        )
        return imagebuilder.CfnInfrastructureConfiguration(
            self,
            "Infrastructure",
            name=image.name,
            instance_profile_name=self._profile(),
            instance_types=[image.instance_type],
            subnet_id=network.private_subnet_id(image.zone_id),
            security_group_ids=[group],
            terminate_instance_on_failure=True,
            instance_metadata_options=imagebuilder.CfnInfrastructureConfiguration.InstanceMetadataOptionsProperty(
                http_tokens="required", http_put_response_hop_limit=1
            ),
            resource_tags=self._tags,
        ).attr_arn

    def _distribution(self) -> str:
        return imagebuilder.CfnDistributionConfiguration(
            self,
            "Distribution",
            name=self._image.name,
            distributions=[
                imagebuilder.CfnDistributionConfiguration.DistributionProperty(
                    region=self._plan.region,
                    # CDK has no type for these properties, and takes them as CloudFormation names them.
                    ami_distribution_configuration={
                        "Name": f"{self._image.name} {{{{ imagebuilder:buildDate }}}}",
                        "AmiTags": self._tags,
                    },
                )
            ],
        ).attr_arn

    def _profile(self) -> str:
        """Name of the instance profile of builds, whose steps Systems Manager runs."""
        plan, partition = self._plan, self._plan.partition
        of_account = f"{plan.region}:{plan.account}"
        objects = [f"arn:{partition}:s3:::{each.format(region=plan.region)}" for each in BUCKETS]
        own = f"arn:{partition}:imagebuilder:{of_account}:component/{self._image.name}-*"
        group = f"arn:{partition}:logs:{of_account}:log-group:{self._log_group_name}"
        streams = f"{group}:*"
        statements: list[dict[str, Any]] = [
            _allow("imagebuilder:GetComponent", own),
            _allow("s3:GetObject", objects),
            # The group exists; but who takes any of these rights away turns the logs off.
            _allow(["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"], [group, streams]),
            _allow([f"ec2messages:{each}" for each in MESSAGES], "*"),
        ]
        builds = iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": statements})
        role = iam.Role(
            self,
            "BuildRole",
            description=f"Instances that build the AMI of the Slurm nodes of {plan.name}",
            assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
            inline_policies={**session_policies(plan), "Builds": builds},
        )
        acknowledge_sessions(role, plan)
        reasons = {
            own: "Components of this pipeline alone; each has its version in its ARN.",
            streams: "Image Builder names its log streams.",
            **dict.fromkeys(objects, "Objects of Image Builder, which names them."),
        }
        acknowledge(role, {f: why for each, why in reasons.items() for f in wide_resource_findings(role, [each])})
        return iam.CfnInstanceProfile(self, "BuildProfile", roles=[role.role_name]).ref


def _allow(actions: str | list[str], resources: str | list[str]) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": actions, "Resource": resources}
