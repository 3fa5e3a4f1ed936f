"""``{{resolve:ssm:/path}}``: values that CloudFormation reads from another service when it uses them."""

from __future__ import annotations

import json
from typing import Any

from botocore.exceptions import ClientError

from local_aws.cloudformation.errors import TemplateError
from local_aws.engine.parameters import Clients

SERVICES = frozenset({"ssm", "secretsmanager"})
ARN_PARTS = 7
"""Parts of a secret's ARN between its colons."""


def dynamic_value(service: str, name: str, client: Clients) -> str:
    """The value of one reference to one of the services. Raises TemplateError when there is none."""
    if service == "secretsmanager":
        return _secret_value(name, client)
    try:
        found: Any = client("ssm").get_parameter(Name=name)
    except ClientError as error:
        if error.response["Error"]["Code"] not in {"ParameterNotFound", "ParameterVersionNotFound"}:
            raise
        raise TemplateError("no_parameter", service=service, name=name) from error
    return str(found["Parameter"]["Value"])


def _secret_value(reference: str, client: Clients) -> str:
    """Of ``secret-id:SecretString:json-key:version-stage:version-id``; all but the first may be absent or empty."""
    parts = reference.split(":")
    id_parts = ARN_PARTS if parts[0] == "arn" else 1
    kind, key, stage, version, *rest = [*parts[id_parts:], "", "", "", ""][: max(4, len(parts) - id_parts)]
    if rest or kind not in {"", "SecretString"} or (stage and version):
        raise TemplateError("secret_format", reference=reference)
    wanted = {"VersionStage": stage, "VersionId": version}
    secret_id = ":".join(parts[:id_parts])
    try:
        found = client("secretsmanager").get_secret_value(
            SecretId=secret_id, **{name: value for name, value in wanted.items() if value}
        )
    except ClientError as error:
        described = error.response["Error"]
        raise TemplateError("secret", reason=described["Message"], code=described["Code"]) from error
    text = str(found.get("SecretString", ""))
    return _member(text, key) if key else text


def _member(text: str, key: str) -> str:
    try:
        members = json.loads(text)
    except ValueError as error:
        raise TemplateError("secret_json") from error
    if not isinstance(members, dict) or key not in members:
        raise TemplateError("secret_key")
    return members[key] if isinstance(members[key], str) else json.dumps(members[key])
