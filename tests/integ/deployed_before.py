"""Shipped environments as an earlier commit deployed them: what tools/write_deployed_fixture.py wrote."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.aws.cloudformation import LOOK_SECONDS, LOOKS
from neuron_cluster.aws.s3 import put_file
from neuron_cluster.aws.session import Target, client
from neuron_cluster.deploy.assembly import read_assembly

FIXTURES = Path(__file__).parents[1] / "fixtures" / "deployed"
CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]


def environments_of(commit: str) -> list[str]:
    with tarfile.open(FIXTURES / f"{commit}.tar.xz") as archive:
        return sorted({name.partition("/")[0] for name in archive.getnames()})


def unpacked(commit: str, environment: str, folder: Path) -> Path:
    """The folder with the file of the environment and its assembly."""
    with tarfile.open(FIXTURES / f"{commit}.tar.xz") as archive:
        archive.extractall(folder, [each for each in archive if each.name.startswith(f"{environment}/")], filter="data")
    return folder / environment


def deploy_assembly(target: Target, old: Path, new: Path, folder: Path) -> None:
    """Makes the stacks of the old assembly, as the CDK command does; the files that they refer to are the new one's."""
    known = {asset["displayName"]: (key, asset) for key, asset in _assets(new)}
    places = {}
    for key, asset in _assets(old):
        if asset["displayName"] in known:  # all but the templates
            places[key], published = known[asset["displayName"]]
            _publish(target, new, published, folder)
    artifacts = json.loads((old / "manifest.json").read_text())["artifacts"]
    for stack in read_assembly(old):
        text = json.dumps(stack.template)
        for before, now in places.items():
            text = text.replace(before, now)
        tags = artifacts[stack.name]["properties"].get("tags", {})
        create_stack(target, stack.name, text, tags, is_protected=stack.is_protected)


def _assets(assembly: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for file in sorted(assembly.glob("*.assets.json")):
        for key, asset in json.loads(file.read_text())["files"].items():
            if not asset["source"]["path"].endswith(".template.json"):
                yield key, asset


def _publish(target: Target, assembly: Path, asset: Mapping[str, Any], folder: Path) -> None:
    source = assembly / asset["source"]["path"]
    if asset["source"]["packaging"] == "zip":
        source = Path(shutil.make_archive(str(folder / source.name), "zip", source))
    for place in asset["destinations"].values():
        put_file(target, place["bucketName"], place["objectKey"], source)


def create_stack(target: Target, name: str, text: str, tags: Mapping[str, str], *, is_protected: bool) -> None:
    cloudformation = client(target, "cloudformation")
    cloudformation.create_stack(
        StackName=name,
        TemplateBody=text,
        Capabilities=CAPABILITIES,
        Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
        EnableTerminationProtection=is_protected,
    )
    waiter = cloudformation.get_waiter("stack_create_complete")
    waiter.wait(StackName=name, WaiterConfig={"Delay": LOOK_SECONDS, "MaxAttempts": LOOKS})
