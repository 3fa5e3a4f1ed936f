from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in, reads_lustre


class LustreChannelWithoutFileSystem(Rule):
    """A channel of Lustre has a file system, in the zone of the job (`channels[].lustre`).

    SageMaker mounts a file system in a subnet of its zone alone.

    Without this check a job fails when it starts, after it has waited for its instances.
    """

    id = "E2308"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/train-vpc.html"
    proposes = ("availability_zone",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        for path, job in jobs_in(config):
            if not reads_lustre(job):
                continue
            position = next(number for number, channel in enumerate(job.channels) if channel.lustre is not None)
            if lustre is None:
                yield Violation(
                    (*path, "channels", position, "lustre"),
                    "the channel is a folder of Lustre, and the file has no storage.lustre",
                    "add storage.lustre, or copy the data from S3 with the key s3",
                )
            elif job.availability_zone is not None and job.availability_zone != lustre.availability_zone:
                yield Violation(
                    (*path, "availability_zone"),
                    f"availability_zone is {job.availability_zone}, and Lustre is in {lustre.availability_zone}",
                    f"set availability_zone: {lustre.availability_zone}, or remove the key",
                )
