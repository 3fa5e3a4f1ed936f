"""The memory of deleted resources is freed, so that a local AWS that runs for days stays as small as what it holds."""

from __future__ import annotations

import gc
import io
import weakref
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from moto.awslambda.utils import get_backend
from moto.s3.models import s3_backends

from local_aws.clients import local_client
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow
ACCOUNT, REGION = "111122223333", "us-west-2"


def packed(text: str) -> bytes:
    with io.BytesIO() as buffer:
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("index.py", text)
        return buffer.getvalue()


@pytest.fixture
def is_garbage() -> Iterator[Callable[[weakref.ref[Any]], bool]]:
    """Whether nothing holds an object of the test; garbage of what was there before is not looked for."""
    gc.freeze()

    def collected(held: weakref.ref[Any]) -> bool:
        gc.collect()
        return held() is None

    yield collected
    gc.unfreeze()


def test_a_deleted_layer_gives_its_code_back_and_is_garbage(
    local_aws: LocalAws, is_garbage: Callable[[weakref.ref[Any]], bool]
) -> None:
    """Two of them hold 60 MB in a cluster of CDK: helm and the AWS CLI."""
    client = local_client("lambda", local_aws.endpoint, ACCOUNT, REGION)
    made = client.publish_layer_version(LayerName="tools", Content={"ZipFile": packed("helm = 1")})
    held = weakref.ref(get_backend(ACCOUNT, REGION).layers_versions_by_arn(made["LayerVersionArn"]))
    layer = held()
    assert layer is not None
    client.delete_layer_version(LayerName="tools", VersionNumber=made["Version"])
    assert layer.code_bytes == b""
    del layer
    assert is_garbage(held)


def test_an_object_written_over_and_a_deleted_one_are_given_back(local_aws: LocalAws) -> None:
    client = local_client("s3", local_aws.endpoint, ACCOUNT, REGION)
    client.create_bucket(Bucket="given-back", CreateBucketConfiguration={"LocationConstraint": REGION})
    keys = s3_backends[ACCOUNT]["aws"].buckets["given-back"].keys
    client.put_object(Bucket="given-back", Key="step-1", Body=b"first")
    first = weakref.ref(keys["step-1"])
    client.put_object(Bucket="given-back", Key="step-1", Body=b"second")
    second = weakref.ref(keys["step-1"])
    assert first() is None
    assert second() is not None
    client.delete_object(Bucket="given-back", Key="step-1")
    assert second() is None
