from __future__ import annotations

from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces


class NamespaceListedTwice(Rule):
    """Every workload namespace is listed once (`eks.namespaces`).

    Without this check CDK rejects two constructs with the same id; with two resources the later one would determine
    the Pod Security level.
    """

    id = "E2024"
    source = "https://docs.aws.amazon.com/cdk/v2/guide/identifiers.html (construct ids are unique in their scope)"

    def check(self, context: RuleContext) -> Violations:
        first: dict[str, KeyPath] = {}
        for each in listed_namespaces(context.environment.config):
            name = each.spec.name
            if name in first:
                other = first[name]
                yield Violation(
                    (*each.path, "name"),
                    f"{name} is already the name of {format_path(other)}",
                    "remove one of the two, or use another name",
                    related=(other,),
                )
            first.setdefault(name, each.path)
