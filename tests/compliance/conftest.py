"""The shipped environments, and edits that bring what none of them has."""

from __future__ import annotations

from pathlib import Path

ENVIRONMENTS = sorted(path.stem for path in (Path(__file__).parents[2] / "environments").glob("*.yaml"))
AUTO_MODE = {"eks.auto_mode": True, "network.endpoints": ["s3", "ecr.api"]}
IMAGE_CACHE = {"eks.image_cache": True}
SOFTWARE = {
    "eks.addons": dict.fromkeys(
        (
            "aws_load_balancer_controller",
            "cloudwatch_observability",
            "ebs_csi_driver",
            "efs_csi_driver",
            "kubeflow_trainer",
            "mountpoint_s3_csi_driver",
            "neuron_monitor",
        ),
        True,
    ),
    "eks.node_groups.1.node_repair": False,
    "eks.node_groups.1.queue": "training",
    "eks.chart_values": {"neuron-helm-chart": {"npd": {"nodeRecovery": {"enabled": True}}}},
}
"""All that brings a role of its own, or objects."""
