"""Keys that are never rotated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_law.base import Refusal, ResourceLaw
from neuron_cluster.template_law.look_up import LookUp
from neuron_cluster.template_law.property_tree import is_true, is_unknown
from neuron_cluster.template_law.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class KeyWithoutRotation(ResourceLaw):
    """Every key rotates."""

    id = "E8501"
    operation = "kms:CreateKey"
    error_code = None
    source = "https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html"
    types = ("AWS::KMS::Key",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Refusal]:
        del look_up, catalog
        rotation = resource.properties.get("EnableKeyRotation")
        if not is_true(rotation) and not is_unknown(rotation):
            yield Refusal("EnableKeyRotation", "is not true", "set EnableKeyRotation: true")
