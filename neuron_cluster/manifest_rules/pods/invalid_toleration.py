"""Invalid tolerations."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at, numbered
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class InvalidToleration(PodRule):
    """The operator, key, value and effect of a toleration are a valid combination (`tolerations`)."""

    id = "E8828"
    source = "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        for path, toleration in numbered(at(template.spec, "tolerations"), f"{template.spec_path}.tolerations"):
            exists = at(toleration, "operator") == "Exists"
            if exists and at(toleration, "value"):
                yield Violation(
                    f"{path}.value",
                    "is set; operator Exists does not allow a value",
                    "remove value, or write operator: Equal",
                )
            if not exists and not at(toleration, "key"):
                yield Violation(
                    path,
                    "sets no key; the operator must then be Exists",
                    "write the key of the taint, or operator: Exists",
                )
            if at(toleration, "tolerationSeconds") is not None and at(toleration, "effect") != "NoExecute":
                hint = "write effect: NoExecute, or remove tolerationSeconds"
                yield Violation(f"{path}.tolerationSeconds", "is set; it requires the effect NoExecute", hint)
