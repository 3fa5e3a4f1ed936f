"""A group's physical name changes with whatever makes EKS replace it, and with nothing else."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.taint import TaintEffect
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.node_group_plan import TaintPlan
from neuron_cluster.providers.eks.plan.build_node_group import QUEUE_LABEL, physical_name, subnets_of

ROOT = Path(__file__).parents[5]
PLAN = check_environment(ROOT / "environments" / "train-trn1.yaml", catalog=load_catalog()).require_plan()
GROUP = next(group for group in PLAN.kubernetes.node_groups if group.name == "trn1")


def name(
    machine=GROUP.machine,
    zones=GROUP.zone_ids,
    network=PLAN.network,
    environment=PLAN.name,
    ami_type=GROUP.image.family,
) -> str:
    return physical_name("trn1", environment, machine, ami_type, subnets_of(network, zones, in_secondary=False))


def test_the_name_is_the_users_name_and_eight_hex_digits():
    assert name() == GROUP.physical_name
    assert name().startswith("trn1-")
    assert len(name()) == len("trn1-") + 8


@pytest.mark.parametrize(
    "changed",
    [
        {"machine": replace(GROUP.machine, instance_type="trn1n.32xlarge")},
        {"ami_type": "AL2023_x86_64_STANDARD"},
        {"machine": replace(GROUP.machine, purchase=replace(GROUP.machine.purchase, kind="spot"))},
        {"zones": ("usw2-az1",)},
        {"environment": "other"},
        {
            "network": replace(
                PLAN.network, subnets=tuple(replace(each, cidr="10.9.0.0/19") for each in PLAN.network.subnets)
            )
        },
    ],
    ids=["instance type", "AMI type", "capacity type", "zones", "environment", "subnets"],
)
def test_what_replaces_a_group_changes_its_name(changed: dict):
    assert name(**changed) != name()


def test_a_system_group_has_a_name_of_its_new_stack():
    """Another one than it had in the stack of all groups, which it leaves in an upgrade: both exist for a while."""
    (system,) = [group for group in PLAN.kubernetes.node_groups if group.name == "system"]
    assert system.physical_name != "system-c7ec38ed"
    assert GROUP.physical_name == "trn1-fc8cfbbe"


@pytest.mark.parametrize(
    "machine",
    [
        replace(GROUP.machine, root_volume=replace(GROUP.machine.root_volume, size_gib=900)),
        replace(GROUP.machine, placement_strategy=None),
        replace(GROUP.machine, purchase=replace(GROUP.machine.purchase, reservation_id="cr-0123456789abcdef0")),
    ],
    ids=["root volume", "placement", "another reservation"],
)
def test_what_only_rolls_the_nodes_keeps_the_name(machine):
    assert name(machine=machine) == name()


def test_neuron_groups_are_tainted_repaired_and_labelled():
    assert [(t.key, t.value, t.effect) for t in GROUP.taints] == [("aws.amazon.com/neuron", "true", "NO_SCHEDULE")]
    assert GROUP.node_repair is not None
    assert GROUP.labels == {"neuron-cluster/node-group": "trn1"}


def test_system_groups_are_neither_tainted_nor_repaired_by_default():
    system = next(group for group in PLAN.kubernetes.node_groups if group.name == "system")
    assert system.taints == ()
    assert system.node_repair is None


def test_groups_on_two_blocks_share_a_queue_and_their_nodes_say_so(plan_of):
    """One block ends when the other begins; a job that waits does not know on which of them it will run."""
    block = {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}
    group = {
        "name": "next",
        "instance_type": "trn2.48xlarge",
        "availability_zone": "use2-az3",
        "count": {"max": "4"},
        "queue": "training",
        "capacity": {**block, "reservation_id": "cr-0123456789abcdef1", "starts": "2026-12-08T11:30:00Z"},
    }
    edits = {
        "eks.node_groups.1.queue": "training",
        "eks.node_groups.1.capacity": {**block, "ends": "2026-12-08T11:30:00Z"},
        "eks.node_groups.2": group,
    }
    eks = plan_of("train-trn2", edits).kubernetes
    assert {queue: [group.name for group in groups] for queue, groups in eks.queues.items()} == {
        "training": ["trn2", "next"]
    }
    assert [group.labels.get(QUEUE_LABEL) for group in eks.node_groups] == [None, "training", "training"]


def test_every_effect_that_a_file_can_name_has_a_word_of_kubernetes():
    taints = [TaintPlan("team", "a", effect.value.upper()) for effect in TaintEffect]
    assert [taint.kubernetes_effect.lower() for taint in taints] == [e.value.replace("_", "") for e in TaintEffect]
