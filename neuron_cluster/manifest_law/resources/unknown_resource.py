"""Resources that no node has."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.manifest_law.base import PodLaw
from neuron_cluster.manifest_law.dns_names import LABEL_KEY_FORM, is_label_key
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.manifest_law.resource_claims import NATIVE, claims_of, is_hugepages
from neuron_cluster.template_law.base import Refusal


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
                        "write a device's whole name: aws.amazon.com/neuron",
                    )
