"""A workload goes to the environment's own cluster or nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hint_commands import commands_in

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.kube.cluster_context import require_cluster_context
from neuron_cluster.kube.kubeconfig import ContextCluster
from neuron_cluster.plan.cluster_plan import ClusterPlan

ARN = "arn:aws:eks:us-east-2:111122223333:cluster/train-trn2"
LOGIN = ("--region", "us-east-2", "eks", "get-token", "--cluster-name", "train-trn2")


@pytest.mark.parametrize(
    ("cluster", "login"),
    [
        (ARN, ()),
        ("train-trn2.us-east-2.eksctl.io", LOGIN),
        ("mine", ("token", "-i", "train-trn2", "--region=us-east-2")),
    ],
)
def test_the_environments_cluster_is_known_by_arn_or_login(
    cluster: str, login: tuple[str, ...], cached_plan: Callable[..., ClusterPlan]
) -> None:
    plan = cached_plan("train-trn2")
    assert plan.kubernetes is not None
    require_cluster_context(plan, plan.kubernetes, ContextCluster("c", cluster, login), "neuron-training")


@pytest.mark.hints("E9214")
@pytest.mark.parametrize(
    ("cluster", "login"),
    [
        (ARN.replace("111122223333", "444455556666"), LOGIN),
        (ARN.replace("us-east-2", "us-west-2"), ()),
        (f"{ARN}b", ()),
        ("mine", ()),
        ("mine", ("--cluster-name", "train-trn2")),
        ("mine", ("--region", "us-west-2", "--cluster-name", "train-trn2")),
        ("mine", ("--region", "us-east-2", "--cluster-name", "train-trn1")),
        ("", ()),
    ],
)
def test_any_other_cluster_is_refused(
    cluster: str, login: tuple[str, ...], cached_plan: Callable[..., ClusterPlan]
) -> None:
    plan = cached_plan("train-trn2")
    assert plan.kubernetes is not None
    with pytest.raises(InvalidEnvironment) as refusal:
        require_cluster_context(plan, plan.kubernetes, ContextCluster("c", cluster, login), "neuron-training")
    [found] = refusal.value.findings
    assert found.id == "E9214"
    assert ARN in found.message
    assert "update-kubeconfig --name train-trn2 --region us-east-2" in found.hint
    (line,) = commands_in(found.hint)
    given = dict(re.findall(r"--(\w+) (\S+)", line))
    written = f"arn:aws:eks:{given['region']}:111122223333:cluster/{given['name']}"
    require_cluster_context(plan, plan.kubernetes, ContextCluster("c", written, ()), "neuron-training")
