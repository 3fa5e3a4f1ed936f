"""Properties of a HyperPod cluster with Slurm, and the script of each of its groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aws_cdk import aws_sagemaker as sagemaker

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE
from neuron_cluster.providers.hyperpod.node_script import launcher, node_script
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmGroupPlan, HyperPodSlurmPlan
from stacks.constructs.bucket_name import bucket_name
from stacks.constructs.script_asset import ScriptAsset, script_asset
from stacks.environment_stack import EnvironmentStack
from stacks.hyperpod.script_bucket import ScriptBucket
from stacks.storage import StorageStack

Cluster = sagemaker.CfnCluster
SCRIPT = "on_init_complete.sh"
MERGE = "Merge"
"""HyperPod keeps what the controller adds to slurm.conf. With continuous provisioning it rejects any strategy.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-slurm.html
"""
THREADS_PER_CORE = 1
"""A node has one CPU of Slurm for each core, as with PCS and ParallelCluster."""


class OnSlurm:
    """A group's life cycle script is short: it verifies and runs a script in the bucket of assets."""

    def __init__(
        self,
        stack: EnvironmentStack,
        hyperpod: HyperPodSlurmPlan,
        scripts: ScriptBucket,
        storage: StorageStack | None,
    ) -> None:
        strategy = None if hyperpod.is_continuous else MERGE
        self.orchestrator = Cluster.OrchestratorProperty(
            slurm=Cluster.ClusterOrchestratorSlurmConfigProperty(slurm_config_strategy=strategy)
        )
        self._storage = storage
        self._groups = {group.name: group for group in hyperpod.instance_groups}
        self.assets = {
            group.name: script_asset(stack, node_script(group, hyperpod), "Start of Slurm nodes of HyperPod")
            for group in hyperpod.instance_groups
        }
        self._uris = {
            group.name: scripts.add(f"Script {group.name}", SCRIPT, self._launcher(group), self._values(group))
            for group in hyperpod.instance_groups
        }

    def _launcher(self, group: HyperPodSlurmGroupPlan) -> str:
        asset: ScriptAsset = self.assets[group.name]
        return launcher(asset.url, asset.digest, has_bucket=group.start.has_bucket)

    def _values(self, group: HyperPodSlurmGroupPlan) -> dict[str, str]:
        """Returns what only CloudFormation has, by name."""
        if not group.start.has_bucket or self._storage is None or self._storage.bucket_arn is None:
            return {}
        return {"BUCKET": bucket_name(self._storage.bucket_arn)}

    @property
    def acknowledged(self) -> dict[str, str]:
        """None: CDK's validation knows all properties."""
        return {}

    def group_properties(self, name: str) -> dict[str, Any]:
        """Returns the properties of a group in addition to those of either orchestrator."""
        group = self._groups[name]
        return {
            "life_cycle_config": Cluster.ClusterLifeCycleConfigProperty(
                source_s3_uri=self._uris[name], on_init_complete=SCRIPT
            ),
            "slurm_config": Cluster.ClusterSlurmConfigProperty(
                node_type=group.node_type, partition_names=[group.queue] if group.queue is not None else None
            ),
            "threads_per_core": THREADS_PER_CORE,
        }

    def volumes(self, name: str) -> Iterator[sagemaker.CfnCluster.ClusterInstanceStorageConfigProperty]:
        """Yields the file system, which HyperPod mounts before the script runs."""
        storage = self._storage
        if not self._groups[name].start.has_lustre or storage is None or storage.lustre_names is None:
            return
        _, dns_name, mount_name = storage.lustre_names
        yield Cluster.ClusterInstanceStorageConfigProperty(
            fsx_lustre_config=Cluster.ClusterFsxLustreConfigProperty(
                dns_name=dns_name, mount_name=mount_name, mount_path=NODE_LUSTRE.folder
            )
        )
