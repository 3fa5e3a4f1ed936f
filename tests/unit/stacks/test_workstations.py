"""Workstations: no way in but Session Manager, a home that outlives the machine, and nothing more allowed than that."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings, effects

CATALOG = load_catalog()

Templates = dict[str, Any]
HOME, MACHINE = "AWS::EC2::Volume", "AWS::EC2::Instance"
LAUNCH_TEMPLATE, ASSOCIATION = "AWS::EC2::LaunchTemplate", "AWS::SSM::Association"
USER_DATA_LIMIT_BYTES = 16_384
PINNED = "ami-0123456789abcdef0"


@pytest.fixture(scope="module")
def workstations(stack_of: Callable[..., Any]) -> Any:
    return stack_of("workstation", "workstations")


@pytest.fixture(scope="module")
def storage(stack_of: Callable[..., Any]) -> Any:
    return stack_of("workstation", "storage")


def only(found: dict[str, Any]) -> Any:
    (resource,) = found.values()
    return resource["Properties"]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def user_data(stack: Any) -> str:
    """The user data as it arrives on the machine, with a made-up id for the home volume."""
    (data,) = [only(stack.find_resources("AWS::EC2::LaunchTemplate"))["LaunchTemplateData"]["UserData"]["Fn::Base64"]]
    parts = data["Fn::Join"][1] if isinstance(data, dict) else [data]
    return "".join(part if isinstance(part, str) else "vol-0123456789abcdef0" for part in parts)


def edited(templates_of: Callable[..., Templates], edits: dict[str, Any]) -> tuple[Templates, Templates]:
    """The templates before and after an edit, by stack name."""
    return tuple(
        {f"workstation-{stack_key}": template for stack_key, template in templates_of("workstation", some).items()}
        for some in ({}, edits)
    )


def test_the_machine_has_a_private_interface_without_a_rule_that_lets_anybody_in(
    workstations: Any, stack_of: Callable[..., Any]
) -> None:
    data = only(workstations.find_resources("AWS::EC2::LaunchTemplate"))["LaunchTemplateData"]
    (interface,) = data["NetworkInterfaces"]
    assert "AssociatePublicIpAddress" not in interface
    assert "Private" in str(interface["SubnetId"])
    assert ["Groupsworkstation" in str(group) for group in interface["Groups"]] == [True]
    assert "KeyName" not in data
    network = stack_of("workstation", "network")
    into = [
        rule
        for rule in network.find_resources("AWS::EC2::SecurityGroupIngress").values()
        if "Groupsworkstation" in str(rule["Properties"]["GroupId"])
    ]
    assert into == []
    subnets = network.find_resources("AWS::EC2::Subnet").values()
    assert {subnet["Properties"]["MapPublicIpOnLaunch"] for subnet in subnets} == {False}


def test_the_machine_is_stopped_not_ended_when_it_shuts_itself_down(workstations: Any) -> None:
    assert only(workstations.find_resources(MACHINE))["InstanceInitiatedShutdownBehavior"] == "stop"


def test_the_image_is_the_newest_at_launch_or_the_pinned_one(workstations: Any, stack_of: Callable[..., Any]) -> None:
    parameter = "/aws/service/neuron/dlami/multi-framework/ubuntu-24.04/latest/image_id"
    pinned = stack_of("workstation", "workstations", {"workstations.0.ami_id": PINNED})
    for stack, image in ((workstations, f"resolve:ssm:{parameter}"), (pinned, PINNED)):
        assert only(stack.find_resources("AWS::EC2::LaunchTemplate"))["LaunchTemplateData"]["ImageId"] == image


def test_the_role_opens_sessions_and_attaches_one_volume_to_one_machine(workstations: Any) -> None:
    role = only(workstations.find_resources("AWS::IAM::Role"))
    assert "ManagedPolicyArns" not in role
    rights = [
        action for each in role["Policies"][0]["PolicyDocument"]["Statement"] for action in _listed(each["Action"])
    ]
    assert {right.partition(":")[0] for right in rights} == {"ssm", "ssmmessages"}
    assert not [right for right in rights if "Get" in right]
    listed, reported, document = role["Policies"][1]["PolicyDocument"]["Statement"]
    assert (listed["Action"], reported["Action"]) == (
        "ssm:ListInstanceAssociations",
        "ssm:UpdateInstanceAssociationStatus",
    )
    assert document["Action"] == "ssm:GetDocument"
    assert document["Resource"].endswith("::document/AWS-RunShellScript"), "of Amazon's document alone"
    statements = only(workstations.find_resources("AWS::IAM::Policy"))["PolicyDocument"]["Statement"]
    attach, grant, key = statements
    machine, volume = attach["Resource"]
    assert "Homealice" in str(volume)
    ((machine_id, _),) = workstations.find_resources(MACHINE).items()
    assert {"Ref": machine_id} in machine["Fn::Join"][1]
    assert "Condition" not in attach  # tags can be set by others
    assert grant["Condition"]["Bool"] == {"kms:GrantIsForAWSResource": "true"}
    for statement in (grant, key):
        assert statement["Condition"]["StringEquals"] == {"kms:ViaService": "ec2.us-west-2.amazonaws.com"}


def test_containers_cannot_read_metadata_and_the_template_keeps_its_version(workstations: Any) -> None:
    """A new version of the launch template would replace the machine of every environment that exists."""
    options = only(workstations.find_resources(MACHINE))["MetadataOptions"]
    assert options == {"HttpEndpoint": "enabled", "HttpTokens": "required", "HttpPutResponseHopLimit": 1}
    (template,) = workstations.find_resources("AWS::EC2::LaunchTemplate").values()
    assert template["Properties"]["LaunchTemplateData"]["MetadataOptions"]["HttpPutResponseHopLimit"] == 2
    assert "would replace it" in template["Metadata"]["neuron-cluster:metadata-hops"]


def test_without_a_home_there_is_neither_a_volume_nor_a_right_to_attach_one(
    templates_of: Callable[..., Templates],
) -> None:
    made = templates_of("workstation", {"workstations.0.home": None, "storage": None})
    assert sorted(made) == ["network", "workstations"]
    assert "ec2:AttachVolume" not in str(made["workstations"])
    assert "attach-home" not in str(made["workstations"])


def test_the_home_is_encrypted_with_the_data_key_and_kept(storage: Any) -> None:
    (home,) = storage.find_resources(HOME).values()
    assert home["Properties"]["Encrypted"] is True
    assert "DataKey" in str(home["Properties"]["KmsKeyId"])
    assert (home["DeletionPolicy"], home["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")


def test_another_image_replaces_the_machine_and_touches_no_home(templates_of: Callable[..., Templates]) -> None:
    before, after = edited(templates_of, {"workstations.0.ami_id": PINNED})
    happens = {effect.type: effect.kind.value for effect in effects(before, after, CATALOG)}
    assert happens == {
        "AWS::EC2::LaunchTemplate": "updated in place",
        MACHINE: "replaced",
        "AWS::IAM::Policy": "updated in place",  # these name the machine
        "AWS::SSM::Association": "updated in place",
    }
    assert change_findings(before, after, CATALOG) == []


@pytest.mark.parametrize(
    ("edits", "changed"),
    [
        ({"workstations.0.idle_stop_minutes": 90}, {"AWS::SSM::Association"}),
        ({"workstations.0.idle_stop_minutes": 10080}, {"AWS::SSM::Association"}),
        ({"workstations.0.team": "research"}, {MACHINE}),
    ],
    ids=str,
)
def test_another_idle_limit_and_another_team_keep_the_machine(
    edits: dict[str, Any], changed: set[str], templates_of: Callable[..., Templates]
) -> None:
    before, after = edited(templates_of, edits)
    assert {(effect.type, effect.kind.value) for effect in effects(before, after, CATALOG)} == {
        (kind, "updated in place") for kind in changed
    }
    templates = [each["workstation-workstations"]["Resources"] for each in (before, after)]
    unchanged = [
        [each for each in resources.values() if each["Type"] == "AWS::EC2::LaunchTemplate"] for resources in templates
    ]
    assert unchanged[0] == unchanged[1], "another version of it would replace the machine"


def test_a_machine_that_never_stops_has_nothing_that_could_stop_it(templates_of: Callable[..., Templates]) -> None:
    before, after = edited(templates_of, {"workstations.0.idle_stop_minutes": 0})
    happens = {effect.type: effect.kind.value for effect in effects(before, after, CATALOG)}
    assert (happens[MACHINE], happens["AWS::SSM::Association"]) == ("replaced", "removed")
    text = str(after["workstation-workstations"])
    assert "stop-when-idle" not in text
    assert "ssm:ListInstanceAssociations" not in text


def test_a_machine_that_leaves_the_file_leaves_its_home(templates_of: Callable[..., Templates]) -> None:
    before, after = edited(templates_of, {"workstations": None})
    assert [finding.id for finding in change_findings(before, after, CATALOG)] == ["W9504"]
    assert before["workstation-storage"] == after["workstation-storage"]


@pytest.mark.parametrize(
    ("edits", "refused"),
    [
        ({"storage.homes.0.size_gib": 100}, "E9011"),
        ({"storage.homes.0.name": "bob", "workstations.0.home": "bob"}, "E9002"),
        (
            {"storage.homes.0.availability_zone": "usw2-az2", "network.availability_zones": ["usw2-az1", "usw2-az2"]},
            "E9001",
        ),
    ],
)
def test_a_home_is_not_shrunk_renamed_or_moved(
    edits: dict[str, Any], refused: str, templates_of: Callable[..., Templates]
) -> None:
    found = [
        f for f in change_findings(*edited(templates_of, edits), catalog=CATALOG) if f.location.path.startswith("Home")
    ]
    assert refused in [finding.id for finding in found]


def test_a_home_grows_in_place(templates_of: Callable[..., Templates]) -> None:
    before, after = edited(templates_of, {"storage.homes.0.size_gib": 300})
    assert {effect.type: effect.kind.value for effect in effects(before, after, CATALOG)} == {HOME: "updated in place"}
    assert change_findings(before, after, CATALOG) == []


def test_tags_of_the_environment_replace_no_machine(templates_of: Callable[..., Templates]) -> None:
    before, after = edited(templates_of, {"tags": {"cost-center": "research"}})
    machines = [effect.kind.value for effect in effects(before, after, CATALOG) if effect.type == MACHINE]
    assert machines == ["updated in place"]


def test_a_tag_that_is_propagated_at_launch_replaces_the_machine_and_keeps_its_home(
    templates_of: Callable[..., Templates],
) -> None:
    before, after = edited(templates_of, {"tags": {"team": "a"}, "propagate_at_launch": ["team"]})
    kinds = {effect.type: effect.kind.value for effect in effects(before, after, CATALOG)}
    assert "replaced" in kinds[MACHINE]
    assert kinds.get(HOME, "updated in place") == "updated in place"
    assert change_findings(before, after, CATALOG) == []


@pytest.mark.parametrize("edits", [{}, {"workstations.0.idle_stop_minutes": 0}, {"workstations.0.home": None}], ids=str)
def test_user_data_is_a_shell_script_that_bash_can_read_and_ec2_takes(
    edits: dict[str, Any], stack_of: Callable[..., Any], tmp_path: Path
) -> None:
    text = user_data(stack_of("workstation", "workstations", edits))
    assert len(text.encode()) < USER_DATA_LIMIT_BYTES
    script = tmp_path / "first-start"
    script.write_text(text[text.index("#!/bin/bash") : text.rindex("--//--")])
    assert subprocess.run(["bash", "-n", script], capture_output=True, check=False).stderr == b""
    assert ("stop-when-idle" in text) == (edits.get("workstations.0.idle_stop_minutes") != 0)


def test_the_session_command_logs_in_as_the_images_user(stack_of: Callable[..., Any]) -> None:
    amazon_linux = {"workstations.0.dlami": "jax_0_10_amazon_linux_2023"}
    for edits, user in (({}, "ubuntu"), (amazon_linux, "ec2-user")):
        outputs = stack_of("workstation", "workstations", edits).to_json()["Outputs"]
        (command,) = [str(output["Value"]) for name, output in outputs.items() if "Session" in name]
        assert f"command='sudo -iu {user}'" in command


def test_a_machine_in_a_capacity_block_is_launched_into_it(template_of: Callable[..., Any]) -> None:
    block = {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}
    edits = {
        "workstations.0.instance_type": "trn2.48xlarge",
        "workstations.0.root_volume.size_gib": 512,
        "workstations.0.capacity": block,
    }
    resources = template_of("workstation", "workstations", edits)["Resources"].values()
    (template,) = [each for each in resources if each["Type"] == "AWS::EC2::LaunchTemplate"]
    data = template["Properties"]["LaunchTemplateData"]
    assert data["InstanceMarketOptions"] == {"MarketType": "capacity-block"}
    target = {"CapacityReservationId": "cr-0123456789abcdef0"}
    assert data["CapacityReservationSpecification"] == {"CapacityReservationTarget": target}


CACHED = {"storage.checkpoint_bucket": {}, "storage.compile_cache": {}}


def test_an_association_brings_the_compile_cache_and_the_machine_stays(templates_of: Callable[..., Templates]) -> None:
    before, after = edited(templates_of, CACHED)
    machines = [each["workstation-workstations"]["Resources"] for each in (before, after)]
    kept = [{key: one for key, one in each.items() if one["Type"] in (MACHINE, LAUNCH_TEMPLATE)} for each in machines]
    assert kept[0] == kept[1]
    (settings,) = [one for key, one in machines[1].items() if key not in machines[0] and one["Type"] == ASSOCIATION]
    assert "compile-cache" in str(settings["Properties"]["Parameters"]["commands"])
    (machine,) = (key for key, one in kept[1].items() if one["Type"] == MACHINE)
    assert settings["Properties"]["Targets"][0]["Values"] == [{"Ref": machine}]


WITH_EFS = {
    "storage.efs": {"access_points": [{"name": "home", "path": "/home"}, {"name": "data", "path": "/data"}]},
    "workstations.0.efs": ["data"],
}
AMAZON_LINUX = {"workstations.0.dlami": "base_amazon_linux_2023", "workstations.0.virtual_environment": None}


def test_an_association_mounts_the_access_points_that_the_workstation_names(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("workstation", "workstations", WITH_EFS | AMAZON_LINUX)
    found = stack.find_resources("AWS::SSM::Association").values()
    (mounts,) = [each["Properties"] for each in found if each["Properties"]["AssociationName"].endswith("-alice-efs")]
    (machine,) = stack.find_resources(MACHINE)
    assert mounts["Targets"] == [{"Key": "InstanceIds", "Values": [{"Ref": machine}]}]
    install, _, line, *_ = mounts["Parameters"]["commands"]
    assert install.endswith(" amazon-efs-utils")
    assert "/efs/data efs _netdev,nofail,noresvport,tls,accesspoint=" in str(line)
    assert ("AccessPointdata" in str(line), "/efs/home" in str(mounts)) == (True, False)
    assert "elasticfilesystem" not in str(stack.to_json())  # the policy of the file system admits clients without IAM


def test_access_points_are_mounted_in_place(templates_of: Callable[..., Templates]) -> None:
    before, after = (
        templates_of("workstation", {**WITH_EFS, **AMAZON_LINUX, **edits}) for edits in ({"workstations.0.efs": []}, {})
    )
    happens = {(effect.type, effect.kind.value) for effect in effects(before, after, CATALOG)}
    assert ("AWS::SSM::Association", "added") in happens
    assert not [each for each in happens if each[1] == "replaced"]


def test_without_a_package_of_the_mount_helper_nothing_is_mounted(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("workstation", "workstations", WITH_EFS)
    assert "/efs/" not in str(stack.to_json())


WITH_LUSTRE = {
    "storage.lustre": {"availability_zone": "usw2-az1", "capacity_gib": 1200},
    "workstations.0.lustre": True,
}
EXISTING = {
    "file_system_id": "fs-0123456789abcdef0",
    "dns_name": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
    "mount_name": "abcde",
    "security_group_id": "sg-0123456789abcdef0",
}
LUSTRE_PORTS = {(988, 988), (1018, 1023)}


def test_an_association_mounts_lustre_after_the_file_system_exists(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("workstation", "workstations", WITH_LUSTRE)
    found = stack.find_resources(ASSOCIATION).values()
    (mount,) = [each["Properties"] for each in found if each["Properties"]["AssociationName"].endswith("-alice-lustre")]
    (machine,) = stack.find_resources(MACHINE)
    assert mount["Targets"] == [{"Key": "InstanceIds", "Values": [{"Ref": machine}]}]
    (line,) = [str(each) for each in mount["Parameters"]["commands"] if "/checkpoints lustre " in str(each)]
    assert ("LustreDNSName" in line, "LustreMountName" in line) == (True, True), "values that the storage stack exports"
    assert "fsx:" not in str(stack.to_json())


def test_lustre_that_exists_is_mounted_by_its_names(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("workstation", "workstations", {**WITH_LUSTRE, "storage.lustre.existing": EXISTING})
    assert f"{EXISTING['dns_name']}@tcp:/abcde /checkpoints lustre " in str(stack.to_json())


def test_lustre_is_mounted_in_place(templates_of: Callable[..., Templates]) -> None:
    before, after = edited(templates_of, WITH_LUSTRE)
    happens = {(effect.type, effect.kind.value) for effect in effects(before, after, CATALOG)}
    assert (ASSOCIATION, "added") in happens
    assert not [each for each in happens if each[1] == "replaced"]
    resources = [each["workstation-workstations"]["Resources"].values() for each in (before, after)]
    templates = [[one for one in each if one["Type"] == LAUNCH_TEMPLATE] for each in resources]
    assert templates[0] == templates[1], "another version of it would replace the machine"


def _rules_of(network: Any, group: str) -> set[tuple[str, str, int, int]]:
    """Direction, the other side, and ports of the rules of a group of this stack."""
    return {
        (kind, str(rule["Properties"].get(other)), rule["Properties"]["FromPort"], rule["Properties"]["ToPort"])
        for kind, other in (("Ingress", "SourceSecurityGroupId"), ("Egress", "DestinationSecurityGroupId"))
        for rule in network.find_resources(f"AWS::EC2::SecurityGroup{kind}").values()
        if group in str(rule["Properties"]["GroupId"])
    }


@pytest.mark.parametrize(
    ("edits", "other"), [({}, "Groupslustre"), ({"storage.lustre.existing": EXISTING}, "sg-0123456789abcdef0")], ids=str
)
def test_its_group_and_that_of_lustre_reach_each_other_at_the_ports_of_lustre_alone(
    edits: dict[str, Any], other: str, stack_of: Callable[..., Any]
) -> None:
    rules = _rules_of(stack_of("workstation", "network", {**WITH_LUSTRE, **edits}), "Groupsworkstation")
    for kind in ("Ingress", "Egress"):
        of_lustre = {(first, last) for direction, side, first, last in rules if direction == kind and other in side}
        assert of_lustre == LUSTRE_PORTS
    assert {direction for direction, side, *_ in rules if other not in side} == {"Egress"}


def test_a_workstation_that_does_not_mount_lustre_does_not_reach_it(stack_of: Callable[..., Any]) -> None:
    network = stack_of("workstation", "network", {**WITH_LUSTRE, "workstations.0.lustre": False})
    assert not [each for each in _rules_of(network, "Groupsworkstation") if "lustre" in each[1]]
