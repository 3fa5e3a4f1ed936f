"""Slurm on PCS: deployed, unchanged, updated and destroyed, and what a deploy rejects."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hint_commands import commands_in
from msgspec.structs import replace

from local_aws.http.trail import EVENTS
from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.providers.pcs.changes.resource_kinds import COMPUTE_NODE_GROUP
from neuron_cluster.providers.pcs.operations import SlurmOperations
from tests.round_trip.account_snapshot import snapshot

pytestmark = pytest.mark.slow

NAME = "batch"
TEXT = """
schema: 1
name: batch
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}
"""
SLURM = """
slurm:
  version: "25.05"
  dlami: base_ubuntu_24_04
  ami_id: ami-0123456789abcdef0
  login: {instance_type: m7i.xlarge, count: {min: 1, max: 1}, root_volume: {size_gib: 100}}
  groups:
    - name: trn1
      instance_type: trn1.2xlarge
      availability_zone: usw2-az4
      count: {max: 4}
      root_volume: {size_gib: 512}
  queues:
    - {name: training, groups: [trn1]}
"""
STORAGE = """
storage:
  checkpoint_bucket: {}
  compile_cache: {}
  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}
  efs: {access_points: [{name: home, path: /home}]}
"""
RESERVED = (
    "count: {max: 4}",
    "count: {min: 1, max: 4}\n      capacity: {kind: reservation, reservation_id: cr-0123456789abcdef0}",
)
TEAM_OF_BUDGET = (", budget: {usd_month: 5000, notify: [r@example.com]}", "")
TEAMS = """
teams:
  - {name: research, members: [], budget: {usd_month: 5000, notify: [r@example.com]}}
  - {name: product, members: ["arn:aws:iam::111122223333:role/product"]}
"""
OF_RESEARCH = ("- name: trn1\n", "- name: trn1\n      team: research\n")
OTHER_TYPE = ("trn1.2xlarge", "inf2.xlarge")
ENVIRONMENTS = Path(__file__).parents[2] / "environments"
TRN1, BLOCK = ((ENVIRONMENTS / f"{name}.yaml").read_text("utf-8") for name in ("slurm-trn1", "slurm-trn2-block"))
BUDGET = "budget: {usd_month: 5000, notify: [p@example.com]}\n"
RAISED = ('version: "25.11"', 'version: "26.05"')

Command = Callable[..., Any]


class Slurm:
    """An environment on the local AWS: ``text`` is its file before edits."""

    def __init__(self, project: Path, command: Command, target: LocalTarget, name: str, text: str) -> None:
        self._file = project / "environments" / f"{name}.yaml"
        self._command, self._target = command, target
        self._name, self._text = name, text

    def deploy(self, *edits: tuple[str, str]) -> Any:
        self.write(*edits)
        ran = self._command("deploy", "--local", self._name)
        assert ran.status == 0, ran.document
        return ran

    def write(self, *edits: tuple[str, str]) -> None:
        text = self._text
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        self._file.write_text(text)

    def diff(self) -> dict[str, Any]:
        return dict(self._command("diff", "--local", self._name).document)

    def found(self, finding_id: str) -> list[dict[str, Any]]:
        """Findings of `diff` with this id."""
        return [dict(each) for each in self.diff()["findings"] if each["id"] == finding_id]

    def destroy(self) -> None:
        ran = self._command("destroy", "--local", self._name, "--delete-data", self._name)
        assert (ran.status, ran.document["kept"]) == (0, []), ran.document

    def everything(self, local_aws: LocalAws) -> dict[str, list[Any]]:
        """Returns all that the account has in the Region: rows that the services list, and the tables of the local AWS.

        Services remember client tokens, and CloudTrail calls, beyond the resources that were created with them.
        """
        tables = {
            name: sorted(map(str, rows))
            for (account, region, name), rows in local_aws.store.tables.items()
            if (account, region) == (self._target.account, self._target.region)
            and rows
            and not name.endswith((".tokens", EVENTS))
        }
        return {**snapshot(lambda service: client(self._target, service)), **tables}

    def events_of_groups(self) -> list[tuple[str, str]]:
        """Physical id and status in each event of a compute node group, the oldest first."""
        pages = client(self._target, "cloudformation").get_paginator("describe_stack_events")
        rows = [row for page in pages.paginate(StackName=f"{self._name}-compute") for row in page["StackEvents"]]
        found = [
            (r["PhysicalResourceId"], r["ResourceStatus"]) for r in rows if r["ResourceType"] == COMPUTE_NODE_GROUP
        ]
        return found[::-1]

    def clusters(self) -> list[dict[str, Any]]:
        pcs = client(self._target, "pcs")
        rows = [each for each in pcs.list_clusters()["clusters"] if each["name"] == self._name]
        return [dict(pcs.get_cluster(clusterIdentifier=each["id"])["cluster"]) for each in rows]

    def budgets(self) -> list[tuple[str, str]]:
        """Returns the name and the limit of each budget of the account."""
        account = self._target.account
        rows = client(self._target, "budgets").describe_budgets(AccountId=account).get("Budgets", [])
        return [(each["BudgetName"], each["BudgetLimit"]["Amount"]) for each in rows]

    def queues(self) -> list[dict[str, Any]]:
        (cluster,) = self.clusters()
        pcs, of_cluster = client(self._target, "pcs"), {"clusterIdentifier": cluster["id"]}
        rows = pcs.list_queues(**of_cluster)["queues"]
        return [dict(pcs.get_queue(**of_cluster, queueIdentifier=each["id"])["queue"]) for each in rows]

    def groups(self) -> dict[str, dict[str, Any]]:
        """Returns the groups by the user's name."""
        (cluster,) = self.clusters()
        pcs, of_cluster = client(self._target, "pcs"), {"clusterIdentifier": cluster["id"]}
        rows = pcs.list_compute_node_groups(**of_cluster)["computeNodeGroups"]
        details = (
            pcs.get_compute_node_group(**of_cluster, computeNodeGroupIdentifier=each["id"])["computeNodeGroup"]
            for each in rows
        )
        return {each["name"].rpartition("-")[0]: dict(each) for each in details}

    def teams_of(self, group: dict[str, Any]) -> set[str]:
        """The tag of its launch template, by kind of resource."""
        template = group["customLaunchTemplate"]
        (version,) = client(self._target, "ec2").describe_launch_template_versions(
            LaunchTemplateId=template["id"], Versions=[template["version"]]
        )["LaunchTemplateVersions"]
        return {
            f"{kind['ResourceType']}:{tag['Value']}"
            for kind in version["LaunchTemplateData"]["TagSpecifications"]
            for tag in kind["Tags"]
            if tag["Key"] == "neuron-cluster:team"
        }


@pytest.fixture
def slurm(project: Path, command: Command, target: LocalTarget) -> Slurm:
    return Slurm(project, command, target, NAME, TEXT + SLURM)


def test_a_life(project: Path, command: Command, target: LocalTarget, local_aws: LocalAws) -> None:
    """A life of the shipped file: no-op, settings and a newer version in place, another type, no older version.

    Its budget changes in place with another limit, and is replaced with other notifications.
    """
    slurm = Slurm(project, command, target, "slurm-trn1", TRN1 + BUDGET)
    bootstrap_if_needed(project, local_destination(target.endpoint, target.account, target.region), str)
    before = slurm.everything(local_aws)
    ran = slurm.deploy()
    (cluster,), groups, ((budget, usd_month),) = slurm.clusters(), slurm.groups(), slurm.budgets()
    assert (budget.startswith("slurm-trn1--"), usd_month) == (True, "5000")
    assert (cluster["size"], cluster["status"]) == ("SMALL", "ACTIVE")
    assert groups["trn1"]["slurmConfiguration"]["gresCustomSettings"][0]["File"] == "/dev/neuron[0-15]"
    assert [each["name"] for each in ran.document["existing"]["slurm_queues"]] == ["training"]

    again = slurm.deploy()
    assert not any(each["changed"] for each in again.document["stacks"]), again.document["stacks"]
    assert (slurm.clusters(), slurm.groups()) == ([cluster], groups)

    slurm.deploy(
        ("groups: [trn1]", "groups: [trn1]\n      settings: {MaxTime: 60}"),
        ("min: 0, max: 16", "min: 1, max: 20"),
        ("usd_month: 5000", "usd_month: 6000"),
    )
    assert slurm.budgets() == [(budget, "6000")]
    (updated,), scaled = slurm.clusters(), slurm.groups()
    assert (updated["id"], updated["scheduler"]["version"]) == (cluster["id"], "25.11")
    assert scaled["trn1"]["id"] == groups["trn1"]["id"]
    assert scaled["trn1"]["scalingConfiguration"] == {"minInstanceCount": 1, "maxInstanceCount": 20}
    (queue,) = slurm.queues()
    assert {"parameterName": "MaxTime", "parameterValue": "60"} in queue["slurmConfiguration"]["slurmCustomSettings"]

    slurm.deploy(RAISED, ("p@example.com", "q@example.com"))
    (raised,), ((other, _),) = slurm.clusters(), slurm.budgets()
    assert other != budget
    assert (raised["id"], raised["scheduler"]["version"]) == (cluster["id"], "26.05")
    assert {name: each["id"] for name, each in slurm.groups().items()} == {
        name: each["id"] for name, each in groups.items()
    }
    slurm.write()
    lowered = command("deploy", "--local", "slurm-trn1")
    assert lowered.status == 1
    assert [each["id"] for each in lowered.document["findings"] if each["severity"] == "error"] == ["E9063"]
    assert slurm.clusters() == [raised]

    slurm.write(RAISED, ("ami-0123456789abcdef0", "ami-0123456789abcdef1"))
    rolled = [each for each in slurm.diff()["nodes"] if each["kind"] == "rolled"]
    assert [each["group"] for each in rolled] == ["login", "trn1"]
    assert "when their jobs end" in rolled[1]["what"]
    assert "ami-0123456789abcdef0 -> ami-0123456789abcdef1" in rolled[1]["what"]

    replace_group(slurm, groups)
    slurm.destroy()
    assert (slurm.clusters(), slurm.budgets()) == ([], [])
    assert slurm.everything(local_aws) == before


def replace_group(slurm: Slurm, groups: dict[str, dict[str, Any]]) -> None:
    """The new group is there when the old one is deleted, and both fit into the size of the cluster."""
    other_type = ("trn1.32xlarge", "inf2.48xlarge")
    slurm.write(RAISED, other_type)
    (error,) = slurm.found("E9066")  # 16 of the old group, 16 of the new one and a login node, of 32
    assert "1. deploy the edit with a count.max that is lower by 1 in " in error["hint"]
    slurm.deploy(RAISED, other_type, ("max: 16", "max: 15"))
    slurm.deploy(RAISED, other_type)
    replaced = slurm.groups()
    assert set(replaced) == {"login", "trn1"}
    assert replaced["trn1"]["instanceConfigs"] == [{"instanceType": "inf2.48xlarge"}]
    assert replaced["login"]["id"] == groups["login"]["id"]
    old, new = groups["trn1"]["id"], replaced["trn1"]["id"]
    events = slurm.events_of_groups()
    deletion = next(n for n, (id_, status) in enumerate(events) if old in id_ and status == "DELETE_IN_PROGRESS")
    assert any(new in id_ for id_, _ in events[:deletion])


@pytest.mark.hints("E9542")
def test_the_owner_of_the_ami_is_checked_before_the_first_change(
    command: Command, target: LocalTarget, slurm: Slurm
) -> None:
    own = client(target, "ec2").register_image(Name="slurm-25.05", RootDeviceName="/dev/sda1")["ImageId"]
    stranger = client(LocalTarget(target.region, "210987654321", target.endpoint), "ec2")
    others = stranger.register_image(Name="slurm-25.05", RootDeviceName="/dev/sda1")["ImageId"]
    stranger.modify_image_attribute(ImageId=others, LaunchPermission={"Add": [{"Group": "all"}]})
    for image, expected in ((others, ["E9542"]), (own, [])):
        slurm.write(("ami-0123456789abcdef0", image))
        found = command("deploy", "--local", NAME).document["findings"]
        of_image = [each for each in found if each["id"] in ("E9542", "E9543", "W9545")]
        assert [(each["id"], each["path"]) for each in of_image] == [(each, "slurm.ami_id") for each in expected]


@pytest.mark.exhaustive
def test_a_life_in_a_block(project: Path, command: Command, target: LocalTarget) -> None:
    """Settings and the next block are updates in place; another instance type is another group."""
    block = Slurm(project, command, replace(target, region="us-east-2"), "slurm-trn2-block", BLOCK)
    ran = block.deploy()
    groups = block.groups()
    assert {name: group["purchaseOption"] for name, group in groups.items()} == {
        "login": "ONDEMAND",
        "trn2": "CAPACITY_BLOCK",
        "prepare": "ONDEMAND",
    }
    assert groups["trn2"]["slurmConfiguration"]["gresCustomSettings"][0]["File"] == "/dev/neuron[0-15]"
    queues = {each["name"]: each["groups"] for each in ran.document["existing"]["slurm_queues"]}
    assert {name: [group.rpartition("-")[0] for group in of_queue] for name, of_queue in queues.items()} == {
        "training": ["trn2"],
        "prepare": ["prepare"],
    }

    again = block.deploy()
    assert not any(each["changed"] for each in again.document["stacks"]), again.document["stacks"]

    next_block = ("cr-0123456789abcdef0", "cr-0fedcba9876543210")
    block.deploy(("MaxTime: 1-00:00:00", "MaxTime: 12:00:00"), next_block)
    updated = block.groups()
    assert {name: group["id"] for name, group in updated.items()} == {name: each["id"] for name, each in groups.items()}
    before, after = (each["trn2"]["customLaunchTemplate"] for each in (groups, updated))
    assert (after["id"], int(after["version"])) == (before["id"], int(before["version"]) + 1)

    block.deploy(next_block, ("m7i.4xlarge", "m7i.2xlarge"))
    replaced = block.groups()
    assert {name for name in replaced if replaced[name]["id"] != groups[name]["id"]} == {"prepare"}
    assert replaced["prepare"]["instanceConfigs"] == [{"instanceType": "m7i.2xlarge"}]

    block.destroy()
    assert block.clusters() == []


@pytest.mark.exhaustive
def test_teams_have_no_namespaces_and_one_has_a_group(project: Path, command: Command, target: LocalTarget) -> None:
    text = TEXT.replace(f"name: {NAME}", "name: grouped") + SLURM + TEAMS
    slurm = Slurm(project, command, target, "grouped", text)
    slurm.deploy(OF_RESEARCH)
    account = client(target, "sts").get_caller_identity()["Account"]
    budgets = client(target, "budgets").describe_budgets(AccountId=account)["Budgets"]
    (budget,) = [each for each in budgets if each["BudgetName"].startswith("grouped-research-")]
    assert budget["CostFilters"] == {"TagKeyValue": ["user:neuron-cluster:team$research"]}
    assert {name: slurm.teams_of(group) for name, group in slurm.groups().items()} == {
        "login": set(),
        "trn1": {"instance:research", "volume:research", "network-interface:research"},
    }

    again = slurm.deploy(OF_RESEARCH)
    assert not any(each["changed"] for each in again.document["stacks"]), again.document["stacks"]

    slurm.write((OF_RESEARCH[0], OF_RESEARCH[1].replace("research", "product")), TEAM_OF_BUDGET)
    assert [(each["group"], each["kind"]) for each in slurm.diff()["nodes"]] == [("trn1", "rolled")]
    slurm.destroy()


@pytest.fixture(scope="module")
def deployed_once() -> list[str]:
    """Holds a mark once the tests of guards have deployed."""
    return []


@pytest.fixture
def guarded(project: Path, command: Command, target: LocalTarget, deployed_once: list[str]) -> Slurm:
    """Deployed with storage and with a group on reserved capacity; what a test does is compared and never deployed."""
    slurm = Slurm(project, command, target, NAME, TEXT + STORAGE + SLURM)
    if not deployed_once:
        slurm.deploy(RESERVED)
        deployed_once.append("deployed")
    return slurm


def test_nodes_start_with_the_script_that_was_uploaded(guarded: Slurm, target: LocalTarget) -> None:
    for name, group in guarded.groups().items():
        ((script,),) = group["nodeLifecycleActions"]["stages"].values()
        source = script["scriptSource"]
        bucket, _, key = source["scriptLocation"].removeprefix("s3://").partition("/")
        text = client(target, "s3").get_object(Bucket=bucket, Key=key)["Body"].read()
        assert hashlib.sha256(text).hexdigest() == source["checksum"], name
        lustre, checkpoints, efs, points = script["arguments"]
        (file_system,) = client(target, "fsx").describe_file_systems()["FileSystems"]
        mount_name = file_system["LustreConfiguration"]["MountName"]
        assert lustre == f"{file_system['DNSName']}@tcp:/{mount_name}"
        assert checkpoints in {each["Name"] for each in client(target, "s3").list_buckets()["Buckets"]}
        (served,) = client(target, "efs").describe_file_systems()["FileSystems"]
        assert (efs, points[:5]) == (served["FileSystemId"], "fsap-")


def is_clear(guarded: Slurm, finding_id: str) -> bool:
    """After the edit is undone, as the hint asks."""
    guarded.write(RESERVED)
    return guarded.found(finding_id) == []


@pytest.mark.hints("E9061")
@pytest.mark.parametrize("edit", [("version:", "size: medium\n  version:"), ("max: 4}", "max: 40}")])
def test_the_cluster_is_not_replaced(edit: tuple[str, str], guarded: Slurm) -> None:
    guarded.write(RESERVED, edit)
    (error,) = guarded.found("E9061")
    assert "Size" in error["message"]
    assert error["path"].startswith("slurm")
    assert commands_in(error["hint"])
    assert is_clear(guarded, "E9061")


@pytest.mark.hints("E9062")
def test_the_cluster_is_not_removed(guarded: Slurm) -> None:
    guarded.write((SLURM, ""))
    (error,) = guarded.found("E9062")
    assert "is no longer in the file" in error["message"]
    assert is_clear(guarded, "E9062")


@pytest.mark.hints("E9063")
def test_the_version_goes_up(guarded: Slurm) -> None:
    guarded.write(RESERVED, ('"25.05"', '"24.11"'))
    (error,) = guarded.found("E9063")
    assert error["message"] == "the Slurm version is 25.05 and cannot change to 24.11: PCS never downgrades"
    assert error["hint"] == "write 25.05 or newer"
    assert is_clear(guarded, "E9063")


@pytest.mark.hints("W9064")
def test_accounting_that_is_turned_off_is_a_warning(guarded: Slurm) -> None:
    guarded.write(RESERVED, ("version:", "accounting: false\n  version:"))
    (warning,) = guarded.found("W9064")
    assert "one page says that an update turns accounting on and off" in warning["message"]
    assert is_clear(guarded, "W9064")  # accounting: true is the default


@pytest.mark.hints("E9065")
def test_a_group_on_reserved_capacity_is_not_replaced_in_one_step(guarded: Slurm) -> None:
    step = ("{min: 1, max: 4}", "{min: 0, max: 4}")
    renamed = (("- name: trn1\n", "- name: other\n"), ("groups: [trn1]", "groups: [other]"))
    for edits, what in (
        ((OTHER_TYPE,), "would be replaced"),
        (renamed, "the compute node group other takes its place"),
    ):
        guarded.write(RESERVED, *edits)
        (error,) = guarded.found("E9065")
        assert "runs on reserved capacity and" in error["message"]
        assert what in error["message"]
        assert "deploy the edit with min: 0" in error["hint"]
        guarded.write(RESERVED, *edits, step)
        assert guarded.found("E9065") == []


def test_list_reports_login_nodes_whose_start_script_fails(target: LocalTarget) -> None:
    """The local AWS starts no node of PCS: these are started and ended as PCS does when the script fails."""
    ec2 = client(target, "ec2")
    here = local_destination(target.endpoint, target.account, target.region)
    image = ec2.describe_images(Owners=["amazon"])["Images"][0]["ImageId"]
    tags = [{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": f"{NAME}/login"}]}]

    def start_and_end() -> list[str]:
        ran = ec2.run_instances(
            ImageId=image, InstanceType="m7i.xlarge", MinCount=1, MaxCount=1, TagSpecifications=tags
        )
        ec2.terminate_instances(InstanceIds=[ran["Instances"][0]["InstanceId"]])
        return [each.id for each in SlurmOperations().start_findings(here, NAME, {f"{NAME}-compute"})]

    assert [start_and_end(), start_and_end()] == [["W9568"], ["E9569"]]
