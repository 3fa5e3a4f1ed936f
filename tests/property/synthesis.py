"""Synthesis in this process, where one more environment costs a fraction of a second."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from repair import checked

from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.synthesis import cdk_context
from neuron_cluster.plan.cluster_plan import ClusterPlan

ROOT = Path(__file__).parents[2]
Templates = dict[str, dict[str, Any]]


def synthesized(text: str, folder: Path) -> tuple[ClusterPlan, Templates]:
    """The plan of an environment file, and its templates by stack name in the order of deployment."""
    import aws_cdk as cdk

    from stacks.build_stacks import build_stacks

    plan = checked(text).require_plan()
    context = cdk_context(ROOT, plan.name) | {"aws:cdk:disable-asset-staging": True}  # 60 MB, not copied each time
    app = cdk.App(outdir=str(folder), context=context, analytics_reporting=False)
    build_stacks(app, plan)
    app.synth()
    return plan, {stack.name: stack.template for stack in read_assembly(folder)}
