"""Findings of `drift`: one for each difference and for each call without an answer."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

OF_DRIFT = {
    "E9593": (
        "What protects data and access is as CloudFormation deployed it.",
        (
            "A resource was deleted, or a rule of a security group, a policy, an access entry, encryption or versions "
            "was changed outside of CloudFormation: a deploy of an unchanged template does not put it back."
        ),
    ),
    "W9594": (
        "Resources are as CloudFormation deployed them.",
        "A property was changed outside of CloudFormation: the next deploy sets it only when its template changes too.",
    ),
    "W9595": (
        "AWS returns every resource of the environment to `drift`.",
        "What was not read may have been changed: it is not known to be as deployed.",
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the account and what is deployed", OF_DRIFT)
