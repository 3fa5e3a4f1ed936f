"""The findings about what HyperPod and its account have, before and after a deploy."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

AFTER = {
    "E9589": (
        "After a deploy the HyperPod cluster and its instance groups are InService.",
        (
            "SageMaker rejects an update of a cluster that is not InService: the next deploy would fail, whatever it "
            "changes."
        ),
    ),
    "E9587": (
        "The quotas of SageMaker allow the instances of each type of HyperPod groups (`hyperpod.groups[].count`).",
        (
            "A cluster beyond a quota fails with ResourceLimitExceeded, after the EKS cluster and its software were "
            "created. The quotas are often 0 in a new account or Region."
        ),
    ),
    "W9588": (
        "Service Quotas lists the quota of each type of HyperPod groups (`hyperpod.groups[].instance_type`).",
        ("The preflight finds a quota by its name, since no source has its code: a type without one was not checked."),
    ),
    "E9592": (
        "A training plan of the file exists, and fits its groups (`hyperpod.groups[].capacity.plan_arn`).",
        (
            "SageMaker rejects a plan of another target or type when the cluster is made, after the EKS cluster; in "
            "another zone, or beyond its instances, no node ever starts."
        ),
    ),
    "W9596": (
        "The training plan of a group is active, and has the dates of the file (`hyperpod.groups[].capacity`).",
        (
            "HyperPod starts no node before the plan is active. Rules on time (W2214, W2215) compare with the dates of "
            "the file."
        ),
    ),
    "W9586": (
        "HyperPod has all nodes of its instance groups.",
        (
            "With continuous provisioning a deploy is complete before the nodes are there. Jobs wait, and HyperPod "
            "looks for capacity until it has the nodes."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the account and what is deployed", AFTER)
