"""Charts whose custom resource definitions are in a folder that helm upgrade leaves out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.findings.finding import Finding

CATALOG = load_catalog()

sys.path.insert(0, str(Path(__file__).parents[6] / "tools"))  # for the reader of commands in hints

MIRROR = "oci://111122223333.dkr.ecr.us-west-2.amazonaws.com/train/mirror/charts/jobset"


def of(name: str, version: str, repository: str | None = None) -> Any:
    row = CATALOG.charts.get(name)
    assert row is not None
    properties = {"Release": row.release, "Chart": name, "Version": version, "Repository": repository or row.repository}
    return {"x-software": {"Resources": {"Chart": {"Type": "Custom::AWSCDK-EKS-HelmChart", "Properties": properties}}}}


def found(name: str, old: str, new: str, repository: str | None = None) -> list[Finding]:
    return change_findings(of(name, old), of(name, new, repository), CATALOG)


LOGIN = "helm registry login --username AWS --password-stdin"
APPLY = " | kubectl apply --server-side --force-conflicts -f -"
KEPT = ("aws-load-balancer-controller", "jobset", "kube-prometheus-stack", "lws", "training-operators")


def test_crds_stay_old_for_the_charts_that_have_a_folder_of_them() -> None:
    assert [name for name in CATALOG.charts.names if found(name, "0.1.0", "0.2.0")] == sorted(KEPT)
    assert not [name for name in CATALOG.charts.names if found(name, "0.2.0", "0.2.0", MIRROR)]


@pytest.mark.hints("W9077")
@pytest.mark.parametrize(
    ("name", "repository", "commands"),
    [
        (
            "lws",
            None,
            ["helm show crds oci://registry.k8s.io/lws/charts/lws --version 0.10.0" + APPLY],
        ),
        (
            "aws-load-balancer-controller",
            None,
            [
                "helm show crds aws-load-balancer-controller --repo https://aws.github.io/eks-charts --version 0.10.0"
                + APPLY
            ],
        ),
        (
            "jobset",
            MIRROR,
            [
                f"aws ecr get-login-password --region us-west-2 | {LOGIN} 111122223333.dkr.ecr.us-west-2.amazonaws.com",
                f"helm show crds {MIRROR} --version 0.10.0" + APPLY,
            ],
        ),
    ],
    ids=["registry", "chart repository", "mirror in ECR"],
)
def test_the_hint_has_the_commands_that_apply_them_first(
    name: str, repository: str | None, commands: list[str]
) -> None:
    from hint_commands import command_error, commands_in

    (finding,) = found(name, "0.9.0", "0.10.0", repository)
    assert (finding.id, finding.location.path) == ("W9077", "Chart")
    assert f"the chart {name} changes from 0.9.0 to 0.10.0" in finding.message
    assert commands_in(finding.hint) == commands
    assert [command_error(command) for command in commands] == [""] * len(commands)
