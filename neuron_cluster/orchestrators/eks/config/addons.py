"""Software of the cluster: ``eks.addons`` and ``eks.installed_otherwise``."""

import enum
from collections.abc import Mapping

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, Switch


class Addons(ClosedModel):
    """Software of the cluster. Each has a default that fits the rest of the file; `plan` shows it."""

    @property
    def flags(self) -> Mapping[str, bool | None]:
        """By component, in the order of the model; None where the default decides."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    neuron_device_plugin: Switch | None = Field(
        default=None,
        description="Neuron Helm chart: device plugin, from which pods ask for aws.amazon.com/neuron. "
        "Default: on when there is a Neuron node group and neuron_dra_driver is not on.",
        examples=[True],
    )
    neuron_dra_driver: Switch = Field(
        default=False,
        description="Neuron Helm chart: DRA driver, from which pods claim devices of class neuron.aws.com. It takes "
        "the place of the device plugin; the two never share a node. It knows Trainium alone.",
        examples=[False],
    )
    neuron_node_problem_detector: Switch | None = Field(
        default=None,
        description="Neuron node problem detector of the same chart (it detects; EKS node repair repairs). "
        "Default: on with the device plugin or the DRA driver.",
        examples=[True],
    )
    neuron_scheduler: Switch = Field(
        default=False,
        description="Neuron Helm chart: scheduler extension, which gives a pod of several devices such as lie side by "
        "side. Its pods name the scheduler my-scheduler. For the device plugin; the DRA driver has no need of it.",
        examples=[False],
    )
    neuron_ultraserver_operator: Switch = Field(
        default=False,
        description="Neuron Helm chart: operator that gives whole UltraServers to workloads "
        "(NeuronUltraServerWorkload). It needs neuron_dra_driver.",
        examples=[False],
    )
    neuron_monitor: Switch | None = Field(
        default=None,
        description="neuron-monitor on every Neuron node (charts/neuron-monitor): metrics of cores, device memory and "
        "errors for Prometheus. Default: on when observability.metrics is prometheus.",
        examples=[False],
    )
    efa_device_plugin: Switch | None = Field(
        default=None,
        description="EFA device plugin chart. Default: on when a node group has EFA.",
        examples=[True],
    )
    node_monitoring_agent: Switch | None = Field(
        default=None,
        description="EKS node monitoring agent, whose findings node repair acts on. Default: on with node repair.",
        examples=[True],
    )
    ebs_csi_driver: Switch = Field(
        default=False, description="EBS CSI driver (managed add-on): volumes of pods on EBS.", examples=[False]
    )
    efs_csi_driver: Switch = Field(
        default=False,
        description="EFS CSI driver (managed add-on): pods mount EFS file systems that are there.",
        examples=[False],
    )
    fsx_csi_driver: Switch | None = Field(
        default=None, description="FSx for Lustre CSI driver. Default: on with storage.lustre.", examples=[True]
    )
    mountpoint_s3_csi_driver: Switch = Field(
        default=False,
        description="Mountpoint for S3 CSI driver (managed add-on): pods read buckets as files; it may read and write "
        "the checkpoint bucket.",
        examples=[False],
    )
    cloudwatch_observability: Switch | None = Field(
        default=None,
        description="CloudWatch observability (managed add-on): metrics, those of Neuron devices too, and logs of "
        "containers. CloudWatch bills by metric and by GB. Default: on when observability.metrics is cloudwatch.",
        examples=[False],
    )
    metrics_server: Switch = Field(
        default=False,
        description="Metrics server (managed add-on): kubectl top, and scaling by processor and memory.",
        examples=[False],
    )
    kube_prometheus_stack: Switch | None = Field(
        default=None,
        description="Chart kube-prometheus-stack: Prometheus, Alertmanager and Grafana inside the cluster. "
        "Default: on when observability.metrics is prometheus.",
        examples=[False],
    )
    kueue: Switch | None = Field(
        default=None,
        description="Kueue: jobs wait until their queue has devices for all their pods. Each queue of a node group "
        "becomes a ClusterQueue, and a LocalQueue of its name in each of eks.namespaces. "
        "Default: on when a node group has a queue.",
        examples=[True],
    )
    jobset: Switch = Field(
        default=False, description="JobSet: jobs of several parts that start and restart together.", examples=[False]
    )
    leader_worker_set: Switch = Field(
        default=False,
        description="LeaderWorkerSet: replicas of a model server that span several nodes.",
        examples=[False],
    )
    kubeflow_trainer: Switch = Field(
        default=False,
        description="Kubeflow Trainer: TrainJobs. It brings a JobSet of its own unless jobset is on.",
        examples=[False],
    )
    cert_manager: Switch | None = Field(
        default=None,
        description="cert-manager: certificates for webhooks and endpoints. "
        "Default: on when values in chart_values let another chart use it.",
        examples=[True],
    )
    aws_load_balancer_controller: Switch = Field(
        default=False,
        description="AWS Load Balancer Controller: load balancers for Ingresses and Services.",
        examples=[False],
    )
    keda: Switch = Field(
        default=False, description="KEDA: scales workloads by the length of queues and by metrics.", examples=[False]
    )


class InstalledOtherwise(enum.StrEnum):
    """Software that may be installed in another way than by this toolkit's charts, by its name in ``addons``."""

    EFA_DEVICE_PLUGIN = "efa_device_plugin"
    KUBE_PROMETHEUS_STACK = "kube_prometheus_stack"
    KUEUE = "kueue"
    JOBSET = "jobset"
    LEADER_WORKER_SET = "leader_worker_set"
    KEDA = "keda"
