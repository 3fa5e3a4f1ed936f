from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of

DEFAULT = "default"


class ReleaseOfCustomImage(TemplateRule):
    """An instance group has a release of HyperPod's AMI or an AMI of the account (`ImageReleaseVersion`, `ImageId`).

    Without this check SageMaker may reject the cluster with a ValidationException (read from the schema, not tried).
    """

    id = "E8934"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = "cfn-lint 1.58.0: AWS::SageMaker::Cluster ImageId, ImageReleaseVersion"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for group in groups_of(context.resource):
            image = group.at("ImageId")
            if is_given(image) and image != DEFAULT and is_given(group.at("ImageReleaseVersion")):
                yield Violation(
                    f"{group.path}.ImageReleaseVersion",
                    f"is set, and ImageId is not {DEFAULT}",
                    "remove ImageReleaseVersion, or ImageId",
                )
