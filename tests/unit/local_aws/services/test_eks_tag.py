"""Tags of EKS resources, by ARN."""

from __future__ import annotations


def test_every_kind_of_resource_is_tagged_by_its_arn(eks, cluster, ground):
    group = eks.create_nodegroup(
        clusterName="trn", nodegroupName="ng", subnets=ground.subnets, nodeRole=ground.node_role
    )["nodegroup"]
    addon = eks.create_addon(clusterName="trn", addonName="vpc-cni")["addon"]
    entry = eks.describe_access_entry(clusterName="trn", principalArn=ground.node_role)["accessEntry"]
    for arn in (cluster["arn"], group["nodegroupArn"], addon["addonArn"], entry["accessEntryArn"]):
        eks.tag_resource(resourceArn=arn, tags={"a": "1", "b": "2"})
        eks.untag_resource(resourceArn=arn, tagKeys=["a"])
        assert eks.list_tags_for_resource(resourceArn=arn)["tags"] == {"b": "2"}
    assert eks.describe_cluster(name="trn")["cluster"]["tags"] == {"b": "2"}


def test_an_unknown_arn_is_refused(eks, cluster, refused):
    assert refused(eks.list_tags_for_resource, resourceArn=cluster["arn"] + "x")[0] == "NotFoundException"
