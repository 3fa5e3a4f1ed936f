"""Scripts read the JSON of `plan`: its keys are listed here, whatever the records behind them are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.report.plan_data import plan_data

MACHINE = {
    *("path", "instance_type", "is_neuron", "ami_type", "ami_release", "interfaces", "placement_strategy", "market"),
    *("root_volume", "user_data_shell", "logical_nc_config", "hourly_usd", "node_config", "local_disks"),
    *("neuroncores", "image"),
}
MARKET = {
    *("eks_capacity_type", "market_type", "reservation_id", "resource_group_arn", "reservation_preference"),
    *("starts", "ends"),
}
NODE_GROUP = {
    *("path", "name", "physical_name", "machine", "min", "desired", "max", "zone_ids", "labels", "taints"),
    *(
        "node_repair",
        "team",
        "queue",
        "in_secondary_subnets",
        "pods_per_node",
        "node_addresses",
        "has_network_topology",
        "is_governed",
        "lends_rest",
        "pulls_in_parallel",
    ),
}
WORKSTATION = {
    *("path", "name", "machine", "zone_id", "dlami", "login_user", "virtual_environment", "home"),
    *("idle_stop_minutes", "team", "image_owner", "compile_cache", "efs", "lustre"),
}

PLAN = {
    *("name", "account", "region", "partition", "is_durable", "tags", "launch_tags", "neuron_sdk"),
    *(
        "network",
        "storage",
        "eks",
        "hyperpod",
        "slurm",
        "sagemaker_training",
        "workstations",
        "addresses",
        "containers",
        "frameworks",
        "observability",
        "prices",
        "budget",
    ),
}
EKS = {
    *("path", "name", "version", "kubectl_layer_module", "kubectl_layer_class", "service_cidr", "is_public"),
    *("public_access_cidrs", "admins", "viewers", "namespaces", "node_groups", "auto_mode", "node_policies"),
    *("auto_mode_roles", "device_management", "addons", "charts", "control_plane_logs", "agent_log_groups"),
    *("prefix_delegation", "installed_otherwise", "image_cache", "manifests", "patches", "workload_roles"),
    *("teams", "team_manifests"),
}


def test_the_plan_has_the_section_of_each_provider_under_its_key(plan_of: Callable[..., Any]) -> None:
    data = plan_data(plan_of("train-trn1"))
    assert (set(data), set(data["eks"])) == (PLAN, EKS)
    assert plan_data(plan_of("workstation"))["eks"] is None


def test_a_node_group_has_its_image_and_first_boot_in_machine(plan_of: Callable[..., Any]) -> None:
    _, group = plan_data(plan_of("train-trn2"))["eks"]["node_groups"]
    machine = group["machine"]
    assert (set(group), set(machine), set(machine["market"])) == (NODE_GROUP, MACHINE, MARKET)
    assert (machine["ami_type"], machine["image"]) == ("AL2023_x86_64_NEURON", None)
    assert machine["market"]["eks_capacity_type"] == "CAPACITY_BLOCK"


def test_a_workstation_has_no_ami_type_and_the_parameter_of_its_image(plan_of: Callable[..., Any]) -> None:
    (workstation,) = plan_data(plan_of("workstation"))["workstations"]
    machine = workstation["machine"]
    assert (set(workstation), set(machine), set(machine["market"])) == (WORKSTATION, MACHINE, MARKET)
    assert (machine["ami_type"], machine["ami_release"]) == (None, None)
    assert machine["image"].startswith("resolve:ssm:")


def test_the_network_has_its_address_ranges_by_zone_too(plan_of: Callable[..., Any]) -> None:
    network = plan_data(plan_of("train-trn1"))["network"]
    first, second = network["zones"]
    assert (first["private_cidr"], first["public_cidr"]) == ("10.20.0.0/19", "10.20.224.0/22")
    assert (second["private_cidr"], second["public_cidr"]) == ("10.20.32.0/19", "10.20.228.0/22")
    assert network["secondary_subnets"] == []
