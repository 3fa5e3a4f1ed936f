"""Software of the cluster: ``eks.addons`` and ``eks.installed_otherwise``."""

import enum
from collections.abc import Mapping

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, Switch


class Addons(ClosedModel):
    """Components of the cluster, one add-on flag each. Defaults depend on the rest of the file; `plan` shows them."""

    @property
    def flags(self) -> Mapping[str, bool | None]:
        """Flags by component, in the order of the model; None where the default decides."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    neuron_device_plugin: Switch | None = Field(
        default=None,
        description="Neuron Helm chart: device plugin, which provides aws.amazon.com/neuron to pods. "
        "Default: true with a Neuron node group, unless neuron_dra_driver is true.",
        examples=[True],
    )
    neuron_dra_driver: Switch = Field(
        default=False,
        description="Neuron Helm chart: DRA driver, from which pods claim devices of class neuron.aws.com. It replaces "
        "the device plugin; the two cannot run on one node. It supports only Trainium.",
        examples=[False],
    )
    neuron_node_problem_detector: Switch | None = Field(
        default=None,
        description="Neuron Helm chart: node problem detector, which reports errors that EKS node auto repair acts on. "
        "Default: true with the device plugin or the DRA driver.",
        examples=[True],
    )
    neuron_scheduler: Switch = Field(
        default=False,
        description="Neuron Helm chart: scheduler extension, which allocates adjacent devices to a pod with several "
        "devices. Its pods set schedulerName to my-scheduler. For the device plugin; not needed with the DRA driver.",
        examples=[False],
    )
    neuron_ultraserver_operator: Switch = Field(
        default=False,
        description="Neuron Helm chart: operator that allocates whole UltraServers to workloads "
        "(NeuronUltraServerWorkload). It requires neuron_dra_driver.",
        examples=[False],
    )
    neuron_monitor: Switch | None = Field(
        default=None,
        description="neuron-monitor on every Neuron node (charts/neuron-monitor): Prometheus metrics of cores, device "
        "memory and errors. Default: true if observability.metrics is prometheus.",
        examples=[False],
    )
    efa_device_plugin: Switch | None = Field(
        default=None,
        description="EFA device plugin chart. Default: true if a node group has EFA.",
        examples=[True],
    )
    node_monitoring_agent: Switch | None = Field(
        default=None,
        description="EKS node monitoring agent (managed add-on), whose reports node auto repair acts on. Default: true "
        "with node_repair.",
        examples=[True],
    )
    ebs_csi_driver: Switch | None = Field(
        default=None,
        description="EBS CSI driver (managed add-on): EBS volumes for pods. Default: true with kube_prometheus_stack, "
        "whose metrics are then on a volume.",
        examples=[True],
    )
    efs_csi_driver: Switch | None = Field(
        default=None,
        description="EFS CSI driver (managed add-on): pods mount EFS file systems. Default: true with storage.efs.",
        examples=[True],
    )
    fsx_csi_driver: Switch | None = Field(
        default=None,
        description="FSx for Lustre CSI driver (managed add-on). Default: true with storage.lustre.",
        examples=[True],
    )
    mountpoint_s3_csi_driver: Switch = Field(
        default=False,
        description="Mountpoint for S3 CSI driver (managed add-on): pods mount S3 buckets. Its role reads "
        "`datasets/` of the checkpoint bucket where a namespace claims datasets; other volumes use that of their pod.",
        examples=[False],
    )
    cloudwatch_observability: Switch | None = Field(
        default=None,
        description="CloudWatch Observability (managed add-on): metrics, also of Neuron devices, and container logs. "
        "CloudWatch bills per metric and GB. Default: true if observability.metrics is cloudwatch.",
        examples=[False],
    )
    metrics_server: Switch = Field(
        default=False,
        description="Metrics Server (managed add-on): kubectl top, and autoscaling by CPU and memory.",
        examples=[False],
    )
    kube_prometheus_stack: Switch | None = Field(
        default=None,
        description="Chart kube-prometheus-stack: Prometheus, Alertmanager and Grafana in the cluster. "
        "Default: true if observability.metrics is prometheus.",
        examples=[False],
    )
    kueue: Switch | None = Field(
        default=None,
        description="Kueue: jobs wait until their queue has devices for all their pods. Each queue of a node group "
        "becomes a ClusterQueue, and a LocalQueue of that name in each of eks.namespaces. "
        "Default: true if a node group has a queue.",
        examples=[True],
    )
    jobset: Switch = Field(
        default=False, description="JobSet: groups of Jobs that start and restart together.", examples=[False]
    )
    leader_worker_set: Switch = Field(
        default=False,
        description="LeaderWorkerSet: replicas of a model server that span several nodes.",
        examples=[False],
    )
    kubeflow_trainer: Switch = Field(
        default=False,
        description="Kubeflow Trainer: TrainJobs, with a runtime for each Neuron node group. It installs JobSet itself "
        "unless jobset is true.",
        examples=[False],
    )
    cert_manager: Switch | None = Field(
        default=None,
        description="cert-manager: certificates for webhooks and endpoints. "
        "Default: true if values in chart_values make another chart use it.",
        examples=[True],
    )
    aws_load_balancer_controller: Switch = Field(
        default=False,
        description="AWS Load Balancer Controller: load balancers for Ingresses and Services.",
        examples=[False],
    )
    keda: Switch = Field(default=False, description="KEDA: autoscaling by queue length and metrics.", examples=[False])
    image_prepull: Switch = Field(
        default=False,
        description="Pods that pull the images of neuron.containers on Neuron nodes before a job needs them, and keep "
        "them there.",
        examples=[True],
    )


class InstalledOtherwise(enum.StrEnum):
    """Software that may be installed in another way than by this toolkit's charts, by its name in ``addons``.

    The MPI Operator has no flag there: its authors publish no chart.
    """

    EFA_DEVICE_PLUGIN = "efa_device_plugin"
    KUBE_PROMETHEUS_STACK = "kube_prometheus_stack"
    KUEUE = "kueue"
    JOBSET = "jobset"
    LEADER_WORKER_SET = "leader_worker_set"
    KEDA = "keda"
    MPI_OPERATOR = "mpi_operator"
