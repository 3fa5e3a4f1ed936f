"""Requests that EKS rejects by their form: settings that need or exclude each other, and names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.local_aws.services.test_eks_cluster import wish

Refused = Callable[..., tuple[str, str]]
REMOTE = {"remoteNodeNetworks": [{"cidrs": ["192.168.0.0/24"]}]}
ENTRIES = {"accessConfig": {"authenticationMode": "API"}}
OTHER_ACCOUNT = "arn:aws:iam::111122223333:role/Nodes"


def remote(nodes: list[str], pods: list[str] | None = None) -> dict[str, Any]:
    networks = {"remoteNodeNetworks": [{"cidrs": nodes}]} if nodes else {}
    return {
        **ENTRIES,
        "remoteNetworkConfig": {**networks, **({"remotePodNetworks": [{"cidrs": pods}]} if pods else {})},
    }


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"computeConfig": {"enabled": True}}, "must use an EKS access config authentication mode of API_AND_"),
        ({"computeConfig": {"nodePools": ["system"]}}, "nodeRoleArn is null or empty, nodePool list cannot be"),
        (
            {"kubernetesNetworkConfig": {"ipFamily": "ipv6", "serviceIpv4Cidr": "10.100.0.0/16"}},
            'serviceIpv4Cidr cannot be specified when creating an "ipv6" cluster',
        ),
        ({"remoteNetworkConfig": REMOTE}, "AuthMode must be API_AND_CONFIG_MAP or API when remoteNetworkConfig"),
        (remote([], ["192.168.0.0/24"]), "remoteNodeNetworks are required when specifying remoteNetworkConfig."),
        (remote(["11.0.0.0/16"]), "Invalid remote node network: CIDR 11.0.0.0/16 is not part of RFC 1918 or CGNAT"),
        (remote(["172.20.1.0/24"]), "CIDR 172.20.1.0/24 overlaps with service CIDR 172.20.0.0/16"),
        (
            remote(["192.168.0.0/24"], ["192.168.0.128/25"]),
            "Invalid remote pod network: CIDR 192.168.0.128/25 overlaps with already existing CIDR 192.168.0.0/24",
        ),
        (remote(["192.168.0.0"[:-2]]), "Invalid remote node network: CIDR 192.168.0"),
    ],
)
def test_a_cluster_is_rejected(eks: Any, ground: Any, refused: Refused, members: Any, text: str) -> None:
    code, message = refused(eks.create_cluster, **wish(ground, **members))
    assert (code, text in message) == ("InvalidParameterException", True)


def test_a_cluster_with_remote_networks_is_created(eks: Any, ground: Any) -> None:
    given = remote(["100.64.0.0/16"], ["192.168.0.0/24"])
    cluster = eks.create_cluster(**wish(ground, **given))["cluster"]
    assert cluster["remoteNetworkConfig"] == given["remoteNetworkConfig"]


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"updateConfig": {}}, "UpdateConfig cannot be empty if set in the request."),
        ({"taints": [{"key": "bad key!", "effect": "NO_SCHEDULE"}]}, "invalid taint spec: bad key! , a qualified name"),
        ({"taints": [{"key": "Not_DNS/a", "effect": "NO_SCHEDULE"}]}, "invalid taint spec: Not_DNS/a"),
    ],
)
def test_a_node_group_is_rejected(
    eks: Any, ground: Any, cluster: Any, refused: Refused, members: Any, text: str
) -> None:
    given = {"clusterName": "trn", "nodegroupName": "ng", "nodeRole": ground.node_role, "subnets": ground.subnets}
    code, message = refused(eks.create_nodegroup, **given, **members)
    assert (code, text in message) == ("InvalidParameterException", True)


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"namespace": "Team_A"}, "The parameter namespace contains invalid characters."),
        ({"serviceAccount": "Pods!"}, "The parameter serviceAccount contains invalid characters."),
        ({"policy": "{}"}, "When policy is specified, disableSessionTags must be set to true"),
    ],
)
def test_an_association_is_rejected_before_its_cluster_is_looked_up(
    eks: Any, refused: Refused, members: Any, text: str
) -> None:
    role = "arn:aws:iam::300000000000:role/x"
    given = {"clusterName": "none", "namespace": "default", "serviceAccount": "pods.a", "roleArn": role}
    code, message = refused(eks.create_pod_identity_association, **{**given, **members})
    assert (code, text in message) == ("InvalidParameterException", True)
    assert refused(eks.create_pod_identity_association, **given)[0] == "ResourceNotFoundException"


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"username": "system:node"}, "The username must not begin with system:"),
        ({"username": "aws:me"}, "The username must not begin with aws:"),
        ({"type": "EC2_LINUX", "username": "x"}, "setting username is not allowed when the type is"),
        ({"type": "EC2_LINUX", "kubernetesGroups": ["x"]}, 'groups is not allowed when the type is "EC2_LINUX"'),
        ({"type": "EC2_LINUX", "principalArn": "arn:aws:iam::300000000000:user/x"}, "principalArn must be IAM role"),
        ({"type": "EC2", "principalArn": OTHER_ACCOUNT}, "must be from the same account as the cluster when using"),
    ],
)
def test_an_entry_is_rejected_before_its_cluster_is_looked_up(
    eks: Any, refused: Refused, members: Any, text: str
) -> None:
    given = {"clusterName": "none", "principalArn": OTHER_ACCOUNT, "username": "me"}
    code, message = refused(eks.create_access_entry, **{**given, "username": "", **members})
    assert (code, text.lower() in message.lower()) == ("InvalidParameterException", True)
    assert refused(eks.create_access_entry, **given)[0] == "ResourceNotFoundException"


def test_an_add_on_is_rejected_in_a_namespace_that_is_no_dns_label(eks: Any, cluster: Any, refused: Refused) -> None:
    wanted = {"clusterName": "trn", "addonName": "vpc-cni"}
    answer = refused(eks.create_addon, **wanted, namespaceConfig={"namespace": "Bad_Name"})
    assert answer == ("InvalidParameterException", "Provided namespace value is not a valid RFC 1123 DNS label")
    eks.create_addon(**wanted, namespaceConfig={"namespace": "own"})


def test_an_older_version_that_eks_accepts_is_taken(eks: Any, ground: Any) -> None:
    assert eks.create_cluster(**wish(ground, version="1.30"))["cluster"]["version"] == "1.30"
