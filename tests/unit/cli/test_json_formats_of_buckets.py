"""The JSON of commands that read the bucket of an environment has every property that its schemas describe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import Command

ACCOUNT, REGION, BUCKET = "111122223333", "us-west-2", "held-checkpoints"
ENVIRONMENT = f"""
schema: 1
name: held
account: "{ACCOUNT}"
region: {REGION}
neuron: {{sdk: 2.32.0}}
network: {{cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: none, endpoints: [s3]}}
storage: {{checkpoint_bucket: {{}}, compile_cache: {{expire_days: 30}}}}
"""
STACK = {"Resources": {"Checkpoints": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": BUCKET}}}}
"""The part of the storage stack that the commands read."""
USED, UNUSED = "compile-cache/neuronx-cc-2.27.5334.0/trn1", "compile-cache/neuronx-cc-2.12.68.0/trn1"
CACHED = (
    *(f"{USED}/MODULE_1/model.neff", f"{USED}/MODULE_2/model.log", f"{USED}/MODULE_3/model.neff.lock"),
    f"{UNUSED}/MODULE_1/model.neff",
)
CHECKPOINTS = "checkpoints/default/llama"


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture(scope="module")
def local_aws(aws: LocalAws, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a project whose local AWS has the bucket of its environment."""
    project = tmp_path_factory.mktemp("project")
    (project / "environments").mkdir()
    (project / "environments" / "held.yaml").write_text(ENVIRONMENT)
    (project / "cdk.json").write_text("{}")
    target = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    client(target, "cloudformation").create_stack(StackName="held-storage", TemplateBody=json.dumps(STACK))
    client(target, "cloudformation").get_waiter("stack_create_complete").wait(StackName="held-storage")
    with announced(project, aws.endpoint):
        yield project
    close_clients(target)


@pytest.fixture
def s3(aws: LocalAws, local_aws: Path) -> Iterator[Any]:
    target = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    yield client(target, "s3")
    close_clients(target)


def document(command: Command, project: Path, *arguments: str, status: int = 0) -> Any:
    ran = command(*arguments, "held", "--local", "--project", str(project), *FORMAT)
    assert ran.status == status, ran.out
    return ran.document


def test_every_property_of_the_compile_cache_is_printed(command: Command, local_aws: Path, s3: Any) -> None:
    empty = document(command, local_aws, "cache", "status")
    assert (empty["folders"], len(empty["notes"])) == ([], 1)
    for key in CACHED:
        s3.put_object(Bucket=BUCKET, Key=key, Body=b"graph")
    status = document(command, local_aws, "cache", "status")
    assert unseen("cache status", [status]) == []
    assert accepted_mutations("cache status", status) == []
    assert {each["compiler"]: bool(each["used_by"]) for each in status["folders"]} == {
        "2.27.5334.0": True,
        "2.12.68.0": False,
    }
    cleaned = document(command, local_aws, "cache", "clean", "--delete", "--stale-hours", "0")
    assert unseen("cache clean", [cleaned]) == []
    assert accepted_mutations("cache clean", cleaned) == []
    assert (cleaned["deleted"], cleaned["objects"], len(cleaned["failed"]), len(cleaned["locks"])) == (True, 3, 1, 1)


def test_every_property_of_a_drill_is_printed(command: Command, local_aws: Path, s3: Any) -> None:
    nothing = document(command, local_aws, "storage", "drill", status=1)
    assert {nothing[key] for key in ("restored", "step", "completed", "sdk", "age_seconds", "restore_seconds")} == {
        None
    }
    for step, size in ((100, 5), (200, 6)):
        manifest = {
            "version": 1,
            "step": step,
            "completed": f"2026-11-26T10:0{step // 100}:00Z",
            "parallelism": {"ranks": 1},
            "sdk": "2.32.0",
            "files": [{"path": "shard", "size": size, "crc32": -1}],
        }
        s3.put_object(Bucket=BUCKET, Key=f"{CHECKPOINTS}/step-{step}/shard", Body=b"state")
        s3.put_object(Bucket=BUCKET, Key=f"{CHECKPOINTS}/step-{step}/_manifest.json", Body=json.dumps(manifest))
    found = document(command, local_aws, "storage", "drill", status=1)
    assert unseen("storage drill", [nothing, found]) == []
    assert accepted_mutations("storage drill", found) == []
    assert (found["environment"], found["restored"], found["faults"][0]["kind"]) == (
        "held",
        "default/llama/step-100",
        "short",
    )
