"""Service-linked roles that moto names otherwise than AWS, with the policy that they have."""

from __future__ import annotations

from typing import Any

from moto.iam.exceptions import EntityAlreadyExists
from moto.iam.models import IAMBackend

from local_aws.contract import Call
from local_aws.services.overrides import override

HYPERPOD = "hyperpod.sagemaker.amazonaws.com"
ROLES = {HYPERPOD: ("AWSServiceRoleForSageMakerHyperPod", "AmazonSageMakerHyperPodServiceRolePolicy")}
"""Name and policy by service. Source:
https://docs.aws.amazon.com/sagemaker/latest/dg/security-iam-awsmanpol-AmazonSageMakerHyperPodServiceRolePolicy.html"""


@override(IAMBackend, "create_service_linked_role")
def create_service_linked_role(original: Any, backend: Any, service_name: str, description: str, suffix: str) -> Any:
    if service_name not in ROLES:
        return original(service_name, description, suffix)
    name, policy = ROLES[service_name]
    if _has_role(backend, name):
        raise EntityAlreadyExists(f"Role with name {name} already exists.")
    role = original(service_name, description, suffix)
    role.name = name
    arns = [arn for arn in backend.managed_policies if arn.endswith(f"/{policy}")]
    for arn in arns:
        backend.attach_role_policy(arn, name)
    return role


def ensure_service_linked_role(call: Call, service: str) -> None:
    """Makes the role unless the account has it, as a service does when it is used first."""
    backend = call.moto_backend("iam")
    if not _has_role(backend, ROLES[service][0]):
        backend.create_service_linked_role(service, "", "")


def _has_role(backend: Any, name: str) -> bool:
    return any(role.name == name for role in backend.get_roles())
