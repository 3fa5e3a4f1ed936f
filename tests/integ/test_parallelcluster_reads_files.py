"""`synth --format parallelcluster`, read by the schema and the validators of ParallelCluster, these on the local AWS.

ParallelCluster is in an environment of its own (``requirements-parallelcluster.lock``): it pins an older CDK. The AWS
command line that the script of placeholders calls is the one that aws-cdk-lib brings.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aws_cdk
import pytest
import yaml

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.cli.main import main

from .kept_environment import python_with

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
CHECKOUT = Path(__file__).parents[2]
LOCK = CHECKOUT / "requirements-parallelcluster.lock"
PROGRAM = Path(__file__).with_name("pcluster_findings.py")
NAME, ACCOUNT, REGION = "classic", "111122223333", "us-west-2"
HARMLESS = {
    "CustomAmiTagValidator",
    "AmiOsCompatibleValidator",
    "KeyPairValidator",
    "MultiAzRootVolumeValidator",
    "UnmanagedFsxMultiAzValidator",
}
"""Warnings: the local AWS has no AMI that ParallelCluster built, sessions need no key pair, and the file places a group
in another zone than the file system."""
CPU = {
    "name": "cpu",
    "instance_type": "m7i.xlarge",
    "count": {"max": 2},
    "availability_zone": "usw2-az1",
    "settings": {"Weight": "10"},
    "root_volume": {"size_gib": 512},
}
SPOT = {
    "name": "spot",
    "instance_type": "inf2.48xlarge",
    "count": {"max": 2},
    "availability_zone": "usw2-az4",
    "capacity": {"kind": "spot"},
    "root_volume": {"size_gib": 512},
}
IDS = {"subnet": "subnet", "security_group": "sg", "file_system": "fs", "efs_access_point": "fsap", "image": "ami"}


def environment() -> dict[str, Any]:
    tree: dict[str, Any] = yaml.safe_load((CHECKOUT / "environments" / "slurm-trn1.yaml").read_text(encoding="utf-8"))
    slurm = tree["slurm"] | {"settings": {"SchedulerParameters": "bf_interval=60"}}
    slurm["groups"] = [*tree["slurm"]["groups"], CPU, SPOT]
    slurm["queues"] = [
        {"name": "training", "groups": ["trn1"], "settings": {"MaxTime": "2-00:00:00"}},
        {"name": "cpu", "groups": ["cpu"]},
        {"name": "serving", "groups": ["spot"]},
    ]
    lustre = {"capacity_gib": 1200, "availability_zone": "usw2-az4"}
    return tree | {"name": NAME, "slurm": slurm, "storage": {"lustre": lustre}, "tags": {"cost-center": "42"}}


@pytest.fixture(scope="module")
def pcluster() -> Path:
    """Python with ParallelCluster."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    return python_with(LOCK, CHECKOUT / "build" / f"parallelcluster-{digest}")


@pytest.fixture(scope="module")
def path_with_aws(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A search path with ``aws``."""
    folder = tmp_path_factory.mktemp("awscli")
    (archive,) = (Path(aws_cdk.__file__).parent / "asset_awscli_v1" / "_jsii").glob("*.tgz")
    with tarfile.open(archive) as packed:
        packed.extract("package/lib/layer.zip", folder, filter="data")
    with zipfile.ZipFile(folder / "package" / "lib" / "layer.zip") as layer:
        layer.extractall(folder)  # noqa: S202 - of a locked package
    program = folder / "bin" / "aws"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/bash\nPYTHONPATH={folder}/awscli exec {sys.executable} {folder}/awscli/aws "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}:{os.environ['PATH']}"


def checked(pcluster: Path, file: Path, *options: str, env: dict[str, str] | None = None) -> list[list[str]]:
    env = env or os.environ | {"AWS_DEFAULT_REGION": REGION}
    ran = subprocess.run([pcluster, PROGRAM, file, *options], capture_output=True, text=True, env=env, check=False)
    assert ran.returncode == 0, ran.stderr
    return list(json.loads(ran.stdout.splitlines()[-1]))


def written(project: Path, tree: dict[str, Any], folder: Path) -> Path:
    """The folder that `synth` writes."""
    (project / "environments" / f"{NAME}.yaml").write_text(yaml.safe_dump(tree, sort_keys=False))
    arguments = ["synth", NAME, "--format", "parallelcluster", "--output", str(folder), "--project", str(project)]
    assert main(arguments) == 0
    return folder


def with_any_ids(text: str) -> str:
    """Placeholders replaced by ids of the right form."""

    def an_id(found: re.Match[str]) -> str:
        kind = next(kind for kind in IDS if kind in f"{found[1].lower()} image")
        return f"{IDS[kind]}-0123456789abcdef0"

    return re.sub(r"\$\{(\w+)\}", an_id, text)


STORAGE = {
    "lustre": {"capacity_gib": 1200, "availability_zone": "usw2-az4"},
    "efs": {"access_points": [{"name": "home", "path": "/home"}, {"name": "data", "path": "/data"}]},
}


@pytest.mark.parametrize(
    "edits",
    [{}, {"storage": STORAGE}, {"storage": {"lustre": STORAGE["lustre"]}, "tags": {"a": "b"}}],
    ids=["plain", "file systems", "tags"],
)
def test_the_schema_accepts_both_files(edits: dict[str, Any], pcluster: Path, project: Path, tmp_path: Path) -> None:
    folder = written(project, environment() | edits, tmp_path / "written")
    for name in ("cluster.yaml", "image.yaml"):
        assert checked(pcluster, folder / name) != []  # placeholders are not ids
        (folder / name).write_text(with_any_ids((folder / name).read_text()))
        assert checked(pcluster, folder / name) == []


@pytest.fixture(scope="module")
def deployed(project: Path, target: LocalTarget) -> LocalTarget:
    """Network and file system of the environment."""
    (project / "environments" / f"{NAME}.yaml").write_text(yaml.safe_dump(environment(), sort_keys=False))
    assert main(["deploy", "--local", NAME, "--project", str(project)]) == 0
    return target


@pytest.fixture
def filled(
    deployed: LocalTarget, project: Path, local_aws: LocalAws, path_with_aws: str, tmp_path: Path
) -> tuple[Path, dict[str, str]]:
    """Returns the files of `synth` after the script has run, and the variables with which it ran."""
    folder = written(project, environment(), tmp_path / "written")
    env = {**os.environ, **local_aws.environment(ACCOUNT, REGION), "PATH": path_with_aws}
    # The DLAMI is the one image that the local AWS has.
    subprocess.run(["bash", folder / "fill_in.sh"], env=env, check=True)
    parent = re.search(r"ParentImage: (ami-\w+)", (folder / "image.yaml").read_text())
    assert parent is not None
    subprocess.run(["bash", folder / "fill_in.sh"], env={**env, "CUSTOM_AMI": parent[1]}, check=True)
    return folder, env


def test_the_validators_accept_what_the_script_filled_in(
    filled: tuple[Path, dict[str, str]], deployed: LocalTarget, pcluster: Path
) -> None:
    folder, env = filled
    text = (folder / "cluster.yaml").read_text()
    assert "${" not in text
    subnets = client(deployed, "ec2").describe_subnets(Filters=[{"Name": "tag:Name", "Values": ["private usw2-az4"]}])
    assert f"SubnetId: {subnets['Subnets'][0]['SubnetId']}" in text
    found = checked(pcluster, folder / "cluster.yaml", "--aws", env=env)
    assert [each for each in found if each[0] == "ERROR"] == []
    assert {validator for _, validator, _ in found} <= HARMLESS, found


def test_the_script_changes_nothing_where_nothing_is_deployed(
    filled: tuple[Path, dict[str, str]], project: Path, tmp_path: Path
) -> None:
    folder = written(project, environment(), tmp_path / "again")
    script = (folder / "fill_in.sh").read_text().replace(f"Values={NAME}", "Values=another")
    (folder / "fill_in.sh").write_text(script)
    before = (folder / "cluster.yaml").read_bytes()
    ran = subprocess.run(["bash", folder / "fill_in.sh"], env=filled[1], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "SUBNET_USW2_AZ4: no single id was found" in ran.stderr
    assert (folder / "cluster.yaml").read_bytes() == before


Edit = Callable[[dict[str, Any]], Any]


def queue(body: dict[str, Any]) -> dict[str, Any]:
    return dict(body)["Scheduling"]["SlurmQueues"][0]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("edit", "validator"),
    [
        (lambda body: queue(body)["ComputeResources"][0].pop("Networking"), "EfaPlacementGroupValidator"),
        (lambda body: queue(body)["ComputeResources"][0].update(InstanceType="inf2.48xlarge"), "EfaValidator"),
        (lambda body: queue(body)["CustomSlurmSettings"].update(OverSubscribe="NO"), "CustomSlurmSettingsValidator"),
        (lambda body: queue(body).update(Name="default"), "NameValidator"),
        (lambda body: queue(body).update(CapacityType="CAPACITY_BLOCK"), "ComputeResourceSizeValidator"),
        (
            lambda body: body["HeadNode"]["LocalStorage"]["RootVolume"].update(Size=100),
            "RootVolumeSizeValidator",
        ),
    ],
)
def test_the_validators_refuse_what_the_toolkit_avoids(
    edit: Edit, validator: str, filled: tuple[Path, dict[str, str]], pcluster: Path
) -> None:
    folder, env = filled
    body = yaml.safe_load((folder / "cluster.yaml").read_text())
    edit(body)
    (folder / "cluster.yaml").write_text(yaml.safe_dump(body))
    found = checked(pcluster, folder / "cluster.yaml", "--aws", env=env)
    assert validator in {name for level, name, _ in found if level == "ERROR"}, found
