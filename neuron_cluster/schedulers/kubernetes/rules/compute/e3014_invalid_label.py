from __future__ import annotations

from neuron_cluster.findings.text import quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.qualified_name import reserved_domain, syntax_problem


class InvalidLabel(Rule):
    """Node group labels have valid Kubernetes keys and values, and no reserved prefix (`labels`).

    Reserved are kubernetes.io, k8s.io and eks.amazonaws.com with their subdomains, and neuron-cluster, which the
    toolkit uses for the group's name. An empty value is valid for Kubernetes, but not for EKS, which also includes the
    prefix in the 63 characters of a key. HyperPod accepts no empty value either; its domains have rule E2210.

    Without this check EKS rejects the node group with InvalidParameterException, "Label cannot contain reserved
    prefixes [kubernetes.io/, k8s.io/, eks.amazonaws.com/]" or a message about the syntax, after the cluster has been
    created.
    """

    id = "E3014"
    source = (
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/; aws/containers-roadmap#1451; "
        "boto/botocore 1.44.5: eks labelKey, labelValue, sagemaker ClusterKubernetesLabelValue"
    )

    def check(self, context: RuleContext) -> Violations:
        for group in node_groups(context.environment):
            for key, value in group.labels.items():
                path = (*group.path, "labels", key)
                if problem := syntax_problem(key, group, context.catalog):
                    yield Violation(path, f"the label key {quoted(key)} {problem}", "rename the label")
                elif domain := reserved_domain(key, group.reserved_label_domains(context.catalog)):
                    yield Violation(
                        path,
                        f"the label key {quoted(key)} begins with {domain}, which is reserved",
                        "use your own prefix, such as example.com/, or none",
                    )
                names = ("kubernetes_label_value", group.label_value_limit)
                limits = (context.catalog.limits[name] for name in names if name is not None)
                if problem := next(filter(None, (limit.problem_with(value) for limit in limits)), None):
                    yield Violation(
                        path, f"the label value {quoted(value)} {problem}", f"change the value of {quoted(key)}"
                    )
