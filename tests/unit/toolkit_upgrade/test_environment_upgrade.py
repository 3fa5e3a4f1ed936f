"""When an environment stops an upgrade, from the templates of two assemblies and the findings of both releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from neuron_cluster.deploy.template_diff import diff_assemblies
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.project import EnvironmentFile
from neuron_cluster.toolkit_upgrade.environment_upgrade import EnvironmentUpgrade

FILE = EnvironmentFile(Path("environments/first.yaml"), "environments/first.yaml")
WARNING = Finding("W3011", Location("environments/first.yaml", 1), "message", "hint")


def assembly(folder: Path, bucket: dict[str, Any]) -> Path:
    folder.mkdir()
    retained = {"DeletionPolicy": "RetainExceptOnCreate", "UpdateReplacePolicy": "Retain"}
    template = {"Resources": {"Checkpoints": {"Type": "AWS::S3::Bucket", "Properties": bucket, **retained}}}
    stack = {"type": "aws:cloudformation:stack", "properties": {"templateFile": "first-storage.template.json"}}
    (folder / "first-storage.template.json").write_text(json.dumps(template))
    (folder / "manifest.json").write_text(json.dumps({"artifacts": {"first-storage": stack}}))
    return folder


def upgrade(folder: Path, **after: Any) -> EnvironmentUpgrade:
    before = assembly(folder / "before", {"BucketName": "checkpoints"})
    templates = diff_assemblies(before, assembly(folder / "after", {"BucketName": "checkpoints", **after}))
    return EnvironmentUpgrade(FILE, (), (), (), templates)


def test_equal_templates_and_findings_are_no_change(tmp_path: Path) -> None:
    found = upgrade(tmp_path)
    assert (found.changes_something, found.is_blocked) == (False, False)


def test_an_update_in_place_is_a_change_that_stops_nothing(tmp_path: Path) -> None:
    found = upgrade(tmp_path, AccelerateConfiguration={"AccelerationStatus": "Enabled"})
    assert (found.changes_something, found.is_blocked) == (True, False)


def test_a_bucket_that_would_be_replaced_stops_the_upgrade(tmp_path: Path) -> None:
    found = upgrade(tmp_path, BucketName="checkpoints-of-the-newer-release")
    assert (found.changes_something, found.is_blocked) == (True, True)


def test_findings_alone_are_a_change_and_errors_stop_it() -> None:
    error = Finding("E0010", Location("environments/first.yaml", 1), "message", "hint")
    warned = EnvironmentUpgrade(FILE, (WARNING,), (), (), None)
    assert (warned.changes_something, warned.is_blocked) == (True, False)
    known = EnvironmentUpgrade(FILE, (), (), (error,), None)
    assert (known.changes_something, known.is_blocked) == (False, True), "the present release has the error too"
