"""One request to any service, and values in its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jmespath

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def answer_of(target: Target, service: str, operation: str, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer to a request, named as boto3 names the client and its method. Raises ``ToolkitError``."""
    method = getattr(client(target, service), operation)
    with translated():
        answer: Mapping[str, Any] = method(**parameters)
    return answer


def value_in(document: Mapping[str, Any], expression: str) -> Any:
    """The value of a JMESPath expression; None where the document has none."""
    return jmespath.search(expression, document)
