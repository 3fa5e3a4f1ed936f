"""JSON patches of UpdateResource, RFC 6902.

Source: https://docs.aws.amazon.com/cloudcontrolapi/latest/userguide/resource-operations-update.html
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import jsonpatch

NOT_THAT = (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException)
"""Exceptions of an operation that is not valid or whose path does not exist."""


def patched(document: Mapping[str, Any], patch: Sequence[Any]) -> dict[str, Any]:
    """The document after the patch. Raises ValueError for one that is not valid, or does not fit."""
    result: Any = dict(document)
    for each in patch:
        try:
            result = jsonpatch.JsonPatch([each]).apply(result)
        except jsonpatch.JsonPatchTestFailed as error:
            raise ValueError(f"{each['path']} is not {json.dumps(each.get('value'))}") from error
        except NOT_THAT as error:
            raise ValueError(f"{json.dumps(each)} is not an operation on something that exists: {error}") from error
    if isinstance(result, dict):
        return result
    raise ValueError(f"{json.dumps(result)} is not an object")
