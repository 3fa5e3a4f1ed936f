from __future__ import annotations

from neuron_cluster.findings.text import quoted
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.providers.eks.qualified_name import reserved_domain, syntax_problem
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class InvalidLabel(Rule):
    """Node group labels have valid Kubernetes keys and values, and no reserved prefix (`labels`).

    Reserved are kubernetes.io, k8s.io and eks.amazonaws.com with their subdomains, and neuron-cluster, which the
    toolkit uses for the group's name. An empty value is valid for Kubernetes, but not for EKS, which also includes the
    prefix in the 63 characters of a key.

    Without this check EKS rejects the node group with InvalidParameterException, "Label cannot contain reserved
    prefixes [kubernetes.io/, k8s.io/, eks.amazonaws.com/]" or a message about the syntax, after the cluster has been
    created.
    """

    id = "E3014"
    source = (
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/; aws/containers-roadmap#1451; "
        "boto/botocore 1.44.5: eks labelKey, labelValue"
    )

    def check(self, context: RuleContext) -> Violations:
        for group in node_groups(context.environment):
            for key, value in group.spec.labels.items():
                path = (*group.path, "labels", key)
                if problem := syntax_problem(key, context.catalog):
                    yield Violation(path, f"the label key {quoted(key)} {problem}", "rename the label")
                elif domain := reserved_domain(key, context.catalog):
                    yield Violation(
                        path,
                        f"the label key {quoted(key)} begins with {domain}, which is reserved",
                        "use your own prefix, such as example.com/, or none",
                    )
                limits = (context.catalog.limits[name] for name in ("kubernetes_label_value", "eks_label_value"))
                if problem := next(filter(None, (limit.problem_with(value) for limit in limits)), None):
                    yield Violation(
                        path, f"the label value {quoted(value)} {problem}", f"change the value of {quoted(key)}"
                    )
