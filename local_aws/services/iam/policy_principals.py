"""Principals of policies of resources: a role or user of the caller's account has to exist.

AWS looks into other accounts, too; which identities those have is not known here. Service-linked roles are made with
the first use of their service, which is not emulated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.services.iam.policy_documents import statements
from local_aws.services.iam.policy_grammar import listed

IDENTITY = re.compile(r"arn:[a-z0-9-]+:iam::(?P<account>\d{12}):(role|user)/(?!aws-service-role/)\S+")


def unknown_principals(call: Call, document: Mapping[str, Any]) -> Iterator[str]:
    """Their ARNs, of a policy that has no fault."""
    iam = call.moto_backend("iam")
    known = {each.arn for each in (*iam.roles.values(), *iam.users.values())}
    for statement in statements(document):
        principal = statement.get("Principal", {})
        for arn in listed(principal.get("AWS", [])) if isinstance(principal, Mapping) else []:
            identity = IDENTITY.fullmatch(str(arn))
            if identity is not None and identity["account"] == call.account and arn not in known:
                yield arn
