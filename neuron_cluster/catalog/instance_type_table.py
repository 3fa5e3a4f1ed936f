"""Instance types by name: the rows are those of EC2, a name of SageMaker HyperPod has the hardware of one of them."""

from __future__ import annotations

from neuron_cluster.catalog.hyperpod_type import PREFIX, HyperPodType, as_instance_type
from neuron_cluster.catalog.instance_type import InstanceType, generation_of
from neuron_cluster.catalog.table import FolderTable, Table
from neuron_cluster.findings.suggestions import suggestions


class InstanceTypeTable(FolderTable[InstanceType]):
    """``get`` knows the names of HyperPod too; iteration, ``rows`` and ``names`` have the types of EC2 alone."""

    def __init__(self, folder: str, hyperpod: Table[HyperPodType]) -> None:
        super().__init__(folder, InstanceType, generation_of)
        self._hyperpod = hyperpod

    def get(self, name: str) -> InstanceType | None:
        if not name.startswith(PREFIX):
            return super().get(name)
        of_hyperpod = self._hyperpod.get(name)
        hardware = super().get(of_hyperpod.instance_type) if of_hyperpod is not None else None
        return as_instance_type(of_hyperpod, hardware) if of_hyperpod is not None and hardware is not None else None

    def similar(self, name: str) -> list[str]:
        """Names of EC2 that look like ``name``, or of HyperPod where it begins like one; the nearest first."""
        is_of_hyperpod = name.lower().startswith(PREFIX)
        return suggestions(name, self._hyperpod.names if is_of_hyperpod else self.by_name)
