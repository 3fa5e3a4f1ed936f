"""Tag keys with the reserved prefix ``aws:``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ReservedTagKey(ResourceRule):
    """Tag keys do not begin with the reserved prefix ``aws:``, in upper or lower case (`Tags`)."""

    id = "E8704"
    operation = "cloudformation:CreateStack"
    error_code = "ValidationError"
    source = "https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html"
    types = ()

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        tags = resource.properties.get("Tags")
        keys = list(tags) if isinstance(tags, Mapping) else [at(tag, "Key") for tag in items(tags)]
        for key in map(text, keys):
            if key is not None and key.lower().startswith("aws:"):
                hint = "write a key that does not begin with aws:"
                yield Violation("Tags", f"the tag key {key} begins with aws:, a prefix reserved for AWS", hint)
