"""Volumes, claims and Jobs that are there keep what Kubernetes lets nobody change: the deploy is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from local_aws.custom_resources.kubernetes_object import rejected_change
from local_aws.custom_resources.kubernetes_state import STATE, objects_in, state_of

GOLDEN = Path(__file__).parents[3] / "golden/train-trn1/train-trn1-software.template.json"
ACCOUNT, REGION, CLUSTER, STACK = "123456789012", "us-west-2", "train", "claims"
CLAIM = "PersistentVolumeClaimdefaultlustre4B172633"


def objects() -> dict[str, dict[str, Any]]:
    """Returns one object of each kind that the software stack applies, by kind."""
    found = {}
    for resource in json.loads(GOLDEN.read_text())["Resources"].values():
        text = resource["Properties"].get("Manifest", "[]")
        if isinstance(text, Mapping):
            text = "".join(part if isinstance(part, str) else "fs-1" for part in text["Fn::Join"][1])
        found |= {each["kind"]: each for each in json.loads(text)}
    return found


def edited(kind: str, path: str, value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """An object of this kind, and the same with another value there."""
    live = objects()[kind]
    changed = copy.deepcopy(live)
    *above, last = path.split(".")
    part = changed
    for key in above:
        part = part[key]
    assert part.get(last) != value
    part[last] = value
    return live, changed


@pytest.mark.parametrize(
    ("kind", "path", "value", "text"),
    [
        (
            "PersistentVolume",
            "spec.csi.volumeHandle",
            "fs-1",
            "spec.persistentvolumesource is immutable after creation",
        ),
        ("PersistentVolumeClaim", "spec.volumeName", "mine", "spec is immutable after creation except"),
        ("PersistentVolumeClaim", "spec.resources.requests", {"storage": "4800Gi"}, "can be resized"),
        ("Job", "spec.template.spec.restartPolicy", "Never", "field is immutable"),
    ],
)
def test_a_fixed_part_is_not_changed(kind: str, path: str, value: Any, text: str) -> None:
    live, changed = edited(kind, path, value)
    assert text in str(rejected_change(live, changed))
    assert rejected_change(live, live) is None


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("PersistentVolume", "spec.capacity", {"storage": "9600Gi"}),
        ("PersistentVolume", "spec.mountOptions", ["flock", "noatime"]),
        ("PersistentVolumeClaim", "metadata.labels", {"team": "research"}),
        ("Job", "spec.backoffLimit", 7),
        ("Namespace", "metadata.labels", {"team": "research"}),
    ],
)
def test_the_rest_is_taken(kind: str, path: str, value: Any) -> None:
    assert rejected_change(*edited(kind, path, value)) is None


def test_what_others_added_to_an_object_does_not_matter() -> None:
    live, _ = edited("PersistentVolumeClaim", "spec.volumeMode", "Filesystem")
    manifest = copy.deepcopy(live)
    live["spec"]["volumeMode"] = "Filesystem"
    assert rejected_change(live, manifest) is None


@pytest.mark.slow
def test_a_claim_that_somebody_made_by_hand_ends_the_stack_and_stays(published: Any) -> None:
    """As docs/storage.md says: `claims: []` keeps it, or it is deleted first."""
    state = state_of(published.aws.store, ACCOUNT, REGION, CLUSTER)
    _, by_hand = edited("PersistentVolumeClaim", "spec.volumeName", "mine")
    by_hand["metadata"] |= {"name": "lustre", "namespace": "default"}
    state.put(by_hand)
    resource = json.loads(GOLDEN.read_text())["Resources"][CLAIM]
    properties = resource["Properties"] | {"ServiceToken": published.service_token, "ClusterName": CLUSTER}
    template = {"Resources": {CLAIM: {**resource, "Properties": properties, "DependsOn": []}}}
    client = published.client("cloudformation")
    client.create_stack(StackName=STACK, TemplateBody=json.dumps(template))
    published.aws.engine.wait()
    reasons = [
        each.get("ResourceStatusReason", "") for each in client.describe_stack_events(StackName=STACK)["StackEvents"]
    ]
    assert any("spec is immutable after creation" in reason for reason in reasons), reasons
    assert by_hand in objects_in(published.aws.store, ACCOUNT, REGION, CLUSTER)
    client.delete_stack(StackName=STACK)
    published.aws.engine.wait()
    published.aws.store.table(ACCOUNT, REGION, STATE).pop(CLUSTER)
