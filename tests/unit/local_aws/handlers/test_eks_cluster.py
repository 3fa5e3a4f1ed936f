"""AWS::EKS::Cluster: what is given is read back, changes happen in place."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError
from msgspec import structs

from local_aws.engine.status_reasons import ResourceFailedError

TYPE = "AWS::EKS::Cluster"


@pytest.fixture
def stage(bench, local_aws, make_ground):
    """The workbench in an account that this module shares, without EKS, and the ground of a cluster."""
    local_aws.store.tables.clear()
    bench = structs.replace(bench, account="300000000001")
    return bench, make_ground(bench.client)


@pytest.fixture
def given(stage):
    bench, ground = stage
    key = bench.client("kms").create_key()["KeyMetadata"]["Arn"]
    return {
        "Name": "trn",
        "Version": "1.34",
        "RoleArn": ground.cluster_role,
        "ResourcesVpcConfig": {
            "SubnetIds": ground.subnets,
            "SecurityGroupIds": [ground.group],
            "EndpointPrivateAccess": True,
            "EndpointPublicAccess": "false",
        },
        "AccessConfig": {"AuthenticationMode": "API", "BootstrapClusterCreatorAdminPermissions": False},
        "BootstrapSelfManagedAddons": False,
        "EncryptionConfig": [{"Provider": {"KeyArn": key}, "Resources": ["secrets"]}],
        "KubernetesNetworkConfig": {"IpFamily": "ipv4", "ServiceIpv4Cidr": "172.30.0.0/16"},
        "Logging": {"ClusterLogging": {"EnabledTypes": [{"Type": "api"}, {"Type": "audit"}]}},
        "UpgradePolicy": {"SupportType": "STANDARD"},
        "DeletionProtection": False,
        "Tags": [{"Key": "environment", "Value": "train"}],
    }


WRITE_ONLY = {"BootstrapSelfManagedAddons"}


def reported(given):
    """Returns the given properties that can be read back."""
    retained = {name: value for name, value in given.items() if name not in WRITE_ONLY}
    retained["AccessConfig"] = {"AuthenticationMode": given["AccessConfig"]["AuthenticationMode"]}
    return retained


def test_what_is_given_is_read_back(stage, given, holds):
    bench, _ = stage
    cluster = bench.create(TYPE, given)
    assert cluster.physical_id == "trn"
    assert holds(bench.read(TYPE, cluster), reported(given))
    assert bench.client("eks").list_access_entries(clusterName="trn")["accessEntries"] == []


def test_its_attributes_are_those_of_the_service(stage, given):
    bench, _ = stage
    attributes = bench.create(TYPE, given).attributes
    row = bench.client("eks").describe_cluster(name="trn")["cluster"]
    assert attributes["Arn"] == row["arn"]
    assert attributes["Endpoint"] == row["endpoint"]
    assert attributes["CertificateAuthorityData"] == row["certificateAuthority"]["data"]
    assert attributes["ClusterSecurityGroupId"] == row["resourcesVpcConfig"]["clusterSecurityGroupId"]
    assert attributes["OpenIdConnectIssuerUrl"] == row["identity"]["oidc"]["issuer"]
    assert attributes["EncryptionConfigKeyArn"] == given["EncryptionConfig"][0]["Provider"]["KeyArn"]


def test_everything_that_eks_updates_changes_in_place(stage, given, holds):
    bench, ground = stage
    cluster = bench.create(TYPE, given)
    new = {
        **given,
        "Version": "1.35",
        "ResourcesVpcConfig": {
            "SubnetIds": ground.subnets,
            "SecurityGroupIds": [],
            "EndpointPrivateAccess": True,
            "EndpointPublicAccess": True,
            "PublicAccessCidrs": ["203.0.113.0/24"],
        },
        "Logging": {"ClusterLogging": {"EnabledTypes": [{"Type": "audit"}, {"Type": "scheduler"}]}},
        "UpgradePolicy": {"SupportType": "EXTENDED"},
        "DeletionProtection": True,
        "ZonalShiftConfig": {"Enabled": True},
        "Tags": [{"Key": "environment", "Value": "other"}],
    }
    changed = bench.update(TYPE, cluster, given, new)
    assert changed.attributes["Arn"] == cluster.attributes["Arn"]
    assert holds(bench.read(TYPE, changed), reported(new))


def test_a_property_taken_away_goes_back_to_the_default(stage, given):
    bench, _ = stage
    cluster = bench.create(TYPE, given)
    new = {name: value for name, value in given.items() if name not in ("Logging", "UpgradePolicy", "Tags")}
    bench.update(TYPE, cluster, given, new)
    read = bench.read(TYPE, cluster)
    assert read["Logging"] == {"ClusterLogging": {"EnabledTypes": []}}
    assert read["UpgradePolicy"] == {"SupportType": "EXTENDED"}
    assert read["Tags"] == []


def test_a_half_done_update_is_undone_by_the_way_back(stage, given, holds):
    bench, _ = stage
    cluster = bench.create(TYPE, given)
    new = {
        **given,
        "Logging": {"ClusterLogging": {"EnabledTypes": []}},
        "AccessConfig": {"AuthenticationMode": "CONFIG_MAP"},
    }
    with pytest.raises(ClientError, match="Unsupported authentication mode update"):
        bench.update(TYPE, cluster, given, new)
    bench.update(TYPE, cluster, new, given)
    assert holds(bench.read(TYPE, cluster), reported(given))


@pytest.mark.parametrize(
    "wrong",
    [
        {"Versionn": "1.34"},
        {"ResourcesVpcConfig": {"SubnetIdss": []}},
        {"Logging": {"ClusterLogging": {"EnabledTypess": []}}},
        {"AccessConfig": {"AuthenticationMood": "API"}},
    ],
)
def test_a_misspelt_property_fails(stage, given, wrong):
    bench, _ = stage
    with pytest.raises(ResourceFailedError, match="extraneous key"):
        bench.create(TYPE, {**given, **wrong})
    assert bench.client("eks").list_clusters()["clusters"] == []


def test_a_deleted_cluster_is_gone_and_may_be_deleted_again(stage, given):
    bench, _ = stage
    cluster = bench.create(TYPE, given)
    bench.delete(TYPE, cluster, given)
    bench.delete(TYPE, cluster, given)
    assert bench.client("eks").list_clusters()["clusters"] == []
