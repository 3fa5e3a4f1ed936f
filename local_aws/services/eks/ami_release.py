"""AMI release versions of managed node groups: ``<Kubernetes patch>-<date>``, or the release of Bottlerocket."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.handlers.service_resource import ignore_not_found
from local_aws.knowledge.current import knowledge, why_impossible
from local_aws.knowledge.rows import AmiType
from local_aws.service import Call
from local_aws.services.ec2.public_images import RELEASE_PARAMETER, beside


def release_version(call: Call, ami_type_name: str, kubernetes_version: str, wanted: str | None) -> str | None:
    """The release that nodes get: the wanted one, else the newest that the public parameter tells.

    None when the catalog or SSM does not know it: an AMI type without a published parameter here.
    """
    row = knowledge().ami_types.get(ami_type_name)
    if wanted is None:
        return _newest(call, row, kubernetes_version) if row is not None and row.is_published else None
    names_kubernetes = row is None or row.release_version_parameter_pattern is not None
    is_of_version = wanted.startswith(f"{kubernetes_version}.")
    if names_kubernetes and not (is_of_version and why_impossible(wanted) is None):
        raise api_error("eks.release_version", release=wanted, version=kubernetes_version)
    return wanted


def _newest(call: Call, row: AmiType, kubernetes_version: str) -> str | None:
    if row.release_version_parameter_pattern is None:
        parameter = beside(row.ssm_parameter(kubernetes_version), RELEASE_PARAMETER)
    else:
        parameter = row.release_version_parameter(kubernetes_version)
    with ignore_not_found():
        return str(call.client("ssm").get_parameter(Name=parameter)["Parameter"]["Value"])
    return None
