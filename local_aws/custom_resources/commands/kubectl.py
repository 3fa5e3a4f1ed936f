"""``kubectl``: says what it was asked to make; refuses what an API server refuses without looking closer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from local_aws.custom_resources.command_log import WAITS_FOR, Arguments, CommandFailed, answer, facts
from local_aws.custom_resources.kubernetes_object import Identity, identity, is_meant, rejected_change


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
        return {
            "resource": asked.resource,
            "namespace": asked.namespace,
            "patch": asked.patch,
            "type": asked.type,
            "command": {"verb": "patch", "identity": _patched(asked.resource, asked.namespace)},
        }
    objects = list(_objects(asked.file))
    existing = {tuple(known) for known in facts()["objects"]}
    fixed = {tuple(known): live for known, live in facts()["fixed"]}
    for kubernetes_object in objects:
        _, kind, _, name = known = _checked_identity(kubernetes_object)
        if asked.verb == "create" and known in existing:
            raise CommandFailed(f'Error from server (AlreadyExists): {kind} "{name}" already exists')
        if asked.verb != "delete":
            _require_kind(kubernetes_object, is_new=known not in existing)
        if asked.verb == "apply" and known in fixed and (why := rejected_change(fixed[known], kubernetes_object)):
            raise CommandFailed(why)
    command = {"verb": asked.verb, "prunes": asked.prune, "label": asked.label}
    return {"objects": objects, "command": command, WAITS_FOR: list(_waits_for(asked.verb, objects))}


def _waits_for(verb: str, objects: Iterable[Mapping[str, Any]]) -> Iterator[Identity]:
    """Objects with a finalizer that stays: ``kubectl delete`` waits until they are gone (its ``--wait`` is true)."""
    held = {tuple(each) for each in facts()["held"]}
    return (known for known in map(identity, objects) if verb == "delete" and known in held)


def _require_kind(kubernetes_object: Mapping[str, Any], *, is_new: bool) -> None:
    """Kinds of a controller come with its chart; one whose definition is being deleted takes no new object.

    Source: kubernetes/kubernetes#121490 and, for the words, tektoncd/triggers#1583.
    """
    api, kind, name = (*map(kubernetes_object.get, ("apiVersion", "kind")), kubernetes_object["metadata"]["name"])
    group, slash, _ = str(api).partition("/")
    if not slash or group not in facts()["groups"]:
        return
    if is_new and kind in facts()["terminating"]:
        raise CommandFailed(
            f'Error from server (MethodNotAllowed): error when creating "{name}": '
            "create not allowed while custom resource definition is terminating"
        )
    if not facts()["groups"][group]:
        raise CommandFailed(
            f'resource mapping not found for name: "{name}": no matches for kind "{kind}" in version "{api}"\n'
            "ensure CRDs are installed first"
        )


def _patched(resource: str, namespace: str) -> Identity | None:
    """The object of a controller that is meant; None for other kinds, of which not all objects are known."""
    named = resource.partition("/")[0]
    if named.partition(".")[2] not in facts()["groups"]:
        return None
    for known in map(tuple, facts()["objects"]):
        if is_meant(known, resource, namespace):
            return known
    raise CommandFailed(f'Error from server (NotFound): {named} "{resource.partition("/")[2]}" not found')


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
