"""Environment variables that bind the AWS tools to the local AWS and keep them from everything else."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from local_aws.run_secrets import secret_of

_REACHES_OUT = re.compile(r"AWS_.*|(HTTP|HTTPS|ALL|NO|FTP)_PROXY|BOTO_CONFIG", re.IGNORECASE)
"""Variables that choose credentials, endpoints, profiles or a way out of this machine."""


def sdk_variables(endpoint: str, account: str, region: str) -> dict[str, str]:
    """Returns the variables with which an SDK uses the local AWS at ``endpoint`` as this account: its secret, too.

    Static keys come before every other source of credentials; the empty configuration files and the refusal of
    the instance metadata service keep the SDKs from looking further.
    """
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": account,
        "AWS_SECRET_ACCESS_KEY": secret_of(endpoint),
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def local_environment(endpoint: str, account: str, region: str) -> dict[str, str]:
    """The variables that ``cdk``, the AWS CLI and boto3 need in addition to those of a user's shell."""
    return {
        **sdk_variables(endpoint, account, region),
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false",
        "AWS_PAGER": "",
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
    }


SIGNATURE = "X-Neuron-Cluster-Local-Aws"
"""Header of every answer, which AWS does not send."""

_IN_THE_WAY = (
    "AWS_PROFILE",
    "AWS_DEFAULT_PROFILE",
    "AWS_SESSION_TOKEN",
    "AWS_SECURITY_TOKEN",
    "AWS_USE_FIPS_ENDPOINT",
    "AWS_USE_DUALSTACK_ENDPOINT",
)
_ENDPOINT_OF_A_SERVICE = "AWS_ENDPOINT_URL_"


def in_the_way(environ: Mapping[str, str]) -> list[str]:
    """Variables that a shell must unset before those of ``local_environment`` hold.

    A profile and a session token win over static keys; FIPS and dual stack go with no endpoint of one's own; that of
    one service wins over that of all, and which services have one is seen in ``environ``.
    """
    return [*_IN_THE_WAY, *sorted(name for name in environ if name.startswith(_ENDPOINT_OF_A_SERVICE))]


def scrubbed(environ: Mapping[str, str], aws_variables: Mapping[str, str]) -> dict[str, str]:
    """``environ`` without any AWS or proxy variable of its own, plus ``aws_variables``.

    A service's own ``AWS_ENDPOINT_URL_<SERVICE>`` would win over ``AWS_ENDPOINT_URL``, a profile or a session
    token over the static keys: none of them survives.
    """
    retained = {name: value for name, value in environ.items() if not _REACHES_OUT.fullmatch(name)}
    return {**retained, **aws_variables}
