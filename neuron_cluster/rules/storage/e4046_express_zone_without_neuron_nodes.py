from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ExpressZoneWithoutNeuronNodes(Rule):
    """The S3 Express One Zone bucket is in a zone in which a Neuron node group runs (`availability_zone`).

    Without this check AWS reports no error. Requests from another zone are as slow as those to a general purpose
    bucket, whose storage costs a fifth and survives the loss of a zone.
    """

    id = "E4046"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-one-zone.html"
    proposes = ("availability_zone",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        express = config.storage.express if config.storage is not None else None
        groups = [group for group in context.environment.cluster_groups if group.is_neuron]
        supported = context.catalog.express_zones.zone_ids(config.region)
        if express is None or not groups or express.availability_zone not in supported:
            return  # a zone without directory buckets: rule E4045
        if not all(context.environment.are_zones_known(group, context.catalog) for group in groups):
            return
        zones = dict.fromkeys(zone_id for group in groups for zone_id in group.zone_ids)
        if express.availability_zone in zones:
            return
        fitting = [zone_id for zone_id in zones if zone_id in supported]
        yield Violation(
            ("storage", "express", "availability_zone"),
            f"the S3 Express bucket is in {express.availability_zone}, but the Neuron node groups run in "
            f"{listed(zones)}",
            f"set availability_zone: {listed(fitting, 'or')}"
            if fitting
            else f"remove express, because S3 Express One Zone is not in {listed(zones, 'or')}",
        )
