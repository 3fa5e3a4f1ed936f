"""The section ``sagemaker_training`` behind the protocol of providers: it has a scheduler, and no machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.protocol.network_needs import NetworkNeeds
from neuron_cluster.protocol.provider import Provider
from neuron_cluster.protocol.registry import register
from neuron_cluster.schedulers.sagemaker.scheduler import SAGEMAKER_SCHEDULER
from neuron_cluster.sections.sagemaker_training.config.section import SAGEMAKER_TRAINING_SECTION
from neuron_cluster.sections.sagemaker_training.config.training import SageMakerTraining
from neuron_cluster.sections.sagemaker_training.stacks import TRAINING

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.change_row import ChangeRow
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.network_plan import NetworkPlan
    from neuron_cluster.protocol.operations import Operations
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
    from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan

ENDPOINT_USER = "sagemaker_training"
"""Its name among those that call AWS services from the VPC (``catalog.endpoint``)."""


class SageMakerTrainingProvider(Provider):
    """Training jobs: SageMaker starts and ends the instances of each."""

    section = SAGEMAKER_TRAINING_SECTION
    rule_package = "neuron_cluster.sections.sagemaker_training.rules"
    has_rules_for_its_section_only = True
    stacks = (TRAINING,)
    has_teams = True
    schedulers = (SAGEMAKER_SCHEDULER,)

    def change_rows(self) -> tuple[ChangeRow, ...]:
        from neuron_cluster.sections.sagemaker_training.changes.change_rows import TRAINING_ROWS  # not for `validate`

        return TRAINING_ROWS

    def network_needs(self, environment: ResolvedEnvironment, catalog: Catalog) -> NetworkNeeds:
        del catalog
        is_here = environment.config.section(SageMakerTraining) is not None
        return NetworkNeeds(endpoint_users=(ENDPOINT_USER,) if is_here else ())

    def build_plan(
        self, environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
    ) -> SageMakerTrainingPlan | None:
        from neuron_cluster.sections.sagemaker_training.build_plan import build_sagemaker_plan

        del network
        return build_sagemaker_plan(environment, catalog, lock)

    def operations(self) -> Operations:
        from neuron_cluster.sections.sagemaker_training.operations import SageMakerTrainingOperations

        return SageMakerTrainingOperations()


SAGEMAKER_TRAINING = SageMakerTrainingProvider()
register(SAGEMAKER_TRAINING)
