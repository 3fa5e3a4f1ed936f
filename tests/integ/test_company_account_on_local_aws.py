"""A durable environment in an account with a bootstrap qualifier and a permissions boundary of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.cloudformation import template
from neuron_cluster.aws.session import LocalTarget, client

from .conftest import ACCOUNT, REGION

pytestmark = pytest.mark.slow
QUALIFIER, BOUNDARY = "acme42", "acme-boundary"
STACK_KEYS = ("network", "cluster", "system", "software", "nodes")


@pytest.fixture(scope="module")
def project(project: Path) -> Path:
    """As docs/security.md says: two keys of the context in cdk.json."""
    file = project / "cdk.json"
    settings = json.loads(file.read_text())
    settings["context"] |= {
        "@aws-cdk/core:bootstrapQualifier": QUALIFIER,
        "@aws-cdk/core:permissionsBoundary": {"name": BOUNDARY},
    }
    file.write_text(json.dumps(settings))
    environment = project / "environments" / "dev-inf2.yaml"
    environment.write_text(environment.read_text().replace("lifecycle: ephemeral", "lifecycle: durable"))
    return project


@pytest.fixture(autouse=True)
def boundary(target: LocalTarget) -> None:
    document = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    client(target, "iam").create_policy(PolicyName=BOUNDARY, PolicyDocument=json.dumps(document))


def of_type(target: LocalTarget, stack_key: str, type_name: str) -> list[dict[str, Any]]:
    resources = template(target, f"dev-inf2-{stack_key}")["Resources"].values()
    return [each for each in resources if each["Type"] == type_name]


@pytest.mark.exhaustive
def test_a_durable_cluster_is_built_and_destroyed_under_the_companys_names(
    command: Callable[..., Any], target: LocalTarget
) -> None:
    deployed = command("deploy", "--local", "dev-inf2")
    assert deployed.status == 0, deployed.document
    templates = json.dumps([template(target, f"dev-inf2-{stack_key}") for stack_key in STACK_KEYS])
    assert "hnb659fds" not in templates
    assert f"cdk-{QUALIFIER}-assets-{ACCOUNT}-{REGION}/*.zip" in templates
    roles = [role for stack_key in STACK_KEYS for role in of_type(target, stack_key, "AWS::IAM::Role")]
    assert roles
    assert [role for role in roles if BOUNDARY not in str(role["Properties"].get("PermissionsBoundary"))] == []
    eks = client(target, "eks")
    assert eks.describe_cluster(name="dev-inf2")["cluster"]["deletionProtection"] is True
    with pytest.raises(eks.exceptions.InvalidRequestException, match="deletion protection"):
        eks.delete_cluster(name="dev-inf2")
    cloudformation = client(target, "cloudformation")
    (stack,) = cloudformation.describe_stacks(StackName="dev-inf2-cluster")["Stacks"]
    assert stack["EnableTerminationProtection"] is True

    gone = command("destroy", "--local", "dev-inf2")
    assert (gone.status, gone.document["kept"]) == (0, [])
    said = " ".join(gone.err.split())
    assert "deletion protection of the EKS cluster dev-inf2" in said
    assert "termination protection of the stack dev-inf2-cluster" in said
    assert eks.list_clusters()["clusters"] == []
    assert not [
        each["StackName"]
        for each in cloudformation.describe_stacks()["Stacks"]
        if each["StackName"].startswith("dev-inf2")
    ]
