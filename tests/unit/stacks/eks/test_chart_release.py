"""A Helm release of a bundled chart: the asset that its folder becomes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.toolkit_files import CHARTS

CLUSTER = "train"


@pytest.fixture
def release_of(cdk: Any) -> Any:
    """``release_of(folder)``: the custom resource of a release whose chart is this folder."""
    from aws_cdk import aws_eks_v2 as eks
    from aws_cdk.assertions import Template

    from stacks.eks.chart_release import chart_release
    from stacks.eks.placeholders import Placeholders

    def release(folder: Path) -> dict[str, Any]:
        stack = cdk.Stack(cdk.App(), "Stack")
        provider = eks.KubectlProvider.from_kubectl_provider_attributes(stack, "Kubectl", service_token="arn:token")  # noqa: S106 - no secret
        cluster = eks.Cluster.from_cluster_attributes(stack, "Cluster", cluster_name=CLUSTER, kubectl_provider=provider)
        plan = ChartPlan(("eks",), "store", "store", "", "", "default", {}, 10, folder=str(folder))
        chart_release(stack, plan, Placeholders("aws", cluster_arn="arn"), cluster=cluster, cluster_name=CLUSTER)
        (custom,) = Template.from_stack(stack).find_resources("Custom::AWSCDK-EKS-HelmChart").values()
        return dict(custom["Properties"])

    return release


def test_compiled_modules_beside_the_programs_do_not_change_the_asset(release_of: Any, tmp_path: Path) -> None:
    """Two installs of one wheel deploy the same, whichever of them has imported a program of the chart."""
    clean, compiled, edited = tmp_path / "clean", tmp_path / "compiled", tmp_path / "edited"
    for copy in (clean, compiled, edited):
        shutil.copytree(CHARTS / "model-store", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (compiled, compiled / "files"):
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / "drill.cpython-311.pyc").write_bytes(b"x")
    (edited / "files" / "drill.py").write_text("", encoding="utf-8")
    assert release_of(compiled) == release_of(clean)
    assert release_of(edited) != release_of(clean)
