"""Cluster access through the aws-auth ConfigMap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class AwsAuthConfigMap(ResourceRule):
    """Cluster access is granted by access entries only, not by the aws-auth ConfigMap (`AuthenticationMode`).

    EKS allows changing the mode from CONFIG_MAP to API, not from API to CONFIG_MAP.
    """

    id = "E8213"
    operation = "eks:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: eks AuthenticationMode"
    types = ("AWS::EKS::Cluster",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        mode = at(resource.properties, "AccessConfig", "AuthenticationMode")
        if mode != "API" and not is_unknown(mode):
            message = f"is {mode or 'not set'}; it must be API"
            yield Violation("AccessConfig.AuthenticationMode", message, "set AuthenticationMode: API")
