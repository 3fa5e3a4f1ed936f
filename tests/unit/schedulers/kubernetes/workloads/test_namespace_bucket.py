"""The prefix and the account of a namespace in the values of charts that use the checkpoint bucket."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.schedulers.kubernetes.conftest import Choose

BUCKET = "train-trn1-storage-checkpoints620e2f20-abcdefghijkl"
ACCESS = {
    "eks.addons.jobset": True,
    "eks.namespaces": [
        {"name": "default"},
        {"name": "a", "bucket_access": [
            {"service_account": "llama", "access": "write", "job": "llama-70b"},
            {"service_account": "reader"},
            {"service_account": "trainer", "access": "write"}]},
    ],
}  # fmt: skip
TRAINER = {"create": False, "name": "trainer"}
JOB = "teams/a/checkpoints/llama-70b/"


def findings(chosen: Any) -> dict[str, str]:
    return {each.location.path: each.message for each in chosen.findings if each.id == "W9279"}


def test_a_download_goes_below_the_prefix_of_the_namespace_with_its_account(choose: Choose) -> None:
    chosen = choose("model-store", "train-trn1", ACCESS, bucket=BUCKET, namespace="a")
    assert chosen.values["store"]["url"] == f"s3://{BUCKET}/teams/a/model-store"
    assert chosen.values["serviceAccount"] == TRAINER
    assert findings(chosen) == {}


def test_a_drill_reads_the_checkpoints_of_the_namespace(choose: Choose) -> None:
    drill = {"job": "drill", "input": {"path": "llama-70b"}}
    values = choose("model-store", "train-trn1", ACCESS, bucket=BUCKET, namespace="a", given=drill).values
    assert values["store"]["url"] == f"s3://{BUCKET}/teams/a/checkpoints"
    assert values["serviceAccount"] == {"create": False, "name": "reader"}


def test_the_account_that_the_user_names_decides_the_prefix(choose: Choose) -> None:
    given = {"serviceAccount": {"create": False, "name": "llama"}}
    chosen = choose("model-store", "train-trn1", ACCESS, bucket=BUCKET, namespace="a", given=given)
    assert chosen.values["store"]["url"] == f"s3://{BUCKET}/{JOB}model-store"
    assert chosen.values["serviceAccount"] == given["serviceAccount"]
    assert findings(chosen) == {}


def test_a_training_keeps_its_graphs_in_the_prefix_of_the_namespace(choose: Choose) -> None:
    chosen = choose("neuron-training", "train-trn1", ACCESS, bucket=BUCKET, claim="c", namespace="a")
    assert chosen.values["compileCache"]["url"] == f"s3://{BUCKET}/teams/a/compile-cache"
    assert chosen.values["serviceAccount"] == TRAINER


def test_a_training_reads_the_environments_cache_with_the_role_of_the_namespace(choose: Choose) -> None:
    edits = ACCESS | {"storage.compile_cache": {}}
    values = choose("neuron-training", "train-trn1", edits, bucket=BUCKET, claim="c", namespace="a").values
    assert values["compileCache"]["configMap"] == "compile-cache"
    assert values["serviceAccount"] == TRAINER


@pytest.mark.parametrize(
    ("given", "prefix"),
    [
        ({}, "teams/a/checkpoints/pretrain"),
        ({"serviceAccount": {"create": False, "name": "llama"}}, JOB.rstrip("/")),
        ({"trainer": {"env": [{"name": "MINE", "value": "1"}]}}, None),
    ],
)
def test_a_training_program_gets_the_address_of_its_checkpoints(
    choose: Choose, given: dict[str, Any], prefix: str | None
) -> None:
    wanted = {"bucket": BUCKET, "claim": "c", "namespace": "a", "release": "pretrain", "given": given}
    variables = choose("neuron-training", "train-trn1", ACCESS, **wanted).values["trainer"]["env"]
    found = {each["name"]: each["value"] for each in variables}
    assert found == (
        {"MINE": "1"} if prefix is None else {"CHECKPOINT_URL": f"s3://{BUCKET}/{prefix}", "AWS_REGION": "us-west-2"}
    )


@pytest.mark.parametrize(
    ("bucket", "namespace"), [("runs", "a"), (BUCKET, "default"), ("train-trn10-storage-checkpoints-x", "a")]
)
def test_another_bucket_or_a_namespace_without_access_is_as_before(choose: Choose, bucket: str, namespace: str) -> None:
    values = choose("model-store", "train-trn1", ACCESS, bucket=bucket, namespace=namespace).values
    assert values["store"]["url"] == f"s3://{bucket}/model-store"
    assert "serviceAccount" not in values


@pytest.mark.parametrize(
    ("account", "prefix", "says"),
    [
        ("reader", "teams/a/model-store", "does not allow its pods to write to it"),
        ("trainer", "teams/b/model-store", "does not allow its pods to write to it"),
        ("trainer", "compile-cache", "does not allow its pods to write to it"),
        ("llama", "teams/a/checkpoints/llama-70", "does not allow its pods to write to it"),
        ("trainer", "teams/a/anything", ""),
        ("llama", "teams/a/checkpoints/llama-70b", ""),
        ("of-my-own", "teams/b", ""),
    ],
)
def test_an_address_beyond_the_role_is_a_finding(choose: Choose, account: str, prefix: str, says: str) -> None:
    url = f"s3://{BUCKET}/{prefix}"
    given = {"serviceAccount": {"create": False, "name": account}, "store": {"url": url}}
    found = findings(choose("model-store", "train-trn1", ACCESS, namespace="a", given=given))
    assert found == ({"store.url": f"{url}: the role of a/{account} {says}"} if says else {})


def test_a_reader_reads_what_all_share_and_no_other_namespace(choose: Choose) -> None:
    for prefix, count in (("golden/llama", 0), ("teams/a/checkpoints", 0), ("teams/b/checkpoints", 1)):
        given = {
            "job": "drill",
            "input": {"path": "x"},
            "serviceAccount": {"create": False, "name": "reader"},
            "store": {"url": f"s3://{BUCKET}/{prefix}"},
        }
        assert len(findings(choose("model-store", "train-trn1", ACCESS, namespace="a", given=given))) == count
