"""``kubectl``: says what it was asked to make; refuses what an API server refuses without looking closer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.local_aws.recorded.command_log import Arguments, CommandFailed, answer, facts
from neuron_cluster.local_aws.recorded.kubernetes_object import identity


def main(arguments: list[str]) -> int:
    return answer("kubectl", arguments, _kubectl)


def _kubectl(arguments: list[str]) -> Mapping[str, Any]:
    parser = Arguments("kubectl")
    parser.add_argument("verb", choices=("create", "apply", "delete", "patch"))
    parser.add_argument("resource", nargs="?")
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("-f", dest="file", type=Path)
    parser.add_argument("-n", dest="namespace")
    parser.add_argument("-l", dest="label")
    parser.add_argument("-p", dest="patch", type=json.loads)
    parser.add_argument("--type")
    parser.add_argument("--prune", action="store_true")
    parser.add_argument("--save-config", action="store_true")
    parser.add_argument("--validate")
    asked = parser.parse_args(arguments)
    if asked.verb == "patch":
        return {"resource": asked.resource, "namespace": asked.namespace, "patch": asked.patch, "type": asked.type}
    objects = list(_objects(asked.file))
    existing = {tuple(known) for known in facts()["objects"]}
    for kubernetes_object in objects:
        _, kind, _, name = known = _checked_identity(kubernetes_object)
        if asked.verb == "create" and known in existing:
            raise CommandFailed(f'Error from server (AlreadyExists): {kind} "{name}" already exists')
    return {"objects": objects}


def _objects(file: Path) -> Iterator[dict[str, Any]]:
    """CDK writes a manifest as JSON objects one after the other, with nothing between them."""
    text = file.read_text(encoding="utf-8")
    decoder = json.JSONDecoder()
    position = 0
    while position < len(text):
        kubernetes_object, position = decoder.raw_decode(text, position)
        yield kubernetes_object


def _checked_identity(kubernetes_object: Mapping[str, Any]) -> tuple[str, str, str, str]:
    try:
        return identity(kubernetes_object)
    except KeyError as missing:
        raise CommandFailed(f"error validating the manifest: {missing} is not set in {kubernetes_object}") from None
