"""Identifiers that EKS gives: ARNs, ids, endpoint and issuer addresses."""

from __future__ import annotations

import functools
import re
import secrets
import string
import uuid
from collections.abc import Mapping
from typing import Any

import botocore.session
from botocore.exceptions import UnknownRegionError

from local_aws.clients import partition_of
from local_aws.contract import Call

ID_LENGTH = 17


@functools.cache
def _partitions() -> list[Mapping[str, Any]]:
    """botocore's rows."""
    return list(botocore.session.Session().get_data("partitions")["partitions"])


def dns_suffix_of(region: str) -> str:
    """``amazonaws.com``, or the partition's own. Raises UnknownRegionError for a Region that fits no partition."""
    for row in _partitions():
        if re.fullmatch(row["regionRegex"], region):
            return str(row["outputs"]["dnsSuffix"])
    # Source: this local AWS knows the Regions of the partitions that botocore knows.
    raise UnknownRegionError(region_name=region, error_msg="No partition found for provided region_name.")


def eks_arn(call: Call, kind: str, *parts: str) -> str:
    """``arn:aws:eks:<region>:<account>:<kind>/<part>/<part>``."""
    return f"arn:{partition_of(call.region)}:eks:{call.region}:{call.account}:{'/'.join((kind, *parts))}"


def access_policy_arn(call: Call, name: str) -> str:
    return f"arn:{partition_of(call.region)}:eks::aws:cluster-access-policy/{name}"


def new_uuid() -> str:
    return str(uuid.uuid4())


def new_id(length: int = ID_LENGTH) -> str:
    """Lower-case letters and digits, as in ``a-…`` of a Pod Identity association."""
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(length))


def new_cluster_hash() -> str:
    """32 upper-case hexadecimal digits: the host name of the endpoint and the path of the OIDC issuer."""
    return secrets.token_hex(16).upper()


def endpoint_address(call: Call, cluster_hash: str) -> str:
    return f"https://{cluster_hash}.gr7.{call.region}.eks.{dns_suffix_of(call.region)}"


def issuer_address(call: Call, cluster_hash: str) -> str:
    return f"https://oidc.eks.{call.region}.{dns_suffix_of(call.region)}/id/{cluster_hash}"
