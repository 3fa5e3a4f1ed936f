from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown, text, whole_number

METADATA_HOPS_REASON = "neuron-cluster:metadata-hops"
"""Key of a resource's ``Metadata`` with the reason for a hop limit above 1: it exempts the resource."""


class MetadataHopLimit(TemplateRule):
    """The instance metadata hop limit is 1: containers cannot read the instance role (`HttpPutResponseHopLimit`).

    With 2, every pod has the permissions of its node, also those of the kubelet at the Kubernetes API. Pods that need
    instance metadata use the host network; pods get roles through EKS Pod Identity. AL2023 AMIs use 2 where a launch
    template does not set it.
    """

    id = "E8126"
    operation = "ec2:CreateLaunchTemplate"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html; "
        "https://docs.aws.amazon.com/linux/al2023/ug/imdsv2.html"
    )
    types = ("AWS::EC2::LaunchTemplate", "AWS::EC2::Instance")

    def check(self, context: TemplateContext) -> Violations:
        if text(at(context.resource.body, "Metadata", METADATA_HOPS_REASON)):
            return
        of_template = context.resource.type_name == "AWS::EC2::LaunchTemplate"
        path = ("LaunchTemplateData", "MetadataOptions") if of_template else ("MetadataOptions",)
        options = at(context.resource.properties, *path)
        limit = at(options, "HttpPutResponseHopLimit")
        if options is None or is_unknown(options) or is_unknown(limit) or whole_number(limit) == 1:
            return  # without any options E8109 reports
        if not of_template and limit is None:
            return  # the launch template's value applies
        yield Violation(
            ".".join((*path, "HttpPutResponseHopLimit")),
            f"is {'not set' if limit is None else limit}; it must be 1",
            f"set HttpPutResponseHopLimit: 1, or give the reason as Metadata: {{{METADATA_HOPS_REASON}: …}}",
        )
