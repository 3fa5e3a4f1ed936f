"""Log groups that `destroy` keeps."""

from collections.abc import Callable

import pytest

from neuron_cluster.deploy.retained_logs import log_group_names, planned_log_groups
from neuron_cluster.plan.cluster_plan import ClusterPlan

PlanOf = Callable[..., ClusterPlan]


@pytest.mark.parametrize("environment", ["slurm-trn1", "workstation"])
def test_an_environment_without_eks_plans_none_of_its_log_groups(environment: str, plan_of: PlanOf) -> None:
    plan = plan_of(environment)
    assert not planned_log_groups(plan)
    assert f"/aws/eks/{environment}/cluster" in log_group_names(plan)  # an earlier file may have had eks


def test_an_environment_with_eks_plans_those_of_its_cluster(plan_of: PlanOf) -> None:
    planned = planned_log_groups(plan_of("train-trn1"))
    assert "/aws/eks/train-trn1/cluster" in planned
    assert not [name for name in planned if "sagemaker" in name]


def test_hyperpod_has_one_for_each_cluster_that_had_the_name(plan_of: PlanOf) -> None:
    plan = plan_of("hyperpod-trn2")
    assert planned_log_groups(plan) == log_group_names(plan)
    assert "/aws/sagemaker/Clusters/hyperpod-trn2/" in planned_log_groups(plan)
