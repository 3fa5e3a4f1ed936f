"""The login group, compute node groups and queues of a PCS cluster."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import aws_iam as iam
from aws_cdk import aws_pcs as pcs
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.team import team_tags
from neuron_cluster.providers.pcs.plan.slurm_plan import ROLE_PATH, SlurmGroupPlan, SlurmPlan
from neuron_cluster.providers.pcs.stacks import CONTROLLER, NODES
from neuron_cluster.schedulers.slurm.cluster import SlurmQueuePlan
from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate
from stacks.constructs.session_rights import acknowledge_sessions, session_policies
from stacks.constructs.slurm_node_rights import (
    acknowledge_bucket,
    acknowledge_scripts,
    bucket_policies,
    script_policies,
)
from stacks.environment_stack import EnvironmentStack
from stacks.network import NetworkStack
from stacks.slurm.controller import ControllerStack
from stacks.slurm.start_script import StartScript, start_scripts
from stacks.stack_context import StackContext, planned
from stacks.storage import StorageStack

GROUP_TAG = "neuron-cluster:compute-node-group"


def build(context: StackContext) -> ComputeStack:
    slurm = planned(context.plan.provider(SlurmPlan))
    network = context.stack(NETWORK, NetworkStack)
    controller = context.stack(CONTROLLER, ControllerStack)
    storage = context.stack_if_planned(STORAGE, StorageStack)
    return ComputeStack(context.scope, context.plan, slurm, network, controller, storage)


class ComputeStack(EnvironmentStack):
    """Everything here is disposable. Ids depend on the user's names alone."""

    def __init__(
        self,
        scope: Construct,
        plan: ClusterPlan,
        slurm: SlurmPlan,
        network: NetworkStack,
        controller: ControllerStack,
        storage: StorageStack | None,
    ) -> None:
        super().__init__(scope, NODES.stack_key, plan)
        self._plan, self._network, self._controller = plan, network, controller
        of_cluster = {SecurityGroupRole.CLUSTER: controller.security_group_id}
        self._security_group_ids = network.security_group_ids | of_cluster
        scripts = start_scripts(self, slurm, storage)
        self._profile_arn = self._profile(scripts, storage)
        groups = {group.name: self._group(group, scripts[group.name]) for group in slurm.compute_groups}
        for queue in slurm.queues:
            self._queue(queue, groups)

    def _profile(self, scripts: Mapping[str, StartScript], storage: StorageStack | None) -> str:
        """ARN of the instance profile of all nodes: they register with this cluster, and have sessions."""
        register = {
            "Effect": "Allow",
            "Action": "pcs:RegisterComputeNodeGroupInstance",
            "Resource": self._controller.cluster.attr_arn,
        }
        document = iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": [register]})
        role = iam.Role(
            self,
            "NodeRole",
            path=ROLE_PATH,
            description=f"Slurm nodes of {self._plan.name}: registration with the PCS cluster, and sessions",
            assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
            inline_policies={
                **session_policies(self._plan),
                "Registration": document,
                **script_policies([script.asset for script in scripts.values()], self._plan),
                **bucket_policies(storage, self._plan),
            },
        )
        acknowledge_sessions(role, self._plan)
        acknowledge_bucket(role, storage)
        acknowledge_scripts(role, self._plan)
        return iam.CfnInstanceProfile(self, "NodeProfile", path=ROLE_PATH, roles=[role.role_name]).attr_arn

    def _group(self, group: SlurmGroupPlan, script: StartScript) -> pcs.CfnComputeNodeGroup:
        scope = Construct(self, f"Group {group.name}")
        name = f"{self._plan.name}/{group.name}"
        identity = {"Name": name, ENVIRONMENT_TAG: self._plan.name, GROUP_TAG: group.name, **team_tags(group.team)}
        tags = {**identity, **self._plan.launch_tags}
        template = NeuronLaunchTemplate(
            scope, "LaunchTemplate", group, security_group_ids=self._security_group_ids, launch_tags=tags
        ).resource
        return pcs.CfnComputeNodeGroup(
            scope,
            "Resource",
            name=group.physical_name,
            cluster_id=self._controller.cluster.attr_id,
            instance_configs=[
                pcs.CfnComputeNodeGroup.InstanceConfigProperty(instance_type=group.machine.instance_type)
            ],
            ami_id=group.image.image,
            iam_instance_profile_arn=self._profile_arn,
            purchase_option=group.purchase_option,
            subnet_ids=self._network.private_subnet_ids(group.zone_ids),
            custom_launch_template=pcs.CfnComputeNodeGroup.CustomLaunchTemplateProperty(
                template_id=template.ref, version=template.attr_latest_version_number
            ),
            scaling_configuration=pcs.CfnComputeNodeGroup.ScalingConfigurationProperty(
                min_instance_count=group.min, max_instance_count=group.max
            ),
            slurm_configuration=_configuration(group),
            node_lifecycle_actions=script.actions,
        )

    def _queue(self, queue: SlurmQueuePlan, groups: Mapping[str, pcs.CfnComputeNodeGroup]) -> None:
        pcs.CfnQueue(
            self,
            f"Queue {queue.name}",
            name=queue.name,
            cluster_id=self._controller.cluster.attr_id,
            compute_node_group_configurations=[
                pcs.CfnQueue.ComputeNodeGroupConfigurationProperty(compute_node_group_id=groups[name].attr_id)
                for name in queue.groups
            ],
            slurm_configuration=pcs.CfnQueue.SlurmConfigurationProperty(
                slurm_custom_settings=[
                    pcs.CfnQueue.SlurmCustomSettingProperty(parameter_name=key, parameter_value=value)
                    for key, value in queue.settings.items()
                ]
            ),
        )


def _configuration(group: SlurmGroupPlan) -> pcs.CfnComputeNodeGroup.SlurmConfigurationProperty | None:
    if not group.settings:
        return None
    return pcs.CfnComputeNodeGroup.SlurmConfigurationProperty(
        slurm_custom_settings=[
            pcs.CfnComputeNodeGroup.SlurmCustomSettingProperty(parameter_name=name, parameter_value=value)
            for name, value in group.settings.items()
        ],
        gres_custom_settings=[group.gres.record] if group.gres is not None else None,
    )
