"""Instance types of SageMaker training jobs."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.hyperpod_type import PREFIX
from neuron_cluster.catalog.sourced_row import SourcedRow


class TrainingJobType(SourcedRow, frozen=True, kw_only=True):
    """One Neuron type that training jobs may have; ``name`` is the one of SageMaker, ``instance_type`` that of EC2."""

    instance_type: str
    in_training_plans: bool
    addresses: int
    """Addresses of the subnet that an instance takes in a VPC, at least."""
    quota: str
    """Name of the quota in Service Quotas (service ``sagemaker``), counted in instances."""
    spot_quota: str
    warm_pool_quota: str

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.name != f"{PREFIX}{self.instance_type}":
            yield "instance_type", f"is {self.instance_type}, the name without {PREFIX} is not"
        for field in ("quota", "spot_quota", "warm_pool_quota"):
            if not getattr(self, field).startswith(f"{self.name} "):
                yield field, "is the quota of another type"
