"""`diff` on the command line, in a project whose app gives templates that were made before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from tests.every_run import in_every_run
from tests.json_outputs import assert_has_format

from .conftest import PROJECT, Ran

APP = """
import json, os, pathlib, sys
out = pathlib.Path(os.environ["CDK_OUTDIR"])
environment = json.loads(os.environ["CDK_CONTEXT_JSON"])["environment"]
templates = pathlib.Path(__file__).parent / "templates" / pathlib.Path(environment).stem
if not templates.is_dir():
    sys.exit("this is what is wrong")
artifacts = {}
for path in sorted(templates.iterdir()):
    (out / path.name).write_bytes(path.read_bytes())
    artifacts[path.stem] = {"type": "aws:cloudformation:stack", "properties": {"templateFile": path.name}}
(out / "cdk.out").write_text("{}")
(out / "manifest.json").write_text(json.dumps({"artifacts": artifacts}))
"""
GROUP, TEMPLATE = "AWS::EKS::Nodegroup", "AWS::EC2::LaunchTemplate"
SHIPPED = (PROJECT / "environments" / "train-trn1.yaml").read_text()
Diff = Callable[..., Ran]


class Project:
    """A checkout in which every environment has templates next to it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "environments").mkdir(parents=True)
        (root / "cdk.json").write_text("{}")
        (root / "app.py").write_text(APP)

    def write(self, name: str, text: str, edit: Callable[[str, dict[str, Any]], None] | None = None) -> None:
        """An environment file, and the shipped templates after an edit of each resource."""
        (self.root / "environments" / f"{name}.yaml").write_text(text)
        folder = self.root / "templates" / name
        folder.mkdir(parents=True)
        for golden in sorted((PROJECT / "tests" / "golden" / "train-trn1").glob("*.template.json")):
            place = folder / golden.name.replace(".template", "")
            if edit is None:
                shutil.copy(golden, place)
                continue
            template = json.loads(golden.read_text())
            for logical_id, resource in template["Resources"].items():
                edit(logical_id, resource)
            place.write_text(json.dumps(template))


@pytest.fixture
def project(tmp_path: Path, kept_sources: None) -> Project:
    made = Project(tmp_path / "project")
    made.write("train-trn1", SHIPPED)
    return made


@pytest.fixture
def diff(project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Diff:
    """Runs `neuron-cluster diff` in the project, 80 columns wide."""
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Ran:
        status = main(["diff", *arguments])
        captured = capsys.readouterr()
        assert_has_format(["diff", *arguments], captured.out)
        return Ran(status, captured.out, captured.err)

    return run


def half(logical_id: str, resource: dict[str, Any]) -> None:
    """The templates of an environment with half the nodes, smaller disks and a smaller file system."""
    properties = resource.get("Properties", {})
    if resource["Type"] == GROUP and "trn1" in logical_id:
        properties["ScalingConfig"]["DesiredSize"] = 8
    if resource["Type"] == TEMPLATE and "trn1" in logical_id:
        properties["LaunchTemplateData"]["BlockDeviceMappings"][0]["Ebs"]["VolumeSize"] = 256
    if resource["Type"] == "AWS::FSx::FileSystem":
        properties["StorageCapacity"] = 2400


HALF = (
    SHIPPED.replace("desired: 16", "desired: 8")
    .replace("gib: 4800", "gib: 2400")
    .replace("llama-3.1-70b", "llama-3.1-8b")
)


def elsewhere(logical_id: str, resource: dict[str, Any]) -> None:
    """The file system in another deployment type, which cannot change."""
    if logical_id == "Lustre":
        resource["Properties"]["LustreConfiguration"]["DeploymentType"] = "PERSISTENT_1"


def test_an_edit_of_a_base_is_an_edit_of_what_extends_it(diff: Diff, project: Project) -> None:
    bases = project.root / "environments" / "bases"
    bases.mkdir()
    (bases / "new.yaml").write_text(SHIPPED)
    (bases / "old.yaml").write_text(HALF)
    project.write("new", "extends: bases/new.yaml\n")
    project.write("old", "extends: bases/old.yaml\n", half)
    ran = diff("new", "--against", "old", "--format", "json")
    assert {each["path"] for each in ran.document["edits"]} == {
        "extends",
        "storage.lustre.capacity_gib",
        "storage.checkpoints.model",
        "eks.node_groups[trn1].count.desired",
    }


def test_a_pipe_that_extends_a_base_is_not_compared(diff: Diff, project: Project) -> None:
    """The base of today with the file of yesterday would show edits that were not made."""
    read, write = os.pipe()
    os.write(write, b"extends: train-trn1.yaml\nname: train-trn1\n")
    os.close(write)
    ran = diff("train-trn1", "--against", f"/dev/fd/{read}", "--format", "json")
    os.close(read)
    assert ran.status == 1
    assert [(each["id"], each["line"]) for each in ran.document["findings"]] == [("E1058", 1)]


def test_no_difference_is_said_plainly(diff: Diff) -> None:
    ran = diff("train-trn1", "--against", "train-trn1")
    assert ran.status == 0
    assert ran.out == "train-trn1: no difference from environments/train-trn1.yaml.\n"
    ran = diff("train-trn1", "--against", "train-trn1", "--format", "json", "--exit-code")
    assert ran.status == 0
    assert ran.document["is_different"] is False
    assert ran.document["resources"] == []


def test_an_edit_is_told_by_nodes_data_access_cost_and_resources(diff: Diff, project: Project) -> None:
    project.write("half", HALF, half)
    ran = diff("train-trn1", "--against", "half")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    titles = [line for line in ran.out.splitlines() if line.partition(" ")[0].rstrip(",") in
              ("Edited", "Nodes", "Data", "Access", "Cost", "Resources")]  # fmt: skip
    assert [title.partition(" ")[0].rstrip(",") for title in titles] == [
        "Edited", "Nodes", "Data", "Access", "Cost", "Resources",
    ]  # fmt: skip
    text = " ".join(ran.out.split())
    assert "eks.node_groups[trn1].count.desired 8 -> 16: in place." in text
    pace = "one by one, each ended before its successor starts"
    assert f"trn1 rolled (8 nodes): its nodes are replaced {pace}: Ebs/VolumeSize: 256 -> 512" in text
    assert "trn1 scaled (8 nodes): desired 8 -> 16" in text
    assert "Lustre file system kept and grown: StorageCapacity: 2400 -> 4800" in text
    assert "checkpoint bucket kept by this edit" in text
    assert "trn1 $172.00 $344.00 $344.00 $344.00" in text
    assert "Every resource that changes" not in ran.out


def test_every_resource_is_listed_with_its_cause_when_asked(diff: Diff, project: Project) -> None:
    project.write("half", HALF, half)
    text = " ".join(diff("train-trn1", "--against", "half", "--resources").out.split())
    assert "BlockDeviceMappings/0/Ebs/VolumeSize: 256 -> 512 (AWS::EC2::LaunchTemplate)" in text


def test_json_holds_the_same(diff: Diff, project: Project) -> None:
    project.write("half", HALF, half)
    ran = diff("train-trn1", "--against", "half", "--format", "json", "--exit-code")
    assert ran.status == 3
    document = ran.document
    assert document["environment"] == "train-trn1"
    assert {edit["path"] for edit in document["edits"]} == {
        "eks.node_groups[trn1].count.desired", "storage.checkpoints.model", "storage.lustre.capacity_gib",
    }  # fmt: skip
    assert [(change["group"], change["kind"]) for change in document["nodes"]] == [
        ("trn1", "rolled"),
        ("trn1", "scaled"),
    ]
    assert {change["resource"]: change["kind"] for change in document["data"]}["Lustre"] == "kept and grown"
    (system, before), (_, after) = (document["cost"][when]["groups"] for when in ("before", "after"))
    assert before["desired_usd"] * 2 == after["desired_usd"]
    assert document["cost"]["after"]["desired_usd"] == round(system["desired_usd"] + after["desired_usd"], 4)
    assert {stack["stack"].removeprefix("train-trn1-"): stack["updated"] for stack in document["stacks"]} == {
        "network": 0, "storage": 1, "cluster": 0, "system": 0, "software": 0, "nodes": 2, "observability": 0,
    }  # fmt: skip
    assert {finding["severity"] for finding in document["findings"]} <= {"warning"}


def test_state_that_would_be_replaced_is_refused_with_a_hint(diff: Diff, project: Project) -> None:
    project.write("old", SHIPPED, elsewhere)
    ran = diff("train-trn1", "--against", "old")
    assert ran.status == 1
    assert "a deploy stops at the errors below" in ran.out
    assert "would be replaced, blocked" in ran.out
    assert "E9001  storage.lustre" in ran.out
    assert "hint: undo the edit to keep the data" in ran.out
    ran = diff("train-trn1", "--against", "old", "--format", "json", "--exit-code")
    assert ran.status == 1
    assert [f["id"] for f in ran.document["findings"] if f["severity"] == "error"] == ["E9001"]
    in_sarif = diff("train-trn1", "--against", "old", "--format", "sarif")
    assert in_sarif.status == 1
    found = [result for result in in_sarif.document["runs"][0]["results"] if result["level"] == "error"]
    assert [result["ruleId"] for result in found] == ["E9001"]
    assert found[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "storage.lustre"


@pytest.mark.parametrize("given", in_every_run(["train-trn1", "draft.yaml"], ["draft.yaml"]))
def test_a_hint_has_a_command_that_can_be_run_as_it_is(given: str, diff: Diff, project: Project) -> None:
    project.write("old", SHIPPED, elsewhere)
    shutil.copytree(project.root / "templates" / "train-trn1", project.root / "templates" / "draft")
    (project.root / "draft.yaml").write_text(SHIPPED)
    ran = diff(given, "--against", "old", "--format", "json")
    (hint,) = [f["hint"] for f in ran.document["findings"] if f["id"] == "E9001"]
    assert f"`neuron-cluster destroy {given} --delete-data train-trn1`" in hint


def test_an_edit_that_no_template_shows_is_told_all_the_same(diff: Diff, project: Project) -> None:
    project.write("short-lived", SHIPPED.replace("lifecycle: durable", "lifecycle: ephemeral"))
    ran = diff("train-trn1", "--against", "short-lived", "--exit-code")
    assert ran.status == 0, "no template changes"
    assert "ephemeral -> durable: in place." in ran.out
    assert "a deploy changes no resource" in ran.out


def test_another_account_is_another_environment(diff: Diff, project: Project) -> None:
    project.write("there", SHIPPED.replace("111122223333", "222233334444"))
    ran = diff("train-trn1", "--against", "there", "--format", "json")
    assert ran.status == 1
    assert [finding["id"] for finding in ran.document["findings"]] == ["E9010"]


@pytest.mark.parametrize("broken", ["train-trn1", "other"])
def test_an_error_in_either_file_is_a_finding_at_its_line(broken: str, diff: Diff, project: Project) -> None:
    project.write("other", SHIPPED)
    file = project.root / "environments" / f"{broken}.yaml"
    file.write_text(SHIPPED.replace("min: 0, desired: 16", "min: 0, desired: 17"))
    ran = diff("train-trn1", "--against", "other", "--format", "json")
    assert ran.status == 1
    (error,) = [finding for finding in ran.document["findings"] if finding["severity"] == "error"]
    assert (error["id"], error["file"]) == ("E3007", f"environments/{broken}.yaml")


def test_a_pipe_can_be_compared_with(diff: Diff, project: Project, tmp_path: Path) -> None:
    shutil.copytree(project.root / "templates" / "train-trn1", project.root / "templates" / "environment")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(SHIPPED,))
    writer.start()
    ran = diff("train-trn1", "--against", str(pipe))
    writer.join()
    assert ran.status == 0
    assert ran.out.startswith("train-trn1: no difference")


def test_an_app_that_fails_is_an_error_and_leaves_no_folder(diff: Diff, project: Project, tmp_path: Path) -> None:
    file = tmp_path / "without-templates.yaml"
    file.write_text(SHIPPED)
    before = set(project.root.rglob("*"))
    ran = diff("train-trn1", "--against", str(file))
    assert ran.status == 1
    assert "this is what is wrong" in ran.err
    assert set(project.root.rglob("*")) == before


def test_without_a_running_local_aws_there_is_nothing_to_compare_with(diff: Diff) -> None:
    ran = diff("train-trn1", "--local")
    assert ran.status == 1
    assert "neuron-cluster local" in ran.err


@pytest.mark.exhaustive
def test_the_shipped_environments_are_compared_by_the_real_app(tmp_path: Path) -> None:
    """The real app of a smaller project is compared in tests/orchestrators."""
    edited = tmp_path / "edited.yaml"
    edited.write_text(SHIPPED.replace("cidr: 10.20.0.0/16", "cidr: 10.50.0.0/16"))
    arguments = ["diff", str(edited), "--against", "train-trn1", "--format", "json"]
    ran = subprocess.run(
        [sys.executable, "-m", "neuron_cluster.cli.main", *arguments],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stderr
    document = json.loads(ran.stdout)
    (error,) = [finding for finding in document["findings"] if finding["severity"] == "error"]
    assert (error["id"], error["path"]) == ("E9001", "network.cidr")
    assert error["hint"].startswith("write cidr: 10.20.0.0/16\n")
    assert "E9008" in error["message"]
    assert {change["group"]: change["kind"] for change in document["nodes"]} == {
        "system": "replaced",
        "trn1": "replaced",
    }
    assert [edit["path"] for edit in document["edits"]] == ["network.cidr"]
