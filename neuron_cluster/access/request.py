"""One request as IAM sees it: who asks for which action on which resource, with which condition keys.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-reqcontext.html
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Request(Struct, frozen=True):
    """``principal`` is the ARN of a role or user of the account that has the resource."""

    principal: str
    action: str
    resource: str
    context: Mapping[str, tuple[str, ...]] = {}
    """Values by condition key, in lower case, as IAM ignores the case of keys. A key without values is absent."""
    session: str = ""
    """The ARN of the session of the role: ``arn:aws:sts::…:assumed-role/…``."""

    @property
    def account(self) -> str:
        return self.principal.split(":")[4]

    def values(self, key: str) -> tuple[str, ...]:
        """Returns the values of a context key; empty where it is absent."""
        return self.context.get(key.lower(), ())


def request_context(keys: Mapping[str, str | tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Condition keys as ``Request`` has them, from keys as IAM's pages write them."""
    return {key.lower(): (values,) if isinstance(values, str) else values for key, values in keys.items()}
