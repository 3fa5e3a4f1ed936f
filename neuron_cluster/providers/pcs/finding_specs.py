"""The findings about what PCS has after a deploy."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

AFTER = {
    "E9560": (
        "After a deploy the PCS cluster, its compute node groups and its queues are ACTIVE.",
        (
            "PCS rejects each update of a cluster while one of its groups or queues is not ACTIVE: the next deploy "
            "would fail, whatever it changes."
        ),
    ),
    "W9568": (
        "A login node is ready after a deploy, and when `list` looks: its agent is connected to Systems Manager.",
        (
            "The stack is complete before the first node has started. Until then it is not known whether nodes of the "
            "cluster start."
        ),
    ),
    "E9569": (
        "Login nodes start, and stay.",
        (
            "They run the same start script as all nodes. Where it fails PCS ends the instance and starts another one, "
            "again and again; each is billed, and no job runs."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the account and what is deployed", AFTER)
