"""Keys that people write and no schema has: features that the toolkit lacks, and what other tools call a key."""

from __future__ import annotations

from neuron_cluster.config.source_map import KeyPath

PAGE = "docs/limits.md"
_NODES = "count.desired is the number of nodes: edit it and deploy"
_PROVIDERS = "`eks` and `slurm` (AWS PCS) are the orchestrators of the file"
_STOP = "`idle_stop_minutes` stops a workstation, queues of `slurm` end idle instances; of a node group set desired: 0"
_FLEETS = "a compute group has one instance type and one purchase option: write a node group for each"
_GITOPS = "the software stack installs its charts; name those that another tool installs in `eks.installed_otherwise`"
ABSENT = {
    **dict.fromkeys(("karpenter", "cluster_autoscaler", "autoscaler", "autoscaling", "node_pools"), _NODES),
    **dict.fromkeys(("batch", "ecs", "hyperpod", "sagemaker", "slinky"), _PROVIDERS),
    "parallelcluster": "`neuron-cluster synth --format parallelcluster` writes its configuration from `slurm`",
    **dict.fromkeys(("ttl", "ttl_hours", "ttl_days", "office_hours", "working_hours", "expires"), _STOP),
    **dict.fromkeys(("fleet", "fleets", "instance_types", "mixed_instances_policy"), _FLEETS),
    **dict.fromkeys(("gitops", "argocd", "argo_cd", "flux"), _GITOPS),
    **dict.fromkeys(("training_plan", "training_plans"), "buy a Capacity Block: capacity: {kind: capacity_block}"),
    **dict.fromkeys(("ray", "raycluster", "mpi"), "install its operator with helm after the deploy"),
    **dict.fromkeys(("key_name", "key_pair", "ssh", "ssh_key", "bastion"), "Session Manager opens a shell on a node"),
    **dict.fromkeys(("user_data", "bootstrap_commands"), "a DaemonSet of your own; an AMI of your own with `slurm`"),
    **dict.fromkeys(("proxy", "http_proxy", "https_proxy"), "`network.nat`, or VPC endpoints with `image_cache`"),
}
"""Replacements by key, where docs/limits.md lists the feature as lacking."""

CALLED = {
    **dict.fromkeys(("vpc", "vpc_id", "subnet_ids", "subnets", "private_subnets"), ("network", "network.existing")),
    **dict.fromkeys(("azs", "zones"), ("network", "network.availability_zones")),
    **dict.fromkeys(("spot", "use_spot", "spot_instances"), ("", "capacity: {kind: spot}")),
    **dict.fromkeys(("capacity_type", "market_type", "purchase_option"), ("", "capacity: {kind: …}")),
    **dict.fromkeys(("min", "min_size", "max", "max_size", "desired", "desired_size", "desired_capacity", "replicas",
                     "nodes", "node_count", "size"), ("", "count: {min: …, desired: …, max: …}")),
    **dict.fromkeys(("monthly_budget", "cost_budget", "spending_limit"), ("", "budget: {usd_month: …, notify: […]}")),
    **dict.fromkeys(("volume_size", "disk_size", "root_volume_size"), ("", "root_volume: {size_gib: …}")),
}  # fmt: skip
"""The section in which a key of another tool has this meaning, and what it is here; no section: where the first
word of what it is here is a key."""


def absent(key: str) -> str | None:
    """Returns the replacement of a feature that the toolkit lacks; None for another key."""
    return ABSENT.get(_plain(key))


def called_here(path: KeyPath, allowed: list[str]) -> str | None:
    """Returns the key of this schema for that of another tool, in a mapping with the keys ``allowed``; else None."""
    section, here = CALLED.get(_plain(str(path[-1])), (None, ""))
    if section is None or (section and path[0] != section):
        return None
    return here if section or here.partition(":")[0] in allowed else None


def _plain(key: str) -> str:
    return key.lower().replace("-", "_")
