from __future__ import annotations

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.sagemaker.launcher import CHANNEL
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class ChannelWithoutOneSource(Rule):
    """A channel of a job has one source, S3 or Lustre, and a name of its own (`channels`).

    The container finds the data of a channel at /opt/ml/input/data/NAME. The channel `launcher` is that of the toolkit.

    Without this check SageMaker rejects each submission with a ValidationException.
    """

    id = "E2307"
    source = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_Channel.html"

    def check(self, context: RuleContext) -> Violations:
        for path, job in jobs_in(context.environment.config):
            names: dict[str, KeyPath] = {}
            for position, channel in enumerate(job.channels):
                place = (*path, "channels", position)
                if (channel.s3 is None) == (channel.lustre is None):
                    given = "neither s3 nor lustre" if channel.s3 is None else "both s3 and lustre"
                    yield Violation(place, f"the channel {channel.name} has {given}", "give it one of s3 and lustre")
                if channel.name in names or channel.name == CHANNEL:
                    other = "another channel" if channel.name in names else "the channel of the toolkit's launcher"
                    yield Violation(
                        (*place, "name"), f"name is {channel.name}, the name of {other}", "give it another name"
                    )
                names.setdefault(channel.name, place)
