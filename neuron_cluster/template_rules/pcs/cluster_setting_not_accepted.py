"""Slurm settings that PCS does not accept for a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.pcs.slurm_settings import not_accepted
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class ClusterSettingNotAccepted(ResourceRule):
    """PCS accepts each Slurm setting of a cluster (`SlurmCustomSettings`)."""

    id = "E8951"
    operation = "pcs:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html"
    types = ("AWS::PCS::Cluster",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        yield from not_accepted(resource, "cluster", catalog)
