"""The Slurm controller of AWS PCS: cluster, security group, and where its logs are."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_pcs as pcs
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.providers.pcs.stacks import CONTROLLER
from stacks.constructs.acknowledgement import acknowledge, in_standards
from stacks.constructs.key_statements import add_alias, alias_name, for_log_groups
from stacks.constructs.security_group_rules import ALL_PROTOCOLS, NO_EGRESS, Member, allow, security_group
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned

LOGS_BELOW = "/aws/vendedlogs/pcs/"
"""Log groups below /aws/vendedlogs share one resource policy, whose size is limited.

Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
"""


def build(context: StackContext) -> ControllerStack:
    slurm = planned(context.plan.provider(SlurmPlan))
    return ControllerStack(context.scope, context.plan, slurm, context.stack(NETWORK, NetworkStack))


class ControllerStack(EnvironmentStack):
    """PCS runs the controller in an account of its own, with a network interface in one private subnet."""

    def __init__(self, scope: Construct, plan: ClusterPlan, slurm: SlurmPlan, network: NetworkStack) -> None:
        super().__init__(scope, CONTROLLER.stack_key, plan)
        self.security_group_id = security_group(
            self, "SecurityGroup", vpc_id=network.vpc_id, purpose="Slurm controller and nodes", egress=NO_EGRESS
        )
        member = Member("slurm", self.security_group_id)
        acknowledge(
            allow(self, member, member, ALL_PROTOCOLS, None, None),
            in_standards("EC2RestrictedCommonPorts", "From the group itself alone: PCS and srun need every port."),
        )
        self.cluster = pcs.CfnCluster(
            self,
            "Cluster",
            name=slurm.name,
            networking=pcs.CfnCluster.NetworkingProperty(
                subnet_ids=[network.private_subnet_id(slurm.zone_id)], security_group_ids=[self.security_group_id]
            ),
            scheduler=pcs.CfnCluster.SchedulerProperty(type="SLURM", version=slurm.version),
            size=slurm.size.upper(),
            slurm_configuration=_configuration(slurm),
        )
        self._deliver_logs(plan, slurm)
        self.publish(self.cluster.attr_id, self.cluster.attr_arn, self.security_group_id)

    def _deliver_logs(self, plan: ClusterPlan, slurm: SlurmPlan) -> None:
        """Entries expire after a month; the group is deleted with the stack, as its deliveries are."""
        name = f"{LOGS_BELOW}{slurm.name}"
        key = kms.Key(
            self,
            "LogKey",
            description=f"Logs of the Slurm controller of {plan.name}",
            enable_key_rotation=True,
            pending_window=cdk.Duration.days(30),
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        add_alias(key, alias_name(plan, CONTROLLER.stack_key))
        key.add_to_resource_policy(for_log_groups(plan, name))
        group = logs.LogGroup(
            self,
            "Logs",
            log_group_name=name,
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=cdk.RemovalPolicy.DESTROY,
            encryption_key=key,
        )
        # The group's GetAtt Arn ends in :*, which stands for its streams.
        arn = f"arn:{plan.partition}:logs:{plan.region}:{plan.account}:log-group:{name}"
        destination = logs.CfnDeliveryDestination(
            self, "LogDestination", name=f"{plan.name}-slurm", destination_resource_arn=arn
        )
        destination.node.add_dependency(group)
        before: logs.CfnDelivery | None = None
        for log_type in slurm.log_types:
            source = logs.CfnDeliverySource(
                self,
                f"LogSource {log_type}",
                name=slurm.log_source_name(log_type),
                log_type=log_type,
                resource_arn=self.cluster.attr_arn,
            )
            delivery = logs.CfnDelivery(
                self,
                f"LogDelivery {log_type}",
                delivery_source_name=source.ref,
                delivery_destination_arn=destination.attr_arn,
            )
            if before is not None:
                # CloudWatch Logs answers two at once on a destination with ConflictException.
                # Source: hashicorp/terraform-provider-aws#42194.
                delivery.add_dependency(before)
            before = delivery


def _configuration(slurm: SlurmPlan) -> pcs.CfnCluster.SlurmConfigurationProperty:
    return pcs.CfnCluster.SlurmConfigurationProperty(
        accounting=pcs.CfnCluster.AccountingProperty(mode="STANDARD" if slurm.has_accounting else "NONE"),
        scale_down_idle_time_in_seconds=slurm.idle_seconds,
        slurm_custom_settings=[
            pcs.CfnCluster.SlurmCustomSettingProperty(parameter_name=name, parameter_value=value)
            for name, value in slurm.settings.items()
        ],
        cgroup_custom_settings=[
            pcs.CfnCluster.CgroupCustomSettingProperty(parameter_name=name, parameter_value=value)
            for name, value in slurm.cgroup_settings.items()
        ],
    )
