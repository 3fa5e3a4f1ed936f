from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, text


class ReservedTagKey(TemplateRule):
    """Tag keys do not begin with the reserved prefix ``aws:``, in upper or lower case (`Tags`)."""

    id = "E8704"
    operation = "cloudformation:CreateStack"
    error_code = "ValidationError"
    source = "https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html"
    types = ()

    def check(self, context: TemplateContext) -> Violations:
        tags = context.resource.properties.get("Tags")
        keys = list(tags) if isinstance(tags, Mapping) else [at(tag, "Key") for tag in items(tags)]
        for key in map(text, keys):
            if key is not None and key.lower().startswith("aws:"):
                hint = "write a key that does not begin with aws:"
                yield Violation("Tags", f"the tag key {key} begins with aws:, a prefix reserved for AWS", hint)
