"""A context is read with its cluster and its login; everything else is refused in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.kube.kubeconfig import context_cluster

UPDATE = "aws eks update-kubeconfig --name train"
KUBECONFIG = """\
contexts:
- {name: trn2, context: {cluster: "arn:aws:eks:us-east-2:111122223333:cluster/trn2", user: me}}
- {name: bare, context: {cluster: c}}
- {name: broken}
users:
- name: me
  user: {exec: {command: aws, args: [--region, us-east-2, eks, get-token, --cluster-name=trn2]}}
"""


def test_cluster_and_login_of_a_context(tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text(KUBECONFIG)
    found = context_cluster([file], "trn2", UPDATE)
    assert found.cluster == "arn:aws:eks:us-east-2:111122223333:cluster/trn2"
    assert (found.login_option("--region"), found.login_option("--cluster-name")) == ("us-east-2", "trn2")
    assert found.login_option("--profile") is None
    assert context_cluster([file], "bare", UPDATE).login == ()


def test_the_first_file_that_has_the_context_counts(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("contexts: [{name: a, context: {cluster: one}}]")
    second.write_text("contexts: [{name: a, context: {cluster: two}}, {name: b, context: {cluster: three}}]")
    assert context_cluster([first, second], "a", UPDATE).cluster == "one"
    assert context_cluster([tmp_path / "missing", first, second], "b", UPDATE).cluster == "three"


@pytest.mark.parametrize("context", ["nope", "broken", ""])
def test_an_unknown_context_names_those_that_are_there(context: str, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text(KUBECONFIG)
    with pytest.raises(ToolkitError, match="has no context") as refusal:
        context_cluster([file], context, UPDATE)
    assert "trn2, bare" in refusal.value.hint


@pytest.mark.parametrize("content", [b"- a", b"{", b"\xff", b"contexts: 5", b"users: {}\ncontexts: a", b"[" * 5_000])
def test_a_file_that_is_no_kubeconfig_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_bytes(content)
    with pytest.raises(ToolkitError, match=r"config (is not|cannot be read as) a kubeconfig"):
        context_cluster([file], "trn2", UPDATE)


@pytest.mark.parametrize("arguments", ["5", "eks"])
def test_arguments_of_a_login_that_are_no_list_are_refused(arguments: str, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text(re.sub(r"args: \[.*\]", f"args: {arguments}", KUBECONFIG))
    with pytest.raises(ToolkitError, match="not a list"):
        context_cluster([file], "trn2", UPDATE)


def test_a_kubeconfig_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match=r"there is no kubeconfig .*missing"):
        context_cluster([tmp_path / "missing"], "trn2", UPDATE)


def test_a_folder_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError) as refusal:
        context_cluster([tmp_path], "trn2", UPDATE)
    assert refusal.value.message == f"{tmp_path} cannot be read as a kubeconfig: Is a directory"
