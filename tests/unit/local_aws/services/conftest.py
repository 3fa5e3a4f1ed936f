"""boto3 clients of a local AWS, empty of EKS and FSx for each test, and the ground of a cluster there.

The tests share an account: a new one costs half a second of clients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws
from tests.unit.local_aws import hyperpod

ACCOUNT = "300000000000"
REGION = "us-west-2"


@pytest.fixture
def account(local_aws: LocalAws) -> str:
    """The account, in which nothing of EKS and FSx exists yet."""
    local_aws.store.tables.clear()
    return ACCOUNT


@pytest.fixture
def client(local_aws: LocalAws, account: str) -> Callable[[str], Any]:
    """Clients by name of the service."""
    return lambda service: local_client(service, local_aws.endpoint, account, REGION)


@pytest.fixture(scope="module")
def ground_of_module(local_aws: LocalAws, make_ground: Callable[..., Any]) -> Any:
    return make_ground(lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION))


@pytest.fixture
def ground(request: pytest.FixtureRequest, client: Callable[[str], Any], make_ground: Callable[..., Any]) -> Any:
    """One for the tests of a module: to make it takes as long as what most of them ask.

    A module whose tests change it has ``OWN_GROUND``.
    """
    if hasattr(request.module, "OWN_GROUND"):
        return make_ground(client)
    return request.getfixturevalue("ground_of_module")


@pytest.fixture
def eks(client: Callable[[str], Any]) -> Any:
    return client("eks")


@pytest.fixture
def fsx(client: Callable[[str], Any]) -> Any:
    return client("fsx")


@pytest.fixture
def cluster(eks: Any, ground: Any) -> dict[str, Any]:
    """A cluster named ``trn`` that takes access entries only."""
    answer = eks.create_cluster(
        name="trn",
        version="1.34",
        roleArn=ground.cluster_role,
        resourcesVpcConfig={"subnetIds": ground.subnets, "securityGroupIds": [ground.group]},
        accessConfig={"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
    )
    return dict(answer["cluster"])


@pytest.fixture
def sagemaker(client: Callable[[str], Any]) -> Any:
    return client("sagemaker")


@pytest.fixture
def on_eks(ground: Any, cluster: dict[str, Any], client: Callable[[str], Any]) -> dict[str, Any]:
    """The parameters of a HyperPod cluster that Amazon EKS orchestrates, with all that it needs."""
    hyperpod.make_script(client)
    return {
        "ClusterName": "pods",
        "Orchestrator": {"Eks": {"ClusterArn": cluster["arn"]}},
        "VpcConfig": {"Subnets": ground.subnets[:1], "SecurityGroupIds": [hyperpod.make_group(client, ground.vpc)]},
        "InstanceGroups": [hyperpod.node_group(hyperpod.make_role(client))],
    }


@pytest.fixture
def refused() -> Callable[..., tuple[str, str]]:
    """Calls, and gives code and message of the refusal."""

    def refuse(call: Callable[..., Any], **parameters: Any) -> tuple[str, str]:
        with pytest.raises(ClientError) as error:
            call(**parameters)
        return error.value.response["Error"]["Code"], error.value.response["Error"]["Message"]

    return refuse
