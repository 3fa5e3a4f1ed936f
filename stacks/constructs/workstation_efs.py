"""EFS access points on a workstation: the association that mounts them."""

from __future__ import annotations

from aws_cdk import aws_ssm as ssm
from constructs import Construct

from neuron_cluster.bootstrap.workstation_efs import efs_mount_commands
from neuron_cluster.bootstrap.workstation_idle_limit import DOCUMENT
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.workstation_plan import WorkstationEfsPlan, WorkstationPlan
from stacks.constructs.efs_file_system import EfsFileSystem


class WorkstationEfs(Construct):
    """No right comes with it: the file system policy admits clients of access points without an IAM identity."""

    def __init__(
        self,
        scope: Construct,
        plan: WorkstationPlan,
        efs: WorkstationEfsPlan,
        environment: ClusterPlan,
        *,
        file_system: EfsFileSystem,
        instance_id: str,
    ) -> None:
        super().__init__(scope, "Efs")
        points = {name: file_system.access_point_ids[name] for name in efs.access_points}
        ssm.CfnAssociation(
            self,
            "Mounts",
            name=DOCUMENT,
            association_name=f"{environment.name}-{plan.name}-efs",
            targets=[ssm.CfnAssociation.TargetProperty(key="InstanceIds", values=[instance_id])],
            parameters={"commands": efs_mount_commands(file_system.file_system_id, points, efs.package)},
        )
