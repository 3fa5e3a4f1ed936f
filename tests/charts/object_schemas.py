"""Judges objects by strict schemas: Kubernetes' own for each version, and this project's for custom resources."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import celpy
import jsonschema
import kubernetes_validate
from celpy.adapter import json_to_cel

import neuron_cluster.schedulers.kubernetes.manifest_rules

SCHEMAS = Path(neuron_cluster.schedulers.kubernetes.manifest_rules.__path__[0]) / "schemas"
BUILT_IN, RULES = "x-built-in", "x-kubernetes-validations"

# It reads a megabyte of JSON for each object; nothing changes what it read.
kubernetes_validate.utils.schema_contents = functools.cache(kubernetes_validate.utils.schema_contents)


@functools.cache
def schemas() -> Mapping[tuple[str, str], Any]:
    """The schemas of custom resources by apiVersion and kind."""
    read = [json.loads(path.read_text()) for path in sorted(SCHEMAS.glob("*.json"))]
    return {
        (schema["properties"]["apiVersion"]["const"], schema["properties"]["kind"]["const"]): schema for schema in read
    }


def errors(body: Mapping[str, Any], kube_version: str) -> list[str]:
    """Returns the faults of an object on a cluster of this version; an object without a schema has one."""
    return list(_errors(json.dumps(body, sort_keys=True), kube_version))


@functools.cache
def _errors(body: str, kube_version: str) -> tuple[str, ...]:
    evaluated = json.loads(body)
    schema = schemas().get((evaluated["apiVersion"], evaluated["kind"]))
    if schema is None:
        return tuple(_built_in_errors(evaluated, kube_version))
    return tuple(_custom_errors(evaluated, schema, kube_version))


def _built_in_errors(body: Mapping[str, Any], kube_version: str) -> Iterator[str]:
    try:
        kubernetes_validate.validate(dict(body), kube_version, strict=True)
    except kubernetes_validate.ValidationError as error:
        yield f"{'.'.join(map(str, error.path))}: {error.message}"
    except kubernetes_validate.SchemaNotFoundError as error:
        yield f"Kubernetes {kube_version} has no {error.kind} {error.api_version}, and this project no schema for it"


def _custom_errors(body: Any, schema: Any, kube_version: str) -> Iterator[str]:
    found = list(jsonschema.Draft202012Validator(schema).iter_errors(body))
    yield from (f"{error.json_path}: {error.message}" for error in found)
    if not found:
        filled = with_defaults(body, schema)
        yield from rule_errors(filled, schema)
        yield from _embedded_errors(body, schema, kube_version)


def with_defaults(value: Any, schema: Any) -> Any:
    """The value as the API server stores it: rules of a custom resource are judged after the defaults are filled in."""
    value = copy.deepcopy(value)
    for part, inner, place in _parts(value, schema):
        value[place] = with_defaults(part, inner)
    if isinstance(value, dict):
        for name, inner in schema.get("properties", {}).items():
            if name not in value and "default" in inner:
                value[name] = inner["default"]
    return value


def rule_errors(value: Any, schema: Any, path: str = "$") -> Iterator[str]:
    """The rules in CEL that the value breaks."""
    for rule in schema.get(RULES, ()):
        if not _program(rule["rule"]).evaluate({"self": json_to_cel(value)}):
            yield f"{path}: {rule['message']}"
    for part, inner, place in _parts(value, schema):
        yield from rule_errors(part, inner, f"{path}.{place}")


@functools.cache
def _program(rule: str) -> Any:
    environment = celpy.Environment()
    return environment.program(environment.compile(rule))


def _embedded_errors(value: Any, schema: Any, kube_version: str) -> Iterator[str]:
    """Yields violations of Kubernetes' own schemas by the pod and job templates inside."""
    kind = schema.get(BUILT_IN)
    if kind is not None:
        inside = {kind["field"]: value} if "field" in kind else value
        yield from _built_in_errors({"apiVersion": kind["apiVersion"], "kind": kind["kind"], **inside}, kube_version)
    for part, inner, _ in _parts(value, schema):
        yield from _embedded_errors(part, inner, kube_version)


def _parts(value: Any, schema: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Each part that the schema describes: itself, its schema, its key."""
    if isinstance(value, dict):
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                yield value[name], inner, name
    elif isinstance(value, list) and "items" in schema:
        for position, item in enumerate(value):
            yield item, schema["items"], position
