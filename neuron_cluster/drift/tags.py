"""Tags: those that others put on a resource are left out, unless access depends on them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

CONDITION = re.compile(r"[\w-]+:ResourceTag/([^\"\\]+)")
"""The key of a tag that a condition of a policy reads.

Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html
"""


def keys_that_decide_access(templates: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Keys of tags that conditions of these templates' policies read."""
    return frozenset(key for template in templates for key in CONDITION.findall(json.dumps(template)))


def without_other_tags(name: str, expected: Any, actual: Any, keys: Collection[str]) -> tuple[Any, Any]:
    """Both values of a property; of tags without those that the template does not have and access does not depend on.

    Kubernetes, backup tools and cost tools tag what they use.
    """
    if not name.endswith("Tags"):
        return expected, actual
    if isinstance(expected, list) and isinstance(actual, list) and all(map(_is_tag, (*expected, *actual))):
        own = {tag["Key"] for tag in expected} | set(keys)
        return expected, [tag for tag in actual if tag["Key"] in own]
    return expected, actual


def _is_tag(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() >= {"Key", "Value"}
