"""Values of the chart ``kubeflow-trainer``: TrainJobs, which become JobSets."""

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Enabled, Pod, RegistryImage, Replicas


class JobsetSubchart(ClosedValues, frozen=True, kw_only=True):
    """``jobset``: the copy of JobSet that the chart installs. Two copies in a cluster fight over the same objects."""

    install: bool


class Manager(Pod, frozen=True, kw_only=True):
    """``manager``: the only pods. The chart gives them no resources."""

    replicas: Replicas | UnsetType = UNSET


class Runtimes(ClosedValues, frozen=True, kw_only=True):
    """``runtimes``: the built-in ones are for GPUs, and the job that installs them downloads kubectl: all stay off."""

    default_enabled: bool = False
    torch_distributed: Enabled = Enabled(enabled=False)
    jax_distributed: Enabled = Enabled(enabled=False)


class KubeflowTrainerValues(ClosedValues, frozen=True, kw_only=True):
    """``kubeflow-trainer``. Every value that would install further software is set, none left to default."""

    crds: Enabled = Enabled(enabled=True)
    jobset: JobsetSubchart = JobsetSubchart(install=False)
    data_cache: Enabled = Enabled(enabled=False)
    runtimes: Runtimes = Runtimes()
    image: RegistryImage | UnsetType = UNSET
    manager: Manager | UnsetType = UNSET
