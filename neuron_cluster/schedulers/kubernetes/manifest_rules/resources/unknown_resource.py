from __future__ import annotations

from local_kubernetes.model.container_resources import NATIVE, container_resources, is_hugepages
from local_kubernetes.model.dns_names import LABEL_KEY_FORM, is_label_key
from local_kubernetes.model.names import EFA, NEURON, NEURON_CORE
from neuron_cluster.findings.suggestions import suggestions
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)

DEVICES = (NEURON, NEURON_CORE, EFA)


class UnknownResource(ManifestRule):
    """A resource name is cpu, memory, ephemeral-storage, hugepages-SIZE or a name with a domain (`resources`)."""

    id = "E8806"
    needs = Needs.POD
    source = (
        "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#resource-types; "
        "kubernetes/kubernetes:pkg/apis/core/validation/validation.go (validateContainerResourceName)"
    )

    def check(self, context: ManifestContext) -> Violations:
        for claims in container_resources(context.template):
            for path, name, _ in claims.amounts():
                known = name in NATIVE or is_hugepages(name) or ("/" in name and is_label_key(name))
                if not known:
                    yield Violation(
                        path,
                        f"{name!r} is not {', '.join(NATIVE)}, hugepages-SIZE or a qualified name ({LABEL_KEY_FORM})",
                        _whole_name(name),
                    )


def _whole_name(name: str) -> str:
    known = {**{native: native for native in NATIVE}, **{each.rpartition("/")[2]: each for each in DEVICES}}
    near = suggestions(name, known)
    if near:
        return f"remove {name}, and write {known[near[0]]}"
    return f"remove {name}, and write the full name of a resource with its domain, such as {NEURON}"
