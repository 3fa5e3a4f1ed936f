"""IAM: the policies that AWS manages, the same in every account. moto reads 1,600 documents anew for each account."""

from __future__ import annotations

from typing import Any

from moto.iam.models import AWSManagedPolicy, IAMBackend

from local_aws.services.overrides import override

_read: dict[str, list[Any]] = {}
"""By partition, as moto makes them; attached to nothing."""


class PolicyInAccount(AWSManagedPolicy):
    """A policy as one account has it: it counts its own attachments; all else was read once."""

    arn = ""

    def __init__(self, policy: AWSManagedPolicy, account: str) -> None:
        self.policy = policy
        self.account_id = account
        self.arn = policy.arn

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["policy"], name)


@override(IAMBackend, "_init_aws_policies")
def managed_policies(original: Any, backend: Any) -> list[Any]:
    """A tenth of a second for the first account of a partition, a few milliseconds for each other."""
    if backend.partition not in _read:
        _read[backend.partition] = original()
    shared = _read[backend.partition]
    return [PolicyInAccount(each, backend.account_id) for each in shared]  # type: ignore[abstract]  # as moto's are
