"""A stack's parameters: what was given, checked against what the template declares."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.template import Template
from local_aws.cloudformation.values import as_text

SSM_VALUE = re.compile(r"AWS::SSM::Parameter::Value<(.+)>")
MASK = "****"
Clients = Callable[[str], Any]
"""A boto3 client by the name of the service."""


class Parameter(Struct, frozen=True):
    """One parameter of a stack."""

    key: str
    text: str
    """As given: for a parameter of an SSM type, the name of the SSM parameter."""
    value: str | list[str]
    """The value of ``Ref``."""
    from_ssm: bool
    no_echo: bool

    def described(self) -> dict[str, Any]:
        """The form of DescribeStacks."""
        if self.no_echo:
            return {"ParameterKey": self.key, "ParameterValue": MASK}
        described = {"ParameterKey": self.key, "ParameterValue": self.text}
        if self.from_ssm:
            described["ResolvedValue"] = self.value if isinstance(self.value, str) else ",".join(self.value)
        return described


def bind_parameters(
    template: Template, given: Iterable[Mapping[str, Any]], previous: Mapping[str, Parameter], client: Clients
) -> dict[str, Parameter]:
    """The value of every declared parameter: given, previous, or default.

    ``given`` is the API's list; ``client`` makes clients of services. Raises TemplateError ``ValidationError``.
    """
    texts: dict[str, str] = {}
    for parameter in given:
        key = parameter["ParameterKey"]
        if parameter.get("UsePreviousValue"):
            if key not in previous:
                raise TemplateError("no_previous_value", key=key)
            texts[key] = previous[key].text
        else:
            texts[key] = parameter.get("ParameterValue", "")
    undeclared = sorted(set(texts) - set(template.parameters))
    if undeclared:
        raise TemplateError("undeclared_parameters", keys=", ".join(undeclared))
    for key, declaration in template.parameters.items():
        if key not in texts and "Default" in declaration:
            texts[key] = as_text(declaration["Default"])
    missing = [key for key in template.parameters if key not in texts]
    if missing:
        raise TemplateError("missing_parameters", keys=", ".join(missing))
    return {key: _bound(key, texts[key], declaration, client) for key, declaration in template.parameters.items()}


def _bound(key: str, text: str, declaration: Mapping[str, Any], client: Clients) -> Parameter:
    parameter_type = str(declaration.get("Type", "String"))
    from_ssm = SSM_VALUE.fullmatch(parameter_type)
    _check(key, text, parameter_type, declaration)
    value: str | list[str] = _ssm_value(client, text) if from_ssm else text
    value_type = from_ssm[1] if from_ssm else parameter_type
    if value_type == "CommaDelimitedList" or value_type.startswith("List<"):
        value = [part.strip() for part in str(value).split(",")] if value else []
    no_echo = as_text(declaration.get("NoEcho", "false")) == "true"
    return Parameter(key, text, value, from_ssm is not None, no_echo)


def _ssm_value(client: Clients, name: str) -> str:
    try:
        value: str = client("ssm").get_parameter(Name=name, WithDecryption=False)["Parameter"]["Value"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ParameterNotFound":
            raise
        raise TemplateError("parameter_store", name=name) from error
    return value


def _check(key: str, text: str, parameter_type: str, declaration: Mapping[str, Any]) -> None:
    violation = _violation(text, parameter_type, declaration)
    if violation is not None:
        explained = declaration.get("ConstraintDescription")
        reason = f"failed to satisfy constraint: {explained}" if explained else violation
        raise TemplateError("parameter", key=key, reason=reason)


def _violation(text: str, parameter_type: str, declaration: Mapping[str, Any]) -> str | None:
    """The constraint that the value does not meet."""
    allowed = [as_text(value) for value in declaration.get("AllowedValues", ())]
    is_list = parameter_type in {"CommaDelimitedList", "List<Number>"}
    values = [part.strip() for part in text.split(",")] if is_list and text else [text]
    pattern = declaration.get("AllowedPattern")
    if allowed and any(value not in allowed for value in values):
        return f"must be one of AllowedValues [{', '.join(allowed)}]"
    if pattern and not re.fullmatch(pattern, text):
        return f"must match pattern {pattern}"
    if len(text) < int(declaration.get("MinLength", 0)):
        return f"must contain at least {declaration['MinLength']} characters"
    if "MaxLength" in declaration and len(text) > int(declaration["MaxLength"]):
        return f"must contain at most {declaration['MaxLength']} characters"
    if parameter_type not in {"Number", "List<Number>"} or (is_list and not text):
        return None
    violations = (_number_violation(value, declaration, is_list=is_list) for value in values)
    return next(filter(None, violations), None)


def _number_violation(text: str, declaration: Mapping[str, Any], *, is_list: bool) -> str | None:
    try:
        number = float(text)
    except ValueError:
        # Source: inferred: the words for a list.
        return "must be a list of numbers." if is_list else "must be a number."
    if number < float(declaration.get("MinValue", "-inf")):
        return f"must be a number not less than {declaration['MinValue']}"
    if number > float(declaration.get("MaxValue", "inf")):
        return f"must be a number not greater than {declaration['MaxValue']}"
    return None
