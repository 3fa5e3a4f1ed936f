"""Values that the service's model lists: a misspelt one is refused, as the service refuses it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"amiType": "AL2023_x86_64_NEURONN"}, "amiType"),
        ({"capacityType": "ONDEMAND"}, "capacityType"),
        ({"taints": [{"key": "a", "effect": "NoSchedule"}]}, "taints.1.member.effect"),
        ({"nodeRepairConfig": {"nodeRepairConfigOverrides": [{"repairAction": "Restart"}]}}, "repairAction"),
    ],
)
def test_eks_refuses_a_value_out_of_its_list(*, eks, cluster, ground, refused, members, place):
    wish = {"clusterName": "trn", "nodegroupName": "ng", "subnets": ground.subnets, "nodeRole": ground.node_role}
    code, message = refused(eks.create_nodegroup, **wish, **members)
    assert code == "InvalidParameterException"
    assert place in message
    assert "Member must satisfy enum value set: [" in message
    assert eks.list_nodegroups(clusterName="trn")["nodegroups"] == []


def test_eks_refuses_a_name_out_of_its_pattern(eks, ground, refused):
    network = {"subnetIds": ground.subnets}
    message = refused(eks.create_cluster, name="-trn", roleArn=ground.cluster_role, resourcesVpcConfig=network)[1]
    assert "Value '-trn' at 'name' failed to satisfy constraint" in message


def test_fsx_refuses_both_kinds_at_once(fsx, ground, refused):
    lustre = {"DeploymentType": "PERSISTENT_3", "WeeklyMaintenanceStartTime": "8:00:00"}
    code, message = refused(
        fsx.create_file_system,
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=ground.subnets[:1],
        LustreConfiguration=lustre,
    )
    assert code == "ValidationException"
    assert message.startswith("2 validation errors detected: ")
