"""IAM: the policies that AWS manages, the same in every account. moto reads 1,600 documents anew for each account."""

from __future__ import annotations

from typing import Any

from moto.iam.models import IAMBackend

from neuron_cluster.local_aws.operations.overrides import override

_read: dict[str, list[Any]] = {}
"""By partition, as moto makes them; attached to nothing."""


@override(IAMBackend, "_init_aws_policies")
def managed_policies(original: Any, backend: Any) -> list[Any]:
    """Each account counts its own attachments, so each has its own copy; the documents are shared."""
    if backend.partition not in _read:
        _read[backend.partition] = original()
    return [_of_account(policy, backend.account_id) for policy in _read[backend.partition]]


def _of_account(policy: Any, account: str) -> Any:
    """A shallow copy, in a fifth of the time that ``copy.copy`` takes."""
    own = object.__new__(type(policy))
    own.__dict__ = {**policy.__dict__, "account_id": account}
    return own
