"""The chart of HyperPod is looked for in the ECR of a local AWS; its hint names the commands that bring it there."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.preflight import built_charts
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.hyperpod_plan import with_hyperpod

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from hint_commands import command_error, commands_in
from hinted_command import run_aws

CATALOG = load_catalog()
MANIFEST = json.dumps(
    {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": {"mediaType": "application/vnd.cncf.helm.config.v1+json", "size": 2, "digest": f"sha256:{'0' * 64}"},
        "layers": [],
    }
)


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


def context_of(plan: ClusterPlan, destination: Destination) -> PreflightContext:
    return PreflightContext(
        plan, destination, lambda path: Location("train.yaml", path=".".join(map(str, path))), CATALOG
    )


def found_by(plan: ClusterPlan, aws: LocalAws) -> list[Finding]:
    destination = local_destination(aws.endpoint, plan.account, plan.region, is_fresh_account=True)
    return list(built_charts.check(context_of(plan, destination)))


@pytest.mark.hints("E9585")
def test_the_chart_is_missing_until_the_commands_of_the_hint_have_pushed_it(
    training: ClusterPlan, aws: LocalAws
) -> None:
    plan = with_hyperpod(training)
    target = LocalTarget(plan.region, plan.account, aws.endpoint)
    (without,) = found_by(plan, aws)
    assert (without.id, without.location.path) == ("E9585", "eks.addons")
    assert "lacks the repository of hyperpod-helm-chart" in without.message
    commands = commands_in(without.hint)
    assert [command_error(each) for each in commands if command_error(each)] == []
    verbs = [" ".join(each.split()[:2]) for each in commands]
    assert verbs == ["neuron-cluster images", "aws ecr", "git clone", "git -C", "helm dependency", "helm package",
                     "aws ecr", "helm push"]  # fmt: skip
    (create,) = [each for each in commands if "create-repository" in each]
    run_aws(create, target)
    (empty,) = found_by(plan, aws)
    assert "lacks the tag 0.1.0_011ca927123e of hyperpod-helm-chart" in empty.message
    without_create = [command for command in commands if command != create]
    assert commands_in(empty.hint) == without_create, "the repository exists"
    ecr = client(target, "ecr")
    pushed = {"repositoryName": "hyperpod-helm-chart", "imageManifest": MANIFEST}
    ecr.put_image(**pushed, imageTag="0.1.0")
    assert [each.id for each in found_by(plan, aws)] == ["E9585"], "another commit"
    ecr.put_image(**pushed, imageTag="0.1.0_011ca927123e")
    assert found_by(plan, aws) == []
    close_clients(target)


def test_only_an_environment_with_hyperpod_groups_is_asked_about_and_only_on_aws(training: ClusterPlan) -> None:
    on_aws = Destination(AwsTarget(training.region), training.account)
    local = local_destination("http://127.0.0.1:9", training.account, training.region)
    plan = with_hyperpod(training)
    assert built_charts.subjects(context_of(plan, on_aws)) == ["hyperpod-helm-chart 0.1.0+011ca927123e"]
    assert built_charts.subjects(context_of(plan, local)) == []
    assert built_charts.subjects(context_of(training, on_aws)) == []
    elsewhere = replace(plan, region="us-east-1")
    assert built_charts.subjects(context_of(elsewhere, on_aws)) != []
