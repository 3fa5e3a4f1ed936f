"""KMS keys without automatic rotation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import is_true, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class KeyWithoutRotation(ResourceRule):
    """KMS keys rotate automatically (`EnableKeyRotation`)."""

    id = "E8501"
    operation = "kms:CreateKey"
    error_code = None
    source = "https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html"
    types = ("AWS::KMS::Key",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        rotation = resource.properties.get("EnableKeyRotation")
        if not is_true(rotation) and not is_unknown(rotation):
            yield Violation("EnableKeyRotation", "is not true; KMS keys must rotate", "set EnableKeyRotation: true")
