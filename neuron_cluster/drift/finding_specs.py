"""Findings of `drift`, `diff` and `deploy` about changes that were made outside of CloudFormation."""

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
        "AWS returns the resources that `drift`, `diff` and `deploy` read.",
        "What was not read may have been changed: it is not known to be as deployed.",
    ),
    "W9597": (
        "What a deploy changes is as CloudFormation deployed it.",
        (
            "A resource that the edit updates or replaces was changed outside of CloudFormation. The deploy sets the "
            "property otherwise, or fails where the resource was deleted. `diff` and `deploy` read the resources that "
            "the edit changes; `drift` reads all."
        ),
    ),
    "W9598": (
        "Before a deploy, what protects data and access is as CloudFormation deployed it.",
        (
            "Public access, encryption, versions, deletion protection, a policy or a key was changed outside of "
            "CloudFormation, and the deploy does not put it back. `deploy` reads these of every bucket, key, security "
            "group, subnet, vault, log group, shared file system and cluster, and what the edit changes; `drift` reads "
            "all."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the account and what is deployed", OF_DRIFT)
