"""``helm``: says which release it was asked for; a chart that is at hand is rendered by the real helm."""

from __future__ import annotations

import argparse
import errno
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from local_aws.custom_resources.command_log import Arguments, CommandFailed, CommandUnknown, answer, facts


def main(arguments: list[str]) -> int:
    return answer("helm", arguments, _helm)


def _helm(arguments: list[str]) -> Mapping[str, Any]:
    match arguments:
        case ["pull", *rest]:
            return _pull(rest)
        case ["registry", "login", *rest]:
            return _registry_login(rest)
        case ["upgrade", *rest]:
            return _upgrade(rest)
        case ["uninstall", *rest]:
            return _uninstall(rest)
    raise CommandUnknown(f"the local AWS does not answer the command: helm {' '.join(arguments[:2])}")


def _pull(arguments: list[str]) -> Mapping[str, Any]:
    parser = Arguments("helm pull")
    parser.add_argument("chart")
    parser.add_argument("--version", required=True)
    parser.add_argument("--untar", action="store_true", required=True)
    asked = parser.parse_args(arguments)
    return {"repository": asked.chart, "version": asked.version}


def _registry_login(arguments: list[str]) -> Mapping[str, Any]:
    parser = Arguments("helm registry login")
    parser.add_argument("host")
    parser.add_argument("--username", required=True)
    parser.add_argument("--password-stdin", action="store_true", required=True)
    asked = parser.parse_args(arguments)
    if not sys.stdin.read().strip():
        raise CommandFailed("Error: password is empty")
    return {"host": asked.host, "username": asked.username}


def _upgrade(arguments: list[str]) -> Mapping[str, Any]:
    parser = _release_arguments("helm upgrade", chart=True)
    parser.add_argument("--install", action="store_true", required=True)
    parser.add_argument("--create-namespace", action="store_true")
    parser.add_argument("--repo")
    parser.add_argument("--version")
    parser.add_argument("--values", type=Path)
    parser.add_argument("--skip-crds", action="store_true")
    parser.add_argument("--atomic", action="store_true")
    asked = parser.parse_args(arguments)
    folder = Path(asked.chart)
    answered = {
        "release": asked.release,
        "namespace": asked.namespace,
        "create_namespace": asked.create_namespace,
        "chart": folder.name,
        "repository": asked.repo,
        "version": asked.version,
        "values": {} if asked.values is None else json.loads(asked.values.read_text(encoding="utf-8")),
        "rendered": None,
    }
    if folder.is_dir():
        import yaml

        answered["rendered"] = _render(asked)
        metadata = yaml.safe_load((folder / "Chart.yaml").read_text(encoding="utf-8"))
        answered.update(chart=metadata["name"], version=metadata["version"])
    return answered


def _uninstall(arguments: list[str]) -> Mapping[str, Any]:
    asked = _release_arguments("helm uninstall", chart=False).parse_args(arguments)
    return {"release": asked.release, "namespace": asked.namespace}


def _release_arguments(program: str, *, chart: bool) -> Arguments:
    parser = Arguments(program)
    parser.add_argument("release")
    if chart:
        parser.add_argument("chart")
    parser.add_argument("--namespace")
    parser.add_argument("--wait", action="store_true")
    parser.add_argument("--timeout")
    parser.add_argument("--kubeconfig", required=True)
    return parser


def _render(asked: argparse.Namespace) -> list[Any] | None:
    """The chart's objects as the real helm renders them, or None when this machine cannot run the Lambda's helm.

    Raises ``CommandFailed`` with helm's own words when it refuses the chart or its values.
    """
    import yaml

    command = [os.environ["NEURON_CLUSTER_HELM"], "template", asked.release, asked.chart]
    command += ["--skip-tests", "--skip-crds" if asked.skip_crds else "--include-crds"]
    command += ["--kube-version", f"{facts()['cluster']['version']}.0"]
    if asked.namespace is not None:
        command += ["--namespace", asked.namespace]
    if asked.values is not None:
        command += ["--values", str(asked.values)]
    try:
        # The arguments are the template's, given to helm alone, without a shell.
        run = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", errors="replace")  # noqa: S603 - the helm of the published layer
    except OSError as refusal:
        if refusal.errno != errno.ENOEXEC:
            raise
        return None
    if run.returncode != 0:
        raise CommandFailed(run.stderr)
    return [rendered for rendered in yaml.load_all(run.stdout, Loader=yaml.CSafeLoader) if rendered is not None]
