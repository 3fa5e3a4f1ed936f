"""Rows of the change table: what an edit of each key of ``hyperpod`` does."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.findings.commands import Command
from neuron_cluster.providers.hyperpod.changes.task_governance_rows import TASK_GOVERNANCE_ROWS

GROUPS = "hyperpod.groups[]"
REPLACED = "HyperPod fixes it at creation: a group under another name is made, and the old one deleted with its nodes."
SCALED = "The group is scaled; of a group that shrinks HyperPod chooses the nodes that end, with their pods."
CAPACITY = (
    "From or to Spot the group is replaced by one of another name; between on demand and a training plan new nodes "
    "start in the other capacity, and those that run stay."
)
NEW_NODES = "Nodes that are added from now on have the volume."
CONTROLLER = "No update replaces the controller: jobs that wait and accounting are on it. A deploy stops (E9088)."
BLOCK = "Nothing: `validate` and `plan` compare it with a day."
ON_NODES = "Changes on the nodes that run."

HYPERPOD_ROWS = (
    ChangeRow(
        "hyperpod",
        FieldEffect.PUBLISHED,
        "Adding it adds a stack, and charts learn the types of its nodes first. Removing it would leave the cluster "
        "running, in no file.",
        f"First `{Command.DESTROY}`, which deletes the EKS cluster too, with everything in Kubernetes, and keeps "
        "storage and network; then deploy the file without `hyperpod`.",
        depends=True,
    ),
    ChangeRow(
        "hyperpod.slurm",
        FieldEffect.PUBLISHED,
        "HyperPod fixes the orchestrator: adding or removing it would replace the cluster.",
        f"First `{Command.DESTROY}`, which keeps storage and network; then deploy the edited file.",
    ),
    ChangeRow("hyperpod.slurm.controller", FieldEffect.DISPOSABLE, CONTROLLER),
    ChangeRow("hyperpod.slurm.controller.instance_type", FieldEffect.DISPOSABLE, CONTROLLER),
    ChangeRow("hyperpod.slurm.controller.extra_volume", FieldEffect.IN_PLACE, NEW_NODES),
    ChangeRow("hyperpod.slurm.controller.extra_volume.size_gib", FieldEffect.IN_PLACE, NEW_NODES),
    ChangeRow("hyperpod.slurm.login", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow("hyperpod.slurm.login.instance_type", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow("hyperpod.slurm.login.count", FieldEffect.IN_PLACE, SCALED),
    ChangeRow("hyperpod.slurm.login.count.desired", FieldEffect.IN_PLACE, SCALED),
    ChangeRow("hyperpod.slurm.login.extra_volume", FieldEffect.IN_PLACE, NEW_NODES),
    ChangeRow("hyperpod.slurm.login.extra_volume.size_gib", FieldEffect.IN_PLACE, NEW_NODES),
    ChangeRow("hyperpod.node_recovery", FieldEffect.IN_PLACE, "HyperPod repairs nodes from now on, or labels them."),
    ChangeRow(
        "hyperpod.continuous",
        FieldEffect.IN_PLACE,
        "HyperPod provisions nodes the other way from now on. No source states that it accepts the change (W9084).",
    ),
    *TASK_GOVERNANCE_ROWS,
    ChangeRow(
        "hyperpod.job_auto_resume",
        FieldEffect.IN_PLACE,
        "The training operator is installed, or uninstalled with its namespace kubeflow and what is in it: PyTorchJobs "
        "of other namespaces and their pods stay, but no pod starts again.",
    ),
    ChangeRow(
        "hyperpod.groups",
        FieldEffect.DISPOSABLE,
        "A group that is added is made; one that is taken out is deleted with its nodes and their pods.",
    ),
    ChangeRow(f"{GROUPS}.name", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(
        f"{GROUPS}.instance_type",
        FieldEffect.DISPOSABLE,
        "No source states that HyperPod accepts another type of a group: a group under another name is made, and the "
        "old one deleted with its nodes.",
    ),
    ChangeRow(f"{GROUPS}.count", FieldEffect.IN_PLACE, SCALED),
    ChangeRow(f"{GROUPS}.count.desired", FieldEffect.IN_PLACE, SCALED),
    ChangeRow(
        f"{GROUPS}.count.min", FieldEffect.IN_PLACE, "Nothing on nodes that run: HyperPod keeps the number from now on."
    ),
    ChangeRow(f"{GROUPS}.capacity", FieldEffect.DISPOSABLE, CAPACITY, depends=True),
    ChangeRow(f"{GROUPS}.capacity.kind", FieldEffect.DISPOSABLE, CAPACITY, depends=True),
    ChangeRow(f"{GROUPS}.capacity.plan_arn", FieldEffect.IN_PLACE, "New nodes start in the other training plan."),
    ChangeRow(f"{GROUPS}.capacity.starts", FieldEffect.NONE, BLOCK),
    ChangeRow(f"{GROUPS}.capacity.ends", FieldEffect.NONE, BLOCK),
    ChangeRow(f"{GROUPS}.availability_zone", FieldEffect.DISPOSABLE, REPLACED),
    ChangeRow(
        f"{GROUPS}.deep_health_checks",
        FieldEffect.IN_PLACE,
        "Nodes that are added or replaced from now on are checked. With the first check the group loses its taints.",
    ),
    ChangeRow(f"{GROUPS}.labels", FieldEffect.IN_PLACE, ON_NODES),
    ChangeRow(f"{GROUPS}.taints", FieldEffect.IN_PLACE, ON_NODES),
    ChangeRow(f"{GROUPS}.taints[].key", FieldEffect.IN_PLACE, ON_NODES),
    ChangeRow(f"{GROUPS}.taints[].value", FieldEffect.IN_PLACE, ON_NODES),
    ChangeRow(f"{GROUPS}.taints[].effect", FieldEffect.IN_PLACE, ON_NODES),
    ChangeRow(f"{GROUPS}.team", FieldEffect.NONE, "Nothing: HyperPod has no tags for the instances of a group."),
    ChangeRow(
        f"{GROUPS}.queue",
        FieldEffect.IN_PLACE,
        "A label changes on the nodes that run, and the group's devices count for the other queue. With Slurm HyperPod "
        "moves the nodes to the other partition.",
    ),
    ChangeRow(
        f"{GROUPS}.network_topology",
        FieldEffect.DISPOSABLE,
        "The queue gets another ResourceFlavor for the group: change it while no job of the queue runs.",
    ),
    ChangeRow(f"{GROUPS}.extra_volume", FieldEffect.IN_PLACE, NEW_NODES),
    ChangeRow(
        f"{GROUPS}.extra_volume.size_gib", FieldEffect.IN_PLACE, "Nodes that are added from now on have the volume."
    ),
    ChangeRow(
        f"{GROUPS}.ami_release",
        FieldEffect.IN_PLACE,
        "Another release replaces the root volumes of nodes that run, without a drain: their pods end (W9083). "
        "Without the key they keep what they have.",
    ),
    ChangeRow(f"{GROUPS}.software_updates", FieldEffect.IN_PLACE, "Nothing before the next scheduled update."),
    ChangeRow(f"{GROUPS}.software_updates.schedule", FieldEffect.IN_PLACE, "Nothing before the next scheduled update."),
    ChangeRow(
        f"{GROUPS}.software_updates.batch_percent", FieldEffect.IN_PLACE, "Nothing before the next scheduled update."
    ),
    ChangeRow(
        f"{GROUPS}.software_updates.wait_minutes", FieldEffect.IN_PLACE, "Nothing before the next scheduled update."
    ),
    ChangeRow(
        f"{GROUPS}.software_updates.rollback_alarms", FieldEffect.IN_PLACE, "Nothing before the next scheduled update."
    ),
)
