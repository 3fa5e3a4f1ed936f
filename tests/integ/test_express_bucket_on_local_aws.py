"""A directory bucket: deployed, changed in place, kept by `destroy`, and deleted with its objects by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow

WITH_EXPRESS = ONLY_DATA.replace(
    "  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}\n",
    "  express: {availability_zone: usw2-az4, expiration_days: 30}\n",
)


def test_it_is_changed_in_place_and_its_data_is_deleted_by_name_alone(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project, WITH_EXPRESS)
    assert command("deploy", "--local", "only-data").status == 0
    s3 = client(target, "s3")
    (bucket,) = [each["Name"] for each in s3.list_buckets()["Buckets"] if each["Name"].endswith("--usw2-az4--x-s3")]
    s3.put_object(Bucket=bucket, Key="step-1/model", Body=b"weights")
    s3.create_multipart_upload(Bucket=bucket, Key="step-2/model")
    with_only_data(project, WITH_EXPRESS.replace("expiration_days: 30", "expiration_days: 7"))
    assert command("deploy", "--local", "only-data").status == 0
    rules = s3.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    assert [each["Expiration"]["Days"] for each in rules if "Expiration" in each] == [7]
    with_only_data(
        project, WITH_EXPRESS.replace("express: {availability_zone: usw2-az4", "express: {availability_zone: usw2-az1")
    )
    moved = command("deploy", "--local", "only-data")
    assert (moved.status, [each["id"] for each in moved.document["findings"]]) == (1, ["E9001"])
    with_only_data(project, WITH_EXPRESS)
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
    assert bucket not in [each["Name"] for each in s3.list_buckets()["Buckets"]]
