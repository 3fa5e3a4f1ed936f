"""The part of training jobs that deploy and status call."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.protocol.operations import Operations
from neuron_cluster.protocol.preflight import Part, ProviderCheck
from neuron_cluster.protocol.status import StatusQuery, StatusSection
from neuron_cluster.sections.sagemaker_training import quotas, training_plans
from neuron_cluster.sections.sagemaker_training.status import training_status


class SageMakerTrainingOperations(Operations):
    preflight_checks = tuple(
        ProviderCheck(part, module.WHAT, module.PERMISSIONS, module.subjects, module.check)
        for part, module in ((Part.QUOTAS, quotas), (Part.CAPACITY, training_plans))
    )

    def status(self, query: StatusQuery) -> Sequence[StatusSection]:
        return training_status(query)
