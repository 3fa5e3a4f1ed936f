"""The bucket and prefix of a data repository association, which a template joins of texts and references."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items
from neuron_cluster.template_rules.template_resource import TemplateResource

SCHEME = "s3://"


def linked_path(association: TemplateResource) -> str | None:
    """``s3://bucket/prefix/`` with references as JSON, to be compared with others of the stack; None if unknown."""
    parts = _parts(association)
    if not parts or not str(parts[0]).startswith(SCHEME):
        return None
    path = "".join(each if isinstance(each, str) else json.dumps(each, sort_keys=True) for each in parts)
    return f"{path.rstrip('/')}/"


def linked_prefix(association: TemplateResource) -> str:
    """The prefix, with a slash at its end; empty for a whole bucket."""
    _, _, prefix = (linked_path(association) or "").removeprefix(SCHEME).partition("/")
    return prefix


def linked_bucket(association: TemplateResource, look_up: LookUp) -> TemplateResource | None:
    """The bucket of the same stack that is referenced; None for other buckets."""
    names = {at(each, "Ref") for each in _parts(association) if not isinstance(each, str)}
    buckets = look_up.resources("AWS::S3::Bucket", stack=association.stack)
    return next((bucket for bucket in buckets if bucket.logical_id in names), None)


def _parts(association: TemplateResource) -> Sequence[Any]:
    """Texts and functions, as the template writes them."""
    path = at(association.body, "Properties", "DataRepositoryPath")
    if isinstance(path, str):
        return [path]
    separator, parts = (*items(at(path, "Fn::Join")), None, None)[:2]
    return items(parts) if separator == "" else []
