from __future__ import annotations

from local_kubernetes.model.fields import at, numbered
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class InvalidToleration(ManifestRule):
    """The operator, key, value and effect of a toleration are a valid combination (`tolerations`)."""

    id = "E8828"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/"

    def check(self, context: ManifestContext) -> Violations:
        template = context.template
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
