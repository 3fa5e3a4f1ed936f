"""``{{resolve:ssm:/path}}``: values that CloudFormation reads from another service when it uses them.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-ssm.html
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from neuron_cluster.local_aws.engine.template import invalid_template

DYNAMIC_REFERENCE = re.compile(r"\{\{resolve:([^:{}]+):([^{}]+)\}\}")


def with_dynamic_references(text: str, client: Callable[[str], Any]) -> str:
    """``text`` with every reference replaced. Raises ServiceError for one that this local AWS cannot follow."""

    def value(match: re.Match[str]) -> str:
        service, name = match.groups()
        if service not in {"ssm", "ssm-secure"}:
            raise invalid_template(
                f"Template error: this local AWS does not resolve dynamic references to {service}: {match[0]}"
            )
        try:
            found: str = client("ssm").get_parameter(Name=name, WithDecryption=service == "ssm-secure")["Parameter"][
                "Value"
            ]
        except ClientError as error:
            if error.response["Error"]["Code"] not in {"ParameterNotFound", "ParameterVersionNotFound"}:
                raise
            raise invalid_template(
                f"Parameters: [{match[0][2:-2].removeprefix('resolve:')}] cannot be found."
            ) from error
        return found

    return DYNAMIC_REFERENCE.sub(value, text)
