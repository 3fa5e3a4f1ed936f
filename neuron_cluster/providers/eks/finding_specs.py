"""The findings about what EKS has, before and after a deploy."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

BEFORE = {
    "E9552": (
        "The IAM principals of `eks.access` and `teams` exist in the account.",
        (
            "EKS rejects an access entry for a role or user that IAM does not have, with the path of its ARN, about "
            "twelve minutes into the deploy: the stack of the cluster rolls back. Principals of other accounts are "
            "not looked up. The role of a permission set is deleted with its last assignment to the account, and a "
            "new one has another name: `neuron-cluster lock` pins it."
        ),
    ),
}
AFTER = {
    "E9523": (
        "After a deploy every node group is ACTIVE.",
        "EKS accepts a new size before its nodes run: the stack succeeds, the group is DEGRADED and has health issues.",
    ),
    "E9532": (
        "After a deploy each node group has the size of the file.",
        (
            "CloudFormation sends a size only when the template's has changed. A size that EKS (before the end of a "
            "block) or a person has changed since stays: a paid block would run no node, without an error."
        ),
    ),
    "W9505": (
        "After a deploy EKS reports no issue of a node group that is ACTIVE, and every managed add-on is ACTIVE.",
        "The group has enough nodes to be ACTIVE, and EKS keeps retrying; a group that is DEGRADED is E9523.",
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    chapter = "9: edits and deploys"
    return (
        *specs_of_table(chapter, "the account, before anything is built", BEFORE),
        *specs_of_table(chapter, "the account and what is deployed", AFTER),
    )
