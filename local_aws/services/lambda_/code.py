"""Functions and layers tell which object of S3 their code was taken from; a deleted layer version gives it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.awslambda.models import LambdaFunction, Layer, LayerVersion

from local_aws.services.overrides import override

OBJECT = ("S3Bucket", "S3Key", "S3ObjectVersion")


def _source(given: Mapping[str, Any]) -> dict[str, Any]:
    """The part of the answer that tells the object; empty for code that came with the request."""
    named = {name: given[name] for name in OBJECT if given.get(name)}
    return {"ResolvedS3Object": named} if "S3Bucket" in named else {}


@override(LambdaFunction, "_set_function_code")
def set_code(original: Any, function: Any, given: dict[str, Any]) -> None:
    function.code_source = _source(given)
    original(given)


@override(LambdaFunction, "get_code")
def get_code(original: Any, function: Any) -> dict[str, Any]:
    answer: dict[str, Any] = original()
    return {**answer, "Code": {**answer.get("Code", {}), **function.code_source}}


@override(LayerVersion, "get_layer_version")
def get_layer_version(original: Any, layer: Any) -> dict[str, Any]:
    answer: dict[str, Any] = original()
    return {**answer, "Content": {**answer["Content"], **_source(layer.content)}}


@override(Layer, "delete_version")
def delete_version(original: Any, layer: Any, version: str) -> None:
    """The version and its policy know each other and stay until Python looks for garbage: not with 30 MB of code."""
    deleted = layer.layer_versions.get(str(version))
    original(version)
    if deleted is not None:
        deleted.code_bytes = b""
