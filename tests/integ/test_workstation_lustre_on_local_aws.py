"""Lustre on workstations: mounted with the first deploy, added to a second one in place, kept by `destroy`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

pytestmark = pytest.mark.slow
ENVIRONMENT = "workstation"
FILE_SYSTEM = "storage:\n  lustre: {availability_zone: usw2-az1, capacity_gib: 1200}\n"
SECOND = "\n  - {name: bob, instance_type: inf2.xlarge, dlami: base_amazon_linux_2023}\n"
PORTS = {(988, 988), (1018, 1023)}


@pytest.mark.exhaustive
def test_a_second_workstation_mounts_it_in_place_and_destroy_keeps_it(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    file = project / "environments" / f"{ENVIRONMENT}.yaml"
    text = (
        file.read_text()
        .replace("storage:\n", FILE_SYSTEM)
        .replace("    home: alice\n", "    home: alice\n    lustre: true\n")
    )

    def deployed(text: str) -> Any:
        file.write_text(text)
        made = command("deploy", "--local", ENVIRONMENT)
        assert made.status == 0, made.document
        return {each["name"]: each["id"] for each in made.document["existing"]["workstations"]}

    machines = deployed(text + SECOND)
    (system,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    assert set(mounts(target)) == {f"{ENVIRONMENT}-alice-lustre"}
    source = f"{system['DNSName']}@tcp:/{system['LustreConfiguration']['MountName']} /checkpoints lustre "
    assert source in mounts(target)[f"{ENVIRONMENT}-alice-lustre"][1]
    assert ports_between(target, "workstation", "lustre") == PORTS

    assert deployed(text + SECOND.replace("}", ", lustre: true}")) == machines, "no instance is replaced"
    found = mounts(target)
    assert {name: ids for name, (ids, _) in found.items()} == {
        f"{ENVIRONMENT}-alice-lustre": [machines[f"{ENVIRONMENT}/alice"]],
        f"{ENVIRONMENT}-bob-lustre": [machines[f"{ENVIRONMENT}/bob"]],
    }
    assert source in found[f"{ENVIRONMENT}-bob-lustre"][1]

    without = (text + SECOND).replace("    lustre: true\n", "")
    assert deployed(without) == machines
    assert (mounts(target), ports_between(target, "workstation", "lustre")) == ({}, set())

    assert command("destroy", "--local", ENVIRONMENT).status == 0
    (kept,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    assert (kept["FileSystemId"], kept["Lifecycle"]) == (system["FileSystemId"], "AVAILABLE")


def mounts(target: LocalTarget) -> dict[str, tuple[list[str], str]]:
    """Instances and commands of the associations that mount Lustre, by name."""
    stack = client(target, "cloudformation").describe_stack_resources(StackName=f"{ENVIRONMENT}-workstations")
    ssm = client(target, "ssm")
    found = {}
    for resource in stack["StackResources"]:
        if resource["ResourceType"] == "AWS::SSM::Association":
            row = ssm.describe_association(AssociationId=resource["PhysicalResourceId"])["AssociationDescription"]
            instances = [value for each in row["Targets"] for value in each["Values"]]
            found[row["AssociationName"]] = (instances, "\n".join(row["Parameters"]["commands"]))
    return {name: association for name, association in found.items() if name.endswith("-lustre")}


def ports_between(target: LocalTarget, first: str, second: str) -> set[tuple[int, int]]:
    """Ports at which both groups let the other in and out; empty where one of the four rules is missing."""
    rows = client(target, "ec2").describe_security_groups()["SecurityGroups"]
    groups = {name: next(row for row in rows if PURPOSES[name] in row["Description"]) for name in (first, second)}
    sides = [
        {
            (rule["FromPort"], rule["ToPort"])
            for rule in groups[name][direction]
            if groups[other]["GroupId"] in [pair["GroupId"] for pair in rule["UserIdGroupPairs"]]
        }
        for name, other in ((first, second), (second, first))
        for direction in ("IpPermissions", "IpPermissionsEgress")
    ]
    return set.intersection(*sides)


PURPOSES = {"workstation": "Workstations", "lustre": "FSx for Lustre file systems"}
