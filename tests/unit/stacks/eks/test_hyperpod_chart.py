"""The release of a chart that its user built: from the account's ECR, which the function of the cluster may read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.synthesis import cdk_context
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.toolkit_files import TOOLKIT
from tests.hyperpod_plan import with_hyperpod

RELEASE = "hyperpod-dependencies"


@pytest.fixture(scope="module")
def templates(cdk: Any, plan_of: Callable[..., ClusterPlan], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Templates of train-trn1 without and with HyperPod groups, by part."""
    from stacks.build_stacks import build_stacks

    def synthesized(plan: ClusterPlan) -> dict[str, Any]:
        context = cdk_context(TOOLKIT, plan.name) | {"aws:cdk:disable-asset-staging": True}
        app = cdk.App(outdir=str(tmp_path_factory.mktemp("out")), context=context, analytics_reporting=False)
        build_stacks(app, plan, load_catalog())
        return {stack.stack_name.removeprefix(f"{plan.name}-"): stack.template for stack in app.synth().stacks}

    plan = plan_of("train-trn1")
    return synthesized(plan), synthesized(with_hyperpod(plan))


def releases(template: dict[str, Any]) -> dict[str, Any]:
    found = template["Resources"].values()
    charts = [each["Properties"] for each in found if each["Type"] == "Custom::AWSCDK-EKS-HelmChart"]
    return {each["Release"]: each for each in charts}


def test_helm_pulls_the_version_of_the_commit_from_the_account(templates: Any) -> None:
    without, with_groups = (each["software"] for each in templates)
    assert RELEASE not in releases(without)
    release = releases(with_groups)[RELEASE]
    assert release["Repository"] == "oci://111122223333.dkr.ecr.us-west-2.amazonaws.com/hyperpod-helm-chart"
    assert (release["Version"], release["Namespace"]) == ("0.1.0+011ca927123e", "kube-system")
    assert json.loads(release["Values"])["mpi-operator"] == {"enabled": False}
    assert "CreateNamespace" not in release


def test_the_function_may_pull_it_without_another_right(templates: Any) -> None:
    """CDK lets it read each registry of the account: a policy for this chart would allow nothing more."""
    without, with_groups = (each["cluster"] for each in templates)
    assert with_groups == without
    roles = [each for each in with_groups["Resources"].values() if each["Type"] == "AWS::IAM::Role"]
    assert [role for role in roles if "AmazonEC2ContainerRegistryReadOnly" in json.dumps(role["Properties"])]
