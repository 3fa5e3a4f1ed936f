"""EKS clusters that do not encrypt Secrets with a customer managed KMS key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from local_aws.cloudformation.values import holds_unknown
from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class SecretsWithoutKmsKey(ResourceRule):
    """An EKS cluster encrypts Kubernetes Secrets with a customer managed KMS key (`EncryptionConfig`).

    It can be enabled for an existing cluster, and not disabled again.
    """

    id = "E8215"
    operation = "eks:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: eks EncryptionConfig"
    types = ("AWS::EKS::Cluster",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        config = resource.properties.get("EncryptionConfig")
        covered = [kind for item in items(config) for kind in items(at(item, "Resources"))]
        if "secrets" not in covered and not holds_unknown(config):
            hint = "write Resources: [secrets], and the ARN of a customer managed key as Provider.KeyArn"
            yield Violation("EncryptionConfig", "does not list secrets", hint)
