from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_true, is_unknown


class KeyWithoutRotation(TemplateRule):
    """KMS keys rotate automatically (`EnableKeyRotation`)."""

    id = "E8501"
    operation = "kms:CreateKey"
    error_code = None
    source = "https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html"
    types = ("AWS::KMS::Key",)

    def check(self, context: TemplateContext) -> Violations:
        rotation = context.resource.properties.get("EnableKeyRotation")
        if not is_true(rotation) and not is_unknown(rotation):
            yield Violation("EnableKeyRotation", "is not true; KMS keys must rotate", "set EnableKeyRotation: true")
