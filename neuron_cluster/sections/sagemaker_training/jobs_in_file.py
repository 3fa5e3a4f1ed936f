"""Training jobs of a file with their paths, for rules."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.sections.sagemaker_training.config.job import TrainingJob
from neuron_cluster.sections.sagemaker_training.config.training import SageMakerTraining

KEY = "sagemaker_training"


def jobs_in(config: EnvironmentConfig) -> Iterator[tuple[KeyPath, TrainingJob]]:
    """Yields each job with its path; none without the section."""
    section = config.section(SageMakerTraining)
    for position, job in enumerate(section.jobs if section is not None else ()):
        yield (KEY, "jobs", position), job


def reads_lustre(job: TrainingJob) -> bool:
    """Whether a channel of the job is a folder of the file system."""
    return any(channel.lustre is not None for channel in job.channels)
