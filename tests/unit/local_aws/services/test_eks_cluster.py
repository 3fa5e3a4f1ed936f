"""EKS clusters: the response of CreateCluster, further resources, and rejected requests."""

from __future__ import annotations

import base64
import re
import ssl

import pytest
from botocore.exceptions import ClientError

OWN_GROUND = True


def wish(ground, **changes):
    return {
        "name": "trn",
        "version": "1.34",
        "roleArn": ground.cluster_role,
        "resourcesVpcConfig": {"subnetIds": ground.subnets},
        **changes,
    }


def test_a_new_cluster_has_the_shape_of_the_service(eks, ground, account):
    eks.create_cluster(**wish(ground))
    cluster = eks.describe_cluster(name="trn")["cluster"]
    assert cluster["arn"] == f"arn:aws:eks:us-west-2:{account}:cluster/trn"
    assert cluster["status"] == "ACTIVE"
    host = re.fullmatch(r"https://([0-9A-F]{32})\.gr7\.us-west-2\.eks\.amazonaws\.com", cluster["endpoint"])
    assert host
    assert cluster["identity"]["oidc"]["issuer"] == f"https://oidc.eks.us-west-2.amazonaws.com/id/{host[1]}"
    assert cluster["resourcesVpcConfig"]["vpcId"] == ground.vpc
    assert cluster["resourcesVpcConfig"]["endpointPublicAccess"] is True
    assert cluster["resourcesVpcConfig"]["publicAccessCidrs"] == ["0.0.0.0/0"]
    assert cluster["accessConfig"] == {
        "authenticationMode": "CONFIG_MAP",
        "bootstrapClusterCreatorAdminPermissions": True,
    }
    assert cluster["kubernetesNetworkConfig"]["serviceIpv4Cidr"] == "172.20.0.0/16"
    assert [setup["enabled"] for setup in cluster["logging"]["clusterLogging"]] == [False]
    assert cluster["upgradePolicy"] == {"supportType": "EXTENDED"}


def test_the_cluster_group_admits_its_own_members(client, cluster):
    group_id = cluster["resourcesVpcConfig"]["clusterSecurityGroupId"]
    group = client("ec2").describe_security_groups(GroupIds=[group_id])["SecurityGroups"][0]
    assert group["GroupName"].startswith("eks-cluster-sg-trn-")
    (rule,) = group["IpPermissions"]
    assert rule["IpProtocol"] == "-1"
    assert [pair["GroupId"] for pair in rule["UserIdGroupPairs"]] == [group_id]
    assert {"Key": "kubernetes.io/cluster/trn", "Value": "owned"} in group["Tags"]


def test_the_interfaces_of_a_cluster_keep_its_subnets_and_groups(client, eks, cluster, ground, refused):
    ec2 = client("ec2")
    assert refused(ec2.delete_subnet, SubnetId=ground.subnets[0])[0] == "DependencyViolation"
    assert refused(ec2.delete_security_group, GroupId=ground.group)[0] == "DependencyViolation"
    eks.delete_cluster(name="trn")
    ec2.delete_subnet(SubnetId=ground.subnets[0])
    ec2.delete_security_group(GroupId=ground.group)
    own = cluster["resourcesVpcConfig"]["clusterSecurityGroupId"]
    assert refused(ec2.describe_security_groups, GroupIds=[own])[0] == "InvalidGroup.NotFound"


def test_the_creator_is_admitted_unless_that_is_turned_off(eks, ground):
    eks.create_cluster(**wish(ground, accessConfig={"authenticationMode": "API"}))
    (creator,) = eks.list_access_entries(clusterName="trn")["accessEntries"]
    policies = eks.list_associated_access_policies(clusterName="trn", principalArn=creator)["associatedAccessPolicies"]
    assert [policy["policyArn"].split("/")[-1] for policy in policies] == ["AmazonEKSClusterAdminPolicy"]


def test_a_cluster_without_creator_starts_with_no_entry(eks, cluster):
    assert eks.list_access_entries(clusterName="trn")["accessEntries"] == []


def test_a_taken_name_is_refused(eks, cluster, ground, refused):
    assert refused(eks.create_cluster, **wish(ground)) == (
        "ResourceInUseException",
        "Cluster already exists with name: trn",
    )


def test_an_unknown_cluster_is_refused_with_404(eks):
    with pytest.raises(eks.exceptions.ResourceNotFoundException, match=r"No cluster found for name: x\.") as error:
        eks.describe_cluster(name="x")
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == 404


@pytest.mark.parametrize(
    ("change", "code", "text"),
    [
        ({"version": "1.99"}, "InvalidParameterException", "unsupported Kubernetes version"),
        ({"roleArn": "arn:aws:iam::300000000000:role/none"}, "InvalidParameterException", "could not be assumed"),
        (
            {"computeConfig": {"enabled": True}, "accessConfig": {"authenticationMode": "API"}},
            "InvalidParameterException",
            "For EKS Auto Mode",
        ),
        (
            {"kubernetesNetworkConfig": {"serviceIpv4Cidr": "10.0.0.0/20"}},
            "InvalidParameterException",
            "overlaps with the VPC",
        ),
        (
            {"encryptionConfig": [{"provider": {"keyArn": "arn:aws:kms:us-west-2:300000000000:key/none"}}]},
            "InvalidParameterException",
            "does not exist",
        ),
    ],
)
def test_what_eks_refuses(*, eks, ground, refused, change, code, text):
    answered = refused(eks.create_cluster, **wish(ground, **change))
    assert answered[0] == code
    assert text in answered[1]
    assert eks.list_clusters()["clusters"] == []


def test_secrets_have_a_symmetric_key(eks, client, ground, refused):
    hmac = client("kms").create_key(KeySpec="HMAC_256", KeyUsage="GENERATE_VERIFY_MAC")["KeyMetadata"]["Arn"]
    config = [{"provider": {"keyArn": hmac}, "resources": ["secrets"]}]
    code, text = refused(eks.create_cluster, **wish(ground, encryptionConfig=config))
    assert (code, "HMAC_256" in text) == ("InvalidParameterException", True)
    config[0]["provider"]["keyArn"] = client("kms").create_key()["KeyMetadata"]["Arn"]
    eks.create_cluster(**wish(ground, encryptionConfig=config))


def test_subnets_of_one_zone_are_refused(eks, client, ground, refused):
    ec2 = client("ec2")
    twin = ec2.create_subnet(VpcId=ground.vpc, CidrBlock="10.0.9.0/24", AvailabilityZoneId="usw2-az1")
    subnets = [ground.subnets[0], twin["Subnet"]["SubnetId"]]
    assert refused(eks.create_cluster, **wish(ground, resourcesVpcConfig={"subnetIds": subnets})) == (
        "InvalidParameterException",
        "Subnets specified must be in at least two different AZs",
    )


def test_a_closed_endpoint_is_refused(eks, ground, refused):
    network = {"subnetIds": ground.subnets, "endpointPublicAccess": False, "endpointPrivateAccess": False}
    assert refused(eks.create_cluster, **wish(ground, resourcesVpcConfig=network))[1] == (
        "Private and public endpoint access cannot be false"
    )


def test_a_role_that_eks_may_not_assume_is_refused(eks, ground, refused):
    message = refused(eks.create_cluster, **wish(ground, roleArn=ground.node_role))[1]
    assert "[eks.amazonaws.com] were not found in the trust relationships" in message


def test_a_refused_create_leaves_no_group_and_no_interface(eks, client, ground):
    network = {"subnetIds": ground.subnets, "securityGroupIds": ["sg-00000000000000000"]}
    with pytest.raises(ClientError):
        eks.create_cluster(**wish(ground, resourcesVpcConfig=network))
    ec2 = client("ec2")
    of_vpc = [{"Name": "vpc-id", "Values": [ground.vpc]}]
    names = [group["GroupName"] for group in ec2.describe_security_groups(Filters=of_vpc)["SecurityGroups"]]
    assert sorted(names) == ["control-plane", "default"]
    assert ec2.describe_network_interfaces(Filters=of_vpc)["NetworkInterfaces"] == []


def test_a_cluster_with_node_groups_stays(eks, cluster, ground, refused):
    eks.create_nodegroup(clusterName="trn", nodegroupName="ng", subnets=ground.subnets, nodeRole=ground.node_role)
    assert refused(eks.delete_cluster, name="trn") == ("ResourceInUseException", "Cluster has nodegroups attached")
    eks.delete_nodegroup(clusterName="trn", nodegroupName="ng")
    assert eks.delete_cluster(name="trn")["cluster"]["status"] == "DELETING"


def test_a_protected_cluster_stays(eks, ground, refused):
    eks.create_cluster(**wish(ground, deletionProtection=True))
    assert refused(eks.delete_cluster, name="trn")[0] == "InvalidRequestException"


def test_a_new_cluster_of_the_same_name_inherits_nothing(eks, cluster, ground):
    eks.create_addon(clusterName="trn", addonName="vpc-cni")
    eks.delete_cluster(name="trn")
    eks.create_cluster(**wish(ground))
    assert eks.list_addons(clusterName="trn")["addons"] == []


def test_clusters_are_listed_in_pages(eks, ground):
    for name in ("b", "a", "c"):
        eks.create_cluster(**wish(ground, name=name))
    pages = [page["clusters"] for page in eks.get_paginator("list_clusters").paginate(PaginationConfig={"PageSize": 2})]
    assert pages == [["a", "b"], ["c"]]


def test_the_certificate_of_a_cluster_can_be_read(client, make_ground):
    """kubectl then says that it finds no such host; of a malformed one it would speak instead."""
    ground = make_ground(client)
    network = {"subnetIds": ground.subnets}
    made = client("eks").create_cluster(name="certified", roleArn=ground.cluster_role, resourcesVpcConfig=network)
    text = base64.b64decode(made["cluster"]["certificateAuthority"]["data"]).decode()
    context = ssl.create_default_context(cadata=text)
    (authority,) = context.get_ca_certs()
    assert authority["subject"] == ((("commonName", "The local AWS has no Kubernetes API"),),)
