"""Custom AWS endpoints in the user's environment variables or AWS configuration.

Source: https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import botocore.session
from botocore.exceptions import BotoCoreError

VARIABLE = "AWS_ENDPOINT_URL"
IGNORED = "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"


def configured_endpoints() -> dict[str, str]:
    """URL of each endpoint by its source: an environment variable, or a key of the AWS configuration file.

    Empty when none is set or all are ignored, or the configuration cannot be read: the first call reports that.
    """
    if os.environ.get(IGNORED, "").lower() == "true":
        return {}
    found = {name: url for name, url in sorted(os.environ.items()) if name.startswith(VARIABLE) and url}
    try:
        session = botocore.session.Session(include_builtin_handlers=False)  # it makes no client
        scoped, services = session.get_scoped_config(), session.full_config.get("services", {})
    except BotoCoreError:
        return found
    if str(scoped.get("ignore_configured_endpoint_urls", "")).lower() == "true":
        return found
    return found | dict(_of_file(scoped, services))


def _of_file(scoped: Mapping[str, Any], services: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if isinstance(url := scoped.get("endpoint_url"), str):
        yield "endpoint_url of the AWS configuration", url
    for service, settings in services.get(scoped.get("services", ""), {}).items():
        if isinstance(settings, dict) and isinstance(url := settings.get("endpoint_url"), str):
            yield f"endpoint_url of {service} in the AWS configuration", url
