"""Rows of ``teams``: access and limits change in place, and an edit of one team leaves the others as they are."""

from __future__ import annotations

from neuron_cluster.changes.rows.budgets import budget_rows
from neuron_cluster.changes.rows.namespaces import namespace_rows
from neuron_cluster.config.change_row import ChangeRow, FieldEffect

TEAM = "teams[]"
NAMESPACE = f"{TEAM}.namespaces[]"
QUOTA = f"{TEAM}.quota[]"
NEW_QUOTA = (
    "The ClusterQueue of the team and the one of the queue change in place. Jobs that run beyond a smaller quota "
    "continue until another team reclaims its devices."
)

ENTRIES = "Access entries are created and deleted; no pod stops."

TEAM_ROWS = (
    ChangeRow(
        "teams",
        FieldEffect.DISPOSABLE,
        "A team that is added gets its namespaces, access entries and queues. One that is removed loses them, except "
        "its namespaces, which stay in the cluster with their objects and labels; its jobs are stopped. Objects of "
        "other teams do not change. Slurm nodes, which have a user for each team, are replaced when their jobs end; "
        "with the first team their jobs lose the AWS credentials of the node.",
    ),
    ChangeRow(
        f"{TEAM}.name",
        FieldEffect.DISPOSABLE,
        "The team gets ClusterQueues and a Kubernetes group of the new name. A LocalQueue cannot move to another "
        "ClusterQueue: remove the namespaces in one deploy and list them with the new name in the next.",
    ),
    ChangeRow(f"{TEAM}.members", FieldEffect.DISPOSABLE, ENTRIES),
    ChangeRow(
        f"{TEAM}.permission_sets",
        FieldEffect.DISPOSABLE,
        f"{ENTRIES} A permission set that is added has none before `neuron-cluster lock` has pinned its role.",
    ),
    ChangeRow(
        f"{TEAM}.operators",
        FieldEffect.DISPOSABLE,
        f"{ENTRIES} The first operator creates a Role and two RoleBindings in each namespace of the team; without "
        "operators they are deleted.",
    ),
    ChangeRow(
        NAMESPACE.removesuffix("[]"),
        FieldEffect.DISPOSABLE,
        "A namespace that is added is made, with its queues, access and limits. One that is taken out stays in the "
        "cluster with its objects and labels; its queues, access and network policies are deleted.",
    ),
    *namespace_rows(NAMESPACE),
    ChangeRow(
        f"{TEAM}.quota",
        FieldEffect.IN_PLACE,
        NEW_QUOTA,
    ),
    ChangeRow(f"{QUOTA}.devices", FieldEffect.IN_PLACE, NEW_QUOTA),
    ChangeRow(f"{QUOTA}.borrow", FieldEffect.IN_PLACE, NEW_QUOTA),
    ChangeRow(f"{QUOTA}.lend", FieldEffect.IN_PLACE, NEW_QUOTA),
    ChangeRow(f"{QUOTA}.node_group", FieldEffect.IN_PLACE, NEW_QUOTA),
    *budget_rows(f"{TEAM}.budget", "resource of the team"),
    ChangeRow(
        f"{TEAM}.images",
        FieldEffect.DISPOSABLE,
        "The admission policy of the team is created, changed or deleted; no pod stops. New pods need an image of the "
        "list, also those that replace a pod that runs.",
    ),
    ChangeRow(
        f"{TEAM}.ebs_gib",
        FieldEffect.IN_PLACE,
        "The ResourceQuota of each namespace of the team changes. Volumes that exist stay; beyond a smaller limit no "
        "claim is created.",
    ),
    ChangeRow(f"{TEAM}.weight", FieldEffect.IN_PLACE, "The ClusterQueues of the team change; it applies at once."),
    ChangeRow(f"{TEAM}.contact", FieldEffect.NONE, "Nothing is deployed; `neuron-cluster onboard` writes it."),
    ChangeRow(f"{TEAM}.cost_owner", FieldEffect.NONE, "Nothing is deployed; `neuron-cluster onboard` writes it."),
)
