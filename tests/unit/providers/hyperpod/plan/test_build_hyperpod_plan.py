"""Instance groups of HyperPod: names that replace a group, labels, taints, purchase, addresses and updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from local_kubernetes.model.names import GROUP_LABEL, QUEUE_LABEL
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.hyperpod_type import HyperPodType
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_group_plan import NEURON_TAINT
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan
from neuron_cluster.providers.hyperpod.life_cycle_script import MOST_CHARACTERS, script_bucket_name
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodGroupPlan, HyperPodPlan, SoftwareUpdatesPlan
from neuron_cluster.report.price import price_of, price_sentence

CATALOG = load_catalog()
NAME = "hyperpod-trn2"
GROUP = "hyperpod.groups.0"
PLAN_ARN = "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"
PLANNED = {"kind": "training_plan", "plan_arn": PLAN_ARN}
CPU = {"name": "prepare", "instance_type": "ml.m7i.4xlarge", "count": {"desired": 2}}

PlanOf = Callable[..., ClusterPlan]
Edits = dict[str, Any]

OF_KNOWN_ADDRESSES = [
    row for row in CATALOG.hyperpod_types if row.addresses_on_eks is not None and row.name != "ml.trn2.3xlarge"
]
"""An interface of ml.trn2.3xlarge has 15 addresses, and the guide's sum for it 50: a doubt of the catalog."""


def elsewhere(row: HyperPodType) -> Edits:
    """Edits that make the group one of this type, in a Region that has all Trainium types but ml.trn2.48xlarge."""
    type_of = {f"{GROUP}.instance_type": row.name}
    if "us-west-2" not in (row.regions or ()):
        return type_of
    zones = {"network.availability_zones": ["usw2-az4", "usw2-az1"], f"{GROUP}.availability_zone": "usw2-az4"}
    return {"region": "us-west-2", "storage": None, **zones, **type_of}


def hyperpod(plan: ClusterPlan) -> HyperPodPlan:
    found = plan.provider(HyperPodPlan)
    assert found is not None
    return found


def group_of(plan_of: PlanOf, edits: Edits | None = None) -> HyperPodGroupPlan:
    return hyperpod(plan_of(NAME, edits)).groups[0]


def test_a_name_is_the_users_name_and_eight_hex_digits(plan_of: PlanOf) -> None:
    name, _, digits = group_of(plan_of).physical_name.rpartition("-")
    assert (name, len(digits)) == ("trn2", 8)
    assert int(digits, 16) >= 0


@pytest.mark.parametrize(
    "edits",
    [
        {f"{GROUP}.instance_type": "ml.m7i.4xlarge", f"{GROUP}.queue": None},
        {f"{GROUP}.capacity": {"kind": "spot"}},
        {f"{GROUP}.availability_zone": "use2-az1", "storage.lustre": None},
        {"network.cidr": "10.48.0.0/16"},
        {"name": "other"},
    ],
    ids=["instance type", "Spot", "zone", "subnet", "environment"],
)
def test_what_hyperpod_fixes_gives_a_group_another_name(plan_of: PlanOf, edits: Edits) -> None:
    assert group_of(plan_of, edits).physical_name != group_of(plan_of).physical_name


@pytest.mark.parametrize(
    "edits",
    [
        {f"{GROUP}.count": {"desired": 9, "min": 2}},
        {f"{GROUP}.labels": {"workload": "training"}},
        {f"{GROUP}.taints": [{"key": "team", "value": "a", "effect": "no_schedule"}]},
        {f"{GROUP}.capacity": PLANNED},
        {f"{GROUP}.queue": None},
        {f"{GROUP}.deep_health_checks": ["instance_stress"]},
        {f"{GROUP}.extra_volume": {"size_gib": 500}},
        {f"{GROUP}.ami_release": "1.2.3"},
        {f"{GROUP}.software_updates": {"schedule": "cron(0 2 ? * SUN *)"}},
        {"hyperpod.node_recovery": "none"},
        {"hyperpod.groups.1": CPU},
    ],
    ids=lambda edits: next(iter(edits)).rpartition(".")[2],
)
def test_whatever_else_an_edit_changes_the_name_stays(plan_of: PlanOf, edits: Edits) -> None:
    assert group_of(plan_of, edits).physical_name == group_of(plan_of).physical_name


def test_the_default_zone_is_the_first_of_the_network(plan_of: PlanOf) -> None:
    """Writing the default into the file replaces no group."""
    without = group_of(plan_of, {f"{GROUP}.availability_zone": None})
    assert (without.zone_ids, without.physical_name) == (("use2-az3",), group_of(plan_of).physical_name)


def test_nodes_have_the_labels_of_group_and_queue_and_those_of_the_file(plan_of: PlanOf) -> None:
    edits = {f"{GROUP}.labels": {"workload": "training"}}
    assert group_of(plan_of, edits).labels == {GROUP_LABEL: "trn2", QUEUE_LABEL: "training", "workload": "training"}
    assert group_of(plan_of, {f"{GROUP}.queue": None}).labels == {GROUP_LABEL: "trn2"}


def test_neuron_nodes_have_their_taint_before_those_of_the_file(plan_of: PlanOf) -> None:
    taint = {"key": "team", "value": "a", "effect": "no_execute"}
    own, other = group_of(plan_of, {f"{GROUP}.taints": [taint]}).taints
    assert own == NEURON_TAINT
    assert (other.key, other.value, other.kubernetes_effect) == ("team", "a", "NoExecute")


def test_a_group_without_neuron_devices_has_no_taint_of_its_own(plan_of: PlanOf) -> None:
    prepare = hyperpod(plan_of(NAME, {"hyperpod.groups.1": CPU})).groups[1]
    assert (prepare.taints, prepare.machine.is_neuron, prepare.machine.efa_interfaces) == ((), False, 0)


def test_hyperpod_takes_no_taints_together_with_deep_health_checks(plan_of: PlanOf) -> None:
    checked = group_of(plan_of, {f"{GROUP}.deep_health_checks": ["instance_connectivity", "instance_stress"]})
    assert checked.taints == ()
    assert checked.deep_health_checks == ("InstanceStress", "InstanceConnectivity")


@pytest.mark.parametrize("row", [each for each in CATALOG.hyperpod_types if each.max_pods], ids=lambda row: row.name)
def test_a_node_has_as_many_pods_as_the_guide_gives_its_type(plan_of: PlanOf, row: HyperPodType) -> None:
    """The plan computes them of the one interface that EC2's type has for them."""
    counted = group_of(plan_of, elsewhere(row)).node_addresses
    assert counted is not None
    assert (counted.pods, counted.pods_without_prefixes, counted.pods_with_prefixes) == (row.max_pods,) * 3


@pytest.mark.parametrize("row", OF_KNOWN_ADDRESSES, ids=lambda row: row.name)
def test_a_node_takes_the_addresses_that_sources_give_its_type(plan_of: PlanOf, row: HyperPodType) -> None:
    """50 of the interface with pods and one for each further card, none of them in prefixes."""
    counted = group_of(plan_of, elsewhere(row)).node_addresses
    assert counted is not None
    assert (counted.addresses, counted.single, counted.prefixes) == (row.addresses_on_eks, row.addresses_on_eks, 0)
    assert counted.interfaces == row.efa_interfaces


def test_the_catalog_doubts_the_type_whose_interface_has_fewer_addresses() -> None:
    """The plan of ml.trn2.3xlarge counts what EC2 gives its interface, not the sum of the guide."""
    (row,) = (each for each in CATALOG.hyperpod_types if each.name == "ml.trn2.3xlarge")
    assert "fewer" in (row.doubt_about("addresses_on_eks") or "")


def test_addresses_of_the_nodes_are_counted_in_their_subnet_once(plan_of: PlanOf) -> None:
    """The plan of the Kubernetes cluster counts them, and that of HyperPod does not again."""
    needs = [need for subnet in plan_of(NAME).addresses for need in subnet.needs if "trn2" in need.words and need.count]
    assert [(need.count, need.each) for need in needs] == [(4, 65)]


@pytest.mark.parametrize(
    ("capacity", "kind", "is_spot", "plan_arn"),
    [
        ({"kind": "on_demand"}, "on_demand", False, None),
        ({"kind": "spot"}, "spot", True, None),
        (PLANNED, "training_plan", False, PLAN_ARN),
    ],
    ids=["on demand", "Spot", "training plan"],
)
def test_a_group_is_bought_in_one_way(
    plan_of: PlanOf, capacity: Edits, kind: str, is_spot: bool, plan_arn: str | None
) -> None:
    group = group_of(plan_of, {f"{GROUP}.capacity": capacity})
    purchase = group.machine.purchase
    assert (purchase.kind, group.is_spot, group.training_plan_arn) == (kind, is_spot, plan_arn)
    assert purchase.reservation_id is None, "HyperPod takes no reservations of EC2"


def test_a_training_plan_has_its_times(plan_of: PlanOf) -> None:
    times = {"starts": "2026-12-01T11:30:00Z", "ends": "2026-12-08T11:30:00Z"}
    purchase = group_of(plan_of, {f"{GROUP}.capacity": {**PLANNED, **times}}).machine.purchase
    assert [purchase.starts, purchase.ends] == list(times.values())


def test_updates_wait_in_seconds(plan_of: PlanOf) -> None:
    updates = {"schedule": "cron(0 2 ? * SUN *)", "batch_percent": 25, "wait_minutes": 10}
    group = group_of(plan_of, {f"{GROUP}.software_updates": updates})
    assert group.software_updates == SoftwareUpdatesPlan("cron(0 2 ? * SUN *)", 25, 600)
    assert group_of(plan_of).software_updates is None


def test_neither_a_placement_group_nor_a_root_volume_is_ours(plan_of: PlanOf) -> None:
    group = group_of(plan_of)
    assert (group.machine.placement_strategy, group.machine.root_volume, group.node_repair) == (None, None, None)
    assert not group.is_sold_by_ec2


def test_the_cluster_has_the_groups_of_both_providers_and_each_belongs_to_one(plan_of: PlanOf) -> None:
    plan = plan_of(NAME, {"hyperpod.groups.1": CPU})
    kinds = [(type(group), group.name) for group in plan.node_groups]
    assert kinds == [
        (ManagedNodeGroupPlan, "system"),
        (HyperPodGroupPlan, "trn2"),
        (HyperPodGroupPlan, "prepare"),
    ]
    assert sorted(group.name for group in plan.compute_groups) == ["prepare", "system", "trn2"]
    assert [group.name for group in plan.ec2_groups] == ["system"]
    assert plan.node_groups[1:] == hyperpod(plan).groups


def test_groups_of_both_providers_share_a_queue(plan_of: PlanOf) -> None:
    shared = {
        "name": "spare",
        "instance_type": "trn2.48xlarge",
        "availability_zone": "use2-az3",
        "count": {"max": 2},
        "queue": "training",
    }
    kubernetes = plan_of(NAME, {"eks.node_groups.1": shared}).kubernetes
    assert kubernetes is not None
    assert [group.name for group in kubernetes.queues["training"]] == ["spare", "trn2"]


def test_a_price_of_the_file_counts_and_nothing_says_that_it_does_not(plan_of: PlanOf) -> None:
    """Without one, the sentence about groups of unknown prices names the group."""
    plan = plan_of(NAME, {"prices": {"ml.trn2.48xlarge": 40.0}})
    assert price_sentence(price_of(plan, CATALOG)).startswith("Instances: $160.4032 an hour at the desired count")
    for each in (plan, plan_of(NAME)):
        assert "HyperPod" not in price_sentence(price_of(each, CATALOG))
    assert "Price not known: trn2" in price_sentence(price_of(plan_of(NAME), CATALOG))


def test_an_environment_without_the_section_has_no_such_plan(plan_of: PlanOf) -> None:
    assert plan_of("train-trn1").provider(HyperPodPlan) is None


@pytest.mark.parametrize("region", ["us-east-2", "ap-southeast-4", "ap-northeast-1", "us-gov-west-1"])
@pytest.mark.parametrize("name", ["a", "a" * 26, "a" * 23 + "-bc", "long-name-of-an-environment-of-a-team"])
def test_bucket_names_are_short_enough_and_differ(name: str, region: str) -> None:
    found = script_bucket_name(name, "111122223333", region)
    assert len(found) <= MOST_CHARACTERS == 63
    assert found.startswith("sagemaker-"), "SageMaker's own policy reads no other buckets"
    assert found.endswith(f"-111122223333-{region}")
    assert "--" not in found
    assert found != script_bucket_name(f"{name[:-1]}x" if len(name) > 1 else "b", "111122223333", region)
