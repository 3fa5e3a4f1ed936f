"""Changes of images and of privileges of pods."""

from __future__ import annotations

import json
from typing import Any

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.summary.image_change import CHART, OBJECTS, ImageChange, image_changes


def stacks(values: Any, manifest: list[Any] | None = None, version: str = "0.5.29") -> dict[str, dict[str, Any]]:
    release = {"Release": "efa", "Chart": "efa", "Version": version, "Values": values}
    objects = {"Manifest": json.dumps(manifest or [])}
    return {
        "a-software": {
            "Resources": {
                "Efa": {"Type": CHART, "Properties": release},
                "Objects": {"Type": OBJECTS, "Properties": objects},
            }
        }
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[ImageChange]:
    return image_changes(Comparison(before, after, load_catalog()))


def test_a_swapped_image_is_named_with_both_repositories() -> None:
    swapped = stacks(json.dumps({"image": {"repository": "evil.example/efa"}, "tolerations": [{"key": "a"}]}))
    retained = stacks(json.dumps({"image": {"repository": "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/efa"}}))
    assert changes(retained, swapped) == [
        ImageChange("efa: image.repository", "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/efa", "evil.example/efa")
    ]
    assert changes(retained, retained) == []


def test_a_chart_of_another_version_and_values_with_references_are_read() -> None:
    joined = {"Fn::Join": ["", ['{"vpcId":"', {"Ref": "Vpc"}, '","image":{"tag":"v2"}}']]}
    found = changes(stacks("{}"), stacks(joined, version="0.5.30"))
    assert [(c.where, c.before, c.after) for c in found] == [
        ("efa: Version", "0.5.29", "0.5.30"),
        ("efa: image.tag", "", "v2"),
    ]


def test_privileged_containers_and_host_paths_of_values_and_objects_are_named() -> None:
    pod = {"spec": {"containers": [{"securityContext": {"privileged": True}, "image": "a:1"}]}}
    values = {"volumes": [{"hostPath": {"path": "/"}}], "podSpec": {"hostNetwork": True}}
    found = changes(stacks("{}"), stacks(json.dumps(values), [pod]))
    assert {(c.where, c.after) for c in found} == {
        ("Objects: [0].spec.containers[0].securityContext.privileged", "true"),
        ("Objects: [0].spec.containers[0].image", "a:1"),
        ("efa: volumes[0].hostPath.path", "/"),
        ("efa: podSpec.hostNetwork", "true"),
    }


def test_values_that_are_no_json_are_passed_over() -> None:
    assert changes(stacks("{}"), stacks("{")) == []
