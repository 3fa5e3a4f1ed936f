from __future__ import annotations

from typing import Any

from local_kubernetes.model.api_resources import groups_of, resources_of, subresources, verbs
from local_kubernetes.model.fields import at, expand, items
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either, write_one


class UnknownRolePermission(ManifestRule):
    """The verbs and resources in a Role or ClusterRole exist (`rules`).

    Resources of unknown API groups are not checked.
    """

    id = "E8851"
    source = (
        "https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources; "
        "https://kubernetes.io/docs/reference/access-authn-authz/authorization/#determine-the-request-verb"
    )
    kinds = ("Role", "ClusterRole")

    def check(self, context: ManifestContext) -> Violations:
        for path, rule in expand(context.object.body, "rules.*"):
            for verb_path, verb in expand(rule, "verbs.*", path):
                if verb not in verbs():
                    yield Violation(
                        verb_path,
                        f"{verb!r} is not a valid verb; the API server accepts it, and it has no effect",
                        f"write {either(sorted(verbs()))}",
                    )
            for resource_path, resource in expand(rule, "resources.*", path):
                yield from _unknown_resource(resource_path, str(resource), items(at(rule, "apiGroups")))


def _unknown_resource(path: str, resource: str, groups: list[Any]) -> Violations:
    name, slash, sub = resource.partition("/")
    known = [resources_of(str(group)) for group in groups]
    if name == "*" or "*" in groups or any(resources is None for resources in known):
        return
    if not any(name in (resources or {}) for resources in known):
        yield Violation(path, f"the API groups {groups} have no resource {name!r}", _hint(name, sub, groups))
    elif slash and sub not in subresources():
        near = suggestions(sub, sorted(subresources())) or sorted(subresources())
        hint = write_one((f"{name}/{each}" for each in near), f"remove {resource}")
        yield Violation(path, f"{name} has no subresource {sub!r}", hint)


def _hint(name: str, sub: str, groups: list[Any]) -> str:
    homes = groups_of(name)
    if homes:
        return f"write {either(map(repr, homes))} in apiGroups"
    known = [resource for group in groups for resource in resources_of(str(group)) or ()]
    near = [f"{each}/{sub}" if sub else each for each in suggestions(name, known)]
    return did_you_mean(near).rstrip() or "write the plural name of a resource, in lower case"
