"""Resources that no node has."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes_names import EFA, NEURON, NEURON_CORE
from neuron_cluster.manifest_law.base import PodLaw
from neuron_cluster.manifest_law.dns_names import LABEL_KEY_FORM, is_label_key
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.manifest_law.resource_claims import NATIVE, claims_of, is_hugepages
from neuron_cluster.near_names import near_names
from neuron_cluster.template_law.base import Refusal

DEVICES = (NEURON, NEURON_CORE, EFA)


class UnknownResource(PodLaw):
    """A resource is cpu, memory, ephemeral-storage, hugepages-SIZE, or has a domain in front."""

    id = "E8806"
    source = (
        "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#resource-types; "
        "kubernetes/kubernetes:pkg/apis/core/validation/validation.go (validateContainerResourceName)"
    )

    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Refusal]:
        del render
        for claims in claims_of(template):
            for path, name, _ in claims.amounts():
                known = name in NATIVE or is_hugepages(name) or ("/" in name and is_label_key(name))
                if not known:
                    yield Refusal(
                        path,
                        f"{name!r} is neither one of {', '.join(NATIVE)}, hugepages-SIZE, nor a qualified name "
                        f"({LABEL_KEY_FORM})",
                        _whole_name(name),
                    )


def _whole_name(name: str) -> str:
    known = {**{native: native for native in NATIVE}, **{each.rpartition("/")[2]: each for each in DEVICES}}
    near = near_names(name, known)
    if near:
        return f"remove {name}, and write {known[near[0]]}"
    return f"remove {name}, and write the whole name of a resource, with its domain: {NEURON}"
