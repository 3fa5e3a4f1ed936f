from __future__ import annotations

from local_aws.cloudformation.values import holds_unknown
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items


class SecretsWithoutKmsKey(TemplateRule):
    """An EKS cluster encrypts Kubernetes Secrets with a customer managed KMS key (`EncryptionConfig`).

    It can be enabled for an existing cluster, and not disabled again.
    """

    id = "E8215"
    operation = "eks:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: eks EncryptionConfig"
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        config = context.resource.properties.get("EncryptionConfig")
        covered = [kind for item in items(config) for kind in items(at(item, "Resources"))]
        if "secrets" not in covered and not holds_unknown(config):
            hint = "write Resources: [secrets], and the ARN of a customer managed key as Provider.KeyArn"
            yield Violation("EncryptionConfig", "does not list secrets", hint)
