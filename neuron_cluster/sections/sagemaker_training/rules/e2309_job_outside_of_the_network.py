from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class JobOutsideOfTheNetwork(Rule):
    """A job is in a zone of the network (`availability_zone`).

    Its instances have interfaces in the private subnet of the zone.

    Without this check the request would name no subnet.
    """

    id = "E2309"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/train-vpc.html"
    proposes = ("availability_zone", "availability_zones")

    def check(self, context: RuleContext) -> Violations:
        zones = context.environment.config.network.zone_ids
        for path, job in jobs_in(context.environment.config):
            given = job.availability_zone
            if given is not None and given not in zones:
                yield Violation(
                    (*path, "availability_zone"),
                    f"availability_zone is {given}, and the network has {listed(zones)}",
                    f"use {listed(zones, 'or')}, remove the key, or add {given} to network.availability_zones",
                )
