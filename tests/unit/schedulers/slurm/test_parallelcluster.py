"""The environment as configuration of ParallelCluster: what is in it, what is rejected, what a warning names."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.export import Export, ExportFinding
from neuron_cluster.providers.pcs.provider import PARALLELCLUSTER, SLURM
from neuron_cluster.schedulers.slurm.parallelcluster import ids
from tests.slurm_image import PARENT, checked_without_image

CATALOG = load_catalog()
PROJECT = Path(__file__).parents[4]
CPU = {
    "name": "cpu",
    "instance_type": "m7i.xlarge",
    "count": {"max": 2},
    "availability_zone": "usw2-az4",
    "root_volume": {"size_gib": 512},
}
TWO_GROUPS = {"slurm.groups[1]": CPU}
TWO_QUEUES = {**TWO_GROUPS, "slurm.queues[1]": {"name": "cpu", "groups": ["cpu"], "default": True}}
SAME_VOLUME = {"slurm.login.root_volume.size_gib": 512}
NO_ACCOUNTING = {"slurm.accounting": False}
STORAGE = {
    "checkpoint_bucket": {},
    "lustre": {"capacity_gib": 1200, "availability_zone": "usw2-az4"},
    "efs": {"access_points": [{"name": "home", "path": "/home"}]},
}
TEAM = {
    "name": "research",
    "members": ["arn:aws:iam::111122223333:role/research"],
    "namespaces": [{"name": "research"}],
}
TRN2 = {
    "slurm.groups[0].instance_type": "trn2.48xlarge",
    "slurm.groups[0].availability_zone": "usw2-az4",
}
RESERVATION = {"slurm.groups[0].capacity": {"kind": "reservation", "reservation_id": "cr-0123456789abcdef0"}}
BLOCK = {
    "slurm.groups[0].capacity": {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"},
    "slurm.groups[0].count": {"max": 4},
}


def export(edits: dict[str, Any], folder: Path) -> Export:
    folder.mkdir(exist_ok=True)
    file = folder / "slurm-trn1.yaml"
    file.write_text(Case("slurm-trn1", edits).text(), encoding="utf-8")
    checked = check_environment(file)
    assert checked.plan is not None, checked.findings
    return SLURM.export(PARALLELCLUSTER, checked.plan, CATALOG)


def cluster(edits: dict[str, Any], folder: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(export(edits, folder).files["cluster.yaml"]))


def queue(edits: dict[str, Any], folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first queue and its first compute resource."""
    found = cluster(edits, folder)["Scheduling"]["SlurmQueues"][0]
    return found, found["ComputeResources"][0]


def of_id(found: Export, finding_id: str) -> list[ExportFinding]:
    return [each for each in found.findings if each.id == finding_id]


def test_the_catalog_has_the_release_that_is_locked_for_tests() -> None:
    name = CATALOG.parallelcluster_releases.rows[-1].name
    lock = (PROJECT / "requirements-parallelcluster.lock").read_text(encoding="utf-8")
    assert f"aws-parallelcluster=={name} " in lock
    assert f"PARALLELCLUSTER := {name} " in (PROJECT / "Makefile").read_text(encoding="utf-8")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "slurm-trn1.yaml"
    file.write_text(Case("slurm-trn1", {}).text(), encoding="utf-8")
    with pytest.raises(LookupError, match="no export has the format toml"):
        SLURM.export("toml", check_environment(file).require_plan(), CATALOG)


def test_groups_with_efa_have_an_explicit_placement_group(tmp_path: Path) -> None:
    found, resource = queue({}, tmp_path)
    assert (found["CapacityType"], found["JobExclusiveAllocation"]) == ("ONDEMAND", True)
    assert (resource["MinCount"], resource["MaxCount"]) == (0, 16)
    assert resource["Efa"] == {"Enabled": True}
    assert resource["Networking"] == {"PlacementGroup": {"Enabled": True}}


def test_groups_without_efa_have_none(tmp_path: Path) -> None:
    _, resource = queue({"slurm.groups[0].instance_type": "inf2.xlarge"}, tmp_path)
    assert resource["InstanceType"] == "inf2.xlarge"
    assert {"Efa", "Networking"}.isdisjoint(resource)


def test_spot_is_the_capacity_type_of_the_queue(tmp_path: Path) -> None:
    found, _ = queue({"slurm.groups[0].capacity": {"kind": "spot"}}, tmp_path)
    assert found["CapacityType"] == "SPOT"


def test_a_capacity_block_runs_as_a_whole_without_a_placement_group(tmp_path: Path) -> None:
    found, resource = queue(BLOCK, tmp_path)
    assert found["CapacityType"] == "CAPACITY_BLOCK"
    assert resource["CapacityReservationTarget"] == {"CapacityReservationId": "cr-0123456789abcdef0"}
    assert (resource["MinCount"], resource["MaxCount"]) == (4, 4)
    assert "Networking" not in resource


def test_a_reservation_is_targeted_on_demand(tmp_path: Path) -> None:
    found, resource = queue(RESERVATION, tmp_path)
    assert found["CapacityType"] == "ONDEMAND"
    assert resource["CapacityReservationTarget"] == {"CapacityReservationId": "cr-0123456789abcdef0"}


def test_the_default_queue_is_the_first(tmp_path: Path) -> None:
    names = [each["Name"] for each in cluster(TWO_QUEUES, tmp_path)["Scheduling"]["SlurmQueues"]]
    assert names == ["cpu", "training"]


def test_settings_become_custom_settings_or_keys(tmp_path: Path) -> None:
    edits = {
        "slurm.settings": {"SchedulerParameters": "bf_interval=60"},
        "slurm.groups[0].settings": {"Weight": "10", "Features": "fast"},
        "slurm.queues[0].settings": {"MaxTime": "2-00:00:00"},
        "slurm.idle_minutes": 20,
    }
    found, resource = queue(edits, tmp_path)
    settings = cluster(edits, tmp_path)["Scheduling"]["SlurmSettings"]
    names = {name: value for each in settings["CustomSlurmSettings"] for name, value in each.items()}
    assert set(names) == {"JobRequeue", "SchedulerParameters"}
    assert "bf_interval=60" in names["SchedulerParameters"]
    assert (settings["EnableMemoryBasedScheduling"], settings["ScaledownIdletime"]) == (True, 20)
    assert (resource["StaticNodePriority"], resource["DynamicNodePriority"]) == (10, 10)
    assert resource["CustomSlurmSettings"] == {"Features": "fast"}
    assert found["CustomSlurmSettings"] == {"MaxTime": "2-00:00:00"}


def test_another_selection_of_resources_is_a_custom_setting(tmp_path: Path) -> None:
    settings = cluster({"slurm.settings": {"SelectTypeParameters": "CR_Core"}}, tmp_path)["Scheduling"]["SlurmSettings"]
    assert settings["EnableMemoryBasedScheduling"] is False
    assert {"SelectTypeParameters": "CR_Core"} in settings["CustomSlurmSettings"]


def test_file_systems_are_mounted(tmp_path: Path) -> None:
    found = cluster({"storage": STORAGE}, tmp_path)
    lustre, efs = found["SharedStorage"]
    assert (lustre["MountDir"], lustre["FsxLustreSettings"]) == ("/fsx", {"FileSystemId": "${LUSTRE_FILE_SYSTEM}"})
    assert (efs["MountDir"], efs["EfsSettings"]["AccessPointId"]) == ("/efs/home", "${EFS_ACCESS_POINT_HOME}")
    assert "${LUSTRE_SECURITY_GROUP}" in found["HeadNode"]["Networking"]["AdditionalSecurityGroups"]


def test_no_node_has_a_smaller_volume_than_the_ami(tmp_path: Path) -> None:
    files = export({"slurm.login.root_volume.size_gib": 600}, tmp_path).files
    body, image = yaml.safe_load(files["cluster.yaml"]), yaml.safe_load(files["image.yaml"])
    volumes = [
        body["HeadNode"]["LocalStorage"],
        body["Scheduling"]["SlurmQueues"][0]["ComputeSettings"]["LocalStorage"],
    ]
    assert [each["RootVolume"]["Size"] for each in volumes] == [600, 600]
    assert image["Image"]["RootVolume"]["Size"] == 600


def test_tags_are_those_of_the_environment(tmp_path: Path) -> None:
    edits = {"tags": {"cost-center": "42", "note": "with spaces"}}
    assert cluster(edits, tmp_path)["Tags"] == [
        {"Key": "neuron-cluster:environment", "Value": "slurm-trn1"},
        {"Key": "cost-center", "Value": "42"},
    ]
    assert cluster({"tags": {"parallelcluster:owner": "me"}}, tmp_path)["Tags"] == [
        {"Key": "neuron-cluster:environment", "Value": "slurm-trn1"}
    ]


def test_a_group_of_a_team_has_its_tag(tmp_path: Path) -> None:
    _, resource = queue({"slurm.groups[0].team": "research"}, tmp_path)
    assert resource["Tags"] == [{"Key": "neuron-cluster:team", "Value": "research"}]
    _, without = queue({}, tmp_path)
    assert "Tags" not in without


def test_the_script_replaces_what_the_files_have(tmp_path: Path) -> None:
    files = export({"storage": STORAGE}, tmp_path).files
    for name in (ids.NODE_GROUP, ids.LUSTRE_GROUP, ids.LUSTRE, ids.EFS, ids.PARENT, "SUBNET_USW2_AZ4"):
        assert f"${{{name}}}" in files["cluster.yaml"] + files["image.yaml"]
        assert f'fill {name} "${name}"' in files[ids.FILL_IN]
    assert subprocess.run(["bash", "-n"], input=files[ids.FILL_IN], text=True, check=False).returncode == 0


AWS = """\
#!/bin/bash
# In the place of the AWS command line.
case "$*" in
  *describe-subnets*) echo "${SUBNET-subnet-1}" ;;
  *'Nodes and their pods'*) echo sg-1 ;;
  *'mount FSx for Lustre'*) echo sg-2 ;;
  *LustreFileSystem*) echo fs-1 ;;
  *EfsFileSystem*) echo fs-2 ;;
  *describe-access-points*--file-system-id\\ fs-2*"'slurm-trn1 home'"*) echo fsap-1 ;;
  *get-parameter*) [[ -z ${DENIED-} ]] && echo ami-1 ;;
  *) exit 2 ;;
esac
"""


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The files in a folder whose name has a space, and a program in the place of the AWS command line."""
    folder = tmp_path / "my cluster"
    folder.mkdir()
    for name, text in export({"storage": STORAGE}, tmp_path).files.items():
        (folder / name).write_text(text, encoding="utf-8")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "aws").write_text(AWS)
    (programs / "aws").chmod(0o755)
    return folder


def fill_in(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{folder.parent / 'programs'}:/usr/bin:/bin", **variables}
    command = ["bash", folder / ids.FILL_IN]
    return subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}


def test_the_script_fills_both_files_in_and_may_run_again(written: Path) -> None:
    assert fill_in(written).stderr == ""
    filled = texts(written)
    assert filled["cluster.yaml"].count("${") == 1
    body, image = yaml.safe_load(filled["cluster.yaml"]), yaml.safe_load(filled["image.yaml"])
    assert body["HeadNode"]["Networking"] == {"SubnetId": "subnet-1", "AdditionalSecurityGroups": ["sg-1", "sg-2"]}
    lustre, efs = body["SharedStorage"]
    assert lustre["FsxLustreSettings"] == {"FileSystemId": "fs-1"}
    assert (efs["EfsSettings"]["FileSystemId"], efs["EfsSettings"]["AccessPointId"]) == ("fs-2", "fsap-1")
    assert image["Build"]["ParentImage"] == "ami-1"
    assert (fill_in(written).returncode, texts(written)) == (0, filled)
    assert fill_in(written, CUSTOM_AMI="ami-0a1").stderr == ""
    again = texts(written)
    assert yaml.safe_load(again["cluster.yaml"])["Image"]["CustomAmi"] == "ami-0a1"
    assert again.keys() == filled.keys()


@pytest.mark.parametrize(
    ("variables", "text"),
    [
        ({"SUBNET": ""}, "SUBNET_USW2_AZ4: no single id was found ()"),
        ({"SUBNET": "None"}, "SUBNET_USW2_AZ4: no single id was found (None)"),
        ({"SUBNET": "subnet-1\tsubnet-2"}, "SUBNET_USW2_AZ4: no single id was found (subnet-1\tsubnet-2)"),
        ({"SUBNET": "subnet-1/g;e"}, "no single id was found (subnet-1/g;e)"),
        ({"DENIED": "yes"}, ""),
        ({"CUSTOM_AMI": "slurm-trn1"}, "CUSTOM_AMI is slurm-trn1, and not the id of an AMI; nothing was changed"),
    ],
)
def test_the_script_changes_both_files_or_none(variables: dict[str, str], text: str, written: Path) -> None:
    before = texts(written)
    ran = fill_in(written, **variables)
    assert ran.returncode != 0
    assert text in ran.stderr
    assert texts(written) == before


def test_the_script_leaves_nothing_behind_where_a_file_is_missing(written: Path) -> None:
    (written / "image.yaml").unlink()
    before = texts(written)
    assert fill_in(written).returncode != 0
    assert texts(written) == before


def test_the_parent_is_the_image_that_the_lock_pins(tmp_path: Path) -> None:
    plan = checked_without_image(tmp_path).require_plan()
    files = SLURM.export(PARALLELCLUSTER, plan, CATALOG).files
    assert yaml.safe_load(files["image.yaml"])["Build"]["ParentImage"] == PARENT
    assert "aws ssm" not in files[ids.FILL_IN]


@pytest.mark.hints("E9401")
def test_an_environment_without_slurm_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "dev-inf2.yaml"
    file.write_text(Case("dev-inf2", {}).text(), encoding="utf-8")
    plan = check_environment(file).require_plan()
    found = SLURM.export(PARALLELCLUSTER, plan, CATALOG)
    assert (found.files, [each.id for each in found.findings]) == ({}, ["E9401"])
    assert "add the section slurm" in found.findings[0].hint
    assert of_id(export({}, tmp_path), "E9401") == []


@pytest.mark.hints("E9402")
@pytest.mark.parametrize(
    ("edits", "path", "text", "followed"),
    [
        (
            {**TWO_QUEUES, "slurm.queues[0].groups": ["trn1", "cpu"]},
            ("slurm", "groups", 1),
            "cpu is in the queues training and cpu",
            {"slurm.queues[0].groups": ["trn1"]},
        ),
        (
            {**TWO_GROUPS, "slurm.queues[0].groups": ["trn1", "cpu"], "slurm.groups[1].capacity": {"kind": "spot"}},
            ("slurm", "queues", 0, "groups"),
            "have ONDEMAND and SPOT",
            TWO_QUEUES | {"slurm.queues[0].groups": ["trn1"]},
        ),
        (
            {
                **TWO_GROUPS,
                "slurm.queues[0].groups": ["trn1", "cpu"],
                "slurm.groups[1].availability_zone": "usw2-az1",
            },
            ("slurm", "queues", 0, "groups"),
            "have usw2-az1 and usw2-az4",
            TWO_QUEUES | {"slurm.queues[0].groups": ["trn1"]},
        ),
    ],
)
def test_queues_that_parallelcluster_cannot_have(
    edits: dict[str, Any], path: tuple[str | int, ...], text: str, followed: dict[str, Any], tmp_path: Path
) -> None:
    found = export(edits, tmp_path)
    (error,) = of_id(found, "E9402")
    assert (found.files, error.path) == ({}, path)
    assert text in error.message
    assert of_id(export({**edits, **followed}, tmp_path), "E9402") == []


@pytest.mark.hints("E9403")
@pytest.mark.parametrize(
    ("edits", "path", "text", "followed"),
    [
        (
            {"slurm.queues[0].name": "default"},
            ("slurm", "queues", 0, "name"),
            "rejects the name default",
            {"slurm.queues[0].name": "main"},
        ),
        (
            {"slurm.login.root_volume.size_gib": 40, "slurm.groups[0]": {**CPU, "root_volume": {"size_gib": 40}}}
            | {"slurm.queues[0].groups": ["cpu"]},
            ("slurm", "login", "root_volume", "size_gib"),
            "needs root volumes of 45 GiB and the largest is 40 GiB",
            {"slurm.login.root_volume.size_gib": 45},
        ),
        (
            {"tags": {f"tag{number}": "x" for number in range(40)}},
            ("tags",),
            "allows 40 tags and the cluster would have 41",
            {"tags": {"tag": "x"}},
        ),
        (
            {"slurm.groups[0].root_volume": {"size_gib": 512, "iops": 20000}},
            ("slurm", "groups", 0, "root_volume", "iops"),
            "has root volumes of iops 16000 at most, and trn1 has 20000",
            {"slurm.groups[0].root_volume": {"size_gib": 512, "iops": 16000}},
        ),
        (
            {"slurm.groups[0].root_volume": {"size_gib": 512, "iops": 16000, "throughput_mibps": 1500}},
            ("slurm", "groups", 0, "root_volume", "throughput_mibps"),
            "has root volumes of throughput_mibps 1000 at most, and trn1 has 1500",
            {"slurm.groups[0].root_volume": {"size_gib": 512, "iops": 16000, "throughput_mibps": 1000}},
        ),
        (
            {"slurm.groups[0].settings": {"Weight": "0"}},
            ("slurm", "groups", 0, "settings", "Weight"),
            "has node priorities from 1 to 4294967295, and Weight is 0",
            {"slurm.groups[0].settings": {"Weight": "7"}},
        ),
        (
            {"slurm.login.instance_type": "m7i.large", "slurm.groups[0].count": {"max": 300}},
            ("slurm", "login", "instance_type"),
            "a head node for 300 nodes needs 12.6 GiB of memory, and m7i.large has 8",
            {"slurm.login.instance_type": "m7i.xlarge"},
        ),
        (
            {"storage": {"efs": {"access_points": [{"name": "h" * 27, "path": "/home"}]}}},
            ("storage", "efs", "access_points", 0, "name"),
            "allows names of 30 characters for shared storage",
            {"storage": {"efs": {"access_points": [{"name": "h" * 26, "path": "/home"}]}}},
        ),
        (
            {"storage": {"efs": {"access_points": [{"name": f"p{n}", "path": f"/{n}"} for n in range(21)]}}},
            ("storage", "efs", "access_points"),
            "mounts 20 access points of EFS, and the file has 21",
            {"storage": {"efs": {"access_points": [{"name": "p", "path": "/p"}]}}},
        ),
    ],
)
def test_limits_of_parallelcluster(
    edits: dict[str, Any], path: tuple[str | int, ...], text: str, followed: dict[str, Any], tmp_path: Path
) -> None:
    (error,) = of_id(export(edits, tmp_path), "E9403")
    assert error.path == path
    assert text in error.message
    assert of_id(export({**edits, **followed}, tmp_path), "E9403") == []


@pytest.mark.hints("W9404")
@pytest.mark.parametrize(
    ("edits", "text", "followed"),
    [
        ({}, "no accounting", NO_ACCOUNTING),
        ({}, "every node gets the largest of the file, 512 GiB", SAME_VOLUME),
        ({"slurm.version": "26.05"}, "has Slurm 25.11.8, and version is 26.05", {"slurm.version": "25.11"}),
        (
            {"slurm.settings": {"LaunchParameters": "use_interactive_step"}},
            "rejects the setting LaunchParameters of a cluster",
            {"slurm.settings": {}},
        ),
        (
            {"slurm.queues[0].default": False},
            "makes training the default queue, and the file has none",
            {"slurm.queues[0].default": True},
        ),
        (
            {"slurm.groups[0].efa": "efa_all"},
            "have no IP address beyond the first, and all of trn1 have",
            {"slurm.groups[0].efa": "efa"},
        ),
        ({"tags": {"note": "with spaces"}}, "rejects the tags note", {"tags": {"note": "none"}}),
    ],
)
def test_what_the_configuration_does_not_hold_is_a_warning(
    edits: dict[str, Any], text: str, followed: dict[str, Any], tmp_path: Path
) -> None:
    def messages(found: Export) -> list[str]:
        return [each.message for each in of_id(found, "W9404") if text in each.message]

    found = export(edits, tmp_path)
    assert found.files
    assert len(messages(found)) == 1
    assert messages(export({**edits, **followed}, tmp_path)) == []


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ({}, "no generic resources for the Neuron devices of trn1"),
        ({}, "writes cgroup.conf itself, without ConstrainCores and ConstrainDevices"),
        ({}, "the file has no head node"),
        ({}, "do not have the scripts of the toolkit"),
        ({**TRN2, "slurm.groups[0].logical_nc_config": 1}, "have the default logical NeuronCores, not 1"),
        ({"storage": STORAGE}, "no access to the checkpoint bucket"),
        ({"teams": [TEAM], "storage": STORAGE}, "has no users of teams: team-research"),
        ({"network.nat": "none"}, "nat is none, and ParallelCluster calls more services"),
    ],
)
def test_what_no_edit_of_the_file_brings_is_a_warning_too(edits: dict[str, Any], text: str, tmp_path: Path) -> None:
    assert any(text in each.message for each in of_id(export(edits, tmp_path), "W9404"))
