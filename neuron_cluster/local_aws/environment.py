"""Environment variables that bind the AWS tools to the local AWS and keep them from everything else."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

_REACHES_OUT = re.compile(r"AWS_.*|(HTTP|HTTPS|ALL|NO|FTP)_PROXY|BOTO_CONFIG", re.IGNORECASE)
"""Variables that choose credentials, endpoints, profiles or a way out of this machine."""


def local_environment(endpoint: str, account: str, region: str) -> dict[str, str]:
    """What ``cdk``, the AWS CLI and boto3 need to use the local AWS at ``endpoint`` as this account.

    Static keys come before every other source of credentials; the empty configuration files and the refusal of
    the instance metadata service keep the SDKs from looking further.
    """
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false",
        "AWS_ACCESS_KEY_ID": account,
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_PAGER": "",
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
    }


def scrubbed(environ: Mapping[str, str], aws_variables: Mapping[str, str]) -> dict[str, str]:
    """``environ`` without any AWS or proxy variable of its own, plus ``aws_variables``.

    A service's own ``AWS_ENDPOINT_URL_<SERVICE>`` would win over ``AWS_ENDPOINT_URL``, a profile or a session
    token over the static keys: none of them survives.
    """
    kept = {name: value for name, value in environ.items() if not _REACHES_OUT.fullmatch(name)}
    return {**kept, **aws_variables}
