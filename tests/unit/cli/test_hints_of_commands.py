"""Hints of errors that are no findings of a file or an account are followed: the same is not said again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hint_commands import command_error, commands_in

from neuron_cluster.aws.session import AwsTarget, close_clients

from .conftest import PROJECT, Command

TRN2 = ("capacity", "search", "--type", "trn2.48xlarge", "--region", "us-east-2")
RENDER = ("workload", "render", "neuron-training", "train-trn2", "--claim", "c", "--values-only")
JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "a"},
    "spec": {"template": {"spec": {"containers": [{"name": "a", "image": "x"}]}}},
}
FILES = {
    "empty/.keep": "",
    "full/job.yaml": yaml.safe_dump(JOB),
    "service.yaml": "{apiVersion: v1, kind: Service, metadata: {name: a}}",
    "chart/Chart.yaml": "name: a",
    "list.yaml": "- a",
    "values.yaml": "nodes: 1",
    "kubeconfig": "{contexts: [{name: other, context: {cluster: x}}]}",
    "no-kubeconfig": "a",
}

WAYS: list[tuple[tuple[str, ...], str, list[tuple[str, ...]]]] = [
    # a command, a part of its hint, and commands as the hint says; names in FILES stand for their places
    (("schedule", "train-trn1", "--workload", ""), "name a file, a folder, or - for standard input",
     [("schedule", "train-trn1", "--workload", "full/job.yaml"), ("schedule", "train-trn1", "--workload", "full")]),
    (("schedule", "train-trn1", "--workload", "service.yaml"), "name objects that make pods: a Deployment, a Job",
     [("schedule", "train-trn1", "--workload", "full/job.yaml")]),
    (("schedule", "train-trn1", "--workload", "chart"), "render the chart first",
     [("schedule", "train-trn1", "--workload", "full")]),
    (("upgrade", "dev-inf2", "--to", "2.31"), "did you mean", [("upgrade", "dev-inf2", "--to", "2.33.1")]),
    (("upgrade", "dev-inf2", "--to", "9.9.9"), "`neuron-cluster catalog sdk` lists them",
     [("upgrade", "dev-inf2", "--to", "2.33.0")]),
    (("destroy", "dev-inf2", "--account", "111122223333"), "leave them out, or name what is deployed: --deployed NAME",
     [("destroy", "dev-inf2"), ("destroy", "--deployed", "dev-inf2", "--account", "111122223333")]),
    (("destroy", "dev-inf2", "--home", "alice"), "add --delete-data with the name of the environment",
     [("destroy", "dev-inf2", "--delete-data", "dev-inf2", "--home", "alice")]),
    (("destroy", "--deployed", "x", "--region", "us-west2"), "`neuron-cluster catalog regions` lists them",
     [("destroy", "--deployed", "x", "--region", "us-west-2")]),
    ((*RENDER, "--set", "x"), "write --set KEY=VALUE, such as --set model.maxNumSeqs=8",
     [(*RENDER, "--set", "nodes=1")]),
    ((*RENDER, "--set", "a..b=1"), "write a dotted key; for one item of a list give the whole list as JSON",
     [(*RENDER, "--set", "checkpoints.folder=checkpoints/a"), (*RENDER, "--set", "tolerations=[]")]),
    ((*RENDER, "--set", "tolerations[0].key=a"), "or use --values FILE", [(*RENDER, "--values", "values.yaml")]),
    ((*RENDER, "--values", "none.yaml"), "--values is a YAML file of values",
     [(*RENDER, "--values", "values.yaml")]),
    ((*RENDER, "--values", "list.yaml"), "--values is a YAML file such as values.yaml",
     [(*RENDER, "--values", "values.yaml")]),
    ((*RENDER, "--output", "none/x"), "create it first, or name another path",
     [(*RENDER, "--output", "full/x"), (*RENDER, "--output", "x")]),
    (("capacity", "search", "--type", "trn9"), "`neuron-cluster catalog instances` lists them", [TRN2]),
    (("capacity", "search", "--type", "u-trn2x64"), "use --ultraserver u-trn2x64",
     [("capacity", "search", "--ultraserver", "u-trn2x64", "--region", "us-east-2")]),
    (("capacity", "search", "--type", "trn2u.48xlarge"), "use --ultraserver u-trn2x64",
     [("capacity", "search", "--ultraserver", "u-trn2x64", "--region", "us-east-2")]),
    (("capacity", "search", "--ultraserver", "x"), "known: u-trn2x64",
     [("capacity", "search", "--ultraserver", "u-trn2x64", "--region", "us-east-2")]),
    (("capacity", "search", "--type", "inf1.xlarge"), "capacity blocks have trn1.32xlarge, trn2.3xlarge, trn2.48xlarge",
     [TRN2]),
    ((*TRN2, "--duration", "3y"), "blocks come in whole days, 1d to 14d, then in whole weeks up to 182 days (26w)",
     [(*TRN2, "--duration", "14d"), (*TRN2, "--duration", "26w")]),
    ((*TRN2, "--duration", "400d"), "blocks come in whole days", [(*TRN2, "--duration", "182d")]),
    ((*TRN2, "--from", "2020-01-01"), "remove --from, or write a later day", [TRN2]),
    ((*TRN2, "--duration", "7d", "--from", "2099-01-01", "--until", "2099-01-02"),
     "write a later --until, or a shorter --duration",
     [(*TRN2, "--duration", "7d", "--from", "2099-01-01", "--until", "2099-01-30"),
      (*TRN2, "--duration", "1d", "--from", "2099-01-01", "--until", "2099-01-02")]),
    ((*TRN2, "--count", "100"), "search with --count 64 and with --count 36",
     [(*TRN2, "--count", "64"), (*TRN2, "--count", "36")]),
    ((*TRN2[:-1], "us-east2"), "`neuron-cluster catalog regions` lists them", [TRN2]),
]  # fmt: skip


@pytest.fixture
def no_aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makes each call of AWS fail at once."""
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "x")
    yield
    for region in ("us-east-2", "us-west-2"):
        close_clients(AwsTarget(region))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def findings(command: Command, folder: Path, arguments: tuple[str, ...]) -> list[dict[str, Any]]:
    """Returns the findings of a command whose options name files in the folder."""
    place, named = ("--workload", "--values", "--output", "--kubeconfig"), [*arguments]
    for position, word in enumerate(named[:-1]):
        if word in place and named[position + 1]:
            named[position + 1] = str(folder / named[position + 1])
    ran = command(*named, "--format", "json")
    try:
        document = json.loads(ran.out)
    except json.JSONDecodeError:
        return []  # values, which end without an error
    return list(document["findings"]) if isinstance(document, dict) else []


@pytest.mark.slow  # helm is run
@pytest.mark.hints("E9500")
@pytest.mark.usefixtures("no_aws")
@pytest.mark.parametrize(("asked", "hint", "ways"), WAYS)
def test_a_command_as_the_hint_says_does_not_say_the_same(
    asked: tuple[str, ...], hint: str, ways: list[tuple[str, ...]], command: Command, files: Path
) -> None:
    (error,) = findings(command, files, asked)
    assert (error["id"], hint in error["hint"]) == ("E9500", True), error
    assert [wrong for line in commands_in(error["hint"]) if (wrong := command_error(line))] == []
    for line in commands_in(error["hint"]):
        if line.startswith("neuron-cluster catalog"):
            assert command(*line.split()[1:]).status == 0
    for way in ways:
        found = findings(command, files, way)
        assert [each for each in found if each["message"] == error["message"]] == []


@pytest.mark.usefixtures("no_aws")
@pytest.mark.parametrize(
    ("kubeconfig", "hint"),
    [
        ("none", "creates one"),
        ("kubeconfig", "its contexts: other; "),
        ("no-kubeconfig", "pass one with --kubeconfig"),
    ],
)
def test_a_kubeconfig_with_the_context_takes_the_place_of_another(
    kubeconfig: str, hint: str, command: Command, files: Path
) -> None:
    def submitted(name: str, context: str) -> list[dict[str, Any]]:
        where = ("--context", context, "--namespace", "default", "--kubeconfig", name, "--dry-run")
        return findings(command, files, ("workload", "submit", "collectives-check", "train-trn2", *where))

    (error,) = submitted(kubeconfig, "mine")
    assert hint in error["hint"]
    assert [wrong for line in commands_in(error["hint"]) if (wrong := command_error(line))] == []
    entry = {"name": "mine", "context": {"cluster": "arn:aws:eks:us-east-2:111122223333:cluster/train-trn2"}}
    (files / "kubeconfig").write_text(yaml.safe_dump({"contexts": [entry]}))
    assert [each for each in submitted("kubeconfig", "mine") if each["id"].startswith("E")] == []


def test_every_catalog_command_that_is_named_anywhere_can_be_run(command: Command) -> None:
    """One of them once had a kind that did not exist."""
    sources = [*(PROJECT / "neuron_cluster").rglob("*.py"), *(PROJECT / "docs").rglob("*.md"), PROJECT / "README.md"]
    texts = (path.read_text("utf-8") for path in sources)
    named = {found for text in texts for found in re.findall(r"`(neuron-cluster catalog [a-z0-9. -]+)`", text)}
    assert len(named) > 5
    assert [line for line in sorted(named) if command_error(line)] == []
