"""Add-ons and their versions."""

from __future__ import annotations

import pytest


def test_an_addon_is_active_at_once(eks, cluster, account):
    eks.create_addon(clusterName="trn", addonName="vpc-cni", addonVersion="v1.20.0-eksbuild.1", tags={"a": "b"})
    addon = eks.describe_addon(clusterName="trn", addonName="vpc-cni")["addon"]
    assert addon["status"] == "ACTIVE"
    assert addon["addonArn"].startswith(f"arn:aws:eks:us-west-2:{account}:addon/trn/vpc-cni/")
    assert addon["addonVersion"] == "v1.20.0-eksbuild.1"
    assert addon["tags"] == {"a": "b"}
    assert eks.list_addons(clusterName="trn")["addons"] == ["vpc-cni"]


def test_the_newest_known_version_is_taken_when_none_is_given(eks, cluster):
    eks.create_addon(clusterName="trn", addonName="kube-proxy")
    (row,) = eks.describe_addon_versions(addonName="kube-proxy", kubernetesVersion="1.34")["addons"]
    newest = row["addonVersions"][0]
    assert newest["compatibilities"] == [{"clusterVersion": "1.34", "platformVersions": ["*"], "defaultVersion": True}]
    assert (
        eks.describe_addon(clusterName="trn", addonName="kube-proxy")["addon"]["addonVersion"]
        == (newest["addonVersion"])
    )


@pytest.mark.parametrize(
    ("members", "code", "text"),
    [
        ({"addonName": "vpc-cnii"}, "InvalidParameterException", "Addon specified is not supported"),
        ({"addonVersion": "1.20"}, "InvalidParameterException", "Addon version specified is not supported"),
        (
            {"configurationValues": "[1"},
            "InvalidParameterException",
            "ConfigurationValue provided in request is not supported",
        ),
        (
            {"podIdentityAssociations": [{"serviceAccount": "aws-node", "roleArn": "arn:aws:iam::1:role/none"}]},
            "InvalidParameterException",
            "Role provided in the request does not exist",
        ),
        ({"clusterName": "x"}, "ResourceNotFoundException", "No cluster found for name: x."),
    ],
)
def test_what_an_addon_may_not_ask(*, eks, cluster, refused, members, code, text):
    answered = refused(eks.create_addon, **{"clusterName": "trn", "addonName": "vpc-cni", **members})
    assert answered[0] == code
    assert text in answered[1]
    assert eks.list_addons(clusterName="trn")["addons"] == []


def test_a_second_one_is_refused(eks, cluster, refused):
    eks.create_addon(clusterName="trn", addonName="vpc-cni")
    assert refused(eks.create_addon, clusterName="trn", addonName="vpc-cni") == (
        "ResourceInUseException",
        "Addon already exists.",
    )


def test_an_addon_owns_its_pod_identities(eks, cluster, ground):
    identity = [{"serviceAccount": "fsx-csi-controller-sa", "roleArn": ground.pod_role}]
    addon = eks.create_addon(clusterName="trn", addonName="aws-fsx-csi-driver", podIdentityAssociations=identity)[
        "addon"
    ]
    (row,) = eks.list_pod_identity_associations(clusterName="trn")["associations"]
    assert row["ownerArn"] == addon["addonArn"]
    assert addon["podIdentityAssociations"] == [row["associationArn"]]
    eks.update_addon(clusterName="trn", addonName="aws-fsx-csi-driver", podIdentityAssociations=[])
    assert eks.list_pod_identity_associations(clusterName="trn")["associations"] == []


def test_a_deleted_addon_takes_its_pod_identities_along(eks, cluster, ground):
    identity = [{"serviceAccount": "fsx-csi-controller-sa", "roleArn": ground.pod_role}]
    eks.create_addon(clusterName="trn", addonName="aws-fsx-csi-driver", podIdentityAssociations=identity)
    eks.delete_addon(clusterName="trn", addonName="aws-fsx-csi-driver")
    assert eks.list_addons(clusterName="trn")["addons"] == []
    assert eks.list_pod_identity_associations(clusterName="trn")["associations"] == []


def test_an_update_is_told_by_the_addon(eks, cluster):
    eks.create_addon(clusterName="trn", addonName="vpc-cni")
    values = '{"enableNetworkPolicy": "true"}'
    update = eks.update_addon(clusterName="trn", addonName="vpc-cni", configurationValues=values)["update"]
    assert eks.describe_addon(clusterName="trn", addonName="vpc-cni")["addon"]["configurationValues"] == values
    reported = eks.describe_update(name="trn", addonName="vpc-cni", updateId=update["id"])["update"]
    assert reported["params"] == [{"type": "ConfigurationValues", "value": values}]


def test_an_update_takes_versions_by_their_form(eks, cluster, refused):
    """A version that the sample here does not have may be a newer one; the page says that it is taken."""
    eks.create_addon(clusterName="trn", addonName="vpc-cni")
    answer = ("InvalidParameterException", "Addon version specified is not supported")
    assert refused(eks.update_addon, clusterName="trn", addonName="vpc-cni", addonVersion="1.20") == answer
    eks.update_addon(clusterName="trn", addonName="vpc-cni", addonVersion="v1.99.0-eksbuild.1")
    assert eks.describe_addon(clusterName="trn", addonName="vpc-cni")["addon"]["addonVersion"] == "v1.99.0-eksbuild.1"
