"""Templates of a provider that the toolkit does not know: by the app, and by the commands of a project."""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.deploy.assembly_key import sources_digest
from neuron_cluster.protocol.registry import register, unregister
from tests.orchestrators.auto_scaling.provider import AUTO_SCALING
from tests.orchestrators.conftest import ENVIRONMENT, ROOT, Ran

pytestmark = pytest.mark.slow

Command = Callable[..., Ran]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose ``app.py`` registers the provider before it runs that of the toolkit."""
    root = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "app.py", root / "checkout_app.py")
    shutil.copy(ENVIRONMENT.with_name("project_app.py"), root / "app.py")
    shutil.copy(ROOT / "cdk.json", root)
    for name in ("stacks", "charts", "functions", "node_modules", "tests"):
        (root / name).symlink_to(ROOT / name)
    (root / "environments").mkdir()
    shutil.copy(ENVIRONMENT, root / "environments")
    return root


def group_in(template: dict[str, Any]) -> dict[str, Any]:
    (group,) = (
        each["Properties"]
        for each in template["Resources"].values()
        if each["Type"] == "AWS::AutoScaling::AutoScalingGroup"
    )
    return dict(group)


def test_the_app_synthesizes_its_stack(cdk: Any, environment: Path, tmp_path: Path) -> None:
    from neuron_cluster.deploy.synthesis import cdk_context

    app = importlib.import_module("app")
    out = tmp_path / "cdk.out"
    context = cdk_context(ROOT, str(environment))
    assert app.main(cdk.App(outdir=str(out), context=context, analytics_reporting=False)) is None
    template = json.loads((out / "scale-trn1-machines.template.json").read_text(encoding="utf-8"))
    group = group_in(template)
    assert [group[key] for key in ("MinSize", "DesiredCapacity", "MaxSize")] == ["0", "2", "8"]
    (launch,) = (each for each in template["Resources"].values() if each["Type"] == "AWS::EC2::LaunchTemplate")
    data = launch["Properties"]["LaunchTemplateData"]
    kinds = [each["InterfaceType"] for each in data["NetworkInterfaces"]]
    assert kinds == ["efa", *["efa-only"] * 7]
    assert data["ImageId"].startswith("resolve:ssm:")


def test_the_app_says_what_is_wrong(cdk: Any, environment: Path, tmp_path: Path) -> None:
    from neuron_cluster.deploy.synthesis import cdk_context

    app = importlib.import_module("app")
    environment.write_text(environment.read_text(encoding="utf-8").replace("base_ubuntu_24_04", "base"))
    context = cdk_context(ROOT, str(environment))
    wrong = app.main(cdk.App(outdir=str(tmp_path / "cdk.out"), context=context, analytics_reporting=False))
    assert "E3991" in wrong


@pytest.mark.exhaustive
def test_synth_and_diff_of_a_project(command: Command, project: Path, tmp_path: Path) -> None:
    options = ("--project", project, "--format", "json")
    ran = command("synth", "scale-trn1", *options)
    assert ran.document["stacks"] == ["scale-trn1-network", "scale-trn1-machines"]
    before = tmp_path / "before.yaml"
    before.write_text(ENVIRONMENT.read_text(encoding="utf-8").replace("desired: 2", "desired: 4"))
    document = command("diff", "scale-trn1", "--against", before, *options).document
    (edit,) = document["edits"]
    assert (edit["path"], edit["effect"]) == ("auto_scaling.groups[trn1].count.desired", "in place")
    (nodes,) = document["nodes"]
    assert (nodes["group"], nodes["kind"], nodes["nodes"]) == ("trn1", "scaled", 2)
    assert [(each["id"], each["path"]) for each in document["findings"]] == [("W6002", "account")]
    assert [(each["stack"], each["updated"]) for each in document["stacks"]] == [
        ("scale-trn1-network", 0),
        ("scale-trn1-machines", 1),
    ]
    assert (document["cost"]["before"]["desired_usd"], document["cost"]["after"]["desired_usd"]) == (86.0, 43.0)


def test_an_assembly_depends_on_the_source_of_the_provider(project: Path) -> None:
    with_it = sources_digest(project)
    unregister(AUTO_SCALING)
    try:
        assert sources_digest(project) != with_it
    finally:
        register(AUTO_SCALING)


def test_capacity_blocks_are_offered_for_its_groups(command: Command, project: Path) -> None:
    block = "      capacity: {kind: capacity_block, reservation_id: cr-0123456789abcdef0}\n"
    file = project / "environments" / "scale-trn1.yaml"
    file.write_text(ENVIRONMENT.read_text(encoding="utf-8").replace("      count: ", f"{block}      count: "))
    document = command("capacity", "offers", "scale-trn1", "--local", "--project", project, "--format", "json").document
    (group,) = document["groups"]
    assert (group["name"], group["query"]["instances"]) == ("trn1", 8)
    assert group["offers"]
