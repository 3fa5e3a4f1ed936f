"""The Lustre file system on a workstation: the association that mounts it."""

from __future__ import annotations

from aws_cdk import aws_ssm as ssm
from constructs import Construct

from neuron_cluster.bootstrap.workstation_idle_limit import DOCUMENT
from neuron_cluster.bootstrap.workstation_lustre import lustre_mount_commands
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.workstation_plan import WorkstationLustrePlan, WorkstationPlan


class WorkstationLustre(Construct):
    """No right comes with it: FSx has no IAM authorization of clients; security groups admit them."""

    def __init__(
        self,
        scope: Construct,
        plan: WorkstationPlan,
        lustre: WorkstationLustrePlan,
        environment: ClusterPlan,
        *,
        names: tuple[str, str, str],
        instance_id: str,
    ) -> None:
        super().__init__(scope, "Lustre")
        _, dns_name, mount_name = names
        ssm.CfnAssociation(
            self,
            "Mount",
            name=DOCUMENT,
            association_name=f"{environment.name}-{plan.name}-lustre",
            targets=[ssm.CfnAssociation.TargetProperty(key="InstanceIds", values=[instance_id])],
            parameters={"commands": lustre_mount_commands(dns_name, mount_name, lustre.package)},
        )
