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
    **dict.fromkeys(("batch", "ecs", "slinky"), _PROVIDERS),
    "sagemaker": "`hyperpod` has clusters of SageMaker HyperPod; the file has no training jobs",
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

_SIZE_OF_GROUP = "write count: {desired: …, min: …} instead: nothing but a deploy changes the number of instances"
_LNC = ("logical_nc_config", "lnc", "logical_neuroncore_config")
_DEFAULT_LNC = "HyperPod has no setting of LNC: nodes have the default of their AMI; remove it"
OF_PLACE = {
    "hyperpod": {
        **dict.fromkeys(("instance_groups", "node_groups"), "write groups instead"),
        **dict.fromkeys(("cluster_name", "name"), "the cluster has the name of the environment; remove it"),
        **dict.fromkeys(("node_provisioning_mode", "provisioning_mode"), "write continuous: true or false instead"),
        **dict.fromkeys(
            ("tiered_storage", "tiered_storage_config", "tiered_checkpoints"),
            "no source names Neuron for tiered checkpoints: use storage.checkpoint_bucket or storage.lustre; remove it",
        ),
        **dict.fromkeys(
            ("life_cycle_config", "lifecycle_config", "life_cycle_script", "lifecycle_scripts", "on_create"),
            "nodes get their settings from the software of the cluster: use a DaemonSet of your own; remove it",
        ),
        **dict.fromkeys(
            ("auto_scaling", "autoscaling", "karpenter", "cluster_role"),
            "the toolkit uses no autoscaler of HyperPod: edit count.desired of a group and deploy; remove it",
        ),
        **dict.fromkeys(
            ("vpc_config", "security_groups", "security_group_ids", "subnets"),
            "nodes are in the private subnets of the section network; remove it",
        ),
        **dict.fromkeys(_LNC, _DEFAULT_LNC),
    },
    "hyperpod.groups": {
        **dict.fromkeys(_LNC, _DEFAULT_LNC),
        **dict.fromkeys(
            ("huge_pages", "hugepages", "user_data", "bootstrap_commands", "kubelet", "nodeadm", "sysctl"),
            "HyperPod nodes have no user data: use a DaemonSet of your own; remove it",
        ),
        **dict.fromkeys(("placement", "placement_group"), "HyperPod decides the placement of instances; remove it"),
        **dict.fromkeys(
            ("root_volume", "root_volume_size", "volume_size", "disk_size"),
            "HyperPod decides the size of root volumes: remove it; extra_volume has one at /opt/sagemaker",
        ),
        **dict.fromkeys(
            ("local_disks", "instance_store", "instance_store_policy", "local_storage", "nvme"),
            "the AMI of HyperPod joins the local disks for /opt/sagemaker; remove it",
        ),
        **dict.fromkeys(
            ("efa", "network_interface", "network_interfaces"),
            "HyperPod decides interfaces: instances have EFA on each network card; remove it",
        ),
        **dict.fromkeys(
            ("ami_id", "image_id", "ami", "dlami"),
            "the AMI is that of HyperPod: ami_release is its version; remove it",
        ),
        **dict.fromkeys(("image_release_version", "ami_version", "release_version"), "write ami_release instead"),
        **dict.fromkeys(
            ("pods_per_node", "max_pods"), "HyperPod decides the number of pods, by the instance type; remove it"
        ),
        **dict.fromkeys(("node_repair", "node_recovery"), "write hyperpod.node_recovery instead, for all groups"),
        **dict.fromkeys(
            ("subnets", "subnet_ids"), "write availability_zone, whose private subnet has the nodes; remove it"
        ),
        **dict.fromkeys(
            ("training_plan", "training_plan_arn"), "write capacity: {kind: training_plan, plan_arn: …} instead"
        ),
        **dict.fromkeys(("min", "max", "desired", "instance_count", "replicas", "size"), _SIZE_OF_GROUP),
    },
    "hyperpod.groups.count": {"max": "HyperPod has no maximum: desired is the number of instances; remove it"},
}
"""Keys by the place, without positions, where they mean nothing or are called otherwise; for all others see above."""


def refused(path: KeyPath) -> str | None:
    """Returns why this place of the file has no such key, and what to do; None where nothing special is known."""
    place = ".".join(str(part) for part in path[:-1] if not isinstance(part, int))
    return OF_PLACE.get(place, {}).get(_plain(str(path[-1])))


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
