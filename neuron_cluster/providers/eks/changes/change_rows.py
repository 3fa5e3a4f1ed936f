"""Rows of the change table: what an edit of each key of ``eks`` does."""

from __future__ import annotations

from neuron_cluster.changes.rows.machine import ROLLED, machine_rows
from neuron_cluster.changes.rows.namespaces import namespace_rows
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.findings.commands import Command

GROUPS = "eks.node_groups[]"
NAMESPACES = "eks.namespaces[]"
TAINTED = (
    "Taints change on the nodes that run: a new one with no_execute evicts running pods that do not tolerate it; the "
    "other effects leave them."
)
TOLERATED = (
    "Device plugins and monitors of the toolkit tolerate the taints of all Neuron groups, and jobs that a queue admits "
    "and charts that are rendered afterwards those of their own group. No pod but those of drivers tolerates a startup "
    "taint. Pods that exist, and those that a chart installed before makes again, keep their tolerations: render the "
    "chart and install it again."
)
ADDON = "Installs or removes the add-on; pods that need it stop working without it."
VOLUMES = "Installs or removes the driver; without it no pod can mount its volumes, whose data stays."
METRICS = "Installs or removes the add-on; metrics that were sent stay."
WITH_KINDS = (
    "Installs or removes the chart with its custom resource definitions: their objects are "
    "deleted too, with their pods."
)

EKS_ROWS = (
    ChangeRow(
        "eks",
        FieldEffect.PUBLISHED,
        "Adding it adds the stacks of the cluster. Removing it would leave the cluster running, in no file.",
        f"First `{Command.DESTROY}`, which keeps storage and network; then deploy the file without `eks`.",
        depends=True,
    ),
    ChangeRow(
        "eks.version",
        FieldEffect.PUBLISHED,
        "The control plane is updated in place, one minor at a time, never down, and the node groups follow; the layer "
        "with kubectl and helm of the deploy function is replaced.",
        f"Write a lock for the new version first (`{Command.LOCK}`), so that add-ons follow (E9020). Deploy "
        "each minor version in between; to go down, build a second environment under another name.",
        depends=True,
    ),
    ChangeRow("eks.endpoint", FieldEffect.IN_PLACE, "The endpoint of the control plane changes within minutes."),
    ChangeRow("eks.endpoint.access", FieldEffect.IN_PLACE, "The endpoint becomes public or private."),
    ChangeRow("eks.endpoint.public_access_cidrs", FieldEffect.IN_PLACE, "Other addresses may use the public endpoint."),
    ChangeRow("eks.access", FieldEffect.DISPOSABLE, "Access entries are created or deleted; see its fields."),
    ChangeRow(
        "eks.access.admins", FieldEffect.DISPOSABLE, "Access entries are created or deleted; others keep theirs."
    ),
    ChangeRow(
        "eks.access.viewers", FieldEffect.DISPOSABLE, "Access entries are created or deleted; others keep theirs."
    ),
    ChangeRow(
        "eks.namespaces",
        FieldEffect.DISPOSABLE,
        "A namespace that is added is made, with its queues. One that is taken out stays in the cluster with its "
        "objects and labels; its LocalQueues are deleted: jobs that run continue, those that wait are no longer "
        "admitted. `kubectl delete namespace NAME` deletes it with everything in it.",
    ),
    *namespace_rows(NAMESPACES),
    ChangeRow(
        "eks.service_cidr",
        FieldEffect.PUBLISHED,
        "The cluster would be replaced: EKS fixes the addresses of services at creation.",
        f"First `{Command.DESTROY}`, which keeps storage and network; then deploy the edited file.",
    ),
    ChangeRow(
        "eks.node_groups",
        FieldEffect.DISPOSABLE,
        "A group that is added is made, one that is taken out is drained and removed. Up to 50 groups the order means "
        "nothing; of more, each fifty have a stack of their own, and an edit that moves a group to another is blocked.",
        depends=True,
    ),
    ChangeRow(
        f"{GROUPS}.name",
        FieldEffect.DISPOSABLE,
        "A group of the new name is made, then the old one drained and removed.",
    ),
    *machine_rows(GROUPS),
    ChangeRow(f"{GROUPS}.labels", FieldEffect.IN_PLACE, "Labels change on the nodes that run."),
    ChangeRow(f"{GROUPS}.taints", FieldEffect.IN_PLACE, f"{TAINTED} {TOLERATED}"),
    ChangeRow(f"{GROUPS}.taints[].key", FieldEffect.IN_PLACE, TAINTED),
    ChangeRow(f"{GROUPS}.taints[].value", FieldEffect.IN_PLACE, TAINTED),
    ChangeRow(f"{GROUPS}.taints[].effect", FieldEffect.IN_PLACE, TAINTED),
    ChangeRow(f"{GROUPS}.team", FieldEffect.IN_PLACE, f"A tag of instances: {ROLLED}."),
    ChangeRow(
        f"{GROUPS}.queue",
        FieldEffect.IN_PLACE,
        "A label changes on the nodes that run, and the group's devices count for the other queue. A queue that no "
        "group names any more is deleted: its jobs are stopped, and stay suspended until the queue is created again "
        "or they get another queue's label.",
    ),
    ChangeRow(
        f"{GROUPS}.network_topology",
        FieldEffect.DISPOSABLE,
        "The queue gets another ResourceFlavor for the group. Jobs that run continue and no longer count "
        "against its quota: change it while no job of the queue runs.",
    ),
    ChangeRow(f"{GROUPS}.fast_image_pull", FieldEffect.IN_PLACE, f"User data changes: {ROLLED}."),
    ChangeRow(f"{GROUPS}.ami_release", FieldEffect.IN_PLACE, "The group's nodes are replaced one by one."),
    ChangeRow(
        f"{GROUPS}.subnets",
        FieldEffect.DISPOSABLE,
        "The group is replaced: one in the other subnets is made, then the old one drained.",
    ),
    ChangeRow(
        f"{GROUPS}.pods_per_node", FieldEffect.NONE, "Addresses are planned for another number; nothing is deployed."
    ),
    ChangeRow(
        f"{GROUPS}.node_repair",
        FieldEffect.DISPOSABLE,
        "In place on the group; by default the node monitoring agent is installed or removed with it.",
    ),
    ChangeRow(
        "eks.control_plane_logs",
        FieldEffect.IN_PLACE,
        "The control plane writes these logs from now on; what was written stays until it expires.",
    ),
    ChangeRow(
        "eks.prefix_delegation",
        FieldEffect.IN_PLACE,
        "The VPC CNI gets another setting. Nodes that run keep their interfaces and their bound of pods: replace them "
        "for it to hold everywhere.",
    ),
    ChangeRow(
        "eks.auto_mode",
        FieldEffect.DISPOSABLE,
        "In place on the cluster. Turned on, EKS starts nodes for pods that wait, with a role of their own; turned "
        "off, it ends those nodes with the pods on them. Node groups stay as they are.",
    ),
    ChangeRow(
        "eks.image_cache",
        FieldEffect.DISPOSABLE,
        "Charts are upgraded, and their pods start anew from the other registry. Turned on, the cache gets a stack of "
        "its own; turned off, that stack is deleted. Repositories that ECR and `images --commands` have made stay in "
        "the account with their images until you delete them.",
    ),
    ChangeRow(
        "eks.pods_ready_minutes",
        FieldEffect.IN_PLACE,
        "Kueue's pods start anew with the other time. Workloads that wait for their pods get it too.",
    ),
    ChangeRow("eks.addons", FieldEffect.DISPOSABLE, "Add-ons are installed or removed; see its fields."),
    ChangeRow("eks.addons.neuron_device_plugin", FieldEffect.DISPOSABLE, ADDON),
    ChangeRow(
        "eks.addons.neuron_dra_driver",
        FieldEffect.DISPOSABLE,
        "DRA driver and device plugin change places while nodes run, and for a moment a node may have both or neither: "
        "end the pods that hold Neuron devices first. Pods ask for devices in another way afterwards.",
    ),
    ChangeRow("eks.addons.neuron_node_problem_detector", FieldEffect.DISPOSABLE, ADDON),
    ChangeRow(
        "eks.addons.neuron_scheduler", FieldEffect.DISPOSABLE, f"{ADDON} Pods that name its scheduler stay Pending."
    ),
    ChangeRow("eks.addons.neuron_ultraserver_operator", FieldEffect.DISPOSABLE, WITH_KINDS),
    ChangeRow("eks.addons.neuron_monitor", FieldEffect.DISPOSABLE, METRICS),
    ChangeRow(
        "eks.installed_otherwise",
        FieldEffect.DISPOSABLE,
        "What is named is off by default: a chart of this toolkit that was installed is removed.",
    ),
    ChangeRow("eks.addons.efa_device_plugin", FieldEffect.DISPOSABLE, ADDON),
    ChangeRow("eks.addons.node_monitoring_agent", FieldEffect.DISPOSABLE, ADDON),
    ChangeRow("eks.addons.ebs_csi_driver", FieldEffect.DISPOSABLE, VOLUMES),
    ChangeRow("eks.addons.efs_csi_driver", FieldEffect.DISPOSABLE, VOLUMES),
    ChangeRow("eks.addons.mountpoint_s3_csi_driver", FieldEffect.DISPOSABLE, VOLUMES),
    ChangeRow("eks.addons.cloudwatch_observability", FieldEffect.DISPOSABLE, METRICS),
    ChangeRow("eks.addons.metrics_server", FieldEffect.DISPOSABLE, METRICS),
    ChangeRow(
        "eks.addons.kube_prometheus_stack",
        FieldEffect.DISPOSABLE,
        "Installs or removes Prometheus, with the metrics that it holds and the dashboards that were made in it.",
    ),
    ChangeRow(
        "eks.addons.kueue",
        FieldEffect.DISPOSABLE,
        "Kueue is installed with its first queue. When it leaves the file its queues are deleted, "
        "and their jobs are stopped; "
        "its chart and namespace stay, since an uninstalled Kueue cannot be installed again while jobs have Workloads "
        "(docs/software.md has the steps to remove it).",
    ),
    ChangeRow("eks.addons.jobset", FieldEffect.DISPOSABLE, WITH_KINDS),
    ChangeRow("eks.addons.leader_worker_set", FieldEffect.DISPOSABLE, WITH_KINDS),
    ChangeRow("eks.addons.kubeflow_trainer", FieldEffect.DISPOSABLE, WITH_KINDS),
    ChangeRow(
        "eks.addons.cert_manager",
        FieldEffect.DISPOSABLE,
        "Installs or removes cert-manager; existing certificates are no longer renewed.",
    ),
    ChangeRow(
        "eks.addons.aws_load_balancer_controller",
        FieldEffect.DISPOSABLE,
        "Installs or removes the controller; load balancers that it made stay in the account: delete their Ingresses "
        "and Services first.",
    ),
    ChangeRow("eks.addons.keda", FieldEffect.DISPOSABLE, WITH_KINDS),
    ChangeRow("eks.addons.image_prepull", FieldEffect.DISPOSABLE, ADDON),
    ChangeRow(
        "eks.chart_values",
        FieldEffect.IN_PLACE,
        "The charts are upgraded with the other values, and pods that these change start anew.",
    ),
    ChangeRow(
        "eks.addons.fsx_csi_driver",
        FieldEffect.DISPOSABLE,
        "Installs or removes the driver; without it no pod can mount the file system, whose data stays.",
    ),
)
