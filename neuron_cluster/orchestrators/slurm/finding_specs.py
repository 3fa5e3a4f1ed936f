"""The finding about what PCS has after a deploy."""

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
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the account and what is deployed", AFTER)
