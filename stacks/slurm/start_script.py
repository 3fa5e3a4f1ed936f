"""The lifecycle scripts of compute node groups: an asset in the bootstrap bucket for each, with its checksum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_pcs as pcs

from neuron_cluster.bootstrap.mounts import lustre_source
from neuron_cluster.providers.pcs.node_script import ACCESS_POINTS_OF_ARGUMENT, node_script
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan
from stacks.constructs.bucket_name import bucket_name
from stacks.constructs.script_asset import ScriptAsset, script_asset
from stacks.environment_stack import EnvironmentStack
from stacks.storage import StorageStack

Group = pcs.CfnComputeNodeGroup
NAME = "neuron-cluster"
"""Name of the script in PCS; its log on a node is in /var/log/amazon/pcs/lifecycle/actions."""


@dataclass(frozen=True, slots=True)
class StartScript:
    """A lifecycle script in the bucket of assets, and the actions of a group that run it."""

    asset: ScriptAsset
    actions: pcs.CfnComputeNodeGroup.NodeLifecycleActionsProperty


def start_scripts(stack: EnvironmentStack, slurm: SlurmPlan, storage: StorageStack | None) -> dict[str, StartScript]:
    """Returns the scripts by name of the group."""
    return {group.name: _start_script(stack, group.start, storage) for group in slurm.compute_groups}


def _start_script(stack: EnvironmentStack, start: NodeStartPlan, storage: StorageStack | None) -> StartScript:
    """At every boot: it has no effect where it ran before, and a node that reboots has its mounts before slurmd."""
    asset = script_asset(stack, node_script(start), "Start of Slurm nodes")
    script = Group.NodeLifecycleScriptProperty(
        name=NAME,
        script_source=Group.ScriptSourceProperty(script_location=asset.url, checksum=asset.digest),
        arguments=list(_arguments(start, storage)) or None,
        on_error="TERMINATE",
        execution_policy="EVERY_BOOT",
    )
    stages = Group.NodeLifecycleStagesProperty(node_bootstrapped=[script])
    return StartScript(asset, Group.NodeLifecycleActionsProperty(stages=stages))


def _arguments(start: NodeStartPlan, storage: StorageStack | None) -> Iterator[str]:
    if storage is None:
        return
    if start.has_lustre and storage.lustre_names is not None:
        _, dns_name, mount_name = storage.lustre_names
        yield lustre_source(dns_name, mount_name)
    if start.has_bucket and storage.bucket_arn is not None:
        yield bucket_name(storage.bucket_arn)
    if start.access_points and storage.efs is not None:
        yield storage.efs.file_system_id
        ids = [storage.efs.access_point_ids[name] for name in start.access_points]
        for first in range(0, len(ids), ACCESS_POINTS_OF_ARGUMENT):
            yield cdk.Fn.join(" ", ids[first : first + ACCESS_POINTS_OF_ARGUMENT])
