"""Values of the chart ``aws-load-balancer-controller``: load balancers for Ingresses and Services."""

from typing import Literal

from msgspec import UNSET, UnsetType, field

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Enabled, Image, Pod, Replicas


class ServiceAccount(ClosedValues, frozen=True, kw_only=True):
    """``serviceAccount``. Pod Identity finds it by name; it needs no annotation."""

    create: bool = True
    name: str = "aws-load-balancer-controller"


class IngressClass(ClosedValues, frozen=True, kw_only=True):
    """Whether an Ingress without a class gets a load balancer."""

    default: bool


class AwsLoadBalancerControllerValues(Pod, frozen=True, kw_only=True):
    """``aws-load-balancer-controller``.

    Region and VPC are always set: without them the pods read the instance metadata, which pods of nodes with a hop
    limit of 1 cannot reach. ``keep_tls_secret`` keeps the certificate of the webhooks over upgrades.
    """

    cluster_name: str
    region: str
    vpc_id: str
    replica_count: Replicas | UnsetType = UNSET
    image: Image | UnsetType = UNSET
    service_account: ServiceAccount = ServiceAccount()
    priority_class_name: str | UnsetType = UNSET
    keep_tls_secret: bool = field(default=True, name="keepTLSSecret")
    enable_cert_manager: bool = False
    enable_shield: bool | UnsetType = UNSET
    enable_waf: bool | UnsetType = UNSET
    enable_wafv2: bool | UnsetType = UNSET
    enable_service_mutator_webhook: bool | UnsetType = UNSET
    create_ingress_class_resource: bool | UnsetType = UNSET
    ingress_class_config: IngressClass | UnsetType = UNSET
    default_target_type: Literal["instance", "ip"] | UnsetType = UNSET
    default_load_balancer_scheme: Literal["internal", "internet-facing"] | UnsetType = UNSET
    default_tags: dict[str, str] | UnsetType = UNSET
    backend_security_group: str | UnsetType = UNSET
    service_monitor: Enabled | UnsetType = UNSET
