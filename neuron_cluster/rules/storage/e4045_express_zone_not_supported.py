from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ExpressZoneNotSupported(Rule):
    """S3 Express One Zone has directory buckets in the zone of `storage.express.availability_zone`.

    Without this check S3 rejects the bucket with InvalidRequest, and the storage stack rolls back.
    """

    id = "E4045"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-Endpoints.html"
    proposes = ("availability_zone",)

    def check(self, context: RuleContext) -> Violations:
        environment = context.environment
        config = environment.config
        express = config.storage.express if config.storage is not None else None
        zones = context.catalog.express_zones.zone_ids(config.region)
        if express is None or express.availability_zone in zones or not context.catalog.regions.zone_ids(config.region):
            return
        near = {zone_id for group in environment.cluster_groups if group.is_neuron for zone_id in group.zone_ids}
        fitting = [zone_id for zone_id in zones if zone_id in near]
        if fitting:
            hint = f"set availability_zone: {listed(fitting, 'or')}"
        else:
            hint = "remove express, and save to checkpoint_bucket, which is in all zones of the Region"
        yield Violation(
            ("storage", "express", "availability_zone"),
            f"S3 Express One Zone has no directory buckets in {express.availability_zone}; in {config.region} it has "
            f"them in {listed(zones)}",
            hint,
        )
