"""Rows of the change table: what an edit of each key of ``hyperpod.task_governance`` does."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect

KEY = "hyperpod.task_governance"
CLASSES = f"{KEY}.priority_classes"

TASK_GOVERNANCE_ROWS = (
    ChangeRow(
        KEY,
        FieldEffect.DISPOSABLE,
        "Adding it adds a stack with the add-on, and moves teams to the namespaces that HyperPod makes; in an "
        "environment with the toolkit's Kueue that ends first (E9085). Removing it deletes the compute quotas with the "
        "queues of all teams (W9086).",
        depends=True,
    ),
    ChangeRow(CLASSES, FieldEffect.IN_PLACE, "The cluster policy is updated; jobs that run keep their class."),
    ChangeRow(f"{CLASSES}[].name", FieldEffect.IN_PLACE, "Jobs that name the class of before are rejected."),
    ChangeRow(f"{CLASSES}[].weight", FieldEffect.IN_PLACE, "Jobs that wait are ranked by it from now on."),
    ChangeRow(f"{KEY}.fair_share", FieldEffect.IN_PLACE, "The cluster policy is updated."),
    ChangeRow(
        f"{KEY}.idle_resource_sharing",
        FieldEffect.IN_PLACE,
        "The cluster policy is updated, which takes HyperPod minutes at the first time. Without it jobs that borrow "
        "what is in no quota are stopped.",
    ),
)
