"""After a deploy: the command that reaches the cluster."""

from __future__ import annotations

from neuron_cluster.aws.eks import Cluster
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.eks.existing import ExistingEks


def cluster(*, is_public: bool) -> Cluster:
    return Cluster("train-trn1", "ACTIVE", "1.35", not is_public, is_public, (), "API", ())


def test_a_private_cluster_names_the_page_that_says_how_to_reach_it(training: ClusterPlan) -> None:
    (step,) = ExistingEks(clusters=(cluster(is_public=False),)).next_steps(training)
    assert step.command == "aws eks update-kubeconfig --region us-west-2 --name train-trn1"
    assert "docs/private-endpoint.md" in step.what


def test_a_public_cluster_needs_no_page(training: ClusterPlan) -> None:
    (step,) = ExistingEks(clusters=(cluster(is_public=True),)).next_steps(training)
    assert step.what == "kubectl on train-trn1"
