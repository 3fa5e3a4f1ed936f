"""Slurm settings that PCS does not accept for a compute node group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.pcs.slurm_settings import not_accepted
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class GroupSettingNotAccepted(ResourceRule):
    """PCS accepts each Slurm setting of a compute node group (`SlurmCustomSettings`).

    Prolog, HealthCheckProgram and other scripts are settings of the cluster alone.
    """

    id = "E8952"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html and its neighbours"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        yield from not_accepted(resource, "group", catalog)
