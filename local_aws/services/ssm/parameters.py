"""Parameters: values that fit their pattern, and public ones, which are AWS's own and the same for every account."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from moto.core.utils import utcnow
from moto.ssm.models import Parameter, ParameterDict, SimpleSystemManagerBackend

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.ec2.public_images import public_images
from local_aws.services.overrides import override

PUBLIC = "/aws/service/"
RECORDED = ("ami-amazon-linux-latest", "ecs/optimized-ami")
"""Folders that moto has; it reads each one when something in it is asked for."""
NOBODY = ""
"""The account in the ARN of a public parameter."""
HAS_IMAGES = "has_public_images"
"""An attribute of moto's parameters of a Region: moto asks for every name whether it may have to read more."""


@guard("ssm", "PutParameter")
def require_allowed_value(call: Call) -> None:
    value, pattern = call.parameters["Value"], call.parameters.get("AllowedPattern")
    items = value.split(",") if call.parameters.get("Type") == "StringList" else [value]
    if pattern and not all(re.search(pattern, item) for item in items):
        raise api_error("ssm.parameter_pattern", pattern=pattern)


@guard("ssm", "PutParameter")
def require_same_kind(call: Call) -> None:
    """Type and tier of a parameter that is overwritten."""
    versions = call.moto_backend("ssm")._parameters.get(call.parameters["Name"])  # noqa: SLF001 - moto's own table
    if not versions or not call.parameters.get("Overwrite"):
        return
    if call.parameters.get("Type", versions[-1].parameter_type) != versions[-1].parameter_type:
        raise api_error("ssm.parameter_type_changed")
    if call.parameters.get("Tier") == "Standard" and versions[-1].tier == "Advanced":
        raise api_error("ssm.parameter_tier_back")


@override(ParameterDict, "_check_loading_status")
def load_parameters(original: Any, parameters: Any, key: Any) -> None:
    """Reads what the name, or the folder above several of moto's, may mean."""
    original(key)
    asked = f"{key}/"
    if not asked.startswith(PUBLIC):
        return
    for folder in RECORDED:
        if f"{PUBLIC}{folder}/".startswith(str(key)):
            original(f"{PUBLIC}{folder}/")
    if HAS_IMAGES not in vars(parameters):
        _add_images(parameters)
        vars(parameters)[HAS_IMAGES] = True  # last: another thread that asks meanwhile adds them too


def _add_images(parameters: Any) -> None:
    for image in public_images(parameters.region_name):
        for name, value in image.parameters.items():
            if not dict.__contains__(parameters, name):
                dict.__setitem__(parameters, name, [_parameter(name, value, image.data_type)])


@override(ParameterDict, "_load_latest_amis")
def load_recorded_list(original: Any, parameters: Any) -> None:
    original()
    _as_public(parameters)


@override(ParameterDict, "_load_tree_parameters")
def load_recorded_tree(original: Any, parameters: Any, path: str) -> None:
    original(path)
    _as_public(parameters)


def _as_public(parameters: Any) -> None:
    """Corrects what moto recorded: a value in several parts is a JSON text, and no account stands in an ARN."""
    for name, versions in parameters.items():
        if name.startswith(PUBLIC):
            for parameter in versions:
                parameter.account_id = NOBODY
                if isinstance(parameter.value, dict):
                    parameter.value = json.dumps(parameter.value)


def _parameter(name: str, value: str, data_type: str) -> Any:
    return Parameter(  # type: ignore[abstract]  # moto makes its own in this way too
        account_id=NOBODY,
        name=name,
        value=value,
        parameter_type="String",
        description=None,
        allowed_pattern=None,
        keyid=None,
        last_modified_date=utcnow(),
        version=1,
        data_type=data_type,
    )


@override(ParameterDict, "get_keys_beginning_with")
def names_in(original: Any, parameters: Any, path: str, recursive: bool) -> Iterator[str]:
    """Public parameters are found in their own folders only, not from the root."""
    del parameters
    return (name for name in original(path, recursive) if path.startswith("/aws/") or not name.startswith(PUBLIC))


@override(SimpleSystemManagerBackend, "describe_parameters")
def describe_parameters(original: Any, backend: Any, *arguments: Any, **options: Any) -> list[Any]:
    """Returns the parameters of the account."""
    del backend
    return [parameter for parameter in original(*arguments, **options) if not parameter.name.startswith(PUBLIC)]
