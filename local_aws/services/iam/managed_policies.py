"""IAM: the policies that AWS manages, the same in every account. moto reads 1,600 documents again for each account."""

from __future__ import annotations

from typing import Any

from moto.iam.models import AWSManagedPolicy, IAMBackend

from local_aws.services.overrides import override

_read: dict[str, list[tuple[Any, str]]] = {}
"""Policies by partition, as moto makes them, with their ARNs; attached to nothing."""


class PolicyInAccount(AWSManagedPolicy):
    """A policy as one account has it: it counts its own attachments; all else was read once."""

    arn = ""

    @classmethod
    def of(cls, policy: AWSManagedPolicy, arn: str, account: str) -> PolicyInAccount:
        """Without a constructor of moto: an account has 1,600, and uses a few."""
        made = object.__new__(cls)
        made.__dict__ = {"policy": policy, "account_id": account, "arn": arn}
        return made

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["policy"], name)


@override(IAMBackend, "_init_aws_policies")
def managed_policies(original: Any, backend: Any) -> list[Any]:
    """A tenth of a second for the first account of a partition, a few milliseconds for each other."""
    if backend.partition not in _read:
        _read[backend.partition] = [(each, each.arn) for each in original()]
    return [PolicyInAccount.of(each, arn, backend.account_id) for each, arn in _read[backend.partition]]
