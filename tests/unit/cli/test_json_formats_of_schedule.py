"""The JSON of `schedule` has every property that its schema describes."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import Command

REQUEST = {"name": "neurons", "exactly": {"deviceClassName": "neuron.aws.com", "allocationMode": "All"}}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "train"},
    "spec": {
        "tolerations": [{"key": "aws.amazon.com/neuron", "operator": "Exists"}],
        "containers": [{"name": "main", "resources": {"claims": [{"name": "devices"}]}}],
        "resourceClaims": [{"name": "devices", "resourceClaimTemplateName": "all"}],
    },
}
TEMPLATE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "all"},
    "spec": {"spec": {"devices": {"requests": [REQUEST]}}},
}


def test_every_property_of_a_schedule_is_printed(command: Command) -> None:
    found = command("schedule", "train-trn1", *FORMAT).document
    assert unseen("schedule", [found]) == []
    assert accepted_mutations("schedule", found) == []
    assert {each["replicas"] for each in found["workloads"] if each["workload"].startswith("DaemonSet")} == {None}


def test_a_workload_that_fits_nowhere_has_the_same_properties(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(yaml.safe_dump_all([POD, TEMPLATE]))
    ran = command("schedule", "train-trn1", "--workload", str(file), *FORMAT)
    (pod,) = ran.document["workloads"]
    assert (ran.status, pod["fails"], len(pod["failures"])) == (1, True, 1)
    assert pod["claims"] == ["all of device class neuron.aws.com"]
    assert accepted_mutations("schedule", ran.document) == []
