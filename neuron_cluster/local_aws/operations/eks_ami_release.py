"""AMI release versions of managed node groups: ``<Kubernetes patch>-<date>``."""

from __future__ import annotations

from botocore.exceptions import ClientError

from neuron_cluster.catalog.ami_type import ami_type
from neuron_cluster.local_aws.operations.eks_refusals import invalid_parameter
from neuron_cluster.local_aws.service import Call


def release_version(call: Call, ami_type_name: str, kubernetes_version: str, wanted: str | None) -> str | None:
    """The release that nodes get: the wanted one, else the newest that the public parameter tells.

    None when the catalog or SSM does not know it: an AMI type without a published parameter here.
    """
    if wanted is None:
        return _newest(call, ami_type_name, kubernetes_version)
    if not wanted.startswith(f"{kubernetes_version}."):
        raise invalid_parameter(
            f"Requested release version {wanted} is not valid for kubernetes version {kubernetes_version}."
        )
    return wanted


def _newest(call: Call, ami_type_name: str, kubernetes_version: str) -> str | None:
    row = ami_type(ami_type_name)
    if row is None:
        return None
    try:
        answer = call.client("ssm").get_parameter(Name=row.release_version_parameter(kubernetes_version))
    except ClientError as error:
        if error.response["Error"]["Code"] != "ParameterNotFound":
            raise
        return None
    value: str = answer["Parameter"]["Value"]
    return value
