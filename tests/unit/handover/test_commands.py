"""Every command of a pack is one that the program has, with options that it knows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from hint_commands import command_error

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.project_tools import project_kubectl
from neuron_cluster.new_folder import write_folder
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from tests.every_run import in_every_run
from tests.five_teams import ROOT
from tests.unit.handover.packs import commands_in

NAMES = ("research", "small", "guests")
WITHOUT_API = {"configure sso": {"profile"}, "configure set": {"profile"}, "sso login": {"profile"}}
"""Commands of the AWS CLI that call no operation, and their options here."""
UPDATE_KUBECONFIG = {"name", "region", "alias", "profile"}
ALLOWED_FAILURES = ("connection refused", "was refused")
"""Errors of a server that does not run: the command line itself was accepted."""


def _commands(pack: KubernetesPack, program: str) -> list[str]:
    pages = pack.files["README.md"] + pack.files["runbook.md"]
    return [each for each in dict.fromkeys(commands_in(pages)) if each.split()[0] == program]


@pytest.mark.parametrize("name", NAMES)
def test_commands_of_the_toolkit_parse(packs: Mapping[str, KubernetesPack], name: str) -> None:
    lines = [each for each in _commands(packs[name], "neuron-cluster") if "--" in each]
    assert len(lines) >= 2
    assert {line: command_error(line) for line in lines if command_error(line)} == {}


def test_commands_of_the_aws_cli_have_known_options(research: KubernetesPack) -> None:
    lines = _commands(research, "aws")
    assert len(lines) >= 5
    for line in lines:
        _, *arguments = shlex.split(line)
        options = {word.removeprefix("--") for word in arguments if word.startswith("--")}
        verb = " ".join(arguments[:2])
        known = UPDATE_KUBECONFIG if verb == "eks update-kubeconfig" else WITHOUT_API.get(verb)
        assert known is not None, line
        assert options <= known, line


def _form(line: str) -> tuple[str, ...]:
    """Returns the parts of a line read before a connection: its verb, options and the values that it parses itself."""
    verb, *arguments = shlex.split(re.split(r" -- | \| ", line)[0])[1:]
    options = (word if word.startswith("--output") else word.partition("=")[0] for word in arguments if word[0] == "-")
    return verb, *(arguments[:1] if verb in ("auth", "config", "rollout") else ()), *sorted(options)


CASES = in_every_run([("research", False), *((name, True) for name in NAMES)], [("research", False)])


@pytest.mark.parametrize(("name", "is_whole"), CASES)
def test_kubectl_accepts_every_command_line(
    packs: Mapping[str, KubernetesPack], name: str, is_whole: bool, tmp_path: Path
) -> None:
    """Each form is run with the kubectl of the cluster's version against a server that does not run."""
    pack = packs[name]
    write_folder(tmp_path / "pack", pack.files)
    kubeconfig = tmp_path / "kubeconfig"
    contexts = (f"train-trn1-{name}", f"train-trn1-{name}-operators")
    kubeconfig.write_text(
        yaml.safe_dump(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}],
                "contexts": [{"name": each, "context": {"cluster": "c", "user": "u"}} for each in contexts],
                "users": [{"name": "u", "user": {}}],
                "current-context": contexts[0],
            }
        )
    )
    version = load_catalog().kubernetes_versions.get(pack.hand_over.cluster.version)
    assert version is not None
    assert version.kubectl_layer is not None
    kubectl = project_kubectl(ROOT, version.kubectl_layer.package, load_catalog())
    lines = _commands(pack, "kubectl")
    assert not [line for line in lines if "NAME" in line]
    for line in lines if is_whole else {_form(line): line for line in lines}.values():
        ran = subprocess.run(
            ["sh", "-c", f"{shlex.quote(str(kubectl))} {line.removeprefix('kubectl ')}"],
            cwd=tmp_path / "pack",
            env={**os.environ, "KUBECONFIG": str(kubeconfig)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if not line.startswith("kubectl config"):
            assert any(text in ran.stderr for text in ALLOWED_FAILURES), (line, ran.stderr)
        else:
            assert ran.returncode == 0, (line, ran.stderr)


def test_files_that_commands_and_links_name_are_in_the_pack(research: KubernetesPack) -> None:
    for page in ("README.md", "runbook.md", "index.html"):
        text = research.files[page]
        named = re.findall(r"-f (\S+\.yaml)", text) + re.findall(r"\]\(([^)]+)\)", text)
        named += re.findall(r'href="([^"#]+)"', text)
        assert set(named) <= set(research.files), page
