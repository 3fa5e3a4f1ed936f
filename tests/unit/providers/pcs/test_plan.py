"""The plan of a PCS cluster: size, default queue, whole nodes, devices, endpoints, addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.scale import build_scale
from neuron_cluster.providers.pcs.config.section import SLURM_EXAMPLE
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.report.addresses_page import addresses_table
from neuron_cluster.schedulers.slurm.gres import GresPlan

PlanOf = Callable[..., ClusterPlan]
TRN1: dict[str, Any] = {
    "name": "trn1",
    "instance_type": "trn1.32xlarge",
    "count": {"max": 16},
    "availability_zone": "usw2-az4",
    "root_volume": {"size_gib": 512},
}
CPU: dict[str, Any] = {
    "name": "cpu",
    "instance_type": "m7i.xlarge",
    "count": {"max": 4},
    "root_volume": {"size_gib": 100},
}


def slurm(plan: ClusterPlan) -> SlurmPlan:
    found = plan.provider(SlurmPlan)
    assert found is not None
    return found


def with_groups(*groups: dict[str, Any], queues: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    every = {"name": "all", "groups": [group["name"] for group in groups]}
    return {"slurm.groups": list(groups), "slurm.queues": queues or [every]}


@pytest.mark.parametrize(
    ("maximum", "size"), [(1, "small"), (31, "small"), (32, "medium"), (511, "medium"), (512, "large")]
)
def test_the_size_is_the_smallest_for_all_instances_with_the_login_node(
    maximum: int, size: str, plan_of: PlanOf
) -> None:
    plan = slurm(plan_of("slurm-trn1", with_groups({**CPU, "count": {"max": maximum}})))
    assert (plan.size, sum(group.max for group in plan.compute_groups)) == (size, maximum + 1)


def test_a_size_that_is_given_is_kept(plan_of: PlanOf) -> None:
    assert slurm(plan_of("slurm-trn1", {"slurm.size": "large"})).size == "large"


@pytest.mark.parametrize(
    ("defaults", "expected"),
    [((None, None), ["one"]), ((None, True), ["two"]), ((False, None), []), ((True, False), ["one"])],
)
def test_one_queue_at_most_is_the_default(
    defaults: tuple[bool | None, ...], expected: list[str], plan_of: PlanOf
) -> None:
    queues = [
        {"name": name, "groups": ["cpu"]} | ({} if default is None else {"default": default})
        for name, default in zip(("one", "two"), defaults, strict=True)
    ]
    plan = slurm(plan_of("slurm-trn1", with_groups(CPU, queues=queues)))
    assert [queue.name for queue in plan.queues if queue.is_default] == expected
    assert [queue.name for queue in plan.queues if queue.settings["Default"] == "YES"] == expected


def test_a_queue_with_neuron_devices_has_whole_nodes(plan_of: PlanOf) -> None:
    queues = [{"name": "cpus", "groups": ["cpu"]}, {"name": "mixed", "groups": ["cpu", "trn1"]}]
    plan = slurm(plan_of("slurm-trn1", with_groups(CPU, TRN1, queues=queues)))
    assert {queue.name: queue.has_whole_nodes for queue in plan.queues} == {"cpus": False, "mixed": True}


def test_the_record_of_gres_names_each_device_file() -> None:
    assert GresPlan("trainium2", 16).record["File"] == "/dev/neuron[0-15]"
    one = GresPlan("inferentia2", 1)
    assert (one.requested, one.record["File"], one.record["Count"]) == ("gpu:inferentia2:1", "/dev/neuron0", "1")


@pytest.mark.parametrize("row", [row for row in load_catalog().instance_types if row.chip and row.neuron_devices])
def test_every_instance_type_has_as_many_files_as_devices(row: Any) -> None:
    record = GresPlan(row.chip, row.neuron_devices).record
    last = int(record["File"].strip("[]").rpartition("-")[2].removeprefix("/dev/neuron"))
    assert last + 1 == int(record["Count"]) == row.neuron_devices


def test_another_lnc_is_set_at_the_start_of_a_node(plan_of: PlanOf) -> None:
    trn2 = {**TRN1, "name": "trn2", "instance_type": "trn2.48xlarge"}
    shells = [
        slurm(plan_of("slurm-trn1", with_groups(group))).groups[0].start.lnc_shell
        for group in (trn2, {**trn2, "logical_nc_config": 1})
    ]
    assert shells[0] is None
    assert "NEURON_LOGICAL_NC_CONFIG=1" in str(shells[1])


def test_nodes_without_nat_have_the_endpoints_that_they_call(plan_of: PlanOf) -> None:
    """An interface endpoint is billed by the hour in each zone: those of EKS come with EKS alone."""
    services = {
        name: {each.service for each in plan_of(name, {"network.nat": "none"}).network.endpoints}
        for name in ("slurm-trn1", "workstation", "private-trn1")
    }
    of_eks = {"eks", "eks-auth", "ecr.api", "ecr.dkr", "lambda", "sts"}
    assert services["slurm-trn1"] >= {"pcs", "s3", "ssm", "ssmmessages"}
    assert not services["slurm-trn1"] & of_eks
    assert services["private-trn1"] >= of_eks
    assert "pcs" not in services["workstation"] | services["private-trn1"]


def test_quotas_of_pcs_are_counted_with_the_login_group(plan_of: PlanOf) -> None:
    used = {use.name: (use.used, use.limit) for use in build_scale(plan_of("slurm-trn1"), load_catalog())}
    assert used["pcs_groups_per_cluster"] == (2, 10)
    assert used["pcs_queues_per_cluster"] == (1, 10)


def test_the_controller_takes_an_address_of_one_subnet(plan_of: PlanOf) -> None:
    table = addresses_table(plan_of("slurm-trn1"))
    column = table.columns.index("control plane")
    assert [row[column] for row in table.rows if row[0].endswith("private")] == ["1", "-"]


def test_slurm_and_eks_are_beside_each_other_in_one_file(plan_of: PlanOf) -> None:
    section = dict(SLURM_EXAMPLE, groups=[{**TRN1, "name": "batch"}], queues=[{"name": "batch", "groups": ["batch"]}])
    plan = plan_of("train-trn1", {"slurm": section})
    assert {"cluster", "nodes", "slurm", "compute"} <= set(plan.stacks)
    assert [group.name for group in plan.node_groups] == [group.name for group in plan_of("train-trn1").node_groups]
    assert slurm(plan).groups[0].name == "batch"


def test_names_fit_into_the_limits_of_pcs(plan_of: PlanOf) -> None:
    plan = slurm(plan_of("slurm-trn1"))
    problems = [load_catalog().limits[each.limit].problem_with(each.name) for each in plan.generated_names()]
    assert problems == [None] * len(problems)
    assert len({group.physical_name for group in plan.compute_groups}) == 2
