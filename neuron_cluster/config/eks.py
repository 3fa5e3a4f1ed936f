"""The EKS cluster: version, endpoint, who may enter, node groups and add-ons."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.machine import Machine
from neuron_cluster.config.scalars import (
    GROUP_NAME_PATTERN,
    ChartValues,
    Cidr,
    ClosedModel,
    GroupName,
    Switch,
    WholeNumber,
    text_or_number,
)

VERSION_PATTERN = r"^[0-9]{1,2}\.[0-9]{1,3}$"
AMI_RELEASE_PATTERN = r"^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}-[0-9]{8}$"
PRINCIPAL_PATTERN = r"^arn:aws(-[a-z]+)*:iam::[0-9]{12}:(role|user)/[A-Za-z0-9+=,.@_/-]{1,512}$"
Principal = Annotated[str, Field(pattern=PRINCIPAL_PATTERN, examples=["arn:aws:iam::111122223333:role/platform-admin"])]


class EndpointAccess(enum.StrEnum):
    """From where the Kubernetes API can be reached."""

    PRIVATE = "private"
    PUBLIC_AND_PRIVATE = "public_and_private"


class Endpoint(ClosedModel):
    """The Kubernetes API endpoint."""

    access: EndpointAccess = Field(
        default=EndpointAccess.PRIVATE,
        description="private: only from the VPC. public_and_private: also from the addresses in public_access_cidrs.",
        examples=["private"],
    )
    public_access_cidrs: list[Cidr] = Field(
        default=[],
        description="Addresses that may use the public endpoint; the whole internet is refused.",
        examples=[["203.0.113.0/24"]],
    )


class ControlPlaneLog(enum.StrEnum):
    """A kind of control plane log."""

    API = "api"
    AUDIT = "audit"
    AUTHENTICATOR = "authenticator"
    CONTROLLER_MANAGER = "controller_manager"
    SCHEDULER = "scheduler"


class Access(ClosedModel):
    """Who may use the cluster. The role that deploys gets no rights by itself."""

    admins: list[Principal] = Field(
        default=[],
        description="IAM roles or users with cluster administration (AmazonEKSClusterAdminPolicy); at least one is "
        "required. Absent: no access, which is an error.",
        examples=[["arn:aws:iam::111122223333:role/platform-admin"]],
    )
    viewers: list[Principal] = Field(
        default=[],
        description="IAM roles or users that may read the objects of every namespace except Secrets "
        "(AmazonEKSViewPolicy: neither nodes nor custom resources). They cannot submit jobs.",
        examples=[["arn:aws:iam::111122223333:role/researchers"]],
    )


class PodSecurity(enum.StrEnum):
    """A level of the Kubernetes Pod Security Standards."""

    RESTRICTED = "restricted"
    BASELINE = "baseline"
    PRIVILEGED = "privileged"


class NamespaceClaim(enum.StrEnum):
    """Storage that a namespace has a PersistentVolumeClaim for; the claim has the same name."""

    LUSTRE = "lustre"


class Namespace(ClosedModel):
    """A Kubernetes namespace for workloads: its Pod Security level, queues, claims and service accounts."""

    name: GroupName = Field(
        description="Name of the namespace. `default` exists in every cluster; others are created.",
        examples=["research"],
    )
    pod_security: PodSecurity = Field(
        default=PodSecurity.RESTRICTED,
        description="Pod Security level that the namespace enforces: pods below it are refused when they are created. "
        "privileged lets everybody who can create pods there become root on the nodes.",
        examples=["restricted"],
    )
    queue: GroupName | None = Field(
        default=None,
        description="The one queue of the node groups that its jobs may wait in: it gets a LocalQueue for it alone. "
        "Absent: one for every queue.",
        examples=["training"],
    )
    claims: list[NamespaceClaim] | None = Field(
        default=None,
        description="PersistentVolumeClaims that are made in it: lustre is one on the file system of storage.lustre, "
        "for `--claim lustre`. An empty list: none. Default: lustre where storage.lustre is set.",
        examples=[["lustre"]],
    )
    service_accounts: list[GroupName] = Field(
        default=[],
        description="Kubernetes service accounts that are made in it for workloads, beside `default`, which every "
        "namespace has. Absent: none.",
        examples=[["trainer"]],
    )


def _one_namespace() -> list[Namespace]:
    return [Namespace(name="default")]


class TaintEffect(enum.StrEnum):
    """What a taint does to pods that do not tolerate it."""

    NO_SCHEDULE = "no_schedule"
    NO_EXECUTE = "no_execute"
    PREFER_NO_SCHEDULE = "prefer_no_schedule"


class Taint(ClosedModel):
    """A Kubernetes taint on every node of the group."""

    key: Annotated[str, Field(min_length=1, max_length=63)] = Field(description="Taint key.", examples=["team"])
    value: Annotated[str, Field(max_length=63)] = Field(default="", description="Taint value.", examples=["research"])
    effect: TaintEffect = Field(description="What happens to pods without the toleration.", examples=["no_schedule"])


class NodeSubnets(enum.StrEnum):
    """Whose subnets the nodes of a group are in."""

    PRIMARY = "primary"
    SECONDARY = "secondary"


class NodeGroup(Machine):
    """An EKS managed node group."""

    name: GroupName = Field(
        description="Name of the group, unique in the environment; a Kubernetes label carries it.", examples=["trn1"]
    )
    labels: dict[str, str] = Field(
        default={}, description="Further Kubernetes labels on its nodes.", examples=[{"workload": "training"}]
    )
    taints: list[Taint] = Field(
        default=[],
        description="Further taints. Neuron groups always carry aws.amazon.com/neuron=true:NoSchedule.",
    )
    team: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None, description="Team that pays for it; becomes a tag of its instances.", examples=["research"]
    )
    queue: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="Queue whose jobs run on its nodes; becomes their label neuron-cluster/queue. Groups with one "
        "queue serve the same jobs, such as two groups on capacity blocks of which one begins when the other ends.",
        examples=["training"],
    )
    ami_release: Annotated[str, Field(pattern=AMI_RELEASE_PATTERN)] | None = Field(
        default=None,
        description="EKS AMI release version to pin (<Kubernetes patch>-<date>). Default: the newest one at creation.",
        examples=["1.36.2-20260714"],
    )
    subnets: NodeSubnets = Field(
        default=NodeSubnets.PRIMARY,
        description="primary: the private subnets of network.cidr. secondary: those of network.secondary_cidrs in the "
        "zones of the group.",
        examples=["primary"],
    )
    pods_per_node: Annotated[WholeNumber, Field(ge=1, le=250)] | None = Field(
        default=None,
        description="Pods with an address of their own that you mean to run on each node, those of add-ons included: "
        "addresses are planned for so many. More are not rejected. Default: as many as a node supports.",
        examples=[15],
    )
    node_repair: Switch | None = Field(
        default=None,
        description="Let EKS replace or reboot nodes that report broken hardware. Default: on for Neuron groups.",
        examples=[True],
    )


class Addons(ClosedModel):
    """Software of the cluster. Each has a default that fits the rest of the file; `plan` shows it."""

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


class Eks(ClosedModel):
    """One EKS cluster, named like the environment."""

    version: Annotated[str, Field(pattern=VERSION_PATTERN), text_or_number(VERSION_PATTERN)] = Field(
        description="Kubernetes version. It can go up one minor at a time, never down.", examples=["1.35"]
    )
    endpoint: Endpoint = Field(
        default_factory=Endpoint, description="The Kubernetes API endpoint.", examples=[{"access": "private"}]
    )
    access: Access = Field(
        default_factory=Access,
        description="Who may use the cluster; at least one admin is required. Absent: no access, which is an error.",
    )
    namespaces: list[Namespace] = Field(
        default_factory=_one_namespace,
        min_length=1,
        max_length=100,
        description="Namespaces where workloads run. Each has a LocalQueue for every queue; jobs of other namespaces "
        "are not admitted to the queues. The namespace default keeps the level restricted where it is not listed.",
        examples=[[{"name": "research", "pod_security": "restricted"}]],
    )
    service_cidr: Cidr = Field(
        default="172.20.0.0/16",
        description="Addresses of Kubernetes services, inside the cluster only; must not overlap network.cidr.",
        examples=["172.20.0.0/16"],
    )
    node_groups: list[NodeGroup] = Field(
        description="Managed node groups: one without taints for system pods, and the Neuron groups."
    )
    control_plane_logs: list[ControlPlaneLog] = Field(
        default=list(ControlPlaneLog),
        description="Control plane logs that EKS writes to CloudWatch, billed by the gigabyte; entries expire after 90 "
        "days. audit records who did what. Default: all five.",
        examples=[["audit", "authenticator"]],
    )
    prefix_delegation: Switch = Field(
        default=False,
        description="Pods get their addresses from blocks of 16 that nodes take whole (VPC CNI prefix delegation): "
        "more pods on a node, and far fewer addresses where few pods run on large nodes. For new nodes only.",
        examples=[True],
    )
    auto_mode: Switch = Field(
        default=False,
        description="EKS Auto Mode beside the node groups: EKS starts general-purpose nodes of its own, at a price of "
        "their own, for pods that fit no node group. They have no Neuron devices and mount no Lustre.",
        examples=[False],
    )
    image_cache: Switch = Field(
        default=False,
        description="Pull the images of charts, and charts that lie beside images, through the ECR registry of the "
        "account (pull-through cache rules): no rate limits of public registries, and each version stays as it was "
        "first pulled. Only registries that ask for no credentials: public.ecr.aws, registry.k8s.io, quay.io. With "
        "network.nat none all others too, and all charts, from copies, which docs/images.md describes.",
        examples=[True],
    )
    addons: Addons = Field(default_factory=Addons, description="Software of the cluster.", examples=[{"jobset": True}])
    installed_otherwise: list[InstalledOtherwise] = Field(
        default=[],
        description="Software of the cluster that you install yourself, from a registry of your own for example. It is "
        "off in addons by default, and `workload` treats it as installed.",
        examples=[["efa_device_plugin"]],
    )
    chart_values: dict[str, ChartValues] = Field(
        default={},
        description="Values for charts beside those that the toolkit gives them, by the chart's name. Keys are the "
        "chart's own. Lists replace the chart's; values that a key of addons decides cannot be set here.",
        examples=[{"kueue": {"controllerManager": {"replicas": 2}}}],
    )
