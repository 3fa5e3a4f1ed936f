"""UpdateClusterConfig and UpdateClusterVersion: one kind at a time, one minor version at a time."""

from __future__ import annotations

import pytest

OWN_GROUND = True


def current(eks):
    return eks.describe_cluster(name="trn")["cluster"]


def logging(*types, enabled=True):
    return {"clusterLogging": [{"types": list(types), "enabled": enabled}]}


def test_logs_are_turned_on_and_off_by_type(eks, cluster):
    eks.update_cluster_config(name="trn", logging=logging("api", "audit"))
    eks.update_cluster_config(name="trn", logging=logging("api", enabled=False))
    on, off = current(eks)["logging"]["clusterLogging"]
    assert (on["types"], on["enabled"]) == (["audit"], True)
    assert off["types"] == ["api", "authenticator", "controllerManager", "scheduler"]


def test_the_endpoint_changes_and_keeps_what_is_not_named(eks, cluster):
    eks.update_cluster_config(name="trn", resourcesVpcConfig={"endpointPrivateAccess": True})
    eks.update_cluster_config(name="trn", resourcesVpcConfig={"publicAccessCidrs": ["203.0.113.0/24"]})
    network = current(eks)["resourcesVpcConfig"]
    assert network["endpointPrivateAccess"] is True
    assert network["publicAccessCidrs"] == ["203.0.113.0/24"]


@pytest.mark.parametrize(
    ("request_members", "text"),
    [
        (
            {"logging": logging("api"), "resourcesVpcConfig": {"endpointPrivateAccess": True}},
            "Only one type of update can be allowed.",
        ),
        (
            {"resourcesVpcConfig": {"endpointPublicAccess": True}},
            "endpointPrivateAccess: false , endpointPublicAccess: true, and Public Endpoint Restrictions: [0.0.0.0/0]",
        ),
        ({"logging": logging("api", enabled=False)}, "No changes needed for the logging config provided"),
        (
            {"accessConfig": {"authenticationMode": "CONFIG_MAP"}},
            "Unsupported authentication mode update from API to CONFIG_MAP",
        ),
        ({"computeConfig": {"enabled": True}}, "For EKS Auto Mode"),
    ],
)
def test_what_an_update_may_not_ask(eks, cluster, refused, request_members, text):
    before = current(eks)
    code, message = refused(eks.update_cluster_config, name="trn", **request_members)
    assert code == "InvalidParameterException"
    assert text in message
    assert current(eks) == before


def test_another_group_moves_the_interfaces(client, eks, cluster, ground, refused):
    ec2 = client("ec2")
    other = ec2.create_security_group(GroupName="other", Description="test", VpcId=ground.vpc)["GroupId"]
    eks.update_cluster_config(name="trn", resourcesVpcConfig={"securityGroupIds": [other]})
    ec2.delete_security_group(GroupId=ground.group)
    assert refused(ec2.delete_security_group, GroupId=other)[0] == "DependencyViolation"


def test_protection_and_support_are_settings_of_their_own(eks, cluster):
    eks.update_cluster_config(name="trn", deletionProtection=True)
    eks.update_cluster_config(name="trn", upgradePolicy={"supportType": "STANDARD"})
    assert current(eks)["deletionProtection"] is True
    assert current(eks)["upgradePolicy"] == {"supportType": "STANDARD"}


def test_an_update_can_be_asked_for_afterwards(eks, cluster):
    update = eks.update_cluster_version(name="trn", version="1.35")["update"]
    assert eks.list_updates(name="trn")["updateIds"] == [update["id"]]
    reported = eks.describe_update(name="trn", updateId=update["id"])["update"]
    assert (reported["type"], reported["status"]) == ("VersionUpdate", "Successful")
    assert {"type": "Version", "value": "1.35"} in reported["params"]


@pytest.mark.parametrize("version", ["1.33", "1.34", "1.36"])
def test_only_the_next_minor_version_is_taken(eks, cluster, refused, version):
    assert refused(eks.update_cluster_version, name="trn", version=version) == (
        "InvalidParameterException",
        f"Unsupported Kubernetes minor version update from 1.34 to {version}",
    )


def test_node_groups_come_after_before_the_next_step(eks, cluster, ground, refused):
    eks.create_nodegroup(clusterName="trn", nodegroupName="ng", subnets=ground.subnets, nodeRole=ground.node_role)
    eks.update_cluster_version(name="trn", version="1.35")
    assert refused(eks.update_cluster_version, name="trn", version="1.36")[0] == "InvalidRequestException"
    eks.update_nodegroup_version(clusterName="trn", nodegroupName="ng")
    eks.update_cluster_version(name="trn", version="1.36")
    assert current(eks)["version"] == "1.36"
