"""Two environments of one base: each is deployed by itself, and an edit of the base reaches both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("local_aws")]

BASE = """\
schema: 1
account: 111122223333
tags: {stage: first}
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, nat: none, endpoints: [s3]}
storage: {checkpoint_bucket: {}}
"""
ZONES = {"us-west-2": "usw2-az4, usw2-az1", "us-east-2": "use2-az1, use2-az2"}
NAMES = {"small-west": "us-west-2", "small-east": "us-east-2"}

Command = Callable[..., Any]


@pytest.fixture
def base(project: Path) -> Path:
    """The base of both environments, which are alone in the project."""
    folder = project / "environments"
    for file in folder.glob("*.yaml"):
        file.unlink()
    for file in (folder / "bases").iterdir():
        file.unlink()
    for name, region in NAMES.items():
        network = f"network: {{availability_zones: [{ZONES[region]}]}}"
        (folder / f"{name}.yaml").write_text(f"extends: bases/small.yaml\nname: {name}\nregion: {region}\n{network}\n")
    path = folder / "bases" / "small.yaml"
    path.write_text(BASE)
    return path


@pytest.fixture
def stages(aws: LocalAws) -> Iterator[Callable[[], dict[str, list[str]]]]:
    """The values of the tag ``stage`` of the checkpoint bucket, by Region."""
    targets = [LocalTarget(region, "111122223333", aws.endpoint) for region in ZONES]

    def found() -> dict[str, list[str]]:
        return {target.region: _stages(target) for target in targets}

    yield found
    for target in targets:
        close_clients(target)


def _stages(target: LocalTarget) -> list[str]:
    s3 = client(target, "s3")
    names = [bucket["Name"] for bucket in s3.list_buckets(BucketRegion=target.region)["Buckets"]]
    tags = [tag for name in names if name.startswith("small-") for tag in s3.get_bucket_tagging(Bucket=name)["TagSet"]]
    return [tag["Value"] for tag in tags if tag["Key"] == "stage"]


@pytest.mark.exhaustive
def test_an_edit_of_the_base_reaches_each_environment_with_its_next_deploy(
    base: Path, command: Command, stages: Callable[[], dict[str, list[str]]]
) -> None:
    for name in NAMES:
        ran = command("deploy", "--local", name)
        assert ran.status == 0, ran.document
    assert stages() == {"us-west-2": ["first"], "us-east-2": ["first"]}

    base.write_text(BASE.replace("first", "second"))
    assert command("diff", "--local", "small-west").document["is_different"]
    assert command("deploy", "--local", "small-west").status == 0
    assert stages() == {"us-west-2": ["second"], "us-east-2": ["first"]}
    assert not command("diff", "--local", "small-west").document["is_different"]

    base.write_text(BASE.replace("111122223333", "222233334444"))
    (found,) = [
        each for each in command("deploy", "--local", "small-east").document["findings"] if each["id"] == "E9014"
    ]
    assert (Path(found["file"]).name, found["line"]) == ("small.yaml", 2)
    assert Path(found["extended_by"]).name == "small-east.yaml"

    base.write_text(BASE)
    for name in NAMES:
        ran = command("destroy", "--local", name, "--delete-data", name, "--yes")
        assert ran.status == 0, ran.document
    assert stages() == {"us-west-2": [], "us-east-2": []}
