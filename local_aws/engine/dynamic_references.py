"""``{{resolve:ssm:/path}}``: values that CloudFormation reads from another service when it uses them.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-ssm.html
"""

from __future__ import annotations

from typing import Any

from botocore.exceptions import ClientError

from local_aws.cloudformation.errors import invalid_template
from local_aws.engine.parameters import Clients

SERVICES = frozenset({"ssm", "ssm-secure"})


def dynamic_value(service: str, name: str, client: Clients) -> str:
    """The value of one reference to one of the services. Raises TemplateError when there is none."""
    try:
        found: Any = client("ssm").get_parameter(Name=name, WithDecryption=service == "ssm-secure")
    except ClientError as error:
        if error.response["Error"]["Code"] not in {"ParameterNotFound", "ParameterVersionNotFound"}:
            raise
        raise invalid_template(f"Parameters: [{service}:{name}] cannot be found.") from error
    return str(found["Parameter"]["Value"])
